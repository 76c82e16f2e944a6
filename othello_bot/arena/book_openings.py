"""Openings out of a book: the lines of its positions, each the one that loses least, whichever player loses."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from othello_bot.book import Book, Key, Manner, key_of, open_book
from othello_bot.rules import Position

Line = tuple[int, ...]

_Reached = dict[Key, tuple[int, Line, Position]]
"""The positions after so many plies, each with the discs that the line to it loses, and the line."""

_ANY: Final = random.Random(1)


def lines_of_book(path: Path, plies: int | None = None) -> list[Line]:
    """Return lines from the start of the game to the positions of a book where it has a move to play, the short first.

    `plies`: only lines of this length, passes included. Each position, images counted once, ends one line. Raise
    BookError for a file that is no book, OSError if it cannot be read.
    """
    with open_book(path) as source:
        book = Book([source])
        found: list[Line] = []
        reached: _Reached = {key_of(Position.start()): (0, (), Position.start())}
        while reached:
            for _, line, position in reached.values():
                if (plies is None or len(line) == plies) and _has_a_choice(book, position):
                    found.append(line)
            reached = _beyond(book, reached)
    return found


def _has_a_choice(book: Book, position: Position) -> bool:
    """Return whether the book chooses a move in a position where there is one."""
    return not position.must_pass and book.choose(position, Manner(), _ANY) is not None


def _beyond(book: Book, reached: _Reached) -> _Reached:
    """Return the positions of the book one ply later."""
    after: _Reached = {}
    for lost, line, position in reached.values():
        for known in book.lookup(position):
            child = position.play(known.move)
            key = key_of(child)
            ahead = (lost + known.loss, (*line, known.move))
            if (key not in after or ahead < after[key][:2]) and book.entry(child) is not None:
                after[key] = (*ahead, child)
    return after
