"""The compact file: a finished book for play, memory-mapped, checksummed and never changed.

All numbers are little-endian. The header (HEADER) is followed by the directory, the blocks and the names. A block
holds up to BLOCK_POSITIONS positions in the order of their keys: their number (u16), their keys (two u64 each, mover
and opponent), the offset of each record in the block (u16), and the records. A record is score, lower, upper (i8
each), level (u8), the number of moves (u8, plus 128 if a leaf follows them), the moves and the leaf (square u8, score
i8, depth u8, selectivity u8, games), and the games won, drawn and lost. Numbers of games are written seven bits a
byte, the lowest first, with bit 7 set in all but the last byte. The directory has for each block its first key, its
place, its length and its CRC-32. The names are key, length in bytes (u8) and UTF-8. Header, directory and names are
checked when the file is opened, a block when it is read.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from othello_bot.base.errors import counted
from othello_bot.base.files import whole_file
from othello_bot.base.notation import PASS
from othello_bot.book.entry import HIGHEST, LOWEST, BookError, Entry, Key, Scored

MAGIC: Final = b"OTHBOOK\x1a"
VERSION: Final = 1
BLOCK_POSITIONS: Final = 64
LONGEST_NAME: Final = 255
"""Bytes of a name."""

HEADER: Final = struct.Struct("<8sHHIIIQQQIII")
"""Magic, version, 0, positions, blocks, names, place of the blocks, place of the names, length of the file, CRC-32 of
the directory, of the names, and of the header before it.
"""

DIRECTORY: Final = struct.Struct("<QQQII")
KEY: Final = struct.Struct("<QQ")
COUNT: Final = struct.Struct("<H")
HEAD: Final = struct.Struct("<bbbBB")
MOVE: Final = struct.Struct("<BbBB")
HAS_LEAF: Final = 128


class _Header(NamedTuple):
    magic: bytes
    version: int
    zero: int
    positions: int
    blocks: int
    names: int
    blocks_at: int
    names_at: int
    length: int
    directory_sum: int
    names_sum: int
    header_sum: int


class CompactBook:
    """The book in a compact file. Use it as a context manager, or `close` it; an unused one closes itself.

    Raise BookError for a file that is not such a book, fails the checks at opening, or has a later version; OSError if
    it cannot be read.
    """

    writable: Final = False

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        with open(path, "rb") as file:
            try:
                self._data: mmap.mmap | bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError:
                raise BookError("book file", self.path, "a file that is not empty") from None
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    @classmethod
    def from_bytes(cls, data: bytes) -> CompactBook:
        """Return the book of a file's content; raise BookError."""
        book = cls.__new__(cls)
        book.path, book._data = "", data
        book._open()
        return book

    def _open(self) -> None:
        header = read_header(self._data)
        self._positions, self._blocks, self._header = header.positions, header.blocks, header
        if zlib.crc32(self._data[HEADER.size : header.blocks_at]) != header.directory_sum:
            raise BookError("directory of the book", self.path, "the checksum that its header has", HEADER.size)
        names = self._data[header.names_at :]
        if zlib.crc32(names) != header.names_sum:
            raise BookError("names of the book", self.path, "the checksum that its header has", header.names_at)
        self._names = dict(_read_names(names, header.names, header.names_at))
        self._checked = bytearray(header.blocks)
        self._first_keys = [
            (mover, opponent)
            for mover, opponent, *_ in DIRECTORY.iter_unpack(self._data[HEADER.size : header.blocks_at])
        ]

    def __enter__(self) -> CompactBook:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()

    def __len__(self) -> int:
        return self._positions

    def find(self, key: Key) -> Entry | None:
        """Return the entry of a position; None if the book does not have it. Raise BookError if its block is damaged."""
        data = self._data
        block = bisect_right(self._first_keys, key) - 1
        if block < 0:
            return None
        place, count = self._block(block)
        first, last = 0, count
        while first < last:
            middle = (first + last) // 2
            found = KEY.unpack_from(data, place + 2 + middle * 16)
            if found == key:
                return self._entry(place, count, middle)
            if found < key:
                first = middle + 1
            else:
                last = middle
        return None

    def entries(self) -> Iterator[tuple[Key, Entry]]:
        """Yield all positions with their entries, in the order of their keys. Raise BookError at a damaged block."""
        previous: Key = (-1, -1)
        for block in range(self._blocks):
            place, count = self._block(block)
            if count and self._first_keys[block] != KEY.unpack_from(self._data, place + 2):
                raise BookError("first key of a block", block, "that of the directory", place)
            for index in range(count):
                mover, opponent = KEY.unpack_from(self._data, place + 2 + index * 16)
                if (mover, opponent) <= previous:
                    raise BookError("keys of the book", f"{mover:#x}, {opponent:#x}", "ascending keys", place)
                previous = (mover, opponent)
                yield previous, self._entry(place, count, index)

    def name(self, key: Key) -> str | None:
        """Return the name of a position; None without one."""
        return self._names.get(key)

    def names(self) -> dict[Key, str]:
        """Return the names of all named positions."""
        return dict(self._names)

    def damage(self) -> list[str]:
        """Return what is wrong with the file: the first damaged block, or a wrong number of positions."""
        try:
            count = sum(1 for _ in self.entries())
        except BookError as error:
            return [str(error)]
        if count == self._positions:
            return []
        return [f"{counted(count, 'position')}: expected {self._positions} as the header says"]

    def _block(self, block: int) -> tuple[int, int]:
        """Return the place of a block and the number of its positions; the first time, check the block."""
        _, _, place, length, checksum = DIRECTORY.unpack_from(self._data, HEADER.size + block * DIRECTORY.size)
        if not self._checked[block]:
            inside = self._header.blocks_at <= place and place + length <= self._header.names_at and length >= 2
            if not inside or zlib.crc32(self._data[place : place + length]) != checksum:
                raise BookError("block of the book", block, "the checksum that the directory has", place)
            if 2 + COUNT.unpack_from(self._data, place)[0] * 18 > length:
                raise BookError("block of the book", block, "a block with all its keys", place)
            self._checked[block] = 1
        return place, COUNT.unpack_from(self._data, place)[0]

    def _entry(self, block: int, count: int, index: int) -> Entry:
        """Return the entry of a position of a block; raise BookError if it is damaged."""
        try:
            return self._read(block + COUNT.unpack_from(self._data, block + 2 + count * 16 + index * 2)[0])
        except (struct.error, IndexError):
            raise BookError("record of the book", index, "a whole record", block) from None

    def _read(self, at: int) -> Entry:
        data = self._data
        score, lower, upper, level, number = HEAD.unpack_from(data, at)
        at += HEAD.size
        moves = []
        for _ in range((number & ~HAS_LEAF) + (number >= HAS_LEAF)):
            move, value, depth, selectivity = MOVE.unpack_from(data, at)
            games, at = _read_count(data, at + MOVE.size)
            if move > PASS or not LOWEST <= value <= HIGHEST:
                raise BookError("move of the book", f"{move}, {value}", "a move 0 to 64, a score -64 to 64", at)
            moves.append(Scored(move, value, depth, selectivity, games))
        won, at = _read_count(data, at)
        drawn, at = _read_count(data, at)
        lost, at = _read_count(data, at)
        if not LOWEST <= lower <= score <= upper <= HIGHEST:
            raise BookError("score of the book", score, f"one between its bounds {lower} and {upper}", at)
        leaf = moves.pop() if number >= HAS_LEAF else None
        return Entry(score, lower, upper, level, won, drawn, lost, tuple(moves), leaf)


def read_header(data: mmap.mmap | bytes) -> _Header:
    """Return the header of a compact book; raise BookError."""
    if data[: len(MAGIC)] != MAGIC:
        raise BookError("book file", bytes(data[: len(MAGIC)]), f"one that begins with {MAGIC!r}")
    if len(data) < HEADER.size:
        raise BookError("length of the book", len(data), f"at least {HEADER.size} bytes")
    header = _Header(*HEADER.unpack_from(data, 0))
    if header.version != VERSION:
        raise BookError("version of the book", header.version, f"{VERSION}", 8)
    if zlib.crc32(data[: HEADER.size - 4]) != header.header_sum:
        raise BookError("header of the book", header.header_sum, "its checksum", HEADER.size - 4)
    if len(data) != header.length:
        raise BookError("length of the book", len(data), f"{header.length} bytes as its header says")
    if not HEADER.size + header.blocks * DIRECTORY.size == header.blocks_at <= header.names_at <= header.length:
        raise BookError("places in the book", (header.blocks_at, header.names_at), "places in their order", 24)
    return header


def _read_count(data: mmap.mmap | bytes, at: int) -> tuple[int, int]:
    """Return a number of games and the place after it."""
    number = shift = 0
    while (byte := data[at]) > 127:
        number |= (byte & 127) << shift
        shift += 7
        at += 1
        if shift > 56:
            raise BookError("number of games", hex(number), "at most nine bytes", at)
    return number | byte << shift, at + 1


def _read_names(data: bytes, count: int, place: int) -> Iterator[tuple[Key, str]]:
    at = 0
    for _ in range(count):
        try:
            key: Key = KEY.unpack_from(data, at)
            end = at + 17 + data[at + 16]
            name = data[at + 17 : end].decode("utf-8")
        except (struct.error, IndexError, UnicodeDecodeError):
            raise BookError("name of the book", at, "a key, a length and UTF-8", place + at) from None
        if end > len(data):
            raise BookError("name of the book", name, f"{end - at - 17} bytes", place + at)
        at = end
        yield key, name
    if at != len(data):
        raise BookError("names of the book", len(data) - at, "no bytes after the last name", place + at)


def write(path: Path, entries: Iterable[tuple[Key, Entry]], names: dict[Key, str]) -> int:
    """Write a compact book; the file is replaced as a whole. Return its length in bytes; raise OSError.

    The entries must be in the order of their keys.
    """
    content = to_bytes(entries, names)
    with whole_file(path) as file:
        file.write(content)
    return len(content)


def to_bytes(entries: Iterable[tuple[Key, Entry]], names: dict[Key, str]) -> bytes:
    """Return the content of a compact book; the entries must be in the order of their keys."""
    blocks: list[bytes] = []
    first_keys: list[Key] = []
    block: list[tuple[Key, bytes]] = []
    positions = 0

    def close_block() -> None:
        if block:
            first_keys.append(block[0][0])
            blocks.append(_block_bytes(block))
            block.clear()

    for key, entry in entries:
        block.append((key, _record(entry)))
        positions += 1
        if len(block) == BLOCK_POSITIONS:
            close_block()
    close_block()
    blocks_at = place = HEADER.size + len(blocks) * DIRECTORY.size
    directory = bytearray()
    for key, content in zip(first_keys, blocks, strict=True):
        directory += DIRECTORY.pack(*key, place, len(content), zlib.crc32(content))
        place += len(content)
    tail = b"".join(_name_bytes(key, name) for key, name in sorted(names.items()))
    sums = (zlib.crc32(directory), zlib.crc32(tail))
    header = HEADER.pack(
        *(MAGIC, VERSION, 0, positions, len(blocks), len(names), blocks_at, place, place + len(tail), *sums, 0)
    )[:-4]
    return b"".join((header, zlib.crc32(header).to_bytes(4, "little"), directory, *blocks, tail))


def _block_bytes(block: list[tuple[Key, bytes]]) -> bytes:
    at = 2 + 18 * len(block)
    offsets = bytearray()
    for _, record in block:
        offsets += COUNT.pack(at)
        at += len(record)
    keys = b"".join(KEY.pack(*key) for key, _ in block)
    return COUNT.pack(len(block)) + keys + offsets + b"".join(record for _, record in block)


def _record(entry: Entry) -> bytes:
    number = len(entry.moves) + (HAS_LEAF if entry.leaf is not None else 0)
    record = bytearray(HEAD.pack(entry.score, entry.lower, entry.upper, entry.level, number))
    for one in entry.moves if entry.leaf is None else (*entry.moves, entry.leaf):
        record += MOVE.pack(one.move, one.score, one.depth, one.selectivity) + _count(one.games)
    return bytes(record + _count(entry.won) + _count(entry.drawn) + _count(entry.lost))


def _count(number: int) -> bytes:
    """Return a number of games as records have it."""
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes((*written, number))


def _name_bytes(key: Key, name: str) -> bytes:
    text = name.encode()[:LONGEST_NAME].decode("utf-8", "ignore").encode()
    return KEY.pack(*key) + bytes((len(text),)) + text
