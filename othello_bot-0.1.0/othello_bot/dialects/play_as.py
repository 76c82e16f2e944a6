"""Play as a program of another arena: thin adapters that turn its lines into searches.

rust-reversi starts a program with its colour as the last argument, sends the board as 64 characters whenever it is to
move, and expects a square number. CodinGame's othello-1 sends the player's number and the board size, then for each
turn the rows and the legal moves, and expects one of them. Edax's console is a dialect of a session (`edax.py`); only
its help is declared here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TextIO

from othello_bot.base.boards import parse_board
from othello_bot.base.errors import InputError, parsed
from othello_bot.base.notation import PASS, Color, NotationError, move_name, parse_integer, parse_move
from othello_bot.base.output import report
from othello_bot.engine import PLAYING_OPTIONS, Engine, Options, add_option_arguments, add_setting_argument, options_of
from othello_bot.protocol.wire import LineWriter, claim_stdout
from othello_bot.rules import Position

RUST_REVERSI_MOVE_MS = 1000
"""Milliseconds a move; the arena's default limit is five seconds."""

CODINGAME_MOVE_MS = 80
"""Milliseconds a move; the limit is reportedly 150 or less after the first move."""


class PlayAsError(InputError):
    """Invalid input from the arena."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `othello-bot play-as`."""
    arenas = parser.add_subparsers(dest="arena", required=True, metavar="ARENA")
    rust = arenas.add_parser("rust-reversi", help="a player for the arenas of rust-reversi")
    rust.add_argument("color", choices=("BLACK", "WHITE"), help="the colour, as the arena passes it")
    rust.set_defaults(play=play_rust_reversi, move_time=RUST_REVERSI_MOVE_MS)
    codingame = arenas.add_parser("codingame", help="a player for CodinGame's othello-1")
    codingame.set_defaults(play=play_codingame, move_time=CODINGAME_MOVE_MS)
    edax = arenas.add_parser(
        "edax",
        usage="othello-bot play-as edax [OPTION ...]",
        help="Edax's console, for scripts that read its text",
        description="Edax's console: commands and replies like those of Edax itself, for scripts that read its text. "
        "Besides the options below it takes those of Edax (-q -l 10 -n 2 -book-usage off).",
    )
    add_setting_argument(edax)
    add_option_arguments(edax)
    for arena in (rust, codingame):
        arena.add_argument("--no-book", action="store_true", help="the same as --book off")
        add_option_arguments(arena, PLAYING_OPTIONS, Options(move_time=arena.get_default("move_time")))


def run(args: argparse.Namespace) -> int:
    """Play until the arena ends the input; return 0, or 1 after invalid input."""
    writer = LineWriter(claim_stdout())
    try:
        options = options_of(args, Options(move_time=args.move_time, book=not args.no_book))
        # Bytes that are not text are not a board either and are refused like other invalid lines.
        with Engine(options) as engine, open(0, encoding="utf-8", errors="backslashreplace", closefd=False) as lines:
            args.play(lines, writer.line, lambda position: engine.choose(position).move, args)
    except InputError as error:
        report(str(error))
        return 1
    return 0


def play_rust_reversi(
    lines: TextIO, answer: Callable[[str], object], choose: Callable[[Position], int], args: argparse.Namespace
) -> None:
    """Answer each board with a square number, and each `ping` with `pong`, until `exit` or the end of input."""
    color = Color[args.color]
    for line in lines:
        text = line.strip()
        if text == "ping":
            answer("pong")
        elif text == "exit":
            return
        elif text:
            answer(str(_choice(_position(text, color), choose)))


def play_codingame(
    lines: TextIO, answer: Callable[[str], object], choose: Callable[[Position], int], args: argparse.Namespace
) -> None:
    """Answer each turn with one of the moves that the arena lists."""
    number = _integer(lines.readline(), "the player's number", 0, 1)
    size = _integer(lines.readline(), "the board size", 8, 8)
    while rows := lines.readline().strip():
        cells = rows + "".join(lines.readline().strip() for _ in range(size - 1))
        count = _integer(lines.readline(), "the number of moves", 0, 64)
        listed = [parse_move(lines.readline().strip()) for _ in range(count)]
        board = cells.translate(str.maketrans("01", "XO"))
        move = _choice(_position(board, Color(number)), choose)
        if listed and move not in listed:
            raise PlayAsError("legal moves", " ".join(map(move_name, listed)), move_name(move))
        answer(move_name(move))


def _position(cells: str, color: Color) -> Position:
    """Return the position with `color` to move, whatever the text says."""
    try:
        board = parse_board(cells[:64])
    except NotationError as error:
        raise PlayAsError("board", cells, error.expected) from None
    return Position.parse(f"{board.cells} {color.disc}")


def _choice(position: Position, choose: Callable[[Position], int]) -> int:
    return choose(position) if position.legal_bits else PASS


def _integer(text: str, what: str, low: int, high: int) -> int:
    return parsed(lambda word: parse_integer(word, low, high), text.strip(), PlayAsError, what)
