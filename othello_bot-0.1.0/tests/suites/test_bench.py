"""The signature of the search.

`bench.SIGNATURE` pins it. A change of the search, of the shipped weights or of the ProbCut model changes it: such a
commit puts the new count (`othello-bot bench --quiet`) there and into its message. Any other change must leave it
unchanged, on every machine and with every build of the kernel.
"""

from __future__ import annotations

import pytest

from othello_bot.engine.limits import SELECTIVITIES
from othello_bot.rules.game import Game
from othello_bot.suites import bench


@pytest.mark.slow
def test_signature() -> None:
    assert bench.signature() == bench.SIGNATURE


def test_every_part_of_the_game_is_searched() -> None:
    empties: dict[str, set[int]] = {"opening": set(), "midgame": set(), "endgame": set()}
    for entry in bench.POSITIONS:
        assert entry.selectivity in SELECTIVITIES and 1 <= entry.depth <= 60
        position = Game.from_transcript(entry.transcript).position if entry.transcript else None
        empties[entry.part].add(60 if position is None else position.empties)
    assert min(empties["opening"]) >= 48 > max(empties["midgame"]) and min(empties["midgame"]) > max(empties["endgame"])
    assert min(empties["endgame"]) >= 14, "endgames too small to show a change of the search"
    assert len(set(bench.POSITIONS)) == len(bench.POSITIONS)
