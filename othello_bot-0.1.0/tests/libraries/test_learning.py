"""Libraries of learning and of games with our environments and players, as their users would write it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.libraries.conftest import Script

USES = Path(__file__).with_name("uses")

EXPECTED: dict[str, tuple[str, Any]] = {
    "kaggle_agents": ("kaggle-environments", {"ended": 2 * [[["DONE", "DONE"], 1]]}),
    "open_spiel_bots": ("open_spiel", {"searched": [1, 1], "gtp": 1, "restarted": "TypeError"}),
    "pgx_games": ("pgx", {"legal": True, "games": 2, "rewards": [1, 1]}),
    "rllib_ppo": ("ray", {"steps": 256, "sums": [0, 0, 0]}),
    "tianshou_games": ("tianshou", {"steps": 200, "updates": 10, "games": 3, "sums": [0, 0, 0]}),
    "textarena_games": ("textarena", {"rewards": [1, 1]}),
}
"""What each program prints, and the library whose environment it runs in."""


@pytest.mark.parametrize("name", EXPECTED)
def test_games_and_learning(name: str, script: Script) -> None:
    library, expected = EXPECTED[name]
    assert script(library, USES / f"{name}.py") == expected


def test_maskable_ppo_learns_in_one_process_and_in_several(script: Script) -> None:
    told = script("sb3-contrib", USES / "maskable_ppo.py")
    assert told["steps"] == [256, 256] and told["legal"] and -1 <= told["mean"] <= 1


def test_torchrl_collects_legal_games_and_learns(script: Script) -> None:
    told = script("torchrl", USES / "torchrl_wrappers.py")
    assert told["games"] >= 256 // 34 and told["pairs"] == 4 and told["losses"] == 2 and told["sum"] == 0
