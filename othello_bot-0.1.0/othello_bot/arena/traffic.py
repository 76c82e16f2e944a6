"""The record of a game's traffic: a compressed file that is complete after every line, so that a killed match leaves
readable files.
"""

from __future__ import annotations

import os
import struct
import threading
import time
import zlib
from pathlib import Path
from typing import Final

from othello_bot.arena.errors import ArenaError
from othello_bot.base.visible import visible
from othello_bot.protocol.process import OnLine

# Each write begins where the data of the last one ended, and brings a new end of the file as gzip demands it.

_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_LAST_BLOCK: Final = b"\x03\x00"
"""The end of deflated data after a flush: an empty block that is marked as the last one."""


class Traffic:
    """The record of one game. A context manager; thread-safe. A game that is played again is appended to the same file."""

    def __init__(self, path: Path, title: str) -> None:
        """Begin with a line; raise ArenaError if the file cannot be written."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
            self._place = os.lseek(self._file, 0, os.SEEK_END)
        except OSError as error:
            raise ArenaError(f"traffic of a game: {path}: {error.strerror or error}") from error
        self._path = path
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._deflate = zlib.compressobj(wbits=-15)
        self._check, self._size = 0, 0
        self._write(f"# {visible(title)}\n", _HEAD)

    def __enter__(self) -> Traffic:
        return self

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            os.close(self._file)
            self._file = -1

    def of(self, who: str) -> OnLine:
        """Return what receives the lines of an engine: seconds, who, the mark of the line, and the line."""

        def write(mark: str, line: str) -> None:
            self._write(f"{time.monotonic() - self._began:10.6f} {who} {mark} {visible(line)}".rstrip() + "\n")

        return write

    def _write(self, text: str, head: bytes = b"") -> None:
        data = text.encode("utf-8", "replace")
        with self._lock:
            if self._file < 0:
                return  # an engine speaks between its games
            packed = head + self._deflate.compress(data) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
            self._check = zlib.crc32(data, self._check)
            self._size += len(data)
            end = _LAST_BLOCK + struct.pack("<LL", self._check, self._size & 0xFFFFFFFF)
            try:
                os.lseek(self._file, self._place, os.SEEK_SET)
                os.write(self._file, packed + end)
            except OSError:
                # A full disk ends the record, not the game.
                os.close(self._file)
                self._file = -1
                return
            self._place += len(packed)
