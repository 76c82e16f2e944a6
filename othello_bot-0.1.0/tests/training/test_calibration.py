"""Labels from searches are stretched by the factors of solved positions, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from othello_bot.cluster import Workers
from othello_bot.training import boards, labels
from othello_bot.training.games import SelfPlay, make_shard
from othello_bot.training.labels import Band


def test_only_labels_of_searches_are_stretched() -> None:
    records = np.zeros(4, boards.RECORD)
    records["mover"] = [(1 << 32) - 1] * 4  # 32 discs
    records["opponent"] = [((1 << 16) - 1) << 32] * 2 + [((1 << 20) - 1) << 32] * 2  # 16 and 12 empties
    records["score"] = [10, 10, 10, 60]
    records["depth"] = [6, boards.EXACT, 6, 6]
    records["round"] = 4
    found = labels.stretched(records, {4: {14: 1.1, 18: 1.3}})
    assert found.tolist() == pytest.approx([12, 10, 11, 64])
    assert labels.stretched(records, {}).tolist() == [10, 10, 10, 60]


def test_every_round_has_its_own_factors_and_lends_them_to_the_nearest_without() -> None:
    records = np.zeros(4, boards.RECORD)
    records["mover"] = [(1 << 32) - 1] * 4
    records["opponent"] = [((1 << 16) - 1) << 32] * 4
    records["score"], records["depth"], records["round"] = 10, 6, [2, 3, 5, 9]
    factors = {3: {16: 1.1}, 5: {16: 1.4}}
    assert labels.stretched(records, factors).tolist() == pytest.approx([11, 11, 14, 14])


def test_halved_labels_are_found_to_be_halved(tmp_path: Path) -> None:
    records = make_shard(None, SelfPlay(games=60, depths=(1,)), "calibration")
    records = records[boards.empties(records["mover"], records["opponent"]) == 14][:24]
    labels.label_records(None, records, (Band(14, 14, boards.EXACT),), 1)
    records["score"] //= 2
    records["depth"], records["round"] = 6, 3
    collection = boards.PositionStore(tmp_path)
    collection.write(collection.path("halved", 0), records)
    assert labels.calibrated(tmp_path) == {}
    with Workers(1) as workers:
        factors = labels.calibrate(collection, workers, None, 1, 3, scale=0.02)
    assert list(factors) == [14]
    assert factors[14] == pytest.approx(2, abs=0.1)
    assert labels.calibrated(tmp_path) == {3: factors}
