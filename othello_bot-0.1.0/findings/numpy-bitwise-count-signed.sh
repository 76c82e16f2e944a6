#!/bin/sh
# Guess:   numpy.bitwise_count counts the bits that an int64 has in memory, so it does not matter whether a bitboard is int64 or uint64;
#          its result has the type of the array.
# Fact:    it counts the bits of the absolute value: a board with a1 and h8 as int64 has 63 discs, a full one has 1. The result is uint8,
#          so a difference of discs wraps at 256: 3 - 8 is 251.
# Version: numpy 2.4.6, Python 3.11.
# Date:    2026-11-27
# Why:     bitboards from SQLite, Java or pandas are int64. Discs are counted right until somebody takes h8. View as uint64, and widen
#          the counts before they are subtracted.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numpy==2.4.6 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
import numpy as np

print("numpy", np.__version__)
signed = np.array([0x8000000000000001 - (1 << 64), -1], np.int64)
print(np.bitwise_count(signed), np.bitwise_count(signed.view(np.uint64)))
mover, opponent = np.array([0b111], np.uint64), np.array([0xFF], np.uint64)
print(np.bitwise_count(mover).dtype, np.bitwise_count(mover) - np.bitwise_count(opponent))
END
cat >expected <<'END'
numpy 2.4.6
[63  1] [ 2 64]
uint8 [251]
END
diff expected seen
