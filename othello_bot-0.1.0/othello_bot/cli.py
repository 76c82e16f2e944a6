"""The command line: `othello-bot` alone is a session; subcommands do the rest and are imported only when used."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Final, NoReturn, TextIO

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import DamagedInstallation, InputError, did_you_mean
from othello_bot.base.notation import argument_type
from othello_bot.base.output import flush_stdout, report, terminal_columns
from othello_bot.base.posix import NotPosix
from othello_bot.base.version import __version__
from othello_bot.base.visible import visible, wrapped

if TYPE_CHECKING:
    from othello_bot.dialects.edax import Console

SUBCOMMANDS = {
    "perft": ("othello_bot.suites.perft", "count the positions of the game tree, with time and rate"),
    "bench": ("othello_bot.suites.bench", "search a fixed set of positions and print the node count as a signature"),
    "solve": ("othello_bot.suites.solve", "solve positions of a file, and compare the scores with those in it"),
    "match": ("othello_bot.arena.command", "play matches between engines"),
    "match report": ("othello_bot.arena.report_command", "print the tables of stored matches"),
    "match check": ("othello_bot.arena.checks", "check whether a program is fit for matches"),
    "match ladder": ("othello_bot.arena.ladder", "keep playing games between the engines of a folder, and rate them"),
    "match tune": ("othello_bot.arena.tune", "tune options of an engine by games against itself"),
    "match export": ("othello_bot.arena.export", "write the games of stored matches"),
    "explore": ("othello_bot.explorer.command", "show what was played in a position, by a base of games"),
    "explore build": ("othello_bot.explorer.build_command", "make a base of games, or add games to it"),
    "review": ("othello_bot.review.command", "review games: what each move lost, and how well the players did"),
    "play": ("othello_bot.play.command", "play a game in the terminal"),
    "web": ("othello_bot.web.command", "play, learn and review on a page in the browser"),
    "play-as": (
        "othello_bot.dialects.play_as",
        "play in the arenas of rust-reversi and CodinGame, or as Edax's console",
    ),
    "convert": ("othello_bot.tools.convert", "convert game files from any format to another, with filters"),
    "label": ("othello_bot.tools.label", "label positions with exact scores and best moves, to train networks"),
    "puzzles": (
        "othello_bot.tools.puzzles",
        "make endgame puzzles from games, rated by the players who find the best move",
    ),
    "mcp": ("othello_bot.tools.mcp_server", "serve tools for language models: play, solve, review (extra mcp)"),
    "gui-config": ("othello_bot.tools.gui_config", "print the settings that GoGui, NBoard, Quarry and Sabaki need"),
    "doctor": ("othello_bot.tools.doctor", "print what a bug report needs, and test the engine on this machine"),
    "completion": ("othello_bot.tools.completion", "print a script that completes command lines in bash, zsh or fish"),
    "train": ("othello_bot.training.command", "train the evaluation from self-play, and measure it"),
    "ggs": ("othello_bot.ggs.command", "play on GGS, the Generic Game Server"),
    "book": ("othello_bot.book_growing.command", "grow, check, show and exchange opening books"),
    "help": ("othello_bot.tools.help_topics", "read the documentation; without a topic, list the topics"),
    "version": ("othello_bot.tools.versions", "print the version; with --verbose, also the kernel that runs"),
}
"""The module of each subcommand; it has `add_arguments(parser)` and `run(args) -> int`, and may have `check_words(words)`,
which raises InputError for words in another program's spelling.
"""

ENDED_BY_SIGNALS = frozenset(("play-as",))
"""Subcommands that other programs start and may end by a signal, without a traceback."""

WITHOUT_ENGINE = frozenset(("web",))
"""Subcommands that begin without the engine, and load it while they are at work already."""

CONSOLE = ("play-as", "edax")
"""A session as Edax's console, which takes the options of Edax and so is no subcommand."""

PROTOCOLS = ("native", "gtp", "nboard", "cassio")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code: 0, 1 for a failure, 2 for a usage error."""
    return prepared(arguments)()


def prepared(arguments: Sequence[str] | None = None) -> Callable[[], int]:
    """Import what a command line needs, and read it; return what runs it, as `main` does. Raise SystemExit for a usage
    error, and after --help and --version.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["help"] and " ".join(words[1:]) in SUBCOMMANDS:
        words = [*words[1:], "--help"]
    if not WITHOUT_ENGINE.intersection(words[:1]):
        _load_engine()
    for length in (2, 1):
        name = " ".join(words[:length])
        if name in SUBCOMMANDS and tuple(words[:2]) != CONSOLE:
            return _subcommand(name, words[length:])
    return _session(words)


def _session(words: Sequence[str]) -> Callable[[], int]:
    """Return what runs a session with arguments of ours, Edax's or Egaroucid's, or a command that theirs stand for."""
    console = tuple(words[:2]) == CONSOLE
    start: Console | None = None
    parser = session_parser()
    _refuse_other_dashes(parser, words)
    if console or not _has_only_own_options(parser, words):
        from othello_bot.daemon.edax_arguments import console_of, translate  # imported here: few start with those

        try:
            translation = translate(words[2:] if console else words, console=console)
        except InputError as error:
            parser.error(str(error))
        words = translation.words
        if console and {"-h", "--help"}.intersection(words):
            return _subcommand(CONSOLE[0], [CONSOLE[1], "--help"])
        if translation.warning:
            report(translation.warning)
        if translation.command:
            return _subcommand(words[0], words[1:])
        if console:
            start = console_of(translation)
    parsed = _parsed(parser, words)
    from othello_bot.daemon import process as daemon
    from othello_bot.engine import options_of

    protocol = parsed.protocol or parsed.dialect
    if console and protocol in (None, "native"):  # Edax's `-edax` is native
        protocol = CONSOLE[1]

    def run() -> int:
        try:
            return daemon.run(protocol, options_of(parsed), parsed.game_time, start)
        except InputError as error:
            parser.error(str(error))
        except MemoryError as error:
            parser.exit(1, f"othello-bot: {str(error) or 'not enough memory'}; start with a smaller --hash\n")
        except (NotPosix, DamagedInstallation) as error:
            parser.exit(1, f"othello-bot: {error}\n")

    return run


def _has_only_own_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> bool:
    """Return whether no word is an option of Edax or Egaroucid: those have one dash, or two with a name of theirs."""
    own = [name for name in _options_of(parser) if name.startswith("--")]
    return all(word.partition("=")[0] in own for word in words if word.startswith("-"))


def _load_engine() -> None:
    """Import the engine. Raise SystemExit if no kernel runs here, or not the one that OTHELLO_BOT_ARCH asks for."""
    try:
        importlib.import_module("othello_bot.engine")
    except ImportError as error:
        if error.name != "othello_bot.kernel":
            raise
        report(str(error))
        raise SystemExit(2) from None


_PIPE_COLUMNS: Final = 80
"""Columns of help where no terminal shows it."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors show every character of the words that they repeat, and whose help fits the terminal."""

    _stream: TextIO | None = None

    def parse_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]  # as argparse declares it
        """Return the arguments, as argparse does; an unknown one is answered with what may be meant."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            known = [*_options_of(self), *_parts(self.prog)]
            close = did_you_mean(unknown[0].partition("=")[0], known)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{close}")
        return parsed

    def _check_value(self, action: argparse.Action, value: object) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += did_you_mean(str(value), map(str, action.choices or ()))
            raise

    def error(self, message: str) -> NoReturn:
        self._stream = sys.stderr
        super().error(visible(message))

    def _columns(self) -> int:
        return terminal_columns(self._stream or sys.stdout) or _PIPE_COLUMNS

    def _get_formatter(self) -> argparse.HelpFormatter:
        formatter: Callable[..., argparse.HelpFormatter] = self.formatter_class
        return formatter(prog=self.prog, width=self._columns() - 2)

    def format_help(self) -> str:
        lines = super().format_help().splitlines()
        return "".join(f"{part}\n" for line in lines for part in wrapped(line, self._columns()))


def _options_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the options of a parser and of its parts."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from _options_of(part)


def _parts(program: str) -> list[str]:
    """Return the commands that have a name of two words, by the second: `report` for `othello-bot match`."""
    beginning = f"{program.removeprefix('othello-bot').strip()} "
    return [name.removeprefix(beginning) for name in SUBCOMMANDS if name.startswith(beginning)]


_DASHED: Final = "-*[\u2010-\u2015\u2212\ufe58\ufe63\uff0d][-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]*([A-Za-z].*)"
"""A word that begins with a dash of a text processor, and its rest."""


def _refuse_other_dashes(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Raise SystemExit for an option that begins with another dash than a keyboard's, as copied commands do."""
    for word in words:
        if word == "--":
            return
        found = None if word.isascii() else re.fullmatch(_DASHED, word, re.DOTALL)
        if found is None or os.path.exists(word):
            continue
        import unicodedata  # imported here: a correct command needs no names of signs

        dash = next(character for character in word if character != "-")
        name = unicodedata.name(dash).lower()
        parser.error(
            f"argument {word!r}: expected -- typed on a keyboard, --{found[1]}, got the sign {name} (U+{ord(dash):04X})"
        )


def session_parser() -> argparse.ArgumentParser:
    """Return the parser of a command line without a subcommand."""
    from othello_bot.engine import add_option_arguments, add_setting_argument

    commands = "\n".join(f"  {name:13} {about}" for name, (_, about) in SUBCOMMANDS.items())
    parser = _Parser(
        prog="othello-bot",
        usage="othello-bot [OPTION ...] [DIALECT]\n       othello-bot COMMAND ...",
        description="An Othello engine. Without a command it runs a session on standard input and output; try help.",
        epilog=f"commands (othello-bot COMMAND --help explains one):\n{commands}\n\n"
        "Options of Edax and Egaroucid work too: -gtp -q -l 10 -n 2 -h 22 -book-usage off.\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    dialects = f"one of {', '.join(PROTOCOLS)}"
    parser.add_argument("dialect", nargs="?", type=_dialect, choices=PROTOCOLS, metavar="DIALECT", help=dialects)
    parser.add_argument(
        "--protocol", choices=PROTOCOLS, help="speak this dialect; default: detected from the first line"
    )
    for name in PROTOCOLS[1:]:
        parser.add_argument(f"--{name}", dest="protocol", action="store_const", const=name, help=f"--protocol {name}")
    parser.add_argument("--version", action="version", version=f"othello-bot {__version__}")
    game_time = "each side's time for the game; 5:00, 5m and 300+3 (with an increment) are times, too"
    parser.add_argument("--game-time", type=argument_type(TimeControl.parse), metavar="SECONDS", help=game_time)
    add_setting_argument(parser)
    add_option_arguments(parser)
    return parser


def _dialect(word: str) -> str:
    if word not in PROTOCOLS:
        close = did_you_mean(word, [*SUBCOMMANDS, *PROTOCOLS])
        known = f"a command ({', '.join(SUBCOMMANDS)}) or a dialect ({', '.join(PROTOCOLS)})"
        raise argparse.ArgumentTypeError(f"{word!r}: expected {known}{close}")
    return word


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command, and that of a session as ""; this imports all of them."""
    return {"": session_parser(), **{name: _parser_of(name)[0] for name in SUBCOMMANDS}}


def _parser_of(name: str, words: Sequence[str] | None = None) -> tuple[argparse.ArgumentParser, ModuleType]:
    """Return the parser of a subcommand, and its module; one for given words may omit what they do not need."""
    module_name, about = SUBCOMMANDS[name]
    module = importlib.import_module(module_name)
    parser = _Parser(prog=f"othello-bot {name}", description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
    module.add_arguments(parser)
    if name in WITHOUT_ENGINE and (words is None or module.needs_engine(words)):
        _load_engine()
        module.add_engine_arguments(parser)
    return parser, module


def _subcommand(name: str, words: Sequence[str]) -> Callable[[], int]:
    """Return what runs a subcommand."""
    parser, module = _parser_of(name, words)
    parser.set_defaults(parsers=parsers)
    if hasattr(module, "check_words"):
        try:
            module.check_words(words)
        except InputError as error:
            parser.error(str(error))
    _refuse_other_dashes(parser, words)
    parsed = _parsed(parser, words)
    if name in ENDED_BY_SIGNALS:
        from othello_bot.daemon.process import end_on_signals

        end_on_signals()

    def run() -> int:
        try:
            code: int = module.run(parsed)
        except BrokenPipeError:
            code = 0
        except (NotPosix, DamagedInstallation) as error:
            parser.exit(1, f"othello-bot {name}: {error}\n")
        flush_stdout()
        return code

    return run


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments. Raise SystemExit as the parser does for invalid ones, and after --help and --version."""
    try:
        return parser.parse_args(words)
    except SystemExit:
        flush_stdout()
        raise
    except BrokenPipeError:  # from a long --help: argparse of Python 3.10 and early 3.11 lets it through
        flush_stdout()
        raise SystemExit(0) from None
