"""`othello-bot train`: the steps from self-play to a new evaluation, each a subcommand that can be interrupted.

Each step imports only what it needs, so `evaluate` runs without the extra `train`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final, NamedTuple

from othello_bot.base.output import guarded, report
from othello_bot.base.sqlite import sqlite3
from othello_bot.base.version import missing
from othello_bot.training import fit_steps, policy_step, position_steps, trial_steps

EXTRA: Final = ("dask", "distributed", "matplotlib", "numpy", "rich", "scipy")
"""The libraries of the extra `train`."""


class TrainingStep(NamedTuple):
    """A step: what declares its arguments, and what runs it and returns the exit status."""

    declare: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


STEPS: Final[dict[str, TrainingStep]] = {
    "all": TrainingStep(position_steps.declare_learn, position_steps.learn),
    "make-positions": TrainingStep(position_steps.declare_make_positions, position_steps.make_positions),
    "label": TrainingStep(position_steps.declare_label, position_steps.label),
    "calibrate": TrainingStep(position_steps.declare_calibrate, position_steps.calibrate),
    "fit": TrainingStep(fit_steps.declare_fit, fit_steps.fit),
    "fit-factors": TrainingStep(fit_steps.declare_fit_factors, fit_steps.fit_factors),
    "fit-probcut": TrainingStep(fit_steps.declare_fit_probcut, fit_steps.fit_probcut),
    "fit-scale": TrainingStep(fit_steps.declare_fit_scale, fit_steps.fit_scale),
    "fit-move-order": TrainingStep(fit_steps.declare_fit_move_order, fit_steps.fit_move_order),
    "policy": TrainingStep(policy_step.declare_policy, policy_step.policy),
    "policy-check": TrainingStep(policy_step.declare_check, policy_step.policy_check),
    "solve-held-out": TrainingStep(position_steps.declare_solve_held_out, position_steps.solve_held_out),
    "evaluate": TrainingStep(trial_steps.declare_evaluate, trial_steps.evaluate),
    "gate": TrainingStep(trial_steps.declare_gate, trial_steps.gate),
    "install": TrainingStep(trial_steps.declare_install, trial_steps.install),
}
"""The steps in their order. The first paragraph of a function's docstring describes its step."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the steps and their arguments."""
    steps = parser.add_subparsers(dest="part", required=True, metavar="STEP")
    for name, step in STEPS.items():
        about = " ".join((step.run.__doc__ or "").partition("\n\n")[0].split())
        step.declare(steps.add_parser(name, help=about, description=about, allow_abbrev=False))


@guarded("train", stopped="interrupted; run the same command again to continue", also=(sqlite3.Error,))
def run(args: argparse.Namespace) -> int:
    """Run a step; return its exit status: 0, 1 for a function that failed, 2 for invalid input, with a line on stderr."""
    try:
        return STEPS[args.part].run(args)
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        report(missing("the step", error.name, "train"), f"train {args.part}")
        return 2
