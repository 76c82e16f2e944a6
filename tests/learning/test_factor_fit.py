"""The fit of the factors: what it finds, how it continues after a kill, and what it refuses.

tests/real/test_factor_fits.py has the fits that take longer.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_bot.errors import InputError
from othello_bot.evaluation import weights
from othello_bot.kernel import patterns
from othello_bot.learning import (
    boards,
    columns,
    factor_fit,
    factor_learner,
    factor_step,
    factors,
)
from othello_bot.learning.unfinished import Unfinished
from tests.learning.made_up import QUICK, STAGES, planted, tables


def test_a_fit_is_the_same_from_the_same_seed() -> None:
    held = planted("held out")
    once = replace(QUICK, epochs=1)
    first, again, other = (
        factor_fit.train(held, held, STAGES, options) for options in (once, once, replace(once, seed=5))
    )
    assert first.factors == again.factors
    assert first.factors != other.factors


def test_a_killed_fit_goes_on_where_it_was_and_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained, held = planted("killed", 100), planted("held out")
    options = replace(QUICK, epochs=2, batch=600, table_rate=0.01, shared_table_rate=0.01, scale_rate=0.01)
    whole = factor_fit.train(trained, held, STAGES, options)
    monkeypatch.setattr(factor_fit, "SAVED_EVERY", 5)
    learn, left, learned = factor_learner.Learner.learn, 0, 0

    def learn_until_killed(*arguments: Any) -> None:
        nonlocal left, learned
        if left == 0:
            raise KeyboardInterrupt
        left, learned = left - 1, learned + 1
        learn(*arguments)

    monkeypatch.setattr(factor_learner.Learner, "learn", learn_until_killed)
    said: list[str] = []
    file = Unfinished(tmp_path / "new.unfinished", said.append)
    stages = np.array(STAGES)[boards.empties(trained.movers, trained.opponents)]
    groups = factor_learner.groups_of(trained, stages)
    batches = sum(-(-int(count) // options.batch) for count in np.unique(groups, return_counts=True)[1])
    assert batches > 6
    for kill in (6, batches):  # one batch behind the first state, then in the second epoch
        left = kill
        with pytest.raises(KeyboardInterrupt):
            factor_fit.train(trained, held, STAGES, options, unfinished=file)
    left = -1
    resumed = factor_fit.train(trained, held, STAGES, options, unfinished=file)
    # The first run's last batch was lost, and in the second epoch what came after its last state.
    assert 2 * batches < learned <= 2 * batches + 1 + 5
    assert len(said) == 2 and all("continuing where" in text for text in said)
    assert resumed.factors == whole.factors and resumed.curve == whole.curve and resumed.best == whole.best
    assert (resumed.moved == whole.moved).all()
    other = replace(options, epochs=1, seed=5, batch=4096)
    fresh = factor_fit.train(held, held, STAGES, other)
    again = factor_fit.train(held, held, STAGES, other, unfinished=file)
    assert again.factors == fresh.factors and "belongs to another computation" in said[-1]


def test_a_fit_that_goes_on_sets_the_scale_that_it_begins_with() -> None:
    sample = planted("trained", 60)
    first = factor_fit.train(sample, sample, STAGES, replace(QUICK, epochs=1))
    wider = replace(sample, scores=sample.scores * np.float32(1.5))
    options = replace(QUICK, epochs=1, row_rate=1e-9, shared_row_rate=0, scale_rate=1e-9)
    fitted = factor_fit.train(wider, wider, STAGES, options, start=first.factors)
    assert fitted.before.all == pytest.approx(1.5 * first.quantised.all, rel=0.1)
    assert fitted.curve[0][0] == pytest.approx(fitted.curve[0][1])
    # Without an epoch the scale is all that is learned.
    fitted = factor_fit.train(wider, wider, STAGES, replace(options, epochs=0, scale_close=0), start=first.factors)
    assert fitted.quantised.all < fitted.before.all + 0.05 and len(fitted.curve) == 1
    assert fitted.factors == replace(first.factors, scale=fitted.factors.scale) and not fitted.moved.any()
    with pytest.raises(InputError, match="without a start"):
        factor_fit.train(wider, wider, STAGES, replace(options, epochs=0))


def test_where_no_epoch_is_better_a_fit_ends_with_what_it_began_with() -> None:
    sample = planted("trained", 60)
    first = factor_fit.train(sample, sample, STAGES, replace(QUICK, epochs=1))
    chance = replace(sample, scores=np.random.default_rng(6).normal(0, 8, len(sample)).astype(np.float32))
    fitted = factor_fit.train(chance, sample, STAGES, replace(QUICK, epochs=1), start=first.factors)
    assert fitted.curve[1][1] > fitted.curve[0][1]
    assert fitted.factors.rows == first.factors.rows and fitted.best == fitted.before


def test_the_number_of_threads_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = planted("threads", 100)
    options = replace(QUICK, epochs=1, batch=4096, table_rate=0.01, scale_rate=0.01, ridge=1e-5)
    found = []
    for count in (1, 5):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        found.append(factor_fit.train(sample, sample, STAGES, options))
    assert found[0].factors == found[1].factors and found[0].curve == found[1].curve
    assert (found[0].moved == found[1].moved).all()


def test_tables_move_along_each_stage_for_itself() -> None:
    """Labels that differ by stage alone, which no factor can tell apart: one table goes up, the other down."""
    sample = planted("stages", 60)
    late = boards.empties(sample.movers, sample.opponents) < 30
    sample = replace(sample, scores=np.where(late, np.float32(6), np.float32(-6)))
    options = replace(QUICK, table_rate=0.02, row_rate=0, shared_row_rate=1e-9, batch=64)
    fitted = factor_fit.train(sample, sample, STAGES, options)
    assert fitted.best.all < 0.3 * fitted.before.all
    assert fitted.quantised.all == pytest.approx(fitted.best.all, abs=0.05)
    for stage, chosen in enumerate((late, ~late)):
        seen = np.unique(columns.rows(sample.movers[chosen], sample.opponents[chosen]).indices)
        assert not np.delete(fitted.moved[stage], seen).any()
        assert (fitted.moved[stage][seen] * (1 - 2 * stage)).mean() > 0.02
    still = factor_fit.train(sample, sample, STAGES, replace(options, epochs=1, table_rate=0))
    assert not still.moved.any()


def test_what_one_stage_shows_the_tables_of_all_stages_follow() -> None:
    sample = planted("together", 60)
    sample = replace(sample, scores=np.full(len(sample), 6, np.float32))
    late = boards.empties(sample.movers, sample.opponents) < 30
    one = sample.part(late)
    options = replace(QUICK, shared_table_rate=0.02, row_rate=0, shared_row_rate=1e-9, batch=64)
    fitted = factor_fit.train(one, sample, STAGES, options)
    assert (fitted.moved[0] == fitted.moved[1]).all()
    assert fitted.best.all < 0.5 * fitted.before.all
    seen = np.unique(columns.rows(one.movers, one.opponents).indices)
    assert not np.delete(fitted.moved, seen, axis=1).any()


def test_a_file_has_the_tables_as_they_moved() -> None:
    parts = weights.split(tables())
    entries = np.frombuffer(parts.reduced, "<i2").reshape(2, -1)
    moved = np.zeros(entries.shape, np.float32)
    moved[0, 5], moved[1, 7], moved[1, 8] = 0.25, -0.5, 1000
    found = factor_fit.train(planted("few"), planted("few"), STAGES, replace(QUICK, epochs=1, batch=4096))
    new = weights.split(factor_step.file_content(parts, replace(found, moved=moved)))
    changed = np.frombuffer(new.reduced, "<i2").reshape(2, -1).astype(int) - entries
    assert (changed[0, 5], changed[1, 7]) == (32, -64)
    assert entries[1, 8] + changed[1, 8] == 32767
    assert (changed != 0).sum() == 3
    assert new.factors == found.factors


def test_what_one_phase_shows_the_rows_of_all_phases_follow() -> None:
    """A planted product among positions of one phase alone is found in the others as well."""
    sample, held = planted("one phase", 1000), planted("held out")
    one = factor_learner.phases(sample) == len(factors.PHASE_ENDS) - 1
    sample = sample.part(one)
    options = replace(QUICK, row_rate=0, shared_row_rate=0.003)
    fitted = factor_fit.train(sample, held, STAGES, options)
    rows = np.frombuffer(fitted.factors.rows, np.int8).reshape(len(factors.PHASE_ENDS), -1, patterns.CHANNELS)
    assert (rows == rows[0]).all()
    assert fitted.best.all < 0.6 * fitted.before.all


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
        {"ridge": -1.0},
    ],
)
def test_options_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        factor_learner.Options(**wrong)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:(overflow|invalid value):RuntimeWarning")
def test_a_fit_that_goes_astray_is_an_error() -> None:
    sample = planted("astray")
    with pytest.raises(InputError, match="diverged"):
        factor_fit.train(sample, sample, STAGES, replace(QUICK, epochs=1, row_rate=1e30))
