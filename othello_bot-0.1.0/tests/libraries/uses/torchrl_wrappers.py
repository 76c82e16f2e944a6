"""TorchRL collects legal games at random, through both of its wrappers, and learns with a masked policy."""

from __future__ import annotations

import json
from typing import Any

import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import (
    ActionMask,
    Compose,
    DTypeCastTransform,
    GymWrapper,
    PettingZooWrapper,
    TransformedEnv,
    check_env_specs,
)
from torchrl.modules import MaskedCategorical, ProbabilisticActor

from othello_bot import Options
from othello_bot.environments import pettingzoo_aec
from othello_bot.environments.gym import OthelloEnv

FRAMES = 256


def alone() -> Any:
    """Return one agent's environment, in which an illegal action raises an error."""
    opponent = Options(strategy="random", hash=1, book=False)
    wrapped = GymWrapper(OthelloEnv(opponent, illegal="raise"), categorical_action_encoding=True)
    # MaskedCategorical takes masks of bool alone.
    truth = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    return TransformedEnv(wrapped, Compose(truth, ActionMask()))


class Network(torch.nn.Module):
    """Logits of the 65 actions."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(128, 64), torch.nn.ReLU(), torch.nn.Linear(64, 65))

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Return the logits for boards of any number."""
        return self.layers(planes.flatten(-3).float())


def main() -> None:
    """Collect, learn, and print what happened."""
    torch.manual_seed(1)
    environment = alone()
    check_env_specs(environment, seed=1)
    drawn = Collector(environment, environment.rand_action, frames_per_batch=FRAMES, total_frames=FRAMES)
    chance = sum(int(batch["next", "done"].sum()) for batch in drawn)
    actor = ProbabilisticActor(
        TensorDictModule(Network(), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
    )
    optimizer = torch.optim.Adam(actor.parameters(), 1e-3)
    losses = []
    for batch in Collector(alone(), actor, frames_per_batch=FRAMES // 2, total_frames=FRAMES):
        reward = batch["next", "reward"].squeeze(-1)
        loss = -(actor.log_prob(batch) * reward).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    games = PettingZooWrapper(pettingzoo_aec.env(), use_mask=True)
    played = Collector(games, games.rand_action, frames_per_batch=FRAMES, total_frames=FRAMES)
    rewards: list[float] = []
    for batch in played:
        ended = batch["next", "done"].squeeze(-1)
        rewards += [float(batch["next", side, "reward"][ended].sum()) for side in ("black", "white")]
        together = int(ended.sum())
    print(json.dumps({"games": chance, "losses": len(losses), "pairs": together, "sum": sum(rewards)}))


if __name__ == "__main__":
    main()
