#!/usr/bin/env python3
"""Let a network learn Othello by playing alone, with MaskablePPO of sb3-contrib; an example to read and change.

    pip install sb3-contrib 'othello-bot[gymnasium]'
    python docs/examples/ppo.py network.npz --steps 200000
    python docs/examples/tiny_network.py play network.npz     # plays over GTP, and needs NumPy alone

It plays Black and White against random moves, and begins knowing nothing but the rules. The network has the shape of
tiny_network.py's, so that program plays it without PyTorch.
"""

from __future__ import annotations

import argparse
import importlib
from typing import Any

import gymnasium
import numpy as np

from othello_bot import Color, Options
from othello_bot.environments.gym import OthelloEnv

HIDDEN = 128


class Board(gymnasium.ObservationWrapper):  # type: ignore[type-arg, misc, unused-ignore]
    """The two planes of the board alone, flat; MaskablePPO asks for the mask by `action_masks`."""

    def __init__(self, color: Color) -> None:
        super().__init__(OthelloEnv(Options(strategy="random", hash=1, book=False), color=color))
        self.observation_space = gymnasium.spaces.Box(0, 1, (128,), np.float32)

    def observation(self, observation: Any) -> Any:
        """Return the cells as the network sees them."""
        return observation["observation"].reshape(128).astype(np.float32)

    def action_masks(self) -> Any:
        """Return which actions are legal."""
        return self.unwrapped.action_masks()  # type: ignore[attr-defined, unused-ignore]


def exported(policy: Any) -> dict[str, Any]:
    """Return the weights of the policy as tiny_network.py reads them."""
    inner, outer = policy.mlp_extractor.policy_net[0], policy.action_net
    arrays = {"inner": inner.weight.T, "inner_bias": inner.bias, "outer": outer.weight.T, "outer_bias": outer.bias}
    return {name: array.detach().cpu().numpy() for name, array in arrays.items()}


def main() -> None:
    """Read the command line, learn, and write the network."""
    parser = argparse.ArgumentParser(description="learn Othello by playing against random moves")
    parser.add_argument("file", help="the network to write, .npz")
    parser.add_argument("--steps", type=int, default=200_000, help="moves of the learner (default 200,000)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch, sb3, vectors = map(importlib.import_module, ("torch", "sb3_contrib", "stable_baselines3.common.vec_env"))
    torch.set_num_threads(1)  # the network is small
    games = vectors.VecMonitor(vectors.DummyVecEnv([lambda color=color: Board(color) for color in 4 * [*Color]]))
    shape = {"net_arch": {"pi": [HIDDEN], "vf": [HIDDEN]}, "activation_fn": torch.nn.ReLU}
    settings = {"n_steps": 512, "batch_size": 512, "n_epochs": 5, "ent_coef": 0.01, "gamma": 1.0, "seed": args.seed}
    learner = sb3.MaskablePPO("MlpPolicy", games, policy_kwargs=shape, device="cpu", verbose=1, **settings)
    learner.learn(args.steps)
    np.savez(args.file, **exported(learner.policy))


if __name__ == "__main__":
    main()
