"""The policy's model in the kernel: against plain Python, symmetric positions, and its gradient."""

from __future__ import annotations

import math
import random
from array import array
from typing import Any

import pytest

from othello_bot.kernel import (
    PolicyModel,
    PolicyTraining,
    images,
    legal_moves,
    policy_logarithms,
    policy_sizes,
    replay,
    seen_rows,
    spread_columns,
)
from tests.kernel.policy_oracle import ALL_ROWS, VECTOR_ROWS, Oracle

SIZES = policy_sizes()
START = 0x0000000810000000, 0x0000001008000000
Case = tuple[int, int, int]


def cases(count: int, seed: int = 1) -> list[Case]:
    """Return positions of random games in which there is a choice, with the last move."""
    dice = random.Random(seed)
    found: list[Case] = []
    while len(found) < count:
        mover, opponent = START
        last, wanted = 64, dice.randrange(58)
        for _ in range(wanted):
            moves = [square for square in range(64) if legal_moves(mover, opponent) >> square & 1]
            if not moves:
                break
            last = dice.choice(moves)
            _, mover, opponent, _ = replay(mover, opponent, bytes([last]))
        if legal_moves(mover, opponent).bit_count() > 1:
            found.append((mover, opponent, last))
    return found


def table(rows: int, columns: int, dice: random.Random, spread: float) -> Any:
    """Return a table of random numbers."""
    numbers = array("f", (dice.gauss(0, spread) for _ in range(rows * columns)))
    return memoryview(numbers).cast("B").cast("f", (rows, columns))


class RandomModel:
    """A small random model that knows some of the rows of some positions."""

    def __init__(self, known: list[Case], seed: int = 2) -> None:
        dice = random.Random(seed)
        rows, boards = rows_of(known)
        self.kept = array("i", sorted(row for row in {row for rows in rows for row in rows} if dice.random() < 0.8))
        self.boards = array("I", sorted(set(boards) - {0}))
        vectors = sum(row < SIZES["vector_rows"] for row in self.kept)
        self.vectors = table(vectors + 1, SIZES["width"], dice, 0.3)
        self.shares = table(len(self.kept) - vectors + 1 + len(self.boards), SIZES["shares"], dice, 0.3)
        for column in range(SIZES["shares"]):
            self.shares[0, column] = 0.0
        self.networks = array("f", (dice.gauss(0, 0.15) for _ in range(SIZES["networks"])))
        self.model = PolicyModel(self.kept, self.boards, self.vectors, self.shares, self.networks)

    def oracle(self) -> Oracle:
        """Return the same model in plain Python."""
        return Oracle(self.kept, self.boards, self.vectors.tolist(), self.shares.tolist(), self.networks)


def rows_of(known: list[Case]) -> tuple[list[list[int]], list[int]]:
    """Return the rows of all moves of positions, and the hashes of their boards."""
    rows: Any = memoryview(array("i", bytes(4 * 12 * 40 * len(known)))).cast("B").cast("i", (40 * len(known), 12))
    boards = array("I", bytes(4 * 40 * len(known)))
    count = seen_rows(
        array("Q", [case[0] for case in known]),
        array("Q", [case[1] for case in known]),
        bytes(case[2] for case in known),
        rows,
        boards,
    )
    return [row[:11] for row in rows.tolist()[:count]], list(boards[:count])


def scores_of(case: Case, seed: int) -> list[dict[int, int]]:
    """Return random scores of all moves for the three depths."""
    dice = random.Random(seed)
    moves = [square for square in range(64) if legal_moves(*case[:2]) >> square & 1]
    return [{square: dice.randrange(-40, 41) for square in moves} for _ in range(3)]


def as_table(scores: list[dict[int, int]]) -> Any:
    """Return scores as the kernel takes them."""
    numbers = array("b", [127] * 192)
    for depth, found in enumerate(scores):
        for square, score in found.items():
            numbers[64 * depth + square] = score
    return memoryview(numbers).cast("B").cast("b", (3, 64))


def test_sizes() -> None:
    assert (SIZES["vector_rows"], SIZES["rows"]) == (VECTOR_ROWS, ALL_ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("blended", [False, True])
def test_probabilities_are_those_of_plain_python(blended: bool) -> None:
    known = cases(14)
    tables = RandomModel(known)
    oracle = tables.oracle()
    for number, case in enumerate(known):
        rating = (None, 900.0, 1500.0, 1777.0, 3000.0)[number % 5]
        scores = scores_of(case, number) if blended else None
        expected = oracle.probabilities(*case, rating, scores)
        got = tables.model.probabilities(
            *case, math.nan if rating is None else rating, None if scores is None else as_table(scores)
        )
        assert got == pytest.approx(expected, rel=2e-3, abs=1e-5)
        assert sum(got) == pytest.approx(1, abs=1e-5)


def test_symmetric_positions_have_the_same_probabilities() -> None:
    known = cases(30)
    tables = RandomModel(known)
    for case in known:
        mover, opponent, last = case
        moves = [square for square in range(64) if legal_moves(mover, opponent) >> square & 1]
        chances = dict(zip(moves, tables.model.probabilities(*case, 1500.0), strict=True))
        for image in range(1, 8):
            turned = images(mover)[image], images(opponent)[image]
            was = 64 if last == 64 else images(1 << last)[image].bit_length() - 1
            squares = [square for square in range(64) if legal_moves(*turned) >> square & 1]
            found = dict(zip(squares, tables.model.probabilities(*turned, was, 1500.0), strict=True))
            expected = {images(1 << square)[image].bit_length() - 1: chance for square, chance in chances.items()}
            assert found == pytest.approx(expected, abs=1e-5)


def test_all_first_moves_are_equally_likely() -> None:
    assert RandomModel(cases(5)).model.probabilities(*START, 64, 1500.0) == pytest.approx([0.25] * 4)


def test_a_position_without_a_move_has_no_probabilities() -> None:
    assert RandomModel(cases(5)).model.probabilities(0x1, 0x4, 64, 1500.0) == []


@pytest.mark.parametrize("blends", [False, True])
def test_the_gradient_is_the_slope_of_the_loss(blends: bool) -> None:
    known = cases(6, seed=4)
    tables = RandomModel(known)
    played = bytes(legal_moves(*case[:2]).bit_length() - 1 for case in known)
    columns = (
        array("Q", [case[0] for case in known]),
        array("Q", [case[1] for case in known]),
        bytes(case[2] for case in known),
    )
    ratings = array("f", [1300.0] * len(known))
    flat = array("b", [0]) * (192 * len(known))
    for number, case in enumerate(known):
        for depth, found in enumerate(scores_of(case, number)):
            for square, score in found.items():
                flat[192 * number + 64 * depth + square] = score
    scores = memoryview(flat).cast("B").cast("b", (len(known), 3, 64)) if blends else None

    def loss() -> float:
        numbers = memoryview(array("f", [0.0]) * (64 * len(known))).cast("B").cast("f", (len(known), 64))
        policy_logarithms(tables.model, *columns, ratings, numbers, scores)
        return -math.fsum(numbers[place, square] for place, square in enumerate(played))

    zeros = random.Random(0)
    slopes = array("f", bytes(4 * SIZES["networks"]))
    vectors = table(len(tables.vectors.tolist()), SIZES["width"], zeros, 0.0)
    shares = table(len(tables.shares.tolist()), SIZES["shares"], zeros, 0.0)
    training = PolicyTraining(tables.model, blends, vectors, shares, slopes, array("f", bytes(4 * 64 * 160)))
    assert training.add(*columns, played, ratings, scores) == pytest.approx(loss(), rel=1e-5)
    steepest = sorted(range(SIZES["networks"]), key=lambda place: -abs(slopes[place]))[:400:40]
    for place in steepest:
        before = tables.networks[place]
        around = []
        for step in (0.002, -0.002):
            tables.networks[place] = before + step
            around.append(loss())
        tables.networks[place] = before
        assert slopes[place] == pytest.approx((around[0] - around[1]) / 0.004, rel=0.05, abs=0.01)


def test_tables_are_spread() -> None:
    spread: Any = spread_columns(bytes([1, 2, 255, 0, 128, 127]), 2, 0.5)
    assert spread.tolist() == [[0.5, 0.0], [1.0, -64.0], [-0.5, 63.5]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kept": array("i", [5, 5])}, "rising"),
        ({"kept": array("i", [-1])}, "rising"),
        ({"kept": array("i", [ALL_ROWS])}, "rising"),
        ({"networks": array("f", [0.0])}, "1 numbers"),
    ],
)
def test_tables_that_do_not_fit_are_refused(change: dict[str, Any], words: str) -> None:
    tables = RandomModel(cases(2))
    given = {"kept": tables.kept, "networks": tables.networks} | change
    with pytest.raises(ValueError, match=words):
        PolicyModel(given["kept"], tables.boards, tables.vectors, tables.shares, given["networks"])


def test_a_square_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="last move 65"):
        RandomModel(cases(1)).model.probabilities(*START, 65, 1500.0)
