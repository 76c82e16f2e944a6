"""Bins of reported scores, and when they do not mean what they say."""

from __future__ import annotations

import math

import pytest

from othello_bot.training.measuring import Bin, bins, mean


def test_bins_are_of_the_reported_score() -> None:
    found = bins([(4, 6), (0, 0), (5, 5), (-1, -3), (-5, -9), (-0.5, 0.5)])
    assert [(one.low, one.high, one.positions, one.exact_minus_reported) for one in found] == [
        (-5, 0, 3, -5 / 3),
        (0, 5, 2, 1),
        (5, 10, 1, 0),
    ]
    assert found[1].standard_error == pytest.approx(1.0)
    assert math.isnan(found[2].standard_error)


def test_neighbours_are_joined_until_a_bin_has_enough_positions() -> None:
    pairs = [(-62, -60), *[(-17, -18)] * 2, *[(3, 4)] * 3, (9, 9), (33, 30)]
    assert [(one.low, one.high, one.positions) for one in bins(pairs, 3)] == [(-65, -15, 3), (0, 35, 5)]
    assert bins(pairs, 3)[0].exact_minus_reported == 0
    assert [(one.low, one.high, one.positions) for one in bins(pairs, 9)] == [(-65, 35, 8)]
    assert bins([], 3) == []


@pytest.mark.parametrize(
    ("positions", "difference", "error", "off"),
    [
        (100, 0.71, 0.1, True),
        (100, -0.71, 0.1, True),
        (100, 0.69, 0.1, False),  # within two standard errors of the tolerance
        (99, 3.0, 0.1, False),  # too few
        (5000, 0.51, 0.001, True),
        (5000, 0.5, 0.0, False),
    ],
)
def test_a_bin_is_off_beyond_half_a_disc_and_two_errors(
    positions: int, difference: float, error: float, off: bool
) -> None:
    one = Bin(0, 5, positions, difference, error)
    assert one.is_off is off and one.is_judged is (positions >= 100)


def test_mean_and_standard_error() -> None:
    assert [*mean([1.0, 3.0])] == pytest.approx([2.0, 1.0])
