"""What the engine does for a message: steps of searches, as the scheduler takes them.

For the value of every legal move, all moves are searched at a lower level, then those near the best at the level asked
for, and the others last: a player sees what the candidates are worth a good deal sooner, and in the end every move has
a value of the level.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import Color, move_name
from othello_bot.engine import (
    MAXIMUM_LEVEL,
    SELECTIVITIES,
    Engine,
    Limits,
    OwnPlayer,
    SearchRequest,
    SearchResult,
    Steps,
    TextbookPlayer,
    goal,
)
from othello_bot.rules import Position
from othello_bot.web.messages import AskMove, AskReview, AskValues

if TYPE_CHECKING:
    from othello_bot.review import ReviewProgress


Reply = dict[str, Any]

LARGEST_SEED: Final = 2**31

FIRST_LEVELS_LOWER: Final = 6
"""The number of levels by which the first search of all moves is lower."""

SHORT_PLIES: Final = 8
"""It ends at least this many plies before the end of the game: to search every move to the end takes several times longer
than the candidates alone.
"""

LEAST_LEVEL: Final = 12
"""A lower level is reached at once, without candidates."""

NEAR_DISCS: Final = 5
"""Moves at most this many discs behind the best one are candidates: those that the page does not paint as bad."""

PREPARED = 16
"""Players that are kept for their next move."""


def choose_move(engine: Engine, ask: AskMove, longest_s: float) -> Steps[Reply]:
    """Return steps that choose the engine's move; without a clock it thinks for `longest_s` seconds at most."""
    # The steps begin while the engine is idle. The seed differs from move to move and is the same if asked again.
    engine.set_option("strength", ask.strength)
    engine.set_option("seed", (ask.seed * 129 + ask.game.ply) % LARGEST_SEED)
    limits = engine.default_limits(ask.clock)
    if ask.clock is None and (limits.move_time_s is None or limits.move_time_s > longest_s):
        limits = replace(limits, move_time_s=longest_s)
    return (yield from _choose(engine.player, ask, limits))


def review_moves(engine: Engine, ask: AskReview, tell: Callable[[Reply], None]) -> Steps[Reply]:
    """Return steps that review a game; each judged move is told at once, the sums for both players come last.

    The same game has the same review as by `othello-bot review`: the engine forgets what it searched before.
    """
    from othello_bot.review import (  # imported here: it would delay the first page
        GameReview,
        move_object,
        people_object,
        player_object,
        review_steps,
    )

    game = ask.game

    def judged(progress: ReviewProgress) -> None:
        move = move_object(GameReview(game, ask.level, ()), progress.move)
        tell({"kind": "judged", "done": progress.done, "total": progress.total, **move})

    engine.clear()
    moves = yield from review_steps(game, ask.level, judged, first_ply=ask.first_ply, people_model=engine.people_model)
    review = GameReview(game, ask.level, tuple(moves))
    ratings = review.ratings()
    return {
        "kind": "reviewed",
        "level": ask.level,
        "players": {color.name.lower(): player_object(review.player(color)) for color in Color},
        "people": {move.ply: people_object(move, ratings[move.color]) for move in moves},
    }


def value_moves(ask: AskValues, tell: Callable[[Reply], None]) -> Steps[Reply]:
    """Return steps that search every legal move; each improvement is told, from the worker's thread."""
    from othello_bot.session import no_hint_object  # imported here: it would delay the first page

    position = ask.game.position
    if not position.legal_moves:
        return {"kind": "values", "lines": [no_hint_object(position)], "done": True}
    values = _Values(position, tell)
    left = frozenset(position.legal_moves)
    if ask.infinite:
        yield from values.search(Limits(level=MAXIMUM_LEVEL, infinite=True), left)
        return values.reply(done=True)
    lower = ask.level - FIRST_LEVELS_LOWER
    if ask.level >= LEAST_LEVEL and goal(lower, position.empties) != goal(ask.level, position.empties):
        yield from values.search(_first_limits(lower, position.empties), left)
        candidates = values.candidates()
        yield from values.search(Limits(level=ask.level), candidates)
        left -= candidates
    if left:
        yield from values.search(Limits(level=ask.level), left)
    return values.reply(done=True)


def _first_limits(level: int, empties: int) -> Limits:
    """Return the limits of the first search: a level, but not to the end of the game; depths have the end's parity."""
    if goal(level, empties).depth < empties:
        return Limits(level=level)
    depth = min(level, empties - SHORT_PLIES)
    return Limits(depth=depth - (empties - depth) % 2, selectivity=SELECTIVITIES[0])


class _Values:
    """The values of a position's moves, of which each may come from another search."""

    def __init__(self, position: Position, tell: Callable[[Reply], None]) -> None:
        self._position = position
        self._tell = tell
        self._lines: dict[int, EvaluatedMove] = {}
        self._before = SearchResult((), 0, 0.0)
        self._now = self._before

    def search(self, limits: Limits, moves: frozenset[int]) -> Steps[None]:
        """Search some of the moves."""
        # Every other depth: values of one parity do not jump up and down, and the goal is reached sooner.
        limits = replace(limits, multi_pv=len(moves), considered=moves, stride=2)
        self._take((yield SearchRequest(self._position, limits, self._report)))
        self._before = self._now

    def candidates(self) -> frozenset[int]:
        """Return the moves near the best one."""
        best = max(line.discs for line in self._lines.values())
        return frozenset(move for move, line in self._lines.items() if best - line.discs <= NEAR_DISCS)

    def reply(self, *, done: bool) -> Reply:
        """Return what is known of all moves, the best ones first."""
        from othello_bot.session import hint_objects

        # Moves of equal scores keep the order of their search.
        lines = tuple(sorted(self._lines.values(), key=lambda line: -line.discs))
        result = replace(self._now, lines=lines)
        return {
            "kind": "values",
            "lines": hint_objects(result, None, {}),
            "reached": result.reached(),
            "nodes": result.nodes,
            "time_s": round(result.time_s, 3),
            "done": done,
        }

    def _report(self, result: SearchResult) -> None:
        if self._take(result):
            self._tell(self.reply(done=False))

    def _take(self, result: SearchResult) -> bool:
        """Take over the lines that are as deep as those known; return whether any is deeper."""
        self._now = replace(result, nodes=self._before.nodes + result.nodes, time_s=self._before.time_s + result.time_s)
        deeper = False
        for line in result.lines:
            known = self._lines.get(line.move)
            if known is None or _reached(known) <= _reached(line):
                deeper |= known is None or _reached(known) < _reached(line)
                self._lines.pop(line.move, None)
                self._lines[line.move] = line
        return deeper


def _reached(line: EvaluatedMove) -> tuple[int, int]:
    return line.depth, line.selectivity


def choose_textbook_move(ask: AskMove, longest_s: float) -> Steps[Reply]:
    """Return steps that let a textbook player choose, within its clock, or `longest_s`; raise StrategyError if there is
    no such player.
    """
    limits = Limits(clock=ask.clock, move_time_s=longest_s if ask.clock is None else None)
    return _choose(_made(ask.strategy, ask.seed), ask, limits)


def _choose(player: OwnPlayer, ask: AskMove, limits: Limits) -> Steps[Reply]:
    choice = yield from player.choose(ask.game, limits)
    reply: Reply = {"kind": "move", "move": move_name(choice.move), "source": choice.source}
    if choice.score is not None:
        reply |= {"score": choice.score, "reached": choice.reached()}
    return reply


@lru_cache(maxsize=PREPARED)
def _made(spec: str, seed: int) -> TextbookPlayer:
    return TextbookPlayer(spec, seed)
