"""What people would play: the policy with the scores of short searches, and persons of some strength who choose by it.

A person's choices depend on the position and a seed alone: two games with different seeds differ, and nothing depends
on the speed of the machine.
"""

from __future__ import annotations

import math
import struct
from hashlib import blake2b
from typing import Final

from othello_bot import policy
from othello_bot.base.notation import PASS
from othello_bot.engine.limits import FULL_WIDTH
from othello_bot.engine.strength import Person
from othello_bot.evaluation import probcut, shipped
from othello_bot.kernel import Searcher
from othello_bot.rules import Position

UNLIKELY: Final = 0.02
"""A move that the model finds less likely than this share of the likeliest is one that no person would consider."""

_LEAST: Final = math.log(UNLIKELY)
_FACTS: Final = struct.Struct("<QQQ")


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
            searcher.iterate(min(depth, empties), 0 if depth < empties else FULL_WIDTH, -64, 64, count)
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
