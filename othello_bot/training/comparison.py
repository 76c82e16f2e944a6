"""Several fits of the factors side by side: how the held-out error depends on the positions and the channels.

Reads the reports that fits write beside their weights files (report.py).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from othello_bot.base.errors import InputError


@dataclass(frozen=True)
class Fit:
    """A fit's report: training positions, channels, and the held-out errors of its best epoch, in discs.

    `all`, `close` and `weighted` as factor_fit.Errors has them; `trained`: the weighted error on the training positions
    during the last epoch.
    """

    name: str
    positions: int
    channels: int
    trained: float
    all: float
    close: float
    weighted: float


def read(path: Path) -> Fit:
    """Return the fit that a report describes. Raise InputError for another file, OSError if it cannot be read."""
    content = path.read_bytes()
    try:
        report = json.loads(content)
        best = report["held_out"]["best"]
        errors = (float(best[name]) for name in ("all", "close", "weighted"))
        trained = float(report["curve"][-1][0])
        return Fit(path.stem, int(report["positions"]), int(report["channels"]), trained, *errors)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InputError("report", str(path), "a JSON file that othello-bot train fit-factors has written") from error


def table(fits: Sequence[Fit]) -> str:
    """Return the fits as a table in Markdown, a line each."""
    lines = [
        "| fit | positions, million | channels | weighted error, training | held out | all | close |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.name} | {one.positions / 1e6:.2f} | {one.channels} | {one.trained:.3f} | {one.weighted:.3f}"
        f" | {one.all:.3f} | {one.close:.3f} |"
        for one in fits
    ]
    return "\n".join(lines)


def draw(fits: Sequence[Fit], path: Path) -> None:
    """Draw the weighted held-out error against the positions, a line for each number of channels."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for channels in sorted({one.channels for one in fits}):
        those = sorted((one for one in fits if one.channels == channels), key=lambda one: one.positions)
        places = [one.positions / 1e6 for one in those]
        axes.plot(places, [one.weighted for one in those], marker="o", label=f"{channels} channels")
    axes.set(xscale="log")
    axes.minorticks_off()
    axes.set_xticks(sorted({float(f"{one.positions / 1e6:.2g}") for one in fits}))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set(xlabel="training positions, million", ylabel="weighted error on held-out games, discs")
    axes.legend()
    figure.savefig(path, dpi=110)
