"""Importing and exporting books: ours, as they grow and as they are played from, and those of other programs."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from othello_bot.base.files import read_at_most, write_whole
from othello_bot.book import BookError, CompactBook, Entry, Key, Store, open_book, write_compact
from othello_bot.book_growing import edax, egaroucid, wzebra
from othello_bot.book_growing.foreign import graph_of
from othello_bot.book_growing.graph import Graph
from othello_bot.book_growing.maintenance import merge, merged

LARGEST_FILE_BYTES: Final = 1 << 30

GZIP_MAGIC: Final = b"\x1f\x8b"

WRITERS: Final = {".dat": edax.write, ".egbk3": egaroucid.write}
"""The formats of other programs by the endings of their files."""


def import_book(store: Store, path: Path) -> int:
    """Add a book of another program, or one of ours, to a stored one; return the number of new positions.

    Raise BookError for a file that is no book or is damaged, OSError if it cannot be read, or the book not be written.
    """
    read = _reader_of(path)
    if read is None:
        with open_book(path) as book:
            return merge(store, [book])
    theirs = graph_of(read(_content(path)))
    graph = Graph.of(store)
    before = len(graph)
    for key, node in theirs.nodes.items():
        known = graph.nodes.get(key)
        graph.add(key, node.entry if known is None else merged(known.entry, node.entry))
    graph.save(store)
    return len(graph) - before


def _reader_of(path: Path) -> Callable[[bytes], Iterator[tuple[Key, Entry]]] | None:
    """Return what reads the books of the program that a file's beginning tells; None if that is this one, or unknown."""
    with open(path, "rb") as file:
        beginning = file.read(len(GZIP_MAGIC + egaroucid.MAGIC))
        length = file.seek(0, os.SEEK_END) if file.seekable() else 0
    if beginning.startswith(edax.MAGIC):
        return edax.read
    if beginning.startswith(egaroucid.MAGIC):
        return egaroucid.read
    if beginning.startswith(wzebra.BIN_MAGIC):
        expected = "the compressed book (book.cmp): book.bin does not hold its positions"
        raise BookError("WZebra book", path.name, expected)
    return wzebra.read if beginning.startswith(GZIP_MAGIC) or wzebra.is_book(beginning, length) else None


def _content(path: Path) -> bytes:
    """Return the content of a file, unpacked; raise BookError if it is damaged, FormatError if it is too large."""
    content = read_at_most(path, LARGEST_FILE_BYTES, "book file")
    if not content.startswith(GZIP_MAGIC):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            content = file.read(LARGEST_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BookError("book file", path.name, f"a whole gzip file ({error})") from None
    if len(content) > LARGEST_FILE_BYTES:
        raise BookError("book file", path.name, f"at most {LARGEST_FILE_BYTES} bytes when it is unpacked")
    return content


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
