"""All rounds of learning from end to end, in miniature; tests/training has the steps one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from othello_bot.cluster import Workers
from othello_bot.evaluation import weights
from othello_bot.training import boards, factor_fit, factor_learner, fit, games, labels, rounds, schedule
from othello_bot.training.games import SelfPlay
from othello_bot.training.labels import Band
from tests.training.test_pipeline import NOBODY, PLAY


def test_rounds_end_to_end_and_once_more_without_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last = schedule.SchedulePart((Band(0, 4, boards.EXACT),), range(2))
    quick = fit.FitOptions(rounds=1, steps=2), factor_learner.Options(epochs=1)
    # Shard 0 of a collection is held out from the factors, so a round needs a second one.
    plan = (
        schedule.Round(
            (schedule.Collection("a", PLAY, 2),), (last, schedule.SchedulePart((Band(5, 6, 1),), range(2, 3))), *quick
        ),
        schedule.Round((schedule.Collection("b", PLAY, 2),), (last,), *quick),
        schedule.Round(
            (
                schedule.Collection("c", PLAY, 1),
                schedule.Collection("d", SelfPlay(games=2, openings="book", depths=(1,)), 1),
            ),
            (last,),
            *quick,
            again=(Band(5, 6, 2, refresh=True),),
        ),
    )
    played: dict[str, bytes | None] = {}
    labelled: dict[str, set[bytes | None]] = {}
    make, label = games.make_positions, labels.label

    def make_positions(
        to: boards.PositionStore, workers: Workers, name: str, shards: Any, play: SelfPlay, data: Any, seed: int
    ) -> int:
        played[name] = data
        return make(to, workers, name, shards, play, data, seed)

    def label_shards(to: boards.PositionStore, workers: Workers, paths: Any, bands: Any, data: Any, number: int) -> int:
        for path in paths:
            labelled.setdefault(path.stem[0], set()).add(data)
        return label(to, workers, paths, bands, data, number)

    monkeypatch.setattr(games, "make_positions", make_positions)
    monkeypatch.setattr(labels, "label", label_shards)
    collection = boards.PositionStore(tmp_path)
    with Workers(1) as workers:
        path = schedule.learn(collection, workers, NOBODY, 5, plan)
        written = {file: file.read_bytes() for file in sorted(path.parent.glob("*.weights"))}
        times = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.*")}
        handed_on = dict(played), dict(labelled)
        assert schedule.learn(collection, workers, NOBODY, 5, plan) == path
        assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.*")} == times
        path.unlink()  # killed while the last factors were fitted
        assert schedule.learn(collection, workers, NOBODY, 5, plan) == path
    assert path.read_bytes() == written[path]
    assert path.name == "03-factors.weights"
    assert len(collection.shards("d")) == 1

    functions = {file.stem: data for file, data in written.items()}
    assert list(functions) == ["01-01", "01-02", "01-factors", "02-01", "02-factors", "03-01", "03-factors"]
    name_of = {data: name for name, data in functions.items()} | {None: "handmade"}
    assert {name: name_of[data] for name, data in handed_on[0].items()} == {
        "a": "handmade",
        "b": "01-factors",
        "c": "02-factors",
        "d": "02-factors",
    }
    assert {name: {name_of[data] for data in used} for name, used in handed_on[1].items()} == {
        "a": {"handmade", "01-01"},
        "b": {"01-factors", "02-factors"},
        "c": {"02-factors"},
        "d": {"02-factors"},
    }
    for number, part in (("01", "01-02"), ("02", "02-01"), ("03", "03-01")):
        alone, both = weights.split(functions[part]), weights.split(functions[f"{number}-factors"])
        assert alone.factors is None and both.factors is not None
        before = factor_fit.tables_of(functions[part])
        assert before.stage_of_empties == both.stage_of_empties
        assert bytes(before.reduced) != bytes(both.reduced), "the tables move along"
    assert rounds.Function.from_bytes(written[path]).fitted.all()
