"""Session: everything that one controller drives: a game, an engine, the clocks and the options.

The dialects are thin adapters around it: they turn lines into calls and results into replies. Every method either
succeeds or raises and leaves the session unchanged.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from othello_bot.base.clocks import Clocks, ClockState
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, Color
from othello_bot.base.output import report
from othello_bot.base.outputs import check_outputs
from othello_bot.engine import (
    CHAMPION,
    ENGINE_STRATEGY,
    MAXIMUM_DEPTH,
    Choice,
    Engine,
    Limits,
    OptionError,
    Options,
    SearchRequest,
    Steps,
    Value,
    files_of,
    find_option,
    limits_requested,
)
from othello_bot.game import EndedBy, LiveGame, MoveNote
from othello_bot.rules import Game, Position
from othello_bot.session.game_log import OPPONENT, PERSON, GameLog
from othello_bot.session.jobs import Job
from othello_bot.session.output import TrafficLog
from othello_bot.session.reports import verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from othello_bot.engine import SearchResult
    from othello_bot.explorer import GameBase
    from othello_bot.formats.record import GameRecord
    from othello_bot.session.keeping import User


@dataclass(frozen=True, slots=True)
class _PonderRequest:
    position: Position
    expected: int | None


class Session:
    """A game with its engine and clocks; see the module's docstring.

    Raises `OptionError` if the log that the engine's options name cannot be written.
    """

    def __init__(self, engine: Engine | None) -> None:
        """Take the engine; None for a kind of session that makes one when it is needed, and keeps no log."""
        self._engine = engine
        self.live = LiveGame()
        """The game with its clocks and its end."""
        self.last_result: SearchResult | None = None
        """The result of the last search; None before the first."""
        self.traffic = TrafficLog()
        self.draw_board: Callable[[Session], str] = _plain_board
        """How `showboard` draws; a terminal has more styles than a pipe."""
        self.draws_live = False
        """Whether the host is GoGui, which draws the results of a running search."""
        self.person: User | None = None
        """The user who can be asked; None in a pipe."""
        self.log = GameLog()
        """Information about the game besides its moves."""
        self._ponder_request: _PonderRequest | None = None
        self._without_effect: tuple[str, ...] = ()
        self._pondered: Position | None = None
        self._base: GameBase | None = None
        if engine is not None:
            self._open_log(engine.options.log_file)
            self._open_base(engine.options.base_file)

    @property
    def engine(self) -> Engine:
        """The engine that searches."""
        assert self._engine is not None
        return self._engine

    # -- the game ---------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The start and the moves."""
        return self.live.game

    @property
    def position(self) -> Position:
        """The current position."""
        return self.live.position

    @property
    def options(self) -> Options:
        """The options of the engine that plays."""
        return self.engine.options

    @property
    def clocks(self) -> Clocks:
        """Both clocks."""
        return self.live.clocks

    @clocks.setter
    def clocks(self, clocks: Clocks) -> None:
        self.live = replace(self.live, clocks=clocks)

    def clocks_text(self) -> str:
        """Return both clocks in seconds, `none` for one without a limit: `black 300.000 white none`."""
        states = ((color, self.clocks.state(color)) for color in Color)
        return " ".join(
            f"{color.name.lower()} {'none' if state is None else f'{state.remaining_s:.3f}'}" for color, state in states
        )

    @property
    def resigned(self) -> bool:
        """Whether the side to move has resigned; going back or playing another game ends that."""
        return self.live.ending is not None

    @property
    def verdict(self) -> str:
        """How the game ended, in words: `black resigns: white wins`; empty while it goes on."""
        return verdict(self.position, self.live.ending)

    def resign(self) -> None:
        """Let the side to move resign; raise `AfterTheGame` if the game has ended."""
        self.live.require_going_on("resign")
        self._go_on(self.live.lost(EndedBy.RESIGNATION))

    def new_game(self, start: Position | None = None) -> None:
        """Begin a game from `start`; reset the clocks and discard everything learned in the old game."""
        self.stop_thinking_ahead()
        self.engine.note_game(self.game)
        self.engine.clear()
        self.live = LiveGame(Game(start), self.clocks.restarted())
        self.log.begin()
        self.last_result = None

    def take_game(self, game: Game, record: GameRecord | None = None) -> None:
        """Continue with another game, from a host or from the `record` of a file. The engine keeps what it has learned."""
        if not self._is_pondered(game):
            self.stop_thinking_ahead()
        self.engine.note_game(self.game)
        self.live = LiveGame(game, self.clocks, notes={} if record is None else record.notes)
        if record is None:
            self.log.begin()
        else:
            self.log.take(record)

    def play(self, color: Color | None, moves: Sequence[int]) -> None:
        """Play all of `moves` or none, the first one for `color` (None: the side to move).

        Insert passes that hosts omit; accept passes that they repeat, and those after the end of the game, without
        effect. Raise `IllegalMove` and `WrongColor`, and `AfterTheGame` after a resignation.
        """
        live = self.live.take_moves((color if number == 0 else None, move) for number, move in enumerate(moves))
        if live.game.moves != self.game.moves and not self._is_pondered(live.game):
            self.stop_thinking_ahead()
        self.live = live

    def play_colored(self, moves: Sequence[tuple[Color, int]]) -> None:
        """Play moves with their colours, all or none, as `play` does."""
        self._go_on(self.live.take_moves(moves))

    def undo(self, count: int = 1) -> None:
        """Take back `count` moves; a pass that the host never sent is taken back with the move after it.

        A resignation counts as a move.
        """
        self._go_on(self.live.undo(count))

    def redo(self, count: int = 1) -> None:
        """Replay `count` moves that were taken back."""
        self._go_on(self.live.redo(count))

    def record(self) -> GameRecord:
        """Return the game with its players, date, clocks and the seed in use, for files."""
        person = OPPONENT if self.person is None else PERSON
        return self.log.record(self.live, person, f"seed {self.engine.seed}")

    def leave(self) -> None:
        """Offer to save a game that would be lost."""
        self.offer_to_save()

    def offer_to_save(self) -> bool:
        """Ask the person, if there is one, whether to save a game that would be lost; return False without an answer."""
        return self.log.offer_to_save(self.game, self.record, self.person)

    def opening_name(self) -> str | None:
        """Return the name of the opening that the game has followed, None if it has none."""
        return self.engine.book.opening_name(self.game)

    # -- the engine's move ------------------------------------------------------------------------------------------

    def chosen(
        self, position: Position, limits: Limits, on_report: Callable[[SearchResult], None] | None = None
    ) -> Steps[Choice]:
        """Return steps that end in the engine's choice; the result of its search is kept for `stats`.

        If the position is that of the game, the moves before it count as well: people look at the last one.
        """
        place = self.game if position == self.position else position
        choice = yield from self.engine.player.choose(place, limits, on_report)
        if choice.result is not None:
            self.last_result = choice.result
        return choice

    def move_limits(self, color: Color) -> Limits:
        """Return the limits for a move of `color` under its clock and the options."""
        return self.engine.default_limits(self.clocks.state(color))

    def best_moves(self, count: int) -> Steps[SearchResult]:
        """Return steps that end in a search of the position for its `count` best moves, limited by the options."""
        count = min(count, self.position.legal_bits.bit_count())
        result = yield SearchRequest(self.position, replace(self.engine.default_limits(), multi_pv=count))
        self.last_result = result
        return result

    def requested_limits(self, empties: int, depth: int | None, alpha: float, beta: float, precision: int) -> Limits:
        """Return the limits of a search that a controller requests in its own numbers (see `limits_requested`).

        Of the options, level, depth, nodes and move time limit it, too; the first limit reached ends it.
        """
        limits, options = limits_requested(empties, depth, alpha, beta, precision), self.engine.options
        deepest = limits.depth if options.depth is None else min(limits.depth or MAXIMUM_DEPTH, options.depth)
        return replace(limits, level=options.level, depth=deepest, nodes=options.nodes, move_time_s=options.move_time_s)

    def finish_move(self, job: Job[Any], color: Color, choice: Choice) -> None:
        """Play the move chosen for `color`, charge its time to the clock of `color`, and plan to think ahead."""
        live = self.live.take_moves([(color, choice.move)])
        used_s = time.monotonic() - job.asked_at_s
        live = live.noted(MoveNote(choice.score, used_s, player=self._player_name()))
        self.live = replace(live, clocks=live.clocks.spent(color, used_s))
        if not job.interrupted and choice.move != PASS:
            self._ponder_request = _PonderRequest(self.position, choice.expected)

    def prepare(self) -> None:
        """Load what the next move needs."""
        self.engine.prepare(self.position.empties)

    def when_idle(self) -> None:
        """Think ahead, if that is on, once every request is answered."""
        request, self._ponder_request = self._ponder_request, None
        if request is None or request.position != self.position or not self.engine.options.ponder:
            return
        opponent = request.position.color
        clock, theirs = self.clocks.state(opponent.opponent), self.clocks.state(opponent)
        if clock is not None and theirs is not None:
            self.think_ahead(request.position, request.expected, clock, theirs)

    def think_ahead(
        self, position: Position, expected: int | None, ours: ClockState, theirs: ClockState, level: int | None = None
    ) -> None:
        """Think ahead, if that is on, while the opponent is to move in `position`; see `Engine.ponder`.

        It goes on while the game has this position, or one after a reply to it, and as long as the opponent's clock.
        """
        if self.engine.options.ponder:
            self._pondered = position
            self.engine.ponder(position, expected, ours, longest_s=theirs.remaining_s, level=level)

    def stop_thinking_ahead(self) -> None:
        """Stop thinking ahead until the next chosen move."""
        self._ponder_request = self._pondered = None
        self.engine.stop_pondering()

    # -- options ----------------------------------------------------------------------------------------------------

    def set_option(self, name: str, value: Value) -> None:
        """Set one option, from text or a value; raise `OptionError` and change nothing if that is impossible."""
        option = find_option(name)
        value = option.read(value)
        if option.name == "log_file" and value != self.engine.options.log_file:
            self._open_log(None if value is None else str(value))
        if option.name == "base_file" and value != self.engine.options.base_file:
            self._open_base(None if value is None else str(value))
        self.engine.set_option(option.name, value)
        self._tell_without_effect((option.name,))

    def set_strength(self, name: str, text: str) -> None:
        """Set the option level or strength from a text; each resets the other, because a level is one of full strength.

        Raise `OptionError` as `set_option` does.
        """
        value = find_option(name).read(text)
        if name == "strength":
            self.set_option("level", None)
        elif value is not None:
            self.set_option("strength", CHAMPION)
        self.set_option(name, value)

    def set_or_tell(self, name: str, value: str) -> str:
        """Set one option and return an empty text; without a value, return the present one and change nothing.

        Raise `OptionError` as `set_option` does.
        """
        if not value.strip():
            return self.options.text(name)
        self.set_option(name, value)
        return ""

    def use_without(self, names: tuple[str, ...], *, clocks: bool = False) -> None:
        """Note the options that have no effect in the session's dialect, and report to stderr those that are set.

        `clocks`: nor have the session's clocks, because the dialect has its own or none.
        """
        if clocks and any(self.clocks.of(color).running for color in Color):
            report("without effect in this protocol: --game-time")
        self._without_effect = names
        self._tell_without_effect(names)

    def _tell_without_effect(self, names: tuple[str, ...]) -> None:
        options, defaults = self.engine.options, Options()
        idle = [name for name in names if name in self._without_effect and options.value(name) != defaults.value(name)]
        if idle:
            report(f"without effect in this protocol: {', '.join(idle)}")

    @property
    def base(self) -> GameBase:
        """The base of games; raise OptionError without one."""
        if self._base is None:
            raise OptionError("option base_file", "none", "the name of a base: setoption base_file FILE")
        return self._base

    def _open_base(self, path: str | None) -> None:
        """Open another base of games, or none; raise OptionError and keep the present one if that is impossible."""
        opened = None
        if path is not None:
            from othello_bot.explorer import GameBase  # imported here: a session without a base never needs it

            try:
                opened = GameBase(path)
            except InputError as error:
                raise OptionError("option base_file", error.value, error.expected) from None
        if self._base is not None:
            self._base.close()
        self._base = opened

    def _open_log(self, path: str | None) -> None:
        try:
            if path is not None:
                others = files_of(self.engine.options.with_value("log_file", None))
                check_outputs({"option log_file": Path(path)}, file_in_use=others)
            self.traffic.open(path)
        except InputError as error:
            raise OptionError("option log_file", path, error.expected) from None
        except OSError as error:
            raise OptionError("option log_file", path, f"a writable file ({error.strerror})") from None

    # -- inside -----------------------------------------------------------------------------------------------------

    def _go_on(self, live: LiveGame) -> None:
        self.stop_thinking_ahead()
        self.live = live

    def _player_name(self) -> str:
        """Return the name, for files, of the player that chooses the moves here."""
        options = self.engine.options
        return options.name if options.strategy == ENGINE_STRATEGY else options.strategy

    def _is_pondered(self, game: Game) -> bool:
        """Return whether a game has reached the position from which the engine thinks ahead, or one after a reply."""
        return self._pondered in (game.position, game.position_at(max(0, game.ply - 1)))


def _plain_board(session: Session) -> str:
    opening = session.opening_name()
    resigned = f"\n{session.verdict}" if session.resigned else ""
    return str(session.position) + resigned + (f"\nopening: {opening}" if opening else "")
