"""Pieces of game files: a file of any length is cut where games begin, and each piece is read on its own.

So memory stays small, and the pieces of a file can be read in several processes.
"""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from othello_bot.errors import FormatError, InputError
from othello_bot.files import opener_of, read_at_most
from othello_bot.formats import detect, wthor
from othello_bot.formats.found import FoundGame
from othello_bot.formats.record import LARGEST_FILE_BYTES

PIECE_BYTES: Final = 1 << 20
"""Size from which on a file is cut."""

LARGEST_PIECE_BYTES: Final = 1 << 25
"""Size limit of a piece, in which at least one game must begin."""

_NAMES_ENDINGS: Final = (".jou", ".trn")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text file: its format, its text, and how many characters and lines are before it."""

    form: str
    text: str
    offset: int
    lines: int

    def games(self) -> Iterator[FoundGame]:
        """Yield the games, readable or not, numbered from 1."""
        form = next(form for form in detect.FORMS if form.name == self.form)
        return (found.moved(0, self.offset, self.lines) for found in form.games(self.text))


@dataclass(frozen=True, slots=True)
class WthorPiece:
    """Some games of a WTHOR file, with the names that they need; `error` says what is wrong with the file behind them.
    """

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


Piece = TextPiece | WthorPiece


def pieces_of_file(path: Path) -> Iterator[Piece]:
    """Yield the pieces of a game file of any format, also compressed (.gz, .bz2, .xz).

    Raise OSError if the file cannot be read, FormatError if it holds no games at all.
    """
    ending = path.suffix.lower()
    if ending in _NAMES_ENDINGS:
        raise FormatError("file of names", path.name, "a file with games; its names are read with the .wtb beside it")
    opener = opener_of(path)
    try:
        with open(path, "rb") if opener is None else opener(path) as stream:
            name = path.stem if opener is not None else path.name
            yield from pieces_of_stream(stream, name, path.parent)
    except (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error) as error:
        raise FormatError("compressed file", path.name, f"a complete {ending} file ({error})") from error


def pieces_of_stream(stream: BinaryIO, name: str = "", folder: Path | None = None) -> Iterator[Piece]:
    """Yield the pieces of an open file; its `name` tells a WTHOR base, whose names are looked for in `folder`."""
    head = stream.read(PIECE_BYTES)
    if _is_wthor(head, name):
        players = names_beside(name, folder, ".jou", wthor.read_players)
        tournaments = names_beside(name, folder, ".trn", wthor.read_tournaments)
        yield from _wthor_pieces(stream, head, players, tournaments)
    else:
        yield from _text_pieces(stream, head)


def _is_wthor(head: bytes, name: str) -> bool:
    """Return whether a file is a WTHOR base, by its name's ending or by its header and size."""
    if Path(name).suffix.lower() == ".wtb":
        return True
    try:
        header = wthor.read_header(head)
    except FormatError:
        return False
    return b"\0" in head[:16] and wthor.size_error(header, len(head)) is None


def _wthor_pieces(
    stream: BinaryIO, head: bytes, players: Sequence[str], tournaments: Sequence[str]
) -> Iterator[Piece]:
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


def _text_pieces(stream: BinaryIO, head: bytes) -> Iterator[Piece]:
    """Yield the pieces of a text file."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = (head + stream.read(LARGEST_PIECE_BYTES)).decode("utf-16", "replace").encode("utf-8", "replace")
        yield TextPiece(detect.form_of(_decoded(content)).name, _decoded(content), 0, 0)
        return
    buffer = head.removeprefix(b"\xef\xbb\xbf")
    form = detect.form_of(_decoded(buffer[:PIECE_BYTES]))
    offset = lines = 0
    at_end = len(head) < PIECE_BYTES
    while not at_end or buffer:
        cut = len(buffer)
        if not at_end:
            # Latin-1 has a character for each byte, and games begin with ASCII characters.
            cut = form.last_start(buffer.decode("latin-1"))
            if cut == 0 and len(buffer) < LARGEST_PIECE_BYTES:
                block = stream.read(max(PIECE_BYTES, len(buffer)))
                at_end = not block
                buffer += block
                continue
            cut = cut or len(buffer)
        text = _decoded(buffer[:cut])
        yield TextPiece(form.name, text, offset, lines)
        offset += len(text)
        lines += text.count("\n")
        buffer = buffer[cut:]
        if not at_end:
            block = stream.read(PIECE_BYTES)
            at_end = not block
            buffer += block


def names_beside(
    name: str, folder: Path | None, ending: str, read: Callable[[bytes], list[str]]
) -> list[str]:
    """Return the names of a WTHOR base: those in the file beside it that has its name, is called WTHOR, or is alone."""
    try:
        beside = () if folder is None else folder.iterdir()
        others = [other for other in beside if other.suffix.lower() == ending and other.is_file()]
    except OSError:
        return []
    for stem in (Path(name).stem.lower(), "wthor"):
        others = [other for other in others if other.stem.lower() == stem] or others
    if len(others) != 1:
        return []
    try:
        return read(read_at_most(others[0], LARGEST_FILE_BYTES, "file of names"))
    except (OSError, InputError):
        return []  # the games are usable without names


def _decoded(content: bytes) -> str:
    """Return a text: UTF-8, or else Latin-1 as in old files; the difference affects only names."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")
