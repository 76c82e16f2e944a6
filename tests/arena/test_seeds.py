"""Gauntlets in which several engines play all others."""

from __future__ import annotations

import pytest

from othello_bot.arena.config import MatchConfig
from othello_bot.arena.errors import ConfigError
from othello_bot.arena.match import game_count, game_tasks, pairings
from tests.arena.builders import engines

FOUR = engines(*(f"random name={name}" for name in "ABCD"))


def test_each_seed_plays_all_others_and_no_other_seed() -> None:
    config = MatchConfig(engines=FOUR, format="gauntlet", seeds=2, rounds=3)
    assert pairings(config) == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert len(list(game_tasks(config))) == game_count(config) == 24


def test_a_gauntlet_of_one_keeps_its_key() -> None:
    assert "seeds" not in MatchConfig(engines=FOUR, format="gauntlet").identity
    assert pairings(MatchConfig(engines=FOUR, format="gauntlet")) == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize(("form", "seeds"), [("gauntlet", 0), ("gauntlet", 4), ("round-robin", 2)])
def test_seeds_that_make_no_gauntlet(form: str, seeds: int) -> None:
    with pytest.raises(ConfigError, match="seeds"):
        MatchConfig(engines=FOUR, format=form, seeds=seeds)
