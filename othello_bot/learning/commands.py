"""The steps of the pipeline, as `scripts/learn STEP` names them, and `scripts/evaluate`.

Each step imports only what it needs, so scripts/evaluate runs without the [train] extra.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final

from othello_bot.base.errors import INTERRUPTED, DamagedInstallation, InputError
from othello_bot.base.sqlite import sqlite3
from othello_bot.learning.commands_fit import fit, fit_factors, fit_probcut, fit_scale
from othello_bot.learning.commands_positions import calibrate, label, learn, make_positions, solve_held_out
from othello_bot.learning.commands_trial import compare, evaluate, gate, install

ALL_ROUNDS: Final = "all"
"""The default step."""

STEPS: Final[dict[str, Callable[[Sequence[str]], int]]] = {
    "make-positions": make_positions,
    "label": label,
    "calibrate": calibrate,
    "fit": fit,
    "fit-factors": fit_factors,
    "fit-probcut": fit_probcut,
    "fit-scale": fit_scale,
    "gate": gate,
    "install": install,
    "solve-held-out": solve_held_out,
    "compare": compare,
    "evaluate": evaluate,
    ALL_ROUNDS: learn,
}


def main(arguments: Sequence[str]) -> int:
    """Run the step named first, or all rounds if the arguments are only options; return the exit status.

    The status is 2 for invalid input, with one line on stderr.
    """
    from othello_bot.arena.errors import ArenaError
    from othello_bot.evaluation import ProbCutError, WeightsError

    if arguments and arguments[0] in ("-h", "--help"):
        sys.stdout.write(overview())
        return 0
    named = bool(arguments) and not arguments[0].startswith("-")
    step, rest = (arguments[0], arguments[1:]) if named else (ALL_ROUNDS, arguments)
    if step not in STEPS:
        sys.stderr.write(f"step {step}: expected {', '.join(STEPS)}\n")
        return 2
    try:
        return STEPS[step](rest)
    except (InputError, WeightsError, ProbCutError, DamagedInstallation, ArenaError, sqlite3.Error) as error:
        sys.stderr.write(f"{step}: {error}\n")
        return 2
    except BrokenPipeError:
        raise  # the reader has closed the pipe: the entry point handles that
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"{step}: {place}{error.strerror or error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write(f"{step}: interrupted; run the same command again to continue\n")
        return INTERRUPTED


def overview() -> str:
    """Return the text of `scripts/learn --help`: every step with the first line of its description."""
    lines = ["usage: scripts/learn STEP [ARGUMENT...]   run one step; scripts/learn STEP --help lists its arguments"]
    lines.append(f"       scripts/learn [OPTION...]          the same as scripts/learn {ALL_ROUNDS} [OPTION...]")
    steps = [f"  {name:14}  {(step.__doc__ or '').partition(chr(10))[0]}" for name, step in STEPS.items()]
    return "\n".join([*lines, "", "steps:", *steps, ""])
