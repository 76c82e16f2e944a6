#!/bin/sh
# Guess:   the package is imported as reversi42; its two classes of a game, Game and BitboardGame, tell the same result of the same moves.
# Fact:    there is no module reversi42, but AI, Board, Players, Reversi, core, domain, infrastructure, ui and webgui at the top level. After
#          nine moves that leave Black 13 discs and White none, Game.get_result() says "black: 0 white: 13" and that Black has won;
#          BitboardGame says 13 to 0. Only BitboardGame's check_lost() sees that White, who is to move, has lost.
# Version: reversi42 7.0.13, Python 3.11.
# Date:    2026-11-28
# Why:     results read from that text are wrong by their sign, and a project with a package "core" or "ui" of its own hides one of these.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check reversi42==7.0.13 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' | tee seen
from importlib.metadata import files, version
from importlib.util import find_spec

from Reversi.BitboardGame import BitboardGame
from Reversi.Game import Game, Move

print("reversi42", version("reversi42"))
tops = {path.parts[0] for path in files("reversi42") if path.suffix == ".py"}
print(*sorted(tops), find_spec("reversi42"))
for game in (Game(8), BitboardGame()):
    for name in "e6 f4 e3 f6 g5 d6 e7 f5 c5".split():
        game.move(Move("abcdefgh".index(name[0]) + 1, int(name[1])))
    print(type(game).__name__, *game.get_result().split("\n"), game.turn, game.check_lost())
END
cat >expected <<'END'
reversi42 7.0.13
AI Board Players Reversi core domain infrastructure ui webgui None
Game  black: 0 white: 13 the winner is black: +13 W False
BitboardGame  black: 13 white: 0 the winner is black: +13 W True
END
diff expected seen
