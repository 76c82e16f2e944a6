"""What a book says about a position: its entry with the moves, their scores and where those come from; the errors.

An entry is written for the canonical image of its position (see `Position.canonical`); scores are discs from the view
of the player to move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from othello_bot.base.errors import FormatError, InputError, brief
from othello_bot.kernel import images
from othello_bot.rules import Position, transform_square


class BookError(FormatError):
    """A file that is not a book, or a damaged one; `place` is an offset in bytes, or 0."""


class BookHeld(InputError):
    """A growing book that cannot be written now, because another writer, `holder`, is writing it."""

    def __init__(self, path: str, holder: str) -> None:
        ValueError.__init__(
            self,
            f"the book {brief(path)} is being written by {brief(holder)}: wait until that has ended, or stop it, which"
            " loses nothing; the book can be read meanwhile",
        )
        self.value: str = path
        self.expected = "a book that no other process writes"
        self.holder = holder

    def __reduce__(self) -> tuple[type[BookHeld], tuple[str, str]]:
        """Return how to make the error again, in another process."""
        return type(self), (self.value, self.holder)


Key = tuple[int, int]
"""The discs of the mover and of the opponent in the canonical image of a position: the same for all its images."""

LOWEST: Final = -64
HIGHEST: Final = 64

PROVEN: Final = 100
"""Selectivity in percent of a search that prunes nothing."""


class Scored(NamedTuple):
    """A move with its score.

    `depth`: the plies from the position before the move to the end of the search that the score comes from, which may
    have begun many moves later; `selectivity`: that of the search in percent; `games`: how often the move was played
    in the games that the book learned.
    """

    move: int
    score: int
    depth: int
    selectivity: int
    games: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A position of a book.

    `score` is the best of its moves' and the leaf's. `lower` and `upper` are proven bounds of the true score. `level`:
    that of the position's own search. `won`, `drawn` and `lost`: results of the learned games, from the mover's view.
    `moves`: those that lead to positions of the book, and others with a known score. `leaf`: the best of all other
    moves, None if there is no other or it has not been searched.
    """

    score: int
    lower: int = LOWEST
    upper: int = HIGHEST
    level: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    moves: tuple[Scored, ...] = ()
    leaf: Scored | None = None

    @property
    def exact(self) -> bool:
        """Whether the score is proven."""
        return self.lower == self.upper

    @property
    def best_score(self) -> int:
        """The score of the best move; that of the position if no move is known. Proven bounds may contradict it."""
        every = [move.score for move in self.moves]
        if self.leaf is not None:
            every.append(self.leaf.score)
        return max(every, default=self.score)

    @property
    def scored(self) -> tuple[Scored, ...]:
        """The moves and the leaf, the best first; of equal ones, that of the deepest search."""
        every = self.moves if self.leaf is None else (*self.moves, self.leaf)
        return tuple(sorted(every, key=lambda one: (-one.score, -one.depth, one.move)))


def key_of(position: Position) -> Key:
    """Return the key that a position shares with its images; it ignores colours."""
    canonical, _ = position.canonical()
    return canonical.mover, canonical.opponent


def stabilizer(canonical: Position) -> tuple[int, ...]:
    """Return the symmetries that leave a position as it is; the identity is the first."""
    own = canonical.mover, canonical.opponent
    both = zip(images(canonical.mover), images(canonical.opponent), strict=True)
    return tuple(index for index, image in enumerate(both) if image == own)


def representative(move: int, symmetries: tuple[int, ...]) -> int:
    """Return the one of a move's images under these symmetries that entries use."""
    return move if len(symmetries) == 1 else min(transform_square(move, index) for index in symmetries)
