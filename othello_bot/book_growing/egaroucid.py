"""Egaroucid's book files, `.egbk3`: a header and 25 bytes a position: score, level, number of lines, and a leaf.

The format has no links and no numbers of games: any move that leads to a position of the book is a link, and what the
book learned from games is lost when it is written. Positions where the mover must pass are skipped, and added again
when a book is read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from othello_bot.base.notation import PASS
from othello_bot.book import BookError, Entry, Key, representative, stabilizer
from othello_bot.book_growing.foreign import (
    best_leaf,
    checked_move,
    checked_score,
    complete,
    count_in_header,
    lines,
    position_at,
    scored,
)
from othello_bot.book_growing.graph import Graph
from othello_bot.rules import transform_square

MAGIC: Final = b"DICUORAGE"
VERSION: Final = 3
NO_MOVE: Final = 65

_HEADER: Final = struct.Struct("<9sBi")
_RECORD: Final = struct.Struct("<QQbbIbbb")
_MOST_LINES: Final = (1 << 31) - 1


def read(data: bytes) -> Iterator[tuple[Key, Entry]]:
    """Yield the positions of a book with their entries; raise BookError where the data is no book of Egaroucid."""
    count = count_in_header(data, "Egaroucid", _HEADER, MAGIC, VERSION, ": export it anew in Egaroucid")
    if len(data) != _HEADER.size + max(0, count) * _RECORD.size:
        raise BookError("length of the Egaroucid book", len(data), f"that of its {count} positions", _HEADER.size)
    for at in range(_HEADER.size, len(data), _RECORD.size):
        yield _read_record(data, at)


def _read_record(data: bytes, at: int) -> tuple[Key, Entry]:
    position = position_at(data, at)
    _, _, score, level, _, leaf_score, leaf_move, leaf_level = _RECORD.unpack_from(data, at)
    checked_score(score, at)
    canonical, index = position.canonical()
    leaf = None
    if 0 <= leaf_move < PASS:
        image = transform_square(checked_move(leaf_move, position, at), index)
        move = representative(image, stabilizer(canonical))
        leaf = scored(move, checked_score(leaf_score, at), leaf_level, position.empties)
    return (canonical.mover, canonical.opponent), Entry(score, level=max(0, level), leaf=leaf)


def write(graph: Graph) -> bytes:
    """Return a book as Egaroucid reads it. Raise BookError if a position lacks its leaf."""
    nodes = [node for node in complete(graph) if PASS not in node.choices]
    numbers = lines(graph)
    written = [_HEADER.pack(MAGIC, VERSION, len(nodes))]
    for node in nodes:
        leaf = best_leaf(node)
        level = node.entry.level
        out = (node.entry.score, NO_MOVE, level) if leaf is None else (leaf.score, leaf.move, level)
        written.append(_RECORD.pack(*node.key, node.entry.score, level, min(numbers[node.key], _MOST_LINES), *out))
    return b"".join(written)
