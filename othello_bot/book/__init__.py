"""The opening book as it is read."""

from __future__ import annotations

from othello_bot.book.book import Book, BookMove, Row, default_rows
from othello_bot.book.learned_book import LearnedBook

__all__ = [
    "Book",
    "BookMove",
    "LearnedBook",
    "Row",
    "default_rows",
]
