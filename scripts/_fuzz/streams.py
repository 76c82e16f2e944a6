"""Fuzzed streams of lines: the splitting itself, and the adapters for other people's arenas."""

from __future__ import annotations

import argparse
import io

from othello_bot.dialects.play_as import play_codingame, play_rust_reversi
from othello_bot.errors import InputError
from othello_bot.rules.position import Position
from protocol.wire import LineSplitter


def lines(data: bytes) -> None:
    """However the bytes arrive, the lines are the same, and no more than the limit is held of any."""
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
    """Each board is answered with the number of a legal square, or 64; what is no board ends the game in order."""

    def answer(text: str) -> None:
        assert text == "pong" or 0 <= int(text) <= 64, text

    arguments = argparse.Namespace(color="BLACK")
    try:
        play_rust_reversi(_text(data), answer, _first_move, arguments)
    except InputError as error:
        assert len(str(error)) < 400


def codingame(data: bytes) -> None:
    """Each turn is answered with a move; what is no turn ends the game in order."""
    try:
        play_codingame(_text(data), lambda text: None, _first_move, argparse.Namespace())
    except InputError as error:
        assert len(str(error)) < 400


def _first_move(position: Position) -> int:
    return position.legal_moves[0]


def _text(data: bytes) -> io.StringIO:
    return io.StringIO(data.decode("utf-8", "surrogateescape"))
