"""Translate command lines written for Edax and Egaroucid into this program's arguments.

Scripts and hosts start those two with options of one dash: `-gtp -q -l 10 -n 1 -h 22 -book-usage off`. `FOREIGN`
declares each such option once: an option with an equivalent becomes our argument; all others are skipped and named in
one warning. Names and meanings come from the manuals and the help of the two programs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import InputError, did_you_mean, parsed
from othello_bot.base.notation import parse_duration, parse_integer
from othello_bot.engine import OPTIONS, SELECTIVITIES, argument, available_mib

if TYPE_CHECKING:
    from othello_bot.dialects.edax import Console, Meaning

_GAME_TIME: Final = "--game-time"

OWN: Final = frozenset(
    [argument(option.name) for option in OPTIONS]
    + ["--option", "--protocol", "--gtp", "--nboard", "--cassio", _GAME_TIME, "--version", "--help"]
)
"""Our own arguments of the session. Edax accepts two dashes instead of one, so other options with two are translated
too.
"""

SETTINGS: Final = frozenset([argument(option.name) for option in OPTIONS] + [_GAME_TIME])
"""Those that Edax's console can change."""

COMMAND_OPTIONS: Final = {
    "solve": ("hash", "threads", "level", "selectivity"),
    "bench": ("hash", "threads"),
    "perft": (),
}
"""Our subcommands that options of Edax and Egaroucid stand for, with the engine options that each accepts."""

IMPLIED: Final = frozenset(["--book", "--ponder"])
"""Arguments that subcommands drop without a warning: none of them has a book or an opponent."""


class ArgumentError(InputError):
    """An invalid argument; the message says what would be accepted."""


@dataclass(slots=True)
class Translation:
    """A command line in our own words.

    command   our subcommand with its arguments, empty for a session
    groups    our other arguments, each with the word that it comes from
    skipped   options that have no meaning here
    notes     deviations from what the command line requested
    mode      who plays in Edax's console (`othello_bot.protocol.edax.Mode`)
    verbosity how much that console shows, from 0 to 4
    """

    command: list[str] = field(default_factory=list)
    groups: list[tuple[str, list[str]]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    mode: int = 3
    verbosity: int = 1

    @property
    def words(self) -> list[str]:
        """The whole command line."""
        return [*self.command, *(word for _, group in self.groups for word in group)]

    @property
    def warning(self) -> str:
        """One line for stderr, empty if there is nothing to report."""
        skipped = " ".join(dict.fromkeys(self.skipped))
        return "; ".join([*([f"skipped, without a meaning here: {skipped}"] if skipped else []), *self.notes])


@dataclass(frozen=True, slots=True)
class OptionUse:
    """One use of an option: its spelling, its values, and the translation to which it belongs."""

    word: str
    values: Sequence[str]
    found: Translation

    @property
    def value(self) -> str:
        """The only value; raise `ArgumentError` if the command line ends before it."""
        if not self.values:
            raise ArgumentError("option", self.word, "a value after it")
        return self.values[0]

    def number(self, least: int, most: int) -> int:
        """Return the value as a whole number; raise `ArgumentError` for any other value."""
        what = f"option {self.word}"
        return parsed(lambda word: parse_integer(word, least, most), self.value, ArgumentError, what)


ForeignHandler = Callable[[OptionUse], list[str]]


@dataclass(frozen=True, slots=True)
class Foreign:
    """One option of Edax or Egaroucid.

    names     without the dash, with spaces between them
    values    words that follow it
    meaning   its effect here; empty if it has none
    own       return our arguments for one use
    console   whether it has a meaning in Edax's console, which `own` notes
    optional  return whether the next word is its value, for an option whose value may be missing
    """

    names: str
    values: int = 0
    meaning: str = ""
    own: ForeignHandler = lambda use: []
    optional: Callable[[str], bool] | None = None
    console: bool = False


def translate(words: Sequence[str], *, console: bool = False) -> Translation:
    """Return the command line in our own arguments, for a session or for Edax's console.

    Raise `ArgumentError` for an invalid value.
    """
    found = Translation()
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        option = None if word.partition("=")[0] in OWN else _find(word, words, waiting)
        if option is None:
            found.groups.append((word, [word]))
            continue
        count = option.values if option.optional is None else int(bool(waiting) and option.optional(waiting[0]))
        values, waiting = waiting[:count], waiting[count:]
        group = option.own(OptionUse(word, values, found))
        if option.meaning:
            found.groups.append((word, group))
        elif not (console and option.console):
            found.skipped.append(word)
    if found.command:
        _keep_for_command(found)
    return found


def console_of(found: Translation) -> Console:
    """Return how Edax's console begins with these arguments."""
    from othello_bot.dialects.edax import Console  # imported here and below: a session starts without it

    return Console(console_meaning, found.mode, found.verbosity)


def console_meaning(name: str, value: str) -> Meaning | None:
    """Return what `set NAME VALUE` means in Edax's console, None for an unknown name.

    Names are those of Edax's options and of ours. Raise `ArgumentError` for an invalid value.
    """
    if name in BY_NAME:
        found = translate([f"-{name}", *value.split()], console=True)
    elif argument(name) in SETTINGS:
        found = translate([argument(name), *value.split()])
    else:
        return None
    words = [word for _, group in found.groups for word in group]
    if found.command or not SETTINGS.issuperset(words[::2]):
        return None
    from othello_bot.dialects.edax import Meaning

    values = dict(zip(words[::2], words[1::2], strict=False))
    game_time = values.pop(_GAME_TIME, None)
    options = tuple((word.removeprefix("--").replace("-", "_"), text) for word, text in values.items())
    return Meaning(options, None if game_time is None else TimeControl.parse(game_time), found.warning)


def _find(word: str, words: Sequence[str], waiting: Sequence[str]) -> Foreign | None:
    """Return the declaration of an option; None for a word that is not an option, or is one of ours."""
    name = word.removeprefix("-").removeprefix("-")
    if name == word or _is_count(name) or (name == "h" and not (waiting and _is_size(waiting[0]))):
        return None
    if name == "t" and {"-n", "-n-tasks"} & set(words):
        name = "game-time"  # `-n` already sets the threads, as with Edax, so this is Edax's option too
    if name not in BY_NAME:
        close = did_you_mean(f"--{word.lstrip('-')}", OWN)
        raise ArgumentError("argument", word, f"one that --help or `othello-bot help command-lines` lists{close}")
    return BY_NAME[name]


def _keep_for_command(found: Translation) -> None:
    """Drop the arguments that the subcommand does not accept."""
    kept = {argument(name) for name in COMMAND_OPTIONS[found.command[0]]}
    groups, found.groups = found.groups, []
    for word, group in groups:
        if not group or group[0] in IMPLIED:
            continue
        if group[0] in kept or group[0] not in OWN:
            found.groups.append((word, group))
        else:
            found.skipped.append(word)


# -- the meanings of the options
# ------------------------------------------------------------------------------------------


def _fixed(*words: str) -> ForeignHandler:
    return lambda use: list(words)


def _option(name: str) -> ForeignHandler:
    return lambda use: [argument(name), use.value]


def _threads(use: OptionUse) -> list[str]:
    # Egaroucid used to count the threads besides the first one; forks of Edax accept "auto".
    count = str(min(256, os.cpu_count() or 1)) if use.value == "auto" else use.value
    return [argument("threads"), "1" if count == "0" else count]


def _table(use: OptionUse) -> list[str]:
    """Convert a power of two of entries, 16 bytes each, to MiB. Use at most half of the free memory."""
    if use.value == "auto":
        return []
    wanted_mib = size_mib = max(1, (16 << use.number(0, 40)) >> 20)
    free_mib = available_mib()
    while free_mib is not None and size_mib > max(1, free_mib // 2):
        size_mib //= 2
    if size_mib < wanted_mib:
        use.found.notes.append(f"{use.word} {use.value} does not fit into memory, so the table has {size_mib} MiB")
    return [argument("hash"), str(size_mib)]


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _is_size(word: str) -> bool:
    return word == "auto" or _is_count(word)


def _seconds(use: OptionUse) -> float:
    """Read seconds, [[days:]hours:]minutes:seconds, or what else `parse_duration` knows."""
    return parsed(parse_duration, use.value, ArgumentError, f"option {use.word}")


def _game_time(use: OptionUse) -> list[str]:
    return [_GAME_TIME, f"{_seconds(use):.10g}"]


def _move_time(use: OptionUse) -> list[str]:
    return [argument("move_time"), str(round(1000 * _seconds(use)))]


def _selectivity(use: OptionUse) -> list[str]:
    return [argument("selectivity"), str(SELECTIVITIES[use.number(0, len(SELECTIVITIES) - 1)])]


def _ponder(use: OptionUse) -> list[str]:
    return [argument("ponder"), use.values[0] if use.values else "on"]


def _randomness(use: OptionUse) -> list[str]:
    if use.value == "0":
        return [argument("variety"), "off"]
    use.found.skipped.append(use.word)
    return []


def _solve(use: OptionUse) -> list[str]:
    use.found.command = ["solve", use.value]
    return []


def _bench(use: OptionUse) -> list[str]:
    use.found.command = ["bench"]
    return []


def _mode(use: OptionUse) -> list[str]:
    use.found.mode = use.number(0, 3)
    return []


def _verbosity(use: OptionUse) -> list[str]:
    use.found.verbosity = use.number(0, 4)
    return []


def _verbose_as(verbosity: int) -> ForeignHandler:
    def own(use: OptionUse) -> list[str]:
        use.found.verbosity = verbosity
        return []

    return own


def _perft(use: OptionUse) -> list[str]:
    if len(use.values) < 2 or use.values[1] != "1":
        raise ArgumentError(f"option {use.word}", " ".join(use.values), "a depth and 1, which counts a pass as a ply")
    use.found.command = ["perft", use.values[0]]
    return []


FOREIGN: Final = (
    Foreign("gtp", 0, "`--gtp`", _fixed("--gtp")),
    Foreign("nboard", 0, "`--nboard`", _fixed("--nboard")),
    Foreign("cassio", 0, "`--cassio`", _fixed("--cassio")),
    Foreign("edax", 0, "`--protocol native`", _fixed("--protocol", "native")),
    Foreign("l level", 1, "`--level`", _option("level")),
    Foreign("d depth", 1, "`--depth`", _option("depth")),
    Foreign("selectivity", 1, "`--selectivity`, 0 to 5 for 73 to 100 %", _selectivity),
    Foreign("n n-tasks t thread threads", 1, "`--threads`; beside `-n`, `-t` is `-game-time`", _threads),
    Foreign("h hash-table-size hash hashlevel", 1, "`--hash`: 2 to this power entries of 16 bytes", _table),
    Foreign("hash-size", 1, "`--hash`", _option("hash")),
    Foreign("game-time time", 1, "`--game-time`", _game_time),
    Foreign("move-time", 1, "`--move-time`, in seconds", _move_time),
    Foreign("ponder", 1, "`--ponder`; on without a value", _ponder, lambda word: word in ("on", "off")),
    Foreign("book-usage", 1, "`--book`", _option("book")),
    Foreign("nobook", 0, "`--book off`", _fixed("--book", "off")),
    Foreign("book-randomness", 1, "`--variety off` for 0; skipped otherwise, as it counts discs", _randomness),
    Foreign("seed", 1, "`--seed`", _option("seed")),
    Foreign("name", 1, "`--name`", _option("name")),
    Foreign("ui-log-file logfile", 1, "`--log-file`", _option("log_file")),
    Foreign("s solve sol", 1, "`othello-bot solve FILE`", _solve),
    Foreign("bench", 1, "`othello-bot bench`", _bench, _is_count),
    Foreign("perft", 2, "`othello-bot perft DEPTH`", _perft),
    Foreign("v version", 0, "`--version`", _fixed("--version")),
    Foreign("? help", 0, "`--help`", _fixed("--help")),
    Foreign("q quiet silent noboard", 0, "no effect, except that `play-as edax` prints no boards", _verbose_as(0)),
    # Files in the formats of those programs.
    Foreign("eval-file eval-sm-file eval evaluation book-file b book o option-file game-file", 1),
    # What Edax shows while it thinks, and how much.
    Foreign("verbose", 1, own=_verbosity, console=True),
    Foreign("vv", own=_verbose_as(2), console=True),
    Foreign("width", 1),
    Foreign("info showvalue showval linfo levelinfo"),
    Foreign("noise", 1, optional=_is_count),
    Foreign("echo", 1, optional=lambda word: word in ("on", "off")),
    # Who plays, and what follows a game: with this program, the controller decides.
    Foreign("m mode", 1, own=_mode, console=True),
    Foreign("auto-start auto-swap auto-store auto-quit repeat", 1),
    Foreign("noautopass noautocacheclear"),
    # Internals of Edax's search.
    Foreign("cpu debug-cassio follow-cassio"),
    Foreign("alpha beta speed nps probcut-d pv-debug pv-check pv-guess all-best search-log-file logdir", 1),
    Foreign("inc-pvnode-sort-depth inc-cutnode-sort-depth inc-allnode-sort-depth", 1),
)

BY_NAME: Final = {name: option for option in FOREIGN for name in option.names.split()}


def markdown_table() -> str:
    """Return the options with their meanings as a table for the documentation."""
    rows = ["| option of Edax or Egaroucid | here |", "|---|---|"]
    for option in FOREIGN:
        names = ", ".join(f"`-{name}`" for name in option.names.split())
        skipped = "skipped, with a warning" + (", except with `play-as edax`" if option.console else "")
        rows.append(f"| {names} | {option.meaning or skipped} |")
    return "\n".join(rows) + "\n"
