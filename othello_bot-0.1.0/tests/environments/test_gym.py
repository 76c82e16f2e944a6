"""The environment of Gymnasium: its own checker, whole games, and illegal actions."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from othello_bot.base.notation import Color
from othello_bot.engine import Options
from othello_bot.environments.gym import ID, OthelloEnv
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
    check_env(env)


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


def test_action_masks_are_those_of_the_observation(env: OthelloEnv) -> None:
    rng = np.random.default_rng(3)
    seen, info = env.reset(seed=3)
    while info["legal_actions"]:
        masks = env.action_masks()
        assert masks.dtype == bool and masks.shape == (65,)
        assert masks.tolist() == seen["action_mask"].astype(bool).tolist()
        seen, _, _, _, info = env.step(int(rng.choice(info["legal_actions"])))
    assert not env.action_masks().any()


@pytest.mark.process
def test_the_registered_environment() -> None:
    program = """
import gymnasium
env = gymnasium.make("othello_bot.environments.gym:othello_bot/Othello-v0", render_mode="rgb_array", opponent=None)
env.reset(seed=1)
print(env.spec.id, env.metadata["render_fps"], env.render().shape, int(env.get_wrapper_attr("action_masks")().sum()))
"""
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("othello_bot/Othello-v0 1 (384, 384, 3) 4\n", "")


def test_gymnasium_makes_it_by_name() -> None:
    with gymnasium.make(ID, opponent=TEXTBOOK, color=Color.WHITE, illegal="raise") as env:
        env.reset(seed=1)
        assert env.unwrapped.game.ply == 1  # type: ignore[attr-defined]
    vector = gymnasium.make_vec(ID, 2, vectorization_mode="sync", opponent=None)
    seen, _ = vector.reset(seed=1)
    assert seen["action_mask"].shape == (2, 65)
    vector.close()


def test_a_picture_has_the_discs_on_their_squares() -> None:
    env = OthelloEnv(None, render_mode="rgb_array")
    env.reset(seed=1)
    for action in (19, 18):  # d3 c3
        env.step(action)
    picture: Any = env.render()
    assert (picture.dtype, picture.shape) == (np.uint8, (384, 384, 3))
    shown = {tuple(color): "XO"[color[0] > 128] for color in ((17, 17, 17), (245, 245, 245))}
    middles = ["".join(shown.get(tuple(color), "-") for color in rank) for rank in picture[24::48, 24::48].tolist()]
    assert middles == ["-" * 8, "-" * 8, "--OX----", "---OX---", "---XO---", *["-" * 8] * 3]


COPIES = (copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)))


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize(
    "opponent",
    [
        None,
        WEAK,
        Options(strategy="random", hash=1),
        Options(level=3, hash=1, variety="much"),
        Options(level=4, hash=1, book_randomness=50, seed=7),
    ],
)
def test_a_copy_goes_on_as_the_original_does(opponent: Options | None, copied: Callable[[Any], Any]) -> None:
    def played_on(env: OthelloEnv) -> list[tuple[int, ...]]:
        rng, info, games = np.random.default_rng(5), {"legal_actions": env.action_masks().nonzero()[0]}, []
        for seed in (None, 1, None):  # this game, one by a seed, and one by what the seed began
            while len(info["legal_actions"]):
                _, _, _, _, info = env.step(int(rng.choice(info["legal_actions"])))
            games.append(env.game.moves)
            _, info = env.reset(seed=seed)
        return games

    env = OthelloEnv(opponent, Color.WHITE)
    episode(env, 1)
    _, info = env.reset(seed=2)
    for _ in range(4):
        _, _, _, _, info = env.step(info["legal_actions"][0])
    before = env.game.moves
    other = copied(env)
    first = played_on(other)
    assert env.game.moves == before and len(set(first)) == 3
    env_again = copied(env)
    assert played_on(env) == first == played_on(env_again)
    for one in (env, other, env_again):
        one.close()


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
