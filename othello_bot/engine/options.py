"""The engine's options, each declared once.

A field of `Options` is one option: its name, type, default, range and help. Validation, the `options` listing, the
help and the table in protocol/README.md are generated from these declarations. `Options` is immutable: setting an
option returns a new value, and a refused setting leaves the old value unchanged.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable

from othello_bot.engine.levels import DEFAULT_LEVEL
from othello_bot.engine.limits import MAXIMUM_DEPTH, MAXIMUM_LEVEL, SELECTIVITIES
from othello_bot.engine.strength import CHAMPION, NAMES
from othello_bot.errors import InputError
from protocol.dataclass import dataclass, field, fields, replace

Value = int | bool | str
"""What an option can hold."""

ENGINE_STRATEGY = "engine"
"""The value of `strategy` for the engine itself, in contrast to the textbook players."""

RANDOM_SEED = -1
"""The value of `seed` for a new random one; an engine replaces it with the one that it drew."""

LARGEST_DRAWN_SEED = 2**31 - 1
"""Limit of drawn seeds, so that they are short enough to type."""


class OptionError(InputError):
    """An invalid option name or value; the message says what would be accepted."""


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
    """Names that an integer option accepts for some values, even outside its range."""
    choices: Callable[[], tuple[str, ...]] | None = None
    check: Callable[[str], str] | None = None
    """Parser of a choice that accepts more than the names: returns the value or raises `OptionError`."""

    @property
    def expected(self) -> str:
        """Accepted values in words: `1 to 256`, `on or off`, `one of learned, handmade`, `any text`."""
        if self.kind == "integer":
            numbers = f"{self.minimum} to {self.maximum}" + (f" {self.unit}" if self.unit else "")
            return ", or ".join([numbers, *([", ".join(name for name, _ in self.names)] if self.names else [])])
        if self.kind == "boolean":
            return "on or off"
        if self.choices is not None:
            return "one of " + ", ".join(self.choices())
        return "one word" if self.kind == "word" else "one line of text, or nothing"

    @property
    def named_values(self) -> tuple[str, ...]:
        """Values that have names, for completion: `on` and `off`, the choices, or the names of some numbers."""
        if self.kind == "boolean":
            return ("on", "off")
        return self.choices() if self.choices is not None else tuple(name for name, _ in self.names)

    def parse(self, text: str) -> Value:
        """Return the value that `text` stands for; raise `OptionError` for an invalid text."""
        word = text.strip()
        if self.kind == "integer":
            digits = word[1:] if word[:1] in ("+", "-") else word
            if digits.isascii() and digits.isdigit() and len(digits) <= 18:
                number = int(word)
                if self.minimum <= number <= self.maximum:
                    return number
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


    def format(self, value: Value) -> str:
        """Return a value as listings show it and as it is accepted: `on`, `off`, a number or its name, or the text."""
        if isinstance(value, bool):
            return "on" if value else "off"
        return next((name for name, number in self.names if number == value), str(value))


def _integer(
    default: int, minimum: int, maximum: int, help: str, unit: str = "", names: tuple[tuple[str, int], ...] = ()
) -> int:
    metadata = {"kind": "integer", "help": help, "minimum": minimum, "maximum": maximum, "unit": unit, "names": names}
    return field(default=default, metadata=metadata)


def _boolean(default: bool, help: str) -> bool:
    return field(default=default, metadata={"kind": "boolean", "help": help})


def _choice(
    default: str, choices: Callable[[], tuple[str, ...]], help: str, check: Callable[[str], str] | None = None
) -> str:
    return field(default=default, metadata={"kind": "choice", "help": help, "choices": choices, "check": check})


def _text(default: str, help: str) -> str:
    return field(default=default, metadata={"kind": "text", "help": help})


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


@dataclass(frozen=True, slots=True)
class Options:
    """The values of all options; the field declarations hold everything else about them."""

    hash: int = _integer(64, 1, 1 << 20, "size of the transposition table", unit="MiB")
    threads: int = _integer(1, 1, 256, "search threads, at most one a core; one thread plays the same move every time")
    level: int = _integer(
        DEFAULT_LEVEL, 0, MAXIMUM_LEVEL, "playing level if no clock, depth, nodes or move time is set"
    )
    depth: int = _integer(0, 0, MAXIMUM_DEPTH, "maximum search depth, 0 for no limit", unit="plies")
    move_time: int = _integer(0, 0, 86_400_000, "time per move, 0 for no limit", unit="ms")
    nodes: int = _integer(0, 0, 10**15, "nodes per move, 0 for no limit", unit="nodes")
    strength: int = _integer(
        CHAMPION,
        1,
        CHAMPION,
        "how strong the engine's own moves are; below champion, level, depth and nodes do not count",
        names=NAMES,
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
    book_file: str = _text(
        "",
        f"books to ask before the shipped one, with {os.pathsep!r} between them; the first that can be written learns",
    )
    move_overhead: int = _integer(
        100, 0, 10_000, "time reserved for delays outside the search, at most a tenth of the time of a move", unit="ms"
    )
    seed: int = _integer(
        RANDOM_SEED,
        0,
        2**63 - 1,
        "seed of every random choice; random draws a new seed, which is shown instead",
        names=(("random", RANDOM_SEED),),
    )
    log_file: str = _text("", "file to which all traffic is appended; empty for none")
    selectivity: str = _choice(
        "level",
        lambda: ("level", *map(str, SELECTIVITIES)),
        "confidence of selective pruning in percent; 100 for none, level for that of the level",
    )
    contempt: int = _integer(
        0, -199, 199, "value of a draw for Black in reported scores", unit="hundredths of a disc"
    )
    evaluation: str = _choice("learned", lambda: ("learned", "handmade"), "evaluation function of the search")
    evaluation_file: str = _text(
        "",
        "weights file, with its ProbCut model beside it as NAME.probcut.json; empty for the shipped one",
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

    def with_text(self, name: str, text: str) -> Options:
        """Return these options with one of them set from text; raise `OptionError` for an invalid name or value."""
        option = find_option(name)
        changes: dict[str, Value] = {option.name: option.parse(text)}
        return replace(self, **changes)  # type: ignore[arg-type]  # parse() gives the type of that very field

    def with_seed_drawn(self) -> Options:
        """Return these options with a drawn seed if the seed is random."""
        return replace(self, seed=drawn_seed()) if self.seed == RANDOM_SEED else self

    def check(self) -> None:
        """Raise `OptionError` for a value that could not have been set from text."""
        for option in OPTIONS:
            option.parse(self.text(option.name))

    @property
    def move_overhead_s(self) -> float:
        """`move_overhead` in seconds."""
        return self.move_overhead / 1000

    @property
    def move_time_s(self) -> float | None:
        """`move_time` in seconds; None for no limit."""
        return self.move_time / 1000 if self.move_time else None

    @property
    def limits_text(self) -> str:
        """What limits the search for a move, in words: `level 10`, `depth 5, 0.5 s a move`, `strength novice`."""
        if self.strength != CHAMPION:
            return f"strength {self.text('strength')}"
        limits = []
        if self.depth:
            limits.append(f"depth {self.depth}")
        if self.nodes:
            limits.append(f"{self.nodes} nodes")
        if self.move_time_s:
            limits.append(f"{self.move_time_s:g} s a move")
        if not limits or self.level != DEFAULT_LEVEL:
            limits.insert(0, f"level {self.level}")
        return ", ".join(limits)

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
    return tuple(
        Option(name=item.name, default=getattr(Options(), item.name), **item.metadata) for item in fields(Options)
    )


OPTIONS = _declared()
"""All declarations, in the order of listings."""


OTHER_NAMES = {"n_tasks": "threads", "book_usage": "book"}
"""Edax's names of the same options. Its hash-table-size is not one of them: it counts bits."""


def find_option(name: str) -> Option:
    """Return the declaration called `name`; ignore case, and accept `-` and spaces for `_`. Raise `OptionError`."""
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
        about = f"{option.kind}, default {option.format(option.default) or 'empty'}, {option.expected}"
        lines.append(f"{option.name} = {options.text(option.name)} ({about}): {option.help}")
    return lines


def markdown_table() -> str:
    """Return the table of options as the documentation shows it."""
    rows = ["| option | type | default | accepted | meaning |", "|---|---|---|---|---|"]
    for option in OPTIONS:
        default = option.format(option.default) or "(empty)"
        rows.append(f"| `{option.name}` | {option.kind} | {default} | {option.expected} | {option.help} |")
    return "\n".join(rows) + "\n"
