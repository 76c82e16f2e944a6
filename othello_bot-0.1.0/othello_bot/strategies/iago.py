"""Iago: mobility, potential mobility and edge stability, weighed by the number of the move.

P. Rosenbloom's champion of 1981 ("A World-Championship-Level Othello Program", Artificial Intelligence 19, 1982), in
the simplified form of "Paradigms of Artificial Intelligence Programming", section 18.12, with its coefficients.

Edge stability is looked up in a table with a value for each state of an edge. An edge is its eight squares with the two
X-squares that guard its corners, ten squares in all:

    corner A  C   A   B   B   A   C  corner B          number   1  2  3  4  5  6  7  8
           X                             X             number    0                  9

Here an edge is a tuple of ten pieces in that order, seen from the player to move: EMPTY, OWN or OTHER. Only the edge is
considered: the inside of the board is unknown, so whether a move is legal is partly a matter of chance.

Five rounds refine the static values. The value of an edge is the value of its moves, the best first, each weighted with
the chance that it is legal; not moving is always possible. An edge with n discs takes its value from edges with n + 1,
so going from full edges to empty ones makes the search complete, ten plies deep in effect.

The table comes with the package, because building it takes seconds: compressed by zlib, two bytes a value,
little-endian. To renew it after a change of the values: ``FILE.write_bytes(packed(generate()))``.
"""

from __future__ import annotations

import functools
import struct
import zlib
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final

from othello_bot.base.errors import DamagedInstallation
from othello_bot.base.files import DATA_FOLDER
from othello_bot.strategies.board import BLACK, EMPTY, PaddedBoard, PlayerPiece, Square, Strategy, move_number, opponent
from othello_bot.strategies.evaluations import Evaluation, mobilities
from othello_bot.strategies.searchers import killer_searcher

Edge = tuple[int, ...]
"""Ten pieces: X-square, the eight edge squares, the other X-square."""

OWN: Final = 1
OTHER: Final = 2

EDGE_POSITIONS: Final = 3**10

X_SQUARES: Final = (0, 9)
EDGE_CORNERS: Final = (1, 8)
X_SQUARE_OF: Final = {1: 0, 8: 9}
CORNER_OF: Final = {0: 1, 9: 8}
LINE: Final = range(1, 9)
"""The numbers of the eight squares that lie in one row."""


class Stability(IntEnum):
    """How safe a disc is: never to be captured, perhaps to be captured, to be captured at once."""

    STABLE = 0
    SEMI_STABLE = 1
    UNSTABLE = 2


_NEVER: Final = 0
"""Placeholder where a square cannot have that stability: a corner is always stable, an X-square never."""

STATIC_VALUES: Final = (
    # stable, semi-stable, unstable
    (_NEVER, 0, -2000),  # X
    (700, _NEVER, _NEVER),  # corner
    (1200, 200, -25),  # C
    (1000, 200, 75),  # A
    (1000, 200, 50),  # B
    (1000, 200, 50),  # B
    (1000, 200, 75),  # A
    (1200, 200, -25),  # C
    (700, _NEVER, _NEVER),  # corner
    (_NEVER, 0, -2000),  # X
)
"""The value of a disc by square and stability."""

X_SQUARE_CHANCE: Final = 0.5
"""Chance that a move to an X-square is legal: the inside of the board is unknown."""

CORNER_CHANCES: Final = {EMPTY: 0.1, OWN: 0.001, OTHER: 0.9}
"""The chance that a corner can be taken, by the piece on its X-square."""

NEIGHBOR_CHANCES: Final = ((0.1, 0.4, 0.7), (0.05, 0.3), (0.01,))
"""The chance of a move to another edge square, by the number of own and then of opposing discs beside it."""


def edge_index(edge: Edge) -> int:
    """Return the number of an edge: its pieces as the digits of a number in base 3, the first X-square first.

    >>> edge_index((EMPTY,) * 10), edge_index((OWN,) * 10), edge_index((OTHER,) * 10)
    (0, 29524, 59048)
    """
    index = 0
    for piece in edge:
        index = 3 * index + piece
    return index


def edge_of(index: int) -> Edge:
    """Return the edge with this number 0..59048.

    >>> edge_of(5)
    (0, 0, 0, 0, 0, 0, 0, 0, 1, 2)
    """
    pieces = []
    for _ in range(10):
        index, piece = divmod(index, 3)
        pieces.append(piece)
    return tuple(reversed(pieces))


def turned(edge: Edge) -> Edge:
    """Return the edge as the other player sees it."""
    return tuple((EMPTY, OTHER, OWN)[piece] for piece in edge)


def stability(edge: Edge, square: int) -> Stability:
    """Return how safe the disc on a square of the edge is.

    A disc is as safe as the row of its own colour to which it belongs: only the first different pieces on either side
    matter.

    >>> stability((0, 0, 1, 2, 0, 0, 0, 0, 0, 0), 2).name  # an opposing disc on one side, an empty square on the other
    'UNSTABLE'
    >>> stability((0, 0, 0, 1, 1, 0, 0, 0, 0, 0), 3).name  # empty squares on both sides
    'SEMI_STABLE'
    >>> stability((0, 1, 1, 1, 2, 0, 0, 0, 0, 0), 3).name  # joined to the corner
    'STABLE'
    """
    if square in EDGE_CORNERS:
        return Stability.STABLE
    if square in X_SQUARES:
        return Stability.UNSTABLE if edge[CORNER_OF[square]] == EMPTY else Stability.SEMI_STABLE
    own = edge[square]
    other = OWN + OTHER - own
    after = next((edge[number] for number in range(square, LINE.stop) if edge[number] != own), None)
    before = next((edge[number] for number in range(square, LINE.start - 1, -1) if edge[number] != own), None)
    if {before, after} == {EMPTY, other}:
        return Stability.UNSTABLE
    if before == after == other and EMPTY in edge[LINE.start : LINE.stop]:
        return Stability.SEMI_STABLE
    if before == after == EMPTY:
        return Stability.SEMI_STABLE
    return Stability.STABLE


def static_value(edge: Edge) -> int:
    """Return the value of the discs on an edge, those of the player to move minus the opponent's.

    >>> static_value((1,) * 10)  # corners 2 x 700, C 2 x 1200, A and B 4 x 1000, semi-stable X 0
    7800
    >>> static_value((1, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    -2000
    """
    total = 0
    for square, piece in enumerate(edge):
        if piece != EMPTY:
            value = STATIC_VALUES[square][stability(edge, square)]
            total += value if piece == OWN else -value
    return total


def edge_flips(edge: Edge, square: int, player: int) -> list[int]:
    """Return the squares of the edge that `player` (OWN or OTHER) flips by moving to an empty square of its line.

    >>> edge_flips((0, 0, 2, 2, 1, 0, 0, 0, 0, 0), 1, OWN)
    [2, 3]
    """
    if square in X_SQUARES:
        return []
    flipped = []
    for step in (1, -1):
        row = []
        here = square + step
        while here in LINE and edge[here] == OWN + OTHER - player:
            row.append(here)
            here += step
        if here in LINE and edge[here] == player:
            flipped += row
    return flipped


def move_chance(edge: Edge, square: int) -> float:
    """Return the probability that the player to move may play to an empty square of the edge.

    >>> move_chance((0, 0, 2, 1, 0, 0, 0, 0, 0, 0), 1)  # captures on the edge itself
    1.0
    >>> move_chance((2, 0, 0, 0, 0, 0, 0, 0, 0, 0), 1)  # the opponent stands on the X-square
    0.9
    >>> move_chance((0, 0, 0, 2, 0, 0, 0, 0, 0, 0), 4)  # one opposing disc beside it
    0.4
    >>> move_chance((0, 0, 0, 2, 1, 0, 0, 0, 0, 0), 5)  # one own disc beside it, and the opponent could capture there
    0.025
    """
    if square in X_SQUARES:
        return X_SQUARE_CHANCE
    if edge_flips(edge, square, OWN):
        return 1.0
    if square in EDGE_CORNERS:
        return CORNER_CHANCES[edge[X_SQUARE_OF[square]]]
    beside = (edge[square - 1], edge[square + 1])
    chance = NEIGHBOR_CHANCES[beside.count(OWN)][beside.count(OTHER)]
    return chance / 2 if edge_flips(edge, square, OTHER) else chance


def edge_moves(edge: Edge) -> Iterator[tuple[float, Edge]]:
    """Yield, for each empty square, the chance of a move to it and the edge after it as the opponent sees it."""
    for square, piece in enumerate(edge):
        if piece == EMPTY:
            after = list(edge)
            after[square] = OWN
            for flipped in edge_flips(edge, square, OWN):
                after[flipped] = OWN
            yield move_chance(edge, square), turned(tuple(after))


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


EDGES: Final = (
    (22, 11, 12, 13, 14, 15, 16, 17, 18, 27),
    (72, 81, 82, 83, 84, 85, 86, 87, 88, 77),
    (22, 11, 21, 31, 41, 51, 61, 71, 81, 72),
    (27, 18, 28, 38, 48, 58, 68, 78, 88, 77),
)
"""The squares of the four edges, each with its X-squares at the ends."""

_DIGITS: Final = {player: {EMPTY: 0, player: 1, opponent(player): 2} for player in (BLACK, opponent(BLACK))}
"""The digit of each piece in an edge's number, by the player who looks at it."""


def board_edge_index(player: PlayerPiece, board: PaddedBoard, squares: tuple[Square, ...]) -> int:
    """Return the number of an edge of a board as the player sees it: the index into the edge table."""
    digits = _DIGITS[player]
    index = 0
    for square in squares:
        index = 3 * index + digits[board[square]]
    return index


def edge_stability(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the value of the four edges for the player to move.

    >>> from othello_bot.strategies.board import initial_board
    >>> edge_stability(BLACK, initial_board())
    0
    """
    table = edge_table()
    return sum(table[board_edge_index(player, board, squares)] for squares in EDGES)


def edge_coefficient(number: int) -> int:
    """Return the weight of the edges at move `number`.

    >>> edge_coefficient(1), edge_coefficient(60)
    (318240, 686400)
    """
    return 312_000 + 6_240 * number


def current_mobility_coefficient(number: int) -> int:
    """Return the weight of the legal moves at move `number`.

    >>> current_mobility_coefficient(24), current_mobility_coefficient(25)
    (98000, 100000)
    """
    return 50_000 + 2_000 * number if number < 25 else 75_000 + 1_000 * number


POTENTIAL_MOBILITY_COEFFICIENT: Final = 20_000
EDGE_SCALE: Final = 32_000


def iago_evaluation(number: int) -> Evaluation:
    """Return Iago's evaluation with the weights of move `number`.

    In a search, that is the number of the move to choose, not of the moves in the tree.
    """
    edges, current = edge_coefficient(number), current_mobility_coefficient(number)

    def evaluate(player: PlayerPiece, board: PaddedBoard) -> int:
        own, own_potential = mobilities(player, board)
        other, other_potential = mobilities(opponent(player), board)
        return (
            round(edges * edge_stability(player, board) / EDGE_SCALE)
            + round(current * (own - other) / (own + other + 2))
            + round(
                POTENTIAL_MOBILITY_COEFFICIENT
                * (own_potential - other_potential)
                / (own_potential + other_potential + 2)
            )
        )

    return evaluate


def iago(depth: int) -> Strategy:
    """Return Iago at this search depth: alpha-beta with killer moves on Iago's evaluation."""

    def strategy(player: PlayerPiece, board: PaddedBoard) -> Square:
        return killer_searcher(depth, iago_evaluation(move_number(board)))(player, board)

    return strategy
