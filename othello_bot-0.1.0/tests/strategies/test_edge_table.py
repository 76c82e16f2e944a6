"""The edge table: its values on edges worked out by hand, its symmetry, its agreement with the board, its file."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import pytest

from othello_bot.base.errors import DamagedInstallation
from othello_bot.strategies import iago
from othello_bot.strategies.board import BLACK, EMPTY, WHITE, PaddedBoard, empty_board, is_legal, make_move
from othello_bot.strategies.iago import (
    EDGE_POSITIONS,
    EDGES,
    OTHER,
    OWN,
    Stability,
    edge_flips,
    edge_index,
    edge_moves,
    edge_of,
    move_chance,
    stability,
    static_value,
    turned,
)

TOP = EDGES[0]


@pytest.fixture(name="table")
def _table() -> tuple[int, ...]:
    return iago.edge_table()


def test_shape(table: tuple[int, ...]) -> None:
    assert len(table) == EDGE_POSITIONS == 59_049
    assert all(type(value) is int for value in table)


def test_edges_are_numbered_in_base_three() -> None:
    assert edge_index((1, 0, 0, 0, 0, 0, 0, 0, 0, 2)) == 3**9 + 2
    assert all(edge_index(edge_of(index)) == index for index in range(0, EDGE_POSITIONS, 97))
    assert turned((0, 1, 2, 0, 1, 2, 0, 1, 2, 0)) == (0, 2, 1, 0, 2, 1, 0, 2, 1, 0)


@pytest.mark.parametrize(
    ("edge", "value"),
    [
        ((0,) * 10, 0),
        # Nothing can be played on a full edge: corners 700, C 1200, A and B 1000, X-squares 0 each.
        ((OWN,) * 10, 2 * 700 + 2 * 1200 + 4 * 1000),
        ((OTHER,) * 10, -7800),
        # The X-square is no loss beside the own corner, so it does not matter who or what stands there.
        ((EMPTY, *(OWN,) * 9), 7800),
        # The opponent sits on the X-square before the empty corner (2000); to take the corner would be worth only 7800.
        ((OTHER, EMPTY, *(OWN,) * 8), 1200 + 4 * 1000 + 1200 + 700 + 2000),
        # The same from the other side: the corner (then -6400) may be taken with chance 0.001. Round by round
        # -9100 -> 0.001 * -6400 + 0.999 * -9100 = -9097, -9094, -9091, -9088, -9085.
        ((OWN, EMPTY, *(OTHER,) * 8), -9085),
    ],
)
def test_known_entries(table: tuple[int, ...], edge: tuple[int, ...], value: int) -> None:
    assert table[edge_index(edge)] == value


def test_mirrored_edges_are_worth_the_same(table: tuple[int, ...]) -> None:
    # A unit of rounding may differ where the same products were added in another order.
    for index in range(0, EDGE_POSITIONS, 7):
        mirrored = edge_index(tuple(reversed(edge_of(index))))
        assert abs(table[index] - table[mirrored]) <= 1


@pytest.mark.parametrize(
    ("edge", "square", "expected"),
    [
        ((0, 1, 0, 0, 0, 0, 0, 0, 0, 0), 1, Stability.STABLE),
        ((1, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0, Stability.UNSTABLE),
        ((1, 2, 0, 0, 0, 0, 0, 0, 0, 0), 0, Stability.SEMI_STABLE),
        ((0, 0, 1, 0, 0, 0, 0, 0, 0, 0), 2, Stability.SEMI_STABLE),  # nobody beside it
        ((0, 0, 1, 2, 0, 0, 0, 0, 0, 0), 2, Stability.UNSTABLE),  # a1 would take it
        ((0, 0, 2, 1, 2, 0, 0, 0, 0, 0), 3, Stability.SEMI_STABLE),  # between two, with empty squares left
        ((0, 1, 2, 1, 2, 1, 2, 1, 2, 0), 3, Stability.STABLE),  # between two on a full edge
        ((0, 1, 1, 1, 0, 0, 0, 0, 0, 0), 3, Stability.STABLE),
        ((0, 0, 0, 1, 1, 1, 1, 1, 1, 0), 3, Stability.STABLE),
        ((0, 2, 1, 1, 0, 0, 0, 0, 0, 0), 2, Stability.UNSTABLE),
    ],
)
def test_stability(edge: tuple[int, ...], square: int, expected: Stability) -> None:
    assert stability(edge, square) is expected
    assert stability(turned(edge), square) is expected


@pytest.mark.parametrize(
    ("edge", "value"),
    [
        ((0, 0, 1, 2, 0, 0, 0, 0, 0, 0), -25 - 75),  # both can be taken at once: C -25, the opponent's A 75
        ((0, 0, 1, 0, 0, 0, 0, 0, 0, 0), 200),
        ((0, 1, 1, 0, 0, 2, 0, 0, 0, 2), 700 + 1200 - 200 + 2000),
    ],
)
def test_static_values(edge: tuple[int, ...], value: int) -> None:
    assert static_value(edge) == value == -static_value(turned(edge))


@pytest.mark.parametrize(
    ("edge", "square", "chance"),
    [
        ((0,) * 10, 0, 0.5),
        ((0,) * 10, 1, 0.1),
        ((1, 0, 0, 0, 0, 0, 0, 0, 0, 0), 1, 0.001),
        ((2, 0, 0, 0, 0, 0, 0, 0, 0, 0), 1, 0.9),
        ((1, 0, 2, 1, 0, 0, 0, 0, 0, 0), 1, 1.0),
        ((0,) * 10, 4, 0.1),
        ((0, 0, 0, 2, 0, 2, 0, 0, 0, 0), 4, 0.7),
        ((0, 0, 0, 1, 0, 1, 0, 0, 0, 0), 4, 0.01),
        ((0, 0, 0, 1, 0, 0, 0, 0, 0, 0), 4, 0.05),
        ((0, 0, 0, 1, 0, 2, 0, 0, 0, 0), 4, 0.3),
        ((0, 0, 2, 1, 0, 0, 0, 0, 0, 0), 4, 0.05 / 2),  # the opponent could capture there himself
    ],
)
def test_chances(edge: tuple[int, ...], square: int, chance: float) -> None:
    assert move_chance(edge, square) == chance


def board_with(edge: tuple[int, ...]) -> PaddedBoard:
    board = empty_board()
    for square, piece in zip(TOP, edge, strict=True):
        board[square] = (EMPTY, BLACK, WHITE)[piece]
    return board


def test_edge_moves_are_those_of_the_board() -> None:
    rng = random.Random(4)
    for index in rng.sample(range(EDGE_POSITIONS), 400):
        edge = edge_of(index)
        afters = [after for _, after in edge_moves(edge)]
        for number in range(10):
            if edge[number] == EMPTY:
                board = make_move(TOP[number], BLACK, board_with(edge))
                assert board == board_with(turned(afters.pop(0)))
                for player, color in ((OWN, BLACK), (OTHER, WHITE)):
                    captures = bool(edge_flips(edge, number, player))
                    assert captures == (is_legal(TOP[number], color, board_with(edge)))
        assert afters == []


def test_combining_moves_takes_the_best_that_is_legal() -> None:
    assert iago.combine_moves([(1.0, 0), (0.9, 100), (0.5, 200)]) == round(0.5 * 200 + 0.5 * 0.9 * 100)
    assert iago.combine_moves([(0.9, -100), (1.0, 7)]) == 7


@pytest.mark.slow
def test_the_shipped_table_is_the_one_that_would_be_built() -> None:
    """If the values change on purpose, the docstring of the module says how to renew the file."""
    assert iago.edge_table() == iago.generate()


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "flipped", "shorter"])
def test_a_damaged_file_is_told(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = iago.FILE.read_bytes()
    file = tmp_path / "table"
    damaged = {
        "empty": b"",
        "cut": whole[:-4],
        "flipped": whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:],
        "shorter": zlib.compress(zlib.decompress(whole)[2:]),
    }
    if damage in damaged:
        file.write_bytes(damaged[damage])
    monkeypatch.setattr(iago, "FILE", file)
    with pytest.raises(DamagedInstallation, match=f"{file}: .*; install the program again"):
        iago.edge_table.__wrapped__()
