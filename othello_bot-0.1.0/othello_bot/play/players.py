"""Who plays at the terminal: a human, a textbook strategy or the engine, named by a short text.

human   engine   engine:12   engine:strength=novice   iago:3   mini-othello:4:end=12+win

Players can be exchanged during a game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from othello_bot import strategies
from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.engine import (
    CHAMPION,
    FOR_PEOPLE,
    Engine,
    OptionError,
    Options,
    find_option,
)
from othello_bot.play.adviser import Adviser

HUMAN: Final = "human"
ENGINE: Final = "engine"

STRENGTH: Final = "strength="
"""Prefix of a strength, which is a name or a number."""

ENGINE_OPTIONS: Final = Options(variety=FOR_PEOPLE)
"""Default options of the engine at the terminal."""


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

    def make(self, seed: int, options: Options = ENGINE_OPTIONS, *, advises: bool = False) -> Engine | None:
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
        engine = Engine(replace(its_own, seed=seed))
        _ = engine.player  # made now, while no clock runs
        return engine


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
        self._made: dict[Color, Engine | None] = {}
        self._adviser: Adviser | None = None
        self._analyst: Engine | None = None

    def __enter__(self) -> Seats:
        for color, spec in self._specs.items():
            self._made[color] = self._make(color, spec)
        return self

    def __exit__(self, *exception: object) -> None:
        adviser = None if self._adviser is None else self._adviser.engine
        for engine in (*self._made.values(), adviser, self._analyst):
            if engine is not None:
                engine.close()

    def computer(self, color: Color) -> Engine | None:
        """Return the player of a colour, None if it is a human."""
        return self._made[color]

    @property
    def people(self) -> frozenset[Color]:
        """The colours that humans play."""
        return frozenset(color for color, spec in self._specs.items() if spec.is_human)

    def name(self, color: Color) -> str:
        """Return a player's name in commands and files."""
        return self._specs[color].text

    def title(self, color: Color, clocked: bool) -> str:
        """Return a player's name beside the board; `clocked`: it plays under a clock."""
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

    def engine_options(self) -> Options:
        """Return the options of the engine that plays; raise InputError if none does."""
        players = ", ".join(spec.text for spec in self._specs.values())
        return _engine_options(self._specs[self._engines("players", players)[0]].text, self.options)

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
            prefix = STRENGTH if name == "strength" else ""
            specs = dict.fromkeys(colors, parse_player(f"{ENGINE}:{prefix}{options.text(name)}"))
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
    def adviser(self) -> Adviser:
        """The player who gives advice."""
        if self._adviser is None:
            engine = self._adviser_spec.make(self.seed, self.options, advises=True)
            assert engine is not None, "the command line takes no human as adviser"
            self._adviser = Adviser(engine)
        return self._adviser

    @property
    def analyst(self) -> Engine:
        """The adviser's engine, or the usual one if a textbook player advises."""
        if not self.adviser.is_textbook:
            return self.adviser.engine
        if self._analyst is None:
            self._analyst = Engine(replace(self.options, seed=self.seed))
        return self._analyst

    def _make(self, color: Color, spec: PlayerSpec) -> Engine | None:
        # Each has its own seed, so that two random players do not play the same moves.
        return spec.make((self.seed + int(color)) % SEEDS, self.options)
