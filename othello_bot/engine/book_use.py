"""How the engine uses opening books: which are open, which move is chosen, and what a lost game teaches.

The books have few replies to what people play, and a search always plays the same move. If `book_randomness` is above
0, the first moves outside the books are therefore drawn as well, from those that a quick search finds nearly equal: the
less a move loses, the likelier it is."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from othello_bot.base.notation import Color
from othello_bot.book import Book, BookMove, Key, Library, Manner, Store, allowed_loss, likelihood_of_loss, mark_of
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import OptionError, Options
from othello_bot.engine.searcher import SearchResult
from othello_bot.rules import Game, Position


class BookUse:
    """The books of the option `book_file`, or a given one, and the moves chosen from them.

    Raises OptionError for a file that is not a book, or cannot be opened.
    """

    def __init__(self, paths: str | None, book: Book | None = None) -> None:
        self._given = book
        self._library = None if book is not None and paths is None else _opened(paths)
        self._chosen: set[tuple[Key, int]] = set()
        self._avoided: set[tuple[Key, int]] = set()

    @property
    def book(self) -> Book:
        """The opening book."""
        if self._library is not None:
            return self._library.book
        assert self._given is not None
        return self._given

    def choose(self, position: Position, options: Options, rng: random.Random) -> BookMove | None:
        """Return the book's move under these options; None if no move is good enough."""
        manner = Manner(options.book_randomness, options.book_loss, options.book_depth)
        avoided = self._avoided if options.book_avoid else ()
        chosen = self.book.choose(position, manner, rng, avoided)
        if chosen is not None:
            self._chosen.add(mark_of(position, chosen.move))
        return chosen

    def note_game(self, game: Game) -> None:
        """Learn from a finished game: after a loss, avoid the last move that was chosen here.

        If that move is avoided already, because its position has no other, avoid the choice before it.
        """
        if not self._chosen or not game.is_over:
            return
        black_score = game.position.black_score()
        for ply in range(game.ply - 1, -1, -1):
            before = game.position_at(ply)
            mark = mark_of(before, game.moves[ply])
            lost = black_score < 0 if before.color is Color.BLACK else black_score > 0
            if lost and mark in self._chosen and mark not in self._avoided:
                self._avoided.add(mark)
                break
        self._chosen.clear()

    def learning(self) -> Store:
        """Return the book that learns: the first file that can be written, or one in memory.

        Raise OSError or BookError if a new file cannot be created.
        """
        if self._library is None:
            self._library = _opened(None)
        return self._library.learning()

    def close(self) -> None:
        """Close the files."""
        if self._library is not None:
            self._library.close()


def _opened(paths: str | None) -> Library:
    try:
        return Library(paths)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        expected = f"book files, or the name of a new one ({reason})"
        raise OptionError("option book_file", paths, expected) from None


VARIED_PLIES: Final = 14
"""Plies of a game in which moves are varied; later, a disc given away is lost."""

COMPARED_DEPTH: Final = 8
"""Depth in plies of the comparison: a few milliseconds, with an error of about two discs this early."""

LEAD: Final = 4
"""Lead in discs above which the rest may be given away, so that play against weak moves varies too."""


def comparison(position: Position, limits: Limits, randomness: int) -> Limits | None:
    """Return the limits of the quick search that `drawn` needs, within those of the move; None if moves are not varied."""
    choices = position.legal_bits.bit_count()
    if randomness <= 0 or choices < 2 or position.empties <= 60 - VARIED_PLIES:
        return None
    return replace(limits, depth=min(limits.depth or COMPARED_DEPTH, COMPARED_DEPTH), multi_pv=choices)


def drawn(compared: SearchResult, randomness: int, most_loss: int, rng: random.Random) -> SearchResult | None:
    """Return the comparison with the drawn move put first; None if that is the best one, which deserves a full search."""
    best = compared.best
    # After an interrupted search the lines differ in depth, so their scores cannot be compared.
    losses = {line: max(0, min(best.discs, LEAD) - line.discs) for line in compared.lines if line.depth == best.depth}
    near = [line for line, loss in losses.items() if loss <= allowed_loss(randomness, most_loss)]
    (chosen,) = rng.choices(near, [likelihood_of_loss(losses[line], randomness) for line in near])
    if chosen is best:
        return None
    return replace(compared, lines=(chosen, *(line for line in compared.lines if line is not chosen)))
