"""Longer fits of the factors: what they find, which epoch is kept, how a killed one continues, and the command.

tests/training has the short fits.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_bot.base.errors import InputError
from othello_bot.evaluation import weights
from othello_bot.kernel import patterns
from othello_bot.training import boards, factor_fit, factor_learner, factors, fit
from othello_bot.training.progress import Unfinished
from tests.training.made_up import QUICK, STAGES, filled, planted, positions, tables
from tests.training.running import train


@pytest.fixture(scope="module")
def held() -> factors.FactorSample:
    return planted("held out")


@pytest.fixture(scope="module")
def fitted_to_many(held: factors.FactorSample) -> factors.FittedFactors:
    """Return a fit to so many positions that it finds what was planted; it takes seconds."""
    return factor_fit.train(planted("trained", 1000), held, STAGES, QUICK)


def test_the_fit_finds_a_planted_product(held: factors.FactorSample, fitted_to_many: factors.FittedFactors) -> None:
    fitted = fitted_to_many
    assert fitted.positions == len(planted("trained", 1000))
    assert len(fitted.curve) == QUICK.epochs + 1
    assert fitted.best.all < 0.45 * fitted.before.all
    assert fitted.best.weighted == min(error for _, error in fitted.curve)
    assert fitted.quantised.all < fitted.best.all + 0.1
    assert sum(number for number, _, _ in fitted.errors.values()) == len(held)


def test_a_fit_goes_on_with_the_factors_of_another_and_loses_nothing(
    tmp_path: Path, held: factors.FactorSample, fitted_to_many: factors.FittedFactors
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
    base = factors.base_values(movers, opponents, weights.split(tables())) * np.float32(3)
    sample = factors.FactorSample(movers, opponents, base, np.sign(base) * np.minimum(np.abs(base) * 2, 30))
    sample = replace(sample, base=np.clip(base, -40, 40))
    options = replace(QUICK, row_rate=0, shared_row_rate=1e-9, scale_rate=0.05, batch=64)
    fitted = factor_fit.train(sample, sample, STAGES, options)
    assert fitted.best.all < 0.5 * fitted.before.all
    assert fitted.quantised.all < fitted.best.all + 0.1
    assert fitted.slopes[:, :2] == pytest.approx(2, abs=0.35)
    still = factor_fit.train(sample, sample, STAGES, replace(options, epochs=1, scale_rate=0))
    assert (still.slopes == 1).all()
    # Beside each close label a lopsided one for the same sum: which of them the value is near, `scale_close` says.
    both = factors.FactorSample(
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
    turned: list[factors.FactorSample] = []
    for sample in (planted("phases", 500), planted("other phases")):
        late = boards.empties(sample.movers, sample.opponents) <= factors.PHASE_ENDS[0]
        turned.append(replace(sample, scores=np.where(late, -sample.scores, sample.scores)))
    fitted = factor_fit.train(turned[0], turned[1], STAGES, replace(QUICK, batch=128))
    assert fitted.best.all < 0.6 * fitted.before.all
    assert fitted.quantised.all < fitted.best.all + 0.1


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
        seen = np.unique(fit.rows(sample.movers[chosen], sample.opponents[chosen]).indices)
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
    seen = np.unique(fit.rows(one.movers, one.opponents).indices)
    assert not np.delete(fitted.moved, seen, axis=1).any()


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


def test_the_command_writes_the_tables_with_factors_and_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(tmp_path)
    base, output = tmp_path / "base.weights", tmp_path / "new.weights"
    base.write_bytes(tables())
    command = ["fit-factors", "--folder", str(tmp_path), "--weights", str(base), "--output", str(output)]
    options = ["--epochs", "1", "--close", "4", "--table-rate", "0", "--shared-table-rate", "0"]
    assert train([*command, *options]) == 0
    assert "held out" in capsys.readouterr().out
    old, new = factor_fit.tables_of(base.read_bytes()), weights.split(output.read_bytes())
    assert tuple(new.stage_of_empties) == factor_fit.STAGE_OF_EMPTIES
    assert bytes(new.reduced) == bytes(old.reduced)
    assert new.factors is not None
    weights.from_bytes(output.read_bytes())
    content = json.loads((tmp_path / "new.json").read_bytes())
    assert len(content["curve"]) == 2 and set(content["held_out"]) == {"before", "best", "quantised"}
    moved = [use["moved"] for use in content["patterns"]]
    assert len(moved) == 18 and moved == sorted(moved, reverse=True) and moved[0] > 0
    assert (tmp_path / "new.png").stat().st_size
    again = [*command, "--continue", "--weights", str(output), "--output", str(tmp_path / "again.weights")]
    assert train([*again, *options, "--row-rate", "1e-9", "--shared-row-rate", "0", "--scale-rate", "0"]) == 0
    third = weights.split((tmp_path / "again.weights").read_bytes())
    assert third.reduced == new.reduced and third.factors is not None and third.factors.rows == new.factors.rows
    output.unlink()
    assert train([*command, "--continue"]) == 2
    assert "expected a function with factors of phases that end at 12, 18, 26, 60" in capsys.readouterr().err
    base.write_bytes(tables()[:-64])
    for arguments in (command, [*command, "--lowest", "9", "--highest", "8"], [*command, "--weights", "handmade"]):
        assert train(arguments) == 2
        assert capsys.readouterr().err.startswith("othello-bot train fit-factors: ")
    assert not output.exists()
