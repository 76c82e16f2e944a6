"""The shipped weights: compressed in the package, unpacked once into the cache folder, and mapped from there.

The package holds them as `evaluation.packed`: magic (8 bytes), the size of the weights file in bytes (u64,
little-endian), the beginning of that file (HEAD_BYTES, with the checksum of all the rest), and the file in .xz form.

The first start unpacks the file and keeps it under a name made from its checksum, so that no file of another version is
taken for it. Every start checks the whole file (0.5 ms) and replaces a damaged one. If the file cannot be kept, each
start unpacks it into memory.
"""

from __future__ import annotations

import contextlib
import functools
import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot import kernel
from othello_bot.base.errors import DamagedInstallation
from othello_bot.base.files import DATA_FOLDER, cache_folder, open_regular, write_whole
from othello_bot.base.output import report
from othello_bot.evaluation import weights
from othello_bot.evaluation.weights import WeightsError

MAGIC: Final = b"OBPACKED"
PACKED_FILE: Final = DATA_FOLDER / "evaluation.packed"

KEPT: Final = 3
"""Unpacked files that stay in the cache folder, for versions that are used in turn; older ones are removed."""

_SIZE: Final = struct.Struct("<8sQ")
_HEAD_SIZE: Final = _SIZE.size + weights.HEAD_BYTES


@dataclass(frozen=True, slots=True)
class _Head:
    """What a packed file tells without being unpacked: size and beginning of the weights file."""

    size_bytes: int
    beginning: bytes

    def fits(self, data: bytes | mmap.mmap) -> bool:
        """Return whether the content of a file has this size, this beginning, and the checksum that stands there."""
        beginning = data[: weights.HEAD_BYTES]
        return len(data) == self.size_bytes and beginning == self.beginning and weights.is_whole(data)


def pack(content: bytes) -> bytes:
    """Return the packed form of a weights file's content; this takes a minute. Raise WeightsError if it is damaged."""
    import lzma

    weights.from_bytes(content, "the weights to be packed")
    # No literal depends on the byte before it, because rows have no neighbours; tables alternate low and high bytes.
    dictionary_bytes = 1 << len(content).bit_length()
    settings = {"preset": 9 | lzma.PRESET_EXTREME, "dict_size": dictionary_bytes, "lc": 0, "lp": 1, "pb": 1}
    filters = [{"id": lzma.FILTER_LZMA2, **settings}]
    packed = lzma.compress(content, lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=filters)
    return _SIZE.pack(MAGIC, len(content)) + content[: weights.HEAD_BYTES] + packed


def unpack(packed: bytes, name: str) -> bytes:
    """Return the content of a weights file, checked. Raise WeightsError if the packed form is damaged."""
    head = _head(packed, name)
    try:
        import lzma  # here: later starts do without
    except ImportError as error:
        raise WeightsError(f"{name}: this Python was built without lzma, which unpacks it ({error})") from error
    try:
        content = lzma.decompress(packed[_HEAD_SIZE:], lzma.FORMAT_XZ)
    except (lzma.LZMAError, EOFError) as error:
        raise WeightsError(f"{name}: {error}; the file is damaged") from error
    if not head.fits(content):
        raise WeightsError(f"{name}: it is not what its beginning says; the file is damaged")
    weights.split(content, name, proven=True)
    return content


def unpacked() -> Path:
    """Return the file of the shipped weights in the cache folder; unpack it if it is not there or damaged.

    Raise OSError if it cannot be kept, DamagedInstallation if the packed file is missing or damaged.
    """
    head = _head_of_shipped()
    place = _place(head)
    if _mapped(place, head) is None:
        _keep(place, _unpack_shipped())
    return place


def content() -> bytes | mmap.mmap:
    """Return the content of the shipped weights: mapped, or in memory where the unpacked file cannot be kept.

    Raise DamagedInstallation if the packed file is missing or damaged.
    """
    head = _head_of_shipped()
    fresh = b""
    try:
        place = _place(head)
        data = _mapped(place, head)
        if data is None:
            fresh = _unpack_shipped()
            _keep(place, fresh)
            # Mapped again, because all engines of the machine share mapped pages.
            data = _mapped(place, head)
        return data or fresh
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        report(f"the evaluation is unpacked at each start, because it cannot be kept: {where}{error.strerror}")
        return fresh or _unpack_shipped()


@functools.cache
def shipped() -> kernel.Weights:
    """Return the shipped weights, loaded once a process.

    Raise DamagedInstallation if the packed file is missing, damaged, or not for this program.
    """
    data = content()
    with _intact():
        return weights.from_bytes(data, str(PACKED_FILE), proven=True)


def name() -> str:
    """Return what names the shipped weights: their checksum, 32 hexadecimal digits. Raise DamagedInstallation."""
    return weights.checksum_of(_head_of_shipped().beginning)


def _head(packed: bytes, name: str) -> _Head:
    if len(packed) < _HEAD_SIZE or not packed.startswith(MAGIC):
        raise WeightsError(f"{name}: not packed weights (they begin with {MAGIC.decode()})")
    _, size_bytes = _SIZE.unpack_from(packed)
    return _Head(size_bytes, packed[_SIZE.size : _HEAD_SIZE])


def _head_of_shipped() -> _Head:
    with _intact(), PACKED_FILE.open("rb") as file:
        return _head(file.read(_HEAD_SIZE), str(PACKED_FILE))


def _unpack_shipped() -> bytes:
    with _intact():
        return unpack(PACKED_FILE.read_bytes(), str(PACKED_FILE))


@contextlib.contextmanager
def _intact() -> Iterator[None]:
    """Turn errors of the packed file into DamagedInstallation."""
    try:
        yield
    except (OSError, WeightsError) as error:
        reason = f"{PACKED_FILE}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise DamagedInstallation(f"{reason}; install the program again") from error


def _place(head: _Head) -> Path:
    """Return where the unpacked file belongs. Raise OSError if there is no home folder."""
    return cache_folder() / "evaluation" / f"{weights.checksum_of(head.beginning)}.weights"


def _mapped(place: Path, head: _Head) -> mmap.mmap | None:
    """Return the unpacked file, mapped; None if it is not there, cannot be read, or is damaged."""
    try:
        with open_regular(place) as file:
            if os.fstat(file.fileno()).st_size != head.size_bytes:
                return None
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:
        return None
    return data if head.fits(data) else None


def _keep(place: Path, data: bytes) -> None:
    """Write the unpacked file in place of what is there, and remove those that are too many. Raise OSError."""
    # A damaged file is removed first: a new one would take over its permissions, or follow a link.
    place.unlink(missing_ok=True)
    write_whole(place, data)
    with contextlib.suppress(OSError):  # some disks have no permissions
        # A process that has the file mapped would be killed if somebody cut it off.
        place.chmod(0o444)
    # Whatever else lies there: files of other versions, and what a killed start was writing.
    others = [path for path in place.parent.iterdir() if path != place]
    for path in sorted(others, key=_modified_ns, reverse=True)[KEPT - 1 :]:
        with contextlib.suppress(OSError):  # a folder, or a file that another user put there
            path.unlink(missing_ok=True)


def _modified_ns(path: Path) -> int:
    """Return when a file was written, in nanoseconds; 0 if another start has just removed it."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
