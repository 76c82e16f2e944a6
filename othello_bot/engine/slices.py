"""Iterations of the kernel in slices, for a thread that has other work too, and the tests of moves near the best one."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, TypeVar

from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.engine.limits import MAXIMUM_SCORE, SELECTIVITIES, Limits
from othello_bot.engine.request import SearchResult
from othello_bot.engine.time_manager import TESTS_SHARE
from othello_bot.kernel import RootLine, Searcher

T = TypeVar("T")

Slices = Generator[None, None, T]
"""A computation that lets its thread do something else from time to time; it returns a value."""


def whole(slices: Slices[T]) -> T:
    """Return the value of a computation, and do nothing else meanwhile."""
    while True:
        try:
            next(slices)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def in_slices(searcher: Searcher, depth: int, selectivity_index: int, *window: int, **named: bool) -> Slices[bool]:
    """Run an iteration of the kernel to its end, with a break wherever it pauses; see `Searcher.iterate`."""
    while not searcher.iterate(depth, selectivity_index, *window, **named):
        if not searcher.paused:
            return False
        yield
    return True


LEAST_TEST_NODES: Final = 2000
"""Nodes that these tests may take however quick the search was: less than a millisecond."""

RANKING_DEPTH: Final = 6
"""Plies of the search that ranks the moves before these tests: the likely ones are tested first."""


def near_moves(
    searcher: Searcher,
    place: tuple[int, int],
    choices: int,
    result: SearchResult,
    earlier: int | None,
    limits: Limits,
    seconds: float,
) -> Slices[tuple[tuple[EvaluatedMove, ...], int]]:
    """Return the other moves that lose at most `limits.near` discs, and the nodes that their tests took.

    `place`: mover and opponent; `choices`: the squares of the moves; `earlier`: the score of the search one ply
    shallower, None without one; `seconds`: those left, 0 for no limit. Moves that have no score in the result are
    tested by null windows, first one ply shallower and then at the depth of the result: one depth alone errs more.
    """
    best, discs, near = result.best, result.score, limits.near or 0
    found = [line for line in result.lines[1:] if line.depth == best.depth and line.bound is Bound.EXACT]
    others = choices & ~sum(1 << line.move for line in result.lines)
    left = max(LEAST_TEST_NODES, int(TESTS_SHARE * result.nodes))
    if limits.nodes is not None:
        left = min(left, limits.nodes - result.nodes)
    used = 0
    lines: list[RootLine] = []
    index = SELECTIVITIES.index(best.selectivity)
    tests = [(best.depth, discs)] if earlier is None else [(best.depth - 1, earlier), (best.depth, discs)]
    for depth, score in tests:
        if not others or used >= left or best.bound is not Bound.EXACT or score == -MAXIMUM_SCORE:
            others = 0
            break
        count = searcher.begin(*place, seconds, left - used, others)
        ranking = min(RANKING_DEPTH, depth - 1)
        least = max(score - near - 1, -MAXIMUM_SCORE)
        complete = ranking == 0 or (yield from in_slices(searcher, ranking, 0, -MAXIMUM_SCORE, MAXIMUM_SCORE, count))
        if complete:
            complete = yield from in_slices(searcher, depth, index, least, score, count, scores_alone=True)
        used += searcher.nodes
        # A move that no test has reached has the depth of the ranking, or 1 before that.
        lines = [line for line in searcher.lines(count) if line.depth == depth and (complete or ranking)]
        lines = [line for line in lines if Bound(line.bound) is not Bound.UPPER and line.score >= score - near]
        others = sum(1 << line.move for line in lines)
    for line in lines if others else ():
        exact = best.exact and Bound(line.bound) is Bound.EXACT
        known = (best.depth, best.selectivity, exact, Bound(line.bound))
        found.append(EvaluatedMove(line.move, min(line.score, discs), (line.move,), *known))
    return tuple(line for line in found if line.discs >= discs - near), used
