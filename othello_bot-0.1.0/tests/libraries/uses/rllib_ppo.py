"""RLlib: PPO learns with its module for masks, and random games go through its wrapper of PettingZoo."""

from __future__ import annotations

import json
import random
from typing import Any

import gymnasium
import numpy as np
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from othello_bot import Options
from othello_bot.environments.gym import OthelloEnv
from othello_bot.environments.pettingzoo_aec import RawEnv

STEPS = 256


class Renamed(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The board under the name that RLlib's module for masks asks for, flat, and both as floats."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        box = gymnasium.spaces.Box
        self.observation_space = gymnasium.spaces.Dict(
            {"observations": box(0, 1, (128,), np.float32), "action_mask": box(0, 1, (65,), np.float32)}
        )

    def observation(self, observation: Any) -> Any:
        """Return what an agent sees."""
        planes = observation["observation"].reshape(128).astype(np.float32)
        return {"observations": planes, "action_mask": observation["action_mask"].astype(np.float32)}


def environment(_: Any) -> Any:
    """Return one agent's environment, in which an illegal action raises an error."""
    return Renamed(OthelloEnv(Options(strategy="random", hash=1, book=False), illegal="raise"))


def learned() -> int:
    """Learn, and return the moves of the learner."""
    register_env("othello", environment)
    config = (
        PPOConfig()
        .environment("othello")
        .env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=STEPS, minibatch_size=128, num_epochs=1)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    result = algorithm.train()
    algorithm.stop()
    return int(result["env_runners"]["num_env_steps_sampled"])


def played(games: int) -> list[float]:
    """Play random games of two agents, and return the sum of both rewards for each."""
    rng, sums = random.Random(1), []
    for _ in range(games):
        both = PettingZooEnv(RawEnv())
        seen, _ = both.reset(seed=1)
        done, total = False, 0.0
        while not done:
            [agent] = seen
            action = rng.choice(np.flatnonzero(seen[agent]["action_mask"]).tolist())
            seen, rewards, ended, _, _ = both.step({agent: action})
            done, total = ended["__all__"], total + sum(rewards.values())
        sums.append(total)
    return sums


def main() -> None:
    """Learn, play, and print what happened."""
    print(json.dumps({"steps": learned(), "sums": played(3)}))


if __name__ == "__main__":
    main()
