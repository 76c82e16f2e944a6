"""What batches refuse: the message names the array or the first offender, and nothing is computed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from othello_bot import ClockState, Color, Game, Limits, Options, Position, batch, move_name, svg

ONES, TWOS = np.full(4, 1, np.uint64), np.full(4, 2, np.uint64)


@pytest.mark.parametrize(
    ("mover", "opponent", "message"),
    [
        ([1, 2], [4, 8], "mover 'list': expected a contiguous array of uint64 with 1 dimension"),
        (
            ONES.astype(np.int64),
            TWOS,
            r"mover, dtype 'int64': expected .* of uint64 .*; .* mover\.view\(numpy\.uint64\)",
        ),
        (
            np.ma.array(ONES, mask=ONES == 2),
            TWOS,
            r"mover 'a masked array': expected .* without a mask; .*filled\(\)",
        ),
        (ONES, np.ma.array(TWOS), "opponent 'a masked array'"),
        (ONES, TWOS.astype(np.float64), "opponent, dtype 'float64'"),
        (ONES, TWOS.astype(">u8"), "opponent, dtype '>u8'"),
        (ONES.reshape(2, 2), TWOS, r"mover, shape \(2, 2\)"),
        (np.uint64(1), TWOS, "mover 'uint64'"),
        (np.full(8, 1, np.uint64)[::2], TWOS, r"mover, strides \(16,\): expected .*ascontiguousarray"),
        (ONES[::-1], TWOS, "mover, strides"),
        (np.frombuffer(bytes(33), np.uint8)[1:].view(np.uint64), TWOS, "mover, address"),
        (ONES, TWOS[:3], "opponent, length 3: expected 4, as many as the others"),
        (ONES, np.array([2, 2, 3, 1], np.uint64), r"index 2: bitboards \(1, 3\): expected no square"),
    ],
)
def test_arrays_that_are_no_positions(mover: Any, opponent: Any, message: str) -> None:
    functions = (batch.legal_moves, batch.is_over, batch.final_scores, batch.canonical, batch.evaluate, batch.unique)
    for function in (*functions, batch.policy, batch.label, batch.encode):
        with pytest.raises(ValueError, match=message):
            function(mover, opponent)


def test_read_only_arrays_are_accepted_and_stay() -> None:
    mover, opponent = ONES.copy(), TWOS.copy()
    mover.flags.writeable = opponent.flags.writeable = False
    assert batch.legal_moves(mover, opponent).tolist() == [4] * 4
    assert batch.play(mover, opponent, np.frombuffer(b"\2\2\2\2", np.uint8))[1].tolist() == [7] * 4
    assert np.array_equal(mover, ONES) and np.array_equal(opponent, TWOS)


@pytest.mark.parametrize("threads", [0, -1, 1.5, None, True, 1 << 40])
def test_numbers_of_threads(threads: Any) -> None:
    with pytest.raises(ValueError, match=r"threads .*: expected a whole number from 1 to 1024"):
        batch.legal_moves(ONES, TWOS, threads=threads)


@pytest.mark.parametrize("depth", [-1, 61, 1.0, "3"])
def test_depths(depth: Any) -> None:
    with pytest.raises(ValueError, match=r"depth .*: expected a whole number from 0 to 60"):
        batch.perft(ONES, TWOS, depth)


def test_symmetries_squares_and_lengths() -> None:
    with pytest.raises(ValueError, match="symmetry 8: expected a whole number from 0 to 7"):
        batch.transform(ONES, TWOS, 8)
    with pytest.raises(ValueError, match="index 2: symmetry 9: expected a number from 0 to 7"):
        batch.transform(ONES, TWOS, np.array([0, 7, 9, 8], np.uint8))
    with pytest.raises(ValueError, match="index 3: square 64: expected a number from 0"):
        batch.flips(ONES, TWOS, np.array([0, 2, 63, 64], np.uint8))
    with pytest.raises(ValueError, match="square, length 3: expected 4"):
        batch.flips(ONES, TWOS, np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="index 1: move 0: expected a legal move"):
        batch.play(ONES, TWOS, np.array([2, 0, 255, 2], np.uint8))
    with pytest.raises(ValueError, match="move, dtype 'int64'"):
        batch.play(ONES, TWOS, np.array([2, 2, 2, 2]))
    with pytest.raises(ValueError, match="index 2: last 65: expected a number from 0"):
        batch.policy(ONES, TWOS, last=np.array([0, 64, 65, 200], np.uint8))
    with pytest.raises(ValueError, match="last, length 3: expected 4"):
        batch.policy(ONES, TWOS, last=np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="index 1: rating inf: expected a finite number"):
        batch.policy(ONES, TWOS, np.array([np.nan, np.inf, 1, -np.inf], np.float32))
    with pytest.raises(ValueError, match="rating, dtype 'float64'"):
        batch.policy(ONES, TWOS, np.zeros(4))  # type: ignore[arg-type]
    for rating in ("strong", float("inf"), True, 10**30, 10**400):
        with pytest.raises(ValueError, match=r"rating .*: expected a finite number"):
            batch.policy(ONES, TWOS, rating)  # type: ignore[arg-type]
    odd: tuple[Any, ...] = (None, 1, "no", np.zeros(2), [])
    for symmetric in odd:
        with pytest.raises(ValueError, match=r"symmetric .*: expected True or False"):
            batch.unique(ONES, TWOS, symmetric=symmetric)
    for errors in odd:
        with pytest.raises(ValueError, match=r"errors .*: expected raise or mark"):
            batch.replay(np.zeros((0, 60), np.uint8), errors=errors)
    with pytest.raises(ValueError, match="layout 'png': expected one of ours, pgx, openspiel"):
        batch.encode(ONES, TWOS, "png")
    with pytest.raises(ValueError, match=r"layout .*: expected one of ours"):
        batch.encode(ONES, TWOS, ["ours"])  # type: ignore[arg-type]


@pytest.mark.process
def test_without_numpy_the_rest_works() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from othello_bot import Position\n"
        "assert len(Position.start().legal_moves) == 4\n"
        "try:\n    import othello_bot.batch\n"
        "except ImportError as error:\n    print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("othello_bot.batch needs NumPy; install it with: ") and "[numpy]" in run.stdout


def test_masked_arrays_of_moves_ratings_and_games() -> None:
    squares = np.ma.array(np.full(4, 2, np.uint8), mask=True)
    ratings = np.ma.array(np.zeros(4, np.float32))
    calls: list[Callable[[], object]] = [
        lambda: batch.flips(ONES, TWOS, squares),
        lambda: batch.play(ONES, TWOS, squares),
        lambda: batch.transform(ONES, TWOS, squares),
        lambda: batch.policy(ONES, TWOS, last=squares),
        lambda: batch.policy(ONES, TWOS, ratings),
        lambda: batch.replay(squares.reshape(1, 4)),
        lambda: batch.tokens(squares.reshape(1, 4)),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="'a masked array': expected"):
            call()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_integers_of_numpy_are_integers(kind: Any) -> None:
    assert Position(kind(5), kind(2)) == Position(5, 2)
    start = Position.start()
    after = start.play(kind(19))
    assert after == start.play(19)
    assert start.disc_at(kind(27)) is Color.WHITE
    assert move_name(kind(64)) == "pass" and move_name(kind(19)) == "d3"
    game = Game.from_transcript("f5d6c3")
    assert game.position_at(kind(1)) == game.position_at(1)
    assert game.undo(kind(2)) == game.position_at(1)
    assert game.redo(kind(1)) == game.position_at(2)
    assert game.play(kind(18)) == game.position_at(3)
    limits = Limits(kind(3), kind(4), kind(5), multi_pv=kind(2), considered=frozenset([kind(19)]), selectivity=kind(73))
    assert limits == Limits(3, 4, 5, multi_pv=2, considered=frozenset([19]), selectivity=73)
    assert {type(limits.level), type(limits.depth), *map(type, limits.considered)} == {int}
    options = Options(hash=kind(8)).with_value("level", kind(21)).with_value("selectivity", kind(73))
    assert (options.hash, options.level, options.selectivity) == (8, 21, 73)
    assert batch.perft(ONES, TWOS, kind(1), threads=kind(1)).tolist() == [1] * 4
    assert svg.board(start, last_move=kind(19), values={kind(20): kind(3)}, size=kind(100)).count("+3") == 1


# Before NumPy 2.3, its True is an index, with a warning.
NO_INDEX = [np.bool_(True)] if np.lib.NumpyVersion(np.__version__) >= "2.3.0" else []


@pytest.mark.parametrize("value", [np.int64(-1), np.float64(5), *NO_INDEX, np.array([5]), "5", None])
def test_other_values_are_no_bitboards(value: Any) -> None:
    with pytest.raises(ValueError, match=r"bitboard .*: expected a number of 64 bits"):
        Position(value, 0)


def test_numbers_of_numpy_are_seconds() -> None:
    clock = ClockState(np.float32(2), np.int64(1), np.int64(4))
    assert Limits(move_time_s=np.float32(0.5), clock=clock).move_time_s == 0.5
    assert batch.policy(ONES, TWOS, np.float32(1500))[0].tolist() == batch.policy(ONES, TWOS, 1500)[0].tolist()
    assert batch.policy(ONES, TWOS, 2500)[0].tolist() == batch.policy(ONES, TWOS, 1800)[0].tolist()
    with pytest.raises(ValueError, match="move time"):
        Limits(move_time_s=np.float32(np.nan))
