"""Draw docs/images/people.svg: what people and the steps of strength lose at each stage of a game, for four ratings.

Run it from a checkout after the model or the steps have changed: scripts/figures people WTH_*.wtb --programs FILE. The
games are those of a WTHOR base, which is not part of this project.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import matplotlib
from _setup.enter import ROOT
from matplotlib.figure import Figure

from othello_bot.training.policy_fit import STAGES, Losses, beside_people
from othello_bot.training.policy_step import declare_check, years

PICTURE: Final = ROOT / "docs" / "images" / "people.svg"


def draw(axes: Any, rating: float, losses: list[Losses]) -> None:
    """Draw the curves of players with this mean rating."""
    places = range(len(STAGES))
    axes.plot(places, [loss.theirs for loss in losses], "o-", color="C0", label="people")
    axes.plot(places, [loss.own for loss in losses], "s--", color="C1", label="a step of their ratings")
    axes.set_title(f"rated {rating:.0f}", fontsize=10)
    axes.set_xticks(places, [f"{most}-{least}" for least, most in STAGES])
    axes.grid(alpha=0.3)


def main() -> int:
    """Draw the picture; return 0."""
    parser = argparse.ArgumentParser(description="draw what people and the steps of strength lose")
    declare_check(parser, [2022])
    parser.add_argument("--out", type=Path, default=PICTURE, metavar="FILE")
    options = parser.parse_args()
    for _, kernel, decisions, scores, _ in years(options):
        figure = Figure(figsize=(9.5, 2.8), layout="constrained")
        panels = figure.subplots(1, 4, sharey=True)
        for axes, (rating, losses) in zip(panels, beside_people(kernel, decisions, scores).losses, strict=True):
            draw(axes, rating, losses)
        panels[0].set(ylabel="mean loss of a move in discs", ylim=(0, None))
        panels[0].legend(frameon=False, fontsize=8)
        figure.supxlabel("empty squares", fontsize=10)
        with matplotlib.rc_context({"svg.hashsalt": "people", "svg.fonttype": "none"}):
            figure.savefig(options.out, metadata={"Date": None})
    return 0
