"""Keys of positions against the rules' own symmetries, and the shared weights against a naive numbering."""

from __future__ import annotations

import random

import numpy as np
import pytest

from othello_bot.kernel import patterns
from othello_bot.rules.position import Position
from othello_bot.training import boards, fit
from tests.rules.strategies import random_game


def some_positions(count: int, seed: int = 1) -> list[Position]:
    rng = random.Random(seed)
    return [random_game(rng.randrange(1000), rng.randint(0, 50)).position for _ in range(count)]


def arrays(positions: list[Position]) -> tuple[boards.Bits, boards.Bits]:
    return (
        np.array([position.mover for position in positions], np.uint64),
        np.array([position.opponent for position in positions], np.uint64),
    )


def test_symmetric_images_share_a_key_and_others_do_not() -> None:
    positions = [position for position in some_positions(60, 2) if position.empties < 50]
    names = boards.keys(*arrays(positions))
    for index in range(8):
        assert (boards.keys(*arrays([position.transform(index) for position in positions])) == names).all()
    images = [position.canonical()[0] for position in positions]
    distinct = {(image.mover, image.opponent) for image in images}
    assert len(set(names.tolist())) == len(distinct)


def test_first_of_each_keeps_the_first() -> None:
    assert boards.first_of_each(np.array([5, 3, 5, 9, 3], np.uint64)).tolist() == [0, 1, 3]


@pytest.mark.slow
def test_shared_weights_are_numbered_by_the_smaller_of_two_mirrored_states() -> None:
    expected, used = [], 0
    for pattern in patterns.PATTERNS:
        numbers: dict[int, int] = {}
        for state in range(pattern.states):
            digits = [state // 3**i % 3 for i in range(len(pattern.squares))]
            smaller = state
            if pattern.mirror is not None:
                smaller = min(state, sum(digits[place] * 3**i for i, place in enumerate(pattern.mirror)))
            expected.append(numbers.setdefault(smaller, used + len(numbers)))
        used += len(numbers)
        if pattern.states > 10000:  # the naive numbering is slow: two large patterns say enough
            break
    assert fit.reduced_index()[: len(expected)].tolist() == expected
    assert fit.reduced_size() == len(set(fit.reduced_index().tolist()))


def test_rows_have_an_entry_for_every_term() -> None:
    positions = some_positions(20)
    matrix = fit.rows(*arrays(positions))
    assert matrix.shape == (20, fit.reduced_size())
    assert (matrix.sum(axis=1) == fit.TERMS).all()
