"""The opening book: reading it, and choosing its moves."""

from __future__ import annotations

from othello_bot.book.book import Book, BookMove, Row, allowed_loss, default_rows, likelihood_of_loss
from othello_bot.book.learned_book import LearnedBook

__all__ = [
    "Book",
    "BookMove",
    "LearnedBook",
    "Row",
    "allowed_loss",
    "default_rows",
    "likelihood_of_loss",
]
