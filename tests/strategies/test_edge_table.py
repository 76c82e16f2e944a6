"""The edge table: its values on edges worked out by hand, its symmetry, its agreement with the board, its file."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from othello_bot.strategies import edge_table
from othello_bot.strategies.board import BLACK, WHITE, Board, empty_board, is_legal, make_move
from othello_bot.strategies.edge_stability import (
    EDGE_POSITIONS,
    EMPTY,
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
from othello_bot.strategies.iago import EDGES

TOP = EDGES[0]


def test_shape(shared_edge_table: tuple[int, ...]) -> None:
    assert len(shared_edge_table) == EDGE_POSITIONS == 59_049
    assert all(type(value) is int for value in shared_edge_table)


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
def test_known_entries(shared_edge_table: tuple[int, ...], edge: tuple[int, ...], value: int) -> None:
    assert shared_edge_table[edge_index(edge)] == value


def test_mirrored_edges_are_worth_the_same(shared_edge_table: tuple[int, ...]) -> None:
    # A unit of rounding may differ where the same products were added in another order.
    for index in range(0, EDGE_POSITIONS, 7):
        mirrored = edge_index(tuple(reversed(edge_of(index))))
        assert abs(shared_edge_table[index] - shared_edge_table[mirrored]) <= 1


@pytest.mark.parametrize(
    ("edge", "square", "expected"),
    [
        ((0, 1, 0, 0, 0, 0, 0, 0, 0, 0), 1, Stability.STABLE),
        ((1, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0, Stability.UNSTABLE),
        ((1, 2, 0, 0, 0, 0, 0, 0, 0, 0), 0, Stability.SEMI_STABLE),
        ((0, 0, 1, 0, 0, 0, 0, 0, 0, 0), 2, Stability.SEMI_STABLE),  # nobody beside it
        ((0, 0, 1, 2, 0, 0, 0, 0, 0, 0), 2, Stability.UNSTABLE),  # a1 would take it
        ((0, 0, 2, 1, 2, 0, 0, 0, 0, 0), 3, Stability.SEMI_STABLE),  # between two, with room left
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


def board_with(edge: tuple[int, ...]) -> Board:
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
    assert edge_table.combine_moves([(1.0, 0), (0.9, 100), (0.5, 200)]) == round(0.5 * 200 + 0.5 * 0.9 * 100)
    assert edge_table.combine_moves([(0.9, -100), (1.0, 7)]) == 7


def test_file_round_trip(tmp_path: Path, shared_edge_table: tuple[int, ...]) -> None:
    path = tmp_path / "new" / "folder" / "table.bin"
    edge_table.save(shared_edge_table, path)
    assert edge_table.load(path) == shared_edge_table
    assert [item.name for item in path.parent.iterdir()] == ["table.bin"]


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "foreign", "longer"])
def test_damaged_file_is_refused_and_made_anew(
    damage: str,
    tmp_path: Path,
    shared_edge_table: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(edge_table, "generate", lambda: shared_edge_table)
    path = edge_table.cache_path()
    edge_table.save(shared_edge_table, path)
    whole = path.read_bytes()
    path.write_bytes(
        {
            "empty": b"",
            "cut": whole[:-4],
            "flipped": whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:],
            "foreign": b"something else" + whole,
            "longer": whole + b"\0\0\0\0",
        }[damage]
    )
    with pytest.raises(edge_table.DamagedTable, match="edge table"):
        edge_table.load(path)
    edge_table.forget()
    with caplog.at_level(logging.WARNING):
        assert edge_table.edge_table() == shared_edge_table
    assert "building a new table" in caplog.text
    assert path.read_bytes() == whole


def test_a_cache_that_cannot_be_written_is_only_a_warning(
    tmp_path: Path,
    shared_edge_table: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "othello-bot").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(edge_table, "generate", lambda: shared_edge_table)
    edge_table.forget()
    with caplog.at_level(logging.WARNING):
        assert edge_table.edge_table() == shared_edge_table
    assert "could not be cached for the next start" in caplog.text


def test_an_interrupted_write_leaves_nothing(
    tmp_path: Path, shared_edge_table: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: str, target: Path) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        edge_table.save(shared_edge_table, tmp_path / "table.bin")
    assert list(tmp_path.iterdir()) == []


def test_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for unusable in ("", "relative/folder"):
        monkeypatch.setenv("XDG_CACHE_HOME", unusable)
        assert edge_table.cache_path() == tmp_path / ".cache" / "othello-bot" / "edge-table.bin"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert edge_table.cache_path() == Path("/elsewhere/othello-bot/edge-table.bin")
