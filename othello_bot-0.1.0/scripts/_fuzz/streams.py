"""Fuzzed streams of lines: the splitter itself, and the adapters for other programs' arenas."""

from __future__ import annotations

import argparse
import io

from othello_bot.base.errors import InputError
from othello_bot.dialects.play_as import play_codingame, play_rust_reversi
from othello_bot.protocol.wire import LineSplitter
from othello_bot.rules.position import Position


def lines(data: bytes) -> None:
    """Check that the lines do not depend on how the bytes arrive, and that no more than the limit of a line is stored."""
    limit = 64
    whole = LineSplitter(limit)
    expected = [*whole.feed(data), *whole.finish()]
    step = 1 + (data[0] if data else 0) % 70
    pieces = LineSplitter(limit)
    found = []
    for place in range(0, len(data), step):
        found += pieces.feed(data[place : place + step])
    found += pieces.finish()
    assert found == expected, f"in pieces of {step}: {found} instead of {expected}"
    assert sum(line.length for line in found) + data.count(b"\n") == len(data)
    for line in found:
        assert len(line.text) <= limit and "\n" not in line.text
        assert line.overlong == (line.length > limit)


def rust_reversi(data: bytes) -> None:
    """Check that each board is answered with a legal square's number, or 64, and that an invalid one ends the game
    properly.
    """

    def answer(text: str) -> None:
        assert text == "pong" or 0 <= int(text) <= 64, text

    arguments = argparse.Namespace(color="BLACK")
    try:
        play_rust_reversi(_text(data), answer, _first_move, arguments)
    except InputError as error:
        assert len(str(error)) < 400


def codingame(data: bytes) -> None:
    """Check that each turn is answered with a move, and that an invalid one ends the game properly."""
    try:
        play_codingame(_text(data), lambda text: None, _first_move, argparse.Namespace())
    except InputError as error:
        assert len(str(error)) < 400


def _first_move(position: Position) -> int:
    return position.legal_moves[0]


def _text(data: bytes) -> io.StringIO:
    return io.StringIO(data.decode("utf-8", "surrogateescape"))
