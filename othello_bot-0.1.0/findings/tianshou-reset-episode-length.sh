#!/bin/sh
# Guess:   Collector.reset_env(), and collect(..., reset_before_collect=True), begin new episodes; the cut one is dropped or ends there.
# Fact:    the environments begin anew, but the buffer goes on counting: an episode of ten steps, after seven collected before, is reported
#          with 17 steps and a return of 17. Only reset(), which also empties the buffer, drops the cut one.
# Version: tianshou 2.0.1, Python 3.11.
# Date:    2026-11-28
# Why:     after a collection of some steps to fill the buffer, as its examples do, games of Othello of at most 60 moves are reported with 90,
#          and where rewards come before the end, the returns are wrong as well.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check tianshou==2.0.1 gymnasium==1.4.0 torch==2.14.1 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' 2>log | tee seen
from importlib.metadata import version

import gymnasium
import numpy as np
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import Net


class TenSteps(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        self.steps = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.steps += 1
        return np.zeros(1, np.float32), 1.0, self.steps == 10, False, {}


print("tianshou", version("tianshou"))
net = Net(state_shape=(1,), action_shape=2, hidden_sizes=[4])
policy = DiscreteQLearningPolicy(
    model=net, action_space=TenSteps.action_space, observation_space=TenSteps.observation_space
)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))
collector = Collector[CollectStats](learner, DummyVectorEnv([TenSteps]), VectorReplayBuffer(1000, 1))
for name in ("reset_env", "reset", "reset_before_collect"):
    collector.reset()
    collector.collect(n_step=7)
    if name != "reset_before_collect":
        getattr(collector, name)()
    seen = collector.collect(n_episode=2, reset_before_collect=name == "reset_before_collect")
    print(name, seen.lens, seen.returns)
END
cat >expected <<'END'
tianshou 2.0.1
reset_env [17 10] [17. 10.]
reset [10 10] [10. 10.]
reset_before_collect [17 10] [17. 10.]
END
diff expected seen
