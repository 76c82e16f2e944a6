"""Draw docs/images/learning.svg: the mean result of a network's games while it learns.

python docs/examples/ppo.py network.npz >ppo.log
scripts/figures learning ppo.log
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Final

import matplotlib
from _setup.enter import ROOT
from matplotlib.figure import Figure

PICTURE: Final = ROOT / "docs" / "images" / "learning.svg"


def main() -> int:
    """Draw the picture; return 0."""
    parser = argparse.ArgumentParser(description="draw how a network learns, from the output of docs/examples/ppo.py")
    parser.add_argument("log", type=Path, help="the output")
    parser.add_argument("--out", type=Path, default=PICTURE)
    options = parser.parse_args()
    text = options.log.read_text(encoding="utf-8")
    means = [float(number) for number in re.findall(r"ep_rew_mean +\| (\S+)", text)]
    steps = [int(number) for number in re.findall(r"total_timesteps +\| (\d+)", text)]
    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.subplots()
    axes.plot(steps[-len(means) :], means, color="#1f6f43")
    axes.set_xlabel("moves of the learner")
    axes.set_ylabel("mean result against random moves")
    axes.set_ylim(-0.1, 1)
    axes.grid(alpha=0.3)
    with matplotlib.rc_context({"svg.hashsalt": "learning", "svg.fonttype": "none"}):
        figure.savefig(options.out, metadata={"Date": None})
    return 0
