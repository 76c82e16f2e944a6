"""Planes and tokens, square by square."""

from __future__ import annotations

import numpy as np
import pytest

from othello_bot import batch
from othello_bot.base.notation import parse_square
from othello_bot.rules import Position


def test_planes_of_the_board() -> None:
    position = Position.from_colors(1 << parse_square("b3"), 1 << parse_square("h8"))
    mover, opponent = np.array([position.mover], np.uint64), np.array([position.opponent], np.uint64)
    ours, pgx, openspiel = (batch.encode(mover, opponent, layout) for layout in ("ours", "pgx", "openspiel"))
    assert [str(planes.dtype) for planes in (ours, pgx, openspiel)] == ["int8", "bool", "float32"]
    assert np.argwhere(ours).tolist() == np.argwhere(pgx).tolist() == [[0, 2, 1, 0], [0, 7, 7, 1]]
    assert openspiel.shape == (1, 3, 8, 8) and openspiel.sum() == 64
    assert np.argwhere(openspiel[0, 1:]).tolist() == [[0, 2, 1], [1, 7, 7]]
    assert openspiel[0, 0, 2, 1] == 0 and openspiel[0, 0, 0, 0] == 1


def test_tokens_of_othello_gpt() -> None:
    names = ["a1", "a2", "b1", "c4", "d3", "e6", "f5", "h8"]
    squares = [parse_square(name) for name in names]
    games = np.array([[*squares, 255], [*squares[:4], 64, *squares[4:]], [37, 255, *[200] * 7]], np.uint8)
    expected = [1, 2, 9, 20, 27, 34, 41, 60]
    assert batch.tokens(games).tolist() == [[*expected, 0], [*expected, 0], [41, *[0] * 8]]
    everything = batch.tokens(np.array([[square for square in range(64) if square not in (27, 28, 35, 36)]], np.uint8))
    assert sorted(everything[0].tolist()) == list(range(1, 61))


@pytest.mark.parametrize("square", [27, 36, 65, 254])
def test_what_has_no_token(square: int) -> None:
    with pytest.raises(ValueError, match=f"game 1, move 2 {square}: expected a square from 0 to 63 outside the centre"):
        batch.tokens(np.array([[37, 43, 18], [37, 43, square]], np.uint8))
