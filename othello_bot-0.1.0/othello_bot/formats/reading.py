"""What files hold, for every command: games of any format, each with its place and, if it cannot be read, its error;
positions with what is known about them; and plain text.

The format is detected: GGF, SGF, XOF, PGN, Othello Quest, OBF, WTHOR or transcripts. A file of any length is cut where
games begin, and each piece is read on its own. So memory stays small, and the pieces can be read in several processes.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.files import as_path
from othello_bot.formats import wthor
from othello_bot.formats.contents import (
    Content,
    Readable,
    Transcoded,
    contents_of_file,
    contents_of_stream,
    damage_told,
    decoded,
    wide_encoding,
)
from othello_bot.formats.found import FoundGame
from othello_bot.formats.obf import Problem
from othello_bot.formats.record import GameRecord
from othello_bot.formats.table import FORMATS, TextReader


def _form_of(text: str) -> tuple[str, TextReader]:
    """Return the name and the reader of the format that the beginning of a text shows."""
    text = text.removeprefix("\ufeff")
    return next((form.name, form.read) for form in FORMATS if form.read and form.read.beginning.match(text))


def found_games(text: str) -> Iterator[FoundGame]:
    """Yield the games of a text, readable or not, in the format that its beginning shows.

    Any other text is read as transcripts, where # and % begin a comment.
    """
    return _form_of(text)[1].games(text)


def read_games(text: str) -> Iterator[GameRecord]:
    """Yield the games of a text as found_games() does; raise FormatError at the first that cannot be read."""
    return (found.checked() for found in found_games(text))


PIECE_BYTES: Final = 1 << 20
"""Size from which on a file is cut."""

LARGEST_PIECE_BYTES: Final = 1 << 25
"""Size limit of a piece, in which at least one game must begin."""

LARGEST_UNPACKED_BYTES: Final = 1 << 26
"""Size limit of the unpacked content that others sent."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text file: its format, its text, and how many characters and lines are before it."""

    form: str
    text: str
    offset: int
    lines: int

    def games(self) -> Iterator[FoundGame]:
        """Yield the games, readable or not, numbered from 1."""
        reader = next(form.read for form in FORMATS if form.read and form.name == self.form)
        return (found.moved(0, self.offset, self.lines) for found in reader.games(self.text))


@dataclass(frozen=True, slots=True)
class WthorPiece:
    """Some games of a WTHOR file, with the names that they need; `error` says what is wrong with the file behind them."""

    header: wthor.Header
    data: bytes
    first: int
    players: Sequence[str]
    tournaments: Sequence[str]
    error: FormatError | None = None

    def games(self) -> Iterator[FoundGame]:
        """Yield the games, readable or not, numbered from 1."""
        count = 0
        for found in wthor.found_games(self.header, self.data, self.first, self.players, self.tournaments):
            count += 1
            yield found.moved(-self.first, 0, 0)
        if self.error is not None:
            yield FoundGame(count + 1, self.error.place, error=self.error)


FilePiece = TextPiece | WthorPiece

NO_GAME: Final = "no game: the file is empty or has only comments"
"""What to say of a file whose pieces hold no game, readable or not."""


def pieces_of_file(path: Path) -> Iterator[FilePiece]:
    """Yield the pieces of a game file of any format, also compressed or in an archive; "-" is standard input.

    Raise OSError if the file cannot be read, FormatError if it holds no games at all.
    """
    with damage_told(path.name):
        for content in contents_of_file(path):
            yield from _pieces(content)


def pieces_of_bytes(content: bytes, name: str = "") -> Iterator[FilePiece]:
    """Yield the pieces of a file's content; its `name` may tell a WTHOR base. Limit how much is unpacked."""
    with damage_told(name):
        for part in contents_of_stream(io.BytesIO(content), name, most_bytes=LARGEST_UNPACKED_BYTES):
            yield from _pieces(part)


def _pieces(content: Content) -> Iterator[FilePiece]:
    """Yield the pieces of one file."""
    head = content.stream.read(PIECE_BYTES)
    if _is_wthor(head, content.name):
        players = names_beside(content.name, content.beside(".jou"), wthor.read_players)
        tournaments = names_beside(content.name, content.beside(".trn"), wthor.read_tournaments)
        yield from _wthor_pieces(content.stream, head, players, tournaments)
    else:
        yield from _text_pieces(content.stream, head)


def _is_wthor(head: bytes, name: str) -> bool:
    """Return whether a file is a WTHOR base, by its name's ending or by its header and size."""
    if PurePath(name).suffix.lower() == ".wtb":
        return True
    try:
        header = wthor.read_header(head)
    except FormatError:
        return False
    return b"\0" in head[:16] and wthor.size_error(header, len(head)) is None


def _wthor_pieces(
    stream: Readable, head: bytes, players: Sequence[str], tournaments: Sequence[str]
) -> Iterator[FilePiece]:
    """Yield the pieces of a WTHOR file. A file cut off in the middle gives its complete games, then an error."""
    header = wthor.read_header(head)
    size, step = wthor.HEADER.size, wthor.GAME.size
    # Small pieces, because the games of a base are small, and all processes should have some.
    piece_bytes = step * (PIECE_BYTES // (4 * step))
    data = head[size:]
    first, at_end = 0, len(head) < PIECE_BYTES
    while True:
        while not at_end and len(data) < piece_bytes + step:
            block = stream.read(PIECE_BYTES)
            at_end = not block
            data += block
        if len(data) <= piece_bytes:
            break
        yield WthorPiece(header, data[:piece_bytes], first, players, tournaments)
        first += piece_bytes // step
        data = data[piece_bytes:]
    error = wthor.size_error(header, size + first * step + len(data))
    yield WthorPiece(header, data, first, players, tournaments, error)


def _text_pieces(stream: Readable, head: bytes) -> Iterator[FilePiece]:
    """Yield the pieces of a text file."""
    encoding = wide_encoding(head)
    if encoding is not None:
        stream = Transcoded(head, stream, encoding)
        head = stream.read(PIECE_BYTES)
    buffer = head
    form, reader = _form_of(decoded(buffer))
    offset = lines = 0
    at_end = len(head) < PIECE_BYTES
    while not at_end or buffer:
        cut = len(buffer)
        if not at_end:
            # Latin-1 has a character for each byte, and games begin with ASCII characters.
            cut = reader.last_start(buffer.decode("latin-1"))
            if cut == 0 and len(buffer) < LARGEST_PIECE_BYTES:
                block = stream.read(max(PIECE_BYTES, len(buffer)))
                at_end = not block
                buffer += block
                continue
            cut = cut or len(buffer)
        text = decoded(buffer[:cut])
        yield TextPiece(form, text, offset, lines)
        offset += len(text)
        lines += text.count("\n")
        buffer = buffer[cut:]
        if not at_end:
            block = stream.read(PIECE_BYTES)
            at_end = not block
            buffer += block


def names_beside(name: str, others: Mapping[str, Callable[[], bytes]], read: Callable[[bytes], list[str]]) -> list[str]:
    """Return the names of a WTHOR base: those in the file that has its name, is called WTHOR, or is alone."""
    for stem in (PurePath(name).stem.lower(), "wthor"):
        others = {other: content for other, content in others.items() if PurePath(other).stem.lower() == stem} or others
    if len(others) != 1:
        return []
    try:
        return read(next(iter(others.values()))())
    except (OSError, InputError):
        return []  # the games are usable without names


def games_of_file(path: str | os.PathLike[str]) -> Iterator[FoundGame]:
    """Yield the games of a file, readable or not; never more than a part of the file is in memory.

    The content tells the format: GGF, SGF, PGN, Othello Quest, OBF, transcripts or WTHOR (.wtb, with the names in the
    .jou and .trn beside it), in any usual encoding, compressed (gzip, bzip2, xz) or in a ZIP archive. "-" is standard
    input. Raise OSError if the file cannot be read, FormatError if it is damaged from its beginning, InputError at once
    if `path` is not a path.
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


def _numbered(pieces: Iterable[FilePiece]) -> Iterator[FoundGame]:
    """Yield the games of pieces, numbered through all of them."""
    count = 0
    for piece in pieces:
        before = count
        for found in piece.games():
            count += 1
            yield found.moved(before, 0, 0)
