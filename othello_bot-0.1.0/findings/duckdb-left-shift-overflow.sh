#!/bin/sh
# Guess:   `<<` of a UBIGINT drops the bits that leave it, as in C and in SQLite; `>>`, & | ~ and xor() take unsigned numbers well, so
#          moves can be generated in SQL.
# Fact:    `<<` raises OutOfRangeException as soon as one set bit would leave, whatever the other rows of the table are, and also for a
#          shift by 64. `-x` raises, too, so that `x & -x` is not the lowest bit. The others do what C does.
# Version: duckdb 2.0.1, Python 3.11.
# Date:    2026-11-28
# Why:     a shift of all discs by a row or a file, as every move generator has it, fails at the first board with a disc on the last row.
#          Take those bits away first: (x & 72057594037927935) << 8; and x & ~(x - 1) is the lowest bit.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check duckdb==2.0.1 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python - <<'END' | tee seen
import duckdb

print("duckdb", duckdb.__version__)
LAST = 1 << 63
for words in ("x << 1", "(x & 9223372036854775807) << 1", "x >> 63", "~x", "xor(x, 1)", "x & -x", "x & ~(x - 1)"):
    try:
        found = duckdb.sql(f"SELECT {words} FROM (SELECT {LAST + 4}::UBIGINT AS x)").fetchall()[0][0]
    except duckdb.OutOfRangeException as error:
        found = str(error).splitlines()[0]
    print(words, "=", found)
END
cat >expected <<'END'
duckdb 2.0.1
x << 1 = Out of Range Error: Overflow in left shift (9223372036854775812 << 1)
(x & 9223372036854775807) << 1 = 8
x >> 63 = 1
~x = 9223372036854775803
xor(x, 1) = 9223372036854775813
x & -x = Out of Range Error: Overflow in negation of numeric value!
x & ~(x - 1) = 4
END
diff expected seen
