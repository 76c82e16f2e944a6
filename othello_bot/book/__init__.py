"""The opening book: its files, what it says about a position, the choice of its moves, and the names of openings."""

from __future__ import annotations

from othello_bot.book.book import (
    LARGEST_LOSS,
    STILL_WON,
    WON,
    Book,
    BookMove,
    Manner,
    Source,
    allowed_loss,
    likelihood_of_loss,
    mark_of,
)
from othello_bot.book.compact import CompactBook
from othello_bot.book.compact import write as write_compact
from othello_bot.book.entry import (
    HIGHEST,
    LOWEST,
    PROVEN,
    BookError,
    BookHeld,
    Entry,
    Key,
    Scored,
    key_of,
    representative,
    stabilizer,
)
from othello_bot.book.opening import (
    SHIPPED,
    Library,
    copy,
    is_book,
    named_line,
    named_lines,
    names_of,
    open_book,
    positions_of,
    shipped_book,
    similar_name,
)
from othello_bot.book.store import Store

__all__ = [
    "Book",
    "BookError",
    "BookHeld",
    "BookMove",
    "CompactBook",
    "Entry",
    "HIGHEST",
    "Key",
    "LARGEST_LOSS",
    "LOWEST",
    "Library",
    "Manner",
    "PROVEN",
    "SHIPPED",
    "STILL_WON",
    "Scored",
    "Source",
    "Store",
    "WON",
    "allowed_loss",
    "copy",
    "is_book",
    "key_of",
    "likelihood_of_loss",
    "mark_of",
    "named_line",
    "named_lines",
    "names_of",
    "open_book",
    "positions_of",
    "representative",
    "shipped_book",
    "similar_name",
    "stabilizer",
    "write_compact",
]
