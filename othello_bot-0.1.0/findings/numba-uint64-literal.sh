#!/bin/sh
# Guess:   in Numba, `x & 1` of an unsigned 64-bit x and a literal is unsigned, or a float64, as `x - 1` was for years.
# Fact:    & ^ and - with a literal give int64, while >> << and ~ keep uint64. So `x ^ 1` of a board with h8 is negative, and a shift to
#          the right behind it copies h8 over the board.
# Version: numba 0.68.1, numpy 2.4.6, Python 3.11.
# Date:    2026-11-27
# Why:     `board & -board`, `board ^ 1` and the like change the type in the middle of a move generator; numpy.uint64(1) keeps it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
import numba
import numpy as np

print("numba", numba.__version__)
board = np.uint64(0x8000000000000003)
functions = {
    "x >> 1": lambda x: x >> 1,
    "~x": lambda x: ~x,
    "x & 3": lambda x: x & 3,
    "x ^ 1": lambda x: x ^ 1,
    "x - 1": lambda x: x - 1,
    "(x ^ 1) >> 62": lambda x: (x ^ 1) >> 62,
}
for name, function in functions.items():
    compiled = numba.njit(function)
    print(name, compiled(board), compiled.nopython_signatures[0].return_type)
one = np.uint64(1)
print("x ^ uint64(1)", numba.njit(lambda x: x ^ one)(board))
END
cat >expected <<'END'
numba 0.68.1
x >> 1 4611686018427387905 uint64
~x 9223372036854775804 uint64
x & 3 3 int64
x ^ 1 -9223372036854775806 int64
x - 1 -9223372036854775806 int64
(x ^ 1) >> 62 -2 int64
x ^ uint64(1) 9223372036854775810
END
diff expected seen
