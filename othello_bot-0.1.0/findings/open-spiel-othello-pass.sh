#!/bin/sh
# Guess:   apply_action refuses whatever legal_actions() does not list; a pass (64) where there are moves is an error like any other, and
#          two passes in a row end the game.
# Fact:    a move that turns nothing is refused, a pass is accepted at any time, and two of them at the start do not end the game.
#          apply_action_with_legality_check refuses it.
# Version: open_spiel 2.0.2, Python 3.11.
# Date:    2026-11-28
# Why:     a bot that passes by mistake, or a network whose pass is not masked, plays on without a message; 64 in a record does not tell
#          that the side had no move.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check open_spiel==2.0.2 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W ignore - <<'END' 2>/dev/null | tee seen
from importlib.metadata import version

import pyspiel

print("open_spiel", version("open_spiel"))
for name, action in (("a1", 0), ("pass", 64)):
    for apply in ("apply_action", "apply_action_with_legality_check"):
        state = pyspiel.load_game("othello").new_initial_state()
        try:
            getattr(state, apply)(action)
            print(name, apply, "accepted")
        except pyspiel.SpielError:
            print(name, apply, "refused")
state = pyspiel.load_game("othello").new_initial_state()
print("listed", state.legal_actions())
state.apply_action(64)
state.apply_action(64)
print("over after two passes", state.is_terminal())
END
cat >expected <<'END'
open_spiel 2.0.2
a1 apply_action refused
a1 apply_action_with_legality_check refused
pass apply_action accepted
pass apply_action_with_legality_check refused
listed [19, 26, 37, 44]
over after two passes False
END
diff expected seen
