"""The file of learned weights: one versioned, checksummed binary that loads without parsing.

Layout, little-endian: magic (8 bytes), format version (u16), number of stages (u16), fingerprint of the patterns
(u32), weights of one stage (u32), CRC-32 of everything behind the header (u32); then the stage of each number of
empties (61 bytes, 3 bytes of padding) and the stages' weights (int16, 1/128 disc), each entry shared by mirrored
states once.
"""

from __future__ import annotations

import functools
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from othello_bot import patterns
from othello_bot.kernel import evaluation

MAGIC: Final = b"OBWEIGHT"
VERSION: Final = 1
DEFAULT_FILE: Final = Path(__file__).parent / "data" / "evaluation.weights"

_HEADER: Final = struct.Struct("<8sHHIII")
_STAGES: Final = struct.Struct("<61s3x")


class WeightsError(ValueError):
    """A file that holds no usable weights; the message names what is wrong with it and what would be accepted."""


def to_bytes(stage_of_empties: Sequence[int], reduced: bytes) -> bytes:
    """Return the content of a file: 61 stage numbers and the stages' weights as int16, one stage behind the other."""
    stages = max(stage_of_empties) + 1
    size = len(reduced) // 2 // stages
    body = _STAGES.pack(bytes(stage_of_empties)) + reduced
    return _HEADER.pack(MAGIC, VERSION, stages, patterns.FINGERPRINT, size, zlib.crc32(body)) + body


def split(data: bytes, name: str = "weights") -> tuple[bytes, memoryview]:
    """Return (61 stage numbers, the stages' weights) of a file's content.

    Raise WeightsError for a damaged or foreign one.
    """
    if len(data) < _HEADER.size or data[:8] != MAGIC:
        raise WeightsError(f"{name}: not a file of weights (it must begin with {MAGIC.decode()})")
    _, version, stages, fingerprint, size, checksum = _HEADER.unpack_from(data)
    if version != VERSION:
        raise WeightsError(f"{name}: format version {version}: this program reads version {VERSION}")
    if fingerprint != patterns.FINGERPRINT:
        raise WeightsError(f"{name}: made for patterns {fingerprint:08x}: this program has {patterns.FINGERPRINT:08x}")
    expected = _HEADER.size + _STAGES.size + 2 * stages * size
    if len(data) != expected:
        raise WeightsError(f"{name}: {len(data)} bytes: expected {expected}; the file is truncated or damaged")
    body = memoryview(data)[_HEADER.size :]
    if zlib.crc32(body) != checksum:
        raise WeightsError(f"{name}: the checksum does not fit; the file is damaged")
    if max(body[:61]) + 1 != stages:
        raise WeightsError(f"{name}: stage numbers up to {max(body[:61])}: expected {stages} stages")
    return bytes(body[:61]), body[_STAGES.size :]


def from_bytes(data: bytes, name: str = "weights") -> evaluation.Weights:
    """Return the weights in a file's content, ready for a Searcher. Raise WeightsError as split() does."""
    stage_of_empties, reduced = split(data, name)
    stages = max(stage_of_empties) + 1
    try:
        tables = reduced.cast("h", (stages, len(reduced) // 2 // stages))
        return evaluation.weights_from_reduced(list(stage_of_empties), tables)
    except (TypeError, ValueError) as error:  # how many weights a stage must have, only the kernel knows
        raise WeightsError(f"{name}: {error}") from error


def load(path: Path = DEFAULT_FILE) -> evaluation.Weights:
    """Return the weights of a file.

    Raise WeightsError for a damaged or foreign one, OSError where it cannot be read.
    """
    return from_bytes(path.read_bytes(), str(path))


@functools.cache
def shipped() -> evaluation.Weights:
    """Return the weights that come with the program, loaded once a process."""
    return load()
