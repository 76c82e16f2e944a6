"""Batches of positions against the oracle, and against the same rules one position at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from othello_bot import batch, kernel
from othello_bot import policy as people
from othello_bot.base.notation import parse_move
from othello_bot.rules import HALF_TURN, MIRROR_FILES, MIRROR_RANKS, TRANSPOSE, Position
from tests import oracle

GAMES = 300


@pytest.fixture(scope="module")
def positions() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return mover and opponent of all positions of random games, and of some that no game reaches."""
    played = batch.replay(batch.random_games(GAMES, 7))
    there = np.arange(61) <= played.lengths[:, None]
    rng = np.random.default_rng(1)
    own = rng.integers(0, 1 << 64, 500, np.uint64, endpoint=False)
    other = rng.integers(0, 1 << 64, 500, np.uint64, endpoint=False) & ~own
    edges = np.array([0, (1 << 64) - 1, 0, 1], np.uint64), np.array([0, 0, (1 << 64) - 1, 1 << 63], np.uint64)
    return (
        np.concatenate((played.mover[there], own, edges[0])),
        np.concatenate((played.opponent[there], other, edges[1])),
    )


def board_of(mover: int, opponent: int) -> list[str]:
    return oracle.board_of(
        "".join("X" if mover >> square & 1 else "O" if opponent >> square & 1 else "-" for square in range(64))
    )


@pytest.mark.slow
def test_legal_moves_flips_and_plays_are_the_oracles(
    positions: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]],
) -> None:
    movers, opponents = positions
    moves, over = batch.legal_moves(movers, opponents), batch.is_over(movers, opponents)
    scores = batch.final_scores(movers, opponents)
    assert [str(array.dtype) for array in (moves, over, scores)] == ["uint64", "bool", "int8"]
    rows, squares, turned, after = [], [], [], []
    for index in range(0, len(movers), 3):
        board = board_of(int(movers[index]), int(opponents[index]))
        expected = oracle.all_moves(board, "X")
        assert int(moves[index]) == oracle.bits(list(expected)), index
        assert bool(over[index]) == (not expected and not oracle.all_moves(board, "O")), index
        assert int(scores[index]) == oracle.score(board, "X"), index
        for cell, cells in expected.items():
            child = board[:]
            oracle.play(child, cell, cells, "X")
            rows.append(index)
            squares.append(oracle.SQUARE_OF[cell])
            turned.append(oracle.bits(cells))
            after.append((oracle.discs(child, "O"), oracle.discs(child, "X")))
    chosen = np.array(squares, np.uint8)
    flipped = batch.flips(movers[rows], opponents[rows], chosen)
    assert np.array_equal(flipped, np.array(turned, np.uint64))
    next_movers, next_opponents = batch.play(movers[rows], opponents[rows], chosen)
    assert np.array_equal(next_movers, np.array([own for own, _ in after], np.uint64))
    assert np.array_equal(next_opponents, np.array([other for _, other in after], np.uint64))


def test_illegal_squares_flip_nothing(positions: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]) -> None:
    movers, opponents = positions
    moves = batch.legal_moves(movers, opponents)
    for square in range(64):
        flipped = batch.flips(movers, opponents, np.full(len(movers), square, np.uint8))
        assert np.array_equal(flipped != 0, (moves >> np.uint64(square) & np.uint64(1)).astype(np.bool_))


def test_symmetry_values_and_perft_as_of_one_position(
    positions: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]],
) -> None:
    movers, opponents = (array[::17].copy() for array in positions)
    pairs = [(int(own), int(other)) for own, other in zip(movers, opponents, strict=True)]
    found = batch.canonical(movers, opponents)
    assert list(zip(*(array.tolist() for array in found), strict=True)) == [kernel.canonical(*pair) for pair in pairs]
    symmetries = (np.arange(len(movers)) % 8).astype(np.uint8)
    images = batch.transform(movers, opponents, symmetries)
    for index, pair in enumerate(pairs):
        image = Position(*pair).transform(index % 8)
        assert (int(images[0][index]), int(images[1][index])) == (image.mover, image.opponent)
    same = batch.transform(movers, opponents, 5)
    back = batch.transform(*same, 6)
    assert np.array_equal(back[0], movers) and np.array_equal(back[1], opponents)
    from othello_bot.evaluation import shipped

    values = batch.evaluate(movers, opponents)
    assert values.dtype == np.float32
    assert values.tolist() == [np.float32(shipped().evaluate(*pair)) for pair in pairs]
    for depth in (0, 1, 3):
        assert batch.perft(movers, opponents, depth).tolist() == [kernel.perft(*pair, depth) for pair in pairs]


@pytest.mark.parametrize(
    ("symmetry", "image"), [(MIRROR_FILES, "g1"), (MIRROR_RANKS, "b8"), (HALF_TURN, "g8"), (TRANSPOSE, "a2")]
)
def test_symmetries_have_names(symmetry: int, image: str) -> None:
    turned, _ = batch.transform(np.array([1 << 1], np.uint64), np.array([0], np.uint64), symmetry)
    assert turned[0] == 1 << parse_move(image)


@pytest.mark.parametrize("rating", [None, 1700.0])
def test_the_policy_is_that_of_one_position(
    positions: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]], rating: float | None
) -> None:
    movers, opponents = (array[::97].copy() for array in positions)
    lasts = np.full(len(movers), 64, np.uint8)
    found = batch.policy(movers, opponents, rating)
    assert found.dtype == np.float32 and found.shape == (len(movers), 65)
    ratings = np.full(len(movers), np.nan if rating is None else rating, np.float32)
    assert np.array_equal(found, batch.policy(movers, opponents, ratings, last=lasts, threads=2))
    for row, mover, opponent in zip(found, movers.tolist(), opponents.tolist(), strict=True):
        position = Position(mover, opponent)
        expected = people.probabilities(position, rating) if position.legal_bits else {64: float(position.must_pass)}
        assert {square: row[square] for square in expected} == pytest.approx(expected, abs=1e-6)
        assert np.delete(row, list(expected)).max() == 0


def test_the_policy_knows_the_last_move() -> None:
    played = batch.replay(np.array([[37, 43, 18, 19]], np.uint8))
    mover, opponent = played.mover[0, 4:].copy(), played.opponent[0, 4:].copy()
    position = Position(int(mover[0]), int(opponent[0]))
    (row,) = batch.policy(mover, opponent, 1500, last=np.array([19], np.uint8))
    assert row.max() == pytest.approx(max(people.probabilities(position, 1500, 19).values()), abs=1e-6)
    assert not np.array_equal(row, batch.policy(mover, opponent, 1500)[0])


def test_passes_are_played() -> None:
    # White on a1, Black on b1: White takes c1, Black has no move.
    mover, opponent = np.array([1, 2], np.uint64), np.array([2, 1], np.uint64)
    after = batch.play(mover, opponent, np.array([2, 64], np.uint8))
    assert after[0].tolist() == [0, 1] and after[1].tolist() == [7, 2]
    with pytest.raises(ValueError, match="index 0: move 64: expected a legal move"):
        batch.play(mover, opponent, np.array([64, 64], np.uint8))


def test_unique_positions() -> None:
    start = Position.start()
    afters = [start.play(move) for move in start.legal_moves]
    given = [*afters, start, afters[0], start]
    mover = np.array([position.mover for position in given], np.uint64)
    opponent = np.array([position.opponent for position in given], np.uint64)
    found = batch.unique(mover, opponent)
    assert sorted(found.counts.tolist()) == [2, 5]
    canonical = batch.canonical(mover, opponent)
    assert np.array_equal(found.mover[found.inverse], canonical.mover)
    assert np.array_equal(found.opponent[found.inverse], canonical.opponent)
    assert found.first.tolist() == [found.inverse.tolist().index(number) for number in range(2)]
    exact = batch.unique(mover, opponent, symmetric=False)
    assert np.array_equal(exact.mover[exact.inverse], mover) and sorted(exact.counts.tolist()) == [1, 1, 1, 2, 2]


def test_threads_change_nothing(positions: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]) -> None:
    movers, opponents = positions
    assert len(movers) > 3 * 4096
    for function in (batch.legal_moves, batch.is_over, batch.final_scores, batch.evaluate):
        assert np.array_equal(function(movers, opponents), function(movers, opponents, threads=3))
    squares = np.zeros(len(movers), np.uint8)
    squares[[9000, 12000]] = 200
    for threads in (1, 3):
        with pytest.raises(ValueError, match="index 9000: square 200: expected a number from 0"):
            batch.flips(movers, opponents, squares, threads=threads)


def test_nothing_in_nothing_out() -> None:
    nothing, no_moves = np.zeros(0, np.uint64), np.zeros(0, np.uint8)
    for function in (batch.legal_moves, batch.is_over, batch.final_scores, batch.evaluate):
        assert function(nothing, nothing, threads=4).shape == (0,)
    assert batch.flips(nothing, nothing, no_moves).shape == batch.perft(nothing, nothing, 3).shape == (0,)
    assert batch.policy(nothing, nothing).shape == (0, 65)
    assert [part.shape for part in batch.play(nothing, nothing, no_moves)] == [(0,), (0,)]
    assert [part.shape for part in batch.canonical(nothing, nothing)] == [(0,)] * 3
    assert [part.shape for part in batch.transform(nothing, nothing, 3)] == [(0,), (0,)]
    assert [part.shape for part in batch.unique(nothing, nothing)] == [(0,)] * 5
    assert batch.encode(nothing, nothing).shape == (0, 8, 8, 2)
