"""The ratings of several players: pure functions of the games on each opening.

Ratings are those of the Bradley-Terry model by maximum likelihood; a draw is half a win. An interval has the ratings whose
profile likelihood is large enough: the others change with the rating as its best values do. It is scaled and its ends are
found as those of two players (`statistics`), with which it agrees. Groups of players that never met have no common scale.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from othello_bot.arena.pentanomial import score_of_elo
from othello_bot.arena.statistics import (
    LOGISTIC_SCALE,
    SURPRISE,
    LikelihoodTerm,
    OpeningScore,
    OwnTerm,
    Profile,
    Spread,
    first_beyond,
    missed,
    student_quantile,
)

_STEPS: Final = 200
_PRECISION: Final = 1e-9
_FAR: Final = 20_000.0

Pairing = tuple[int, int]

Opening = Mapping[Pairing, OpeningScore]
"""The games on one opening, by the players' numbers, from the first one's view."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo, with its 95 % interval, on the scale of its group.

    The mean of a group's finite ratings is 0, unless it has an anchor, whose interval is empty. Players of different
    groups never met, directly or through others. A rating is infinite if everything was won or lost; then one end is a
    bound with at least 95 %. It is NaN if nothing is known. `why` says why there is no interval.
    """

    elo: float
    low: float
    high: float
    group: int = 0
    why: str = ""

    @property
    def place(self) -> float:
        """Where to draw it: the rating, or else its bound, or else 0."""
        return next((one for one in (self.elo, self.low, self.high) if math.isfinite(one)), 0.0)


UNKNOWN: Final = "no games with engines whose ratings are known"


def ratings(
    players: int,
    openings: Sequence[Opening],
    anchors: Mapping[int, float] | None = None,
    *,
    intervals: bool = True,
) -> list[Rating]:
    """Return the rating of each of `players`; those in `anchors` have the ratings given there.

    `openings` has the games of each opening. Without `intervals`, only the ratings themselves are computed.
    """
    anchors = anchors or {}
    totals: dict[Pairing, OpeningScore] = {}
    for opening in openings:
        for pairing, score in opening.items():
            total = totals.setdefault(pairing, OpeningScore())
            total.games += score.games
            total.points += score.points
    found: dict[int, Rating] = {}
    for number, group in enumerate(_groups(players, totals, anchors)):
        fit = _Fit(group, openings, totals, anchors)
        for player in group:
            found[player] = fit.rating(player, number, intervals)
    return [found[player] for player in range(players)]


def _reached(start: int, ways: Mapping[int, set[int]]) -> set[int]:
    """Return what can be reached from a player."""
    reached, new = {start}, [start]
    while new:
        following = ways.get(new.pop(), set()) - reached
        reached |= following
        new += following
    return reached


def _groups(players: int, totals: Mapping[Pairing, OpeningScore], anchors: Mapping[int, float]) -> list[list[int]]:
    """Return the groups of players whom games or anchors connect, those with anchors or many games first."""
    met: dict[int, set[int]] = {}
    games = Counter[int]()
    known = list(anchors)
    for (i, j), score in [*totals.items(), *(((known[0], one), OpeningScore()) for one in known)]:
        met.setdefault(i, set()).add(j)
        met.setdefault(j, set()).add(i)
        games.update({i: score.games, j: score.games})
    groups = {tuple(sorted(_reached(player, met))) for player in range(players)}
    return [
        list(group)
        for group in sorted(
            groups, key=lambda one: (not anchors.keys() & set(one), -sum(games[each] for each in one), one)
        )
    ]


class _Fit:
    """The ratings of one group.

    They are finite for players of whom each has taken points from each other one, directly or through others (L. R.
    Ford, "Solution of a ranking problem from binary comparisons", 1957). The largest set of such players has ratings;
    all others are infinitely far above or below.
    """

    def __init__(
        self,
        group: Sequence[int],
        openings: Sequence[Opening],
        totals: Mapping[Pairing, OpeningScore],
        anchors: Mapping[int, float],
    ) -> None:
        self._anchors = {player: anchors[player] for player in group if player in anchors}
        self._openings = openings
        self._totals = {pairing: score for pairing, score in totals.items() if pairing[0] in group and score.games}
        self.rated = self._finite(group)
        self._inner = {pairing: one for pairing, one in self._totals.items() if self.rated.issuperset(pairing)}
        self._free = sorted(self.rated - self._anchors.keys())
        self.elos = {player: self._anchors.get(player, 0.0) for player in self.rated}
        self._at = {player: place for place, player in enumerate(self._free) if self._inner}
        if self._inner:
            self._maximise()

    @cached_property
    def _patterns(self) -> Counter[tuple[tuple[Pairing, int], ...]]:
        """The numbers of openings with the same numbers of games."""
        return Counter(
            tuple(sorted((pairing, score.games) for pairing, score in opening.items() if pairing in self._inner))
            for opening in self._openings
        )

    def _finite(self, group: Sequence[int]) -> set[int]:
        """Return the largest set of players whose differences are finite; of equal ones that with the most games."""
        took: dict[int, set[int]] = {}
        games = Counter[int]()
        for (i, j), score in self._totals.items():
            games.update({i: score.games, j: score.games})
            if score.points > 0:
                took.setdefault(i, set()).add(j)
            if score.points < score.games:
                took.setdefault(j, set()).add(i)
        for one in self._anchors:
            took.setdefault(one, set()).update(self._anchors)
        reached = {player: _reached(player, took) for player in group}
        sets = [{other for other in reached[player] if player in reached[other]} for player in group]
        return max(
            sets,
            key=lambda one: (
                len(one & self._anchors.keys()),
                len(one),
                sum(games[each] for each in one),
                len(reached[min(one)]),
            ),
        )

    def _maximise(self) -> None:
        """Find the most likely ratings, by Newton's method."""
        for _ in range(_STEPS):
            slopes = dict.fromkeys(self.rated, 0.0)
            for (i, j), score in self._inner.items():
                surplus = LOGISTIC_SCALE * (score.points - score.games * score_of_elo(self.elos[i] - self.elos[j]))
                slopes[i] += surplus
                slopes[j] -= surplus
            inverse = self._inverse()
            steps = [sum(map(operator.mul, row, (slopes[one] for one in self._free))) for row in inverse]
            # A full step can overshoot if a player has won nearly everything.
            for player, step in zip(self._free, steps, strict=True):
                self.elos[player] += max(-200.0, min(200.0, step))
            if max(map(abs, steps), default=0.0) < _PRECISION:
                break

    @cached_property
    def _covariance(self) -> dict[int, list[float]]:
        """The covariance of the free ratings under the model, a row for each."""
        return dict(zip(self._free, self._inverse(), strict=True))

    def _inverse(self) -> list[list[float]]:
        """Return the inverse of the information of the free ratings, whose sum stays the same without an anchor."""
        at = {player: place for place, player in enumerate(self._free)}
        rows = [[0.0] * len(at) for _ in at]
        for (i, j), score in self._inner.items():
            weight = _weight(score.games, self.elos[i] - self.elos[j])
            for one, other, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                if one in at and other in at:
                    rows[at[one]][at[other]] += sign * weight
        shared = 0.0 if self._anchors else max(rows[place][place] for place in range(len(at))) / len(at)
        found = inverse([[value + shared for value in row] for row in rows])
        extra = 0.0 if self._anchors else 1 / (shared * len(at) ** 2)
        return [[value - extra for value in row] for row in found]

    def _influence(self, player: int, other: int) -> float:
        """Return the covariance of two ratings under the model; an anchor's is 0."""
        return self._covariance[player][self._at[other]] if other in self._at else 0.0

    def rating(self, player: int, group: int, intervals: bool) -> Rating:
        """Return a player's rating."""
        if player in self._anchors:
            return Rating(self._anchors[player], self._anchors[player], self._anchors[player], group)
        if player not in self.rated:
            return self._bound(player, group)
        if not self._inner:
            # Alone, it is where all others are compared with.
            return (
                Rating(0.0, 0.0, 0.0, group) if self._totals else Rating(math.nan, -math.inf, math.inf, group, UNKNOWN)
            )
        elo = self.elos[player]
        if not intervals:
            return Rating(elo, -math.inf, math.inf, group)
        spread = self._spread({player: 1.0})
        if spread.why:
            return Rating(elo, -math.inf, math.inf, group, spread.why)
        gained, dropped = missed(self._own(player))
        low, high = self._profile(player).ends(spread, gained, dropped)
        return Rating(elo, elo + low, elo + high, group)

    def _profile(self, player: int) -> Profile:
        """Return the likelihood along the line on which the others change with a player's rating as they do at best."""
        terms: list[LikelihoodTerm] = []
        own: list[OwnTerm] = []
        for (i, j), score in self._inner.items():
            change = (self._influence(player, i) - self._influence(player, j)) / self._influence(player, player)
            lead = self.elos[i] - self.elos[j]
            terms.append((score.games, score.points, lead, change))
            if player in (i, j):
                way = 1 if player == i else -1
                openings = sum((i, j) in opening for opening in self._openings)
                own.append((score.games, openings, way * lead, way * change))
        return Profile(terms, own)

    def _own(self, player: int) -> list[OpeningScore]:
        """Return a player's games with rated ones, by opening, from its view."""
        found = []
        for opening in self._openings:
            one = OpeningScore()
            for (i, j), score in opening.items():
                if player in (i, j) and self.rated.issuperset((i, j)):
                    one.games += score.games
                    one.points += score.points if i == player else score.games - score.points
            if one.games:
                found.append(one)
        return found

    def _spread(self, weights: Mapping[int, float]) -> Spread:
        """Return how much a weighted mean of ratings varies from opening to opening."""
        row = {
            other: sum(weight * self._influence(one, other) for one, weight in weights.items() if one in self._at)
            for other in self.rated
        }
        variance = sum(weight * row[one] for one, weight in weights.items())
        squares = expected = left = even = 0.0
        for opening in self._openings:
            moved = 0.0
            for (i, j), score in opening.items():
                if (i, j) in self._inner:
                    surplus = score.points - score.games * score_of_elo(self.elos[i] - self.elos[j])
                    moved += surplus * (row[i] - row[j])
            squares += (LOGISTIC_SCALE * moved) ** 2
        for pattern, number in self._patterns.items():
            # What the model expects of an opening, and what of it the fit takes away (as R. M. Bell and D. F. McCaffrey,
            # "Bias reduction in standard errors for linear regression with multi-stage samples", 2002).
            own, pull = 0.0, dict.fromkeys(self.rated, 0.0)
            for (i, j), games in pattern:
                weight = _weight(games, self.elos[i] - self.elos[j]) * (row[i] - row[j])
                own += weight * (row[i] - row[j])
                pull[i] += weight
                pull[j] -= weight
            taken = sum(
                pull[one] * sum(pull[other] * self._covariance[one][place] for other, place in self._at.items())
                for one in self._free
                if pull[one]
            )
            expected += number * own
            left += number * (own - taken)
            even += number * own * own
        if left <= _PRECISION * expected:
            return Spread(0.0, 0.0)
        return Spread(squares * expected / left / variance, expected * expected / even - 1)

    def _bound(self, player: int, group: int) -> Rating:
        """Return the rating of a player who has won, or lost, all games with rated ones."""
        opponents, points = Counter[int](), 0.0
        for opening in self._openings:
            for (i, j), score in opening.items():
                other = j if i == player else i
                if player in (i, j) and other in self.rated and score.games:
                    opponents[other] += 1
                    points += score.points if i == player else score.games - score.points
        if not opponents:
            return Rating(math.nan, -math.inf, math.inf, group, UNKNOWN)
        way = 1 if points else -1
        alone = self._where_by_chance(opponents, way, SURPRISE)
        # How much the bound follows the rating of each opponent: as much as it may take points from it.
        pulls = {other: number * score_of_elo(way * (self.elos[other] - alone)) for other, number in opponents.items()}
        weights = {other: pull / sum(pulls.values()) for other, pull in pulls.items() if other in self._at}
        variance = sum(
            one * other * self._influence(i, j) for i, one in weights.items() for j, other in weights.items()
        )
        if variance < _PRECISION:
            return self._bounded(way, alone, group)
        spread = self._spread(weights)
        if spread.why:
            return Rating(way * math.inf, -math.inf, math.inf, group, spread.why)
        # Half of the error is left for the ratings of the opponents.
        margin = student_quantile(0.975, spread.freedom) * math.sqrt(spread.ratio * variance)
        return self._bounded(way, self._where_by_chance(opponents, way, SURPRISE + math.log(2)) - way * margin, group)

    def _bounded(self, way: int, bound: float, group: int) -> Rating:
        return Rating(math.inf, bound, math.inf, group) if way > 0 else Rating(-math.inf, -math.inf, bound, group)

    def _where_by_chance(self, opponents: Mapping[int, int], way: int, surprise: float) -> float:
        """Return the rating at which all openings against opponents are won (`way` 1) or lost by such a chance."""
        own = [(0.0, number, -self.elos[other], 1.0) for other, number in opponents.items()]
        profile = Profile([], own)
        return _FAR * way - way * first_beyond(lambda step: profile.surprise(way * (_FAR - step), way) > surprise)


def _weight(games: float, difference: float) -> float:
    """Return the information of games about a difference in Elo."""
    expected = score_of_elo(difference)
    return games * expected * (1 - expected) * LOGISTIC_SCALE**2


def inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a matrix (Gauss and Jordan, with pivots)."""
    size = len(matrix)
    rows = [[*row, *(float(place == other) for other in range(size))] for place, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda place: abs(rows[place][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for place in range(size):
            if place != column and (factor := rows[place][column]):
                rows[place] = [value - factor * other for value, other in zip(rows[place], rows[column], strict=True)]
    return [row[size:] for row in rows]
