"""Who plays at the terminal: a human, a textbook strategy or the engine, named by a short text; and who advises.

human   engine   engine:12   engine:strength=novice   iago:3   mini-othello:4:end=12+win

Players can be exchanged during a game.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from othello_bot import strategies
from othello_bot.base.clocks import ClockState
from othello_bot.base.errors import InputError, counted
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.engine import (
    CHAMPION,
    FOR_PEOPLE,
    Engine,
    EnginePlayer,
    OptionError,
    Options,
    PersonPlayer,
    SearchRequest,
    SearchResult,
    TextbookPlayer,
    allocate,
    carried_out,
    find_option,
)
from othello_bot.rules import Game, Position, position_of
from othello_bot.session import Session
from othello_bot.strategies.board import engine_square, from_position
from othello_bot.strategies.marappan import Marappan

HUMAN: Final = "human"
ENGINE: Final = "engine"

STRENGTH: Final = "strength="
"""Prefix of a strength, which is a name or a number."""

ENGINE_OPTIONS: Final = Options(variety=FOR_PEOPLE)
"""Default options of the engine at the terminal."""

LOOK_S: Final = 0.02
"""Seconds between two checks whether a search of the engine should end."""

Watch = Callable[["SearchResult | None"], bool]
"""Called often while a player thinks, with its current result; returns whether it should end."""

SUGGESTED_LINES: Final = 3
"""Usual number of moves in the engine's advice."""


def unwatched(result: SearchResult | None) -> bool:
    """Watch nothing and never end a search."""
    return False


def watched(engine: Engine, request: SearchRequest, watch: Watch) -> SearchResult:
    """Search, and pass each result to `watch`, which may end it. Stop the search on an interruption."""
    latest: SearchResult | None = None

    def improved(result: SearchResult) -> None:
        nonlocal latest
        latest = result

    engine.begin(replace(request, on_report=improved))
    try:
        while True:
            try:
                return engine.wait(LOOK_S)
            except TimeoutError:
                if watch(latest):
                    engine.stop()
    except BaseException:
        engine.stop()
        raise


def _within(clock: ClockState | None, position: Position, overhead_s: float, watch: Watch) -> Watch:
    """Return a watch that also ends a search once it has used the most time that the clock allows for a move."""
    ends_s = time.monotonic() + allocate(clock, position.empties, overhead_s).maximum_s
    return lambda result: watch(result) or time.monotonic() >= ends_s


@dataclass(frozen=True)
class PlayerSpec:
    """A player given by a text; `text` is already checked."""

    text: str

    @property
    def is_human(self) -> bool:
        """Whether it is a person at the keyboard."""
        return self.text == HUMAN

    @property
    def is_engine(self) -> bool:
        """Whether it is the engine, at any level."""
        return self.text.split(":")[0] == ENGINE

    def title(self, options: Options, clocked: bool) -> str:
        """Return the player in words, `engine, level 10` or `iago`; `options` are those that `make` takes.

        `clocked`: it plays under a clock.
        """
        if not self.is_engine:
            return self.text
        return f"{ENGINE}, {_engine_options(self.text, options).limits_text(clocked)}"

    def make(self, seed: int, options: Options = ENGINE_OPTIONS, *, advises: bool = False) -> SeatedEngine | None:
        """Return the player, None for a human; an engine with `options`, at its own level or strength if any.

        One that `advises` has no variety.
        """
        if self.is_human:
            return None
        if self.is_engine:
            its_own = _engine_options(self.text, options)
        else:
            its_own = Options(strategy=self.text, hash=1, move_overhead=options.move_overhead)
        if advises:
            its_own = replace(its_own, variety="off", book_randomness=None)
        return SeatedEngine(Engine(replace(its_own, seed=seed)), advises=advises)


def parse_player(text: str) -> PlayerSpec:
    """Return the player that a text names; raise InputError for an invalid text."""
    text = text.strip()
    name = text.split(":")[0]
    if name == ENGINE:
        _engine_options(text, ENGINE_OPTIONS)
    elif text != HUMAN:
        if name not in strategies.names():
            raise InputError("player", text, f"human, {_ENGINES}, or one of {', '.join(strategies.names())}")
        strategies.make(text)
    return PlayerSpec(text)


_ENGINES: Final = "engine, engine:LEVEL, engine:strength=STRENGTH"


def _engine_options(text: str, options: Options) -> Options:
    """Return the options of "engine", "engine:LEVEL" or "engine:strength=STRENGTH"; raise InputError for a bad one.

    An engine with a level plays at full strength.
    """
    _, colon, setting = text.partition(":")
    if not colon:
        return options
    name, value = ("strength" if setting.startswith(STRENGTH) else "level"), setting.removeprefix(STRENGTH)
    try:
        if value:
            return replace(options, strength=CHAMPION).with_value(name, value)
    except OptionError:
        pass  # the message below has the whole text
    raise InputError("player", text, f"{_ENGINES}, with a {name} of {find_option(name).expected}")


class SeatedEngine:
    """An engine at the table: its searches, which the table watches and may end, and its advice.

    Its `Player`, the engine itself, a person of some strength or a textbook player, chooses the moves; advice of the
    engine has full strength. An engine that `advises` plays the first move of its advice.
    """

    def __init__(self, engine: Engine, *, advises: bool = False) -> None:
        self._engine = engine
        self._player = engine.player  # made now, while no clock runs
        self._advises = advises
        self._advice: SearchResult | None = None

    @property
    def engine(self) -> Engine:
        """The engine that searches."""
        return self._engine

    @property
    def is_textbook(self) -> bool:
        """Whether a textbook player chooses the moves."""
        return isinstance(self._player, TextbookPlayer)

    def choose(self, place: Position | Game, clock: ClockState | None, watch: Watch = unwatched) -> int:
        """Return the move to play where the game is not over, possibly PASS; if it is ended, the best so far."""
        position = position_of(place)
        if self._advises and isinstance(self._player, EnginePlayer) and position.legal_moves:
            ends = _within(clock, position, self._engine.options.move_overhead_s, watch)
            return self.advice(place, 1, ends).move
        steps = self._engine.choosing(place, self._engine.default_limits(clock))
        return carried_out(steps, lambda request: watched(self._engine, request, watch), time.monotonic()).move

    def suggest(self, position: Position, watch: Watch = unwatched, count: int | None = None) -> list[str]:
        """Return lines of a textbook player's advice, the best move first: the points of Marappan and Hingorani's
        strategy, or another strategy's move. At most `count`, or all.
        """
        if not position.legal_moves:
            return [move_name(PASS)]
        if not (isinstance(self._player, TextbookPlayer) and isinstance(self._player.strategy, Marappan)):
            return [move_name(self.choose(position, None, watch))]
        found = self._player.strategy.suggestions(*from_position(position))
        return [
            f"{move_name(engine_square(square))}  {counted(points, 'point', signed=True)}"
            for points, square in found[:count]
        ]

    def advice(self, place: Position | Game, count: int, watch: Watch = unwatched) -> SearchResult:
        """Return the `count` best moves of the engine at full strength; repeated for the position of the last advice.

        A person begins with the move that he would play.
        """
        position, result = position_of(place), self._advice
        if result is None or result.position != position or len(result.lines) < min(count, len(position.legal_moves)):
            self._engine.clear()
            limits = replace(self._engine.default_limits(), multi_pv=max(count, SUGGESTED_LINES))
            result = watched(self._engine, SearchRequest(position, limits), watch)
            if isinstance(self._player, PersonPlayer):
                own = self.choose(place, None, watch)
                alone = replace(limits, considered=frozenset((own,)))
                first = [line for line in result.lines if line.move == own]
                first = first or list(watched(self._engine, SearchRequest(position, alone), watch).lines)
                result = replace(result, lines=(*first, *(line for line in result.lines if line.move != own)))
            self._advice = None if result.stopped else result
        return replace(result, lines=result.lines[:count])

    def think_ahead(self, position: Position) -> None:
        """Start to prepare an answer while the opponent is to move in `position`; return at once.

        Some strategies do. The engine does nothing: at the terminal it answers quickly enough.
        """
        self._engine.ponder(position)

    def close(self) -> None:
        """End everything that runs, and the engine."""
        self._engine.close()


SEEDS: Final = 2**63
"""Number of seeds: 0 up to this."""


class Seats:
    """The two players and the adviser, who is created on first use. A context manager, which closes them all."""

    def __init__(
        self,
        black: PlayerSpec,
        white: PlayerSpec,
        adviser: PlayerSpec,
        seed: int,
        options: Options = ENGINE_OPTIONS,
    ) -> None:
        """Seat the players. `seed`: that of all random choices of the three. `options`: those of each that is the
        engine.
        """
        self.options = options
        self._specs = {Color.BLACK: black, Color.WHITE: white}
        self._adviser_spec = adviser
        self.seed = seed
        self._made: dict[Color, SeatedEngine | None] = {}
        self._adviser: SeatedEngine | None = None
        self._analyst: SeatedEngine | None = None
        self._session: Session | None = None

    def __enter__(self) -> Seats:
        for color, spec in self._specs.items():
            self._made[color] = self._make(color, spec)
        return self

    def __exit__(self, *exception: object) -> None:
        for player in (*self._made.values(), self._adviser, self._analyst):
            if player is not None:
                player.close()

    def computer(self, color: Color) -> SeatedEngine | None:
        """Return the player of a colour, None if it is a human."""
        return self._made[color]

    @property
    def people(self) -> frozenset[Color]:
        """The colours that humans play."""
        return frozenset(color for color, spec in self._specs.items() if spec.is_human)

    @property
    def any_person(self) -> bool:
        """Whether a person plays."""
        return bool(self.people)

    def name(self, color: Color) -> str:
        """Return a player's name in commands and files."""
        return self._specs[color].text

    def title(self, color: Color, clocked: bool) -> str:
        """Return a player's name beside the board; `clocked`: the game has clocks."""
        spec = self._specs[color]
        if not spec.is_human:
            return spec.title(self.options, clocked)
        return HUMAN if self._specs[color.opponent].is_human else "you"

    def seat(self, color: Color, spec: PlayerSpec) -> None:
        """Replace the player of a colour; raise the errors of creating it, and then nothing has changed."""
        made = self._make(color, spec)
        former, self._made[color] = self._made[color], made
        self._specs[color] = spec
        if former is not None:
            former.close()

    def switch(self) -> None:
        """Exchange the colours of the two players."""
        black, white = Color.BLACK, Color.WHITE
        self._specs = {black: self._specs[white], white: self._specs[black]}
        self._made = {black: self._made[white], white: self._made[black]}

    def engine_options(self, what: str, text: str = "") -> Options:
        """Return the options of the engine that plays; raise InputError, about `what`, if none does."""
        return _engine_options(self._specs[self._engines(what, text)[0]].text, self.options)

    def set_option(self, name: str, text: str) -> None:
        """Set an option of the engine on all sides that it plays; a level is one of full strength.

        Raise InputError if no engine plays or for a bad value.
        """
        colors = self._engines(name, text)
        former = self.options
        try:
            options = former.with_value(name, text)
        except InputError:
            raise InputError(name, text, find_option(name).expected) from None
        specs = {color: self._specs[color] for color in colors}
        if name in ("level", "strength"):
            self.options = replace(former, level=None)
            specs = dict.fromkeys(colors, parse_player(f"{ENGINE}:{STRENGTH if name == 'strength' else ''}{text}"))
        else:
            self.options = options
        try:
            for color, spec in specs.items():
                self.seat(color, spec)
        except BaseException:
            self.options = former
            raise

    def _engines(self, what: str, text: str) -> list[Color]:
        colors = [color for color, spec in self._specs.items() if spec.is_engine]
        if not colors:
            raise InputError(what, text, "an engine in the game: white engine, or black engine, adds one")
        return colors

    def set_side(self, text: str) -> None:
        """Let the person play black, white, both sides or none; raise InputError for another word."""
        sides = {"black": (Color.BLACK,), "white": (Color.WHITE,), "both": tuple(Color), "none": ()}
        mine = sides.get(text.lower())
        if mine is None:
            raise InputError("side", text, "black, white, both or none")
        others = [spec for spec in self._specs.values() if not spec.is_human] or [PlayerSpec(ENGINE)]
        for color in Color:
            if color in mine:
                self.seat(color, PlayerSpec(HUMAN))
            elif self._specs[color].is_human:
                self.seat(color, others[-1])

    @property
    def adviser(self) -> SeatedEngine:
        """The player who gives advice."""
        if self._adviser is None:
            self._adviser = self._adviser_spec.make(self.seed, self.options, advises=True)
        assert self._adviser is not None, "the command line takes no human as adviser"
        return self._adviser

    @property
    def session(self) -> Session:
        """A session with the adviser's engine, or the usual one if a textbook player advises, for its commands."""
        if self._session is None:
            analyst = self.adviser
            if analyst.is_textbook:
                analyst = self._analyst = SeatedEngine(Engine(replace(self.options, seed=self.seed)))
            self._session = Session(analyst.engine)
        return self._session

    def _make(self, color: Color, spec: PlayerSpec) -> SeatedEngine | None:
        # Each has its own seed, so that two random players do not play the same moves.
        return spec.make((self.seed + int(color)) % SEEDS, self.options)
