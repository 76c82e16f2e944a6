"""What orders the moves of the endgame where static values cost too much: its sums, and that it saves nodes alone."""

from __future__ import annotations

import random
from array import array

import pytest

from othello_bot import kernel
from othello_bot.evaluation import WeightsError, shipped, weights
from othello_bot.kernel import patterns
from tests.kernel.evaluations import one_stage
from tests.kernel.positions import BitboardPair, after, played, squares_of
from tests.kernel.searches import searcher_of


def plain() -> kernel.Weights:
    return one_stage(array("h", bytes(2 * patterns.TABLE_SIZE)))


def read_plainly(numbers: array[int], mover: int, opponent: int) -> int:
    """Return the sum of a position's numbers, square by square."""
    total = 0
    for start, number in enumerate(patterns.ORDER_PATTERNS):
        pattern = patterns.FACTOR_PATTERNS[number]
        for place in pattern.places:
            digits = [(mover >> square & 1) - (opponent >> square & 1) for square in place]
            state = pattern.centre + sum(digit * 3**i for i, digit in enumerate(digits))
            total += numbers[start * pattern.states + state]
    return total


def test_the_sum_is_that_of_the_position_after_the_move() -> None:
    rng = random.Random(41)
    numbers = array("b", (rng.randint(-127, 127) for _ in range(patterns.ORDER_SIZE)))
    ordering = plain()
    ordering.set_move_order(numbers)
    seen = 0
    for mover, opponent in [played(rng, empties) for empties in range(1, 56) for _ in range(2)]:
        for square in squares_of(kernel.legal_moves(mover, opponent)):
            seen += 1
            wanted = read_plainly(numbers, *after(mover, opponent, square))
            assert ordering.order_after(mover, opponent, square) == wanted / 8
    assert seen > 300


def nodes_and_scores(positions: list[BitboardPair], numbers: memoryview) -> tuple[int, list[int]]:
    """Solve positions with these numbers beside the shipped weights; return the nodes of all and each score."""
    searcher = searcher_of(4)
    ordered = weights.from_bytes(weights.content(), proven=True)
    ordered.set_move_order(numbers)
    searcher.set_weights(ordered)
    nodes, scores = 0, []
    for position in positions:
        searcher.clear()
        searcher.begin(*position)
        searcher.iterate(60, 5)
        nodes += searcher.nodes
        scores.append(searcher.lines()[0].score)
    return nodes, scores


def test_the_shipped_order_saves_nodes_and_changes_no_score() -> None:
    rng = random.Random(42)
    positions = [played(rng, empties) for empties in (12, 13, 14, 14, 15)]
    numbers = weights.move_order(weights.MOVE_ORDER_FILE.read_bytes(), "shipped")
    opposite = memoryview(array("b", (-number for number in numbers)))
    none = memoryview(bytes(patterns.ORDER_SIZE)).cast("b")
    (best, scores), (blind, same), (worst, again) = (
        nodes_and_scores(positions, each) for each in (numbers, none, opposite)
    )
    assert scores == same == again
    assert best < 0.95 * blind and blind < 0.95 * worst


def test_numbers_of_another_size_are_refused() -> None:
    for size in (0, patterns.ORDER_SIZE - 1, patterns.ORDER_SIZE + 1):
        with pytest.raises(ValueError, match=f"{size} numbers for the order of moves: expected {patterns.ORDER_SIZE}"):
            plain().set_move_order(array("b", bytes(size)))
    with pytest.raises(ValueError, match="no order of moves"):
        plain().order_after(0x0000000810000000, 0x0000001008000000, 19)


def test_a_damaged_file_is_refused() -> None:
    packed = weights.MOVE_ORDER_FILE.read_bytes()
    for content in (b"", b"numbers", packed[:-1], packed[:500] + bytes([packed[500] ^ 1]) + packed[501:]):
        with pytest.raises(WeightsError, match=r"new\.zlib: .*the file is damaged"):
            weights.move_order(content, "new.zlib")
    assert shipped().order_after(0x0000000810000000, 0x0000001008000000, 19) != 0
