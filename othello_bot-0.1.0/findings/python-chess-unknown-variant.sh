#!/bin/sh
# Guess:   python-chess returns no moves for a PGN whose tag names a variant that it does not know.
# Fact:    it notes "unsupported variant: Othello" in game.errors and reads the moves as chess: d3 c5 c4 becomes d2d3 c7c5 c2c4.
#          Only game.board() raises a ValueError.
# Version: chess 1.11.2, Python 3.11.
# Date:    2026-11-27
# Why:     [Variant "Othello"] alone does not keep Othello's games out of a database of chess: the reader has to look at errors.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check chess==1.11.2
"$folder/venv/bin/python" - 2>"$folder/log" <<'END' | tee "$folder/seen"
import io

import chess.pgn

print("chess", chess.__version__)
game = chess.pgn.read_game(io.StringIO('[Variant "Othello"]\n\n1. d3 c5 2. c4 *\n'))
print([str(error) for error in game.errors], *game.mainline_moves())
try:
    game.board()
except ValueError as error:
    print("game.board():", error)
END
cat >"$folder/expected" <<'END'
chess 1.11.2
['unsupported variant: Othello'] d2d3 c7c5 c2c4
game.board(): unsupported variant: Othello
END
diff "$folder/expected" "$folder/seen"
