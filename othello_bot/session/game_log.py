"""GameLog: information about a session's game besides its moves, for saving it in files."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from othello_bot.base.clocks import TimeSystem
from othello_bot.base.notation import Color
from othello_bot.formats.record import ClockSetting, EndedBy, GameRecord, MoveNote
from othello_bot.rules import Game

if TYPE_CHECKING:
    from othello_bot.base.clocks import TimeSettings

PERSON: Final = "human"
"""Name of the person at the keyboard in files."""

OPPONENT: Final = "opponent"
"""Name of the other side if a host sent its moves without a name."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A move chosen by this session: its player and its note."""

    move: int
    player: str
    note: MoveNote


class GameLog:
    """Players, date, the time and score of each move chosen by this session, and whether the game was saved."""

    def __init__(self) -> None:
        self._around = GameRecord()
        self._chosen: dict[int, _Chosen] = {}
        self._saved: Game | None = None
        self.begin()

    def begin(self) -> None:
        """Start the log of a new game, played today."""
        self._around = GameRecord(date=time.strftime("%Y-%m-%d"))
        self._chosen = {}
        self._saved = None

    def take(self, record: GameRecord) -> None:
        """Continue with a game as a file describes it."""
        self._around = record
        self._chosen = {}
        self._saved = record.game.copy()

    def chosen(self, ply: int, move: int, player: str, note: MoveNote) -> None:
        """Record who chose the move at `ply`, with its score and time."""
        self._chosen[ply] = _Chosen(move, player, note)

    def record(self, game: Game, settings: TimeSettings, person: str = OPPONENT, comment: str = "") -> GameRecord:
        """Return the game with all its known circumstances.

        `person` played the moves that this session did not choose; `comment` is used if the file had none.
        """
        around = self._around
        kept = {ply: note for ply, note in around.notes.items() if _same_move(around.game, game, ply)}
        chosen = self._chosen_in(game)
        players = {color: self.player(game, color) for color in Color}
        if any(players.values()) or person != OPPONENT:
            players = {color: name or person for color, name in players.items()}
        same_game = around.game == game
        return replace(
            around,
            game=game.copy(),
            black=players[Color.BLACK],
            white=players[Color.WHITE],
            result=around.result if same_game else None,
            winner=around.winner if same_game else None,
            ending=around.ending if same_game else EndedBy.RULES,
            comment=around.comment or comment,
            clock=around.clock or clock_setting(settings),
            notes={**kept, **{ply: item.note for ply, item in chosen.items()}},
        )

    def player(self, game: Game, color: Color) -> str:
        """Return the name of a player from a file, or else of who chose its first move here; empty if unknown."""
        told = self._around.black if color is Color.BLACK else self._around.white
        if told:
            return told
        chosen = self._chosen_in(game)
        return next((chosen[ply].player for ply in sorted(chosen) if game.position_at(ply).color is color), "")

    def _chosen_in(self, game: Game) -> dict[int, _Chosen]:
        """Return the moves chosen by this session that are still in the game, by ply."""
        return {ply: item for ply, item in self._chosen.items() if game.moves[ply : ply + 1] == (item.move,)}

    def mark_saved(self, game: Game) -> None:
        """Remember the current game as saved."""
        self._saved = game.copy()

    def is_saved(self, game: Game) -> bool:
        """Return whether nothing would be lost with the game: it has no move, or is unchanged since it was saved or
        loaded.
        """
        return not game.ply or game == self._saved


def clock_setting(settings: TimeSettings) -> ClockSetting | None:
    """Return a time control in the form of game files, None without a limit. They do not support overtime."""
    if settings.system in (TimeSystem.FISCHER, TimeSystem.FISCHER_CAPPED, TimeSystem.UNDECIDED):
        return ClockSetting(settings.main_s, settings.period_s) if settings.main_s else None
    if settings.system is TimeSystem.NONE or not settings.main_s:
        return None
    return ClockSetting(settings.main_s)


def _same_move(one: Game, other: Game, ply: int) -> bool:
    """Return whether two games have the same move at `ply`."""
    return one.moves[ply : ply + 1] == other.moves[ply : ply + 1] != ()
