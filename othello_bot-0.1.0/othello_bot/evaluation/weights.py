"""The file of learned weights: one versioned, checksummed binary that loads without parsing.

Layout, little-endian: magic (8 bytes), format version (u16), number of stages (u16), fingerprint of the patterns (u32),
checksum of everything behind it (two u64, see kernel/checksum.pxi); then weights of one stage (u32), rows of factors of
all phases together (u32; 0: no factors), the stage of each number of empties (61 bytes), its phase (61 bytes), the
signs of the factors (32 bytes, int8; 6 bytes of padding), the stages' weights (int16, 1/128 disc); if there are
factors, their shift (int16, 61 numbers of empties x 32), the scale of values (int16, 61 x 65) and their rows (int8 x
32), phase by phase; and zeros up to a whole block of the checksum. Entries and rows that mirrored states share are
stored once. The fields before the checksum are not covered: each has only one valid value.

The file is mapped into memory, not copied: it is read completely once for the checksum, and a stage is read again when
a search first needs it. To replace a file in use, put a new file in its place; never write into it.

The package holds the shipped file as `evaluation.packed`: magic (8 bytes), the size of the weights file in bytes (u64,
little-endian), the beginning of that file (HEAD_BYTES, with the checksum of all the rest), and the rest compressed by
zlib, with tables as differences (evaluation/differences.py).
The first start unpacks it and keeps it under a name made from its checksum, so that a file of another version is never
used instead. Every start checks the whole file (0.5 ms) and replaces a damaged one. If the file cannot be kept, each start
unpacks it into memory.

`move-order.zlib` holds a smaller function that orders moves in the endgame (Weights.set_move_order()), whatever weights
are used: what `othello-bot train fit-move-order` writes, compressed.
"""

from __future__ import annotations

import contextlib
import functools
import mmap
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot import kernel
from othello_bot.base import posix
from othello_bot.base.errors import DamagedInstallation, UserError
from othello_bot.base.files import DATA_FOLDER, cache_folder, open_regular, write_whole
from othello_bot.base.output import report
from othello_bot.evaluation import differences
from othello_bot.kernel import fletcher_checksum, patterns

MAGIC: Final = b"OBWEIGHT"
VERSION: Final = 6

_HEADER: Final = struct.Struct("<8sHHIQQ")
HEAD_BYTES: Final = _HEADER.size
"""Size of the beginning of a file, which contains the checksum of all that follows."""

_SHAPE: Final = struct.Struct("<II61s61s32s6x")

_BLOCK: Final = 64
"""Size in bytes of a block of the checksum."""

_SHIFT_BYTES: Final = 61 * patterns.CHANNELS * 2

SCALE_VALUES: Final = 65
"""Number of values on a scale: those of sums of 0, 1, ... 64 discs."""

_SCALE_BYTES: Final = 61 * SCALE_VALUES * 2


class WeightsError(UserError):
    """A file without usable weights; the message names the fault and what would be accepted."""


@dataclass(frozen=True)
class Factors:
    """Pairwise factors and output scale (see Weights.set_factors()), as bytes.

    `phase_of_empties`: 61 phase numbers; `rows`: int8, the shared rows of each phase, x 32; `shift`: int16, 61 x 32;
    `signs`: int8, 32; `scale`: int16, 61 x SCALE_VALUES.
    """

    phase_of_empties: bytes
    rows: bytes | memoryview
    shift: bytes | memoryview
    signs: bytes
    scale: bytes | memoryview


@dataclass(frozen=True)
class Parts:
    """The content of a file: 61 stage numbers, the stages' weights (int16), and the factors, if it has any."""

    stage_of_empties: bytes
    reduced: memoryview
    factors: Factors | None


def _padding(size: int) -> int:
    """Return the number of zeros behind `size` bytes of shape and weights."""
    return -size % _BLOCK


def to_bytes(stage_of_empties: Sequence[int], reduced: bytes | memoryview, factors: Factors | None = None) -> bytes:
    """Return the content of a file: 61 stage numbers, the stages' weights as int16, stage by stage, and the factors."""
    stages = max(stage_of_empties) + 1
    size = len(reduced) // 2 // stages
    rows = len(factors.rows) // patterns.CHANNELS if factors else 0
    phases, signs = (factors.phase_of_empties, factors.signs) if factors else (b"", b"")
    body = _SHAPE.pack(size, rows, bytes(stage_of_empties), phases, signs) + bytes(reduced)
    if factors:
        body += bytes(factors.shift) + bytes(factors.scale) + bytes(factors.rows)
    body += bytes(_padding(len(body)))
    checksum = fletcher_checksum(memoryview(body).cast("I"))
    return _HEADER.pack(MAGIC, VERSION, stages, patterns.FINGERPRINT, *checksum) + body


def checksum_of(data: bytes) -> str:
    """Return the checksum that stands at the beginning of a file, as 32 hexadecimal digits."""
    first, second = _HEADER.unpack_from(data)[-2:]
    return f"{first:016x}{second:016x}"


def is_whole(data: bytes | bytearray | mmap.mmap) -> bool:
    """Return whether the checksum at the beginning of a file is that of all the rest. Raise WeightsError if the content
    has no whole number of blocks.
    """
    *_, first, second = _HEADER.unpack_from(data)
    return fletcher_checksum(memoryview(data)[_HEADER.size :].cast("I")) == (first, second)


def split(data: bytes | bytearray | mmap.mmap, name: str = "weights", proven: bool = False) -> Parts:
    """Return the parts of a file's content; `proven`: the checksum is known to fit.

    Raise WeightsError if it is damaged or not a weights file.
    """
    if len(data) < _HEADER.size + _SHAPE.size or data[:8] != MAGIC:
        raise WeightsError(f"{name}: not a file of weights (it must begin with {MAGIC.decode()})")
    _, version, stages, fingerprint, *_ = _HEADER.unpack_from(data)
    if version != VERSION:
        raise WeightsError(f"{name}: format version {version}: this program reads version {VERSION}")
    if fingerprint != patterns.FINGERPRINT:
        raise WeightsError(f"{name}: made for patterns {fingerprint:08x}: this program has {patterns.FINGERPRINT:08x}")
    size, rows, stage_of_empties, phase_of_empties, signs = _SHAPE.unpack_from(data, _HEADER.size)
    tables_end = _SHAPE.size + 2 * stages * size
    shift_end = tables_end + (_SHIFT_BYTES if rows else 0)
    scale_end = shift_end + (_SCALE_BYTES if rows else 0)
    end = scale_end + patterns.CHANNELS * rows
    expected = _HEADER.size + end + _padding(end)
    if len(data) != expected:
        raise WeightsError(f"{name}: {len(data)} bytes: expected {expected}; the file is truncated or damaged")
    body = memoryview(data)[_HEADER.size :]
    if not proven and not is_whole(data):
        raise WeightsError(f"{name}: the checksum does not fit; the file is damaged")
    if max(stage_of_empties) + 1 != stages:
        raise WeightsError(f"{name}: stage numbers up to {max(stage_of_empties)}: expected {stages} stages")
    factors = None
    if rows:
        shift, scale = body[tables_end:shift_end], body[shift_end:scale_end]
        factors = Factors(phase_of_empties, body[scale_end:end], shift, signs, scale)
    return Parts(stage_of_empties, body[_SHAPE.size : tables_end], factors)


def from_bytes(data: bytes | bytearray | mmap.mmap, name: str = "weights", proven: bool = False) -> kernel.Weights:
    """Return the weights in a file's content in the form that a Searcher takes.

    `proven`: the content was checked before, so neither its checksum nor its rows are read. Raise WeightsError as
    split() does.
    """
    parts = split(data, name, proven)
    stages = max(parts.stage_of_empties) + 1
    try:
        tables = parts.reduced.cast("h", (stages, len(parts.reduced) // 2 // stages))
        factors = _kernel_factors(parts.factors)
        weights = kernel.weights_from_reduced(list(parts.stage_of_empties), tables, factors, proven)
    except (TypeError, ValueError) as error:  # only the kernel knows the number of weights in a stage
        raise WeightsError(f"{name}: {error}") from error
    with _intact(MOVE_ORDER_FILE):
        weights.set_move_order(move_order(MOVE_ORDER_FILE.read_bytes(), str(MOVE_ORDER_FILE)))
    return weights


def move_order(packed: bytes, name: str) -> memoryview:
    """Return the numbers of a file of the move order, as Weights.set_move_order() takes them.

    Raise WeightsError if it is damaged.
    """
    try:
        numbers = zlib.decompress(packed, bufsize=patterns.ORDER_SIZE)
    except zlib.error as error:
        raise WeightsError(f"{name}: {error}; the file is damaged") from error
    if len(numbers) != patterns.ORDER_SIZE:
        raise WeightsError(f"{name}: {len(numbers)} numbers: expected {patterns.ORDER_SIZE}")
    return memoryview(numbers).cast("b")


def _kernel_factors(factors: Factors | None) -> tuple[list[int] | memoryview, ...] | None:
    """Return the factors in the shapes that the kernel takes."""
    if factors is None:
        return None
    rows, shift, signs, scale = (
        memoryview(part).cast("B") for part in (factors.rows, factors.shift, factors.signs, factors.scale)
    )
    return (
        list(factors.phase_of_empties),
        rows.cast("b", (len(rows) // patterns.CHANNELS, patterns.CHANNELS)),
        shift.cast("h", (len(shift) // 2 // patterns.CHANNELS, patterns.CHANNELS)),
        signs.cast("b"),
        scale.cast("h", (len(scale) // 2 // SCALE_VALUES, SCALE_VALUES)),
    )


def load(path: Path) -> kernel.Weights:
    """Return the weights of a file.

    Raise WeightsError if it is damaged or not a weights file, OSError if it cannot be read.
    """
    with open_regular(path) as file:
        # An empty file cannot be mapped; from_bytes() says what is wrong with it.
        empty = os.fstat(file.fileno()).st_size == 0
        data = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return from_bytes(data, str(path))


MOVE_ORDER_FILE: Final = DATA_FOLDER / "move-order.zlib"
PACKED_MAGIC: Final = b"OBPACK02"
PACKED_FILE: Final = DATA_FOLDER / "evaluation.packed"

KEPT: Final = 3
"""Unpacked files that stay in the cache folder, for versions that are used in turn; older ones are removed."""

_SIZE: Final = struct.Struct("<8sQ")
_HEAD_SIZE: Final = _SIZE.size + HEAD_BYTES
_PIECE_BYTES: Final = 1 << 16
_MOST_PACKED: Final = 1032  # times that zlib can make something smaller


@dataclass(frozen=True, slots=True)
class _Head:
    """What a packed file tells without being unpacked: size and beginning of the weights file."""

    size_bytes: int
    beginning: bytes

    def fits(self, data: bytes | bytearray | mmap.mmap) -> bool:
        """Return whether the content of a file has this size, this beginning, and the checksum that stands there."""
        beginning = data[:HEAD_BYTES]
        return len(data) == self.size_bytes and beginning == self.beginning and is_whole(data)


def pack(content: bytes | bytearray) -> bytes:
    """Return the packed form of a weights file's content; this takes seconds. Raise WeightsError if it is damaged."""
    from_bytes(content, "the weights to be packed")
    changed = bytearray(content)
    _change(
        split(changed, proven=True),
        lambda words, count: [differences.of_words(words, count)],
        lambda numbers, count: [differences.of_bytes(numbers, count)],
    )
    packing = zlib.compressobj(9, memLevel=9, strategy=zlib.Z_RLE)
    packed = packing.compress(memoryview(changed)[HEAD_BYTES:]) + packing.flush()
    return _SIZE.pack(PACKED_MAGIC, len(content)) + content[:HEAD_BYTES] + packed


def unpack(packed: bytes, name: str) -> bytearray:
    """Return the content of a weights file, checked. Raise WeightsError if the packed form is damaged.

    It is made in place, because the memory of a browser's Python never shrinks.
    """
    head = _head(packed, name)
    if head.size_bytes > _MOST_PACKED * len(packed):
        raise WeightsError(f"{name}: {head.size_bytes} bytes in {len(packed)}; the file is damaged")
    try:
        content = bytearray(head.size_bytes)
        content[:HEAD_BYTES] = head.beginning
        _replace(memoryview(content)[HEAD_BYTES:], _unpacked(memoryview(packed)[_HEAD_SIZE:]))
        _change(split(content, name, proven=True), differences.to_words, differences.to_bytes)
    except (zlib.error, ValueError) as error:
        raise WeightsError(f"{name}: {error}; the file is damaged") from error
    if not head.fits(content):
        raise WeightsError(f"{name}: it is not what its beginning says; the file is damaged")
    return content


def _unpacked(packed: memoryview) -> Iterator[bytes]:
    """Yield the parts of what zlib has packed. Raise zlib.error."""
    unpacking = zlib.decompressobj()
    for begin in range(0, len(packed), _PIECE_BYTES):
        yield unpacking.decompress(packed[begin : begin + _PIECE_BYTES])
    if not unpacking.eof:
        raise zlib.error("it ends too early")


def _replace(target: memoryview, parts: Iterable[bytes]) -> None:
    """Write parts one behind the other. Raise ValueError if they are longer."""
    place = 0
    for part in parts:
        target[place : place + len(part)] = part
        place += len(part)


def _change(
    parts: Parts,
    words: Callable[[memoryview, int], Iterable[bytes]],
    numbers: Callable[[memoryview, int], Iterable[bytes]],
) -> None:
    """Change the tables in place: the weights stage by stage, the factors phase by phase."""
    _replace(parts.reduced, words(parts.reduced, max(parts.stage_of_empties) + 1))
    if parts.factors:
        rows = memoryview(parts.factors.rows)
        _replace(rows, numbers(rows, max(parts.factors.phase_of_empties) + 1))


def unpacked() -> Path:
    """Return the file of the shipped weights in the cache folder; unpack it if it is not there or damaged.

    Raise OSError if it cannot be kept, DamagedInstallation if the packed file is missing or damaged.
    """
    head = _head_of_shipped()
    place = _place(head)
    if _mapped(place, head) is None:
        _keep(place, _unpack_shipped())
    return place


def content() -> bytes | bytearray | mmap.mmap:
    """Return the content of the shipped weights: mapped, or in memory where the unpacked file cannot be kept.

    Raise DamagedInstallation if the packed file is missing or damaged.
    """
    if not posix.HAS_PROCESSES:  # in a browser, files are memory, and a mapped file is a copy
        return _unpack_shipped()
    head = _head_of_shipped()
    fresh = bytearray()
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
    data = _shipped_content()
    with _intact():
        return from_bytes(data, str(PACKED_FILE), proven=True)


_shipped_content = functools.cache(content)


def release_shipped() -> None:
    """Give back the memory of the file's pages, of which a search has made its own tables."""
    if _shipped_content.cache_info().currsize:
        _release(_shipped_content())


def name() -> str:
    """Return what names the shipped weights: their checksum, 32 hexadecimal digits. Raise DamagedInstallation."""
    return checksum_of(_head_of_shipped().beginning)


def _head(packed: bytes, name: str) -> _Head:
    if len(packed) < _HEAD_SIZE or not packed.startswith(PACKED_MAGIC):
        raise WeightsError(f"{name}: not packed weights (they begin with {PACKED_MAGIC.decode()})")
    _, size_bytes = _SIZE.unpack_from(packed)
    return _Head(size_bytes, packed[_SIZE.size : _HEAD_SIZE])


def _head_of_shipped() -> _Head:
    with _intact(), PACKED_FILE.open("rb") as file:
        return _head(file.read(_HEAD_SIZE), str(PACKED_FILE))


def _unpack_shipped() -> bytearray:
    with _intact():
        return unpack(PACKED_FILE.read_bytes(), str(PACKED_FILE))


@contextlib.contextmanager
def _intact(path: Path | None = None) -> Iterator[None]:
    """Turn errors of a shipped file, by default the packed one, into DamagedInstallation."""
    try:
        yield
    except (OSError, WeightsError) as error:
        reason = f"{path or PACKED_FILE}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise DamagedInstallation(f"{reason}; install the program again") from error


def _place(head: _Head) -> Path:
    """Return where the unpacked file belongs. Raise OSError if there is no home folder."""
    return cache_folder() / "evaluation" / f"{checksum_of(head.beginning)}.weights"


def _mapped(place: Path, head: _Head) -> mmap.mmap | None:
    """Return the unpacked file, mapped; None if it is not there, cannot be read, or is damaged."""
    try:
        with open_regular(place) as file:
            if os.fstat(file.fileno()).st_size != head.size_bytes:
                return None
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:
        return None
    if not head.fits(data):
        return None
    _release(data)
    return data


def _release(data: bytes | bytearray | mmap.mmap) -> None:
    """Give back the memory of what was read of a mapped file; the system maps it again when it is read again."""
    if isinstance(data, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        data.madvise(mmap.MADV_DONTNEED)


def _keep(place: Path, data: bytearray) -> None:
    """Write the unpacked file, replacing an older one, and remove surplus ones. Raise OSError."""
    # A damaged file is removed first: a new one would take over its permissions, or follow a link.
    place.unlink(missing_ok=True)
    write_whole(place, data)
    with contextlib.suppress(OSError):  # some disks have no permissions
        # Truncating the file would kill a process that has it mapped.
        place.chmod(0o444)
    # The other files there: those of other versions, and what a killed start was writing.
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
