"""The environment of Gymnasium: its own checker, whole games, and illegal actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from othello_bot.base.notation import Color
from othello_bot.engine import Options
from othello_bot.environments.gym import OthelloEnv
from othello_bot.rules import IllegalMove

WEAK = Options(strength=1, hash=1)


TEXTBOOK = Options(strategy="difference", hash=1)


@pytest.fixture(params=[(WEAK, Color.BLACK), (TEXTBOOK, Color.WHITE), (None, Color.BLACK)])
def env(request: pytest.FixtureRequest) -> Iterator[OthelloEnv]:
    """Return an environment against a weak engine, a textbook player, or itself."""
    opponent, color = request.param
    made = OthelloEnv(opponent, color, render_mode="ansi")
    yield made
    made.close()


def episode(env: OthelloEnv, seed: int) -> tuple[tuple[int, ...], float]:
    """Play random legal actions until the end; return the moves of the game and the reward of the last one."""
    rng = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    while True:
        assert np.flatnonzero(seen["action_mask"]).tolist() == info["legal_actions"] != []
        seen, reward, over, cut, info = env.step(int(rng.choice(info["legal_actions"])))
        assert not cut
        if over:
            assert info["legal_actions"] == [] and not seen["action_mask"].any()
            return env.game.moves, reward
        assert reward == 0


@pytest.mark.filterwarnings("ignore")
def test_gymnasiums_checker(env: OthelloEnv) -> None:
    check_env(env, skip_render_check=True)


def test_an_episode_depends_on_the_seed_alone(env: OthelloEnv) -> None:
    first, again, other = episode(env, 1), episode(env, 1), episode(env, 2)
    assert first == again != other
    score = env.game.final_score
    assert abs(other[1]) == (score != 0)


def test_the_reward_is_the_agents() -> None:
    env = OthelloEnv(WEAK, Color.WHITE)
    for seed in range(3):
        _, reward = episode(env, seed)
        score = -env.game.final_score
        assert reward == (score > 0) - (score < 0)
    env.close()


def test_an_observation_shows_the_agents_discs_first() -> None:
    env = OthelloEnv(WEAK, Color.WHITE)
    seen, _ = env.reset(seed=0)
    assert seen["observation"][..., 0].sum() == 1 and seen["observation"][..., 1].sum() == 4
    env.close()


def test_an_illegal_action_ends_the_episode_or_raises() -> None:
    env = OthelloEnv(None)
    env.reset(seed=0)
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["legal_actions"]) == (-1.0, True, [19, 26, 37, 44])
    strict = OthelloEnv(None, illegal="raise")
    strict.reset(seed=0)
    with pytest.raises(IllegalMove):
        strict.step(64)
    assert strict.game.ply == 0


@pytest.mark.parametrize("action", [1.5, "x", None, [19]])
def test_what_is_no_action_is_refused_and_changes_nothing(action: Any) -> None:
    env = OthelloEnv(None)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"action .*: expected a whole number from 0 to 64"):
        env.step(action)
    assert env.game.ply == 0 and env.step(np.int64(19))[2] is False


@pytest.mark.parametrize(
    "arguments",
    [{"opponent": "beginner"}, {"color": 0}, {"illegal": "ignore"}, {"illegal": []}, {"render_mode": "human"}],
)
def test_arguments_that_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        OthelloEnv(**arguments)
