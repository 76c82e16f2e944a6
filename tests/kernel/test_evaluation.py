"""The static evaluation: incremental against from scratch, symmetry, the weights' two forms, the patterns' shapes."""

from __future__ import annotations

import random
import sys
import threading
import types
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from othello_bot import patterns
from othello_bot.kernel import board, evaluation, midgame
from othello_bot.kernel.searcher import Searcher
from othello_bot.position import Position
from othello_bot.weights import shipped
from tests.kernel.positions import Bitboards, after, empties_of, filled, minimax, played, squares_of

FULL_WIDTH = 5


def searcher_with(name: str) -> Searcher:
    searcher = Searcher(1)
    searcher.set_weights(shipped() if name == "learned" else None)
    return searcher


def whole_discs(value: float) -> int:
    """Return a static value as the search sees it: rounded, halves up, and never as far out as a finished game."""
    return max(-62, min(62, (round(value * 128) + 64) // 128))


def search_plainly(static: Searcher, mover: int, opponent: int, depth: int) -> int:
    """Return the score of a search without any pruning whose leaves are evaluated from scratch."""
    if depth >= empties_of(mover, opponent):
        return minimax(mover, opponent, {})
    if depth == 0:
        return whole_discs(static.static_value(mover, opponent))
    moves = board.legal_moves(mover, opponent)
    if moves:
        children = [after(mover, opponent, square) for square in squares_of(moves)]
        # Who takes the last disc has won, whatever the evaluation would say of the board.
        return max(64 if not child[0] else -search_plainly(static, *child, depth - 1) for child in children)
    if board.legal_moves(opponent, mover):
        return -search_plainly(static, opponent, mover, depth)
    return board.final_score(mover, opponent)


def with_a_pass_near(rng: random.Random, empties: int) -> Bitboards:
    """Return a position in which some move leaves the opponent none."""
    while True:
        mover, opponent = played(rng, empties)
        for square in squares_of(board.legal_moves(mover, opponent)):
            child = after(mover, opponent, square)
            if child[0] and not board.legal_moves(*child) and board.legal_moves(child[1], child[0]):
                return mover, opponent


def midgames(rng: random.Random) -> Iterator[Bitboards]:
    for empties in range(20, 58, 2):
        yield played(rng, empties)
    for empties in (34, 30, 28, 26, 24, 22, 20):
        yield with_a_pass_near(rng, empties)


@pytest.mark.parametrize("name", ["learned", "handmade"])
def test_search_with_incremental_indices_is_the_plain_search(name: str) -> None:
    """Depths below internal deepening, so that nothing but exact pruning takes part."""
    searcher, static = searcher_with(name), searcher_with(name)
    compared = 0
    for position in midgames(random.Random(1)):
        for depth in (1, 2, 3):
            expected = {
                square: -search_plainly(static, *after(*position, square), depth - 1)
                for square in squares_of(board.legal_moves(*position))
            }
            # Where a game is as good as over, stability may rightly correct what the evaluation says.
            if max(map(abs, expected.values())) >= min(48, 2 * (empties_of(*position) - depth) - 4):
                continue
            searcher.clear()
            searcher.begin(*position)
            assert searcher.iterate(depth, FULL_WIDTH, -64, 64, 64)
            found = {move: score for move, score, *_ in searcher.lines(64)}
            assert found == expected, f"depth {depth}: {position[0]:#x} {position[1]:#x}"
            compared += 1
    assert compared > 40


def test_all_symmetric_images_have_the_same_value() -> None:
    searcher = searcher_with("learned")
    rng = random.Random(2)
    for empties in range(0, 60, 3):
        position = Position(*(played(rng, empties) if empties else filled(rng, 0, 0.5)))
        values = {searcher.static_value(image.mover, image.opponent) for image in position.symmetries()}
        assert len(values) == 1


def test_handmade_value_is_the_same_from_every_door() -> None:
    searcher = searcher_with("handmade")
    rng = random.Random(3)
    for empties in range(1, 60):
        position = played(rng, empties)
        assert searcher.static_value(*position) == evaluation.evaluate_handmade(*position)


def columns_of(positions: list[Bitboards]) -> list[list[int]]:
    """The table entries that each position's value is the sum of."""
    columns = memoryview(bytearray(4 * 31 * len(positions))).cast("i", (len(positions), 31))
    movers, opponents = (array("Q", column) for column in zip(*positions, strict=True))
    evaluation.feature_columns(movers, opponents, columns)
    rows: Any = columns.tolist()
    return [list(row) for row in rows]


def test_learned_value_is_the_sum_of_its_columns() -> None:
    rng = random.Random(4)
    table = array("h", (rng.randrange(-300, 300) for _ in range(patterns.TABLE_SIZE)))
    weights = one_stage(table)
    positions = [played(rng, empties) for empties in range(1, 60)] + [filled(rng, 20, 0.1), filled(rng, 0, 0.9)]
    searcher = Searcher(1)
    searcher.set_weights(weights)
    for position, row in zip(positions, columns_of(positions), strict=True):
        value = sum(table[column] for column in row) / 128
        assert weights.evaluate(*position) == value
        assert searcher.static_value(*position) == value


def test_columns_of_wrong_shape_are_refused() -> None:
    movers = array("Q", [1, 2])
    for shape in ((2, 30), (1, 31), (3, 31)):
        columns = memoryview(bytearray(4 * shape[0] * shape[1])).cast("i", shape)
        with pytest.raises(ValueError, match="not n, n, n x 31"):
            evaluation.feature_columns(movers, movers, columns)


def test_columns_stay_inside_their_tables() -> None:
    rng = random.Random(5)
    boards = [filled(rng, rng.randrange(61), rng.random()) for _ in range(300)]
    begins = [patterns.OFFSETS[number] for number, _ in patterns.FEATURES]
    sizes = [patterns.PATTERNS[number].states for number, _ in patterns.FEATURES]
    begin = patterns.COUNTS_OFFSET
    for _, size in patterns.COUNTS:
        begins.append(begin)
        sizes.append(size)
        begin += size
    for row in columns_of(boards):
        for column, first, size in zip(row, begins, sizes, strict=True):
            assert first <= column < first + size


def scale_of(values: list[list[int]]) -> Any:
    """Return a scale in the kernel's shape, from the values of each number of empties."""
    return memoryview(array("h", (value for row in values for value in row))).cast("B").cast("h", (61, 65))


LEVEL = scale_of([[128 * whole for whole in range(65)]] * 61)


def factors_of(rng: random.Random, largest: int = 20) -> tuple[Any, Any, Any, Any]:
    """Return random factors in the kernel's shapes: rows up to `largest`, shift, signs, level scale."""
    count = evaluation.factor_reduced_index(array("i", bytes(4 * patterns.FACTOR_ROWS)))
    rows = array("b", (rng.randint(-largest, largest) for _ in range(patterns.CHANNELS * count)))
    shift = array("h", (rng.randint(-200, 200) for _ in range(patterns.CHANNELS * 61)))
    signs = array("b", [0, *[1, -1, 1, -1, 0] * 6, 0])
    return (
        memoryview(rows).cast("B").cast("b", (count, patterns.CHANNELS)),
        memoryview(shift).cast("B").cast("h", (61, patterns.CHANNELS)),
        memoryview(signs),
        LEVEL,
    )


def factor_columns_of(positions: list[Bitboards]) -> list[list[int]]:
    """The rows of factors that each position's sums are made of."""
    columns = memoryview(bytearray(4 * 65 * len(positions))).cast("i", (len(positions), 65))
    movers, opponents = (array("Q", column) for column in zip(*positions, strict=True))
    evaluation.factor_columns(movers, opponents, columns)
    rows: Any = columns.tolist()
    return [list(row) for row in rows]


def with_factors(factors: tuple[Any, Any, Any, Any]) -> evaluation.Weights:
    count = evaluation.reduced_index(array("i", bytes(4 * patterns.TABLE_SIZE)))
    tables = memoryview(bytes(2 * count)).cast("h", (1, count))
    return evaluation.weights_from_reduced([0] * 61, tables, factors)


@pytest.mark.parametrize("largest", [20, 63])
def test_what_factors_add_is_a_sum_and_squares_of_sums(largest: int) -> None:
    """With the largest rows as well, where the numbers come nearest to what 16 and 32 bits hold."""
    rng = random.Random(12)
    rows, shift, signs, _ = factors = factors_of(rng, largest)
    numbers = array("i", bytes(4 * patterns.FACTOR_ROWS))
    evaluation.factor_reduced_index(numbers)
    weights = with_factors(factors)
    searcher = Searcher(1)
    searcher.set_weights(weights)
    positions = [played(rng, empties) for empties in range(1, 60)] + [filled(rng, 20, 0.1), filled(rng, 0, 0.9)]
    inside = 0  # the end of the scale
    for position, row in zip(positions, factor_columns_of(positions), strict=True):
        sums = [
            shift[empties_of(*position), channel] + sum(rows[numbers[column], channel] for column in row)
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
    plain, scaled = with_factors(factors), with_factors((*factors[:3], scale_of(scale)))
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
    weights = with_factors((*factors_of(random.Random(20), 3)[:3], scale_of(bent)))
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
    count = evaluation.factor_reduced_index(array("i", bytes(4 * patterns.FACTOR_ROWS)))
    position = played(random.Random(13), 20)
    for row, largest in ((63, patterns.LARGEST_SHIFT), (-63, -patterns.LARGEST_SHIFT)):
        rows = memoryview(array("b", [0, *[row] * 31]) * count).cast("B").cast("b", (count, 32))
        alike, apart = (
            memoryview(array("h", shift * 61)).cast("B").cast("h", (61, 32))
            for shift in ([0] + [largest] * 31, [0, 0] + [largest, largest + (-1 if row > 0 else 1)] * 15)
        )
        weights = with_factors((rows, alike, memoryview(array("b", [0] + [sign] * 31)), LEVEL))
        assert weights.evaluate(*position) == 64 * sign
        weights = with_factors((rows, apart, memoryview(array("b", [0, 0] + [sign, -sign] * 15)), LEVEL))
        total = abs(65 * row + largest)
        assert weights.evaluate(*position) == ((15 * sign * (total**2 - (total - 1) ** 2)) >> 5) / 128


def set_number(moves: int, squares: tuple[int, ...]) -> int:
    return sum((moves >> square & 1) << bit for bit, square in enumerate(squares))


def test_sets_of_moves_are_those_of_both_sides_in_each_quarter() -> None:
    rng = random.Random(17)
    for position in [played(rng, empties) for empties in range(1, 60)] + [filled(rng, 30, 0.5) for _ in range(40)]:
        sides = board.legal_moves(*position), board.legal_moves(*position[::-1])
        expected = [set_number(moves, quarter) for moves in sides for quarter in patterns.MOVE_QUARTERS]
        begins = range(patterns.FACTOR_MOVES_OFFSET, patterns.FACTOR_ROWS, patterns.MOVE_SETS)
        found = factor_columns_of([position])[0][57:]
        assert [column - begin for column, begin in zip(found, begins, strict=True)] == expected


def test_images_of_a_set_of_moves_share_a_number_and_no_others_do() -> None:
    numbers = array("i", bytes(4 * patterns.FACTOR_ROWS))
    evaluation.factor_reduced_index(numbers)
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


def test_factors_change_the_search_as_they_change_its_leaves() -> None:
    """The indices of the factors' own places are carried along like the others: one ply below is the static value."""
    searcher = Searcher(1)
    searcher.set_weights(with_factors(factors_of(random.Random(14), 6)))
    for position in midgames(random.Random(15)):
        expected = {
            square: -search_plainly(searcher, *after(*position, square), 1)
            for square in squares_of(board.legal_moves(*position))
        }
        if max(map(abs, expected.values())) >= 40:
            continue
        searcher.clear()
        searcher.begin(*position)
        assert searcher.iterate(2, FULL_WIDTH, -64, 64, 64)
        assert {move: score for move, score, *_ in searcher.lines(64)} == expected


def test_factors_of_wrong_shape_are_refused() -> None:
    rows, shift, signs, scale = factors_of(random.Random(16))
    rising = list(range(65))
    weights = one_stage(array("h", bytes(2 * patterns.TABLE_SIZE)))
    short = memoryview(bytes(320)).cast("b", (10, 32))
    large = memoryview(array("h", [4001] * (61 * 32))).cast("B").cast("h", (61, 32))
    wide = memoryview(array("b", [-64] * (32 * len(rows)))).cast("B").cast("b", (len(rows), 32))
    for factors, message in (
        ((short, shift, signs, scale), "10 x 32 factors: the patterns have"),
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
            weights.set_factors(*factors)
    with pytest.raises(ValueError, match="entries: not"):
        evaluation.factor_reduced_index(array("i", [0]))
    for shape in ((2, 64), (1, 65)):
        columns = memoryview(bytearray(4 * shape[0] * shape[1])).cast("i", shape)
        with pytest.raises(ValueError, match="not n, n, n x 65"):
            evaluation.factor_columns(array("Q", [1, 2]), array("Q", [4, 8]), columns)


def one_stage(table: array[int], stages: list[int] | None = None) -> evaluation.Weights:
    rows = memoryview(table).cast("B").cast("h", (1, len(table)))
    return evaluation.Weights([0] * 61 if stages is None else stages, rows)


def test_each_number_of_empties_has_its_stage() -> None:
    size = patterns.TABLE_SIZE
    table = array("h", bytes(4 * size))
    for entry in range(patterns.COUNTS_OFFSET + 2048, size):
        table[entry] = 128  # one of these counts in every position, once
        table[size + entry] = 256
    rows = memoryview(table).cast("B").cast("h", (2, size))
    weights = evaluation.Weights([0] * 30 + [1] * 31, rows)
    rng = random.Random(6)
    for empties in range(1, 61):
        assert weights.evaluate(*played(rng, empties)) == (1.0 if empties < 30 else 2.0)


def test_weights_of_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=f"the patterns have {patterns.TABLE_SIZE}"):
        one_stage(array("h", bytes(2 * 100)))
    table = array("h", bytes(2 * patterns.TABLE_SIZE))
    for stages in ([0] * 60, [0] * 62, [0] * 60 + [1], [-1] + [0] * 60):
        with pytest.raises(ValueError, match="not 61 numbers below 1"):
            one_stage(table, stages)
    with pytest.raises(ValueError, match="weights a stage: the patterns have"):
        evaluation.weights_from_reduced([0] * 61, memoryview(bytes(20)).cast("h", (1, 10)))
    many = memoryview(bytes(2 * 62)).cast("h", (62, 1))
    with pytest.raises(ValueError, match="not 61 numbers below 61"):
        evaluation.weights_from_reduced([0] * 61, many)
    with pytest.raises(ValueError, match="entries: not"):
        evaluation.reduced_index(array("i", [0]))


def test_reduced_weights_are_the_full_ones() -> None:
    rng = random.Random(7)
    numbers = array("i", bytes(4 * patterns.TABLE_SIZE))
    count = evaluation.reduced_index(numbers)
    assert set(numbers) == set(range(count))
    reduced = array("h", (rng.randrange(-300, 300) for _ in range(count)))
    full = one_stage(array("h", (reduced[number] for number in numbers)))
    short = evaluation.weights_from_reduced([0] * 61, memoryview(reduced).cast("B").cast("h", (1, count)))
    for empties in range(0, 60, 2):
        position = played(rng, empties) if empties else filled(rng, 0, 0.4)
        assert short.evaluate(*position) == full.evaluate(*position)


def reduced_and_full(stages: int) -> tuple[list[int], Any, Any]:
    """Return stage numbers, and the same weights in both forms; neighbouring stages differ in every weight."""
    rng = random.Random(9)
    numbers = array("i", bytes(4 * patterns.TABLE_SIZE))
    count = evaluation.reduced_index(numbers)
    block = array("h", (rng.randrange(-60, 60) for _ in range(4099)))
    reduced, full = array("h"), array("h")
    for stage in range(stages):
        one = (block[stage * 7 :] + block * (count // len(block) + 1))[:count]
        reduced += one
        full += array("h", map(one.__getitem__, numbers))
    stage_of_empties = [empties * stages // 61 for empties in range(61)]
    tables = (memoryview(form).cast("B").cast("h", (stages, len(form) // stages)) for form in (reduced, full))
    return stage_of_empties, *tables


def test_stages_that_are_expanded_when_they_are_needed_are_the_full_ones() -> None:
    """Each search begins with weights of which no stage has been used: none may be missed, at whatever depth."""
    stages, reduced, full = reduced_and_full(12)
    expected = evaluation.Weights(stages, full)
    searchers = Searcher(1), Searcher(1)
    rng = random.Random(10)
    for turn, empties in enumerate((2, 6, 10, 13, 14, *range(15, 60))):
        position = played(rng, empties)
        depth = 60 if empties <= 14 else 2 + turn % 4
        found = []
        for searcher, weights in zip(
            searchers, (evaluation.weights_from_reduced(stages, reduced), expected), strict=True
        ):
            searcher.set_weights(weights)
            searcher.clear()
            searcher.begin(*position)
            clear = searcher.clearly_best(4, depth - 1, 0)
            searcher.iterate(depth, turn % 6)
            found.append((clear, searcher.lines(64), searcher.nodes))
        assert found[0] == found[1]


def test_threads_may_ask_for_a_stage_at_once() -> None:
    stages, reduced, full = reduced_and_full(3)
    position = played(random.Random(11), 24)

    def score(weights: evaluation.Weights, threads: int) -> int:
        searcher = Searcher(1, threads)
        searcher.set_weights(weights)
        return searcher.score(*position, 10)[0]

    def race(weights: evaluation.Weights, threads: int, barrier: threading.Barrier) -> int:
        barrier.wait()
        return score(weights, threads)

    expected = score(evaluation.Weights(stages, full), 1)
    with ThreadPoolExecutor(2) as pool:
        for threads in (1, 2, 1, 2):
            weights = evaluation.weights_from_reduced(stages, reduced)
            barrier = threading.Barrier(2)
            racing = [pool.submit(race, weights, threads, barrier) for _ in range(2)]
            assert [one.result() for one in racing] == [expected] * 2


@pytest.mark.parametrize("of", ["tables", "factors"])
def test_mirrored_states_share_a_number_and_no_others_do(of: str) -> None:
    if of == "tables":
        shapes, offsets = patterns.PATTERNS, patterns.OFFSETS
        size, number = patterns.TABLE_SIZE, evaluation.reduced_index
    else:
        shapes, offsets = patterns.FACTOR_PATTERNS, patterns.FACTOR_OFFSETS
        size, number = patterns.FACTOR_ROWS, evaluation.factor_reduced_index
    numbers = array("i", bytes(4 * size))
    assert number(numbers) == len(set(numbers)) == max(numbers) + 1
    rng = random.Random(8)
    for pattern, offset in zip(shapes, offsets, strict=True):
        part = numbers[offset : offset + pattern.states]
        if pattern.mirror is None:
            assert len(set(part)) == pattern.states
            continue
        fixed = 3 ** sum(1 for i, image in enumerate(pattern.mirror) if i <= image)
        assert len(set(part)) == (pattern.states + fixed) // 2
        for _ in range(200):
            digits = [rng.randrange(3) for _ in pattern.squares]
            mirrored = [digits[i] for i in pattern.mirror]
            state, image = (sum(digit * 3**i for i, digit in enumerate(read)) for read in (digits, mirrored))
            assert part[state] == part[image]


def test_patterns_have_their_shapes() -> None:
    assert len(patterns.FEATURES) == 28
    assert patterns.TABLE_SIZE == patterns.COUNTS_OFFSET + 2054
    assert len(patterns.FACTOR_FEATURES) == 54
    assert patterns.FACTOR_ROWS == patterns.FACTOR_COUNTS_OFFSET + 2054 + 8 * 4096
    for shapes in (patterns.PATTERNS, patterns.FACTOR_PATTERNS):
        assert len({pattern.name for pattern in shapes}) == len(shapes)
    for pattern in patterns.PATTERNS + patterns.FACTOR_PATTERNS:
        assert len(set(pattern.squares)) == len(pattern.squares) <= 10
        assert pattern.places[0] == pattern.squares
        assert len(pattern.places) in (1, 2, 4, 8)
        assert 2 * pattern.centre + 1 == pattern.states
        if pattern.mirror is not None:
            assert sorted(pattern.mirror) == list(range(len(pattern.squares)))
        else:
            assert len(pattern.places) == 8, "a shape without a mirror has eight places"


def test_every_square_is_read_by_a_pattern() -> None:
    assert {square for _, place in patterns.FACTOR_FEATURES for square in place} == set(range(64))


def test_fingerprint_changes_with_the_shapes() -> None:
    """Weights made for other patterns would be read as garbage: the fingerprint must tell them apart."""
    source = Path(patterns.__file__).read_text(encoding="utf-8")
    fingerprints = {patterns.FINGERPRINT}
    changes = (
        ('"b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"', '"g2 h1 g1 f1 e1 d1 c1 b1 a1 b2"'),
        ('"b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"', '"a1 b1 c1 d1 e1 f1 g1 h1"'),
        ('"edge block"', '"block at the edge"'),
        ('("odd quadrants", 6)', '("odd quadrants", 7)'),
        ('"d1 e2 f3 g4 h5"', '"h5 g4 f3 e2 d1"'),
        ('"a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 a4 b4"', '"a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3"'),
    )
    for before, now in changes:
        assert before in source
        module = types.ModuleType("patterns_changed")
        sys.modules[module.__name__] = module  # dataclasses look their module up
        try:
            exec(compile(source.replace(before, now), "patterns_changed", "exec"), module.__dict__)
        finally:
            del sys.modules[module.__name__]
        fingerprints.add(module.FINGERPRINT)
    assert len(fingerprints) == 1 + len(changes)


def test_probcut_model_refuses_what_is_no_model() -> None:
    six, five = array("d", [0.0] * 6), array("d", [0.0] * 5)
    for coefficients in ((five, six), (six, five)):
        with pytest.raises(ValueError, match="not 6 and 6"):
            midgame.set_probcut_model(*coefficients)
    for arguments in ((61, 1, 0), (1, 61, 0), (1, 1, 21), (-1, 0, 0)):
        with pytest.raises(ValueError, match="not within"):
            midgame.probcut_sigma(*arguments)
