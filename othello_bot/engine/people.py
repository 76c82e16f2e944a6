"""What people would play: the policy with the scores of short searches, and persons of some strength who choose by it.

A person's choices depend on the position and a seed alone: two games with different seeds differ, and nothing depends
on the speed of the machine.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from hashlib import blake2b
from operator import mul
from typing import Final

from othello_bot import policy
from othello_bot.base.notation import PASS, Color
from othello_bot.engine.limits import FULL_WIDTH
from othello_bot.engine.strength import MEAN_RATING, Person
from othello_bot.evaluation import probcut, shipped
from othello_bot.kernel import Searcher
from othello_bot.rules import Game, Position

UNLIKELY: Final = 0.02
"""A move that the model finds less likely than this share of the likeliest is one that no person would consider."""

_LEAST: Final = math.log(UNLIKELY)
_FACTS: Final = struct.Struct("<QQQ")
_SPREAD: Final = 300
"""Standard deviation of the ratings of players."""
_RAREST: Final = 1e-4
"""The least probability that counts: a slip of the mouse says little about a player."""


class Onlooker:
    """Tells what people play, with a small searcher of its own; for one thread at a time."""

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
        """Return the probability that a person of this rating plays each legal move; none if there is none.

        `last`: the square of the move before, None if it is not known. `alone`: without the scores of a search. Raise
        InputError for a rating that is no number.
        """
        if not position.legal_bits:
            return {}
        return policy.probabilities(position, rating, last, None if alone else self.scores(position))

    def rating(self, games: Iterable[tuple[Game, Color]]) -> tuple[float, float]:
        """Return the rating that the moves of one player in these games speak for, and its standard deviation.

        Each game comes with his colour. The likelihoods of his moves by the model, of those with a choice, are weighed
        with how ratings are spread among players (mean 1500, deviation 300): without moves, that is the answer.
        """
        ratings = range(policy.LEAST_RATING, policy.MOST_RATING + 1, 50)
        logarithms = [-(((rating - MEAN_RATING) / _SPREAD) ** 2) / 2 for rating in ratings]
        for game, color in games:
            last = None
            for ply, move in enumerate(game.moves):
                position = game.position_at(ply)
                if position.color is color and position.legal_bits.bit_count() > 1:
                    scores = self.scores(position)
                    for index, rating in enumerate(ratings):
                        chance = policy.probabilities(position, rating, last, scores)[move]
                        logarithms[index] += math.log(max(chance, _RAREST))
                last = last if move == PASS else move
        top = max(logarithms)
        weights = [math.exp(logarithm - top) for logarithm in logarithms]
        total = math.fsum(weights)
        mean = math.fsum(map(mul, weights, ratings)) / total
        variance = math.fsum(map(mul, weights, ((rating - mean) ** 2 for rating in ratings))) / total
        return mean, math.sqrt(variance)


class PersonChooser:
    """Chooses as a `person` does, with the luck of one `seed`."""

    def __init__(self, person: Person, seed: int) -> None:
        self._person = person
        self._seed = seed
        self._onlooker = Onlooker()

    def choose(self, position: Position, last: int | None = None) -> int:
        """Return his move, PASS if there is none; `last` is the square of the move before, None if it is not known."""
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
                for move, chance in self._onlooker.chances(position, person.rating, last, alone=alone).items():
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
