"""Tables of neighbouring stages as differences, which pack better, because neighbours resemble each other.

The first table stays, each other one is less the one before it, number by number, modulo 2**8 or 2**16. Of 16-bit
differences, to which 128 is added, all low bytes come first: then nearly all high bytes are 0.

The differences are undone with a few sums of large integers, in which every second number has the room of two, so that
no sum reaches its neighbour.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from operator import sub
from typing import Final

_BIAS: Final = 128


def of_bytes(tables: bytes | memoryview, count: int) -> bytes:
    """Return `count` tables of 8-bit numbers as differences. Raise ValueError if they have no common size."""
    size = _size(len(tables), count)
    before = bytes(size) + bytes(tables[:-size])
    return bytes(number & 0xFF for number in map(sub, bytes(tables), before))


def of_words(tables: bytes | memoryview, count: int) -> bytes:
    """Return `count` tables of 16-bit numbers, little-endian, as differences. Raise ValueError as of_bytes() does."""
    size = _size(len(tables) // 2, count)
    numbers = array("h", bytes(tables))
    before = array("h", bytes(2 * size)) + numbers[:-size]
    biased = [number + _BIAS for number in map(sub, numbers, before)]
    return bytes(number & 0xFF for number in biased) + bytes(number >> 8 & 0xFF for number in biased)


def to_bytes(differences: bytes | memoryview, count: int) -> Iterator[bytes]:
    """Undo of_bytes(); yield the tables, which may replace their differences at once. Raise ValueError as it does."""
    return _sums(differences, _size(len(differences), count), 1, 0)


def to_words(differences: bytes | memoryview, count: int) -> Iterator[bytes]:
    """Undo of_words(), as to_bytes() does."""
    words = bytearray(len(differences))
    words[::2], words[1::2] = differences[: len(words) // 2], differences[len(words) // 2 :]
    return _sums(words, 2 * _size(len(words) // 2, count), 2, -_BIAS)


def _size(numbers: int, count: int) -> int:
    size, rest = divmod(numbers, count)
    if rest or not size:
        raise ValueError(f"{numbers} numbers: expected {count} tables of one size")
    return size


def _sums(tables: bytes | bytearray | memoryview, size: int, width: int, added: int) -> Iterator[bytes]:
    """Yield the running sums of tables of `size` bytes and of numbers of `width`; `added` is added to each number."""
    pairs = -(-size // (2 * width))
    every_second = int.from_bytes((b"\xff" * width + bytes(width)) * pairs, "little")
    each_added = int.from_bytes(((added % (1 << 8 * width)).to_bytes(width, "little") + bytes(width)) * pairs, "little")
    even = odd = 0
    for begin in range(0, len(tables), size):
        table = int.from_bytes(tables[begin : begin + size], "little")
        even = even + (table & every_second) + each_added & every_second
        odd = odd + (table >> 8 * width & every_second) + each_added & every_second
        yield (even | odd << 8 * width).to_bytes(2 * width * pairs, "little")[:size]
