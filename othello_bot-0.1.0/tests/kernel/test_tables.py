"""The tables of the stages: which one is used, their reduced and full forms, and when they are expanded."""

from __future__ import annotations

import random
import threading
from array import array
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from othello_bot import kernel
from othello_bot.engine.deepening import fixed_depth
from othello_bot.kernel import Searcher, patterns
from tests.kernel.evaluations import one_stage
from tests.kernel.positions import filled, played


def test_each_number_of_empties_has_its_stage() -> None:
    size = patterns.TABLE_SIZE
    table = array("h", bytes(4 * size))
    for entry in range(patterns.COUNTS_OFFSET + 2048, size):
        table[entry] = 128  # one of these counts in every position, once
        table[size + entry] = 256
    rows = memoryview(table).cast("B").cast("h", (2, size))
    weights = kernel.Weights([0] * 30 + [1] * 31, rows)
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
        kernel.weights_from_reduced([0] * 61, memoryview(bytes(20)).cast("h", (1, 10)))
    many = memoryview(bytes(2 * 62)).cast("h", (62, 1))
    with pytest.raises(ValueError, match="not 61 numbers below 61"):
        kernel.weights_from_reduced([0] * 61, many)
    with pytest.raises(ValueError, match="entries: not"):
        kernel.reduced_index(array("i", [0]))


def test_reduced_weights_are_the_full_ones() -> None:
    rng = random.Random(7)
    numbers = array("i", bytes(4 * patterns.TABLE_SIZE))
    count = kernel.reduced_index(numbers)
    assert set(numbers) == set(range(count))
    reduced = array("h", (rng.randrange(-300, 300) for _ in range(count)))
    full = one_stage(array("h", (reduced[number] for number in numbers)))
    short = kernel.weights_from_reduced([0] * 61, memoryview(reduced).cast("B").cast("h", (1, count)))
    for empties in range(0, 60, 2):
        position = played(rng, empties) if empties else filled(rng, 0, 0.4)
        assert short.evaluate(*position) == full.evaluate(*position)


def reduced_and_full(stages: int) -> tuple[list[int], Any, Any]:
    """Return stage numbers, and the same weights in both forms; neighbouring stages differ in every weight."""
    rng = random.Random(9)
    numbers = array("i", bytes(4 * patterns.TABLE_SIZE))
    count = kernel.reduced_index(numbers)
    block = array("h", (rng.randrange(-60, 60) for _ in range(4099)))
    reduced, full = array("h"), array("h")
    for stage in range(stages):
        one = (block[stage * 7 :] + block * (count // len(block) + 1))[:count]
        reduced += one
        full += array("h", map(one.__getitem__, numbers))
    stage_of_empties = [empties * stages // 61 for empties in range(61)]
    short, whole = (memoryview(form).cast("B").cast("h", (stages, len(form) // stages)) for form in (reduced, full))
    return stage_of_empties, short, whole


@pytest.mark.slow
def test_stages_that_are_expanded_when_they_are_needed_are_the_full_ones() -> None:
    """Each search begins with weights of which no stage has been used: none may be missed, at whatever depth."""
    stages, reduced, full = reduced_and_full(12)
    expected = kernel.Weights(stages, full)
    searchers = Searcher(1), Searcher(1)
    rng = random.Random(10)
    for turn, empties in enumerate((2, 6, 10, 13, 14, *range(15, 60))):
        position = played(rng, empties)
        depth = 60 if empties <= 14 else 2 + turn % 4
        found = []
        for searcher, weights in zip(searchers, (kernel.weights_from_reduced(stages, reduced), expected), strict=True):
            searcher.set_weights(weights)
            searcher.clear()
            searcher.begin(*position)
            clear = searcher.clearly_best(4, depth - 1, 0)
            searcher.iterate(depth, turn % 6)
            found.append((clear, searcher.lines(64), searcher.nodes))
        assert found[0] == found[1]


@pytest.mark.slow
def test_threads_may_ask_for_a_stage_at_once() -> None:
    stages, reduced, full = reduced_and_full(3)
    position = played(random.Random(11), 24)

    def score(weights: kernel.Weights, threads: int) -> int:
        searcher = Searcher(1, threads)
        searcher.set_weights(weights)
        return fixed_depth(searcher, *position, 10)[0].score

    def race(weights: kernel.Weights, threads: int, barrier: threading.Barrier) -> int:
        barrier.wait()
        return score(weights, threads)

    expected = score(kernel.Weights(stages, full), 1)
    with ThreadPoolExecutor(2) as pool:
        for threads in (1, 2, 1, 2):
            weights = kernel.weights_from_reduced(stages, reduced)
            barrier = threading.Barrier(2)
            racing = [pool.submit(race, weights, threads, barrier) for _ in range(2)]
            assert [one.result() for one in racing] == [expected] * 2
