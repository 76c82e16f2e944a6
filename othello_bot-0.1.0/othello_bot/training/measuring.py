"""How good an evaluation is: the positions to measure it on, errors of static values, moves and scores of searches.

Uses only the standard library, so that measuring needs no extra.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import move_name
from othello_bot.engine import Limits, Search, SearchRequest, fixed_depth
from othello_bot.formats.obf import Problem
from othello_bot.formats.reading import problems_of_file
from othello_bot.kernel import Searcher, Weights

WIDTH_DISCS: Final = 5
"""Width of a bin of reported scores."""

LEAST_POSITIONS: Final = 100
"""A bin with fewer positions is not judged; neighbours are joined until they have as many."""

TOLERANCE_DISCS: Final = 0.5
"""A score means what it says if the exact scores of its bin are at most this far away on average."""

CERTAIN_ERRORS: Final = 2
"""A bin is off if its mean lies beyond the tolerance by more than this many standard errors."""


@dataclass(frozen=True)
class Bin:
    """The positions whose reported score is at least `low` discs and less than `high`."""

    low: int
    high: int
    positions: int
    exact_minus_reported: float
    standard_error: float

    @property
    def is_judged(self) -> bool:
        """Whether the bin has enough positions to be judged."""
        return self.positions >= LEAST_POSITIONS

    @property
    def is_off(self) -> bool:
        """Whether the scores of a judged bin do not mean what they say."""
        beyond = abs(self.exact_minus_reported) - TOLERANCE_DISCS
        return self.is_judged and beyond > CERTAIN_ERRORS * self.standard_error


def bins(pairs: Iterable[tuple[float, float]], least: int = 1) -> list[Bin]:
    """Return the bins of pairs of a reported and an exact score in discs, lowest first.

    From the lowest one on, neighbours are joined until a bin has the `least` positions; what remains at the top goes
    into the last bin. Positions are chosen by what a user sees, the reported score: bins of the exact score would
    select by outcome.
    """
    differences: defaultdict[int, list[float]] = defaultdict(list)
    for reported, exact in pairs:
        differences[int(reported // WIDTH_DISCS) * WIDTH_DISCS].append(exact - reported)
    joined: list[list[int]] = []

    def lacks(lows: list[int]) -> bool:
        return sum(len(differences[low]) for low in lows) < least

    for low in sorted(differences):
        if joined and lacks(joined[-1]):
            joined[-1].append(low)
        else:
            joined.append([low])
    if len(joined) > 1 and lacks(joined[-1]):
        last = joined.pop()
        joined[-1] += last
    found = [(lows, [value for low in lows for value in differences[low]]) for lows in joined]
    return [Bin(lows[0], lows[-1] + WIDTH_DISCS, len(values), *mean(values)) for lows, values in found]


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error, which is NaN for a single value; raise StatisticsError for none."""
    spread = statistics.stdev(values) if len(values) > 1 else float("nan")
    return statistics.fmean(values), spread / len(values) ** 0.5


@dataclass(frozen=True)
class Measured:
    """Positions (mover, opponent) in which the mover has a move, with their exact scores in discs, mover's view."""

    positions: tuple[tuple[int, int], ...]
    scores: tuple[int, ...]


def read(path: Path) -> Measured:
    """Return the positions of a file that have an exact score.

    Replace a position with a forced pass by the one after it. Raise what problems_of_file() raises.
    """
    positions, scores = [], []
    for problem in problems_of_file(path):
        position, score = problem.position, problem.best_score
        if score is None or position.is_over:
            continue
        passes = position.must_pass
        positions.append((position.opponent, position.mover) if passes else (position.mover, position.opponent))
        scores.append(-score if passes else score)
    return Measured(tuple(positions), tuple(scores))


def default_files(folder: Path) -> list[Path]:
    """Return the measuring files of this package, and the user's in `measuring` in the folder of the pipeline."""
    return [file for place in (Path(__file__).parent, folder / "measuring") for file in sorted(place.glob("*.obf"))]


CLOSE: Final = 10
"""A position is close if its exact score is at most this many discs from a draw."""

DEPTH: Final = 8


@dataclass(frozen=True)
class Errors:
    """Mean absolute errors in discs and the share of right winners at depth 8, each with its standard error.

    A winner is right if the search's score and the exact score have the same sign; so a drawn position counts only if
    the search scores it 0. `depth8_points` counts as matches do: half a point if exactly one of the two scores is a
    draw.
    """

    positions: int
    static_mae: float
    static_mae_error: float
    static_mae_close: float
    static_mae_close_error: float
    depth8_mae: float
    depth8_mae_error: float
    depth8_winner: float
    depth8_winner_error: float
    depth8_points: float
    depth8_points_error: float


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error; NaN for no values, and the error of a single one is NaN."""
    if not values:
        return float("nan"), float("nan")
    return mean(values)


def _sign(score: float) -> int:
    return (score > 0) - (score < 0)


def measure(weights: Weights | None, measured: Measured) -> Errors:
    """Return the errors of an evaluation (None: the hand-made one).

    Depth 8 is searched at full width without an exact finish: its leaves are static values unless the game is over.
    """
    searcher = Searcher(16)
    searcher.set_weights(weights)
    static_errors, deep_errors, right, points = [], [], [], []
    for (mover, opponent), exact in zip(measured.positions, measured.scores, strict=True):
        static = min(max(searcher.static_value(mover, opponent), -64.0), 64.0)
        static_errors.append(abs(static - exact))
        searcher.clear()
        deep = fixed_depth(searcher, mover, opponent, DEPTH)[0].score
        deep_errors.append(abs(deep - exact))
        apart = abs(_sign(deep) - _sign(exact))
        right.append(float(apart == 0))
        points.append(1 - apart / 2)
    close = [error for error, exact in zip(static_errors, measured.scores, strict=True) if abs(exact) <= CLOSE]
    samples = (static_errors, close, deep_errors, right, points)
    return Errors(len(static_errors), *(figure for sample in samples for figure in _mean(sample)))


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
        result = search.answer(SearchRequest(position, limits))
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
