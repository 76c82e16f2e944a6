"""The environment of PettingZoo: its own test, whole games against the rules, and illegal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from othello_bot.environments import pettingzoo_aec
from othello_bot.rules import Game, IllegalMove


@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_test() -> None:
    api_test(pettingzoo_aec.env(), num_cycles=200)


@pytest.mark.slow
def test_whole_games() -> None:
    rng = np.random.default_rng(3)
    env = pettingzoo_aec.env(render_mode="ansi")
    passes = 0
    for _ in range(30):
        env.reset()
        game = Game()
        rewards = dict.fromkeys(pettingzoo_aec.AGENTS, 0)
        for agent in env.agent_iter():
            seen, reward, ended, cut, _ = env.last()
            rewards[agent] += reward
            assert not cut
            if ended:
                env.step(None)
                continue
            actions = np.flatnonzero(seen["action_mask"]).tolist()
            assert actions == list(game.position.legal_moves or [64])
            assert (int(seen["observation"][..., 0].sum()), int(seen["observation"][..., 1].sum())) == (
                game.position.mover.bit_count(),
                game.position.opponent.bit_count(),
            )
            other = env.observe(next(name for name in pettingzoo_aec.AGENTS if name != agent))
            assert not other["action_mask"].any()
            assert np.array_equal(other["observation"], seen["observation"][..., ::-1])
            action = int(rng.choice(actions))
            passes += action == 64
            game.play(action)
            env.step(action)
        sign = (game.final_score > 0) - (game.final_score < 0)
        assert game.is_over and rewards == {"black": sign, "white": -sign}
    assert passes


def test_a_picture() -> None:
    raw = pettingzoo_aec.RawEnv("rgb_array")
    picture: Any = raw.render()
    assert (picture.dtype, picture.shape, picture[3 * 48 + 24, 4 * 48 + 24].tolist()) == (
        np.uint8,
        (384, 384, 3),
        [17, 17, 17],
    )


@pytest.mark.filterwarnings("ignore")
def test_illegal_actions() -> None:
    env = pettingzoo_aec.env()
    env.reset()
    env.step(0)
    assert env.terminations == {"black": True, "white": True} and env.rewards["black"] == -1
    raw = pettingzoo_aec.RawEnv()
    with pytest.raises(IllegalMove):
        raw.step(64)
    for action in (None, 1.5, "x"):
        with pytest.raises(ValueError, match=r"action .*: expected a whole number from 0 to 64"):
            raw.step(action)  # type: ignore[arg-type]
    assert raw.position.empties == 60


@pytest.mark.parametrize("odd", [3, "red", [], b"black", True])
def test_agents_and_modes_that_are_refused(odd: Any) -> None:
    raw = pettingzoo_aec.RawEnv()
    for asked in (raw.observe, raw.observation_space, raw.action_space):
        with pytest.raises(ValueError, match=r"agent .*: expected black or white"):
            asked(odd)
    with pytest.raises(ValueError, match=r"render_mode .*: expected ansi, rgb_array or None"):
        pettingzoo_aec.env(odd)
