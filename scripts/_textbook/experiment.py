"""Experiments: units of work, each small enough to be lost if the program is killed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from _textbook.store import Store, Values

CONFIDENCE_DEVIATIONS = 1.96
"""Standard deviations on either side that contain 95 % of a normal distribution."""


@dataclass(frozen=True)
class Unit:
    """A piece of work. Units of one `cell` belong to one row of a table and share its limit of time."""

    key: str
    cell: str
    work: Callable[[], Values]


@dataclass(frozen=True)
class Table:
    """A table of the page: head and rows of text, with a sentence before it."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    text: str = ""


@dataclass(frozen=True)
class Plot:
    """A plot of the page: named series of points over a common axis, bars where `bars` is set.

    `published` is the range of the values that were published, drawn behind them.
    """

    name: str
    title: str
    x_label: str
    y_label: str
    series: dict[str, list[tuple[float, float]]]
    logarithmic: bool = False
    bars: Sequence[str] = field(default_factory=tuple)
    published: tuple[float, float] | None = None


@dataclass(frozen=True)
class Findings:
    """The results that an experiment shows."""

    tables: Sequence[Table]
    plots: Sequence[Plot] = ()


@dataclass(frozen=True)
class Experiment:
    """An experiment: its units, and how its results are shown.

    `theirs` names the published results, `reading` is what a reader should know about the results in the run of the
    page.
    """

    name: str
    title: str
    theirs: str
    units: Sequence[Unit]
    findings: Callable[[Store], Findings]
    reading: str = ""


def rate(wins: float, games: int) -> str:
    """Return the share of wins in percent with its 95 % interval (Wilson), "-" without games."""
    if not games:
        return "-"
    low, high = interval(wins, games)
    return f"{100 * wins / games:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


def interval(wins: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    z = CONFIDENCE_DEVIATIONS
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def points(scores: Sequence[int]) -> float:
    """Return the number of wins, with draws as half."""
    return sum(score > 0 for score in scores) + sum(score == 0 for score in scores) / 2


def ratio(part: float, whole: float) -> str:
    """Return a quotient in percent, "-" if the divisor is 0."""
    return f"{100 * part / whole:.0f} %" if whole else "-"
