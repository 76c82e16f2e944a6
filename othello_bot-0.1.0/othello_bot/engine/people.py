"""How people play: the policy with the scores of short searches, and persons of some strength who choose by it.

A person's choices depend on the position and a seed alone: two games with different seeds differ, and nothing depends
on the speed of the machine.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from othello_bot import policy
from othello_bot.base.notation import PASS, Color
from othello_bot.engine.levels import FULL_WIDTH
from othello_bot.engine.strength import Person
from othello_bot.evaluation import probcut, shipped
from othello_bot.kernel import Searcher
from othello_bot.rules import Game, Position

UNLIKELY: Final = 0.02
"""A move that the model finds less likely than this share of the likeliest is one that no person would consider."""

_LEAST: Final = math.log(UNLIKELY)
_FACTS: Final = struct.Struct("<QQQ")
RATINGS: Final = tuple(range(policy.LEAST_RATING, policy.MOST_RATING + 1, 145))
"""The ratings for which the chances of a move are noted to estimate a player's; those between are interpolated."""

RAREST: Final = 1e-4
"""The least probability that counts: a slip of the mouse says little about a player."""

PRIOR: Final = (1400.0, 250.0)
"""Mean and standard deviation of the ratings of people before any of their moves is seen."""

WEIGHT: Final = 0.7
"""What a move counts as evidence: the moves of a game depend on each other. This and `STYLE` were chosen by how well the
estimates agree with the ratings that follow from results (docs/development/policy.md).
"""

STYLE: Final = 50.0
"""By how much a player's style moves the estimate, however many moves are seen: one standard deviation."""

_FINE: Final = 10
"""The step of the ratings over which an estimate sums."""


class PeopleModel:
    """The policy with a small searcher of its own; for one thread at a time."""

    def __init__(self) -> None:
        self._searcher = Searcher(1, 1)
        self._searcher.set_weights(shipped())
        self._searcher.set_error_model(probcut.shipped())

    def scores(self, position: Position) -> list[dict[int, int]]:
        """Return the score of each legal move in discs for each of the policy's depths."""
        searcher, empties = self._searcher, position.empties
        searcher.clear()  # so that no earlier position changes a score
        count = searcher.begin(position.mover, position.opponent)
        found = []
        for depth in policy.DEPTHS:
            if depth == policy.DEPTHS[-1] and empties <= policy.EXACT_EMPTIES:
                depth = empties
            if depth < empties:
                searcher.iterate(depth, 0, multi_pv=count)
            else:
                searcher.iterate(empties, FULL_WIDTH, multi_pv=count, scores_alone=True)
            found.append({line.move: line.score for line in searcher.lines(count)})
        return found

    def chances(
        self, position: Position, rating: float | None, last: int | None, *, alone: bool = False
    ) -> dict[int, float]:
        """Return the probability that a person of this rating plays each legal move; empty without a legal move.

        Ratings below 500 count as 500, and above 1950 as 1950, where the data end.
        `last`: the square of the move before, None if it is not known. `alone`: without the scores of a search. Raise
        InputError for a rating that is not a number.
        """
        return self.chances_of_each(position, [rating], last, alone=alone)[0]

    def chances_of_each(
        self, position: Position, ratings: Sequence[float | None], last: int | None, *, alone: bool = False
    ) -> list[dict[int, float]]:
        """Return the same for several ratings, which share the searches."""
        if not position.legal_bits:
            return [{} for _ in ratings]
        scores = None if alone else self.scores(position)
        return [policy.probabilities(position, rating, last, scores) for rating in ratings]

    def rating(self, games: Iterable[tuple[Game, Color]], goes_on: Callable[[], bool] = lambda: True) -> RatingEstimate:
        """Return the rating that the moves of one player look like; each game comes with his colour.

        Before each move, `goes_on` is asked; the rest does not count once it says no.
        """
        logarithms = [0.0] * len(RATINGS)
        for game, color in games:
            last = None
            for ply, move in enumerate(game.moves):
                if not goes_on():
                    return estimate(logarithms)
                position = game.position_at(ply)
                if position.color is color and position.legal_bits.bit_count() > 1:
                    for index, chances in enumerate(self.chances_of_each(position, RATINGS, last)):
                        logarithms[index] += math.log(max(chances[move], RAREST))
                last = last if move == PASS else move
        return estimate(logarithms)


class RatingEstimate(NamedTuple):
    """A rating estimated from moves, and its standard error."""

    rating: int
    error: int

    def __str__(self) -> str:
        return f"{self.rating} ± {self.error}"


def estimate(logarithms: Sequence[float]) -> RatingEstimate:
    """Return the rating of a player from the sums over his moves of the logarithms of their chances, for `RATINGS`.

    It is the mean of the ratings weighted by how likely they make the moves, and by how common they are (`PRIOR`).
    """
    ratings = range(RATINGS[0], RATINGS[-1] + 1, _FINE)
    mean, spread = PRIOR
    values = [WEIGHT * between(logarithms, rating) - ((rating - mean) / spread) ** 2 / 2 for rating in ratings]
    largest = max(values)
    weights = [math.exp(value - largest) for value in values]
    total = math.fsum(weights)
    expected = math.fsum(map(math.prod, zip(weights, ratings, strict=True))) / total
    variance = math.fsum(weight * (rating - expected) ** 2 for weight, rating in zip(weights, ratings, strict=True))
    return RatingEstimate(round(expected), round(math.hypot(math.sqrt(variance / total), STYLE)))


def between(values: Sequence[float], rating: float) -> float:
    """Interpolate values given for `RATINGS` at a rating, by the cubic through the four nearest of them."""
    place = (min(max(rating, RATINGS[0]), RATINGS[-1]) - RATINGS[0]) / (RATINGS[1] - RATINGS[0])
    first = min(max(int(place) - 1, 0), len(RATINGS) - 4)
    x = place - first
    return (
        -values[first] * (x - 1) * (x - 2) * (x - 3) / 6
        + values[first + 1] * x * (x - 2) * (x - 3) / 2
        - values[first + 2] * x * (x - 1) * (x - 3) / 2
        + values[first + 3] * x * (x - 1) * (x - 2) / 6
    )


class PersonChooser:
    """Chooses as a `person` does, with the luck of one `seed`."""

    def __init__(self, person: Person, seed: int) -> None:
        self._person = person
        self._seed = seed
        self._people_model = PeopleModel()

    def choose(self, position: Position, last: int | None = None) -> int:
        """Return his move, PASS without a legal one; `last` is the square of the move before, None if it is not known."""
        chances = self.chances(position, last)
        lot = _lot(self._seed, position) * math.fsum(chances.values())
        for move, chance in chances.items():
            lot -= chance
            if lot < 0:
                return move
        return max(chances, key=chances.__getitem__, default=PASS)

    def chances(self, position: Position, last: int | None) -> dict[int, float]:
        """Return how likely he is to play each move that he considers; they need not add up to 1."""
        person = self._person
        values: dict[int, float] = dict.fromkeys(position.legal_moves, 0.0) if position.legal_bits else {}
        for alone, share in ((True, 1 - person.look), (False, person.look)):
            if share:
                for move, chance in self._people_model.chances(position, person.rating, last, alone=alone).items():
                    values[move] += share * math.log(max(chance, 1e-12))
        likeliest = max(values.values(), default=0.0)
        return {
            move: math.exp((value - likeliest) / person.width)
            for move, value in values.items()
            if value - likeliest >= _LEAST
        }


def _lot(seed: int, position: Position) -> float:
    """Return a number from 0 to below 1 that depends only on the seed and the position."""
    digest = blake2b(_FACTS.pack(seed, position.mover, position.opponent), digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 11) / 2**53
