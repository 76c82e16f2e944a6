"""Files that are read or written whole: as they were, whatever happens while they are written, or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from othello_bot.errors import FormatError


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` at the end of the block, with the same permissions.

    Where the block or the disk fails `path` stays as it was. What is no regular file, a pipe or a device, is written
    directly; of a symbolic link the file that it leads to is replaced. Raises OSError, which names `path`.
    """
    try:
        place = path.resolve()
        mode = place.stat().st_mode if place.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            with open(place, "wb") as file:
                yield file
            return
        temporary = place.with_name(f".{place.name[:200]}.{os.getpid()}-{threading.get_ident()}")
        try:
            with open(temporary, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, place)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        if error.errno is None:
            raise
        # Whoever named the file knows nothing of the other one.
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file as whole_file() does, in a folder that is made where it is missing. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(data)


def read_at_most(path: Path, largest_bytes: int, what: str) -> bytes:
    """Return the content of a file.

    Raises OSError where it cannot be read, and FormatError, which calls it `what`, where it is larger; of such a file,
    which may have no end, no more than that is read.
    """
    with open(path, "rb") as file:
        content = file.read(largest_bytes + 1)
    if len(content) > largest_bytes:
        raise FormatError(what, str(path), f"at most {largest_bytes} bytes")
    return content
