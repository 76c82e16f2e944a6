"""Whole files, the cache folder and the shipped data.

A file that is being written keeps its old content until the new one is complete. The endings .gz, .bz2 and .xz stand
for compressed files.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import importlib
import io
import itertools
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from othello_bot.base import descriptors, posix
from othello_bot.base.errors import FormatError, InputError

_NUMBERS: Final = itertools.count()

_PART_BYTES: Final = 1 << 20

_SPECIAL: Final = "not a file, but a pipe or a device"


def as_path(path: str | os.PathLike[str]) -> Path:
    """Return a path that a caller gave; raise InputError if it is not a path."""
    if not isinstance(path, str | os.PathLike):
        raise InputError("path", path, "a path, as str or Path")
    return Path(path)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` at the end of the block, with the same permissions.

    If the block or the disk fails, `path` is unchanged. A pipe or a device is written directly; a symbolic link stays,
    and its target is replaced. A name of an open descriptor, such as /dev/stdout, is written through it; if that is a
    file, what stands there stays, and the new content is added when the block has ended. Remove what killed processes
    left in the folder. Raise OSError, which names `path`; "-" is refused.
    """
    descriptors.refuse_dash(path)
    try:
        if descriptors.is_descriptor(path):
            with _through_descriptor(path) as file:
                yield file
            return
        mode = _mode_of(path)
        if mode is not None and not stat.S_ISREG(mode):
            with open(path, "wb") as file:
                yield file
            return
        place = path.resolve()
        _remove_left_behind(place.parent)
        # The name does not contain that of `path`, which may be as long as a name can be.
        temporary = place.with_name(f"{_beginning()}{os.getpid()}-{next(_NUMBERS)}")
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
        # The caller knows only `path`, not the temporary file.
        raise OSError(error.errno, error.strerror, str(path)) from error


@contextlib.contextmanager
def _through_descriptor(path: Path) -> Iterator[BinaryIO]:
    """Open what is written through an open descriptor at the end of the block, or at once where that is no file."""
    with open_passed(path) as through:
        if not stat.S_ISREG(os.fstat(through.fileno()).st_mode):
            yield through
            return
        import shutil  # imported here, as is tempfile: a session starts without them
        import tempfile

        # Apart from what stands there: some writers seek in their own file, and half a file is none.
        with tempfile.TemporaryFile() as file:
            yield file
            file.seek(0)
            shutil.copyfileobj(file, through)


def open_passed(path: Path) -> BinaryIO:
    """Open an open descriptor again by its name, for writing through it. Raise OSError."""
    return io.BufferedWriter(descriptors.PatientFile(os.fspath(path), "w", opener=descriptors.opened))


def open_to_append(path: Path) -> BinaryIO:
    """Open a file for writing at its end, and for reading; unbuffered. Raise OSError; "-" is refused.

    The name of an open descriptor is written through it.
    """
    descriptors.refuse_dash(path)
    if descriptors.is_descriptor(path):
        return descriptors.PatientFile(os.fspath(path), "w", opener=descriptors.opened)
    return open(path, "ab+", buffering=0)


def sync(file: BinaryIO) -> None:
    """Wait until the disk has a file, if it is one. Raise OSError."""
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        os.fsync(file.fileno())


@functools.cache
def _beginning() -> str:
    """Return how the names of temporary files of this host begin; the process and a number follow."""
    import platform  # imported here, as is zlib: a session starts without them
    import zlib

    return f".othello-bot-{zlib.crc32(platform.node().encode()):08x}-"


def _mode_of(path: Path) -> int | None:
    """Return the mode of the file at a path, None if there is none; raise OSError if it cannot be found out."""
    try:
        return descriptors.status(path).st_mode
    except FileNotFoundError:
        return None


def _remove_left_behind(folder: Path) -> None:
    """Remove the temporary files of processes of this host that have ended."""
    temporary = re.compile(re.escape(_beginning()) + r"([0-9]{1,9})-[0-9]+")
    with contextlib.suppress(OSError, posix.NotPosix):  # a folder that cannot be listed may still be written
        for name in os.listdir(folder):
            match = temporary.fullmatch(name)
            if match is not None and not posix.exists(int(match[1])):
                (folder / name).unlink(missing_ok=True)


def refuse_special(path: Path) -> None:
    """Raise OSError if a path leads to a pipe or a device, which may block a reader or writer, or never end."""
    mode = _mode_of(path)
    if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, _SPECIAL, str(path))


def write_whole(path: Path, data: bytes | bytearray) -> None:
    """Write a file as whole_file() does; create its folder if it is missing. Raise OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(data)


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading. Raise OSError, also for anything but a file: a pipe or a device may block or never end."""
    file = open(path, "rb", opener=posix.open_unblocked)  # noqa: SIM115 - returned
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, _SPECIAL, str(path))
    return file


def read_regular(path: Path, most_bytes: int) -> bytes:
    """Return the beginning of a file, at most this many bytes. Raise OSError as open_regular() does."""
    with open_regular(path) as file:
        content: bytes | None = file.read(most_bytes)
    if content is None:  # a system file without content yet
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN), str(path))
    return content


def read_at_most(path: Path, largest_bytes: int, what: str) -> bytes:
    """Return the content of a file.

    Raise OSError if it cannot be read, and FormatError, which calls it `what`, if it is larger than the limit. Never
    read more than the limit, because the file may be endless.
    """
    content = bytearray()
    with open(path, "rb") as file:
        # In parts: one read would reserve memory for the limit.
        while len(content) <= largest_bytes and (part := file.read(min(_PART_BYTES, largest_bytes + 1))):
            content += part
    if len(content) > largest_bytes:
        raise FormatError(what, str(path), f"at most {largest_bytes} bytes")
    return bytes(content)


_MODULES: Final = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
"""The modules that compress, imported when a file needs one."""


def opener_of(path: Path) -> Callable[..., Any] | None:
    """Return the function that opens a file compressed as its ending says; None for another ending."""
    module = _MODULES.get(path.suffix.lower())
    return None if module is None else importlib.import_module(module).open


def name_inside(path: Path) -> Path:
    """Return the path without the ending of its compression, which stands for the content."""
    return path.with_suffix("") if path.suffix.lower() in _MODULES else path


@contextlib.contextmanager
def packed(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """Yield a file that compresses into an open one as the ending of `path` says, or the open one itself."""
    opener = opener_of(path)
    if opener is None:
        yield file
    elif path.suffix.lower() == ".gz":
        import gzip

        # With a name of its own: the file's name would be that of a temporary one.
        with gzip.GzipFile(path.stem, "wb", fileobj=file) as packing:
            yield packing  # type: ignore[misc]
    else:
        with opener(file, "wb") as packing:
            yield packing


def cache_folder() -> Path:
    """Return othello-bot's folder below XDG_CACHE_HOME, or below ~/.cache if that is unset or not absolute.

    Raise OSError if the user has no home folder either.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return Path(base) / "othello-bot"
    try:
        return Path.home() / ".cache" / "othello-bot"
    except RuntimeError as error:
        raise FileNotFoundError(errno.ENOENT, "the user has no home folder") from error


DATA_FOLDER: Final = Path(__file__).resolve().parents[1] / "data"
"""The folder of the shipped evaluation, the named openings and the balanced openings."""
