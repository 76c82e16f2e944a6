"""The deepening loop: which iterations to search, with which windows, and when to stop.

`Search` drives the kernel's searcher. A run climbs the ladder of `levels.py`. Each iteration starts with a window
around the score of the previous one (aspiration). The run ends at the first of: its goal, a stop, the node limit, the
maximum of time, or, if time is managed, the point where more thinking is not worth its time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.base.notation import PASS, move_name
from othello_bot.base.posix import available_cores, available_mib
from othello_bot.engine.levels import (
    DECIDED_DISCS,
    DECIDED_S,
    FULL_WIDTH,
    PROOF_NODES,
    SAFE_DISCS,
    WINNER_NODES,
    Iteration,
    decided_nodes,
    goal,
    goal_of,
    iterations,
    sparse_ladder,
    sufficient_level,
)
from othello_bot.engine.limits import MAXIMUM_DEPTH, MAXIMUM_SCORE, SELECTIVITIES, LimitError, Limits
from othello_bot.engine.request import Ended, SearchRequest, SearchResult
from othello_bot.engine.time_manager import TESTS_SHARE, TimeBudget, allocate, in_doubt, is_enough, may_be_easy
from othello_bot.evaluation import load, probcut, release_shipped, shipped
from othello_bot.kernel import ErrorModel, RootLine, Searcher, Weights
from othello_bot.rules import empties_of

ASPIRATION_DISCS: Final = 3
"""Half width in discs of the first window around the last score; it doubles whenever the score falls outside."""

SOLVING_ASPIRATION_DISCS: Final = 2
"""The same where a game is solved: wide enough for the even score next to the last one. A wider window lets the first
line end with a worse score, from which the search climbs step by step: #49 of FFO may take twice the nodes then.
"""

CLEAR_DISCS: Final = 8
"""A move is clearly best when no other comes within this many discs of it in a shallower search."""

CLEAR_PLIES: Final = 4
"""Plies by which that test is shallower than the search."""

SHORTEST_S: Final = 0.001
"""Seconds that a search may use to look at each move even if its time is over before it begins."""

USUAL_PLIES: Final = 26
"""Plies that a search under a clock seldom exceeds; what a deeper one reads is expanded when it begins."""

WIPE_OUT: Final = 64
"""Score of a game in which one side loses all its discs. Static values are smaller, and ProbCut assumes no such score,
so that a search of any depth and selectivity that finds it has proven it.
"""


GROWTH: Final = 2.2
"""An iteration takes about this many times the time of the one before it."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """How far an earlier search of the same position came: plies, percent, and the seconds its next iteration needs."""

    depth: int
    selectivity: int
    next_s: float


RESERVE_MIB: Final = 64
"""MiB that must stay free beside the table, for the rest of the engine and the system."""


class TableTooLarge(MemoryError):
    """A table that does not fit into the free memory; `most_mib` is the largest that does."""

    def __init__(self, hash_mib: int, most_mib: int) -> None:
        super().__init__(f"a transposition table of {hash_mib} MiB does not fit into memory: at most {most_mib} MiB do")
        self.most_mib = most_mib


def refuse_if_lacking(hash_mib: int, freed_mib: int = 0) -> None:
    """Raise TableTooLarge if a table of `hash_mib` MiB does not fit into the free memory plus `freed_mib`.

    Linux promises more memory than there is: the allocation would succeed, and the process be killed during a game.
    """
    available = available_mib()
    if available is not None and hash_mib > available + freed_mib - RESERVE_MIB:
        most = max(available + freed_mib - RESERVE_MIB, 1)
        raise TableTooLarge(hash_mib, most)


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


class Search:
    """A searcher with its table: runs one search at a time; `stop` may be called from any thread.

    Raises MemoryError if a table of `hash_mib` MiB does not fit.
    """

    def __init__(self, hash_mib: int = 64, threads: int = 1) -> None:
        refuse_if_lacking(hash_mib)
        self._searcher = Searcher(hash_mib, min(threads, available_cores()))
        self._use(shipped(), probcut.shipped())

    @property
    def hash_mib(self) -> int:
        """Size of the transposition table in MiB."""
        return self._searcher.hash_mib

    def resize(self, hash_mib: int) -> None:
        """Allocate a new, empty table; raise MemoryError and keep the old one if it does not fit."""
        refuse_if_lacking(hash_mib, freed_mib=self._searcher.hash_mib)
        self._searcher.resize(hash_mib)

    def set_threads(self, threads: int) -> None:
        """Search with this many threads in the following runs, but with no more than there are cores.

        Threads without a core of their own only slow the others down.
        """
        self._searcher.set_threads(min(threads, available_cores()))

    @property
    def idle_s(self) -> list[float]:
        """Seconds that each thread of the last run was without work."""
        return self._searcher.idle_s

    def clear(self) -> None:
        """Forget all earlier searches."""
        self._searcher.clear()

    def set_evaluation(self, name: str, file: str | None = None) -> None:
        """Use the evaluation "learned" (the weights in `file`, None for the shipped ones) or "handmade".

        The ProbCut model is the one beside the file, or else the shipped one. Raise ValueError for another name or a
        file without weights or model, OSError if it cannot be read; then nothing has changed.
        """
        if name not in ("learned", "handmade"):
            raise ValueError(f"evaluation {name!r}: not learned or handmade")
        chosen = shipped() if file is None else load(Path(file))
        model = probcut.shipped() if file is None else probcut.load(probcut.serving(Path(file)))
        self._use(chosen if name == "learned" else None, model)
        self._searcher.clear()

    def _use(self, weights: Weights | None, model: ErrorModel) -> None:
        """Use these weights (None: the hand-made evaluation) and this model; the table must hold no other scores."""
        self._searcher.set_weights(weights)
        self._searcher.set_error_model(model)

    def prepare(self, empties: int) -> None:
        """Do in advance what a search of a board with so many empties would otherwise wait for."""
        self._searcher.expand_weights(empties - USUAL_PLIES, empties)
        release_shipped()

    def evaluate(self, mover: int, opponent: int) -> float:
        """Return the static value in discs, from the mover's view."""
        return self._searcher.static_value(mover, opponent)

    def arm(self) -> None:
        """Discard earlier stops. Call this before a run is handed to its thread, so that a stop in between counts."""
        self._searcher.arm()

    def stop(self) -> None:
        """Stop the run; it returns within milliseconds with the best result so far."""
        self._searcher.stop()

    def answer(
        self, request: SearchRequest, budget: TimeBudget | None = None, resumption: Resumption | None = None
    ) -> SearchResult:
        """Search until a limit or the goal is reached; block, without the GIL while the kernel works.

        The budget (None: that of the limits, without an overhead) counts from the moment of the request. The search
        exceeds its optimum only while the best move is in doubt, and never its maximum. A side without a legal move gets
        one line, PASS; a finished game none. `resumption`: the table is filled by a search that came so far, so its
        iterations take almost no time. Raise `LimitError` if no considered move is legal.
        """
        return whole(self.slices(request, budget, resumption))

    def slices(
        self,
        request: SearchRequest,
        budget: TimeBudget | None = None,
        resumption: Resumption | None = None,
        slice_s: float = 0.0,
    ) -> Slices[SearchResult]:
        """Return the same search in slices of `slice_s` seconds (0: in one), for a thread that also has other work.

        A slice ends within an iteration, which goes on from the table: the nodes that it repeats are few.
        """
        position, limits = request.position, request.limits
        if budget is None:
            budget = allocate(limits.clock, position.empties, 0.0, limits.move_time_s)
        legal = position.legal_bits
        if not legal:
            if position.is_over:
                return SearchResult((), 0, 0.0)
            turned = replace(limits, alpha=-limits.beta, beta=-limits.alpha)
            turned = replace(turned, multi_pv=1, considered=frozenset(), near=None)
            tell = request.on_report
            report = None if tell is None else lambda result: tell(_passed(result))
            theirs = replace(request, position=position.play(PASS), limits=turned, on_report=report)
            return _passed((yield from self.slices(theirs, budget, resumption, slice_s)))
        if limits.considered and not any(legal >> square & 1 for square in limits.considered):
            moves = " ".join(map(move_name, sorted(limits.considered)))
            raise LimitError("considered moves", moves, "one that is legal, or none for all")
        self._searcher.set_slice(slice_s)
        return (yield from _Run(self._searcher, request, budget, resumption).result())


def fixed_depth(
    searcher: Searcher, mover: int, opponent: int, depth: int, selectivity_index: int = FULL_WIDTH, count: int = 1
) -> list[RootLine]:
    """Return the `count` best moves, best first, of a search of `depth` plies, or to the end of the game if that is
    nearer.

    For learning and measuring: only the depth limits it, and exact scores come without lines, which are costly. Raise
    ValueError if the mover has no legal move.
    """
    if not searcher.begin(mover, opponent):
        raise ValueError("no legal move: pass before searching")
    searcher.arm()
    empties = empties_of(mover, opponent)
    for step in sparse_ladder(empties, Iteration(min(depth, empties), selectivity_index)):
        is_exact = step == (empties, FULL_WIDTH)
        searcher.iterate(step.depth, step.selectivity_index, multi_pv=count, scores_alone=is_exact)
    return searcher.lines(count)


def _passed(result: SearchResult) -> SearchResult:
    """Return the result of the opponent's search from the view of the passing side."""
    swap = {Bound.EXACT: Bound.EXACT, Bound.LOWER: Bound.UPPER, Bound.UPPER: Bound.LOWER}
    lines = tuple(
        replace(line, move=PASS, score=-line.discs, pv=(PASS, *line.pv), bound=swap[line.bound])
        for line in result.lines
    )
    return replace(result, lines=lines)


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


class _Decided(NamedTuple):
    """The result before an iteration in a decided game, and the number of nodes at which the iteration is cut short."""

    result: SearchResult
    most_nodes: int


class _Run:
    """One run of the deepening loop."""

    def __init__(
        self, searcher: Searcher, request: SearchRequest, budget: TimeBudget, resumption: Resumption | None
    ) -> None:
        position, limits = request.position, request.limits
        self._searcher = searcher
        self._limits = limits
        self._on_progress = request.on_report
        self._end_s = budget.maximum_s
        self._nodes = limits.nodes or 0
        if limits.near is not None:
            budget = budget.scaled(1 - TESTS_SHARE)
            self._nodes -= int(TESTS_SHARE * self._nodes)
        self._budget = budget
        self._resumption = resumption
        self._began_s = time.monotonic()
        self._asked_at_s = self._began_s if request.asked_at_s is None else request.asked_at_s
        self._empties = position.empties
        # A board with fewer than four discs has more empties than the plies of any search, so it is never solved.
        self._reach = min(self._empties, MAXIMUM_DEPTH)
        self._timed = math.isfinite(budget.maximum_s)
        left_s = self._asked_at_s + budget.maximum_s - self._began_s
        seconds = max(left_s, SHORTEST_S) if self._timed else 0.0
        self._place, self._scores = (position.mover, position.opponent), dict[int, int]()
        considered = sum(1 << square for square in limits.considered)
        self._choices = position.legal_bits & (considered or -1)
        self._moves = searcher.begin(*self._place, seconds, self._nodes, considered)
        self._window = (-1, 1) if limits.wld else (limits.alpha, limits.beta)
        self._asked_whether_clear = False
        self._goal = goal_of(limits, self._reach, self._timed)
        self._sufficient = sufficient_level(limits, self._timed, budget.maximum_s)

    def result(self) -> Slices[SearchResult]:
        """Iterate as far as the limits allow, test the other moves if that is wanted, and return the result."""
        result = yield from self._searched()
        left_s = self._asked_at_s + self._end_s - time.monotonic()
        if self._limits.near is None or result.ended is Ended.STOP or left_s <= SHORTEST_S:
            return result
        earlier, seconds = self._scores.get(result.depth - 1), left_s if self._timed else 0.0
        near, nodes = yield from near_moves(
            self._searcher, self._place, self._choices, result, earlier, self._limits, seconds
        )
        return replace(result, near=near, nodes=result.nodes + nodes, time_s=self._elapsed())

    def _searched(self) -> Slices[SearchResult]:
        ended: Ended | None = None
        previous: tuple[int, int] | None = None
        for step in self._steps():
            began = self._elapsed()
            decided = self._limit_decided(step)
            completed = yield from self._iterate(step)
            if not completed and decided is not None and self._searcher.nodes >= decided.most_nodes:
                settled = yield from self._settled(decided.result)
                if settled is not None:
                    return settled
                completed = yield from self._iterate(step)
            if not completed:
                ended = self._interruption()
                break
            if self._on_progress is not None:
                self._on_progress(self._snapshot())
            if self._nothing_left():
                break
            line = self._searcher.lines(1)[0]
            now = (line[0], line[1])
            self._scores[step.depth] = line[1]
            if self._is_sufficient(step, line[1]):
                settled = yield from self._settled(self._snapshot())
                if settled is not None:
                    return settled
                if not (yield from self._iterate(step)):  # the proof has left other scores
                    ended = self._interruption()
                    break
            if step != self._goal:
                ended = yield from self._enough(step, self._elapsed() - began, in_doubt(previous, now))
            if ended:
                break
            previous = now
        return self._snapshot(ended)

    def _steps(self) -> Iterator[Iteration]:
        """Yield the iterations. In a decided game, the proof of the score follows the most confident selective search."""
        for step in iterations(self._limits, self._reach, self._timed):
            if step == self._goal and self._solves(*step) and not self._timed and self._most_nodes(step):
                yield Iteration(step.depth, FULL_WIDTH - 1)
            yield step

    def _most_nodes(self, step: Iteration) -> int:
        """Return the most nodes that an iteration may take in a decided game; 0 for no limit."""
        nodes = decided_nodes(self._sufficient, self._empties, self._searcher.lines(1)[0].score, step)
        return min(nodes, PROOF_NODES) if self._timed else nodes

    def _limit_decided(self, step: Iteration) -> _Decided | None:
        """Limit an iteration if the game is decided; return the result to use if it is cut short."""
        nodes = self._most_nodes(step)
        if not nodes:
            self._searcher.limit_nodes(self._nodes)
            return None
        result = self._snapshot()
        return _Decided(result, self._limit_further(nodes))

    def _limit_further(self, nodes: int) -> int:
        """Let the following iterations visit so many more nodes; return the number at which they end."""
        most = self._searcher.nodes + nodes
        self._searcher.limit_nodes(min(most, self._nodes or most))
        return most

    def _is_sufficient(self, step: Iteration, score: int) -> bool:
        """Return whether a search whose own goal lies further on has come as far as a decided game needs."""
        if self._sufficient is None or abs(score) <= DECIDED_DISCS or step == self._goal or self._reach < self._empties:
            return False
        return step >= goal(self._sufficient, self._reach) or (self._timed and self._elapsed() >= DECIDED_S)

    def _settled(self, result: SearchResult) -> Slices[SearchResult | None]:
        """Return the final result of a decided game, given the one so far; None if its winner is not proven.

        The best move is proven to win, or all moves to lose, by a search without pruning whose window is a single score.
        Where this takes too many nodes, a selective search must have confirmed a large lead. Either way, nothing that a
        longer search could find changes the winner. It is tried once.
        """
        self._sufficient = None
        lead = yield from self._leads(result, FULL_WIDTH - 1, SAFE_DISCS)
        proven = (yield from self._leads(result, FULL_WIDTH, 0)) if lead else lead
        self._searcher.limit_nodes(self._nodes)
        result = replace(result, nodes=self._searcher.nodes, time_s=self._elapsed())
        if lead and proven is not False:
            return replace(result, ended=Ended.DECIDED)
        if proven is None and self._interruption() is not Ended.STOP or self._searcher.stopped:
            return replace(result, stopped=True, ended=self._interruption())
        return None

    def _leads(self, result: SearchResult, selectivity_index: int, discs: int) -> Slices[bool | None]:
        """Return whether the best move wins by more than so many discs, or all moves lose by more; None if cut short."""
        self._limit_further(WINNER_NODES)
        alpha = discs if result.score > 0 else -discs - 1
        if not (yield from in_slices(self._searcher, self._reach, selectivity_index, alpha, alpha + 1)):
            return None
        line = self._searcher.lines(1)[0]
        if result.score > 0:
            return line.move == result.move and line.score > discs
        return line.score < -discs

    def _iterate(self, step: Iteration) -> Slices[bool]:
        """Run one iteration, widening the window until it contains the score; return False if stopped."""
        lowest, highest = self._window
        wanted = min(self._limits.multi_pv, self._moves)
        alpha, beta = lowest, highest
        _, score, bound, depth, _, _ = self._searcher.lines(1)[0]
        narrow = wanted == 1 and depth > 0 and bound == Bound.EXACT and not self._limits.wld
        margin = SOLVING_ASPIRATION_DISCS if self._solves(step.depth, step.selectivity_index) else ASPIRATION_DISCS
        if narrow:
            alpha, beta = self._around(score, margin)
        ever_low = ever_high = False
        while (yield from in_slices(self._searcher, step.depth, step.selectivity_index, alpha, beta, wanted)):
            _, score, bound, _, _, _ = self._searcher.lines(1)[0]
            failed_low = score <= alpha and alpha > lowest
            failed_high = score >= beta and beta < highest
            if not failed_low and not failed_high:
                return True
            margin *= 2
            ever_low |= failed_low
            ever_high |= failed_high
            if ever_low and ever_high:
                # Pruning made two windows contradict each other, and may do so again; the full window ends this.
                alpha, beta = lowest, highest
            elif failed_low:
                alpha, beta = self._around(score, margin)[0], max(min(score + 1, highest), lowest + 1)
            else:
                alpha, beta = min(max(score - 1, lowest), highest - 1), self._around(score, margin)[1]
        return False

    def _nothing_left(self) -> bool:
        """Return whether each line asked for is a proven wipe-out, which no deeper search can change."""
        lines = self._searcher.lines(self._limits.multi_pv)
        return all(bound == Bound.EXACT and abs(score) == WIPE_OUT for _, score, bound, *_ in lines)

    def _solves(self, depth: int, selectivity_index: int) -> bool:
        """Return whether a search like this proves scores: full width to the end of the game."""
        return depth >= self._empties and selectivity_index == FULL_WIDTH

    def _around(self, score: int, margin: int) -> tuple[int, int]:
        lowest, highest = self._window
        alpha = max(lowest, min(score - margin, highest - 1))
        return alpha, min(highest, max(score + margin, alpha + 1))

    def _interruption(self) -> Ended:
        """Return why the last iteration was cut short."""
        if self._nodes and self._searcher.nodes >= self._nodes:
            return Ended.NODES
        late = self._timed and time.monotonic() - self._asked_at_s >= self._budget.maximum_s - SHORTEST_S
        return Ended.MAXIMUM if late else Ended.STOP

    def _enough(self, step: Iteration, took_s: float, doubtful: bool) -> Slices[Ended | None]:
        """Return why another iteration is not worth its time, after this one took `took_s`; None if it is."""
        if self._limits.clock is None or self._limits.infinite:
            return None
        if self._moves == 1 and step.depth >= CLEAR_PLIES:
            return Ended.ONLY_MOVE
        if not self._budget.keeps_rest:
            return None
        elapsed_s = time.monotonic() - self._asked_at_s
        if may_be_easy(self._budget, elapsed_s) and not self._asked_whether_clear and step.depth > CLEAR_PLIES:
            self._asked_whether_clear = True
            clear = self._searcher.clearly_best(CLEAR_DISCS, step.depth - CLEAR_PLIES, 0)
            while not clear and self._searcher.paused:
                yield
                clear = self._searcher.clearly_best(CLEAR_DISCS, step.depth - CLEAR_PLIES, 0)
            if clear:
                return Ended.EASY_MOVE
        return Ended.OPTIMUM if is_enough(self._budget, elapsed_s, self._next_s(step, took_s), doubtful) else None

    def _next_s(self, step: Iteration, took_s: float) -> float:
        """Return the seconds that the iteration after `step` should take."""
        if self._resumption is None:
            return GROWTH * took_s
        known = (self._resumption.depth, self._resumption.selectivity)
        reached = (step.depth, SELECTIVITIES[step.selectivity_index])
        if reached == known:
            return self._resumption.next_s
        return 0.0 if reached < known else GROWTH * took_s

    def _elapsed(self) -> float:
        return time.monotonic() - self._began_s

    def _snapshot(self, ended: Ended | None = None) -> SearchResult:
        """Return the result so far. `ended` says why the search was stopped; None if it was not."""
        lines = tuple(
            EvaluatedMove(
                move,
                score,
                pv,
                depth,
                SELECTIVITIES[index],
                bound == Bound.EXACT and (self._solves(depth, index) or abs(score) == WIPE_OUT),
                Bound(bound),
            )
            for move, score, bound, depth, index, pv in self._searcher.lines(self._limits.multi_pv)
        )
        reason = ended or (Ended.SOLVED if lines[0].exact else Ended.GOAL)
        return SearchResult(lines, self._searcher.nodes, self._elapsed(), ended is not None, reason)
