"""The table of a terminal game: whose turn it is, both clocks, how the game ends, what is shown."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

from othello_bot.base import clocks
from othello_bot.base.clocks import ClockState, TimeLeft, TimeSettings, TimeSystem
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.engine import SearchResult
from othello_bot.formats.record import EndedBy, GameRecord, MoveNote
from othello_bot.play.front import Front
from othello_bot.play.players import Seats, Watch
from othello_bot.rules import Game, Position
from othello_bot.session import resignation, resigned_record, standing
from othello_bot.session.game_log import GameLog
from othello_bot.terminal.keyboard import LineDropped
from othello_bot.terminal.picture import Scene, Seat, clock_text, turn_text, what_the_last_move_did


class TableClocks:
    """The time left of each player in seconds; the clock of `color` runs from `start` to `stop`."""

    def __init__(self, seconds: float, increment_s: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._clocks = clocks.Clocks.start(TimeSettings(TimeSystem.FISCHER, seconds, increment_s))
        self._now_s = now_s
        self._begin_s = 0.0
        self.turn_s = 0.0
        """Seconds already charged for the current or last turn."""

    def start(self) -> None:
        """Begin a turn."""
        self._begin_s = self._now_s()
        self.turn_s = 0.0

    def resume(self) -> None:
        """Continue a turn; the time since the last charge is free."""
        self._begin_s = self._now_s()

    def stop(self, color: Color) -> bool:
        """End a turn; return false if the time ran out in it."""
        if not self.charge(color):
            return False
        self._clocks = self._clocks.spent(color, 0.0)  # the time used is already charged; add the increment
        return True

    def charge(self, color: Color) -> bool:
        """Subtract the time used since the turn began, without an increment; return false if none is left."""
        now_s = self._now_s()
        used_s = now_s - self._begin_s
        left_s = self.left_s(color) - used_s
        self._begin_s = now_s
        self.turn_s += used_s
        self._clocks = self._clocks.time_left(TimeLeft(color, left_s))
        return left_s >= 0

    def state(self, color: Color) -> ClockState | None:
        """Return the clock of a player at the beginning of his turn."""
        return self._clocks.state(color)

    def left_s(self, color: Color, *, running: bool = False) -> float:
        """Return a player's time left; for a `running` clock, minus the time since the last charge."""
        left_s = self._clocks.of(color).left_s
        return left_s - (self._now_s() - self._begin_s) if running else left_s

    def restarted(self, seconds: float | None = None, increment_s: float | None = None) -> TableClocks:
        """Return the clocks as at the beginning of a game, with another time control if one is given."""
        settings = self.settings
        return TableClocks(
            settings.main_s if seconds is None else seconds,
            settings.period_s if increment_s is None else increment_s,
            self._now_s,
        )

    @property
    def settings(self) -> TimeSettings:
        """The time control."""
        return self._clocks.settings


TENTHS_S = 10.0
"""Seconds below which a clock shows tenths."""


class Left(Exception):
    """The person at the keyboard has left."""


class _FlagFell(Exception):
    """The time of the player to move is up."""


class GameTable:
    """The game in progress. `obey` executes a line that a person typed; see `othello_bot.play.commands`."""

    def __init__(
        self,
        game: Game,
        players: Seats,
        clocks: TableClocks | None,
        front: Front,
        *,
        obey: Callable[[GameTable, str], None],
        opening_name: Callable[[Game], str | None] = lambda game: None,
        record: GameRecord | None = None,
    ) -> None:
        self.game = game
        self.players = players
        self.clocks = clocks
        self.front = front
        self.log = GameLog()
        if record is not None:
            self.log.take(record)
        self._obey = obey
        self._opening_name = opening_name
        self._verdict = ""
        self._ending = EndedBy.RULES
        self._shown: Game | None = None
        self._turn_of: Position | None = None
        self._leaving = False
        self.saves_itself = False
        """Whether the game is written to a file at the end anyway, so that leaving loses nothing."""

    # -- the course of the game -------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play until the game ends or the person leaves."""
        self.front.say(f"seed {self.players.seed}")
        self.front.say(self._greeting())
        self._show_if_changed()
        try:
            while True:
                if self.game.is_over and not self._verdict:
                    self._end(f"the game is over: {standing(self.game.position)}")
                if not self._verdict:
                    self._turn()
                elif self.players.any_person:
                    self._one_line("over> ")
                else:
                    return
        except Left:
            self.front.say("goodbye")

    @property
    def is_over(self) -> bool:
        """Whether no side is to move: the game has ended, or was resigned or lost on time."""
        return bool(self._verdict) or self.game.is_over

    @property
    def verdict(self) -> str:
        """How the game ended, in words; empty while it goes on."""
        return self._verdict

    @property
    def ended_early(self) -> bool:
        """Whether the game was resigned or lost on time."""
        return bool(self._verdict) and self._ending is not EndedBy.RULES

    def _turn(self) -> None:
        """Let the player to move make one move, or a person type one line."""
        position = self.game.position
        color = position.color
        if position.must_pass:
            self.front.say(f"{color.name.lower()} has no legal move and passes")
            self.game.play(PASS)
            return
        if self._turn_of is not position:
            self._turn_of = position
            if self.clocks is not None:
                self.clocks.start()
            opponent = self.players.computer(color.opponent)
            if self.players.computer(color) is None and opponent is not None:
                opponent.think_ahead(position)
        if self.players.computer(color) is None:
            self._show_if_changed()
            self._one_line(f"{color.name.lower()}> ", color)
        else:
            self._computers_turn()

    def _computers_turn(self) -> None:
        computer = self.players.computer(self.game.position.color)
        assert computer is not None
        interrupted = False
        with self.thinking() as watch:

            def ends(result: SearchResult | None) -> bool:
                nonlocal interrupted
                interrupted = watch(result) or interrupted
                return interrupted or self._time_is_up()

            move = computer.choose(self.game, self.clock(), ends)
        self.made(move)
        if interrupted and not self.players.any_person and not self.is_over:
            self._one_line("paused> ")

    def thinking(self) -> AbstractContextManager[Watch]:
        """Show a computer's thinking within the block; yield a watch that tells whether to end it."""
        return self.front.thinking(self.clocks_now)

    def clock(self) -> ClockState | None:
        """Return the clock of the player to move, None without clocks."""
        return None if self.clocks is None else self.clocks.state(self.game.position.color)

    def made(self, move: int) -> None:
        """Play a legal move for the player to move, unless the time is up."""
        color = self.game.position.color
        if self.clocks is not None:
            if not self.clocks.stop(color):
                self._forfeit(color)
                return
            note = MoveNote(seconds=self.clocks.turn_s)
            self.log.chosen(self.game.ply, move, self.players.name(color), note)
        self.game.play(move)
        self.front.say(f"{color.name.lower()} ({self.players.name(color)}) plays {move_name(move)}")
        if self.game.is_over or not self.players.any_person:
            self._show_if_changed()

    def resign(self) -> None:
        """Let the player to move resign."""
        color = self.game.position.color
        self._end(resignation(color), EndedBy.RESIGNATION)

    def _forfeit(self, color: Color) -> None:
        winner = color.opponent.name.lower()
        self._end(f"{color.name.lower()} has no time left and forfeits: {winner} wins", EndedBy.TIME)

    def _end(self, verdict: str, ending: EndedBy = EndedBy.RULES) -> None:
        """End the game with a verdict to show and a reason for files."""
        self._verdict, self._ending = verdict, ending
        self.front.say(verdict)
        if self.players.any_person:
            self.front.say("review tells which moves lost discs, undo goes back, new begins again; help lists the rest")

    # -- lines ------------------------------------------------------------------------------------------------------

    def _one_line(self, prompt: str, color: Color | None = None) -> None:
        """Read a line and execute it; report errors. `color` is the side whose clock runs in the meantime."""
        clocks = self.clocks if color is not None else None
        if clocks is not None and color is not None:
            if not clocks.charge(color):
                self._forfeit(color)
                return
            if not self.front.ticks:
                prompt = f"{color.name.lower()} {clock_text(clocks.left_s(color))}> "
        try:
            line = self.front.read_line(prompt, None if clocks is None else self._tick)
        except EOFError:
            self.leave()
        except LineDropped as dropped:
            if self._leaving and not dropped.text:
                self.leave()
            self._leaving = True
            if not dropped.text:
                self.front.say("Ctrl-C once more, or quit, leaves")
        except _FlagFell:
            self._forfeit(self.game.position.color)
        else:
            self._leaving = False
            self._try(line.strip())

    def _try(self, line: str) -> None:
        try:
            self._obey(self, line)
        except InputError as error:
            self.front.say(str(error))
        except OSError as error:
            self.front.say(f"{error.filename or 'the file'}: {error.strerror or error}")
        except MemoryError as error:
            self.front.say(str(error) or "not enough memory")

    def leave(self) -> None:
        """Offer to save a game that would be lost, then leave."""
        if not self.saves_itself:
            self.offer_to_save()
        raise Left

    def offer_to_save(self) -> bool:
        """Ask the person, if there is one, whether to save a game that would be lost.

        Return False if the question was not answered.
        """
        if self.front.person is None or self.log.is_saved(self.game):
            return True
        from othello_bot.session import keeping  # imported here: most games do not need it

        saved = keeping.offer_to_save(self.record, self.front.person)
        if saved:
            self.log.mark_saved(self.game)
        return saved is not None

    # -- changes ----------------------------------------------------------------------------------------------------

    def replace(self, game: Game, record: GameRecord | None = None) -> None:
        """Continue with another game; `record` is the content of its file.

        The time used so far stays charged, but after a loss on time the clocks start again.
        """
        if self.clocks is not None:
            if self._ending is EndedBy.TIME:
                self.clocks = self.clocks.restarted()
                self.front.say("the clocks start again")
            elif not self.is_over:
                self.clocks.charge(self.game.position.color)
        if record is not None:
            self.log.take(record)
        if self.is_over:
            self._turn_of = None
        self.game = game
        self._verdict, self._ending = "", EndedBy.RULES
        if not self._is_for_a_person():
            self._show_if_changed()

    def new_game(self, start: Position | None = None) -> None:
        """Begin a new game with the same players, from a position if one is given; reset the clocks."""
        self.log.begin()
        if self.clocks is not None:
            self.clocks = self.clocks.restarted()
        self.game = Game(start)
        self._verdict, self._ending = "", EndedBy.RULES
        self._turn_of = None

    def set_clocks(self, clocks: TableClocks | None) -> None:
        """Use other clocks from now on, or none."""
        self.clocks = clocks
        self._turn_of = None

    @contextlib.contextmanager
    def changing_players(self) -> Iterator[None]:
        """Let players change within the block, without charging a clock; then show who plays.

        The turn of the player to move starts again.
        """
        clocks = self.clocks if self._turn_of is self.game.position else None
        if clocks is not None:
            clocks.charge(self.game.position.color)
        try:
            yield
        finally:
            if clocks is not None:
                clocks.resume()
        self.front.say(self._greeting())
        self._turn_of = self._shown = None

    def record(self) -> GameRecord:
        """Return the game with its players, date, clocks and the seed, for files."""
        settings = TimeSettings() if self.clocks is None else self.clocks.settings
        record = self.log.record(self.game, settings, comment=f"seed {self.players.seed}")
        black, white = (self.players.name(color) for color in Color)
        record = replace(record, black=black, white=white, result=None, ending=self._ending)
        return resigned_record(record, self._ending) if self._ending else record

    # -- what is shown ----------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the board."""
        self._shown = self.game.copy()
        position = self.game.position
        last_move, turned = what_the_last_move_did(self.game)
        opening = self._opening_name(self.game)
        shown = self.clocks_now()
        black, white = (Seat(self._title(color), shown.get(color, "")) for color in Color)
        headline = self._verdict or turn_text(position)
        facts = (("opening", opening),) if opening else ()
        self.front.show(Scene(position, last_move, turned, black, white, headline, facts))

    def _show_if_changed(self) -> None:
        if self.game != self._shown:
            self.show()

    def _greeting(self) -> str:
        """Show the players, and how to begin."""
        if not self.players.any_person:
            return f"{self._title(Color.BLACK)} (black) plays {self._title(Color.WHITE)} (white)"
        people = [color for color in Color if self.players.computer(color) is None]
        if len(people) == 2:
            who = "two people play"
        else:
            mine = people[0]
            who = f"you play {mine.name.lower()} against {self._title(mine.opponent)}"
        return f"{who}; type a move such as f5, or help"

    def _title(self, color: Color) -> str:
        return self.players.title(color, clocked=self.clocks is not None)

    def _is_for_a_person(self) -> bool:
        return self.players.computer(self.game.position.color) is None

    # -- clocks -----------------------------------------------------------------------------------------------------

    def clocks_now(self) -> dict[Color, str]:
        """Return the current text of both clocks; nothing without clocks."""
        clocks = self.clocks
        if clocks is None:
            return {}
        running = None if self.is_over or self._turn_of is not self.game.position else self.game.position.color
        return {color: clock_text(clocks.left_s(color, running=color is running)) for color in Color}

    def _time_is_up(self) -> bool:
        clocks = self.clocks
        return clocks is not None and clocks.left_s(self.game.position.color, running=True) <= 0

    def _tick(self) -> float:
        """Show the time, and return the seconds until it changes; raise _FlagFell if it is up."""
        assert self.clocks is not None
        left_s = self.clocks.left_s(self.game.position.color, running=True)
        if left_s <= 0:
            raise _FlagFell
        self.front.tick(self.clocks_now())
        return left_s % 0.1 if left_s < TENTHS_S else left_s % 1.0
