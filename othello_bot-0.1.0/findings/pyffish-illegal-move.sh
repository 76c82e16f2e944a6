#!/bin/sh
# Guess:   an illegal move in the list raises ValueError, as python-chess does.
# Fact:    get_fen, legal_moves, game_result and the others raise SystemError, "returned a result with an exception set"; the ValueError is
#          its cause. get_san_moves alone raises ValueError.
# Version: pyffish 0.0.90, Python 3.11.
# Date:    2026-11-28
# Why:     a program that replays records of flipello and expects ValueError for a damaged one ends with what looks like a broken interpreter.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyffish==0.0.90 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
from importlib.metadata import version

import pyffish

print("pyffish", version("pyffish"))
start = pyffish.start_fen("flipello")
for name in ("get_fen", "legal_moves", "game_result", "is_immediate_game_end", "get_san_moves"):
    try:
        getattr(pyffish, name)("flipello", start, ["P@a1"])
    except (SystemError, ValueError) as error:
        print(name, type(error).__name__, type(error.__cause__).__name__)
END
cat >expected <<'END'
pyffish 0.0.90
get_fen SystemError ValueError
legal_moves SystemError ValueError
game_result SystemError ValueError
is_immediate_game_end SystemError ValueError
get_san_moves ValueError NoneType
END
diff expected seen
