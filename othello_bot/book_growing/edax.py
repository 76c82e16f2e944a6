"""Edax's book files, `.dat`: a header and one record a position, with links to positions of the book, and a leaf.

Not kept when reading: the bounds of the scores, which Edax estimates from the depths of its searches, and the date.
Written in their place: the score more or less MIDGAME_ERROR, within the proven bounds.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from othello_bot.book import BookError, Entry, Key, Scored, representative, stabilizer
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

MAGIC: Final = b"XADEKOOB"
VERSION: Final = 4
NO_MOVE: Final = 65
"""The move of a leaf that is none."""

MIDGAME_ERROR: Final = 2

_HEADER: Final = struct.Struct("<8sBB8s5ii")
_RECORD: Final = struct.Struct("<QQ4I3hBB")
_LINK: Final = struct.Struct("<bB")
_DATE: Final = bytes(8)
_MOST_COUNT: Final = (1 << 32) - 1


def read(data: bytes) -> Iterator[tuple[Key, Entry]]:
    """Yield the positions of a book with their entries; raise BookError where the data is no book of Edax."""
    count = count_in_header(data, "Edax", _HEADER, MAGIC, VERSION)
    at = _HEADER.size
    for number in range(max(0, count)):
        try:
            key, entry, at = _read_record(data, at)
        except struct.error:
            raise BookError("length of the Edax book", len(data), f"{count} positions, not {number}", at) from None
        yield key, entry
    if at != len(data):
        raise BookError("length of the Edax book", len(data), f"{at} bytes for its {count} positions", at)


def _read_record(data: bytes, at: int) -> tuple[Key, Entry, int]:
    """Return a position, its entry and the place after its record."""
    position = position_at(data, at)
    _, _, won, drawn, lost, _, score, _, _, count, level = _RECORD.unpack_from(data, at)
    checked_score(score, at)
    canonical, index = position.canonical()
    symmetries = stabilizer(canonical)
    at += _RECORD.size
    moves: dict[int, Scored] = {}
    for _ in range(count):
        value, move = _LINK.unpack_from(data, at)
        image = transform_square(checked_move(move, position, at), index)
        move = representative(image, symmetries)
        moves.setdefault(move, scored(move, checked_score(value, at), level, position.empties))
        at += _LINK.size
    value, move = _LINK.unpack_from(data, at)
    leaf = None
    if move != NO_MOVE:
        image = transform_square(checked_move(move, position, at), index)
        leaf = scored(representative(image, symmetries), checked_score(value, at), level, position.empties)
    known = tuple(moves[move] for move in sorted(moves))
    entry = Entry(score, level=level, won=won, drawn=drawn, lost=lost, moves=known, leaf=leaf)
    return (canonical.mover, canonical.opponent), entry, at + _LINK.size


def write(graph: Graph) -> bytes:
    """Return a book as Edax reads it. Raise BookError if a position lacks its leaf."""
    nodes = complete(graph)
    numbers = lines(graph)
    level = max((node.entry.level for node in nodes), default=0)
    deepest = max((60 - node.empties for node in nodes), default=0)
    written = [_HEADER.pack(MAGIC, VERSION, 4, _DATE, level, 61 - deepest, MIDGAME_ERROR, 1, 0, len(nodes))]
    for node in nodes:
        entry = node.entry
        links = [move for move in entry.moves if move.move in node.children]
        leaf = best_leaf(node)
        bounds = max(entry.lower, entry.score - MIDGAME_ERROR), min(entry.upper, entry.score + MIDGAME_ERROR)
        counts = (min(number, _MOST_COUNT) for number in (entry.won, entry.drawn, entry.lost, numbers[node.key]))
        written.append(_RECORD.pack(*node.key, *counts, entry.score, *bounds, len(links), entry.level))
        written += [_LINK.pack(link.score, link.move) for link in links]
        written.append(_LINK.pack(entry.score, NO_MOVE) if leaf is None else _LINK.pack(leaf.score, leaf.move))
    return b"".join(written)
