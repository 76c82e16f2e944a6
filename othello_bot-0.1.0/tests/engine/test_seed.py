"""The seed: random unless given, shown, and enough to play the same again."""

from __future__ import annotations

import pytest

from othello_bot.engine.engine import Engine
from othello_bot.engine.options import Options
from tests.session.fake_search import FakeSearch
from tests.session.harness import in_process, replies


def opening(seed: int, variety: str = "variety much", plies: int = 10) -> str:
    """Return the moves of a session that plays against itself."""
    lines = ["setoption level 2", f"setoption seed {seed}", f"setoption {variety}"]
    return " ".join(replies(in_process("\n".join([*lines, *["genmove"] * plies, "transcript\n"])))[-1:])


@pytest.mark.parametrize("variety", ["variety little", "variety much", "book_randomness 100"])
def test_a_seed_plays_the_same_after_a_restart_and_others_do_not(variety: str) -> None:
    assert opening(5, variety) == opening(5, variety)
    assert len({opening(seed, variety) for seed in range(8)}) > 4


def test_the_seed_in_use_is_shown_and_a_new_one_in_each_engine() -> None:
    shown = [replies(in_process("getoption seed\n"))[0].removeprefix("= ") for _ in range(2)]
    assert all(seed.isdecimal() for seed in shown)
    assert shown[0] != shown[1]
    (listed,) = [line for line in replies(in_process("options\n"))[0].splitlines() if line.startswith("seed")]
    assert "default random" in listed and "seed = random" not in listed


def test_a_saved_game_keeps_the_seed() -> None:
    assert "GC[seed 4711]" in replies(in_process("setoption seed 4711\nplay f5\nprintsgf\n"))[2]


def test_a_random_seed_can_be_asked_for_again() -> None:
    with Engine(Options(seed=5), search=FakeSearch()) as engine:
        assert engine.options.seed == 5
        engine.set_option("seed", "random")
        first = engine.options.seed
        engine.set_option("seed", "random")
        assert first is not None and first != engine.options.seed is not None
