"""The engine's options, each declared once.

A field of `Options` is one option: its name, type, default, range and help. Validation, the `options` listing, the
help and the table in protocol/README.md are generated from these declarations. `Options` is immutable: setting an
option returns a new value, and a refused setting leaves the old value unchanged. An option that is not set is None in
Python; in text it has a word for that, such as `auto`.
"""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from othello_bot.base.errors import InputError, counted
from othello_bot.engine.limits import DEFAULT_LEVEL, MAXIMUM_DEPTH, MAXIMUM_LEVEL, SELECTIVITIES
from othello_bot.engine.searcher import TableTooLarge
from othello_bot.engine.strength import CHAMPION, LEAST_RATING, MOST_RATING, NAMES, nearest_to

Value = int | bool | str | None
"""What an option can hold; None where it is not set."""

ENGINE_STRATEGY = "engine"
"""The value of `strategy` for the engine itself, in contrast to the textbook players."""

LARGEST_DRAWN_SEED = 2**31 - 1
"""Limit of drawn seeds, so that they are short enough to type."""


class OptionError(InputError):
    """An invalid option name or value; the message says what would be accepted."""


class NotEnoughMemory(OptionError):
    """There is no memory for a table of that size, for that many threads, or to search at all; nothing has changed."""

    @classmethod
    def of_table(cls, hash_mib: int, kept_mib: int, error: MemoryError) -> NotEnoughMemory:
        """Return the refusal of a table of `hash_mib` in place of one of `kept_mib`."""
        most = f"1 to {error.most_mib} MiB" if isinstance(error, TableTooLarge) else "less"
        return cls("not enough memory for option hash", hash_mib, f"{most}; the table of {kept_mib} MiB stays")


@dataclass(frozen=True, slots=True)
class Option:
    """The declaration of one option."""

    name: str
    kind: str
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
    choices: Callable[[], tuple[str, ...]] | None = None
    check: Callable[[str], Value] | None = None
    """Parser of a choice: returns the value or raises `OptionError`. None: the value is one of the choices."""

    @property
    def expected(self) -> str:
        """Accepted values in words: `1 to 256`, `0 to 60, or auto`, `on or off`, `one of learned, handmade`."""
        if self.kind == "boolean":
            return "on or off"
        if self.choices is not None:
            return "one of " + ", ".join(self.named_values)
        if self.kind == "integer":
            values = f"{self.minimum} to {self.maximum}" + (f" {self.unit}" if self.unit else "") + self.further
        else:
            values = "one word" if self.kind == "word" else "one line of text"
        names = self.named_values or self.absent[:1]
        return f"{values}, or {', '.join(names)}" if names else values

    @property
    def named_values(self) -> tuple[str, ...]:
        """Values that have names, for completion: `on` and `off`, the choices, the names of some numbers, `auto`; none
        for a file.
        """
        if self.kind in ("boolean", "text"):
            return ("on", "off") if self.kind == "boolean" else ()
        names = self.choices() if self.choices is not None else tuple(name for name, _ in self.names)
        return (*self.absent[:1], *names)

    def parse(self, text: str) -> Value:
        """Return the value that `text` stands for; raise `OptionError` for an invalid text."""
        word = text.strip()
        if word.lower() in self.absent:
            return None
        if self.kind == "integer":
            digits = word[1:] if word[:1] in ("+", "-") else word
            if digits.isascii() and digits.isdigit() and len(digits) <= 19:
                number = int(word)
                if self.nearest is not None:
                    with contextlib.suppress(ValueError):
                        number = self.nearest(number)
                if self.minimum <= number <= self.maximum:
                    return number
                if str(number) in self.absent:
                    return None
            for name, value in self.names:
                if word.lower() == name:
                    return value
        elif self.kind == "boolean":
            if word.lower() in ("on", "true", "yes", "1"):
                return True
            if word.lower() in ("off", "false", "no", "0"):
                return False
        elif self.check is not None:
            return self.check(word)
        elif self.choices is not None:
            for choice in self.choices():
                if word.lower() == choice.lower():
                    return choice
        elif self.kind == "text" or len(word.split()) == 1:
            return word
        raise OptionError(f"option {self.name}", word, self.expected)

    def checked(self, value: object) -> Value:
        """Return a value given in Python, where a text is read as `parse` reads it. Raise `OptionError`."""
        if isinstance(value, (str, os.PathLike)):
            return self.parse(os.fspath(value))
        if value is None and self.absent:
            return None
        if isinstance(value, bool):
            if self.kind == "boolean":
                return value
        elif isinstance(value, int):
            if self.nearest is not None:
                return self.parse(str(value))
            in_range = self.kind == "integer" and self.minimum <= value <= self.maximum
            if in_range or (self.choices is not None and str(value) in self.choices()):
                return value
        raise OptionError(f"option {self.name}", value, self.expected)

    def format(self, value: Value) -> str:
        """Return a value as listings show it and as it is accepted: `on`, `off`, a number or its name, or the text."""
        if value is None:
            return self.absent[0]
        if isinstance(value, bool):
            return "on" if value else "off"
        return next((name for name, number in self.names if number == value), str(value))


_T = TypeVar("_T", bound=Value)

_AUTO = ("auto", "")
_NO_LIMIT = ("auto", "", "0")
_NO_FILE = ("none", "")


def _integer(
    default: _T,
    minimum: int,
    maximum: int,
    help: str,
    unit: str = "",
    names: tuple[tuple[str, int], ...] = (),
    absent: tuple[str, ...] = (),
    nearest: Callable[[int], int] | None = None,
    further: str = "",
) -> _T:
    metadata = {"kind": "integer", "help": help, "minimum": minimum, "maximum": maximum, "unit": unit}
    more = {"names": names, "absent": absent, "nearest": nearest, "further": further}
    return field(default=default, metadata={**metadata, **more})


def _boolean(default: bool, help: str) -> bool:
    return field(default=default, metadata={"kind": "boolean", "help": help})


def _choice(
    default: _T,
    choices: Callable[[], tuple[str, ...]],
    help: str,
    check: Callable[[str], Value] | None = None,
    absent: tuple[str, ...] = (),
) -> _T:
    metadata = {"kind": "choice", "help": help, "choices": choices, "check": check, "absent": absent}
    return field(default=default, metadata=metadata)


def _file(help: str) -> str | None:
    return field(default=None, metadata={"kind": "text", "help": help, "absent": _NO_FILE})


def _word(default: str, help: str) -> str:
    return field(default=default, metadata={"kind": "word", "help": help})


def _strategy_names() -> tuple[str, ...]:
    from othello_bot import strategies  # imported here: most sessions do not use the textbook players

    return (ENGINE_STRATEGY, *strategies.names())


def _checked_strategy(text: str) -> str:
    if text.lower() == ENGINE_STRATEGY:
        return ENGINE_STRATEGY
    from othello_bot import strategies

    try:
        strategies.make(text)
    except strategies.StrategyError:
        known = ", ".join(_strategy_names())
        raise OptionError("option strategy", text, f"one of {known}, or name:depth:setting+setting") from None
    return text


def _selectivities() -> tuple[str, ...]:
    return tuple(map(str, SELECTIVITIES))


def _checked_selectivity(text: str) -> int:
    if text not in _selectivities():
        raise OptionError("option selectivity", text, find_option("selectivity").expected)
    return int(text)


@dataclass(frozen=True, slots=True)
class Options:
    """The values of all options; the field declarations hold everything else about them.

    Raises `OptionError` for an invalid value. A text is read as `setoption` reads it: `Options(strength="beginner")`.
    """

    hash: int = _integer(64, 1, 1 << 20, "size of the transposition table", unit="MiB")
    threads: int = _integer(1, 1, 256, "search threads, at most one a core; one thread plays the same move every time")
    level: int | None = _integer(
        None,
        0,
        MAXIMUM_LEVEL,
        f"playing level; auto is {DEFAULT_LEVEL}, and none where a clock, depth, nodes or move time is set",
        absent=_AUTO,
    )
    depth: int | None = _integer(
        None, 1, MAXIMUM_DEPTH, "maximum search depth, auto for no limit", unit="plies", absent=_NO_LIMIT
    )
    move_time: int | None = _integer(
        None, 1, 86_400_000, "time per move, auto for no limit", unit="ms", absent=_NO_LIMIT
    )
    nodes: int | None = _integer(None, 1, 10**15, "nodes per move, auto for no limit", unit="nodes", absent=_NO_LIMIT)
    strength: int = _integer(
        CHAMPION,
        1,
        CHAMPION,
        "how strong the engine's own moves are; below champion, level, depth and nodes do not count",
        names=NAMES,
        nearest=nearest_to,
        further=f", a rating of {LEAST_RATING} to {MOST_RATING}",
    )
    ponder: bool = _boolean(False, "think ahead on the opponent's time while a clock is running")
    book: bool = _boolean(True, "play from the opening book")
    book_randomness: int = _integer(
        0, 0, 100, "variety of opening moves, in the book and just after; 0 always plays the best ones", unit="%"
    )
    book_loss: int = _integer(
        8, 0, 64, "most that an opening move may lose; less below a randomness of 100 %", unit="discs"
    )
    book_depth: int = _integer(60, 0, 60, "plies at the start of a game that are played from the book", unit="plies")
    book_avoid: bool = _boolean(True, "leave the book's line of a lost game at its last choice, not to lose it twice")
    book_file: str | None = _file(
        f"books to ask before the shipped one, with {os.pathsep!r} between them; the first that can be written learns",
    )
    move_overhead: int = _integer(
        100, 0, 10_000, "time reserved for delays outside the search, at most a tenth of the time of a move", unit="ms"
    )
    seed: int | None = _integer(
        None,
        0,
        2**63 - 1,
        "seed of every random choice; random draws a new seed, which is shown instead",
        absent=("random", *_AUTO),
    )
    log_file: str | None = _file("file to which all traffic is appended")
    selectivity: int | None = _choice(
        None,
        _selectivities,
        "confidence of selective pruning in percent; 100 for none, level for that of the level",
        _checked_selectivity,
        absent=("level", *_AUTO),
    )
    contempt: int = _integer(0, -199, 199, "value of a draw for Black in reported scores", unit="hundredths of a disc")
    evaluation: str = _choice("learned", lambda: ("learned", "handmade"), "evaluation function of the search")
    evaluation_file: str | None = _file(
        "weights file, with its ProbCut model beside it as NAME.probcut.json; none for the shipped one"
    )
    strategy: str = _choice(
        ENGINE_STRATEGY,
        _strategy_names,
        "player that chooses the moves: the engine, or a textbook player as name or name:depth:setting+setting",
        _checked_strategy,
    )
    strategy_depth: int = _integer(3, 1, 10, "search depth of the textbook players that search", unit="plies")
    live_graphics: bool = _boolean(True, "draw the search on GoGui's board while it runs")
    name: str = _word("othello-bot", "the engine's name as hosts see it, one word")

    def __post_init__(self) -> None:
        for option in OPTIONS:
            given = getattr(self, option.name)
            value = option.checked(given)
            if value is not given:
                object.__setattr__(self, option.name, value)

    def with_text(self, name: str, text: str) -> Options:
        """Return these options with one of them set from text; raise `OptionError` for an invalid name or value."""
        return self.with_value(name, text)

    def with_value(self, name: str, value: object) -> Options:
        """Return these options with one of them set; raise `OptionError` for an invalid name or value."""
        changes = {find_option(name).name: value}
        return replace(self, **changes)  # type: ignore[arg-type]  # checked when they are made

    def with_seed_drawn(self) -> Options:
        """Return these options with a drawn seed if the seed is random."""
        return replace(self, seed=drawn_seed()) if self.seed is None else self

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
        limited = clocked or any(limit is not None for limit in (self.depth, self.nodes, self.move_time))
        return DEFAULT_LEVEL if self.level is None and not limited else self.level

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

    def value(self, name: str) -> Value:
        """Return the value of the option called `name` (see `find_option`)."""
        value: Value = getattr(self, find_option(name).name)
        return value

    def text(self, name: str) -> str:
        """Return the value of the option called `name` as it is written."""
        option = find_option(name)
        return option.format(self.value(option.name))


def drawn_seed() -> int:
    """Return an unpredictable seed."""
    return random.SystemRandom().randrange(LARGEST_DRAWN_SEED + 1)


def _declared() -> tuple[Option, ...]:
    declared: Iterable[Any] = fields(Options)
    return tuple(Option(name=item.name, default=item.default, **item.metadata) for item in declared)


OPTIONS = _declared()
"""All declarations, in the order of listings."""


OTHER_NAMES = {"n_tasks": "threads", "book_usage": "book"}
"""Edax's names of the same options. Its hash-table-size is not one of them: it counts bits."""


def find_option(name: str) -> Option:
    """Return the declaration called `name`; ignore case, and accept `-` and spaces for `_`. Raise `OptionError`."""
    if not isinstance(name, str):
        raise OptionError("option name", name, "the name of an option as text")
    wanted = "_".join(name.lower().replace("-", " ").split())
    wanted = OTHER_NAMES.get(wanted, wanted)
    for option in OPTIONS:
        if option.name == wanted:
            return option
    known = ", ".join(option.name for option in OPTIONS)
    raise OptionError("option name", name, f"one of {known}")


def listing(options: Options) -> list[str]:
    """Return one line for each option: `hash = 64 (integer, default 64, 1 to 1048576 MiB): size of ...`."""
    lines = []
    for option in OPTIONS:
        about = f"{option.kind}, default {option.format(option.default)}, {option.expected}"
        lines.append(f"{option.name} = {options.text(option.name)} ({about}): {option.help}")
    return lines


def markdown_table() -> str:
    """Return the table of options as the documentation shows it."""
    rows = ["| option | type | default | accepted | meaning |", "|---|---|---|---|---|"]
    for option in OPTIONS:
        default = option.format(option.default)
        rows.append(f"| `{option.name}` | {option.kind} | {default} | {option.expected} | {option.help} |")
    return "\n".join(rows) + "\n"
