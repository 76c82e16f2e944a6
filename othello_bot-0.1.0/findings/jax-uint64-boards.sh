#!/bin/sh
# Guess:   without jax_enable_x64, JAX warns that it makes uint32 of boards that are uint64.
# Fact:    jnp.asarray of a NumPy array of uint64 drops the upper four rows without a word. The warning comes where dtype=uint64 is asked for,
#          and a list of Python's integers raises OverflowError.
# Version: jax 0.10.2, numpy 2.4.6, Python 3.11.
# Date:    2026-11-28
# Why:     boards handed to a network, or to population_count, lose the rows 5 to 8; a game that begins in the middle still looks like one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check jax==0.10.2 numpy==2.4.6 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
JAX_PLATFORMS=cpu venv/bin/python - <<'END' 2>/dev/null | tee seen
import warnings

import jax
import jax.numpy as jnp
import numpy as np

print("jax", jax.__version__)
boards = np.array([0x0000000810000000, 0x8000000000000001], np.uint64)
ways = {
    "asarray": lambda: jnp.asarray(boards),
    "with dtype": lambda: jnp.asarray(boards, dtype=jnp.uint64),
    "jit": lambda: jax.jit(lambda board: board)(boards),
    "discs": lambda: jax.lax.population_count(boards),
    "list": lambda: jnp.asarray([int(board) for board in boards]),
}
for name, way in ways.items():
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found = way()
            print(name, found.dtype, *(hex(int(board)) for board in found), f"{len(warned)} warnings")
        except OverflowError:
            print(name, "OverflowError")
END
cat >expected <<'END'
jax 0.10.2
asarray uint32 0x10000000 0x1 0 warnings
with dtype uint32 0x10000000 0x1 1 warnings
jit uint32 0x10000000 0x1 0 warnings
discs uint32 0x1 0x1 0 warnings
list OverflowError
END
diff expected seen
