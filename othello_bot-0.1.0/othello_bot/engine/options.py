"""The engine's options, each declared once.

A field of `Options` is one option: its name, type, default, range and help. Validation, the `options` listing, the
help and the table in protocol/README.md are generated from these declarations. `Options` is immutable: setting an
option returns a new value, and a refused setting leaves the old value unchanged. An option that is not set is None in
Python; in text it has a word for that, such as `auto`.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field, fields, make_dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from othello_bot.base.errors import InputError, counted, did_you_mean
from othello_bot.base.notation import NotationError, integer_of, parse_boolean, parse_duration, parse_integer
from othello_bot.engine.levels import DEFAULT_LEVEL, level_of
from othello_bot.engine.limits import MAXIMUM_DEPTH, MAXIMUM_LEVEL, SELECTIVITIES, Limits
from othello_bot.engine.strength import CHAMPION, HIGHEST_PERSON, LEAST_RATING, MOST_RATING, NAMES, nearest_to
from othello_bot.engine.variety import VARIETIES
from othello_bot.kernel import tuned_constants

if TYPE_CHECKING:

    class NamedNumber:
        """The type of an option that is given as a number or by name, and read as a number."""

        def __get__(self, options: object, owner: Any = None) -> int: ...
        def __set__(self, options: object, value: int | str) -> None: ...


Value = int | bool | str | None
"""What an option can hold; None where it is not set."""

ENGINE_STRATEGY = "engine"
"""The value of `strategy` for the engine itself, in contrast to the textbook players."""


RESET_WORDS = ("auto", "none")
"""Words that reset any option."""


class OptionError(InputError):
    """An invalid option name or value; the message says what would be accepted."""


class OptionKind(Enum):
    """What an option holds; the values are the words of listings."""

    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXT = "text"
    WORD = "word"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Option:
    """The declaration of one option; the classes below are the kinds of options."""

    name: str
    default: Value
    help: str
    minimum: int = 0
    maximum: int = 0
    unit: str = ""
    names: tuple[tuple[str, int], ...] = ()
    """Names that an integer option accepts for some values."""
    absent: tuple[str, ...] = ()
    """Words for "not set", the first as listings show it; none if the option always has a value."""
    nearest: Callable[[int], int] | None = None
    """Turns a further number that an integer option accepts into its value; raises ValueError for any other."""
    further: str = ""
    """Those numbers in words, after a comma."""
    choices: Callable[[], tuple[int | str, ...]] = tuple
    """The values of a choice."""

    kind: ClassVar[OptionKind]
    values_in_words: ClassVar[str] = ""

    @property
    def expected(self) -> str:
        """Accepted values in words: `1 to 256`, `0 to 60, or auto`, `on or off`, `one of learned, handmade`."""
        names = self.named_values or self.absent[:1]
        return f"{self.values_in_words}, or {', '.join(names)}" if names else self.values_in_words

    @property
    def named_values(self) -> tuple[str, ...]:
        """Values that have names, for completion: `on`, `off`, choices, names of numbers, `auto`; none for a file."""
        return ()

    def read(self, given: object) -> Value:
        """Return the value that a text stands for, the default for `RESET_WORDS`, or a value given in Python.

        Raise `OptionError`.
        """
        if isinstance(given, os.PathLike):
            given = os.fspath(given)
        if given is None and self.absent:
            return None
        try:
            if not isinstance(given, str):
                return self._checked(given)
            given = given.strip()
            word = given.lower()
            return self.default if word in RESET_WORDS or word in self.absent else self._parsed(given)
        except OptionError:
            raise
        except ValueError:
            raise OptionError(f"option {self.name}", given, self.expected) from None

    def _parsed(self, word: str) -> Value:
        """Return the value of a word that does not mean "not set". Raise ValueError for an invalid one."""
        return word or self._checked(word)

    def _checked(self, given: object) -> Value:
        """Check and return a value that is not a text. Raise ValueError for an invalid one."""
        raise ValueError(given)

    def format(self, value: Value) -> str:
        """Return a value as listings show it and as it is accepted: `on`, `off`, a number or its name, or the text."""
        if value is None:
            return self.absent[0]
        if isinstance(value, bool):
            return "on" if value else "off"
        return next((name for name, number in self.names if number == value), str(value))


class _Integer(Option):
    __slots__ = ()
    kind = OptionKind.INTEGER

    @property
    def values_in_words(self) -> str:  # type: ignore[override]  # a class of values here, one text elsewhere
        return f"{self.minimum} to {self.maximum}" + (f" {self.unit}" if self.unit else "") + self.further

    @property
    def named_values(self) -> tuple[str, ...]:
        return (*self.absent[:1], *(name for name, _ in self.names))

    def _parsed(self, word: str) -> Value:
        named = dict(self.names).get(word.lower())
        if named is not None:
            return named
        number = _milliseconds(word) if self.unit == "ms" else parse_integer(word)
        return None if str(number) in self.absent else self._checked(number)

    def _checked(self, given: object) -> Value:
        number = integer_of(given)
        if number is not None and self.nearest is not None:
            with contextlib.suppress(ValueError):
                number = self.nearest(number)
        if integer_of(number, self.minimum, self.maximum) is not None:
            return number
        raise ValueError(given)


def _milliseconds(word: str) -> int:
    """Return the milliseconds of an integer, or of a time like 1.5s. Raise NotationError."""
    with contextlib.suppress(NotationError):
        seconds = parse_duration(word, None)
        return round(1000 * seconds) or math.ceil(seconds)
    return parse_integer(word)


class _Boolean(Option):
    __slots__ = ()
    kind = OptionKind.BOOLEAN
    expected = "on or off"
    named_values = ("on", "off")

    def _parsed(self, word: str) -> Value:
        return parse_boolean(word)

    def _checked(self, given: object) -> Value:
        if isinstance(given, bool):
            return given
        raise ValueError(given)


class _File(Option):
    __slots__ = ()
    kind = OptionKind.TEXT
    values_in_words = "one line of text"


class _Word(Option):
    __slots__ = ()
    kind = OptionKind.WORD
    expected = "one word"

    def _parsed(self, word: str) -> Value:
        if len(word.split()) == 1:
            return word
        raise ValueError(word)


class _Choice(Option):
    __slots__ = ()
    kind = OptionKind.CHOICE

    @property
    def expected(self) -> str:
        return "one of " + ", ".join(self.named_values)

    @property
    def named_values(self) -> tuple[str, ...]:
        return (*self.absent[:1], *map(str, self.choices()))

    def _parsed(self, word: str) -> Value:
        for choice in self.choices():
            if str(choice).lower() == word.lower():
                return choice
        raise ValueError(word)

    def _checked(self, given: object) -> Value:
        if (number := integer_of(given)) in self.choices():
            return number
        raise ValueError(given)


class _Strategy(_Choice):
    __slots__ = ()

    def _parsed(self, word: str) -> Value:
        if word.lower() == ENGINE_STRATEGY:
            return ENGINE_STRATEGY
        from othello_bot import strategies  # imported here: most sessions do not use the textbook players

        try:
            strategies.make(word)
        except strategies.StrategyError:
            expected = f"{self.expected}, or name:depth:setting+setting"
            raise OptionError(f"option {self.name}", word, expected) from None
        return word


_T = TypeVar("_T", bound=Value)

_AUTO = ("auto",)
_NO_LIMIT = ("auto", "0")
_NO_FILE = ("none",)


def _option(kind: type[Option], default: _T, help: str, **details: Any) -> _T:
    """Declare an option of a kind; `details` are further attributes of `Option`."""
    return field(default=default, metadata={"kind": kind, "details": {"help": help, **details}})


def _integer(default: _T, minimum: int, maximum: int, help: str, **details: Any) -> _T:
    return _option(_Integer, default, help, minimum=minimum, maximum=maximum, **details)


def _optional(minimum: int, maximum: int, help: str, unit: str) -> int | None:
    return _integer(None, minimum, maximum, help, unit=unit, absent=_AUTO)


def _strategy_names() -> tuple[str, ...]:
    from othello_bot import strategies  # imported here: most sessions do not use the textbook players

    return (ENGINE_STRATEGY, *strategies.names())


@dataclass(frozen=True, slots=True)
class Options:
    """The values of all options; the field declarations hold everything else about them.

    Raises `OptionError` for an invalid value. A text is read as `setoption` reads it: `Options(strength="beginner")`.
    """

    hash: int = _integer(64, 1, 1 << 20, "size of the transposition table", unit="MiB")
    threads: int = _integer(1, 1, 256, "search threads, at most one a core; with one, a seed and a level repeat a game")
    level: int | None = _integer(
        None,
        0,
        MAXIMUM_LEVEL,
        f"playing level; auto is {DEFAULT_LEVEL}, or no limit if a clock, depth, nodes or move time is set",
        absent=_AUTO,
    )
    depth: int | None = _integer(
        None, 1, MAXIMUM_DEPTH, "maximum search depth, auto for no limit", unit="plies", absent=_NO_LIMIT
    )
    move_time: int | None = _integer(
        None, 1, 86_400_000, "time per move, auto for no limit", unit="ms", absent=_NO_LIMIT
    )
    nodes: int | None = _integer(None, 1, 10**15, "nodes per move, auto for no limit", unit="nodes", absent=_NO_LIMIT)
    strength: NamedNumber = _integer(  # type: ignore[assignment]  # noqa: RUF009 - declares a field, as the others do
        CHAMPION,
        1,
        CHAMPION,
        "how strong the engine's own moves are; below champion, level, depth and nodes have no effect",
        names=NAMES,
        nearest=nearest_to,
        further=f", a rating of {LEAST_RATING} to {MOST_RATING} (people end at {HIGHEST_PERSON})",
    )
    ponder: bool = _option(_Boolean, False, "think ahead on the opponent's time while a clock is running")
    book: bool = _option(_Boolean, True, "play from the opening book")
    variety: str = _option(
        _Choice,
        "off",
        "variety of the first moves; keeps a lead; a move and a game lose at most 1 and 2 discs (little), 2 and 4 (much)",
        choices=lambda: tuple(VARIETIES),
    )
    book_randomness: int | None = _optional(
        0, 100, "variety in percent, for any number of moves; 0 plays only best moves, auto as variety says", "%"
    )
    book_loss: int | None = _optional(
        0, 64, "most that one of these moves may lose, at 100 %; auto as variety says, 8 for percent", "discs"
    )
    book_depth: int = _integer(60, 0, 60, "plies at the start of a game that are played from the book", unit="plies")
    book_avoid: bool = _option(_Boolean, True, "after a loss, avoid the last book move played")
    book_file: str | None = _option(
        _File,
        None,
        f"books to ask before the shipped one, separated by {os.pathsep!r}; the first writable one learns",
        absent=_NO_FILE,
    )
    move_overhead: int = _integer(
        100, 0, 10_000, "time reserved for delays outside the search, at most a tenth of a move's time", unit="ms"
    )
    seed: int | None = _integer(
        None,
        0,
        2**63 - 1,
        "seed of every random choice; random draws a new seed and shows that",
        absent=("random", *_AUTO),
    )
    base_file: str | None = _option(_File, None, "base of games that `explore` asks", absent=_NO_FILE)
    log_file: str | None = _option(_File, None, "file to which all traffic is appended", absent=_NO_FILE)
    selectivity: int | None = _option(
        _Choice,
        None,
        "confidence of selective pruning in percent; 100 for no pruning, level for that of the level",
        choices=lambda: SELECTIVITIES,
        absent=("level", *_AUTO),
    )
    contempt: int = _integer(0, -199, 199, "value of a draw for Black in reported scores", unit="hundredths of a disc")
    evaluation: str = _option(
        _Choice, "learned", "evaluation function of the search", choices=lambda: ("learned", "handmade")
    )
    evaluation_file: str | None = _option(
        _File,
        None,
        "weights file, with its ProbCut model beside it as NAME.probcut.json; none for the shipped one",
        absent=_NO_FILE,
    )
    strategy: str = _option(
        _Strategy,
        ENGINE_STRATEGY,
        "player that chooses the moves: the engine, or a textbook player as name or name:depth:setting+setting",
        choices=_strategy_names,
    )
    strategy_depth: int = _integer(3, 1, 10, "search depth of the textbook players that search", unit="plies")
    live_graphics: bool = _option(_Boolean, True, "draw the search on GoGui's board while it runs")
    name: str = _option(_Word, "othello-bot", "the engine's name as hosts see it, one word")

    def __post_init__(self) -> None:
        for option in OPTIONS:
            object.__setattr__(self, option.name, option.read(getattr(self, option.name)))

    def with_value(self, name: str, value: object) -> Options:
        """Return these options with one set, from text or a value of its type. Raise `OptionError`."""
        return replace(self, **{find_option(name).name: value})  # type: ignore[arg-type]  # checked when they are made

    @staticmethod
    def with_seed_drawn(options: Options | None) -> Options:
        """Return options (None: the defaults) with a seed drawn if it is random. Raise `OptionError` for another type."""
        if not isinstance(options, Options | None):
            raise OptionError("options", options, "an Options value, or None for the defaults")
        return options if options and options.seed is not None else replace(options or Options(), seed=drawn_seed())

    @property
    def move_overhead_s(self) -> float:
        """`move_overhead` in seconds."""
        return self.move_overhead / 1000

    @property
    def move_time_s(self) -> float | None:
        """`move_time` in seconds; None for no limit."""
        return None if self.move_time is None else self.move_time / 1000

    def level_that_applies(self, clocked: bool) -> int | None:
        """Return the level of a search under these options; DEFAULT_LEVEL if nothing else limits it.

        `clocked`: a clock runs.
        """
        limits = Limits(level=self.level, depth=self.depth, nodes=self.nodes)
        return level_of(limits, timed=clocked or self.move_time is not None)

    def limits_text(self, clocked: bool) -> str:
        """Return what limits the search for a move, in words: `level 10`, `depth 5, 0.5 s a move`, `strength novice`.

        `clocked`: a clock runs; it is named if nothing else limits the search.
        """
        if self.strength != CHAMPION:
            return f"strength {self.text('strength')}"
        level = self.level_that_applies(clocked)
        limits = [
            None if level is None else f"level {level}",
            None if self.depth is None else f"depth {self.depth}",
            None if self.nodes is None else counted(self.nodes, "node"),
            None if self.move_time_s is None else f"{self.move_time_s:g} s a move",
        ]
        return ", ".join(filter(None, limits)) or "by the clock"

    def told(self, name: str, clocked: bool) -> str:
        """Return the value of the option called `name` for people: with what limits the search, where that is not it."""
        text, limits = self.text(name), self.limits_text(clocked)
        return text if name != "level" or limits == f"level {text}" else f"{text} ({limits})"

    def value(self, name: str) -> Value:
        """Return the value of the option called `name` (see `find_option`)."""
        value: Value = getattr(self, find_option(name).name)
        return value

    def text(self, name: str) -> str:
        """Return the value of the option called `name` as it is written."""
        option = find_option(name)
        return option.format(self.value(option.name))


if tuned_constants():  # a build for tuning
    _tuned = [(f"tune_{name}", int, _integer(100, a, b, about, unit="%")) for name, a, b, about in tuned_constants()]
    _more: dict[str, Any] = {"bases": (Options,), "namespace": {"__module__": __name__}, "slots": True}
    Options = make_dataclass("Options", _tuned, frozen=True, **_more)  # type: ignore[assignment, misc]


def drawn_seed() -> int:
    """Return an unpredictable seed, short enough to type."""
    return random.SystemRandom().randrange(2**31)


OPTIONS: tuple[Option, ...] = tuple(
    item.metadata["kind"](item.name, item.default, **item.metadata["details"]) for item in fields(Options)
)
"""All declarations, in the order of listings."""

OTHER_NAMES = {"n_tasks": "threads", "book_usage": "book"}
"""Edax's names of the same options. Its hash-table-size is not one of them: it counts bits."""


def find_option(name: str) -> Option:
    """Return the declaration called `name`; ignore case, and accept `-` and spaces for `_`. Raise `OptionError`."""
    if not isinstance(name, str):
        raise OptionError("option name", name, "the name of an option as text")
    wanted = "_".join(name.lower().replace("-", " ").split())
    wanted = OTHER_NAMES.get(wanted, wanted)
    known = {option.name: option for option in OPTIONS}
    if wanted in known:
        return known[wanted]
    raise OptionError("option name", name, f"one of {', '.join(known)}{did_you_mean(wanted, known)}")


def listing(options: Options) -> list[str]:
    """Return one line for each option: `hash = 64 (integer, default 64, 1 to 1048576 MiB): size of ...`."""
    return list(described(options).values())


def described(options: Options) -> dict[str, str]:
    """Return the lines of listing() by the names of the options."""
    lines = {}
    for option in OPTIONS:
        about = f"{option.kind.value}, default {option.format(option.default)}, {option.expected}"
        lines[option.name] = f"{option.name} = {options.text(option.name)} ({about}): {option.help}"
    return lines


def markdown_table() -> str:
    """Return the table of options as the documentation shows it."""
    rows = ["| option | type | default | accepted | meaning |", "|---|---|---|---|---|"]
    for option in OPTIONS:
        default = option.format(option.default)
        rows.append(f"| `{option.name}` | {option.kind.value} | {default} | {option.expected} | {option.help} |")
    return "\n".join(rows) + "\n"
