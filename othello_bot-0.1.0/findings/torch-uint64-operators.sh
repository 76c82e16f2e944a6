#!/bin/sh
# Guess:   torch.uint64 has the operators that bitboards need (& | ^ ~ << >>), even if it lacks arithmetic; a sum of it is uint64.
# Fact:    & | ^ and == work; ~ << >> + < raise NotImplementedError on the CPU. sum() works, and is an int64 that has wrapped: one board
#          with h8 already sums to a negative number.
# Version: torch 2.14.1 on the CPU, Python 3.11.
# Date:    2026-11-27
# Why:     a move generator is made of shifts and complements. Boards in PyTorch have to be int64 (with a shift to the right that copies
#          h8, to be masked) or planes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check torch==2.14.1 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
import torch

print("torch", torch.__version__.partition("+")[0])
boards = torch.tensor([0x8000000000000001, 0x7FFFFFFFFFFFFFFF], dtype=torch.uint64)
operators = {
    "&": lambda: boards & boards,
    "|": lambda: boards | boards,
    "^": lambda: boards ^ boards,
    "==": lambda: boards == boards,
    "~": lambda: ~boards,
    "<<": lambda: boards << 1,
    ">>": lambda: boards >> 1,
    "+": lambda: boards + boards,
    "<": lambda: boards < boards,
}
for name, operator in operators.items():
    try:
        operator()
        print(name, "works")
    except NotImplementedError as error:
        print(name, error)
print("sum", boards[:1].sum().dtype, int(boards[:1].sum()))
END
cat >expected <<'END'
torch 2.14.1
& works
| works
^ works
== works
~ "bitwise_not_cpu" not implemented for 'UInt64'
<< "lshift_cpu" not implemented for 'UInt64'
>> "rshift_cpu" not implemented for 'UInt64'
+ "add_stub" not implemented for 'UInt64'
< "lt_cpu" not implemented for 'UInt64'
sum torch.int64 -9223372036854775807
END
diff expected seen
