#!/bin/sh
# Guess:   a column of type INTEGER keeps a number that is too large for it as the text that came, since SQLite converts a text only if
#          nothing is lost.
# Fact:    it becomes a REAL: 9223372036854775809 (a1 and h8) is stored as 9.22337203685478e+18, and a1 is gone, without a message.
#          In a column of type TEXT or without a type, nothing changes.
# Version: SQLite 3.54.1 of apsw 3.54.1.0, Python 3.11.
# Date:    2026-11-27
# Why:     bitboards come from CSV as text (`.import`, or rows of csv.reader). Only boards with a disc on h8 are damaged, so a test with
#          openings passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check apsw==3.54.1.0 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
import apsw

print("SQLite", apsw.sqlite_lib_version())
base = apsw.Connection(":memory:")
base.execute("CREATE TABLE boards (whole INTEGER, text TEXT, any)")
base.execute("INSERT INTO boards VALUES (?1, ?1, ?1)", ("9223372036854775809",))
for name in ("whole", "text", "any"):
    print(name, *base.execute(f"SELECT typeof({name}), {name} FROM boards").fetchone())
print(hex(int(base.execute("SELECT whole FROM boards").fetchone()[0])))
END
cat >expected <<'END'
SQLite 3.54.1
whole real 9.223372036854776e+18
text text 9223372036854775809
any text 9223372036854775809
0x8000000000000000
END
diff expected seen
