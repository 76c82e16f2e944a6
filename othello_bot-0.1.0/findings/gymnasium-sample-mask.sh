#!/bin/sh
# Guess:   Discrete.sample takes a mask of any array of truth values, as sb3-contrib's action_masks() returns it (bool), and raises an error
#          if no action is legal.
# Fact:    a bool mask is refused by an assertion, only int8 is taken; a mask without a legal action gives the first action, as if it were
#          legal. random.choice of nothing, by contrast, raises.
# Version: gymnasium 1.4.0, numpy 2.4.6, Python 3.11.
# Date:    2026-11-27
# Why:     action 0 is a1. An environment that leaves out the pass, or hands its mask to the player who is not to move, plays the corner
#          without a message.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check gymnasium==1.4.0 numpy==2.4.6 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
import gymnasium
import numpy as np

print("gymnasium", gymnasium.__version__)
actions = gymnasium.spaces.Discrete(65, seed=1)
try:
    actions.sample(np.ones(65, bool))
except AssertionError as error:
    print(error)
print({int(actions.sample(np.zeros(65, np.int8))) for _ in range(100)})
END
cat >expected <<'END'
gymnasium 1.4.0
The expected dtype of the sample mask is np.int8, actual dtype: bool
{0}
END
diff expected seen
