"""The files in a file: itself, what is compressed in it, or the members of a ZIP archive; their text in any encoding.

Old files do not say their encoding. It matters for names; in Japanese files for moves too, because half a character may
look like a letter or a bracket.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import BinaryIO, Final, Protocol, cast

from othello_bot.base.errors import FormatError
from othello_bot.base.files import name_inside, read_at_most
from othello_bot.formats.record import LARGEST_FILE_BYTES

STANDARD_INPUT: Final = "-"
"""The name that stands for standard input."""

LARGEST_ARCHIVE_BYTES: Final = 1 << 28
"""Size limit of an archive that arrives in a pipe: it has to be in memory."""

_MAGIC: Final = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\0", lzma.open))
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_NAMES_ENDINGS: Final = (".jou", ".trn")


class Readable(Protocol):
    """What can be read once, from its beginning to its end."""

    def read(self, size: int, /) -> bytes:
        """Return this many bytes; fewer only at the end."""


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it is read: its name without the ending of a compression, its bytes, and the files of names beside it.

    `beside` returns the names and the readers of the files with an ending.
    """

    name: str
    stream: Readable
    beside: Callable[[str], dict[str, Callable[[], bytes]]]


def contents_of_file(path: Path) -> Iterator[Content]:
    """Yield the files in a file, compressed or not, or in standard input; each is closed when the next is asked for.

    Raise OSError if it cannot be read, FormatError if it is damaged.
    """
    if str(path) == STANDARD_INPUT:
        yield from contents_of_stream(sys.stdin.buffer, "standard input")
        return
    if path.suffix.lower() in _NAMES_ENDINGS:
        raise FormatError("file of names", path.name, "a file with games; its names are read with the .wtb beside it")
    with open(path, "rb") as file:
        yield from contents_of_stream(file, path.name, path.parent)


def contents_of_stream(
    stream: BinaryIO, name: str = "", folder: Path | None = None, most_bytes: int | None = None
) -> Iterator[Content]:
    """Yield the files in an open file as contents_of_file() does; its files of names are in `folder`.

    At most `most_bytes` are unpacked.
    """
    file = io.BufferedReader(cast(io.RawIOBase, stream)) if not isinstance(stream, io.BufferedReader) else stream
    head = file.peek(8)[:8]
    if head.startswith(_ZIP):
        yield from _members(file, name, most_bytes)
        return
    for magic, opened in _MAGIC:
        if head.startswith(magic):
            with opened(file) as unpacked:
                limited = _Limited(cast(Readable, unpacked), name, most_bytes)
                yield Content(name_inside(Path(name)).name, limited, partial(files_beside, folder))
            return
    yield Content(name, file, partial(files_beside, folder))


class _Limited:
    """The unpacked content of a file, up to a number of bytes: a small file may hold a thousand times its size."""

    def __init__(self, stream: Readable, name: str, most_bytes: int | None) -> None:
        self._stream = stream
        self._name = name
        self._left = most_bytes

    def read(self, size: int) -> bytes:
        """Return the next bytes; raise FormatError if there are too many."""
        block = self._stream.read(size)
        if self._left is not None:
            self._left -= len(block)
            if self._left < 0:
                raise FormatError(
                    "compressed file", self._name, "less data in it; unpack it first, as it is too large to unpack here"
                )
        return block


@contextmanager
def damage_told(name: str) -> Iterator[None]:
    """Turn the errors that reading a damaged file raises into FormatError."""
    try:
        yield
    except (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error, zipfile.BadZipFile, NotImplementedError) as error:
        raise FormatError("compressed file", name, f"a complete one ({error})") from error
    except OSError as error:
        if error.errno is None:  # bz2 reports damage this way
            raise FormatError("compressed file", name, f"a complete one ({error})") from error
        raise
    except RuntimeError as error:
        if "password" in str(error):
            raise FormatError("archive", name, "one without a password") from error
        raise


def _members(file: io.BufferedReader, name: str, most_bytes: int | None) -> Iterator[Content]:
    """Yield the members of an archive, without folders and files of names; those beside a member are in its folder."""
    if not file.seekable():
        content = file.read(LARGEST_ARCHIVE_BYTES + 1)
        if len(content) > LARGEST_ARCHIVE_BYTES:
            raise FormatError("archive", name, f"at most {LARGEST_ARCHIVE_BYTES} bytes when it comes from a pipe")
        file = io.BufferedReader(cast(io.RawIOBase, io.BytesIO(content)))
    with zipfile.ZipFile(file) as archive:
        members = [PurePath(member) for member in archive.namelist() if not member.endswith("/")]
        for member in members:
            hidden = any(part.startswith((".", "__MACOSX")) for part in member.parts)
            if member.suffix.lower() not in _NAMES_ENDINGS and not hidden:
                with archive.open(str(member)) as stream:
                    limited = _Limited(cast(Readable, stream), name, most_bytes)
                    yield Content(member.name, limited, partial(_members_beside, archive, members, member.parent))


def _members_beside(
    archive: zipfile.ZipFile, members: list[PurePath], folder: PurePath, ending: str
) -> dict[str, Callable[[], bytes]]:
    """Return the readers of the members in a folder with an ending."""

    def read(member: PurePath) -> bytes:
        with archive.open(str(member)) as stream:
            return stream.read(LARGEST_FILE_BYTES)

    return {
        member.name: partial(read, member)
        for member in members
        if member.parent == folder and member.suffix.lower() == ending
    }


def files_beside(folder: Path | None, ending: str) -> dict[str, Callable[[], bytes]]:
    """Return the readers of the files in a folder with an ending."""
    try:
        beside = () if folder is None else folder.iterdir()
        others = [other for other in beside if other.suffix.lower() == ending and other.is_file()]
    except OSError:
        return {}
    return {other.name: partial(read_at_most, other, LARGEST_FILE_BYTES, "file of names") for other in others}


_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks. That of UTF-32 begins like one of UTF-16, so it comes first."""

_EXAMINED_BYTES: Final = 4096
_MARK: Final = "\ufeff"
_ESCAPED_JAPANESE: Final = re.compile(rb"\x1b\$[@B][\x21-\x7e]{2}")
_ESCAPED_RUN: Final = re.compile(rb"\x1b\$[@B](?:[\x21-\x7e]{2})+\x1b\([BJ]")
_NOT_ASCII: Final = re.compile("[^\0-\x7f]")
_JAPANESE: Final = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]{2,}")


def decoded(content: bytes) -> str:
    """Return the text of a file, or of a part of one, without byte order marks; undecodable bytes are replaced."""
    encoding = wide_encoding(content)
    text = _narrow(content.removeprefix(codecs.BOM_UTF8)) if encoding is None else content.decode(encoding, "replace")
    text = text.replace(_MARK, "")
    return text if "\n" in text else text.replace("\r", "\n")


def wide_encoding(content: bytes) -> str | None:
    """Return the encoding of a text whose bytes have a meaning only together: those of wide characters, and those behind
    the escape sequences of ISO-2022-JP; None for another text.
    """
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if encoding is not None:
        return encoding if encoding != "utf-8" else None
    if content.isascii() and _ESCAPED_JAPANESE.search(content) is not None:
        return "iso2022_jp_ext"
    head = content[:_EXAMINED_BYTES]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > len(head) // 4 and even * 8 < odd:
        return "utf-16-le"
    return "utf-16-be" if even > len(head) // 4 and odd * 8 < even else None


def _narrow(content: bytes) -> str:
    """Return a text in UTF-8, or else in the old encoding that makes the most sense; where other bytes stand in UTF-8,
    those of Latin-1, and between its escape sequences those of ISO-2022-JP.
    """
    content = _ESCAPED_RUN.sub(lambda run: run[0].decode("iso2022_jp_ext", "replace").encode(), content)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    if len(_NOT_ASCII.findall(text)) >= 3 * damaged:
        return content.decode("utf-8", _MIXED)
    for encoding in ("euc_jp", "cp932"):
        try:
            old = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if 5 * sum(map(len, _JAPANESE.findall(old))) >= 4 * len(_NOT_ASCII.findall(old)):
            return old
    if len(_NOT_ASCII.findall(text)) > damaged:
        return content.decode("utf-8", _MIXED)
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _other_byte(error: UnicodeError) -> tuple[str, int]:
    """Return the letter that a byte means in Latin-1 within a text in UTF-8, or the sign of a damaged one.

    Half a character of UTF-8 begins with a byte that would be a capital letter behind a small one, or is longer.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    data, place = error.object, error.start
    letter = data[place : error.end].decode("cp1252", "replace")
    before = data[place - 1 : place].decode("cp1252", "replace")
    is_half = len(letter) > 1 or (letter.isupper() and before.islower())
    return "\ufffd" if is_half else letter, error.end


_MIXED: Final = "othello_bot.mixed"
codecs.register_error(_MIXED, _other_byte)


class Transcoded:
    """A stream in another encoding, converted to UTF-8."""

    def __init__(self, head: bytes, stream: Readable, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = self._decoder.decode(head).encode()
        self._at_end = False

    def read(self, size: int) -> bytes:
        """Return this many bytes; fewer only at the end."""
        while len(self._ready) < size and not self._at_end:
            block = self._stream.read(size)
            self._at_end = not block
            self._ready += self._decoder.decode(block, self._at_end).encode()
        block, self._ready = self._ready[:size], self._ready[size:]
        return block
