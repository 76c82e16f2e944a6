"""The table of a terminal game: whose turn it is, both clocks, how the game ends, what is shown."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from time import monotonic

from othello_bot.base.clocks import Clocks, ClockState, TimeSettings
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.engine import SearchResult
from othello_bot.formats.record import GameRecord
from othello_bot.game import EndedBy, LiveGame, MoveNote
from othello_bot.play.front import Front
from othello_bot.play.players import Seats, Watch
from othello_bot.rules import Game, Position
from othello_bot.session import standing, verdict
from othello_bot.session.game_log import GameLog, notes_of
from othello_bot.terminal.keyboard import LineDropped
from othello_bot.terminal.picture import Scene, Seat, clock_text, turn_text, what_the_last_move_did

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
        time: TimeSettings,
        front: Front,
        *,
        obey: Callable[[GameTable, str], None],
        opening_name: Callable[[Game], str | None] = lambda game: None,
        record: GameRecord | None = None,
        now_s: Callable[[], float] = monotonic,
    ) -> None:
        self.live = LiveGame(game, Clocks.start(time), notes=notes_of(record))
        self.players = players
        self.front = front
        self.log = GameLog()
        if record is not None:
            self.log.take(record)
        self._obey = obey
        self._opening_name = opening_name
        self._now_s = now_s
        self.verdict = ""
        """How the game ended, in words; empty while it goes on."""
        self._shown: Game | None = None
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
                if self.game.is_over and not self.verdict:
                    self._end(f"the game is over: {standing(self.game.position)}")
                if not self.verdict:
                    self._turn()
                elif self.players.any_person:
                    self._one_line("over> ")
                else:
                    return
        except Left:
            self.front.say("goodbye")

    @property
    def game(self) -> Game:
        """The start and the moves."""
        return self.live.game

    def _turn(self) -> None:
        """Let the player to move make one move, or a person type one line."""
        position = self.game.position
        color = position.color
        if position.must_pass:
            self.front.say(f"{color.name.lower()} has no legal move and passes")
            self.live = self.live.play(PASS)
            return
        if self.live.since_s is None:
            self.live = self.live.started(self._now_s())
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
                return interrupted or self.live.flag_fell(self._now_s())

            move = computer.choose(self.game, self.clock(), ends)
        self.made(move)
        if interrupted and not self.players.any_person and not self.live.is_over:
            self._one_line("paused> ")

    @property
    def clocks(self) -> Clocks:
        """Both clocks as they are now."""
        return self.live.charged(self._now_s()).clocks

    def thinking(self) -> AbstractContextManager[Watch]:
        """Show a computer's thinking within the block; yield a watch that tells whether to end it."""
        return self.front.thinking(self.clocks_now)

    def clock(self) -> ClockState | None:
        """Return the clock of the player to move, None without clocks."""
        return self.clocks.state(self.live.color)

    def made(self, move: int) -> None:
        """Play a legal move for the player to move, unless the time is up."""
        color, now_s = self.live.color, self._now_s()
        if self._forfeits(now_s):
            return
        live = self.live.play(move, now_s)
        if live.is_clocked:
            live = live.noted(MoveNote(seconds=self.live.used_s(now_s)))
        self.live = live
        self.front.say(f"{color.name.lower()} ({self.players.name(color)}) plays {move_name(move)}")
        if self.game.is_over or not self.players.any_person:
            self._show_if_changed()

    def resign(self) -> None:
        """Let the player to move resign."""
        self.live = self.live.lost(EndedBy.RESIGNATION, now_s=self._now_s())
        self._end(verdict(self.game.position, self.live.ending))

    def _forfeits(self, now_s: float) -> bool:
        """Let the player to move lose if its time is up; return whether it is."""
        if not self.live.flag_fell(now_s):
            return False
        self.live = self.live.lost(EndedBy.TIME, now_s=now_s)
        self._end(verdict(self.game.position, self.live.ending))
        return True

    def _end(self, text: str) -> None:
        """Tell how the game ended."""
        self.verdict = text
        self.front.say(text)
        if self.players.any_person:
            self.front.say("review tells which moves lost discs, undo goes back, new begins again; help lists the rest")

    # -- lines ------------------------------------------------------------------------------------------------------

    def _one_line(self, prompt: str, color: Color | None = None) -> None:
        """Read a line and execute it; report errors. `color` is the side whose clock runs in the meantime."""
        now_s, clocked = self._now_s(), color is not None and self.live.is_clocked
        if color is not None and clocked:
            if self._forfeits(now_s):
                return
            if not self.front.ticks:
                prompt = f"{color.name.lower()} {clock_text(self.live.left_s(color, now_s))}> "
        try:
            line = self.front.read_line(prompt, self._tick if clocked else None)
        except EOFError:
            self.leave()
        except LineDropped as dropped:
            if self._leaving and not dropped.text:
                self.leave()
            self._leaving = True
            if not dropped.text:
                self.front.say("Ctrl-C once more, or quit, leaves")
        except _FlagFell:
            self._forfeits(self._now_s())
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
        """Offer the person to save a game that would be lost; return False if the question was not answered."""
        return self.log.offer_to_save(self.game, self.record, self.front.person)

    # -- changes ----------------------------------------------------------------------------------------------------

    def replace(self, live: LiveGame, record: GameRecord | None = None) -> None:
        """Continue with another game, or another position of this one; `record` is the content of its file.

        The time used so far stays charged, but after a loss on time the clocks start again.
        """
        if self.live.ending is not None and self.live.ending.by is EndedBy.TIME:
            clocks = self.live.clocks.restarted()
            self.front.say("the clocks start again")
        else:
            clocks = self.clocks
        if record is not None:
            self.log.take(record)
        self.live, self.verdict = replace(live, clocks=clocks, ending=None, since_s=None), ""
        if not self._is_for_a_person():
            self._show_if_changed()

    def new_game(self, start: Position | None = None) -> None:
        """Begin a new game with the same players, from a position if one is given; reset the clocks."""
        self.log.begin()
        self.live, self.verdict = LiveGame(Game(start), self.live.clocks.restarted()), ""

    def set_clocks(self, clocks: Clocks) -> None:
        """Continue with other clocks from now on."""
        self.live = replace(self.live, clocks=clocks, since_s=None)

    @contextlib.contextmanager
    def changing_players(self) -> Iterator[None]:
        """Let players change within the block, while no clock runs, and begin the turn again; then show who plays."""
        self.live = self.live.charged(self._now_s())
        yield
        self.front.say(self._greeting())
        self._shown = None

    def record(self) -> GameRecord:
        """Return the game with its players, date, clocks and the seed, for files."""
        record = self.log.record(self.live, comment=f"seed {self.players.seed}")
        black, white = (self.players.name(color) for color in Color)
        if self.live.ending is None:  # what a file told of its end is not repeated
            record = replace(record, result=None, ending=EndedBy.RULES)
        return replace(record, black=black, white=white)

    # -- what is shown ----------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the board."""
        self._shown = self.game.copy()
        position = self.game.position
        last_move, turned = what_the_last_move_did(self.game)
        opening = self._opening_name(self.game)
        shown = self.clocks_now()
        black, white = (Seat(self._title(color), shown.get(color, "")) for color in Color)
        headline = self.verdict or turn_text(position)
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
        return self.players.title(color, clocked=self.live.is_clocked)

    def _is_for_a_person(self) -> bool:
        return self.players.computer(self.game.position.color) is None

    # -- clocks -----------------------------------------------------------------------------------------------------

    def clocks_now(self) -> dict[Color, str]:
        """Return the current text of both clocks; nothing without clocks."""
        if not self.live.is_clocked:
            return {}
        now_s = self._now_s()
        return {color: clock_text(self.live.left_s(color, now_s)) for color in Color}

    def _tick(self) -> float:
        """Show the time, and return the seconds until it changes; raise _FlagFell if it is up."""
        now_s = self._now_s()
        if self.live.flag_fell(now_s):
            raise _FlagFell
        left_s = self.live.left_s(self.live.color, now_s)
        self.front.tick(self.clocks_now())
        return left_s % 0.1 if left_s < TENTHS_S else left_s % 1.0
