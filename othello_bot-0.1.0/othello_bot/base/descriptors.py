"""Names of open descriptors: /dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N, and links to them.

Such a name may lead to a file. Whoever opened it decided where writing begins, and others may write there too: so it is
written through the descriptor, never replaced and never cut.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello_bot.base import posix

if TYPE_CHECKING:
    from typing_extensions import Buffer

_NO_NAME: Final = "not the name of a file to write; standard output is /dev/stdout"

_MOST_LINKS: Final = 40
"""Links that are followed, as many as Linux follows."""

_moved: dict[int, int] = {}
"""Where a descriptor that has another meaning by now was moved to, by its number."""

_OF_A_PROCESS: Final = re.compile(r"/proc/\d+(?:/task/\d+)?/fd", re.ASCII)


def moved(number: int) -> int:
    """Return a new descriptor for what `number` leads to; names of `number` mean it from now on, wherever that leads."""
    _moved[number] = os.dup(number)
    return _moved[number]


def is_descriptor(path: str | os.PathLike[str]) -> bool:
    """Return whether a path names an open descriptor, of this process or another one."""
    return _found(path) is not None


def is_own(path: str | os.PathLike[str]) -> bool:
    """Return whether a path names an open descriptor of this process."""
    found = _found(path)
    return found is not None and found[1] is not None


def status(path: str | os.PathLike[str]) -> os.stat_result:
    """Return what `os.stat` returns, of the descriptor that a path names or of its file. Raise OSError."""
    found = _found(path)
    return os.stat(path) if found is None or found[1] is None else os.fstat(found[1])


def opened(path: str, flags: int) -> int:
    """Return a new descriptor for writing; `open` takes this as its `opener`.

    It shares the place and the mode of the descriptor that the path names. The descriptor of another process and any
    other path are opened: the first for appending. What was printed before comes before what is written. Raise OSError.
    """
    found = _found(path)
    if found is None:
        return os.open(path, flags, 0o666)
    _flush_printed()
    place, number = found
    if number is None:
        return os.open(place, (flags & ~os.O_TRUNC) | os.O_APPEND)
    try:
        if stat.S_ISREG(os.fstat(number).st_mode):
            os.write(number, b"")  # raises OSError if it is open for reading only
        return os.dup(number)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


class PatientFile(io.FileIO):
    """A file whose writes wait where the descriptor says that they would block."""

    def write(self, data: Buffer, /) -> int:
        """Write some of the data; return how many bytes."""
        while (written := super().write(data)) is None:
            posix.wait_writable(self.fileno())
        return written


def _found(path: str | os.PathLike[str]) -> tuple[str, int | None] | None:
    """Return the name at which the links of a path end if that is a descriptor, and its number if it is our own."""
    place = os.fspath(path)
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(place)
        if name.isascii() and name.isdecimal():
            real = os.path.realpath(folder)
            if real in _own_folders():
                return place, _moved.get(int(name), int(name))
            if _OF_A_PROCESS.fullmatch(real):
                return place, None
        try:
            place = os.path.join(folder, os.readlink(place))
        except (OSError, ValueError):
            return None
    return None


def _own_folders() -> set[str]:
    """Return the folders with the descriptors of this process, of which its threads have their own names."""
    own = {os.path.realpath(place) for place in ("/dev/fd", "/proc/self/fd")}
    with contextlib.suppress(OSError):
        own |= {os.path.realpath(f"/proc/self/task/{thread}/fd") for thread in os.listdir("/proc/self/task")}
    return own


def _flush_printed() -> None:
    """Write what was printed and is still buffered."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def refuse_dash(path: str | os.PathLike[str]) -> None:
    """Raise OSError for "-", which many programs, and the readers of games, take for a standard stream."""
    if os.fspath(path) == "-":
        raise OSError(errno.EINVAL, _NO_NAME, "-")


def refuse_for_database(path: str | os.PathLike[str]) -> None:
    """Raise OSError if a database cannot be kept at a path: "-", or the name of an open descriptor."""
    refuse_dash(path)
    if is_descriptor(path):
        raise OSError(errno.EINVAL, "not the name of a file in which a database can be kept", os.fspath(path))


def is_standard_output(path: Path) -> bool:
    """Return whether a path leads to where this process prints."""
    try:
        return is_special(path) and os.path.samestat(status(path), os.fstat(_moved.get(1, 1)))
    except OSError:
        return False


def is_special(path: Path) -> bool:
    """Return whether a path leads to a pipe, a device or a descriptor, which is written as it is."""
    try:
        mode = status(path).st_mode
    except OSError:
        return is_descriptor(path)
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or is_descriptor(path)
