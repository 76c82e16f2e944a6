"""The whole pipeline in miniature: positions, labels, fit; resumed after a kill, and the same from the same seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pytest

from othello_bot import kernel
from othello_bot.cluster import Workers
from othello_bot.evaluation import weights
from othello_bot.kernel import patterns
from othello_bot.rules.position import Position
from othello_bot.training import boards, factor_fit, factors, fit, games, labels, report, rounds, schedule
from othello_bot.training.games import SelfPlay, make_shard
from othello_bot.training.labels import Band
from othello_bot.training.progress import Unfinished
from tests.kernel.positions import minimax
from tests.training.running import train

PLAY = SelfPlay(games=12, depths=(1,))
EXACT_BAND = Band(0, 7, boards.EXACT)
NOBODY = np.zeros(0, np.uint64)


def filled(folder: Path) -> boards.PositionStore:
    result = boards.PositionStore(folder)
    with Workers(1) as workers:
        games.make_positions(result, workers, "tiny", range(3), PLAY, None, 7)
        labels.label(result, workers, result.shards(), (EXACT_BAND,), None, 1)
    return result


def test_a_shard_has_playable_positions_once_and_is_the_same_from_the_same_seed() -> None:
    records = make_shard(None, PLAY, "seed")
    assert (records == make_shard(None, PLAY, "seed")).all()
    assert not np.array_equal(records["mover"], make_shard(None, PLAY, "other")["mover"])
    assert all(kernel.legal_moves(int(record["mover"]), int(record["opponent"])) for record in records)
    names = boards.keys(records["mover"], records["opponent"])
    assert len(set(names.tolist())) == len(names)


def test_exact_labels_are_those_of_plain_minimax(tmp_path: Path) -> None:
    collection = filled(tmp_path)
    records = np.concatenate([collection.read(path) for path in collection.shards()])
    count = boards.empties(records["mover"], records["opponent"])
    assert (records["depth"][count <= 7] == boards.EXACT).all()
    assert (records["depth"][count > 7] == boards.UNLABELLED).all()
    for record in records[count <= 5][:60]:
        assert record["score"] == minimax(int(record["mover"]), int(record["opponent"]), {})


def test_games_begin_with_every_line_or_with_the_book() -> None:
    lines = games.all_lines(3)
    assert len(lines) == 14  # of 56 sequences (perft 3), symmetric positions counted once
    assert all(boards.empties(*(np.array([side], np.uint64) for side in pair))[0] == 57 for pair in lines)
    assert {bin(mover | opponent).count("1") for mover, opponent in games.book_lines()} > {9, 10}
    for source, first in (("lines", 4 + games.LINE_PLIES), ("book", 6)):
        records = make_shard(None, SelfPlay(games=5, openings=source, depths=(1,)), "openings")
        discs = 64 - boards.empties(records["mover"], records["opponent"])
        assert discs.min() >= first
        played = set(boards.keys(records["mover"], records["opponent"]).tolist())
        starts = np.array(games.SOURCES[source](), np.uint64)
        assert played & set(boards.keys(starts[:, 0], starts[:, 1]).tolist())


def test_bands_label_what_they_name_and_only_once() -> None:
    records = make_shard(None, PLAY, "bands")
    band = Band(12, 16, 2)
    done = labels.label_records(None, records, (band,), 1)
    count = boards.empties(records["mover"], records["opponent"])
    assert done == ((count >= 12) & (count <= 16)).sum() > 0
    assert set(records["depth"][(count >= 12) & (count <= 16)].tolist()) == {2, 3}
    assert labels.label_records(None, records, (band,), 2) == 0
    assert labels.label_records(None, records, (Band(12, 16, 2, refresh=True),), 2) == done
    assert labels.label_records(None, records, (Band(12, 13, boards.EXACT),), 2) > 0
    assert labels.label_records(None, records, (Band(12, 13, 2, refresh=True),), 3) == 0  # solved ones stay


def test_label_replaces_what_earlier_searches_found_only_when_asked(tmp_path: Path) -> None:
    collection = filled(tmp_path)
    words = ["label", "--folder", str(tmp_path), "--weights", "handmade", "--processes", "1"]

    def rounds_after(*options: str) -> set[tuple[int, int]]:
        assert train([*words, *options, "7-8:2"]) == 0
        records = np.concatenate([collection.read(path) for path in collection.shards()])
        count = boards.empties(records["mover"], records["opponent"])
        return {(int(n), int(r)) for n, r in zip(count, records["round"], strict=True) if n in (7, 8)}

    assert rounds_after("--round", "2") == {(7, 1), (8, 2)}  # those with 7 are solved
    assert rounds_after("--round", "3") == {(7, 1), (8, 2)}
    assert rounds_after("--round", "3", "--again") == {(7, 1), (8, 3)}


def test_a_killed_run_goes_on_and_ends_with_the_same_shards(tmp_path: Path) -> None:
    whole = filled(tmp_path / "whole")
    killed = filled(tmp_path / "killed")
    shards = killed.shards()
    shards[0].unlink()  # this one was never written
    unlabelled = killed.read(shards[1])
    unlabelled["score"], unlabelled["depth"], unlabelled["round"] = 0, boards.UNLABELLED, 0
    killed.write(shards[1], unlabelled)  # this one had been played, not labelled
    (shards[0].parent / ".tiny-00000.npy.123").write_bytes(b"half")  # what a kill in the middle of a write leaves
    filled(tmp_path / "killed")
    assert [path.name for path in killed.shards()] == [path.name for path in whole.shards()]
    for one, other in zip(whole.shards(), killed.shards(), strict=True):
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.process
def test_labels_that_a_cluster_did_not_finish_are_finished_by_two_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, ended = filled(tmp_path / "whole"), boards.PositionStore(tmp_path / "ended")
    with Workers(1) as workers:
        games.make_positions(ended, workers, "tiny", range(3), PLAY, None, 7)
    first, _, last = ended.shards()
    label = labels._label

    def failing(*arguments: Any) -> Any:
        if arguments[-1] == last:
            raise RuntimeError("the power is off")
        return label(*arguments)

    monkeypatch.setattr(labels, "_label", failing)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
        ) as cluster,
        Workers(cluster=cluster.scheduler_address) as workers,
        pytest.raises(RuntimeError, match="the power is off"),
    ):
        labels.label(ended, workers, ended.shards(), (EXACT_BAND,), None, 1)
    monkeypatch.undo()
    assert first.read_bytes() == whole.shards()[0].read_bytes()
    missing = sum(int(labels.wanted(ended.read(path), (EXACT_BAND,), 1).sum()) for path in ended.shards())
    with Workers(2) as workers:
        assert labels.label(ended, workers, ended.shards(), (EXACT_BAND,), None, 1) == missing
    for one, other in zip(whole.shards(), ended.shards(), strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_measuring_positions_never_reach_a_fit_in_any_orientation(tmp_path: Path) -> None:
    collection = filled(tmp_path)
    known = rounds.collect(collection, range(2, 3), NOBODY)[5]
    lines = []
    for index, record in enumerate(known[:16]):
        image = Position(int(record["mover"]), int(record["opponent"])).transform(index % 8)
        lines.append(f"{image.to_string()}; {int(record['score']):+d};\n")
    path = tmp_path / "measure.obf"
    path.write_text("".join(lines))
    left = rounds.collect(collection, range(2, 3), boards.excluded_keys([path]))[5]
    assert len(left) == len(known) - 16
    names = set(boards.keys(known[:16]["mover"], known[:16]["opponent"]).tolist())
    assert not names & set(boards.keys(left["mover"], left["opponent"]).tolist())


def test_the_best_label_of_a_position_counts(tmp_path: Path) -> None:
    records = make_shard(None, SelfPlay(games=1, depths=(1,)), "one")[:1]
    collection = boards.PositionStore(tmp_path)
    for shard, (score, depth, number) in enumerate(((10, 8, 2), (4, boards.EXACT, 1), (7, 4, 3))):
        records["score"], records["depth"], records["round"] = score, depth, number
        collection.write(collection.path("best", shard), records)
    (chosen,) = rounds.collect(collection, range(rounds.STAGES), NOBODY).values()
    assert chosen["score"].tolist() == [4]


def test_the_fit_finds_planted_weights() -> None:
    """Labels made by known weights: the held-out error falls to a small part of what it was."""
    records = np.concatenate([make_shard(None, SelfPlay(games=150, depths=(1,)), f"plant {n}") for n in range(2)])
    count = boards.empties(records["mover"], records["opponent"])
    records = records[(count >= 19) & (count <= 20)]
    # Two discs for every move more than the opponent has: simple enough to be found from so few positions.
    planted = np.zeros(fit.reduced_size(), np.float32)
    first = int(fit.reduced_index()[patterns.COUNTS_OFFSET])
    planted[first : first + 1024] = [2 * (number // 32 - number % 32) for number in range(1024)]
    scores = np.clip(fit.rows(records["mover"], records["opponent"]) @ planted, -60, 60)
    names = boards.keys(records["mover"], records["opponent"])
    sample = fit.Sample(
        records["mover"],
        records["opponent"],
        scores,
        np.ones(len(records), np.float32),
        np.ones(len(records), np.bool_),
        fit.is_held_out(names),
    )
    nothing = np.zeros(fit.reduced_size(), np.float32)
    result = fit.fit_stage(9, sample, nothing, nothing, fit.FitOptions(ridge=0.5, spread=1000, early_spread=1000))
    assert result.curve[-1][0] < 0.2 * result.curve[0][0]
    assert min(held for _, held in result.curve) < 0.8 * result.curve[0][1]


def test_function_survives_its_file_and_lends_stages_that_are_not_fitted() -> None:
    function = rounds.Function()
    function.weights[3, 5], function.fitted[3] = 1.5, True
    again = rounds.Function.from_bytes(function.to_bytes())
    assert (again.weights[:, 5] == 1.5).all()


def test_stages_cover_the_game_and_keep_even_and_odd_apart() -> None:
    covered = [count for stage in range(rounds.STAGES) for count in rounds.empties_of_stage(stage)]
    assert sorted(covered) == list(range(61))
    for stage in range(rounds.STAGES):
        assert {rounds.STAGE_OF_EMPTIES[count] for count in rounds.empties_of_stage(stage)} == {stage}
        assert {count % 2 for count in rounds.empties_of_stage(stage)} == {stage % 2}


def test_a_function_with_other_stages_is_taken_over() -> None:
    size = fit.reduced_size()
    entries = np.repeat(np.array([[100], [200], [700]], "<i2"), size, axis=1)
    data = weights.to_bytes([0] * 14 + [1] * 2 + [2] * 45, entries.tobytes())
    function = rounds.Function.from_bytes(data)
    means = {12: 100, 13: 150, 14: 450, 15: 150, 16: 450, 60: 700}
    for empties, units in means.items():
        assert function.weights[rounds.STAGE_OF_EMPTIES[empties], 0] * fit.UNIT == units


def test_a_file_with_all_stages_and_factors_stays_within_12_mib() -> None:
    tables = bytes(2 * 2 * len(factor_fit.BLOCK_ENDS) * fit.reduced_size())
    parameters = np.zeros((len(factors.PHASE_ENDS), factors.reduced_size() + 61, patterns.CHANNELS), np.float32)
    data = weights.to_bytes(factor_fit.STAGE_OF_EMPTIES, tables, factors.quantised(parameters)[0])
    assert len(data) <= 12 << 20


@pytest.mark.slow
def test_a_killed_fit_of_tables_fits_the_stages_that_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_empties = rounds.collect(filled(tmp_path), range(4), NOBODY)
    options, stretch = fit.FitOptions(rounds=1, steps=2), {1: {6: 1.1}}

    def fitted(workers: Workers, unfinished: Unfinished | None) -> tuple[rounds.Function, list[fit.Fitted]]:
        function = rounds.Function()
        return function, rounds.fit_stages(workers, by_empties, function, range(4), options, stretch, unfinished)

    said: list[str] = []
    file = Unfinished(tmp_path / "new.unfinished", said.append)
    fit_stage = fit.fit_stage
    stages: list[int] = []

    def fit_until_killed(stage: int, *arguments: Any) -> fit.Fitted:
        if len(stages) == 3:
            raise KeyboardInterrupt
        stages.append(stage)
        return fit_stage(stage, *arguments)

    with Workers(1) as workers:
        whole, reports = fitted(workers, None)
        monkeypatch.setattr(fit, "fit_stage", fit_until_killed)
        with pytest.raises(KeyboardInterrupt):
            fitted(workers, file)
        assert stages == [0, 1, 2] and not said
        stages = []
        resumed, reports_again = fitted(workers, file)
    assert stages == [3] and len(said) == 1
    assert (resumed.weights == whole.weights).all() and (resumed.fitted == whole.fitted).all()
    assert json.dumps(report.summary(reports_again)) == json.dumps(report.summary(reports))  # not-a-numbers in it


def test_a_share_of_the_rounds_has_fewer_shards_and_nothing_else() -> None:
    assert schedule.shared(schedule.ROUNDS, 1) == list(schedule.ROUNDS)
    few = schedule.shared(schedule.ROUNDS, 0.02)
    assert [[each.shards for each in this.collections] for this in few] == [[6], [2], [3], [2], [5, 2, 2]]
    assert {part.shards for part in few[0].parts} == {0, 2}  # of 70; 0 is all
    assert [[part.bands for part in this.parts] for this in few] == [
        [part.bands for part in this.parts] for this in schedule.ROUNDS
    ]


@pytest.mark.slow
def test_rounds_go_on_only_with_what_they_were_begun_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plans = []

    def learn(store: Any, workers: Any, excluded: Any, seed: int, plan: list[schedule.Round]) -> Path:
        plans.append(plan)
        return tmp_path

    monkeypatch.setattr(schedule, "learn", learn)
    words = ["all", "--folder", str(tmp_path), "--processes", "1", "--share"]
    assert train([*words, "0.02"]) == 0
    assert train([*words, "0.02", "--seed", "5"]) == 2
    assert train(words[:-1]) == 2
    assert "expected 4, 0.02, as the rounds in" in capsys.readouterr().err
    assert train([*words, "0"]) == 2
    assert train([*words, "0.02"]) == 0
    assert plans == [schedule.shared(schedule.ROUNDS, 0.02)] * 2
