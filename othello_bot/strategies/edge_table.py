"""The edge table: the value of each of the 59,049 edges for the player to move.

Five rounds refine the static values. The value of an edge is the value of its moves, the best first, each weighted with
the chance that it is legal; not moving is always possible. An edge with n discs takes its value from edges with n + 1,
so going from full edges to empty ones makes the search complete, ten plies deep in effect. After Rosenbloom's Iago as
described in "Paradigms of Artificial Intelligence Programming", section 18.12.

The table comes with the package, because building it takes seconds: compressed by zlib, two bytes a value,
little-endian. To renew it after a change of the values: ``FILE.write_bytes(packed(generate()))``.
"""

from __future__ import annotations

import functools
import struct
import zlib
from collections.abc import Iterable
from typing import Final

from othello_bot.base.errors import DamagedInstallation
from othello_bot.base.files import DATA_FOLDER
from othello_bot.strategies.edge_stability import EDGE_POSITIONS, EMPTY, edge_index, edge_moves, edge_of, static_value

ROUNDS: Final = 5
"""Number of refinements; Rosenbloom found the values nearly stable after them."""

FILE: Final = DATA_FOLDER / "edge-table.zlib"

_VALUES: Final = struct.Struct(f"<{EDGE_POSITIONS}h")


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


def packed(table: tuple[int, ...]) -> bytes:
    """Return the content of the file of a table."""
    return zlib.compress(_VALUES.pack(*table), 9)


@functools.cache
def edge_table() -> tuple[int, ...]:
    """Return the table, loaded once a process. Raise DamagedInstallation if its file is missing or damaged."""
    try:
        return _VALUES.unpack(zlib.decompress(FILE.read_bytes()))
    except (OSError, zlib.error, struct.error) as error:
        raise DamagedInstallation(f"{FILE}: {error}; install the program again") from error
