"""The opening book in play: the known moves of a position, the choice among them, and the names of the openings.

A `Book` asks several sources, files of books as `opening.py` opens them; the first that knows a position answers for
it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from othello_bot.base.evaluated import ChosenBy, EvaluatedMove
from othello_bot.base.output import report
from othello_bot.book.entry import PROVEN, BookError, Entry, Key, key_of, stabilizer
from othello_bot.rules import Game, Position, inverse_symmetry, transform_square

SOUND_LOSS: Final = 1
"""Largest loss in discs of a good move; the scores are not more precise than that."""

LARGEST_LOSS: Final = 8
"""Default of the largest loss in discs of a move that may be chosen at a randomness of 100 %."""

WON: Final = 2
"""Score in discs that the choice of another move does not give away."""

STILL_WON: Final = 1
"""Least score in discs of a move that is played instead of one worth WON or more."""

SPREAD: Final = 4.0
"""Loss in discs that makes a move less likely by a factor of e at a randomness of 100 %."""

LAST_PLY: Final = 60
"""The number of plies of the longest game without passes."""

_Answer = TypeVar("_Answer")


class Source(Protocol):
    """A book file that can be asked."""

    path: str

    def __len__(self) -> int:
        """Return the number of positions."""

    def find(self, key: Key) -> Entry | None:
        """Return the entry of a position, None without one; raise BookError if it is damaged."""

    def name(self, key: Key) -> str | None:
        """Return the name of a position, None without one; raise BookError if it is damaged."""

    def close(self) -> None:
        """Close the file."""


@dataclass(frozen=True, slots=True)
class BookMove(EvaluatedMove):
    """A known move of a position, with what only a book knows.

    `loss`: the discs that it gives away against the best move; `games`: how often it was played in the games that the
    book learned; `leads_on`: the book knows the position after it, too.
    """

    source: ChosenBy = ChosenBy.BOOK
    loss: int = 0
    games: int = 0
    leads_on: bool = True


@dataclass(frozen=True, slots=True)
class Manner:
    """How moves are chosen: `randomness` in percent, the `most_loss` in discs, the first `plies` of a game only.

    `left`: the discs that the rest of the game may lose.
    """

    randomness: int = 0
    most_loss: int = LARGEST_LOSS
    plies: int = LAST_PLY
    left: float = math.inf


class Book:
    """An opening book of several sources. A source that turns out to be damaged is reported and not asked again."""

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self._sources = list(sources)

    def __len__(self) -> int:
        """Return the number of positions of all sources, counting symmetric ones once."""
        return sum(map(len, self._sources))

    def close(self) -> None:
        """Close the files."""
        for source in self._sources:
            source.close()
        self._sources.clear()

    def entry(self, position: Position) -> Entry | None:
        """Return the entry of a position with the moves as they are in its canonical image; None without one."""
        return self._find(key_of(position))

    def lookup(self, position: Position) -> tuple[BookMove, ...]:
        """Return the known moves of a position, the best first; empty without any.

        In a symmetric position, every image of a known move is a known move. Of moves with the same score, those come
        first after which the book goes on.
        """
        canonical, index = position.canonical()
        entry = self._find((canonical.mover, canonical.opponent))
        if entry is None:
            return ()
        back = inverse_symmetry(index)
        symmetries = stabilizer(canonical)
        best, empties = entry.best_score, position.empties
        found: dict[int, BookMove] = {}
        for one in entry.moves if entry.leaf is None else (*entry.moves, entry.leaf):
            exact = one.depth >= empties and one.selectivity == PROVEN
            loss, leads_on = best - one.score, one is not entry.leaf
            for symmetry in symmetries:
                move = transform_square(transform_square(one.move, symmetry), back)
                reached = (one.score, (move,), one.depth, one.selectivity, exact)
                found.setdefault(move, BookMove(move, *reached, loss=loss, games=one.games, leads_on=leads_on))
        return tuple(sorted(found.values(), key=lambda one: (one.loss, not one.leads_on, -one.games, one.move)))

    def choose(
        self,
        position: Position,
        manner: Manner,
        rng: random.Random,
        avoided: Container[tuple[Key, int]] = (),
    ) -> BookMove | None:
        """Return a move to play in a position; None if none is good enough, or if it is too late in the game.

        At a randomness of 0, only equally good best moves are drawn by lot, from those after which the book goes on if
        there are any. Higher values make moves with fewer games or a greater loss more likely. At 100, games do not
        matter, and a move may lose up to `manner.most_loss` discs. No move gives a score of WON away. Moves in `avoided`
        (see `mark_of`) are chosen only if there is no other within the loss. A position whose other moves have not been
        searched yet has no move to play: one of them may be better.
        """
        if LAST_PLY - position.empties >= manner.plies:
            return None
        allowed = min(allowed_loss(manner.randomness, manner.most_loss), manner.left)
        known = self.lookup(position)
        if len(known) < position.legal_bits.bit_count() and all(one.leads_on for one in known):
            return None
        moves = [one for one in known if one.loss <= allowed and one.move in position.legal_moves]
        moves = [one for one in moves if known[0].discs < WON or one.discs >= STILL_WON]
        moves = [one for one in moves if not avoided or mark_of(position, one.move) not in avoided] or moves
        if not moves:
            return None
        if manner.randomness <= 0:
            best = moves[0]
            return rng.choice([one for one in moves if (one.score, one.leads_on) == (best.score, best.leads_on)])
        fame = 1 - manner.randomness / 100
        likelihood = [
            max(1, one.games) ** fame * likelihood_of_loss(one.loss - moves[0].loss, manner.randomness) for one in moves
        ]
        return rng.choices(moves, likelihood)[0]

    def name(self, position: Position) -> str | None:
        """Return the name of a position, by whichever moves it was reached; None without one."""
        key = key_of(position)
        return self._first_answer(lambda source: source.name(key))

    def opening_name(self, played: Game | Sequence[int]) -> str | None:
        """Return the name of the last named position of a game, or of moves from the usual start; None without one.

        Positions are compared, not the order of moves, so transpositions and mirrored games are recognised. Raise
        IllegalMove for an illegal move.
        """
        if isinstance(played, Game):
            game = played
        else:
            game = Game()
            game.play_moves(played)
        for ply in range(game.ply, 0, -1):
            name = self.name(game.position_at(ply))
            if name is not None:
                return name
        return None

    def _find(self, key: Key) -> Entry | None:
        return self._first_answer(lambda source: source.find(key))

    def _first_answer(self, asked: Callable[[Source], _Answer | None]) -> _Answer | None:
        """Return the answer of the first source that has one; report the damaged ones and ask them no more."""
        for source in list(self._sources):
            try:
                answer = asked(source)
            except BookError as error:
                report(f"the book {source.path} is not used any more: {error}")
                self._sources.remove(source)
                continue
            if answer is not None:
                return answer
        return None


def mark_of(position: Position, move: int) -> tuple[Key, int]:
    """Return what a position and a move share with all their images."""
    canonical, index = position.canonical()
    image = transform_square(move, index)
    return (canonical.mover, canonical.opponent), min(transform_square(image, one) for one in stabilizer(canonical))


def allowed_loss(randomness: int, most_loss: int = LARGEST_LOSS) -> float:
    """Return the largest loss in discs of a move that may be chosen at a randomness in percent."""
    return min(most_loss, SOUND_LOSS + (max(most_loss, SOUND_LOSS) - SOUND_LOSS) * randomness / 100)


def likelihood_of_loss(loss: float, randomness: int) -> float:
    """Return the likelihood of a move with this loss in discs relative to the best move, at a randomness above 0
    percent.
    """
    return math.exp(-loss / (SPREAD * randomness / 100))
