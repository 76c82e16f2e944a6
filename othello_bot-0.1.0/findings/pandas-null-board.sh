#!/bin/sh
# Guess:   pandas.read_sql with dtype={"mover": "Int64"} keeps every bit of a column of integers with a NULL: that type holds both.
# Fact:    the column becomes float64 first and Int64 afterwards. A board with a1 and h8 comes back with h8 alone, without a warning.
# Version: pandas 3.1.1, sqlite3 of Python 3.11.
# Date:    2026-11-27
# Why:     bitboards are stored in SQLite as signed 64-bit integers; one empty cell takes discs off all boards of the column.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pandas==3.1.1
"$folder/venv/bin/python" - <<'END' | tee "$folder/seen"
import sqlite3

import pandas

base = sqlite3.connect(":memory:")
base.execute("CREATE TABLE boards (mover INTEGER)")
base.executemany("INSERT INTO boards VALUES (?)", [((1 << 63 | 1) - (1 << 64),), (None,)])
print("pandas", pandas.__version__)
for query in ("SELECT mover FROM boards", "SELECT mover FROM boards WHERE mover IS NOT NULL"):
    column = pandas.read_sql(query, base, dtype={"mover": "Int64"}).mover
    print(column.dtype, hex(int(column[0]) & (1 << 64) - 1), query)
END
cat >"$folder/expected" <<'END'
pandas 3.1.1
Int64 0x8000000000000000 SELECT mover FROM boards
Int64 0x8000000000000001 SELECT mover FROM boards WHERE mover IS NOT NULL
END
diff "$folder/expected" "$folder/seen"
