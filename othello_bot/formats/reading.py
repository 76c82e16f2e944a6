"""What files hold, for every command: games of any format, each with its place and, if it cannot be read, its error;
positions with what is known about them; and plain text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.files import as_path
from othello_bot.formats.contents import contents_of_file, damage_told, decoded
from othello_bot.formats.found import FoundGame
from othello_bot.formats.obf import Problem
from othello_bot.formats.pieces import Piece, pieces_of_bytes, pieces_of_file
from othello_bot.formats.record import GameRecord


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


def first_game_of_content(content: bytes, name: str = "") -> GameRecord:
    """Return the first game of a file's content, or of its beginning; raise FormatError if it cannot be read."""
    for found in games_of_content(content, name):
        return found.checked()
    raise FormatError("game file", name, "a game")


def problems_of_file(path: Path) -> Iterator[Problem]:
    """Yield the last positions of the games of a file, with the scores that it tells; those of OBF are such games.

    Raise what games_of_file() raises, and FormatError at the first game that cannot be read.
    """
    for found in games_of_file(path):
        record = found.checked()
        yield Problem(record.game.position, record.scores, record.best_score)


def text_of_file(path: Path, largest_bytes: int) -> str:
    """Return the text of a file in any encoding, compressed or not; raise OSError, FormatError if it is too long."""
    with damage_told(path.name):
        for content in contents_of_file(path):
            text = content.stream.read(largest_bytes + 1)
            if len(text) > largest_bytes:
                raise FormatError("file", path.name, f"at most {largest_bytes} bytes")
            return decoded(text)
    return ""


def _numbered(pieces: Iterable[Piece]) -> Iterator[FoundGame]:
    """Yield the games of pieces, numbered through all of them."""
    count = 0
    for piece in pieces:
        before = count
        for found in piece.games():
            count += 1
            yield found.moved(before, 0, 0)
