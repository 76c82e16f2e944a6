"""A session with seats: people and computers play, their clocks run, and the game's end is told."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from othello_bot.base.clocks import Clocks, ClockState, TimeSettings
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.book import Book, Library
from othello_bot.engine import find_option
from othello_bot.formats.record import GameRecord
from othello_bot.game import EndedBy, LiveGame, MoveNote
from othello_bot.play.players import Seats
from othello_bot.rules import Game, Position
from othello_bot.session import Session, standing, verdict
from othello_bot.session.keeping import loaded
from othello_bot.terminal.keyboard import Lines
from othello_bot.terminal.picture import Scene, Seat, clock_text, turn_text, what_the_last_move_did

if TYPE_CHECKING:
    from othello_bot.engine import Engine, Options, SearchResult, Steps, Value


class PlayingSession(Session):
    """The session of `othello-bot play`. Its engine is the adviser's, made when it is needed."""

    def __init__(
        self,
        game: Game,
        seats: Seats,
        time: TimeSettings,
        terminal: Lines,
        *,
        record: GameRecord | None = None,
        now_s: Callable[[], float] = monotonic,
    ) -> None:
        self.seats = seats
        self.terminal = terminal
        super().__init__(None)
        self._open_base(seats.options.base_file)
        self.live = LiveGame(game, Clocks.start(time), notes={} if record is None else record.notes)
        if record is not None:
            self.log.take(record)
        self.person = terminal.person
        self.now_s = now_s
        self.paused = False
        """Whether computers that nobody plays with wait for a line."""
        self.saves_itself = False
        """Whether the game is written to a file at the end anyway, so that leaving loses nothing."""
        self.has_left = False
        """Whether the person at the keyboard has left."""
        self._told = False
        self._shown: Game | None = None

    def begin(self) -> None:
        """Show the seed, the players and the board."""
        self.terminal.tell(f"seed {self.seats.seed}")
        self.terminal.tell(self._greeting())
        self.show_if_changed()

    @property
    def engine(self) -> Engine:
        """The engine of hints and analyses."""
        return self.seats.analyst

    @property
    def options(self) -> Options:
        """The options of the engine that plays; raises InputError if none does."""
        return self.seats.engine_options()

    def opening_name(self) -> str | None:
        """Return the name of the opening that the game has followed, from the shipped book: it needs no engine."""
        return _shipped_book().opening_name(self.game)

    # -- whose turn it is -------------------------------------------------------------------------------------------

    def turn(self) -> Engine | None:
        """Go on to the next choice: tell the game's end, play forced passes, start the clock.

        Return the computer that is to move; None if it is a person, or the game has ended, or is paused.
        """
        if self.live.flag_fell(self.now_s()):
            self._forfeit()
        while not self.live.is_over and self.position.must_pass:
            self.terminal.tell(f"{self.live.color.name.lower()} has no legal move and passes")
            self.live = self.live.play(PASS)
        if self.live.is_over:
            self.tell_end()
            return None
        if self.paused:
            return None
        computer = self.seats.computer(self.live.color)
        if self.live.since_s is None:
            self.live = self.live.started(self.now_s())
            opponent = self.seats.computer(self.live.color.opponent)
            if computer is None and opponent is not None:
                opponent.ponder(self.position)
        return computer

    @property
    def goes_on(self) -> bool:
        """Whether something can still happen: the game goes on, or a person may say what comes next."""
        return not self.live.is_over or bool(self.seats.people)

    @property
    def clocks_a_person(self) -> bool:
        """Whether the clock of a person runs."""
        return not self.live.is_over and not self.paused and self.live.is_clocked

    def prompt(self) -> str:
        """Return the prompt for a line: who is to move, with the time where no clock ticks beside the board."""
        if self.live.is_over:
            return "over> "
        if self.paused:
            return "paused> "
        color = self.live.color
        clock = "" if self._ticks else self.clocks_now().get(color, "")
        return f"{color.name.lower()} {clock}".rstrip() + "> "

    @property
    def _ticks(self) -> bool:
        """Whether the clocks tick beside the board, so that prompts need not show the time."""
        return self.terminal.screen is not None and self.terminal.look.rewrites

    def clock(self) -> ClockState | None:
        """Return the clock of the player to move, None without clocks."""
        return self.clocks.state(self.live.color)

    # -- moves ------------------------------------------------------------------------------------------------------

    def made(self, move: int) -> None:
        """Play a legal move for the player to move, unless the time is up."""
        color, now_s = self.live.color, self.now_s()
        if self.live.flag_fell(now_s):
            return
        live = self.live.play(move, now_s)
        if self.live.is_clocked:
            live = live.noted(MoveNote(seconds=self.live.used_s(now_s)))
        self.live = live
        self.terminal.tell(f"{color.name.lower()} ({self.seats.name(color)}) plays {move_name(move)}")
        if self.game.is_over or not self.seats.people:
            self.show_if_changed()

    def play(self, color: Color | None, moves: Sequence[int]) -> None:
        """Play a move of the player to move, or all moves of a pasted opening, which cost no time, or none."""
        self.live.require_going_on("a move")
        live = self.live.take_moves((color if number == 0 else None, move) for number, move in enumerate(moves))
        if len(moves) == 1:
            self.made(moves[0])
        else:
            self._replace(live)

    def resign(self) -> None:
        """Let the player to move resign."""
        self.live.require_going_on("resign")
        self.live = self.live.lost(EndedBy.RESIGNATION, now_s=self.now_s())

    def undo(self, count: int = 1) -> None:
        """Take back so many moves of people, with the answers and passes after them; an early end counts as one."""
        self._replace(self.live.undo(count, self.seats.people))

    def redo(self, count: int = 1) -> None:
        """Replay so many moves of people, with the answers and passes after them."""
        self._replace(self.live.redo(count, self.seats.people))

    def new_game(self, start: Position | None = None) -> None:
        """Begin a game with the same players from `start`, and reset the clocks, unless the old one is to be kept."""
        if not self.offer_to_save():
            self.terminal.tell("the game goes on")
            return
        self.log.begin()
        self.live, self._told = LiveGame(Game(start), self.live.clocks.restarted()), False

    def take_game(self, game: Game, record: GameRecord | None = None) -> None:
        """Go on with another game, unless the old one is to be kept; `record` is what its file says."""
        if not self.offer_to_save():
            self.terminal.tell("the game goes on")
            return
        if record is None:
            self.log.begin()
        else:
            self.terminal.tell(loaded(record.game))
            self.log.take(record)
        self._replace(LiveGame(game.copy(), notes={} if record is None else record.notes))

    def _replace(self, live: LiveGame) -> None:
        """Go on with another game, or another position of this one.

        The time used so far stays charged, but after a loss on time the clocks start again.
        """
        if self.live.ending is not None and self.live.ending.by is EndedBy.TIME:
            clocks = self.live.clocks.restarted()
            self.terminal.tell("the clocks start again")
        else:
            clocks = self.clocks
        self.live, self._told = replace(live, clocks=clocks, ending=None, since_s=None), False
        if self.seats.computer(self.live.color) is not None:
            self.show_if_changed()

    # -- the end ----------------------------------------------------------------------------------------------------

    def _forfeit(self) -> None:
        """Let the player to move lose on time."""
        self.live = self.live.lost(EndedBy.TIME, now_s=self.now_s())

    def tell_end(self) -> None:
        """Tell how the game ended, once."""
        if self._told:
            return
        self._told = True
        self.terminal.tell(self._headline())
        if self.seats.people:
            self.terminal.tell(
                "review tells which moves lost discs, undo goes back, new begins again; help lists the rest"
            )

    def _headline(self) -> str:
        """Return how the game ended, in words."""
        if self.live.ending is None:
            return f"the game is over: {standing(self.position)}"
        return verdict(self.position, self.live.ending)

    def leave(self) -> None:
        """Offer to save a game that would be lost, then leave."""
        if not self.saves_itself:
            super().leave()
        self.has_left = True

    def record(self) -> GameRecord:
        """Return the game with its players, date, clocks and the seed, for files."""
        record = self.log.record(self.live, comment=f"seed {self.seats.seed}")
        if self.live.ending is None:  # what a file told of its end is not repeated
            record = replace(record, result=None, ending=EndedBy.RULES)
        return replace(record, black=self.seats.name(Color.BLACK), white=self.seats.name(Color.WHITE))

    # -- players, clocks and options --------------------------------------------------------------------------------

    @contextlib.contextmanager
    def changing_players(self) -> Iterator[None]:
        """Let players change within the block, while no clock runs, and begin the turn again; then show who plays."""
        self.live = self.live.charged(self.now_s())
        yield
        self.terminal.tell(self._greeting())
        self._shown = None

    @property
    def clocks(self) -> Clocks:
        """Both clocks as they are now; setting them shows the board."""
        return self.live.charged(self.now_s()).clocks

    @clocks.setter
    def clocks(self, clocks: Clocks) -> None:
        self.live = replace(self.live, clocks=clocks, since_s=None)
        self.show()

    def clocks_text(self) -> str:
        """Return both clocks as they stand beside the board, `none` for a player without one."""
        shown = self.clocks_now()
        return ", ".join(f"{color.name.lower()} {shown.get(color, 'none')}" for color in Color) if shown else "no clock"

    def set_option(self, name: str, value: Value) -> None:
        """Set an option of the engine on the sides that it plays; a level is one of full strength. Raise InputError."""
        option = find_option(name)
        if option.name == "base_file":
            path = option.read(value)
            self._open_base(None if path is None else str(path))
        with self.changing_players():
            self.seats.set_option(name, str(value))

    def set_strength(self, name: str, text: str) -> None:
        """Set the level or strength of the engine on the sides that it plays."""
        self.set_option(name, text)

    def use_without(self, names: tuple[str, ...], *, clocks: bool = False) -> None:
        """Do nothing: the command line takes no option that has no effect here."""

    def best_moves(self, count: int) -> Steps[SearchResult]:
        """Return steps that end in the `count` best moves, as the adviser sees them."""
        result = yield from self.seats.adviser.advice(self.game, count)
        self.last_result = result
        return result

    # -- what is shown ----------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the board."""
        self._shown = self.game.copy()
        position = self.position
        last_move, turned = what_the_last_move_did(self.game)
        opening = self.opening_name()
        shown = self.clocks_now()
        black, white = (Seat(self._title(color), shown.get(color, "")) for color in Color)
        headline = self._headline() if self._told else turn_text(position)
        facts = (("opening", opening),) if opening else ()
        self.terminal.show(Scene(position, last_move, turned, black, white, headline, facts))

    def show_if_changed(self) -> None:
        """Show the board if it is another than the last one shown."""
        if self.game != self._shown:
            self.show()

    def clocks_now(self) -> dict[Color, str]:
        """Return the current text of each player's clock; nothing for a player without one."""
        now_s = self.now_s()
        left_s = {color: self.live.left_s(color, now_s) for color in Color}
        return {color: clock_text(left) for color, left in left_s.items() if left is not None}

    def _greeting(self) -> str:
        """Return who plays, and how to begin."""
        if not self.seats.people:
            return f"{self._title(Color.BLACK)} (black) plays {self._title(Color.WHITE)} (white)"
        if len(self.seats.people) == 2:
            who = "two people play"
        else:
            (mine,) = self.seats.people
            who = f"you play {mine.name.lower()} against {self._title(mine.opponent)}"
        return f"{who}; type a move such as f5, or help"

    def _title(self, color: Color) -> str:
        return self.seats.title(color, self.live.clocks.of(color).running)


@functools.cache
def _shipped_book() -> Book:
    return Library().book
