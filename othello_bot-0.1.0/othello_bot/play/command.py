"""`othello-bot play`: a game at the terminal, between people, textbook strategies and the engine."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NoReturn

from othello_bot import strategies
from othello_bot.base.clocks import TimeControl, TimeSettings
from othello_bot.base.errors import INTERRUPTED, InputError
from othello_bot.base.notation import NotationError, argument_type, duration, integer, parse_integer
from othello_bot.base.output import guarded, report, tell
from othello_bot.base.outputs import OVERWRITE, check_outputs, refuse_taken
from othello_bot.dialects.completion import session_completion
from othello_bot.engine import (
    DEFAULT_LEVEL,
    NEWCOMERS,
    PLAYERS_OPTIONS,
    Options,
    add_option_arguments,
    drawn_seed,
    files_of,
    find_option,
    options_of,
    settings_of,
)
from othello_bot.formats.writing import open_games, user_path
from othello_bot.play.commands import FOR_PEOPLE
from othello_bot.play.dialect import PlayDialect
from othello_bot.play.players import ENGINE_OPTIONS, PlayerSpec, Seats, parse_player
from othello_bot.play.session import PlayingSession
from othello_bot.play.source import PlaySource
from othello_bot.rules import Game
from othello_bot.session import CommandLoop, Inbox
from othello_bot.session.keeping import LARGEST_NUMBER, load, save
from othello_bot.strategies.marappan import analyze
from othello_bot.terminal.keyboard import Keyboard, Lines
from othello_bot.terminal.picture import look_of
from othello_bot.terminal.screen import Screen

_ANALYZED_GAMES: Final = 20
_NEWCOMERS: Final = find_option("strength").format(NEWCOMERS)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.description = (
        "Play Othello at the terminal. PLAYER is human, engine, engine:LEVEL, engine:strength=STRENGTH, or a strategy"
        " name[:depth[:settings]]: " + ", ".join(strategies.names()) + "."
    )
    player, adviser = argument_type(parse_player), argument_type(_adviser)
    parser.add_argument("--black", type=player, metavar="PLAYER", help="who plays black (you, or the engine)")
    parser.add_argument(
        "--white", type=player, metavar="PLAYER", help=f"who plays white (the engine as {_NEWCOMERS}, or you)"
    )
    parser.add_argument(
        "--suggest", type=adviser, default=f"engine:{DEFAULT_LEVEL}", metavar="PLAYER", help="who gives advice"
    )
    minutes = "play with a clock of N minutes for each player; 1:30, 90s and 5+3 (with an increment) are times, too"
    control = argument_type(lambda text: TimeControl.parse(text, "minutes"))
    parser.add_argument("--minutes", type=control, metavar="N", help=minutes)
    parser.add_argument("--increment", type=duration(), metavar="S", help="seconds added for each move")
    parser.add_argument(
        "--load",
        nargs="+",
        metavar=("FILE", "NUMBER"),
        help="continue the game of a file; of several, the one so numbered",
    )
    parser.add_argument("--save", metavar="FILE", help="write the game when it ends or you leave")
    parser.add_argument("--overwrite", action="store_true", help="let --save replace an existing file")
    parser.add_argument(
        "--seed",
        type=argument_type(find_option("seed").read),
        metavar="N",
        help="seed of every random choice; by default a new one is drawn and shown",
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="draw the board in colour")
    parser.add_argument("--strategies", action="store_true", help="list the strategies")
    parser.add_argument(
        "--analyze",
        type=adviser,
        metavar="PLAYER",
        help="let this strategy play games against random moves, and print the results",
    )
    parser.add_argument(
        "--games", type=integer(1), metavar="N", help=f"number of games for --analyze ({_ANALYZED_GAMES})"
    )
    add_option_arguments(parser, PLAYERS_OPTIONS, ENGINE_OPTIONS)


@guarded("play", refused=1, failed=1)
def run(args: argparse.Namespace) -> int:
    """Play the game that the arguments describe; return 0, 1 for an unusable file, 130 after Ctrl-C."""
    seed = drawn_seed() if args.seed is None else args.seed
    if args.strategies:
        tell(_gallery())
        return 0
    if args.analyze is not None:
        return _analyze(args.analyze, args.games or _ANALYZED_GAMES, seed)
    if args.games is not None:
        raise InputError("--games", f"{args.games}", "--analyze as well, whose games they are")
    try:
        return _play(args, seed)
    except KeyboardInterrupt:
        _write("\n")
        raise


def _play(args: argparse.Namespace, seed: int) -> int:
    """Play a game to its end."""
    file, number = _loaded(args.load)
    record = None if file is None else load(file, number, None)
    game = Game() if record is None else record.game.copy()
    seats, options = _seats(args.black, args.white), options_of(args, _base(args))
    if args.save is not None:
        check_outputs({"--save": user_path(args.save)}, file_in_use=files_of(options))
        # The other games of a file would be lost.
        continues = file is not None and _same(file, args.save) and len(open_games(user_path(file)).titles) == 1
        _check_place(user_path(args.save), args.overwrite or continues)
    control: TimeControl | None = args.minutes
    if args.increment is not None:
        if control is None:
            raise InputError("--increment", f"{args.increment:g}", "--minutes as well, the time that it is added to")
        control = replace(control, increment_s=args.increment)
    time = TimeSettings() if control is None else control.settings
    with Seats(*seats, args.suggest, seed, options) as players, _terminal(args, players) as terminal:
        session = PlayingSession(game, players, time, terminal, record=record)
        session.saves_itself = args.save is not None
        terminal.complete = session_completion(session, FOR_PEOPLE)
        try:
            play(session)
        finally:
            if args.save is not None:
                save(session.record(), args.save, None, overwrite=True)
    return 0


def _loaded(words: list[str] | None) -> tuple[str | None, int | None]:
    """Return the file of --load and the number of its game; raise InputError for more words."""
    file, *numbers = words or (None,)
    with contextlib.suppress(NotationError):
        if len(numbers) < 2:
            return file, parse_integer(numbers[0], 0, LARGEST_NUMBER) if numbers else None
    raise InputError("--load", " ".join(words or ()), "a file, and the number of one of its games if it has several")


def play(session: PlayingSession) -> None:
    """Play until the game ends or the person leaves."""
    inbox = Inbox()
    session.begin()
    with PlaySource(inbox, session) as source:
        CommandLoop(lambda: session.engine, PlayDialect(session), inbox, source, observer=source).run()
    if session.has_left:
        session.terminal.tell("goodbye")


def _base(args: argparse.Namespace) -> Options:
    """Return the options of the engine before those of the command line: that of newcomers if nothing says how it plays."""
    named = args.black is not None or args.white is not None
    limited = any(name in ("strength", "level", "depth", "nodes", "move_time") for name, _ in settings_of(args))
    return ENGINE_OPTIONS if named or limited else replace(ENGINE_OPTIONS, strength=NEWCOMERS)


def _seats(black: PlayerSpec | None, white: PlayerSpec | None) -> tuple[PlayerSpec, PlayerSpec]:
    """Return who plays black and white; if one is not given, a person plays a computer or the reverse."""
    person, engine = parse_player("human"), parse_player("engine")
    if black is None:
        black = engine if white is not None and white.is_human else person
    return black, white or (engine if black.is_human else person)


@contextlib.contextmanager
def _terminal(args: argparse.Namespace, players: Seats) -> Iterator[Lines]:
    """Yield where the game is shown: a terminal, or a pipe. Where no person plays, Ctrl-C ends the process as usual."""
    look, for_people = look_of(sys.stdout, color=args.color), bool(players.people)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield Lines(_write, look)
        return
    with Keyboard(Screen(1, look, _fail), lambda before, text: (), lambda: for_people) as keyboard:
        yield keyboard


def _fail(error: OSError) -> NoReturn:
    raise error


def _same(one: str, other: str) -> bool:
    """Return whether two names are those of one file."""
    first, second = user_path(one), user_path(other)
    return first.exists() and second.exists() and first.samefile(second)


def _check_place(path: Path, overwrite: bool) -> None:
    """Raise InputError if the game could not be saved there, so that the user learns it before the game."""
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise InputError("place to save", str(path), "a file in a folder that exists and can be written to")
    refuse_taken(path, overwrite=overwrite, word=f"{OVERWRITE} as well")


def _gallery() -> list[str]:
    """Return the list of the strategies with their settings."""
    lines = ["Ask for a strategy as NAME, NAME:DEPTH or NAME:DEPTH:SETTING+SETTING, like textbook:4:hashing+modified"]
    for name in strategies.names():
        lines.append(f"{name:20} {strategies.describe(name)}")
        lines += (f"    {words}: {text}" for words, text in strategies.explain_settings(name))
    return lines


def _analyze(player: PlayerSpec, games: int, seed: int) -> int:
    """Play games against random moves and print the percentage won and the time: Marappan and Hingorani's mode.

    Ctrl-C ends it with the games played so far.
    """
    name = player.text.split(":")[0]
    if name not in strategies.names():
        report("--analyze: expected a strategy", "play")
        return 2
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda number, frame: stop.set())
    try:
        found = analyze(strategies.make(player.text, seed), games, seed, stop.is_set)
    finally:
        signal.signal(signal.SIGINT, before)
    _write(f"{player.text} against random moves: {found} (seed {seed})\n")
    return INTERRUPTED if stop.is_set() else 0


def _adviser(text: str) -> PlayerSpec:
    """Return a player that is not a human; raise InputError."""
    spec = parse_player(text)
    if spec.is_human:
        raise InputError("player", text, "engine or a strategy, a human is already at the keyboard")
    return spec


def _write(text: str) -> None:
    """Write to the terminal and flush it."""
    sys.stdout.write(text)
    sys.stdout.flush()
