"""An amateur player: he sees some of the moves, looks a few plies ahead, and judges positions by what he knows.

His mistakes depend only on the position and on a seed. So a position always looks the same to him, two games with
different seeds differ, and nothing depends on the speed of the machine.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from statistics import NormalDist
from typing import Final

from othello_bot.base.notation import PASS
from othello_bot.engine.strength import Faculties
from othello_bot.evaluation import shipped
from othello_bot.kernel import flips, legal_moves
from othello_bot.kernel import handmade_value as advice
from othello_bot.rules import Position, squares_of

CORNERS: Final = 0x8100000000000081

WIN: Final = 20.0
"""Value of winning at the end of the game, in discs, in addition to the margin."""

_FACTS: Final = struct.Struct("<QQQ")
_NORMAL: Final = NormalDist()

Move = tuple[int, int]
"""A square and the discs flipped from there."""


class Amateur:
    """A player with `faculties`, whose mistakes are those of one `seed`."""

    def __init__(self, faculties: Faculties, seed: int) -> None:
        self._faculties = faculties
        self._seed = seed

    def choose(self, position: Position, should_stop: Callable[[], bool] = lambda: False) -> int:
        """Return his move, PASS if there is none; once `should_stop` returns true, the best of those examined."""
        faculties = self._faculties
        seen = self._found(position)
        if len(seen) < 2:
            return seen[0][0] if seen else PASS
        counted = position.empties <= max(faculties.counting, faculties.sight)
        plies = position.empties if counted else faculties.sight
        best, best_value = seen[0][0], -math.inf
        for (square, turned), value in self._values(position, seen, plies):
            if not counted:
                value += self._misjudgement(position.opponent ^ turned, position.mover | turned | 1 << square)
            if value > best_value:
                best, best_value = square, value
            if should_stop():
                break
        return best

    # -- sight ------------------------------------------------------------------------------------------------------

    def _found(self, position: Position) -> list[Move]:
        """Return his moves as far as he finds them.

        Who looks at the answers and fears for corners looks again when each move he finds leaves one, and then misses
        none.
        """
        seen = list(self._seen(position.mover, position.opponent, position.legal_bits))
        if self._faculties.sight < 2 or not self._faculties.corners or len(seen) == position.legal_bits.bit_count():
            return seen
        if all(_leaves_a_corner(position, move) for move in seen):
            return _moves(position.mover, position.opponent, position.legal_bits)
        return seen

    def _seen(self, mover: int, opponent: int, legal: int) -> Iterator[Move]:
        """Yield the moves that he does not miss; if he would miss all, the easiest to see."""
        moves = _moves(mover, opponent, legal)
        inattention = self._faculties.inattention
        if not inattention or len(moves) < 2:
            yield from moves
            return
        eyes = lots(self._seed, mover, opponent, 64)
        easiest = min(moves, key=_difficulty)
        for move in moves:
            if move is easiest or eyes[move[0]] >= 256 * inattention * _difficulty(move):
                yield move

    # -- judgement --------------------------------------------------------------------------------------------------

    def _values(self, position: Position, moves: Iterable[Move], plies: int) -> Iterator[tuple[Move, float]]:
        """Yield the moves with their values in discs after a search of `plies` plies, including the move itself."""
        for square, turned in moves:
            after = position.opponent ^ turned, position.mover | turned | 1 << square
            yield (square, turned), -self._look(*after, plies - 1, -math.inf, math.inf) - self._further_corners(*after)

    def _look(self, mover: int, opponent: int, plies: int, alpha: float, beta: float) -> float:
        """Return the value that the mover can reach within this many plies, as far as the amateur sees: alpha-beta,
        fail-soft.
        """
        legal = legal_moves(mover, opponent)
        if not legal:
            if not legal_moves(opponent, mover):
                discs = mover.bit_count() - opponent.bit_count()
                return discs + math.copysign(WIN, discs) if discs else 0.0
            return -self._look(opponent, mover, plies, -beta, -alpha)
        if plies <= 0:
            return self._judge(mover, opponent)
        best = -math.inf
        for square, turned in self._seen(mover, opponent, legal):
            after = opponent ^ turned, mover | turned | 1 << square
            best = max(best, -self._look(*after, plies - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    def _further_corners(self, mover: int, opponent: int) -> float:
        """Return the value of the corners that his move leaves to the mover beside the first.

        Who looks at the answers sees the first one taken, and knows that the others may follow.
        """
        if self._faculties.sight < 2 or not self._faculties.corners:
            return 0.0
        left = (legal_moves(mover, opponent) & CORNERS).bit_count()
        return self._faculties.corners * max(0, left - 1)

    def _judge(self, mover: int, opponent: int) -> float:
        """Return his estimate of a position's value for the mover."""
        faculties = self._faculties
        value = faculties.greed * (mover.bit_count() - opponent.bit_count())
        value += faculties.corners * ((mover & CORNERS).bit_count() - (opponent & CORNERS).bit_count())
        if faculties.advice:
            value += faculties.advice * advice(mover, opponent)
        if faculties.training:
            value += faculties.training * (shipped().evaluate(mover, opponent) - value)
        return value

    def _misjudgement(self, mover: int, opponent: int) -> float:
        """Return his error about a position that his move leads to, the same each time.

        Who looks at the answers sees a corner that he leaves to the opponent, and never finds such a move better than
        it is.
        """
        if not self._faculties.misjudgement:
            return 0.0
        chance = (int.from_bytes(lots(self._seed, mover, opponent, 8), "big") + 1) / (2**64 + 1)
        error = self._faculties.misjudgement * _NORMAL.inv_cdf(chance)
        leaves_a_corner = self._faculties.sight > 1 and legal_moves(mover, opponent) & CORNERS
        return -abs(error) if leaves_a_corner else error


def _moves(mover: int, opponent: int, legal: int) -> list[Move]:
    return [(square, flips(mover, opponent, square)) for square in squares_of(legal)]


def _leaves_a_corner(position: Position, move: Move) -> bool:
    """Return whether the opponent can take a corner after a move."""
    square, turned = move
    return bool(legal_moves(position.opponent ^ turned, position.mover | turned | 1 << square) & CORNERS)


def lots(seed: int, mover: int, opponent: int, size: int) -> bytes:
    """Return pseudorandom bytes that depend only on the seed and the position."""
    return blake2b(_FACTS.pack(seed, mover, opponent), digest_size=size).digest()


def difficulty(square: int, turned: int) -> float:
    """Return how hard a move is to see, 0 to 1: short lines and many flipped discs are noticed, long lines are not.

    People look for corners, so only a long line hides them.
    """
    lengths = [length for ray in _RAYS[square] if (length := (ray & turned).bit_count())]
    if CORNERS >> square & 1:
        return 0.1 * (min(lengths) - 1)
    return min(1.0, 0.15 * min(lengths) + 0.5 / sum(lengths))


@lru_cache(1 << 14)
def _difficulty(move: Move) -> float:
    return difficulty(*move)


def _rays() -> tuple[tuple[int, ...], ...]:
    """Return the squares in each of the eight directions from each square."""
    steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    return tuple(tuple(_ray(square % 8, square // 8, *step) for step in steps) for square in range(64))


def _ray(x: int, y: int, step_x: int, step_y: int) -> int:
    line = 0
    while 0 <= (x := x + step_x) < 8 and 0 <= (y := y + step_y) < 8:
        line |= 1 << 8 * y + x
    return line


_RAYS: Final = _rays()
