#!/bin/sh
# Guess:   pyarrow.json refuses an integer that does not fit int64, as pyarrow.array([1, 2**63]) does.
# Fact:    the column becomes double, and all its integers of more than 53 bits lose digits, those that fitted as well. An explicit schema
#          with uint64 keeps them.
# Version: pyarrow 26.0.1, Python 3.11.
# Date:    2026-11-27
# Why:     one board with a disc on h8 in a file of JSON Lines takes discs off the boards of other positions.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyarrow==26.0.1 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
import io

import pyarrow
import pyarrow.json

print("pyarrow", pyarrow.__version__)
boards = (0x7000000000000001, 0x8000000000000001)
text = "".join(f'{{"mover": {board}}}\n' for board in boards).encode()
exact = pyarrow.json.ParseOptions(explicit_schema=pyarrow.schema([("mover", pyarrow.uint64())]))
for name, options in (("without a schema", None), ("with one", exact)):
    column = pyarrow.json.read_json(io.BytesIO(text), parse_options=options)["mover"]
    print(name, column.type, *(hex(int(board)) for board in column.to_pylist()))
try:
    pyarrow.array([1, 1 << 63])
except OverflowError as error:
    print("array", error)
END
cat >expected <<'END'
pyarrow 26.0.1
without a schema double 0x7000000000000000 0x8000000000000000
with one uint64 0x7000000000000001 0x8000000000000001
array Python int too large to convert to C long
END
diff expected seen
