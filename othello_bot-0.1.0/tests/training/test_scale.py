"""The scale of values: its slope, its fit, and that it stays monotonic."""

from __future__ import annotations

import numpy as np
import pytest

from othello_bot.training import scale
from othello_bot.training.fit import Reals

RNG_SEED = 7


def some_sums(count: int = 4000) -> Reals:
    return np.random.default_rng(RNG_SEED).normal(0, 20, count).astype(np.float32)


def some_slopes() -> Reals:
    return np.random.default_rng(RNG_SEED + 1).uniform(0.3, 1.7, scale.LINES).astype(np.float32)


def test_level_values_are_the_sums_up_to_the_end() -> None:
    sums = np.array([-80, -64, -12.25, 0, 3.5, 63, 64, 70], np.float32)
    values = scale.covered(sums) @ scale.level(1)[0]
    assert values.tolist() == pytest.approx([-64, -64, -12.25, 0, 3.5, 63, 64, 64])


def test_the_slope_is_that_of_the_values() -> None:
    slopes, step = some_slopes(), np.float32(0.01)
    sums = some_sums()
    sums = sums[np.abs(np.abs(sums)[:, None] - scale.KNOTS).min(axis=1) > 0.02]
    above, below = (scale.covered(sums + more) @ slopes for more in (step, -step))
    assert scale.slopes_at(sums, slopes) == pytest.approx((above - below) / (2 * step), abs=0.01)
    assert not scale.slopes_at(np.array([64.5, -90], np.float32), slopes).any()


def test_kernel_units_are_the_values_of_whole_discs() -> None:
    slopes = np.stack((some_slopes(), scale.level(1)[0]))
    quantised = scale.quantised(slopes)
    whole = np.arange(65, dtype=np.float32)
    assert quantised.shape == (2, 65) and quantised.dtype == np.int16
    assert np.abs(quantised[0] / 128 - scale.covered(whole) @ slopes[0]).max() <= 1 / 256 + 1e-5
    assert quantised[1].tolist() == [128 * value for value in range(65)]


@pytest.mark.parametrize("slope", [scale.LEAST_SLOPE, scale.LARGEST_SLOPE])
def test_the_smallest_and_the_largest_slopes_rise_and_fit_into_the_kernel(slope: float) -> None:
    values = scale.quantised(np.full((1, scale.LINES), slope, np.float32))[0]
    assert values[0] == 0 and (np.diff(values.astype(int)) > 0).all()
    wild = np.array([-5, 0.05, 0.5, 2.9, 7], np.float32)
    scale.kept_within(wild)
    assert wild.tolist() == pytest.approx([scale.LEAST_SLOPE, scale.LEAST_SLOPE, 0.5, 2.9, scale.LARGEST_SLOPE])


def test_the_fit_finds_a_planted_scale() -> None:
    sums, slopes = some_sums(40_000), some_slopes()
    noise = np.random.default_rng(RNG_SEED + 2).normal(0, 1, len(sums)).astype(np.float32)
    labels = scale.covered(sums) @ slopes + noise
    found = scale.fitted(sums, labels, np.ones(len(sums), np.float32), 2.0, scale.level(1)[0])
    assert found == pytest.approx(slopes, abs=0.05)


@pytest.mark.slow
def test_positions_that_count_more_draw_the_scale_to_them() -> None:
    """With labels of two kinds for the same sum, the value is near those that count."""
    sums = np.tile(some_sums(), 2)
    labels = sums * np.repeat(np.array([0.5, 1.5], np.float32), len(sums) // 2)
    for counts, slope in (((9, 1), 0.5), ((1, 9), 1.5)):
        weights = np.repeat(np.array(counts, np.float32), len(sums) // 2)
        found = scale.fitted(sums, labels, weights, 0.1, scale.level(1)[0])
        assert found[1:5] == pytest.approx(slope, abs=0.1)


def test_slopes_where_nothing_speaks_against_them_stay() -> None:
    sums = np.random.default_rng(RNG_SEED).uniform(-12, 12, 50_000).astype(np.float32)
    start = some_slopes()
    found = scale.fitted(sums, sums * 0.6, np.ones(50_000, np.float32), 2.0, start)
    assert found[:3] == pytest.approx(0.6, abs=0.05)
    assert found[3:] == pytest.approx(start[3:], abs=1e-4)
    # Labels that fall with the sum are more than a scale can follow.
    assert scale.fitted(sums, -sums, np.ones(50_000, np.float32), 2.0, start)[:2] == pytest.approx(scale.LEAST_SLOPE)
