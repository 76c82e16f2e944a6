"""othello-bot train fit-move-order: repeatable games, and a function that explains what it is fitted to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from othello_bot.evaluation import shipped, weights
from othello_bot.kernel import patterns
from othello_bot.training import boards, fit
from tests.training.running import train


def test_the_games_depend_on_the_seed_alone() -> None:
    first, again, other = (fit.play_nodes(shipped(), 20, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.movers, again.movers) and np.array_equal(first.values, again.values)
    assert not np.array_equal(first.movers[:50], other.movers[:50])
    empties = boards.empties(first.movers, first.opponents)
    assert (empties.min(), empties.max()) == fit.ORDER_EMPTIES
    # All moves of a node come from one game and leave the same number of empty squares.
    for node in np.unique(first.nodes):
        of_node = first.nodes == node
        assert len(set(first.games[of_node])) == len(set(empties[of_node])) == 1
    value = shipped().evaluate(int(first.movers[7]), int(first.opponents[7]))
    assert first.values[7] == pytest.approx(value)


@pytest.mark.slow
def test_the_command_writes_numbers_that_explain_most_differences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[bytes] = []
    for seed in ("3", "3", "4"):
        output = tmp_path / f"{len(found)}.zlib"
        assert train(["fit-move-order", "--games", "150", "--seed", seed, "--output", str(output)]) == 0
        found.append(bytes(weights.move_order(output.read_bytes(), "new")))
    assert found[0] == found[1] != found[2]
    assert len(found[0]) == patterns.ORDER_SIZE
    said = capsys.readouterr().out.splitlines()[0]
    positions, _, share, *_ = said.split()
    assert int(positions) > 4000 and 30 < float(share.rstrip("%")) < 90


def test_the_hand_made_evaluation_has_no_numbers_to_learn_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(["fit-move-order", "--weights", "handmade", "--output", str(tmp_path / "new.zlib")]) == 2
    assert "expected a weights file" in capsys.readouterr().err
