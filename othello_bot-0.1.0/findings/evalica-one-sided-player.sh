#!/bin/sh
# Guess:   for an engine that never won, the Bradley-Terry rating is not a number, an error, or so low that nobody trusts it; the others
#          keep theirs.
# Fact:    evalica.bradley_terry gives *every* player the same score, 1e-06, as soon as one has no point or one has all of them: a beat b
#          by 7 to 3, and they are equals because c lost all its games. No warning comes; `iterations` is 2 or the limit. newman() gives
#          a and b different scores where c lost everything, and makes all equal where a won everything.
# Version: evalica 0.4.2, Python 3.11.
# Date:    2026-11-28
# Why:     a random mover in an arena, or a champion among weak programs, is such a player. Look for 1e-06 (the tolerance) among the
#          scores, or leave out who has no point or all points.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check evalica==0.4.2 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
cd "$folder"
venv/bin/python -W always - <<'END' 2>&1 | tee seen
from importlib.metadata import version

import evalica

print("evalica", version("evalica"))


def rate(told, *results):
    """Print the scores of players, by (first, second, the first one's wins, the second one's)."""
    first, second, winners = [], [], []
    for one, other, won, lost in results:
        first += [one] * (won + lost)
        second += [other] * (won + lost)
        winners += [evalica.Winner.X] * won + [evalica.Winner.Y] * lost
    for name in ("bradley_terry", "newman"):
        scores = getattr(evalica, name)(first, second, winners).scores
        print(told, name, {player: float(f"{score:.3g}") for player, score in sorted(scores.items())})


rate("all have points", ("a", "b", 7, 3), ("a", "c", 9, 1), ("b", "c", 9, 1))
rate("c has none", ("a", "b", 7, 3), ("a", "c", 10, 0), ("b", "c", 10, 0))
rate("a has all", ("a", "b", 10, 0), ("a", "c", 10, 0), ("b", "c", 7, 3))
END
cat >expected <<'END'
evalica 0.4.2
all have points bradley_terry {'a': 3.01, 'b': 1.49, 'c': 0.224}
all have points newman {'a': 2.96, 'b': 1.46, 'c': 0.22}
c has none bradley_terry {'a': 1e-06, 'b': 1e-06, 'c': 1e-06}
c has none newman {'a': 4.33, 'b': 2.43, 'c': 1e-06}
a has all bradley_terry {'a': 1e-06, 'b': 1e-06, 'c': 1e-06}
a has all newman {'a': 1e-06, 'b': 1e-06, 'c': 1e-06}
END
diff expected seen
