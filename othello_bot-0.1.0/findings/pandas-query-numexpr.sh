#!/bin/sh
# Guess:   DataFrame.query() and eval() give what the same expression of columns gives; numexpr, which they use where it is installed,
#          changes the speed alone, or refuses what it cannot do.
# Fact:    numexpr has no uint64. With it, a column of boards is taken as int64: query("mover > opponent") leaves out boards with bit 63,
#          eval("mover | opponent") is int64, and eval("mover + opponent") float64 with lost bits; without it, all are right, as
#          frame.mover | frame.opponent always is. No message comes.
# Version: pandas 3.1.1, numexpr 2.14.2, Python 3.11.
# Date:    2026-11-28
# Why:     the same program loses boards on a machine on which some other package has brought numexpr. Say engine="python", or use columns.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pandas==3.1.1 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
cat >boards.py <<'END'
from importlib.metadata import PackageNotFoundError, version

import numpy
import pandas

try:
    print("pandas", pandas.__version__, "numexpr", version("numexpr"))
except PackageNotFoundError:
    print("pandas", pandas.__version__)
boards = pandas.DataFrame({"mover": [(1 << 63) + 1, 1 << 20], "opponent": [2, 4]}, dtype=numpy.uint64)
print("query", list(boards.query("mover > opponent").index), "columns", list(boards[boards.mover > boards.opponent].index))
for words in ("mover | opponent", "mover + opponent"):
    found = boards.eval(words)
    print(words, found.dtype, [int(one) for one in found])
print("columns", int((boards.mover | boards.opponent)[0]))
END
{
    venv/bin/python -W ignore boards.py
    venv/bin/pip install -q --disable-pip-version-check numexpr==2.14.2 2>log || { cat log >&2; exit 1; }
    venv/bin/python -W ignore boards.py
} | tee seen
cat >expected <<'END'
pandas 3.1.1
query [0, 1] columns [0, 1]
mover | opponent uint64 [9223372036854775811, 1048580]
mover + opponent uint64 [9223372036854775811, 1048580]
columns 9223372036854775811
pandas 3.1.1 numexpr 2.14.2
query [1] columns [0, 1]
mover | opponent int64 [-9223372036854775805, 1048580]
mover + opponent float64 [-9223372036854775808, 1048580]
columns 9223372036854775811
END
diff expected seen
