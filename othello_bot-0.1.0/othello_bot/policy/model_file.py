"""The file of the fitted model, and the shipped one.

Magic (8 bytes), SHA-256 of the rest (32 bytes), and a zlib stream, little-endian: the numbers of kept rows, of vectors
and of boards (u32 each), the scales of vectors and shares (f32 each); the gaps between kept rows, and those between
boards (u32: first the lowest bytes of all, then the next ones); the vectors, and the shares, one column after the other
(i8); and the networks' numbers (f16).
"""

from __future__ import annotations

import functools
import itertools
import struct
import zlib
from array import array
from dataclasses import dataclass
from typing import Final

from othello_bot.base.errors import DamagedInstallation, InputError
from othello_bot.base.files import DATA_FOLDER
from othello_bot.kernel import PolicyModel, policy_sizes, spread_columns

MAGIC: Final = b"OBPEOPL2"
FILE: Final = DATA_FOLDER / "policy.packed"
LARGEST_BYTES: Final = 1 << 24
"""Bytes of the largest unpacked file that is read."""

_SUM_BYTES: Final = 32
_HEAD: Final = struct.Struct("<3I2f")
_SIZES: Final = policy_sizes()
_WIDTH, _SHARES, _NETWORKS = _SIZES["width"], _SIZES["shares"], _SIZES["networks"]


class PolicyError(InputError):
    """A file of a model that cannot be read."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What a model is made of: kept rows and boards, rising, two tables with their scales, and the networks.

    `vectors` and `shares` have a byte a number, one column after the other; `networks` holds 32-bit floats.
    """

    kept: array[int]
    boards: array[int]
    vectors: bytes
    shares: bytes
    vector_scale: float
    share_scale: float
    networks: array[float]

    def model(self) -> PolicyModel:
        """Return the model for the kernel."""
        return PolicyModel(
            self.kept,
            self.boards,
            spread_columns(self.vectors, _WIDTH, self.vector_scale),
            spread_columns(self.shares, _SHARES, self.share_scale),
            self.networks,
        )


def pack(tables: Tables) -> bytes:
    """Return the content of a file."""
    rows = len(tables.vectors) // _WIDTH
    head = _HEAD.pack(len(tables.kept), rows, len(tables.boards), tables.vector_scale, tables.share_scale)
    gaps = _planes(_gaps(tables.kept)) + _planes(_gaps(tables.boards))
    networks = struct.pack(f"<{len(tables.networks)}e", *tables.networks)
    content = head + gaps + tables.vectors + tables.shares + networks
    packing = zlib.compressobj(9, memLevel=9, strategy=zlib.Z_FILTERED)
    packed = packing.compress(content) + packing.flush()
    import hashlib  # imported here and below: OpenSSL takes three megabytes

    return MAGIC + hashlib.sha256(packed).digest() + packed


def unpack(data: bytes, name: str) -> Tables:
    """Return what a file holds; raise PolicyError if it is not a model's, or damaged."""
    import hashlib

    begin = len(MAGIC) + _SUM_BYTES
    if not data.startswith(MAGIC):
        raise PolicyError("policy", name, f"a file that begins with {MAGIC.decode()}")
    if hashlib.sha256(data[begin:]).digest() != data[len(MAGIC) : begin]:
        raise PolicyError("policy", name, "a whole file; this one is damaged")
    try:
        content = zlib.decompressobj().decompress(data[begin:], LARGEST_BYTES)
        return _tables(memoryview(content))
    except (zlib.error, struct.error, ValueError, OverflowError) as error:
        raise PolicyError("policy", name, f"a model of this version ({error})") from error


def _tables(content: memoryview) -> Tables:
    kept_count, rows, board_count, vector_scale, share_scale = _HEAD.unpack_from(content)
    share_rows = kept_count - (rows - 1) + 1 + board_count
    sizes = (4 * kept_count, 4 * board_count, rows * _WIDTH, share_rows * _SHARES, 2 * _NETWORKS)
    if rows < 1 or len(content) != _HEAD.size + sum(sizes):
        raise ValueError(f"{len(content)} bytes instead of {_HEAD.size + sum(sizes)}")
    ends = list(itertools.accumulate(sizes, initial=_HEAD.size))
    kept, boards, vectors, shares, networks = (content[a:b] for a, b in itertools.pairwise(ends))
    return Tables(
        array("i", itertools.accumulate(_from_planes(kept))),
        array("I", itertools.accumulate(_from_planes(boards))),
        bytes(vectors),
        bytes(shares),
        vector_scale,
        share_scale,
        array("f", struct.unpack(f"<{_NETWORKS}e", networks)),
    )


def _gaps(numbers: array[int]) -> array[int]:
    return array("I", (after - before for before, after in itertools.pairwise(itertools.chain([0], numbers))))


def _planes(numbers: array[int]) -> bytes:
    data = struct.pack(f"<{len(numbers)}I", *numbers)
    return b"".join(data[plane::4] for plane in range(4))


def _from_planes(data: memoryview) -> tuple[int, ...]:
    count = len(data) // 4
    whole = bytearray(len(data))
    for plane in range(4):
        whole[plane::4] = data[plane * count : (plane + 1) * count]
    return struct.unpack(f"<{count}I", whole)


def name() -> str:
    """Return what names the shipped model: the beginning of its checksum, 16 hexadecimal digits."""
    with FILE.open("rb") as file:
        return file.read(len(MAGIC) + 8)[len(MAGIC) :].hex()


@functools.cache
def shipped() -> PolicyModel:
    """Return the shipped model, loaded once a process. Raise DamagedInstallation if its file is missing or damaged."""
    try:
        return unpack(FILE.read_bytes(), str(FILE)).model()
    except OSError as error:
        raise DamagedInstallation(f"{FILE}: {error.strerror}; install the program again") from error
    except (PolicyError, ValueError) as error:
        raise DamagedInstallation(f"{error}; install the program again") from error
