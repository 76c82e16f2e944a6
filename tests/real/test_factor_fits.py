"""Fits of the factors to many positions: what they find, and which epoch is kept. tests/learning has the short fits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from othello_bot.evaluation import weights
from othello_bot.kernel import patterns
from othello_bot.learning import boards, factor_fit, factor_samples, factors
from othello_bot.learning.unfinished import Unfinished
from tests.learning.made_up import QUICK, STAGES, planted, positions, tables


@pytest.fixture(scope="module")
def held() -> factor_samples.Sample:
    return planted("held out")


@pytest.fixture(scope="module")
def fitted_to_many(held: factor_samples.Sample) -> factor_fit.Fitted:
    """Return a fit to so many positions that it finds what was planted; it takes seconds."""
    return factor_fit.train(planted("trained", 1000), held, STAGES, QUICK)


def test_the_fit_finds_a_planted_product(
    held: factor_samples.Sample, fitted_to_many: factor_fit.Fitted
) -> None:
    fitted = fitted_to_many
    assert fitted.positions == len(planted("trained", 1000))
    assert len(fitted.curve) == QUICK.epochs + 1
    assert fitted.best.all < 0.45 * fitted.before.all
    assert fitted.best.weighted == min(error for _, error in fitted.curve)
    assert fitted.quantised.all < fitted.best.all + 0.1
    assert sum(number for number, _, _ in fitted.errors.values()) == len(held)


def test_a_fit_goes_on_with_the_factors_of_another_and_loses_nothing(
    tmp_path: Path, held: factor_samples.Sample, fitted_to_many: factor_fit.Fitted
) -> None:
    """What was learned from other positions is worth more than what the new ones alone can teach."""
    fresh, first = planted("fresh", 60), fitted_to_many
    alone = factor_fit.train(fresh, held, STAGES, replace(QUICK, epochs=1))
    said: list[str] = []
    file = Unfinished(tmp_path / "new.unfinished", said.append)
    fitted = factor_fit.train(fresh, held, STAGES, replace(QUICK, epochs=1), unfinished=file, start=first.factors)
    assert fitted.before == first.quantised and fitted.curve[0][1] == first.quantised.weighted
    assert fitted.best.all < fitted.before.all < 0.7 * alone.best.all
    rows = [
        np.frombuffer(found.factors.rows, np.int8).reshape(len(factors.PHASE_ENDS), -1, patterns.CHANNELS)
        for found in (first, fitted)
    ]
    seen = np.unique(factors.rows(fresh.movers, fresh.opponents).indices)
    unseen = np.setdiff1d(np.arange(factors.reduced_size()), seen)
    assert rows[0][:, unseen].any() and (rows[0][:, unseen] == rows[1][:, unseen]).all()
    # What is saved of it is not taken for what is saved of a fit from another start.
    factor_fit.train(fresh, held, STAGES, replace(QUICK, epochs=1), unfinished=file, start=fitted.factors)
    assert len(said) == 1 and "belongs to another computation" in said[0]


def test_the_scale_is_learned_along_and_set_at_the_end() -> None:
    """Labels that a scale of what the tables say explains; then, which labels the scale is set for."""
    movers, opponents = positions("scale", 60)
    base = factor_samples.base_values(movers, opponents, weights.split(tables())) * np.float32(3)
    sample = factor_samples.Sample(movers, opponents, base, np.sign(base) * np.minimum(np.abs(base) * 2, 30))
    sample = replace(sample, base=np.clip(base, -40, 40))
    options = replace(QUICK, row_rate=0, shared_row_rate=1e-9, scale_rate=0.05, batch=64)
    fitted = factor_fit.train(sample, sample, STAGES, options)
    assert fitted.best.all < 0.5 * fitted.before.all
    assert fitted.quantised.all < fitted.best.all + 0.1
    assert fitted.slopes[:, :2] == pytest.approx(2, abs=0.35)
    still = factor_fit.train(sample, sample, STAGES, replace(options, epochs=1, scale_rate=0))
    assert (still.slopes == 1).all()
    # Beside each close label a lopsided one for the same sum: which of them the value is near, `scale_close` says.
    both = factor_samples.Sample(
        np.tile(movers, 16),
        np.tile(opponents, 16),
        np.tile(sample.base, 16),
        np.tile(np.concatenate((sample.base * np.float32(0.5), np.sign(base) * np.float32(40))), 8),
    )
    options = replace(options, epochs=1, batch=1024)
    slopes = [
        factor_fit.train(both, both, STAGES, replace(options, scale_close=close)).slopes[5:41, 1].mean()
        for close in (0, 40)
    ]
    assert slopes[1] < slopes[0] - 0.3


def test_the_best_epoch_counts_where_more_of_them_learn_by_heart() -> None:
    sample, held = (
        replace(part, scores=np.random.default_rng(6).normal(0, 8, len(part)).astype(np.float32))
        for part in (planted("chance"), planted("other chance"))
    )
    options = replace(QUICK, epochs=8, batch=32, row_rate=0.0095, shared_row_rate=0, seed=7)
    fitted = factor_fit.train(sample, held, STAGES, options)
    errors = [error for _, error in fitted.curve[1:]]
    assert fitted.curve[-1][0] < 0.5 * fitted.curve[0][0]
    assert errors[-1] > min(errors) + 0.05
    assert fitted.quantised.weighted == pytest.approx(min(errors), abs=0.02)


def test_each_phase_of_the_game_has_rows_of_its_own() -> None:
    """Labels that go up with a pair of states before a number of empties, and down with the same pair behind it."""
    turned: list[factor_samples.Sample] = []
    for sample in (planted("phases", 500), planted("other phases")):
        late = boards.empties(sample.movers, sample.opponents) <= factors.PHASE_ENDS[0]
        turned.append(replace(sample, scores=np.where(late, -sample.scores, sample.scores)))
    fitted = factor_fit.train(turned[0], turned[1], STAGES, replace(QUICK, batch=128))
    assert fitted.best.all < 0.6 * fitted.before.all
    assert fitted.quantised.all < fitted.best.all + 0.1
