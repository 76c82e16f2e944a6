"""The fit of the factors: what it finds and what it refuses.

tests/real/test_factor_fits.py has the fits that take longer.
"""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from othello_bot.base.errors import InputError
from othello_bot.evaluation import weights
from othello_bot.kernel import patterns
from othello_bot.training import factor_fit, factor_learner, factors
from tests.training.made_up import QUICK, STAGES, planted, tables


@pytest.mark.slow
def test_a_fit_is_the_same_from_the_same_seed() -> None:
    held = planted("held out")
    once = replace(QUICK, epochs=1)
    first, again, other = (
        factor_fit.train(held, held, STAGES, options) for options in (once, once, replace(once, seed=5))
    )
    assert first.factors == again.factors
    assert first.factors != other.factors


@pytest.mark.slow
def test_where_no_epoch_is_better_a_fit_ends_with_what_it_began_with() -> None:
    sample = planted("trained", 60)
    first = factor_fit.train(sample, sample, STAGES, replace(QUICK, epochs=1))
    chance = replace(sample, scores=np.random.default_rng(6).normal(0, 8, len(sample)).astype(np.float32))
    fitted = factor_fit.train(chance, sample, STAGES, replace(QUICK, epochs=1), start=first.factors)
    assert fitted.curve[1][1] > fitted.curve[0][1]
    assert fitted.factors.rows == first.factors.rows and fitted.best == fitted.before


@pytest.mark.slow
def test_the_number_of_threads_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = planted("threads", 100)
    options = replace(QUICK, epochs=1, batch=4096, table_rate=0.01, scale_rate=0.01)
    found = []
    for count in (1, 5):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        found.append(factor_fit.train(sample, sample, STAGES, options))
    assert found[0].factors == found[1].factors and found[0].curve == found[1].curve
    assert (found[0].moved == found[1].moved).all()


@pytest.mark.slow
def test_a_file_has_the_tables_as_they_moved() -> None:
    parts = weights.split(tables())
    entries = np.frombuffer(parts.reduced, "<i2").reshape(2, -1)
    moved = np.zeros(entries.shape, np.float32)
    moved[0, 5], moved[1, 7], moved[1, 8] = 0.25, -0.5, 1000
    found = factor_fit.train(planted("few"), planted("few"), STAGES, replace(QUICK, epochs=1, batch=4096))
    new = weights.split(factor_fit.file_content(parts, replace(found, moved=moved)))
    changed = np.frombuffer(new.reduced, "<i2").reshape(2, -1).astype(int) - entries
    assert (changed[0, 5], changed[1, 7]) == (32, -64)
    assert entries[1, 8] + changed[1, 8] == 32767
    assert (changed != 0).sum() == 3
    assert new.factors == found.factors


@pytest.mark.slow
def test_states_that_no_position_has_say_nothing() -> None:
    sample = planted("few")
    options = replace(QUICK, epochs=1, batch=len(sample) + 1, shared_row_rate=0.003)
    fitted = factor_fit.train(sample, sample, STAGES, options)
    rows = np.frombuffer(fitted.factors.rows, np.int8).reshape(len(factors.PHASE_ENDS), -1, patterns.CHANNELS)
    seen = np.unique(factors.rows(sample.movers, sample.opponents).indices)
    unseen = np.setdiff1d(np.arange(factors.reduced_size()), seen)
    assert len(unseen)
    for of_phase in rows:
        assert not of_phase[unseen].any()
        assert of_phase.any()


@pytest.mark.parametrize(
    "wrong",
    [
        {"epochs": -1},
        {"batch": 0},
        {"row_rate": -0.1},
        {"row_rate": 0.0, "shared_row_rate": 0.0},
        {"table_rate": -0.1},
        {"shared_row_rate": -0.1},
        {"shared_table_rate": -0.1},
        {"scale_rate": -0.1},
        {"scale_close": -1.0},
        {"delta": 0.0},
        {"close": -1.0},
    ],
)
def test_options_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        factor_learner.Options(**wrong)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:(overflow|invalid value):RuntimeWarning")
def test_a_fit_that_goes_astray_is_an_error() -> None:
    sample = planted("astray")
    with pytest.raises(InputError, match="diverged"):
        factor_fit.train(sample, sample, STAGES, replace(QUICK, epochs=1, row_rate=1e30))
