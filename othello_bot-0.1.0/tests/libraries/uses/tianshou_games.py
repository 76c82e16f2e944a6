"""tianshou: DQN learns against random moves in PettingZoo's environment; an illegal action would raise an error."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from othello_bot.environments.pettingzoo_aec import RawEnv

GAMES = 2


def environment() -> Any:
    """Return one game for two agents."""
    return PettingZooEnv(RawEnv())


def main() -> None:
    """Learn, play, and print what happened."""
    np.random.seed(1)
    torch.manual_seed(1)
    one = environment()
    network = Net(state_shape=(8, 8, 2), action_shape=65, hidden_sizes=[64])
    policy = DiscreteQLearningPolicy(
        model=network, action_space=one.action_space, observation_space=one.observation_space, eps_training=0.2
    )
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=100)
    other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(one.action_space)
    both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=one)
    training = DummyVectorEnv([environment for _ in range(GAMES)])
    collector = Collector[CollectStats](both, training, VectorReplayBuffer(2000, GAMES), exploration_noise=True)
    collector.reset()
    collector.collect(n_step=64)
    trained = both.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            test_collector=None,
            max_epochs=1,
            epoch_num_steps=200,
            collection_step_num_env_steps=20,
            batch_size=32,
            update_step_num_gradient_steps_per_sample=0.1,
            test_step_num_episodes=0,
            verbose=False,
        )
    )
    playing = Collector[CollectStats](both, DummyVectorEnv([environment]))
    playing.reset()
    played = playing.collect(n_episode=3)
    print(
        json.dumps(
            {
                "steps": int(trained.train_step),
                "updates": int(trained.update_step),
                "games": int(played.n_collected_episodes),
                "sums": [float(sum(returns)) for returns in played.returns],
            }
        )
    )


if __name__ == "__main__":
    main()
