"""The command line: `othello-bot` alone is a session; subcommands do the rest and are imported only when used."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

import othello_bot
from othello_bot.errors import InputError
from othello_bot.options import Options

SUBCOMMANDS = {
    "perft": ("othello_bot.perft", "count the positions of the game tree, with time and rate"),
    "bench": ("othello_bot.bench", "search a fixed set of positions and print the node count as a signature"),
    "solve": ("othello_bot.solve", "solve the positions of an OBF file"),
    "match": ("othello_bot.arena.command", "play matches between engines"),
    "play": ("othello_bot.play", "play a game in the terminal"),
    "play-as": ("othello_bot.play_as", "play as a program of rust-reversi or CodinGame"),
}
"""Subcommand to the module that carries it out, which has `add_arguments(parser)` and `run(args) -> int`."""

PROTOCOLS = ("native", "gtp", "nboard", "cassio")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0, 1 for a failure, 2 for a wrong use."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in SUBCOMMANDS:
        return _subcommand(words[0], words[1:])
    if words == ["version"]:
        sys.stdout.write(f"othello-bot {othello_bot.__version__}\n")
        return 0
    parser = _parser()
    parsed = _parsed(parser, words)
    try:
        options = _options(parsed.option)
    except InputError as error:
        parser.error(str(error))
    from othello_bot import daemon

    try:
        return daemon.run(parsed.protocol, options)
    except InputError as error:
        parser.error(str(error))
    except MemoryError as error:
        parser.exit(1, f"othello-bot: {error or 'not enough memory'}; start with a smaller --option hash=MIB\n")


def _parser() -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:10} {about}" for name, (_, about) in SUBCOMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="othello-bot",
        description="An Othello engine. Without a command: a session on standard input and output; type help there.",
        epilog=f"commands (othello-bot COMMAND --help says more):\n{commands}\n  version    print the version\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--protocol", choices=PROTOCOLS, help="speak this dialect; default: the first line tells")
    parser.add_argument("--version", action="version", version=f"othello-bot {othello_bot.__version__}")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the session, as setoption does; may be repeated",
    )
    return parser


def _options(settings: Sequence[str]) -> Options:
    """The options with the command line's settings; raises `OptionError`."""
    options = Options()
    for setting in settings:
        name, _, value = setting.partition("=")
        options = options.with_text(name, value)
    return options


def _subcommand(name: str, words: Sequence[str]) -> int:
    module_name, about = SUBCOMMANDS[name]
    module = importlib.import_module(module_name)
    parser = argparse.ArgumentParser(prog=f"othello-bot {name}", description=about, allow_abbrev=False)
    module.add_arguments(parser)
    parsed = _parsed(parser, words)
    try:
        code: int = module.run(parsed)
    except BrokenPipeError:
        code = 0
    _flush()
    return code


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Return the arguments; raises SystemExit as the parser does, for wrong ones and after --help and --version."""
    try:
        return parser.parse_args(words)
    except SystemExit:
        _flush()
        raise


def _flush() -> None:
    """Write out what was printed. Where whoever reads it has seen enough, as `head` has, the rest is no failure."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered must not fail once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
