"""The edge table: the value of each of the 59,049 edges for the player to move.

Five rounds refine the static values. The value of an edge is the value of its moves, the best first, each weighted with
the chance that it is legal; not moving is always possible. An edge with n discs takes its value from edges with n + 1,
so going from full edges to empty ones makes the search complete, ten plies deep in effect. After Rosenbloom's Iago as
described in "Paradigms of Artificial Intelligence Programming", section 18.12.

Building the table takes some seconds, so it is cached in a file of the user's cache folder. A damaged file or one of
another version is built again.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import threading
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from othello_bot.files import cache_folder, report, write_whole
from othello_bot.strategies.edge_stability import EDGE_POSITIONS, EMPTY, edge_index, edge_moves, edge_of, static_value

ROUNDS: Final = 5
"""Number of refinements; Rosenbloom found the values nearly stable after them."""

_MAGIC: Final = b"othello-bot edge table 1\n"
"""The beginning of the file; the number changes with the values."""

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_table: tuple[int, ...] | None = None


class DamagedTable(ValueError):
    """A file that is not a complete edge table; the message names the file and the fault."""

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(f"edge table {path}: {fault}; expected {EDGE_POSITIONS} values with their checksum")
        self.path = path


def combine_moves(possibilities: Iterable[tuple[float, int]]) -> int:
    """Return the expected value of a choice among moves that are each legal with some chance.

    `possibilities` are (chance, value) pairs. The best move is played if it is legal, otherwise the next, and so on.

    >>> combine_moves([(0.5, 100), (1.0, 20)])  # half the time 100, otherwise 20
    60
    """
    remaining = 1.0
    expected = 0.0
    for chance, value in sorted(possibilities, key=lambda pair: -pair[1]):
        expected += remaining * chance * value
        remaining -= remaining * chance
    return round(expected)


def generate() -> tuple[int, ...]:
    """Return the table, indexed by `edge_index`: the value of each edge to the player to move on it."""
    edges = [edge_of(index) for index in range(EDGE_POSITIONS)]
    values = [static_value(edge) for edge in edges]
    # Chances and resulting edges are the same in every round, so they are computed once.
    moves = [[(chance, edge_index(after)) for chance, after in edge_moves(edge)] for edge in edges]
    fullest_first = sorted(range(EDGE_POSITIONS), key=lambda index: edges[index].count(EMPTY))
    for _ in range(ROUNDS):
        for index in fullest_first:
            # Full edges have no move, and the empty one keeps the value 0, which symmetry requires.
            if 0 < len(moves[index]) < 10:
                stay = (1.0, values[index])
                values[index] = combine_moves([stay, *((chance, -values[after]) for chance, after in moves[index])])
    return tuple(values)


def cache_path() -> Path:
    """Return the path of the cached table."""
    return cache_folder() / "edge-table.bin"


def save(table: tuple[int, ...], path: Path) -> None:
    """Write the table atomically: other processes see the whole file or none; raise OSError on failure."""
    numbers = array("i", table)
    if sys.byteorder == "big":
        numbers.byteswap()
    body = numbers.tobytes()
    write_whole(path, _MAGIC + hashlib.sha256(body).digest() + body)


def load(path: Path) -> tuple[int, ...]:
    """Return the table of a file; raise OSError if it cannot be read and DamagedTable if it is not complete."""
    content = path.read_bytes()
    if not content.startswith(_MAGIC):
        raise DamagedTable(path, "not an edge table of this version")
    digest_end = len(_MAGIC) + hashlib.sha256().digest_size
    body = content[digest_end:]
    if hashlib.sha256(body).digest() != content[len(_MAGIC) : digest_end]:
        raise DamagedTable(path, "the checksum does not match")
    numbers = array("i")
    numbers.frombytes(body)
    if sys.byteorder == "big":
        numbers.byteswap()
    if len(numbers) != EDGE_POSITIONS:
        raise DamagedTable(path, f"{len(numbers)} values")
    return tuple(numbers)


def edge_table() -> tuple[int, ...]:
    """Return the table: the one in memory, else the one in the cache, else a new one, which is then cached.

    If the cache cannot be read or written, build a new table, which takes seconds, and log a warning.
    """
    global _table
    with _lock:
        if _table is None:
            _table = _load_or_generate(cache_path())
        return _table


def forget() -> None:
    """Drop the table in memory, so that the next use reads the cache again."""
    global _table
    with _lock:
        _table = None


def _load_or_generate(path: Path) -> tuple[int, ...]:
    """Return the table of the file; build it and write the file if necessary."""
    try:
        return load(path)
    except FileNotFoundError:
        pass
    except (OSError, DamagedTable) as error:
        _log.warning("%s: building a new table", error)
    report("building Iago's edge table, once; this takes some seconds")
    table = generate()
    try:
        save(table, path)
    except OSError as error:
        _log.warning("the edge table could not be cached for the next start: %s", error)
    return table
