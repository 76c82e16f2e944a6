"""The text of files in any encoding: UTF-8, UTF-16 and UTF-32 with or without a byte order mark, and older ones.

Old files do not say their encoding. It matters for names; in Japanese files for moves too, because half a character may
look like a letter or a bracket.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from othello_bot.formats.contents import Readable

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
_NOT_ASCII: Final = re.compile("[^\0-\x7f]")
_JAPANESE: Final = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]{2,}")


def decoded(content: bytes) -> str:
    """Return the text of a file, or of a part of one, without byte order marks; what is no character is replaced."""
    encoding = wide_encoding(content)
    text = _narrow(content) if encoding is None else content.decode(encoding, "replace")
    text = text.replace(_MARK, "")
    return text if "\n" in text else text.replace("\r", "\n")


def wide_encoding(content: bytes) -> str | None:
    """Return the encoding of a text whose characters have two or four bytes at least; None for another text."""
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if encoding is not None:
        return encoding if encoding != "utf-8" else None
    head = content[:_EXAMINED_BYTES]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > len(head) // 4 and even * 8 < odd:
        return "utf-16-le"
    return "utf-16-be" if even > len(head) // 4 and odd * 8 < even else None


def _narrow(content: bytes) -> str:
    """Return a text in UTF-8, or else in the old encoding that makes most sense."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    if len(_NOT_ASCII.findall(text)) >= 3 * damaged:
        return text
    for encoding in ("euc_jp", "cp932"):
        try:
            old = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if 5 * sum(map(len, _JAPANESE.findall(old))) >= 4 * len(_NOT_ASCII.findall(old)):
            return old
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return content.decode("latin-1")


class Transcoded:
    """A stream of UTF-8 made of one in another encoding."""

    def __init__(self, head: bytes, stream: Readable, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = self._decoder.decode(head).encode()
        self._at_end = False

    def read(self, size: int) -> bytes:
        """Return so many bytes; fewer only at the end."""
        while len(self._ready) < size and not self._at_end:
            block = self._stream.read(size)
            self._at_end = not block
            self._ready += self._decoder.decode(block, self._at_end).encode()
        block, self._ready = self._ready[:size], self._ready[size:]
        return block
