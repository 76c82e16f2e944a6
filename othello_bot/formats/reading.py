"""All games of a file of any format, one after the other, each with its place and, if it cannot be read, its error."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from othello_bot.errors import InputError
from othello_bot.files import as_path
from othello_bot.formats.found import FoundGame
from othello_bot.formats.pieces import Piece, pieces_of_bytes, pieces_of_file


def games_of_file(path: str | os.PathLike[str]) -> Iterator[FoundGame]:
    """Yield the games of a file, readable or not; never more than a part of the file is in memory.

    The content tells the format: GGF, SGF, PGN, Othello Quest, OBF, transcripts or WTHOR (.wtb, with the names in the
    .jou and .trn beside it), in any usual encoding, compressed (gzip, bzip2, xz) or in a ZIP archive. "-" is standard
    input. Raise OSError if the file cannot be read, FormatError if it is damaged from its beginning, InputError at once
    if `path` is no path.
    """
    return _numbered(pieces_of_file(as_path(path)))


def games_of_content(content: bytes, name: str = "") -> Iterator[FoundGame]:
    """Yield the games of a file's content as games_of_file() does; the ending of `name` may tell a base."""
    if not isinstance(content, bytes):
        raise InputError("content", content, "the bytes of a file; games_of_file reads one")
    return _numbered(pieces_of_bytes(content, name))


def _numbered(pieces: Iterable[Piece]) -> Iterator[FoundGame]:
    """Yield the games of pieces, numbered through all of them."""
    count = 0
    for piece in pieces:
        before = count
        for found in piece.games():
            count += 1
            yield found.moved(before, 0, 0)
