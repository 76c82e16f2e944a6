"""The board patterns of the evaluation: which squares each one reads, and all its places on the board.

The kernel builds its index tables from this list, the fitting pipeline its columns, and the weights file carries its
fingerprint; so this module is the one place where the shape of the evaluation is decided.

A pattern of n squares has 3**n states. A state is read as a number in balanced ternary: square i of the pattern
contributes +3**i for a mover's disc, -3**i for an opponent's, 0 for an empty square. Seen by the other side a state is
thus just negated.
"""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import Final

TABLE_LANES: Final = 32
"""Lanes of the kernel's index vector that the places of the tables' patterns must fit into, and all of its lanes."""

LANES: Final = 96


def _squares(names: str) -> tuple[int, ...]:
    return tuple("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in names.split())


def _image(square: int, symmetry: int) -> int:
    """Return the square's image under a symmetry of the board (bit 0: mirror files, bit 1: mirror ranks, bit 2: swap)."""
    x, y = square & 7, square >> 3
    if symmetry & 1:
        x = 7 - x
    if symmetry & 2:
        y = 7 - y
    if symmetry & 4:
        x, y = y, x
    return x + 8 * y


class Pattern:
    """A shape on the board. `squares`: its first place, in the order of the ternary digits.

    No dataclass: the kernel imports no other package, and the library's decorator costs ten milliseconds a start.
    """

    def __init__(self, name: str, squares: tuple[int, ...]) -> None:
        self.name = name
        self.squares = squares

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """Its images under the symmetries, each set of squares once, in the order of the ternary digits."""
        seen: dict[frozenset[int], tuple[int, ...]] = {}
        for symmetry in range(8):
            image = tuple(_image(square, symmetry) for square in self.squares)
            seen.setdefault(frozenset(image), image)
        return tuple(seen.values())

    @cached_property
    def mirror(self) -> tuple[int, ...] | None:
        """Digit order of a symmetry that maps the shape onto itself (both readings share a weight), or None."""
        for symmetry in range(1, 8):
            image = tuple(_image(square, symmetry) for square in self.squares)
            if image != self.squares and set(image) == set(self.squares):
                return tuple(self.squares.index(square) for square in image)
        return None

    @property
    def states(self) -> int:
        """Number of its states, 3**n."""
        return int(3 ** len(self.squares))

    @property
    def centre(self) -> int:
        """What must be added to the balanced ternary number to make it an index from 0."""
        return (self.states - 1) // 2


PATTERNS: Final[tuple[Pattern, ...]] = (
    Pattern("corner triangle", _squares("a1 b1 c1 d1 a2 b2 c2 a3 b3 a4")),
    Pattern("corner 2x5", _squares("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2")),
    Pattern("corner arrow", _squares("a1 b1 a2 b2 c2 b3 c3 d3 c4 d4")),
    Pattern("edge with X-squares", _squares("b2 a1 b1 c1 d1 e1 f1 g1 h1 g2")),
    Pattern("edge block", _squares("a1 c1 d1 e1 f1 h1 c2 d2 e2 f2")),
    Pattern("row 2 with corners", _squares("a1 a2 b2 c2 d2 e2 f2 g2 h2 h1")),
)
"""Patterns with tables of their own for every stage. After Logistello (M. Buro, "The evolution of strong Othello
programs", 2003) and its successors: edges and corner blocks, here with the neighbouring squares that most often decide
what they are worth.
"""

FACTOR_PATTERNS: Final[tuple[Pattern, ...]] = (
    Pattern("corner 3x3", _squares("a1 b1 c1 a2 b2 c2 a3 b3 c3")),
    Pattern("corner 2x4", _squares("a1 b1 c1 d1 a2 b2 c2 d2")),
    Pattern("inner corner 3x3", _squares("b2 c2 d2 b3 c3 d3 b4 c4 d4")),
    Pattern("half centre", _squares("c3 d3 e3 f3 c4 d4 e4 f4")),
    Pattern("edge", _squares("a1 b1 c1 d1 e1 f1 g1 h1")),
    Pattern("row 2", _squares("a2 b2 c2 d2 e2 f2 g2 h2")),
    Pattern("row 3", _squares("a3 b3 c3 d3 e3 f3 g3 h3")),
    Pattern("row 4", _squares("a4 b4 c4 d4 e4 f4 g4 h4")),
    Pattern("diagonal 8", _squares("a1 b2 c3 d4 e5 f6 g7 h8")),
    Pattern("diagonal 7", _squares("b1 c2 d3 e4 f5 g6 h7")),
    Pattern("diagonal 6", _squares("c1 d2 e3 f4 g5 h6")),
    Pattern("diagonal 5", _squares("d1 e2 f3 g4 h5")),
    Pattern("diagonal 4", _squares("e1 f2 g3 h4")),
)
"""Smaller patterns, for the pairwise factors: corner blocks, the centre, and all lines of four squares and more."""


def _features(shapes: tuple[Pattern, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple((number, place) for number, pattern in enumerate(shapes) for place in pattern.places)


FEATURES: Final[tuple[tuple[int, tuple[int, ...]], ...]] = _features(PATTERNS)
"""(pattern number, squares) of every place, in the order of the kernel's index vector: from lane 0 on those of the
tables, from TABLE_LANES on those of the factors.
"""

FACTOR_FEATURES: Final[tuple[tuple[int, tuple[int, ...]], ...]] = _features(FACTOR_PATTERNS)

OFFSETS: Final[tuple[int, ...]] = tuple(sum(p.states for p in PATTERNS[:i]) for i in range(len(PATTERNS)))
"""Where each pattern's weights begin in a stage's full table."""

COUNTS: Final[tuple[tuple[str, int], ...]] = (("mobility", 1024), ("potential mobility", 1024), ("odd quadrants", 6))
"""Counts that are looked up beside the patterns, as (name, number of entries): the number of moves of the mover (0 to
31) times 32 plus the opponent's, the same of the empty squares next to discs that each side could flip (potential
mobility), and which quadrants have an odd number of empties (none, one, two side by side, two across, three, all).
"""

COUNT_OFFSETS: Final[tuple[int, ...]] = tuple(sum(size for _, size in COUNTS[:i]) for i in range(len(COUNTS)))
"""Where each count's entries begin behind those of the patterns, and how many they are together."""

COUNT_ENTRIES: Final = sum(size for _, size in COUNTS)

COUNTS_OFFSET: Final = sum(pattern.states for pattern in PATTERNS)
"""Where the weights of the counts begin in a stage's full table: behind the patterns."""

TABLE_SIZE: Final = COUNTS_OFFSET + COUNT_ENTRIES
"""Weights of one stage: all states of all patterns, then the counts."""

MOVE_QUARTERS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(sorted(_image(square, symmetry) for square in _squares("a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 a4 b4")))
    for symmetry in range(4)
)
"""Which of these squares of a quarter of the board (that of a1, then h1, a8, h8) a side may move to: a set for each
side and quarter; the first square is the lowest bit. The squares in the centre are skipped: they are filled early.
"""

MOVE_SETS: Final = 2 ** len(MOVE_QUARTERS[0])

FACTOR_OFFSETS: Final[tuple[int, ...]] = tuple(
    sum(p.states for p in FACTOR_PATTERNS[:i]) for i in range(len(FACTOR_PATTERNS))
)
"""Where each factor pattern's rows begin, where those of the counts do, those of the mover's sets of moves in each
quarter and then the opponent's, and how many there are.
"""

FACTOR_COUNTS_OFFSET: Final = sum(pattern.states for pattern in FACTOR_PATTERNS)
FACTOR_MOVES_OFFSET: Final = FACTOR_COUNTS_OFFSET + COUNT_ENTRIES
FACTOR_ROWS: Final = FACTOR_MOVES_OFFSET + 2 * len(MOVE_QUARTERS) * MOVE_SETS

CHANNELS: Final = 32
"""Numbers in a row of factors: one that is added, and those that are squared."""

ORDER_PATTERNS: Final[tuple[int, ...]] = tuple(
    [p.name for p in FACTOR_PATTERNS].index(name) for name in ("corner 2x4", "edge", "row 2")
)
"""Numbers of the FACTOR_PATTERNS that order moves in the endgame, and how many states these have together."""

ORDER_SIZE: Final = sum(FACTOR_PATTERNS[number].states for number in ORDER_PATTERNS)
ORDER_UNIT: Final = 8
"""Parts of a disc in which their numbers count."""

LARGEST_FACTOR: Final = 63
"""Limit of the absolute value of a number in a row: the sum of two still fits into 8 bits."""

LARGEST_SHIFT: Final = 4000
"""Limit of the absolute value of a number in a shift: sums of rows fit into 16 bits, sums of their squares into 32."""

FINGERPRINT: Final = zlib.crc32(
    repr(
        (
            [[(p.name, p.squares) for p in shapes] for shapes in (PATTERNS, FACTOR_PATTERNS)],
            COUNTS,
            MOVE_QUARTERS,
            CHANNELS,
        )
    ).encode()
)
"""Changes whenever the patterns do: a weights file made for other patterns is refused."""

assert len(FEATURES) <= TABLE_LANES
assert TABLE_LANES + len(FACTOR_FEATURES) <= LANES
_TERMS: Final = len(FACTOR_FEATURES) + len(COUNTS) + 2 * len(MOVE_QUARTERS)
assert CHANNELS * (_TERMS * LARGEST_FACTOR + LARGEST_SHIFT) ** 2 < 2**31
