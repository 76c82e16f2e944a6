"""What a fit reports: error by number of empties, the learning curves, and which patterns are read most and least."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from othello_bot import patterns
from othello_bot.learning import columns, factor_fit
from othello_bot.learning.fit import Fitted
from othello_bot.whole_file import write_whole


@dataclass(frozen=True)
class Use:
    """How much a pattern (or count) says: `moved`: mean absolute sum of discs that its places add to a position's
    value.

    `seen`: share of its weights that any training position read.
    """

    name: str
    moved: float
    seen: float


def uses(fitted: Sequence[Fitted]) -> list[Use]:
    """Return the patterns and counts, those that move the value most first."""
    names = [pattern.name for pattern in patterns.PATTERNS] + [name for name, _ in patterns.COUNTS]
    starts = [*patterns.OFFSETS, *np.cumsum([patterns.COUNTS_OFFSET, *(size for _, size in patterns.COUNTS)])]
    result = []
    for name, begin, end in zip(names, starts[:-1], starts[1:], strict=True):
        weights = np.unique(columns.reduced_index()[begin:end])
        moved = seen = positions = 0.0
        for stage in fitted:
            assert stage.used is not None
            used = stage.used[weights]
            moved += float((used * np.abs(stage.weights[weights])).sum())
            seen += float((used > 0).mean()) / len(fitted)
            positions += stage.positions
        result.append(Use(name, moved / max(positions, 1), seen))
    return sorted(result, key=lambda use: -use.moved)


def summary(fitted: Sequence[Fitted]) -> dict[str, Any]:
    """Return the report as plain data."""
    return {
        "positions": sum(stage.positions for stage in fitted),
        "stages": [
            {
                "stage": stage.stage,
                "positions": stage.positions,
                "curve": [[round(a, 4), round(b, 4)] for a, b in stage.curve],
            }
            for stage in fitted
        ],
        "empties": {count: errors for stage in fitted for count, errors in _errors_by_empties(stage.errors).items()},
        "patterns": [
            {"name": use.name, "moved": round(use.moved, 3), "seen": round(use.seen, 4)} for use in uses(fitted)
        ],
    }


def _errors_by_empties(errors: dict[int, tuple[int, float, float]]) -> dict[str, dict[str, float]]:
    return {
        str(count): {"held_out": number, "mae": round(error, 3), "mae_close": round(close, 3)}
        for count, (number, error, close) in sorted(errors.items())
    }


def factors_summary(fitted: factor_fit.Fitted) -> dict[str, Any]:
    """Return the report on a fit of the factors as plain data."""
    return {
        "positions": fitted.positions,
        "curve": [[round(a, 4), round(b, 4)] for a, b in fitted.curve],
        "held_out": {
            name: {field: round(error, 4) for field, error in asdict(errors).items()}
            for name, errors in (("tables", fitted.before), ("best", fitted.best), ("quantised", fitted.quantised))
        },
        "clipped": round(fitted.clipped, 6),
        "empties": _errors_by_empties(fitted.errors),
    }


def write(fitted: Sequence[Fitted], folder: Path, name: str) -> None:
    """Write NAME.json and NAME.png into the folder."""
    content = summary(fitted)
    _write(content, {f"stage {stage['stage']}": stage["curve"] for stage in content["stages"]}, folder, name)


def write_factors(fitted: factor_fit.Fitted, folder: Path, name: str) -> None:
    """Write NAME.json and NAME.png on a fit of the factors into the folder."""
    content = factors_summary(fitted)
    _write(content, {"factors": content["curve"]}, folder, name)


def _write(content: dict[str, Any], curves: dict[str, list[list[float]]], folder: Path, name: str) -> None:
    write_whole(folder / f"{name}.json", (json.dumps(content, indent=1) + "\n").encode())
    _draw(content, curves, folder / f"{name}.png")


def _draw(content: dict[str, Any], curves_by_label: dict[str, list[list[float]]], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    by_empties, curves = figure.subplots(1, 2)
    counts = [int(count) for count, errors in content["empties"].items() if errors["held_out"] >= 100]
    for field, label in (("mae", "all"), ("mae_close", "label within 10")):
        by_empties.plot(counts, [content["empties"][str(count)][field] for count in counts], label=label)
    by_empties.set(xlabel="empties", ylabel="mean absolute error on held-out labels, discs", ylim=(0, None))
    by_empties.legend()
    for label, curve in curves_by_label.items():
        curves.plot([held for _, held in curve], marker=".", linewidth=1, label=label)
    curves.set(xlabel="round of the fit", ylabel="weighted held-out error, discs", ylim=(0, None))
    if len(curves_by_label) <= 8:
        curves.legend()
    figure.savefig(path, dpi=110)
