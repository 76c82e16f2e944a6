#!/bin/sh
# Guess:   a column of uint64 in a datasets.Dataset stays uint64 in the format "numpy".
# Fact:    one row has a numpy.uint64; a slice, a batch and the whole column are int64 with the same bits, so that a board with h8 is
#          negative: `>>` fills with ones, and numpy.bitwise_count counts the discs of its absolute value. Without a format, numbers are
#          right; with_format("numpy", dtype=numpy.uint64) keeps the type everywhere.
# Version: datasets 5.2.0, NumPy 2.4.6, Python 3.11.
# Date:    2026-11-28
# Why:     a check of the first row finds nothing wrong, and the batches that a network is trained with have other discs.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check datasets==5.2.0 numpy==2.4.6 2>"$folder/log" ||
    { cat "$folder/log" >&2; exit 1; }
cd "$folder"
HF_HOME=$folder venv/bin/python -W ignore - <<'END' | tee seen
import datasets
import numpy

print("datasets", datasets.__version__)
boards = datasets.Dataset.from_dict({"mover": numpy.array([1 << 63 | 1 << 62 | 1, 1], numpy.uint64)})
print("feature", boards.features["mover"], boards[0]["mover"], boards[:]["mover"][0])
for told, shaped in (("numpy", boards.with_format("numpy")), ("dtype", boards.with_format("numpy", dtype=numpy.uint64))):
    row, batch = shaped[0]["mover"], next(shaped.iter(2))["mover"]
    column = shaped[:]["mover"]
    print(told, "row", row.dtype, numpy.bitwise_count(row))
    for name, values in (("batch", batch), ("slice", column)):
        print(told, name, values.dtype, numpy.bitwise_count(values)[0], hex(int((values >> values.dtype.type(56))[0])))
END
cat >expected <<'END'
datasets 5.2.0
feature Value('uint64') 13835058055282163713 13835058055282163713
numpy row uint64 3
numpy batch int64 62 -0x40
numpy slice int64 62 -0x40
dtype row uint64 3
dtype batch uint64 3 0xc0
dtype slice uint64 3 0xc0
END
diff expected seen
