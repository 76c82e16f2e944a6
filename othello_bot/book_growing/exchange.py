"""Importing and exporting books: ours, as they grow and as they are played from, and those of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from othello_bot.book import BookError, CompactBook, Store, open_book, write_compact
from othello_bot.book_growing import edax, egaroucid
from othello_bot.book_growing.foreign import graph_of
from othello_bot.book_growing.graph import Graph
from othello_bot.book_growing.maintenance import merge, merged
from othello_bot.files import read_at_most, write_whole

LARGEST_FILE_BYTES: Final = 1 << 30

WRITERS: Final = {".dat": edax.write, ".egbk3": egaroucid.write}
"""The formats of other programs by the endings of their files."""


def import_book(store: Store, path: Path) -> int:
    """Add a book of another program, or one of ours, to a stored one; return the number of new positions.

    Raise BookError for a file that is no book or is damaged, OSError if it cannot be read, or the book not be written.
    """
    with open(path, "rb") as file:
        beginning = file.read(len(egaroucid.MAGIC))
    if beginning.startswith(edax.MAGIC):
        read = edax.read
    elif beginning == egaroucid.MAGIC:
        read = egaroucid.read
    else:
        with open_book(path) as book:
            return merge(store, [book])
    theirs = graph_of(read(read_at_most(path, LARGEST_FILE_BYTES, "book file")))
    graph = Graph.of(store)
    before = len(graph)
    for key, node in theirs.nodes.items():
        known = graph.nodes.get(key)
        graph.add(key, node.entry if known is None else merged(known.entry, node.entry))
    graph.save(store)
    return len(graph) - before


def export_book(book: Store | CompactBook, path: Path) -> int:
    """Write a book in the format of a file's ending: `.dat` for Edax, `.egbk3` for Egaroucid, `.book` for playing.

    Return the number of positions. Raise BookError for another ending, or if the format lacks something that the book
    needs; OSError if the file cannot be written.
    """
    ending = path.suffix.lower()
    if ending == ".book":
        write_compact(path, book.entries(), book.names())
    elif ending in WRITERS:
        write_whole(path, WRITERS[ending](Graph(book.entries())))
    else:
        endings = ", ".join((".book", *WRITERS))
        raise BookError("file to export to", path.name, f"a name that ends in one of {endings}")
    return len(book)
