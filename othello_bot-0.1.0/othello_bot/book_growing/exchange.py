"""Importing and exporting books: ours, as they grow and as they are played from, and those of other programs.

Edax's book files, `.dat`, have a header and one record a position, with links to positions of the book, and a leaf.
Reading ignores the date and the bounds of the scores, which Edax estimates from the depths of its searches. Writing
makes bounds of the score plus or minus MIDGAME_ERROR, within the proven ones.

Egaroucid's book files, `.egbk3`, have a header and 25 bytes a position: score, level, number of lines, and a leaf, but
no links and no numbers of games: any move that leads to a position of the book is a link, and what the book learned
from games is lost when it is written. Positions where the mover must pass are skipped, and added again when a book is
read. wzebra.py reads the books of WZebra.
"""

from __future__ import annotations

import gzip
import io
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from othello_bot.base.files import read_at_most, write_whole
from othello_bot.base.notation import PASS
from othello_bot.book import (
    HIGHEST,
    LOWEST,
    BookError,
    CompactBook,
    Entry,
    Key,
    Scored,
    open_book,
    representative,
    stabilizer,
    write_compact,
)
from othello_bot.book.store import Store
from othello_bot.book_growing import wzebra
from othello_bot.book_growing.graph import Graph, GraphNode, scored
from othello_bot.book_growing.maintenance import merge, merged
from othello_bot.rules import Position, PositionError, transform_square


def count_in_header(
    data: bytes, program: str, header: struct.Struct, magic: bytes, version: int, advice: str = ""
) -> int:
    """Return the number of positions that a book's header states, its last field, after the magic word and the version.

    Raise BookError if the data is not a book of the program, or has another version; `advice` then says what helps.
    """
    if data[: len(magic)] != magic:
        raise BookError(f"{program} book", data[: len(magic)], f"a file that begins with {magic!r}")
    if len(data) < header.size:
        raise BookError(f"length of the {program} book", len(data), f"at least {header.size} bytes")
    _, found, *_, count = header.unpack_from(data)
    if found != version:
        raise BookError(f"version of the {program} book", found, f"{version}{advice}", len(magic))
    return int(count)


def position_at(data: bytes, at: int) -> Position:
    """Return the position whose bitboards begin at a place; raise BookError."""
    try:
        return Position(*struct.unpack_from("<QQ", data, at))
    except PositionError as error:
        raise BookError("position of the book", error.value, error.expected, at) from None


def checked_score(score: int, at: int) -> int:
    """Return a score that is possible; raise BookError for any other."""
    if not LOWEST <= score <= HIGHEST:
        raise BookError("score of the book", score, f"a number from {LOWEST} to {HIGHEST}", at)
    return score


def checked_move(move: int, position: Position, at: int) -> int:
    """Return a move that is legal; raise BookError for any other."""
    legal = move == PASS if position.must_pass else 0 <= move < 64 and position.legal_bits >> move & 1
    if not legal:
        raise BookError("move of the book", move, "a legal move", at)
    return move


def complete(graph: Graph) -> list[GraphNode]:
    """Return the positions in the order of their keys; raise BookError if one lacks its leaf.

    Other programs need the leaf wherever a move is not in the book.
    """
    nodes = sorted(graph.nodes.values(), key=lambda node: node.key)
    lacking = sum(node.pending and best_leaf(node) is None for node in nodes)
    if lacking:
        raise BookError("positions without a leaf", lacking, "none: `othello-bot book fix` searches them")
    return nodes


def best_leaf(node: GraphNode) -> Scored | None:
    """Return the best known move that leads out of the book; None without one."""
    out = [move for move in node.entry.moves if move.move not in node.children]
    if node.entry.leaf is not None:
        out.append(node.entry.leaf)
    return max(out, key=lambda move: move.score, default=None)


def lines(graph: Graph) -> dict[Key, int]:
    """Return the number of lines that begin at each position: those of the positions after its moves, and its leaf."""
    found: dict[Key, int] = {}
    for node in reversed(list(graph.from_the_top())):
        below = sum(found[child.key] for child in node.children.values())
        found[node.key] = max(1, below + (best_leaf(node) is not None))
    return found


def add_passes(graph: Graph) -> None:
    """Add the positions between a move and a position of the book where the opponent must pass."""
    for node in list(graph.nodes.values()):
        for key in set(node.choices.values()) - graph.nodes.keys():
            between = Position(*key)
            if between.must_pass and (after := graph.nodes.get(_passed(between))) is not None:
                graph.add(key, Entry(-after.entry.score, level=after.entry.level))


def _passed(position: Position) -> Key:
    canonical, _ = position.play(PASS).canonical()
    return canonical.mover, canonical.opponent


def graph_of(entries: Iterator[tuple[Key, Entry]]) -> Graph:
    """Return the graph of the positions of another program's book; of two entries for one position, the first counts."""
    kept: dict[Key, Entry] = {}
    for key, entry in entries:
        kept.setdefault(key, entry)
    graph = Graph(kept.items())
    add_passes(graph)
    return graph


EDAX_MAGIC: Final = b"XADEKOOB"
EDAX_VERSION: Final = 4
NO_MOVE: Final = 65
"""The move that stands for a missing leaf."""

MIDGAME_ERROR: Final = 2

_EDAX_HEADER: Final = struct.Struct("<8sBB8s5ii")
_EDAX_RECORD: Final = struct.Struct("<QQ4I3hBB")
_LINK: Final = struct.Struct("<bB")
_DATE: Final = bytes(8)
_MOST_COUNT: Final = (1 << 32) - 1


def read_edax(data: bytes) -> Iterator[tuple[Key, Entry]]:
    """Yield the positions of a book with their entries; raise BookError if the data is not a book of Edax."""
    count = count_in_header(data, "Edax", _EDAX_HEADER, EDAX_MAGIC, EDAX_VERSION)
    at = _EDAX_HEADER.size
    for number in range(max(0, count)):
        try:
            key, entry, at = _read_edax_record(data, at)
        except struct.error:
            raise BookError("length of the Edax book", len(data), f"{count} positions, not {number}", at) from None
        yield key, entry
    if at != len(data):
        raise BookError("length of the Edax book", len(data), f"{at} bytes for its {count} positions", at)


def _read_edax_record(data: bytes, at: int) -> tuple[Key, Entry, int]:
    """Return a position, its entry and the place after its record."""
    position = position_at(data, at)
    _, _, won, drawn, lost, _, score, _, _, count, level = _EDAX_RECORD.unpack_from(data, at)
    checked_score(score, at)
    canonical, index = position.canonical()
    symmetries = stabilizer(canonical)
    at += _EDAX_RECORD.size
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


def write_edax(graph: Graph) -> bytes:
    """Return a book as Edax reads it. Raise BookError if a position lacks its leaf."""
    nodes = complete(graph)
    numbers = lines(graph)
    level = max((node.entry.level for node in nodes), default=0)
    deepest = max((60 - node.empties for node in nodes), default=0)
    written = [
        _EDAX_HEADER.pack(EDAX_MAGIC, EDAX_VERSION, 4, _DATE, level, 61 - deepest, MIDGAME_ERROR, 1, 0, len(nodes))
    ]
    for node in nodes:
        entry = node.entry
        links = [move for move in entry.moves if move.move in node.children]
        leaf = best_leaf(node)
        bounds = max(entry.lower, entry.score - MIDGAME_ERROR), min(entry.upper, entry.score + MIDGAME_ERROR)
        counts = (min(number, _MOST_COUNT) for number in (entry.won, entry.drawn, entry.lost, numbers[node.key]))
        written.append(_EDAX_RECORD.pack(*node.key, *counts, entry.score, *bounds, len(links), entry.level))
        written += [_LINK.pack(link.score, link.move) for link in links]
        written.append(_LINK.pack(entry.score, NO_MOVE) if leaf is None else _LINK.pack(leaf.score, leaf.move))
    return b"".join(written)


EGAROUCID_MAGIC: Final = b"DICUORAGE"
EGAROUCID_VERSION: Final = 3
_EGAROUCID_HEADER: Final = struct.Struct("<9sBi")
_EGAROUCID_RECORD: Final = struct.Struct("<QQbbIbbb")
_MOST_LINES: Final = (1 << 31) - 1


def read_egaroucid(data: bytes) -> Iterator[tuple[Key, Entry]]:
    """Yield the positions of a book with their entries; raise BookError if the data is not a book of Egaroucid."""
    count = count_in_header(
        data, "Egaroucid", _EGAROUCID_HEADER, EGAROUCID_MAGIC, EGAROUCID_VERSION, ": export it anew in Egaroucid"
    )
    if len(data) != _EGAROUCID_HEADER.size + max(0, count) * _EGAROUCID_RECORD.size:
        raise BookError(
            "length of the Egaroucid book", len(data), f"that of its {count} positions", _EGAROUCID_HEADER.size
        )
    for at in range(_EGAROUCID_HEADER.size, len(data), _EGAROUCID_RECORD.size):
        yield _read_egaroucid_record(data, at)


def _read_egaroucid_record(data: bytes, at: int) -> tuple[Key, Entry]:
    position = position_at(data, at)
    _, _, score, level, _, leaf_score, leaf_move, leaf_level = _EGAROUCID_RECORD.unpack_from(data, at)
    checked_score(score, at)
    canonical, index = position.canonical()
    leaf = None
    if 0 <= leaf_move < PASS:
        image = transform_square(checked_move(leaf_move, position, at), index)
        move = representative(image, stabilizer(canonical))
        leaf = scored(move, checked_score(leaf_score, at), leaf_level, position.empties)
    return (canonical.mover, canonical.opponent), Entry(score, level=max(0, level), leaf=leaf)


def write_egaroucid(graph: Graph) -> bytes:
    """Return a book as Egaroucid reads it. Raise BookError if a position lacks its leaf."""
    nodes = [node for node in complete(graph) if PASS not in node.choices]
    numbers = lines(graph)
    written = [_EGAROUCID_HEADER.pack(EGAROUCID_MAGIC, EGAROUCID_VERSION, len(nodes))]
    for node in nodes:
        leaf = best_leaf(node)
        level = node.entry.level
        out = (node.entry.score, NO_MOVE, level) if leaf is None else (leaf.score, leaf.move, level)
        written.append(
            _EGAROUCID_RECORD.pack(*node.key, node.entry.score, level, min(numbers[node.key], _MOST_LINES), *out)
        )
    return b"".join(written)


LARGEST_FILE_BYTES: Final = 1 << 30

GZIP_MAGIC: Final = b"\x1f\x8b"

WRITERS: Final = {".dat": write_edax, ".egbk3": write_egaroucid}
"""The formats of other programs by the endings of their files."""


def import_book(store: Store, path: Path) -> int:
    """Add a book of another program, or one of ours, to a stored one; return the number of new positions.

    Raise BookError for a file that is not a book or is damaged, OSError if it cannot be read, or the book not be written.
    """
    read = _reader_of(path)
    if read is None:
        with open_book(path) as book:
            return merge(store, [book])
    theirs = graph_of(read(_content(path)))
    graph = Graph.of(store)
    before = len(graph)
    for key, node in theirs.nodes.items():
        known = graph.nodes.get(key)
        graph.add(key, node.entry if known is None else merged(known.entry, node.entry))
    graph.save(store)
    return len(graph) - before


def _reader_of(path: Path) -> Callable[[bytes], Iterator[tuple[Key, Entry]]] | None:
    """Return the reader for the program whose book a file is, by its beginning; None for our own or an unknown one."""
    with open(path, "rb") as file:
        beginning = file.read(len(GZIP_MAGIC + EGAROUCID_MAGIC))
        length = file.seek(0, os.SEEK_END) if file.seekable() else 0
    if beginning.startswith(EDAX_MAGIC):
        return read_edax
    if beginning.startswith(EGAROUCID_MAGIC):
        return read_egaroucid
    if beginning.startswith(wzebra.BIN_MAGIC):
        expected = "the compressed book (book.cmp): book.bin does not hold its positions"
        raise BookError("WZebra book", path.name, expected)
    return wzebra.read if beginning.startswith(GZIP_MAGIC) or wzebra.is_book(beginning, length) else None


def _content(path: Path) -> bytes:
    """Return the content of a file, unpacked; raise BookError if it is damaged, FormatError if it is too large."""
    content = read_at_most(path, LARGEST_FILE_BYTES, "book file")
    if not content.startswith(GZIP_MAGIC):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            content = file.read(LARGEST_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BookError("book file", path.name, f"a whole gzip file ({error})") from None
    if len(content) > LARGEST_FILE_BYTES:
        raise BookError("book file", path.name, f"at most {LARGEST_FILE_BYTES} bytes when it is unpacked")
    return content


def export_book(book: Store | CompactBook, path: Path) -> int:
    """Write a book in the format of a file's ending: `.dat` for Edax, `.egbk3` for Egaroucid, `.book` for playing.

    Return the number of positions. Raise BookError for another ending, or if the format lacks something that the book
    needs; OSError if the file cannot be written.
    """
    ending = path.suffix.lower()
    if ending == ".book":
        write_compact(path, book.entries(), book.names())
    elif ending in WRITERS:
        write_whole(path, WRITERS[ending](Graph(book.entries())))
    else:
        endings = ", ".join((".book", *WRITERS))
        raise BookError("file to export to", path.name, f"a name that ends in one of {endings}")
    return len(book)
