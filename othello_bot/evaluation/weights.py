"""The file of learned weights: one versioned, checksummed binary that loads without parsing.

Layout, little-endian: magic (8 bytes), format version (u16), number of stages (u16), fingerprint of the patterns (u32),
checksum of everything behind it (two u64, see kernel/checksum.pyx); then weights of one stage (u32), rows of factors of
all phases together (u32; 0: no factors), the stage of each number of empties (61 bytes), its phase (61 bytes), the
signs of the factors (32 bytes, int8; 6 bytes of padding), the stages' weights (int16, 1/128 disc); if there are
factors, their shift (int16, 61 numbers of empties x 32), the scale of values (int16, 61 x 65) and their rows (int8 x
32), phase by phase; and zeros up to a whole block of the checksum. Entries and rows that mirrored states share are
stored once. The fields before the checksum need none: each has only one valid value.

The file is mapped into memory, not copied: it is read completely once for the checksum, and a stage is read again when
a search first needs it. To replace a file in use, put a new file in its place; never write into it. The shipped file is
stored compressed (`shipped_weights.py`).
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot import kernel
from othello_bot.base.files import open_regular
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


class WeightsError(ValueError):
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
        return kernel.weights_from_reduced(list(parts.stage_of_empties), tables, factors, proven)
    except (TypeError, ValueError) as error:  # only the kernel knows the number of weights in a stage
        raise WeightsError(f"{name}: {error}") from error


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
