"""The static evaluation: incremental against from scratch, symmetry, the sum behind a value."""

from __future__ import annotations

import random
from array import array

import pytest

from othello_bot import kernel
from othello_bot.evaluation import shipped
from othello_bot.kernel import Searcher, feature_columns, patterns
from othello_bot.rules.position import Position
from tests.kernel.evaluations import FULL_WIDTH, columns_of, midgames, one_stage, search_plainly
from tests.kernel.positions import BitboardPair, after, empties_of, filled, played, squares_of


def searcher_with(name: str) -> Searcher:
    searcher = Searcher(1)
    searcher.set_weights(shipped() if name == "learned" else None)
    return searcher


@pytest.mark.slow
@pytest.mark.parametrize("name", ["learned", "handmade"])
def test_search_with_incremental_indices_is_the_plain_search(name: str) -> None:
    """Depths below internal deepening, so that nothing but exact pruning takes part.

    Every seventh position is searched to depth 3, which takes by far the longest.
    """
    searcher, static = searcher_with(name), searcher_with(name)
    compared = 0
    for number, position in enumerate(position for seed in (1, 6, 11) for position in midgames(random.Random(seed))):
        for depth in (1, 2, 3) if number % 7 == 0 else (1, 2):
            expected = {
                square: -search_plainly(static, *after(*position, square), depth - 1)
                for square in squares_of(kernel.legal_moves(*position))
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


@pytest.mark.parametrize("name", ["learned", "handmade"])
def test_all_symmetric_images_have_the_same_value(name: str) -> None:
    searcher = searcher_with(name)
    rng = random.Random(2)
    for empties in range(0, 60, 3):
        position = Position(*(played(rng, empties) if empties else filled(rng, 0, 0.5)))
        values = {searcher.static_value(image.mover, image.opponent) for image in position.symmetries()}
        assert len(values) == 1


def leaves_of(position: BitboardPair, depth: int) -> list[BitboardPair]:
    """Return all positions `depth` moves later; a pass is not a move, and a game that ends before has none."""
    if depth == 0:
        return [position]
    moves = squares_of(kernel.legal_moves(*position))
    if not moves:
        passed = position[::-1]
        return leaves_of(passed, depth) if kernel.legal_moves(*passed) else []
    return [leaf for square in moves for leaf in leaves_of(after(*position, square), depth - 1)]


@pytest.mark.parametrize("name", ["learned", "handmade"])
def test_leaves_of_a_whole_tree_are_summed(name: str) -> None:
    searcher, static = searcher_with(name), searcher_with(name)
    rng = random.Random(5)
    for empties in (50, 30, 20, 12, 8, 6, 5, 4, 3, 2):
        for position in [played(rng, empties) for _ in range(6)]:
            for depth in (0, 1, 2, 3):
                leaves = leaves_of(position, depth)
                expected = (len(leaves), sum(static.static_value(*leaf) for leaf in leaves))
                assert searcher.sum_leaves(*position, depth) == expected


@pytest.mark.parametrize("depth", [-1, 11])
def test_trees_of_other_depths_are_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=rf"^depth {depth}: not 0 to 10$"):
        Searcher(1).sum_leaves(*played(random.Random(6), 30), depth)


def test_handmade_value_is_the_same_from_every_door() -> None:
    searcher = searcher_with("handmade")
    rng = random.Random(3)
    for empties in range(1, 60):
        position = played(rng, empties)
        assert searcher.static_value(*position) == kernel.handmade_value(*position)


def table_columns(positions: list[BitboardPair]) -> list[list[int]]:
    """Return the table entries that add up to each position's value."""
    return columns_of(positions, feature_columns, 31)


def test_learned_value_is_the_sum_of_its_columns() -> None:
    rng = random.Random(4)
    table = array("h", (rng.randrange(-300, 300) for _ in range(patterns.TABLE_SIZE)))
    weights = one_stage(table)
    positions = [played(rng, empties) for empties in range(1, 60)] + [filled(rng, 20, 0.1), filled(rng, 0, 0.9)]
    searcher = Searcher(1)
    searcher.set_weights(weights)
    for position, row in zip(positions, table_columns(positions), strict=True):
        value = sum(table[column] for column in row) / 128
        assert weights.evaluate(*position) == value
        assert searcher.static_value(*position) == value


def test_columns_of_wrong_shape_are_refused() -> None:
    movers = array("Q", [1, 2])
    for shape in ((2, 30), (1, 31), (3, 31)):
        columns = memoryview(bytearray(4 * shape[0] * shape[1])).cast("i", shape)
        with pytest.raises(ValueError, match="not n, n, n x 31"):
            feature_columns(movers, movers, columns)


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
    for row in table_columns(boards):
        for column, first, size in zip(row, begins, sizes, strict=True):
            assert first <= column < first + size
