"""BookError: what is wrong with a book."""

from __future__ import annotations

from othello_bot.errors import FormatError


class BookError(FormatError):
    """A file that is no book, or a damaged one; `place` is an offset in bytes, or 0."""
