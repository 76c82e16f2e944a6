"""The commands of the pipeline: one function for each of its scripts, which only hand over to them.

What only some commands need is imported by them: scripts/evaluate runs without the [train] extra.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Sequence
from typing import Final

from othello_bot.errors import InputError
from othello_bot.learning.commands_fit import fit, fit_factors, fit_probcut
from othello_bot.learning.commands_positions import calibrate, label, learn, make_positions, solve_held_out
from othello_bot.learning.commands_trial import evaluate, gate

COMMANDS: Final[dict[str, Callable[[Sequence[str]], int]]] = {
    "make-positions": make_positions,
    "label": label,
    "calibrate": calibrate,
    "fit": fit,
    "fit-factors": fit_factors,
    "fit-probcut": fit_probcut,
    "gate": gate,
    "learn": learn,
    "evaluate": evaluate,
    "solve-held-out": solve_held_out,
}


def main(arguments: Sequence[str]) -> int:
    """Run the command named first; return the exit status: 2 for what cannot be used, with one line on stderr."""
    from othello_bot.arena.errors import ArenaError
    from othello_bot.probcut import ProbCutError
    from othello_bot.weights import WeightsError

    if not arguments or arguments[0] not in COMMANDS:
        sys.stderr.write(f"expected one of {', '.join(COMMANDS)}\n")
        return 2
    try:
        return COMMANDS[arguments[0]](arguments[1:])
    except (InputError, WeightsError, ProbCutError, ArenaError, OSError, sqlite3.Error) as error:
        sys.stderr.write(f"{arguments[0]}: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write(f"{arguments[0]}: interrupted; started again it goes on from here\n")
        return 130
