"""`othello-bot play`: a game at the terminal, between people, textbook strategies and the engine."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from othello_bot import strategies
from othello_bot.engine import RANDOM_SEED, drawn_seed, find_option
from othello_bot.errors import InputError
from othello_bot.play.clocks import Clocks
from othello_bot.play.files import check_place, load_game
from othello_bot.play.players import PlayerSpec, parse_player
from othello_bot.play.table import Players, Table
from othello_bot.rules import Game, Position
from othello_bot.strategies.marappan import analyze
from othello_bot.terminal.prompt import draw, draw_plain

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.description = (
        "Play Othello at the terminal. PLAYER is human, engine, engine:LEVEL, or a strategy name[:depth[:settings]]: "
        + ", ".join(strategies.names())
        + "."
    )
    parser.add_argument("--black", type=_player, default="human", metavar="PLAYER", help="who plays black (human)")
    parser.add_argument("--white", type=_player, default="engine", metavar="PLAYER", help="who plays white (engine)")
    parser.add_argument("--suggest", type=_adviser, default="engine:10", metavar="PLAYER", help="who gives advice")
    parser.add_argument("--minutes", type=_positive, metavar="N", help="play with a clock of N minutes for each player")
    parser.add_argument("--increment", type=_positive, default=0.0, metavar="S", help="seconds added for each move")
    parser.add_argument("--load", type=Path, metavar="FILE", help="go on with the game of a file")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the game when it ends or you leave")
    parser.add_argument(
        "--seed",
        type=_seed,
        default=RANDOM_SEED,
        metavar="N",
        help="start of every random choice; without it a new one is drawn, and shown",
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="draw the board in colour")
    parser.add_argument("--strategies", action="store_true", help="list the strategies and end")
    parser.add_argument("--analyze", type=_adviser, metavar="PLAYER", help="play games against random moves and end")
    parser.add_argument("--games", type=_count, default=20, metavar="N", help="games of --analyze (20)")


def run(args: argparse.Namespace) -> int:
    """Play the game that the arguments describe; return 0, 1 where a file cannot be used, 130 after Ctrl-C."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # a Python built without it: then lines come without editing
            importlib.import_module("readline")
    seed = drawn_seed() if args.seed == RANDOM_SEED else args.seed
    try:
        if args.strategies:
            _write(_gallery())
            return 0
        if args.analyze is not None:
            return _analyze(args.analyze, args.games, seed)
        if args.save is not None:
            check_place(args.save)
        clocks = None if args.minutes is None else Clocks(60 * args.minutes, args.increment)
        game = Game() if args.load is None else load_game(args.load)
        with Players(args.black, args.white, args.suggest, seed) as players:
            table = Table(game, players, clocks, picture=_picture(args.color), write=_write)
            try:
                table.play()
            finally:
                if args.save is not None:
                    table.save_as(args.save)
    except KeyboardInterrupt:
        _write("\n")
        return INTERRUPTED
    except BrokenPipeError:
        raise  # the reader has seen enough: the command line knows what to do
    except (OSError, InputError, MemoryError) as error:
        sys.stderr.write(f"othello-bot play: {error or 'not enough memory'}\n")
        return 1
    return 0


def _gallery() -> str:
    """Return the list of the strategies, with the settings that each knows."""
    lines = ["Ask for a strategy as NAME, NAME:DEPTH or NAME:DEPTH:SETTING+SETTING, like textbook:4:hashing+modified"]
    for name in strategies.names():
        lines.append(f"{name:20} {strategies.describe(name)}")
        lines += (f"    {words}: {text}" for words, text in strategies.explain_settings(name))
    return "\n".join(lines) + "\n"


def _analyze(player: PlayerSpec, games: int, seed: int) -> int:
    """Play games against random moves and print the percentage won and the time: Marappan and Hingorani's mode.

    Ctrl-C ends it with the games that have been played.
    """
    name = player.text.split(":")[0]
    if name not in strategies.names():
        sys.stderr.write("othello-bot play: --analyze: expected a strategy\n")
        return 2
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda number, frame: stop.set())
    try:
        found = analyze(strategies.make(player.text, seed), games, seed, stop.is_set)
    finally:
        signal.signal(signal.SIGINT, before)
    _write(f"{player.text} against random moves: {found} (seed {seed})\n")
    return INTERRUPTED if stop.is_set() else 0


def _picture(color: str) -> Callable[[Position], str]:
    """Return how the board is drawn: in colour on a terminal, unless NO_COLOR or the user forbids it."""
    colored = color == "always" or (color == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    return draw if colored else draw_plain


def _player(text: str) -> PlayerSpec:
    """Read a player for argparse."""
    try:
        return parse_player(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _adviser(text: str) -> PlayerSpec:
    """Read a player that is no human."""
    spec = _player(text)
    if spec.is_human:
        raise argparse.ArgumentTypeError("expected engine or a strategy, a human is already at the keyboard")
    return spec


def _positive(text: str) -> float:
    """Read a number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number above 0")
    return value


def _seed(text: str) -> int:
    """Read a seed, as the option of that name takes it."""
    try:
        return int(find_option("seed").parse(text))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _count(text: str) -> int:
    """Read a whole number above 0."""
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number above 0")


def _write(text: str) -> None:
    """Write to the terminal at once."""
    sys.stdout.write(text)
    sys.stdout.flush()
