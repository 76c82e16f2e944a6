"""The factors: their slope, their samples, the report, and that the kernel reads the result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_bot import batch
from othello_bot.base.errors import InputError
from othello_bot.evaluation import weights
from othello_bot.kernel import patterns
from othello_bot.training import boards, factor_fit, factor_learner, factors, fit, measuring, report, scale
from othello_bot.training.fit import Reals
from tests.training.made_up import STAGES, filled, planted, positions, some_parameters, tables
from tests.training.running import train

NOBODY = np.zeros(0, np.uint64)


def keys(sample: factors.FactorSample) -> set[int]:
    return set(boards.keys(sample.movers, sample.opponents).tolist())


@pytest.mark.slow
def test_the_slope_is_that_of_the_values() -> None:
    movers, opponents = (side[:50] for side in positions())
    matrix = factors.rows(movers, opponents)
    # More exact than the type says, because differences of close values are taken.
    parameters: Any = some_parameters().astype(np.float64)
    pull = np.random.default_rng(3).normal(0, 1, 50).astype(np.float32)

    def pulled(changed: Any) -> float:
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
        images = factors.rows(*batch.transform(movers, opponents, index))
        assert np.allclose(factors.added(images, parameters)[1], expected, atol=1e-4)


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_kernel_reads_what_was_fitted() -> None:
    movers, opponents = (side[:300] for side in positions())
    parts = weights.split(tables())
    base = factors.base_values(movers, opponents, parts)
    alone = weights.from_bytes(tables())
    pairs = list(zip(movers.tolist(), opponents.tolist(), strict=True))
    assert base.tolist() == [alone.evaluate(*pair) for pair in pairs]

    parameters = np.stack([some_parameters(0.02 * phase) for phase in range(1, len(factors.PHASE_ENDS) + 1)])
    found, clipped = factors.quantised(parameters)
    assert clipped == 0
    matrix = factors.rows(movers, opponents)
    kept = factors.parameters_of(found)
    phases = factor_learner.phases(factors.FactorSample(movers, opponents, base, base))
    assert set(phases.tolist()) == set(range(len(factors.PHASE_ENDS)))

    def of_phases(parameters: Reals) -> Reals:
        sums: Reals = np.stack([matrix @ phase for phase in parameters])[phases, np.arange(len(movers))]
        return sums

    sums = np.rint(of_phases(kept) / factors.UNITS).astype(np.int64)
    signs = np.frombuffer(found.signs, np.int8)
    units = np.rint(base * fit.UNIT) + 8 * sums[:, 0] + (np.square(sums) @ signs >> 5)
    both = weights.from_bytes(weights.to_bytes(parts.stage_of_empties, parts.reduced, found))
    values = np.array([both.evaluate(*pair) for pair in pairs])
    assert (values * fit.UNIT == units).all()
    slopes = np.linspace(0.5, 2, 2 * scale.LINES, dtype=np.float32).reshape(2, scale.LINES)
    bent = replace(found, scale=scale.quantised(slopes)[STAGES].tobytes())
    scaled = weights.from_bytes(weights.to_bytes(parts.stage_of_empties, parts.reduced, bent))
    stages = np.array(STAGES)[boards.empties(movers, opponents)]
    expected = factor_fit.values((units / fit.UNIT).astype(np.float32), stages, slopes)
    assert np.abs([scaled.evaluate(*pair) for pair in pairs] - expected).max() <= 2 / fit.UNIT

    # Rounding moves each sum by at most half a unit for each of its terms.
    exact = of_phases(parameters)
    more = exact[:, 0] + np.square(exact) @ factors.SIGNS
    step = (factors.TERMS + 1) / 2 * factors.UNITS
    bound = step[0] + (step * (2 * np.abs(exact) + step))[:, 1:].sum(axis=1) + 1 / fit.UNIT
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
    trained, held = factors.collect(collection, weights.split(tables()), range(10, 31), excluded)
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
        factors.collect(filled(tmp_path, 1), parts, range(61), NOBODY)
    with pytest.raises(InputError, match="games to train on"):
        factors.collect(filled(tmp_path), parts, range(50, 55), NOBODY)
    (tmp_path / "shards" / "made-00000.npy").unlink()
    with pytest.raises(InputError, match="held-out"):
        factors.collect(boards.PositionStore(tmp_path), parts, range(61), NOBODY)
    short = weights.split(weights.to_bytes([0] * 61, bytes(200)))
    with pytest.raises(weights.WeightsError, match="100 of a stage"):
        factors.base_values(*positions(), short)


def test_close_labels_count_more_the_further_from_the_end() -> None:
    movers, opponents = (side[:6].copy() for side in positions())
    movers[:], opponents[:] = (1 << 32) - 1, ((1 << 12) - 1) << 32  # 20 empties
    opponents[3:] = ((1 << 22) - 1) << 32  # 10 empties
    edge = measuring.CLOSE + 1
    scores = np.array([0, -edge, 64] * 2, np.float32)
    sample = factors.FactorSample(movers, opponents, np.zeros(6, np.float32), scores)
    assert sample.importance(8).tolist() == pytest.approx([9, 5, 1, 5, 3, 1], abs=1e-3)
    assert sample.importance(0).tolist() == [1] * 6
    near, far = (replace(sample, scores=np.full(6, edge + more, np.float32)).importance(8) for more in (-3, 3))
    assert (near[:3] > 7).all() and (far[:3] < 3.1).all()


@pytest.mark.slow
def test_a_fit_without_labels_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "new.weights"
    command = ["fit", "--folder", str(tmp_path), "--processes", "1", "--output", str(output)]
    assert train([*command, "--weights", "handmade"]) == 2
    assert "expected labels of round 2 or later for the stages 0 to" in capsys.readouterr().err
    assert not output.exists()


@pytest.mark.parametrize("command", [["fit-scale", "{}", "--output", "new.weights"], ["gate", "{}"]])
def test_a_missing_file_is_named_without_a_number(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "missing.obf")
    assert train([word.format(missing) for word in command]) == 2
    assert capsys.readouterr().err == f"othello-bot train {command[0]}: {missing}: No such file or directory\n"


@pytest.mark.slow
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
        assert train([*command, "--stages", "2-2", "--overwrite"]) == 0
        assert capsys.readouterr().out.count("factors of the file are dropped") == times
        assert weights.split(output.read_bytes()).factors is None
