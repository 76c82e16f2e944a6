#!/bin/sh
# Guess:   a data frame that DuckDB makes of exact integers is exact too, or the conversion is refused.
# Fact:    read_csv finds HUGEINT for a column with a number of 2^63 or more, and keeps it exactly; df() and fetchnumpy() make float64 of
#          it, without a message. sum() of a UBIGINT is a HUGEINT as well. A column declared as UBIGINT arrives as uint64.
# Version: duckdb 2.0.1, pandas 3.1.1, Python 3.11.
# Date:    2026-11-27
# Why:     DuckDB shows the right boards, and what is computed from its data frame has lost a1. Say types={'mover': 'UBIGINT'}.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check duckdb==2.0.1 pandas==3.1.1 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
import duckdb

print("duckdb", duckdb.__version__)
with open("boards.csv", "w") as file:
    file.write("mover\n9223372036854775809\n1\n")
for words in ("read_csv('boards.csv')", "read_csv('boards.csv', types={'mover': 'UBIGINT'})"):
    boards = duckdb.sql(f"SELECT mover FROM {words}")
    frame = boards.df()
    print(boards.dtypes[0], boards.fetchall()[0][0], frame.mover.dtype, hex(int(frame.mover[0])))
print("sum", duckdb.sql("SELECT sum(1::UBIGINT)").df().dtypes.iloc[0])
END
cat >expected <<'END'
duckdb 2.0.1
HUGEINT 9223372036854775809 float64 0x8000000000000000
UBIGINT 9223372036854775809 uint64 0x8000000000000001
sum float64
END
diff expected seen
