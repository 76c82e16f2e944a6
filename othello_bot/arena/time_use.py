"""How engines use a fixed time per move: which part of it, and how late their latest move is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.games import MoveReport, StoredGame
from othello_bot.arena.report import Table, percent
from othello_bot.rules import Game, Position, parse_moves

NOT_SEARCHED: Final = ("exact", "book")
"""The depths that our engine reports for a proven result and for a move of the book."""


@dataclass(frozen=True, slots=True)
class TimeUse:
    """What the games of a match tell about the use of a fixed time per move.

    limit_s       the time for each move
    open_moves    moves for which thinking longer could matter: a choice of moves, and no proven result
    open_used_s   seconds used on these, all together
    latest_s      seconds of the longest move beyond its limit; negative where none went beyond
    reasons       the arena's words about each game that was lost on time
    lost_at       when each of these games ended, in seconds since the epoch
    """

    limit_s: float
    games: int = 0
    moves: int = 0
    open_moves: int = 0
    open_used_s: float = 0.0
    latest_s: float = float("-inf")
    reasons: tuple[str, ...] = ()
    lost_at: tuple[float, ...] = ()

    @property
    def share(self) -> float:
        """The part of the time that was used on the open moves; 0 if there were none."""
        return self.open_used_s / (self.open_moves * self.limit_s) if self.open_moves else 0.0


def time_use(limit_s: float, games: Iterable[StoredGame]) -> TimeUse:
    """Return how the time was used in games in which each move of both engines had `limit_s` seconds."""
    count = moves = open_moves = 0
    open_used_s, latest_s = 0.0, float("-inf")
    reasons, lost_at = [], []
    for game in games:
        count += 1
        moves += len(game.played)
        if game.result.ending is Ending.TIME:
            reasons.append(game.result.detail)
            lost_at.append(game.began + game.duration_s)
        latest_s = max([latest_s, *(move.used_s - limit_s for move in game.played)])
        for move in _open_moves(game):
            open_moves += 1
            open_used_s += move.used_s
    return TimeUse(limit_s, count, moves, open_moves, open_used_s, latest_s, tuple(reasons), tuple(lost_at))


def time_use_table(uses: Iterable[TimeUse]) -> Table:
    """Return one row for each time."""
    heads = ("s a move", "games", "moves", "open", "used", "latest move", "lost on time")
    rows = tuple(
        (
            f"{use.limit_s:g}",
            str(use.games),
            str(use.moves),
            str(use.open_moves),
            percent(use.open_used_s, use.open_moves * use.limit_s),
            f"{1000 * use.latest_s:+.1f} ms" if use.moves else "-",
            str(len(use.reasons)),
        )
        for use in uses
    )
    return Table("", heads, rows)


def _open_moves(game: StoredGame) -> list[MoveReport]:
    """Return the moves of a game that were neither forced nor solved."""
    replayed = Game(Position.parse(game.start))
    replayed.play_moves(parse_moves(game.moves))
    return [
        move
        for move in game.played
        if move.depth not in NOT_SEARCHED and replayed.position_at(move.ply).legal_bits.bit_count() > 1
    ]
