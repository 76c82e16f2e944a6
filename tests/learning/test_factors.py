"""The fit of the factors: its slope, what it finds, what it never sees, and that the kernel reads what comes out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_bot import patterns, weights
from othello_bot.errors import InputError
from othello_bot.learning import (
    boards,
    columns,
    evaluate,
    factor_fit,
    factor_learner,
    factor_samples,
    factor_step,
    factors,
    report,
    scale,
    store,
    threads,
)
from othello_bot.learning.boards import Bits
from othello_bot.learning.commands import main
from othello_bot.learning.games import Play, make_shard
from othello_bot.learning.unfinished import Unfinished

NOBODY = np.zeros(0, np.uint64)
STAGES = [0] * 30 + [1] * 31


def tables(seed: int = 1) -> bytes:
    """A weights file of two stages with small random weights."""
    entries = np.random.default_rng(seed).integers(-60, 61, (2, columns.reduced_size())).astype("<i2")
    return weights.to_bytes(STAGES, entries.tobytes())


def shard(seed: str, games: int = 40) -> store.Records:
    """Positions with made-up labels of five to forty empties."""
    records = make_shard(None, Play(games=games, depths=(1,)), seed)
    count = boards.empties(records["mover"], records["opponent"])
    records = records[(count >= 5) & (count <= 40)]
    records["score"] = boards.keys(records["mover"], records["opponent"]) % np.uint64(41)
    records["score"] -= 20
    records["depth"], records["round"] = store.EXACT, 2
    return records


def filled(folder: Path, shards: int = 3) -> store.Store:
    result = store.Store(folder)
    for number in range(shards):
        result.write(result.path("made", number), shard(f"factors {number}"))
    return result


def keys(sample: factor_samples.Sample) -> set[int]:
    return set(boards.keys(sample.movers, sample.opponents).tolist())


def some_parameters(size: float = 0.1) -> factors.Reals:
    shape = (factors.reduced_size() + 61, patterns.CHANNELS)
    return np.random.default_rng(2).normal(0, size, shape).astype(np.float32)


def positions(seed: str = "positions", games: int = 40) -> tuple[Bits, Bits]:
    records = shard(seed, games)
    return records["mover"].copy(), records["opponent"].copy()


def test_the_slope_is_that_of_the_values() -> None:
    movers, opponents = (side[:50] for side in positions())
    matrix = factors.rows(movers, opponents)
    parameters = some_parameters().astype(np.float64)
    pull = np.random.default_rng(3).normal(0, 1, 50)

    def pulled(changed: factors.Reals) -> float:
        return float(factors.added(matrix, changed)[1] @ pull)

    gradient = matrix.T @ factors.slope(factors.added(matrix, parameters)[0], pull)
    for row in [*np.unique(matrix.indices)[::200], matrix.indices.max()]:
        for channel in (0, 1, 17, 31):
            step = np.zeros_like(parameters)
            step[row, channel] = 1e-5
            slope = (pulled(parameters + step) - pulled(parameters - step)) / 2e-5
            assert gradient[row, channel] == pytest.approx(slope, rel=1e-3, abs=1e-7)


def test_positions_and_their_images_have_the_same_rows() -> None:
    movers, opponents = (side[:40] for side in positions())
    parameters = some_parameters()
    _, expected = factors.added(factors.rows(movers, opponents), parameters)
    for index in range(1, 8):
        images = factors.rows(boards.transform(movers, index), boards.transform(opponents, index))
        assert np.allclose(factors.added(images, parameters)[1], expected, atol=1e-4)


def planted(seed: str, games: int = 40) -> factor_samples.Sample:
    """Positions whose labels are a product of two things: the difference in moves, and the number of odd quadrants."""
    movers, opponents = positions(seed, games)
    parameters = np.zeros_like(some_parameters())
    counts = factors.reduced_index()[patterns.FACTOR_COUNTS_OFFSET :]
    for channel, sign in ((1, 1), (17, -1)):  # (a + b)**2 - (a - b)**2 = 4ab
        parameters[counts[:1024], channel] = [0.6 * (number // 32 - number % 32) for number in range(1024)]
        parameters[counts[2048:2054], channel] = sign * np.array([-1.2, -0.8, 0.8, 0.8, 1.4, 1.8])
    scores = factors.added(factors.rows(movers, opponents), parameters)[1]
    return factor_samples.Sample(movers, opponents, np.zeros(len(movers), np.float32), np.clip(scores, -20, 20))


QUICK = factor_learner.Options(
    epochs=3,
    batch=256,
    row_rate=0.003,
    shared_row_rate=0.003,
    table_rate=0,
    shared_table_rate=0,
    scale_rate=0,
    close=0,
)


def test_the_fit_finds_a_planted_product_and_is_the_same_from_the_same_seed() -> None:
    trained, held = planted("trained", 1000), planted("held out")
    fitted = factor_fit.train(trained, held, STAGES, QUICK)
    assert fitted.positions == len(trained)
    assert len(fitted.curve) == QUICK.epochs + 1
    assert fitted.best.all < 0.45 * fitted.before.all
    assert fitted.best.weighted == min(error for _, error in fitted.curve)
    assert fitted.quantised.all < fitted.best.all + 0.1
    assert sum(number for number, _, _ in fitted.errors.values()) == len(held)
    once = replace(QUICK, epochs=1)
    first, again, other = (
        factor_fit.train(held, held, STAGES, options) for options in (once, once, replace(once, seed=5))
    )
    assert first.factors == again.factors
    assert first.factors != other.factors


def test_a_killed_fit_goes_on_where_it_was_and_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained, held = planted("killed", 100), planted("held out")
    options = replace(QUICK, epochs=2, batch=512, table_rate=0.01, shared_table_rate=0.01, scale_rate=0.01)
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
    assert len(said) == 2 and all("goes on from there" in text for text in said)
    assert resumed.factors == whole.factors and resumed.curve == whole.curve and resumed.best == whole.best
    assert (resumed.moved == whole.moved).all()
    other = replace(options, epochs=1, seed=5, batch=4096)
    fresh = factor_fit.train(held, held, STAGES, other)
    again = factor_fit.train(held, held, STAGES, other, unfinished=file)
    assert again.factors == fresh.factors and "of another computation" in said[-1]


def test_the_number_of_threads_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = planted("threads", 100)
    options = replace(QUICK, epochs=1, batch=4096, table_rate=0.01, scale_rate=0.01, ridge=1e-5)
    found = []
    for count in (1, 5):
        monkeypatch.setattr(threads.os, "cpu_count", lambda count=count: count)
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
    one = factor_samples.Sample(*(part[late] for part in (sample.movers, sample.opponents, sample.base, sample.scores)))
    options = replace(QUICK, shared_table_rate=0.02, row_rate=0, shared_row_rate=1e-9, batch=64)
    fitted = factor_fit.train(one, sample, STAGES, options)
    assert (fitted.moved[0] == fitted.moved[1]).all()
    assert fitted.best.all < 0.5 * fitted.before.all
    seen = np.unique(columns.rows(one.movers, one.opponents).indices)
    assert not np.delete(fitted.moved, seen, axis=1).any()


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
        *(np.tile(side, 16) for side in (movers, opponents, sample.base)),
        np.tile(np.concatenate((sample.base * np.float32(0.5), np.sign(base) * np.float32(40))), 8),
    )
    options = replace(options, epochs=1, batch=1024)
    slopes = [
        factor_fit.train(both, both, STAGES, replace(options, scale_close=close)).slopes[5:41, 1].mean()
        for close in (0, 40)
    ]
    assert slopes[1] < slopes[0] - 0.3


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
    turned = []
    for sample in (planted("phases", 500), planted("other phases")):
        late = boards.empties(sample.movers, sample.opponents) <= factors.PHASE_ENDS[0]
        turned.append(replace(sample, scores=np.where(late, -sample.scores, sample.scores)))
    fitted = factor_fit.train(*turned, STAGES, replace(QUICK, batch=128))
    assert fitted.best.all < 0.6 * fitted.before.all
    assert fitted.quantised.all < fitted.best.all + 0.1


def test_what_one_phase_shows_the_rows_of_all_phases_follow() -> None:
    """A planted product among positions of one phase alone is found in the others as well."""
    sample, held = planted("one phase", 1000), planted("held out")
    one = factor_learner.phases(sample) == len(factors.PHASE_ENDS) - 1
    parts = sample.movers, sample.opponents, sample.base, sample.scores
    sample = factor_samples.Sample(*(part[one] for part in parts))
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


def test_the_report_says_what_moves_the_value_most() -> None:
    """With rows for two counts alone the others say nothing, and these what their rows and their product are worth."""
    sample = planted("uses")
    parameters = np.zeros((len(factors.PHASE_ENDS), *some_parameters().shape), np.float32)
    counts = factors.reduced_index()[patterns.FACTOR_COUNTS_OFFSET :]
    parameters[:, counts[:1024], 0] = 2
    parameters[:, counts[2048:2052], 1] = 0.75  # of six states
    uses = {use.name: use for use in report.factor_uses(factors.quantised(parameters)[0], sample)}
    assert list(uses)[:2] == ["mobility", "odd quadrants"] and len(uses) == 18
    assert uses["mobility"].moved == pytest.approx(2) and uses["mobility"].seen == 1
    matrix = factors.rows(sample.movers, sample.opponents)
    four = np.isin(matrix.indices.reshape(len(sample), -1), counts[2048:2052]).any(axis=1)
    assert uses["odd quadrants"].moved == pytest.approx(0.5625 * four.mean())
    assert uses["odd quadrants"].seen == pytest.approx(4 / 6)
    others = [use for name, use in uses.items() if name not in ("mobility", "odd quadrants")]
    assert all(use.moved == use.seen == 0 for use in others)
    assert {"row 4", "mover's moves", "opponent's moves"} <= set(uses)


def test_the_kernel_reads_what_was_fitted() -> None:
    movers, opponents = (side[:300] for side in positions())
    parts = weights.split(tables())
    base = factor_samples.base_values(movers, opponents, parts)
    alone = weights.from_bytes(tables())
    pairs = list(zip(movers.tolist(), opponents.tolist(), strict=True))
    assert base.tolist() == [alone.evaluate(*pair) for pair in pairs]

    parameters = np.stack([some_parameters(0.02 * phase) for phase in range(1, len(factors.PHASE_ENDS) + 1)])
    found, clipped = factors.quantised(parameters)
    assert clipped == 0
    matrix = factors.rows(movers, opponents)
    kept = factors.parameters_of(found)
    phases = factor_learner.phases(factor_samples.Sample(movers, opponents, base, base))
    assert set(phases.tolist()) == set(range(len(factors.PHASE_ENDS)))

    def of_phases(parameters: factors.Reals) -> factors.Reals:
        sums: factors.Reals = np.stack([matrix @ phase for phase in parameters])[phases, np.arange(len(movers))]
        return sums

    sums = np.rint(of_phases(kept) / factors.UNITS).astype(np.int64)
    signs = np.frombuffer(found.signs, np.int8)
    units = np.rint(base * columns.UNIT) + 8 * sums[:, 0] + (np.square(sums) @ signs >> 5)
    both = weights.from_bytes(weights.to_bytes(parts.stage_of_empties, parts.reduced, found))
    values = np.array([both.evaluate(*pair) for pair in pairs])
    assert (values * columns.UNIT == units).all()
    slopes = np.linspace(0.5, 2, 2 * scale.LINES, dtype=np.float32).reshape(2, scale.LINES)
    bent = replace(found, scale=scale.quantised(slopes)[STAGES].tobytes())
    scaled = weights.from_bytes(weights.to_bytes(parts.stage_of_empties, parts.reduced, bent))
    stages = np.array(STAGES)[boards.empties(movers, opponents)]
    expected = factor_fit.values((units / columns.UNIT).astype(np.float32), stages, slopes)
    assert np.abs([scaled.evaluate(*pair) for pair in pairs] - expected).max() <= 2 / columns.UNIT

    # Rounding moves each sum by at most half a unit for each of its terms.
    exact = of_phases(parameters)
    more = exact[:, 0] + np.square(exact) @ factors.SIGNS
    step = (factors.TERMS + 1) / 2 * factors.UNITS
    bound = step[0] + (step * (2 * np.abs(exact) + step))[:, 1:].sum(axis=1) + 1 / columns.UNIT
    moved = np.abs(values - base - more)
    assert (moved <= bound + 1e-3).all()
    assert moved.mean() < 0.5


def test_numbers_that_integers_cannot_hold_are_clipped_and_counted() -> None:
    parameters = np.zeros((len(factors.PHASE_ENDS), *some_parameters().shape), np.float32)
    parameters[0, 7], parameters[-1, -1] = 100, -1000
    found, clipped = factors.quantised(parameters)
    assert clipped == pytest.approx(2 * patterns.CHANNELS / parameters.size)
    assert set(found.rows[7 * 32 : 8 * 32]) == {patterns.LARGEST_FACTOR}
    assert np.frombuffer(found.shift, "<i2").reshape(61, -1)[60].tolist() == [-patterns.LARGEST_SHIFT] * 32
    values = weights.from_bytes(weights.to_bytes(STAGES, weights.split(tables()).reduced, found))
    assert values.evaluate(1, 2) != 0


def test_measuring_positions_and_held_out_games_are_never_trained_on(tmp_path: Path) -> None:
    collection = filled(tmp_path)
    whole = [collection.read(path) for path in collection.shards()]
    both = whole[1][:20]  # a game of each kind reached these
    collection.write(collection.path("made", 0), np.concatenate((whole[0], both)))
    measured = np.concatenate((whole[0][10:20], whole[2][10:20]))
    assert ((boards.empties(measured["mover"], measured["opponent"]) - 10) <= 20).all()
    excluded = np.unique(boards.keys(measured["mover"], measured["opponent"]))
    trained, held = factor_samples.collect(collection, weights.split(tables()), range(10, 31), excluded)
    names = [set(boards.keys(records["mover"], records["opponent"]).tolist()) for records in whole]
    in_range = {
        name
        for records in whole
        for name, count in zip(
            boards.keys(records["mover"], records["opponent"]).tolist(),
            boards.empties(records["mover"], records["opponent"]).tolist(),
            strict=True,
        )
        if 10 <= count <= 30
    } - set(excluded.tolist())
    assert keys(trained) == (names[1] | names[2]) & in_range
    assert keys(held) == (names[0] - names[1] - names[2]) & in_range
    assert len(keys(held)) == len(held) and len(keys(trained)) == len(trained)


def test_nothing_to_fit_is_an_error(tmp_path: Path) -> None:
    parts = weights.split(tables())
    with pytest.raises(InputError, match="games to train on"):
        factor_samples.collect(filled(tmp_path, 1), parts, range(61), NOBODY)
    with pytest.raises(InputError, match="games to train on"):
        factor_samples.collect(filled(tmp_path), parts, range(50, 55), NOBODY)
    (tmp_path / "shards" / "made-00000.npy").unlink()
    with pytest.raises(InputError, match="held-out"):
        factor_samples.collect(store.Store(tmp_path), parts, range(61), NOBODY)
    short = weights.split(weights.to_bytes([0] * 61, bytes(200)))
    with pytest.raises(weights.WeightsError, match="100 of a stage"):
        factor_samples.base_values(*positions(), short)


def test_close_labels_count_more_the_further_from_the_end() -> None:
    movers, opponents = (side[:6].copy() for side in positions())
    movers[:], opponents[:] = (1 << 32) - 1, ((1 << 12) - 1) << 32  # 20 empties
    opponents[3:] = ((1 << 22) - 1) << 32  # 10 empties
    edge = evaluate.CLOSE + 1
    scores = np.array([0, -edge, 64] * 2, np.float32)
    sample = factor_samples.Sample(movers, opponents, np.zeros(6, np.float32), scores)
    assert sample.importance(8).tolist() == pytest.approx([9, 5, 1, 5, 3, 1], abs=1e-3)
    assert sample.importance(0).tolist() == [1] * 6
    near, far = (replace(sample, scores=np.full(6, edge + more, np.float32)).importance(8) for more in (-3, 3))
    assert (near[:3] > 7).all() and (far[:3] < 3.1).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"epochs": 0},
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
    with pytest.raises(InputError, match="astray"):
        factor_fit.train(sample, sample, STAGES, replace(QUICK, epochs=1, row_rate=1e30))


def test_the_command_writes_the_tables_with_factors_and_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(tmp_path)
    base, output = tmp_path / "base.weights", tmp_path / "new.weights"
    base.write_bytes(tables())
    command = ["fit-factors", "--folder", str(tmp_path), "--weights", str(base), "--output", str(output)]
    options = ["--epochs", "1", "--close", "4", "--table-rate", "0", "--shared-table-rate", "0"]
    assert main([*command, *options]) == 0
    assert "held out" in capsys.readouterr().out
    old, new = factor_step.tables_of(base.read_bytes()), weights.split(output.read_bytes())
    assert tuple(new.stage_of_empties) == factor_step.STAGE_OF_EMPTIES
    assert bytes(new.reduced) == bytes(old.reduced)
    assert new.factors is not None
    weights.from_bytes(output.read_bytes())
    content = json.loads((tmp_path / "new.json").read_bytes())
    assert len(content["curve"]) == 2 and set(content["held_out"]) == {"tables", "best", "quantised"}
    moved = [use["moved"] for use in content["patterns"]]
    assert len(moved) == 18 and moved == sorted(moved, reverse=True) and moved[0] > 0
    assert (tmp_path / "new.png").stat().st_size
    output.unlink()
    base.write_bytes(tables()[:-64])
    for arguments in (command, [*command, "--lowest", "9", "--highest", "8"], [*command, "--weights", "handmade"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith("fit-factors: ")
    assert not output.exists()


def test_a_fit_of_tables_leaves_the_factors_of_its_start_out_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(tmp_path)
    base, output = tmp_path / "base.weights", tmp_path / "new.weights"
    parts = weights.split(tables())
    command = ["fit", "--folder", str(tmp_path), "--processes", "1", "--weights", str(base), "--output", str(output)]
    found = factors.quantised(np.stack([some_parameters()] * len(factors.PHASE_ENDS)))[0]
    for fitted, times in ((None, 0), (found, 1)):
        base.write_bytes(weights.to_bytes(parts.stage_of_empties, parts.reduced, fitted))
        assert main([*command, "--stages", "2-2"]) == 0
        assert capsys.readouterr().out.count("factors are left out") == times
        assert weights.split(output.read_bytes()).factors is None
