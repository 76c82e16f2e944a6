#!/bin/sh
# Guess:   for a side that has to pass, minimax_moves returns no moves, or the other side's, and the value of the game going on.
# Fact:    it returns no moves and 100000 and the difference of discs, as for a game that is over: a side without a move ends the game,
#          although the other one has a move and 52 squares are empty.
# Version: reversi-ai 0.2.1, Python 3.11.
# Date:    2026-11-28
# Why:     as an opponent or a teacher it takes every forced pass for the end, so it plays to block with more discs; its values do not fit
#          anybody else's.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check reversi-ai==0.2.1 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
from importlib.metadata import version

from reversi_ai import _reversi_ai

print("reversi-ai", version("reversi-ai"))
_reversi_ai.init()
# After c4 c3 f5 b4 a4 a5 c2 a3 Black (1) has to pass, and White (2) has a move, d2.
rows = ["........", "..1.....", "2.1.....", "22111...", "2..111..", "........", "........", "........"]
board = [[".12".index(cell) for cell in row] for row in rows]
for player in (1, 2):
    for depth in (1, 3):
        found = _reversi_ai.minimax_moves(board, player, depth, 1.0, 1.0)
        print("player", player, "depth", depth, found["moves"], found["val"] if abs(found["val"]) > 99_000 else "not over")
END
cat >expected <<'END'
reversi-ai 0.2.1
player 1 depth 1 [] 100004.0
player 1 depth 3 [] 100004.0
player 2 depth 1 [(3, 1)] not over
player 2 depth 3 [(3, 1)] not over
END
diff expected seen
