#!/bin/sh
# Guess:   a package that declares an entry point in the group "gymnasium.envs" is found by gymnasium.make without an import, as
#          Gymnasium 0.26 to 0.29 did and as the docstring of gymnasium.envs still says ("loads the env plugins ... using the entry point").
# Fact:    since Gymnasium 1.0, nothing reads entry points: make raises NamespaceNotFound. "module:name" imports the module.
# Version: gymnasium 1.4.0, beside 0.29.1, both on Python 3.11.
# Date:    2026-11-27
# Why:     an Othello environment that is registered by an entry point works in an old Gymnasium and has no name in a new one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/plugin/board_game-1.dist-info"
printf 'Metadata-Version: 2.1\nName: board-game\nVersion: 1\n' >"$folder/plugin/board_game-1.dist-info/METADATA"
printf '[gymnasium.envs]\nboard_game = board_game:register\n' >"$folder/plugin/board_game-1.dist-info/entry_points.txt"
cat >"$folder/plugin/board_game.py" <<'END'
import gymnasium.envs.registration as registration


def register():
    registration.register("board_game/Board-v0", entry_point="gymnasium.envs.toy_text:TaxiEnv")
END
cat >"$folder/ask.py" <<'END'
import gymnasium

try:
    gymnasium.make("board_game/Board-v0")
    print(gymnasium.__version__, "found")
except gymnasium.error.NamespaceNotFound as error:
    print(gymnasium.__version__, "not found:", error)
END
for version in 0.29.1 1.4.0; do
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/pip" install -q --disable-pip-version-check "gymnasium==$version"
    PYTHONPATH="$folder/plugin" "$folder/$version/bin/python" -W ignore "$folder/ask.py" | tee -a "$folder/seen"
done
cat >"$folder/expected" <<'END'
0.29.1 found
1.4.0 not found: Namespace board_game not found. Have you installed the proper package for board_game?
END
diff "$folder/expected" "$folder/seen"
