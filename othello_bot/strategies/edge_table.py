"""The edge table: what each of the 59,049 edges is worth to the player to move.

Five rounds refine the static values: an edge is worth what its moves lead to, the best first, each with the chance that
it is legal, and not to move at all is always possible. An edge with n discs takes its value from edges with n + 1, so
that going from full edges to empty ones makes the search complete, ten plies deep in effect. After Rosenbloom's Iago as
told in "Paradigms of Artificial Intelligence Programming", section 18.12.

Making the table takes some seconds, so it is kept in a file of the user's cache folder. A file that is damaged or of
another version is made anew.
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
"""Refinements; Rosenbloom found the values nearly at rest after them."""

_MAGIC: Final = b"othello-bot edge table 1\n"
"""Begins the file; the number changes when the values do."""

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_table: tuple[int, ...] | None = None


class DamagedTable(ValueError):
    """A file that is not a whole edge table; the message names it and what is wrong."""

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(f"edge table {path}: {fault}; expected {EDGE_POSITIONS} values with their checksum")
        self.path = path


def combine_moves(possibilities: Iterable[tuple[float, int]]) -> int:
    """Return the expected value of choosing among moves that are each legal with some chance.

    `possibilities` are (chance, value) pairs. The best is played when it is legal, otherwise the next, and so on.

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
    # Chances and resulting edges are the same in every round, so they are worked out once.
    moves = [[(chance, edge_index(after)) for chance, after in edge_moves(edge)] for edge in edges]
    fullest_first = sorted(range(EDGE_POSITIONS), key=lambda index: edges[index].count(EMPTY))
    for _ in range(ROUNDS):
        for index in fullest_first:
            # The full edges have no move, and the empty one keeps the 0 that symmetry demands of it.
            if 0 < len(moves[index]) < 10:
                stay = (1.0, values[index])
                values[index] = combine_moves([stay, *((chance, -values[after]) for chance, after in moves[index])])
    return tuple(values)


def cache_path() -> Path:
    """Return where the table is kept."""
    return cache_folder() / "edge-table.bin"


def save(table: tuple[int, ...], path: Path) -> None:
    """Write the table so that another process sees the whole file or none; raise OSError where that fails."""
    numbers = array("i", table)
    if sys.byteorder == "big":
        numbers.byteswap()
    body = numbers.tobytes()
    write_whole(path, _MAGIC + hashlib.sha256(body).digest() + body)


def load(path: Path) -> tuple[int, ...]:
    """Return the table of a file; raise OSError where it cannot be read and DamagedTable where it is not whole."""
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

    A cache that cannot be read or written costs the seconds of a new table and a warning in the log, nothing more.
    """
    global _table
    with _lock:
        if _table is None:
            _table = _load_or_generate(cache_path())
        return _table


def forget() -> None:
    """Drop the table in memory, so that the next use looks at the cache again."""
    global _table
    with _lock:
        _table = None


def _load_or_generate(path: Path) -> tuple[int, ...]:
    """Return the table of the file, or make it and the file."""
    try:
        return load(path)
    except FileNotFoundError:
        pass
    except (OSError, DamagedTable) as error:
        _log.warning("%s: making the table anew", error)
    report("making Iago's edge table, once; it takes some seconds")
    table = generate()
    try:
        save(table, path)
    except OSError as error:
        _log.warning("the edge table is not kept for the next start: %s", error)
    return table
