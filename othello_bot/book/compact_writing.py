"""Writing a compact file; `compact.py` describes it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path

from othello_bot.base.files import whole_file
from othello_bot.book.compact import (
    BLOCK_POSITIONS,
    COUNT,
    DIRECTORY,
    HAS_LEAF,
    HEAD,
    HEADER,
    KEY,
    LONGEST_NAME,
    MAGIC,
    MOVE,
    VERSION,
)
from othello_bot.book.entry import Entry, Key


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
