"""The report of a fit: errors by number of empties, learning curves, and the most and least used patterns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from othello_bot.base.files import write_whole
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel import patterns
from othello_bot.training import boards, factors, fit
from othello_bot.training.factors import FactorSample
from othello_bot.training.fit import Fitted, Reals

_POSITIONS: Final = 20000
"""Positions sampled to measure the effect of the factors."""


@dataclass(frozen=True)
class PatternUse:
    """How much a pattern (or count) matters: `moved`: the mean absolute contribution to a position's value, in discs;
    `seen`: the share of its weights that any training position used.
    """

    name: str
    moved: float
    seen: float

    def __str__(self) -> str:
        return f"{self.name:28s} moves the value by {self.moved:5.2f} discs; {self.seen:6.1%} of its weights were seen"


def uses(fitted: Sequence[Fitted]) -> list[PatternUse]:
    """Return the patterns and counts, those with the largest contribution first."""
    names = [pattern.name for pattern in patterns.PATTERNS] + [name for name, _ in patterns.COUNTS]
    starts = [*patterns.OFFSETS, *np.cumsum([patterns.COUNTS_OFFSET, *(size for _, size in patterns.COUNTS)])]
    result = []
    for name, begin, end in zip(names, starts[:-1], starts[1:], strict=True):
        weights = np.unique(fit.reduced_index()[begin:end])
        moved = seen = positions = 0.0
        for stage in fitted:
            assert stage.used is not None
            used = stage.used[weights]
            moved += float((used * np.abs(stage.weights[weights])).sum())
            seen += float((used > 0).mean()) / len(fitted)
            positions += stage.positions
        result.append(PatternUse(name, moved / max(positions, 1), seen))
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
        "patterns": _rounded(uses(fitted)),
    }


def _rounded(uses: Sequence[PatternUse]) -> list[dict[str, Any]]:
    return [{"name": use.name, "moved": round(use.moved, 3), "seen": round(use.seen, 4)} for use in uses]


def _errors_by_empties(errors: dict[int, tuple[int, float, float]]) -> dict[str, dict[str, float]]:
    return {
        str(count): {"held_out": number, "mae": round(error, 3), "mae_close": round(close, 3)}
        for count, (number, error, close) in sorted(errors.items())
    }


def _of_factors() -> Iterator[tuple[str, list[int], slice]]:
    """Yield the name of each thing with factors, the index of its term in a position, and the range of its full rows."""
    for number, pattern in enumerate(patterns.FACTOR_PATTERNS):
        terms = [term for term, (of, _) in enumerate(patterns.FACTOR_FEATURES) if of == number]
        begin = patterns.FACTOR_OFFSETS[number]
        yield pattern.name, terms, slice(begin, begin + pattern.states)
    term, begin = len(patterns.FACTOR_FEATURES), patterns.FACTOR_COUNTS_OFFSET
    quarters = len(patterns.MOVE_QUARTERS)
    moves = [(f"{side}'s moves", quarters, quarters * patterns.MOVE_SETS) for side in ("mover", "opponent")]
    for name, count, size in [(name, 1, size) for name, size in patterns.COUNTS] + moves:
        yield name, list(range(term, term + count)), slice(begin, begin + size)
        term, begin = term + count, begin + size


def factor_uses(learned: weights_file.Factors, sample: FactorSample) -> list[PatternUse]:
    """Return everything that has factors, with the largest effect on the values of sampled positions first.

    `moved`: the mean change of the value, before the scale, without the rows of that pattern.
    """
    places = np.linspace(0, len(sample) - 1, min(len(sample), _POSITIONS)).astype(int)
    movers, opponents = sample.movers[places], sample.opponents[places]
    phases = np.array(list(learned.phase_of_empties))[boards.empties(movers, opponents)]
    parameters = factors.parameters_of(learned)
    rows = factors.rows(movers, opponents).indices.reshape(len(places), -1)

    def sums(terms: slice | list[int]) -> Reals:
        result: Reals = parameters[phases[:, None], rows[:, terms]].sum(axis=1)
        return result

    whole = sums(slice(None))
    values = factors.worth(whole)
    result = []
    for name, terms, full in _of_factors():
        moved = np.abs(values - factors.worth(whole - sums(terms)))
        known = parameters[:, np.unique(factors.reduced_index()[full])].any(axis=(0, 2))
        result.append(PatternUse(name, float(moved.mean()), float(known.mean())))
    return sorted(result, key=lambda use: -use.moved)


def factors_summary(fitted: factors.FittedFactors, uses: Sequence[PatternUse]) -> dict[str, Any]:
    """Return the report on a fit of the factors as plain data."""
    return {
        "positions": fitted.positions,
        "curve": [[round(a, 4), round(b, 4)] for a, b in fitted.curve],
        "held_out": {
            name: {field: round(error, 4) for field, error in asdict(errors).items()}
            for name, errors in (("before", fitted.before), ("best", fitted.best), ("quantised", fitted.quantised))
        },
        "clipped": round(fitted.clipped, 6),
        "empties": _errors_by_empties(fitted.errors),
        "patterns": _rounded(uses),
    }


def write(fitted: Sequence[Fitted], folder: Path, name: str) -> None:
    """Write NAME.json and NAME.png into the folder."""
    content = summary(fitted)
    _write(content, {f"stage {stage['stage']}": stage["curve"] for stage in content["stages"]}, folder, name)


def write_factors(fitted: factors.FittedFactors, uses: Sequence[PatternUse], folder: Path, name: str) -> None:
    """Write NAME.json and NAME.png of a fit of the factors into the folder; `uses` as factor_uses() returns them."""
    content = factors_summary(fitted, uses)
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
