"""How the engine uses opening books: which are open, which move is chosen, and what a lost game teaches.

The books have few replies to what people play, and a search always plays the same move. With variety, the first moves
outside the books are therefore drawn as well. The move's own search decides: it tests which other moves are nearly
equal, and the less a move loses, the likelier it is. What was not tested is not drawn, and a lead is never given away."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import Color
from othello_bot.book import (
    LARGEST_LOSS,
    STILL_WON,
    WON,
    Book,
    BookMove,
    Key,
    Library,
    Manner,
    allowed_loss,
    likelihood_of_loss,
    mark_of,
)
from othello_bot.engine.limits import MAXIMUM_SCORE
from othello_bot.engine.options import OptionError, Options
from othello_bot.engine.request import SearchResult
from othello_bot.engine.variety import CLOSE_DISCS, PROVEN_EMPTIES, VARIED_PLIES, VARIETIES, Variety
from othello_bot.rules import Game, Position

if TYPE_CHECKING:
    from othello_bot.book.store import Store


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

    def choose(self, position: Position, options: Options, rng: random.Random, given_away: int = 0) -> BookMove | None:
        """Return the book's move under these options; None if no move is good enough.

        `given_away`: the discs that variety has lost in this game.
        """
        variety = variety_of(options)
        manner = Manner(variety.randomness, variety.most_loss, options.book_depth, variety.left(given_away))
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


def variety_of(options: Options) -> Variety:
    """Return the variety of the options: that of the option's word, unless it is given in percent."""
    most_loss = LARGEST_LOSS if options.book_loss is None else options.book_loss
    if options.book_randomness is not None:
        return Variety(options.book_randomness, most_loss)
    named = VARIETIES[options.variety]
    return replace(named, most_loss=min(named.most_loss, most_loss))


def near(position: Position, variety: Variety, given_away: int) -> int | None:
    """Return the discs that a move outside the books may lose, to be tested after its search; None for no variety.

    Late in the game none: only moves that are proven to be equal are drawn.
    """
    if variety.randomness <= 0 or PROVEN_EMPTIES < position.empties <= 60 - VARIED_PLIES:
        return None
    if position.empties <= PROVEN_EMPTIES:
        return 0
    return int(min(allowed_loss(variety.randomness, variety.most_loss), variety.left(given_away)))


def drawn(found: SearchResult, variety: Variety, rng: random.Random) -> EvaluatedMove:
    """Return the line to play, drawn from the best one and those near it, which the search has tested.

    A large score that is not proven, or one late in the game, is not known well enough to draw another move.
    """
    best, others = found.best, found.near
    is_large = abs(best.discs) > CLOSE_DISCS
    least = best.discs if is_large else STILL_WON if best.discs >= WON else -MAXIMUM_SCORE
    is_late = found.position is not None and found.position.empties <= PROVEN_EMPTIES
    if not found.exact and (is_late or is_large):
        others = ()
    lines = [best, *(line for line in others if line.discs >= least)]
    lines.sort(key=lambda line: line.discs)
    (chosen,) = rng.choices(lines, [likelihood_of_loss(best.discs - line.discs, variety.randomness) for line in lines])
    return chosen
