"""Pairwise factors and the scale that turns their sum into a value."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest

from othello_bot import kernel
from othello_bot.kernel import Searcher, factor_columns, patterns
from othello_bot.rules.position import Position
from tests.kernel.evaluations import FULL_WIDTH, columns_of, midgames, one_stage, search_plainly
from tests.kernel.positions import BitboardPair, after, empties_of, filled, played, squares_of


def scale_of(values: list[list[int]]) -> Any:
    """Return a scale in the kernel's shape, from the values of each number of empties."""
    return memoryview(array("h", (value for row in values for value in row))).cast("B").cast("h", (61, 65))


LEVEL = scale_of([[128 * whole for whole in range(65)]] * 61)


PHASES = [0] * 20 + [1] * 41
"""Two phases of the game."""


def factors_of(rng: random.Random, largest: int = 20) -> tuple[Any, Any, Any, Any, Any]:
    """Return random factors in the kernel's shapes: phases, rows up to `largest`, shift, signs, level scale."""
    count = 2 * kernel.factor_reduced_index(array("i", bytes(4 * patterns.FACTOR_ROWS)))
    values = bytes((number % (2 * largest + 1) - largest) % 256 for number in range(256))
    rows = array("b", rng.randbytes(patterns.CHANNELS * count).translate(values))
    shift = array("h", (rng.randint(-200, 200) for _ in range(patterns.CHANNELS * 61)))
    signs = array("b", [0, *[1, -1, 1, -1, 0] * 6, 0])
    return (
        PHASES,
        memoryview(rows).cast("B").cast("b", (count, patterns.CHANNELS)),
        memoryview(shift).cast("B").cast("h", (61, patterns.CHANNELS)),
        memoryview(signs),
        LEVEL,
    )


def row_columns(positions: list[BitboardPair]) -> list[list[int]]:
    """Return the rows of factors in each position's sums."""
    return columns_of(positions, factor_columns, 65)


def with_factors(factors: tuple[Any, Any, Any, Any, Any]) -> kernel.Weights:
    count = kernel.reduced_index(array("i", bytes(4 * patterns.TABLE_SIZE)))
    tables = memoryview(bytes(2 * count)).cast("h", (1, count))
    return kernel.weights_from_reduced([0] * 61, tables, factors)


@pytest.mark.parametrize("largest", [20, 63])
def test_what_factors_add_is_a_sum_and_squares_of_sums(largest: int) -> None:
    """With the largest rows as well, where the numbers come nearest to what 16 and 32 bits hold."""
    rng = random.Random(12)
    _, rows, shift, signs, _ = factors = factors_of(rng, largest)
    numbers = array("i", bytes(4 * patterns.FACTOR_ROWS))
    kernel.factor_reduced_index(numbers)
    weights = with_factors(factors)
    searcher = Searcher(1)
    searcher.set_weights(weights)
    positions = [played(rng, empties) for empties in range(1, 60)] + [filled(rng, 20, 0.1), filled(rng, 0, 0.9)]
    inside = 0  # the end of the scale
    for position, row in zip(positions, row_columns(positions), strict=True):
        begin = len(rows) // 2 * PHASES[empties_of(*position)]
        sums = [
            shift[empties_of(*position), channel] + sum(rows[begin + numbers[column], channel] for column in row)
            for channel in range(patterns.CHANNELS)
        ]
        squares = sum(sign * square**2 for sign, square in zip(signs, sums, strict=True))
        value = 8 * sums[0] + (squares >> 5)
        inside += abs(value) < 8192
        assert weights.evaluate(*position) == max(-8192, min(value, 8192)) / 128
        assert searcher.static_value(*position) == weights.evaluate(*position)
    assert inside > 10


def test_values_lie_on_the_scale_of_their_number_of_empties() -> None:
    """Straight from one whole disc to the next, the same for both sides, and the last value for larger sums."""
    rng = random.Random(19)
    scale = []
    for _ in range(61):
        values = [0]
        while len(values) < 65:
            values.append(values[-1] + rng.randint(1, 300))
        scale.append(values)
    factors = factors_of(rng, 30)
    plain, scaled = with_factors(factors), with_factors((*factors[:4], scale_of(scale)))
    beyond = 0
    for position in [played(rng, empties) for empties in range(1, 60) for _ in range(3)]:
        total = round(128 * plain.evaluate(*position))
        whole, part = divmod(abs(total), 128)
        row = [*scale[empties_of(*position)], 0]
        value = row[whole] + (row[whole + 1] - row[whole]) * part // 128 if whole < 64 else row[64]
        beyond += whole == 64
        assert scaled.evaluate(*position) == (value if total > 0 else -value) / 128
    assert 5 < beyond < 100


def test_sums_and_values_lead_to_each_other() -> None:
    bent = [[60 * whole + 50 * max(whole - 10, 0) for whole in range(65)]] * 61
    weights = with_factors((*factors_of(random.Random(20), 3)[:4], scale_of(bent)))
    largest = bent[0][64] // 128
    for value in range(-largest, largest + 1):
        total = weights.sum_of(20, value)
        assert total == -weights.sum_of(20, -value)
        assert weights.value_of(20, total) == pytest.approx(value, abs=1e-5)
    assert weights.sum_of(20, 5) == pytest.approx(10 + 40 / 110)
    # Beyond the end of the scale: its end for values that no sum has, no value for sums that are not on it.
    assert weights.sum_of(20, 64) == weights.sum_of(20, largest + 1) == 64
    assert weights.value_of(20, 70.5) == 70.5
    level = with_factors(factors_of(random.Random(20), 3))
    plain = one_stage(array("h", bytes(2 * patterns.TABLE_SIZE)))
    for unscaled in (level, plain):
        assert [unscaled.sum_of(30, value) for value in (-64, -3, 0, 17, 64)] == [-64, -3, 0, 17, 64]
        assert [unscaled.value_of(30, total) for total in (-80.0, -3.25, 0.0, 63.5)] == [-80, -3.25, 0, 63.5]
    for empties, value in ((61, 0), (-1, 0), (20, 65), (20, -65)):
        with pytest.raises(ValueError, match="empties"):
            weights.sum_of(empties, value)
    with pytest.raises(ValueError, match="61 empties"):
        weights.value_of(61, 0)


@pytest.mark.parametrize("sign", [1, -1])
def test_sums_of_the_largest_rows_and_shifts_do_not_overflow(sign: int) -> None:
    """All of them alike, where a sum that overflows has the other sign; and in pairs one apart, which nearly cancel."""
    count = kernel.factor_reduced_index(array("i", bytes(4 * patterns.FACTOR_ROWS)))
    position = played(random.Random(13), 20)
    for row, largest in ((63, patterns.LARGEST_SHIFT), (-63, -patterns.LARGEST_SHIFT)):
        rows = memoryview(array("b", [0, *[row] * 31]) * count).cast("B").cast("b", (count, 32))
        alike, apart = (
            memoryview(array("h", shift * 61)).cast("B").cast("h", (61, 32))
            for shift in ([0] + [largest] * 31, [0, 0] + [largest, largest + (-1 if row > 0 else 1)] * 15)
        )
        weights = with_factors(([0] * 61, rows, alike, memoryview(array("b", [0] + [sign] * 31)), LEVEL))
        assert weights.evaluate(*position) == 64 * sign
        weights = with_factors(([0] * 61, rows, apart, memoryview(array("b", [0, 0] + [sign, -sign] * 15)), LEVEL))
        total = abs(65 * row + largest)
        assert weights.evaluate(*position) == ((15 * sign * (total**2 - (total - 1) ** 2)) >> 5) / 128


def set_number(moves: int, squares: tuple[int, ...]) -> int:
    return sum((moves >> square & 1) << bit for bit, square in enumerate(squares))


def test_sets_of_moves_are_those_of_both_sides_in_each_quarter() -> None:
    rng = random.Random(17)
    for position in [played(rng, empties) for empties in range(1, 60)] + [filled(rng, 30, 0.5) for _ in range(40)]:
        sides = kernel.legal_moves(*position), kernel.legal_moves(*position[::-1])
        expected = [set_number(moves, quarter) for moves in sides for quarter in patterns.MOVE_QUARTERS]
        begins = range(patterns.FACTOR_MOVES_OFFSET, patterns.FACTOR_ROWS, patterns.MOVE_SETS)
        found = row_columns([position])[0][57:]
        assert [column - begin for column, begin in zip(found, begins, strict=True)] == expected


def test_images_of_a_set_of_moves_share_a_number_and_no_others_do() -> None:
    numbers = array("i", bytes(4 * patterns.FACTOR_ROWS))
    kernel.factor_reduced_index(numbers)
    rng = random.Random(18)
    begins = range(patterns.FACTOR_MOVES_OFFSET, patterns.FACTOR_ROWS, patterns.MOVE_SETS)
    of_side = [[numbers[begin : begin + patterns.MOVE_SETS] for begin in begins[side : side + 4]] for side in (0, 4)]
    for quarters in of_side:
        assert len({number for quarter in quarters for number in quarter}) == (4096 + 128) // 2
        for _ in range(200):
            moves = rng.getrandbits(64)
            corner = Position(moves & sum(1 << square for square in patterns.MOVE_QUARTERS[0]), 0)
            # Seven of eight images lie in another quarter, or in this one turned over.
            seen = set()
            for image in corner.symmetries():
                for squares, quarter in zip(patterns.MOVE_QUARTERS, quarters, strict=True):
                    if image.mover == image.mover & sum(1 << square for square in squares):
                        seen.add(quarter[set_number(image.mover, squares)])
            assert len(seen) == 1
    assert not {number for quarter in of_side[0] for number in quarter} & set(of_side[1][0])


@pytest.mark.slow
def test_factors_change_the_search_as_they_change_its_leaves() -> None:
    """The indices of the factors' own places are carried along like the others: one ply below is the static value."""
    searcher = Searcher(1)
    searcher.set_weights(with_factors(factors_of(random.Random(14), 6)))
    for position in midgames(random.Random(15)):
        expected = {
            square: -search_plainly(searcher, *after(*position, square), 1)
            for square in squares_of(kernel.legal_moves(*position))
        }
        if max(map(abs, expected.values())) >= 40:
            continue
        searcher.clear()
        searcher.begin(*position)
        assert searcher.iterate(2, FULL_WIDTH, -64, 64, 64)
        assert {move: score for move, score, *_ in searcher.lines(64)} == expected


def test_factors_of_wrong_shape_are_refused() -> None:
    phases, rows, shift, signs, scale = factors_of(random.Random(16))
    rising = list(range(65))
    weights = one_stage(array("h", bytes(2 * patterns.TABLE_SIZE)))
    short = memoryview(bytes(320)).cast("b", (10, 32))
    large = memoryview(array("h", [4001] * (61 * 32))).cast("B").cast("h", (61, 32))
    wide = memoryview(array("b", [-64] * (32 * len(rows)))).cast("B").cast("b", (len(rows), 32))
    for factors, message in (
        ((short, shift, signs, scale), "10 x 32 factors: 2 phases of the patterns have"),
        ((rows, memoryview(bytes(2 * 32)).cast("h", (1, 32)), signs, scale), "not 61 x 32, 32"),
        ((rows, shift, signs[:31], scale), "not 61 x 32, 32"),
        ((rows, large, signs, scale), "not within 4000"),
        ((wide, shift, signs, scale), "factors up to 64: not within 63"),
        ((rows, shift, memoryview(array("b", [1] * 32)), scale), "not 0, then -1, 0 or 1"),
        ((rows, shift, memoryview(array("b", [0, 2] + [0] * 30)), scale), "not 0, then -1, 0 or 1"),
        ((rows, shift, signs, scale[:60]), "scale 60 x 65: not 61 x 65"),
        ((rows, shift, signs, shift), "scale 61 x 32: not 61 x 65"),
        ((rows, shift, signs, scale_of([*[rising] * 60, list(range(1, 66))])), "60 empties: not rising from 0"),
        ((rows, shift, signs, scale_of([[*range(64), 63], *[rising] * 60])), " 0 empties: not rising from 0"),
    ):
        with pytest.raises(ValueError, match=message):
            weights.set_factors(phases, *factors)
    for wrong in (phases[:60], [*phases[:60], -1], [62] * 61):
        with pytest.raises(ValueError, match=r"phases .*: not 61 numbers"):
            weights.set_factors(wrong, rows, shift, signs, scale)
    with pytest.raises(ValueError, match="1 phases of the patterns have"):
        weights.set_factors([0] * 61, rows, shift, signs, scale)
    with pytest.raises(ValueError, match="entries: not"):
        kernel.factor_reduced_index(array("i", [0]))
    for shape in ((2, 64), (1, 65)):
        columns = memoryview(bytearray(4 * shape[0] * shape[1])).cast("i", shape)
        with pytest.raises(ValueError, match="not n, n, n x 65"):
            factor_columns(array("Q", [1, 2]), array("Q", [4, 8]), columns)
