"""GameLog: information about a session's game besides its moves, for saving it in files."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from othello_bot.base.clocks import TimeControl, TimeSystem
from othello_bot.base.notation import Color
from othello_bot.game import EndedBy, LiveGame
from othello_bot.rules import Game

if TYPE_CHECKING:
    from collections.abc import Callable

    from othello_bot.base.clocks import Clocks, PlayerClock
    from othello_bot.formats.record import GameRecord
    from othello_bot.session.keeping import User

PERSON: Final = "human"
"""Name of the person at the keyboard in files."""

OPPONENT: Final = "opponent"
"""Name of the other side if a host sent its moves without a name."""


class GameLog:
    """Players, date and circumstances, and whether the game was saved."""

    def __init__(self) -> None:
        self._told: GameRecord | None = None
        self._saved: Game | None = None
        self.begin()

    def begin(self) -> None:
        """Start the log of a new game, played today."""
        self._date = time.strftime("%Y-%m-%d")
        self._told = self._saved = None

    def take(self, record: GameRecord) -> None:
        """Continue with a game as a file describes it."""
        self._told = record
        self._saved = record.game.copy()

    def record(self, live: LiveGame, person: str = OPPONENT, comment: str = "") -> GameRecord:
        """Return the game with all its known circumstances.

        `person` played the moves that this session did not choose; `comment` is used if the file had none.
        """
        around = self._told
        if around is None:
            from othello_bot.formats.record import GameRecord  # imported here: most sessions write no file

            around = GameRecord(date=self._date)
        players = {color: self.player(live, color) for color in Color}
        if any(players.values()) or person != OPPONENT:
            players = {color: name or person for color, name in players.items()}
        same_game = around.game == live.game
        if not (around.clock or around.black_clock or around.white_clock):
            around = _with_clocks(around, live.clocks)
        record = replace(
            around,
            game=live.game.copy(),
            black=players[Color.BLACK],
            white=players[Color.WHITE],
            result=around.result if same_game else None,
            winner=around.winner if same_game else None,
            ending=around.ending if same_game else EndedBy.RULES,
            comment=around.comment or comment,
            notes=live.known,
        )
        ending = live.ending
        return record if ending is None else replace(record, result=ending.black_score, ending=ending.by)

    def player(self, live: LiveGame, color: Color) -> str:
        """Return the name of a player from a file, or else of who chose its first move here; empty if unknown."""
        if self._told is not None:
            told = self._told.black if color is Color.BLACK else self._told.white
            if told:
                return told
        chosen = (note.player for ply, note in sorted(live.known.items()) if live.game.color_at(ply) is color)
        return next(filter(None, chosen), "")

    def mark_saved(self, game: Game) -> None:
        """Remember the current game as saved."""
        self._saved = game.copy()

    def is_saved(self, game: Game) -> bool:
        """Return whether nothing would be lost with the game: it has no move, or is unchanged since it was saved or
        loaded.
        """
        return not game.ply or game == self._saved

    def offer_to_save(self, game: Game, record: Callable[[], GameRecord], person: User | None) -> bool:
        """Ask the person, if there is one, whether to save a game that would be lost.

        Return False if the question was not answered.
        """
        if person is None or self.is_saved(game):
            return True
        from othello_bot.session import keeping  # imported here: most games do not need it

        saved = keeping.offer_to_save(record, person)
        if saved:
            self.mark_saved(game)
        return saved is not None


def clock_setting(clock: PlayerClock) -> TimeControl | None:
    """Return a player's time control in the form of game files, None without a limit. They do not support overtime."""
    settings = clock.settings
    if not clock.running:
        return None
    if settings.system in (TimeSystem.FISCHER, TimeSystem.FISCHER_CAPPED, TimeSystem.UNDECIDED):
        return TimeControl(settings.main_s, settings.period_s) if settings.main_s else None
    return TimeControl(settings.main_s) if settings.main_s else None


def _with_clocks(record: GameRecord, clocks: Clocks) -> GameRecord:
    """Return a record with the time controls of both players."""
    black, white = clock_setting(clocks.black), clock_setting(clocks.white)
    return replace(record, clock=black) if black == white else replace(record, black_clock=black, white_clock=white)
