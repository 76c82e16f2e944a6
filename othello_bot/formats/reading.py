"""All games of a file of any format, one after the other, each with its place and, if it cannot be read, its error."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from othello_bot.formats.found import FoundGame
from othello_bot.formats.pieces import Piece, pieces_of_file, pieces_of_stream


def games_of_file(path: Path) -> Iterator[FoundGame]:
    """Yield the games of a file, readable or not; never more than a part of the file is in memory.

    The content tells the format: GGF, SGF, PGN, Othello Quest, OBF, transcripts or WTHOR (.wtb, with the names in the
    .jou and .trn beside it), each possibly compressed (.gz, .bz2, .xz). Raise OSError if the file cannot be read,
    FormatError if it is damaged from its beginning.
    """
    return _numbered(pieces_of_file(path))


def games_of_content(content: bytes, name: str = "") -> Iterator[FoundGame]:
    """Yield the games of a file's content as games_of_file() does; the ending of `name` may tell a base."""
    return _numbered(pieces_of_stream(io.BytesIO(content), name))


def _numbered(pieces: Iterable[Piece]) -> Iterator[FoundGame]:
    """Yield the games of pieces, numbered through all of them."""
    count = 0
    for piece in pieces:
        before = count
        for found in piece.games():
            count += 1
            yield found.moved(before, 0, 0)
