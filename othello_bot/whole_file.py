"""Files that are there whole or as they were, whatever happens while they are written."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to be written that takes the place of `path` at the end of the block, with the same permissions.

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
