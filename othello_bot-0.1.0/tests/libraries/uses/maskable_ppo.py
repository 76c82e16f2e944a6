"""MaskablePPO learns in one environment, and in two processes; every illegal action would raise an error."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from othello_bot import Color, Options
from othello_bot.environments.gym import ID, OthelloEnv

STEPS = 256
NAME = f"othello_bot.environments.gym:{ID}"
SETTINGS: dict[str, Any] = {"opponent": Options(strategy="random", hash=1, book=False), "illegal": "raise"}


def main() -> None:
    """Learn and play, and print what happened."""
    one = OthelloEnv(**SETTINGS, color=Color.WHITE)
    learner = MaskablePPO("MultiInputPolicy", one, n_steps=64, batch_size=64, n_epochs=1, seed=1, device="cpu")
    learner.learn(STEPS)
    mean, _ = evaluate_policy(learner, one, n_eval_episodes=4, warn=False)
    several = make_vec_env(NAME, n_envs=2, env_kwargs=SETTINGS, vec_env_cls=SubprocVecEnv)
    both = MaskablePPO("MultiInputPolicy", several, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    both.learn(STEPS)
    seen = several.reset()
    masks = np.stack(several.env_method("action_masks"))
    actions, _ = both.predict(seen, action_masks=masks)
    several.close()
    print(
        json.dumps(
            {
                "steps": [learner.num_timesteps, both.num_timesteps],
                "mean": float(mean),
                "legal": bool(masks[range(2), actions].all()),
            }
        )
    )


if __name__ == "__main__":
    main()
