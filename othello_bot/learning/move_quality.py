"""How good the moves and the scores of searches are, on positions with the exact score of every move."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.engine import Limits, Search
from othello_bot.errors import InputError
from othello_bot.formats.obf import Problem
from protocol.notation import move_name

BIN_DISCS: Final = 5
"""Width in discs of a bin of reported scores."""


@dataclass(frozen=True)
class Judged:
    """One search: its cost, and what its move and its score are worth. Discs, from the mover's view."""

    reported: int
    exact: int
    loss: int
    """What the move loses against the best one."""
    among_two: bool
    """Whether at most one move is better."""
    nodes: int
    time_s: float


@dataclass(frozen=True)
class Bin:
    """The positions whose reported score lies from `low` to `low + BIN_DISCS - 1` discs."""

    low: int
    positions: int
    exact_minus_reported: float
    standard_error: float


def judge(search: Search, problems: Iterable[Problem], limits: Limits) -> list[Judged]:
    """Search every position with an empty table; raise InputError for one without the scores of its legal moves."""
    judged = []
    for number, problem in enumerate(problems, start=1):
        position = problem.position
        missing = [move for move in position.legal_moves if move not in problem.scores]
        if missing or not problem.scores:
            unscored = " ".join(map(move_name, missing))
            raise InputError(f"position {number}: {len(missing)} legal moves have no score:", unscored, "one for each")
        search.clear()
        result = search.run(position.mover, position.opponent, limits)
        played, best = problem.scores[result.move], max(problem.scores.values())
        judged.append(
            Judged(
                reported=result.score,
                exact=best,
                loss=best - played,
                among_two=sum(score > played for score in problem.scores.values()) <= 1,
                nodes=result.nodes,
                time_s=result.time_s,
            )
        )
    return judged


def bins(judged: Sequence[Judged]) -> list[Bin]:
    """Return the calibration by reported score, lowest first.

    Positions are chosen by what a user sees, the reported score: bins of the exact score would select by outcome.
    """
    differences: defaultdict[int, list[int]] = defaultdict(list)
    for one in judged:
        differences[one.reported // BIN_DISCS * BIN_DISCS].append(one.exact - one.reported)
    return [Bin(low, len(values), *mean(values)) for low, values in sorted(differences.items())]


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error, which is NaN for a single value; raise StatisticsError for none."""
    spread = statistics.stdev(values) if len(values) > 1 else float("nan")
    return statistics.fmean(values), spread / len(values) ** 0.5
