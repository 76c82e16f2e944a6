"""Position: a board and the side to move, as an immutable value from the view of the player to move; its symmetries.

Colours exist only in this layer: the kernel sees `mover` and `opponent`, and a move swaps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Final, NoReturn

from othello_bot import kernel
from othello_bot.base.errors import InputError, parsed
from othello_bot.base.notation import PASS, Board, Color, NotationError, as_move, integer_of, move_name, square_name

ALL_SQUARES: Final = (1 << 64) - 1
"""The bitboard with every square."""


def empties_of(mover: int, opponent: int) -> int:
    """Return the number of empty squares of a board, whichever side is which."""
    return 64 - (mover | opponent).bit_count()


def squares_of(bits: int) -> Iterator[int]:
    """Yield the squares of a bitboard, lowest first: bit i is square i, a1 = 0 .. h8 = 63."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


MIRROR_FILES: Final = 1
MIRROR_RANKS: Final = 2
HALF_TURN: Final = MIRROR_FILES | MIRROR_RANKS
TRANSPOSE: Final = 4
SYMMETRIES: Final = range(8)
"""The eight symmetries of the board, each an index of three bits.

The bits apply in this order: MIRROR_FILES (a <-> h), MIRROR_RANKS (1 <-> 8), TRANSPOSE (b1 <-> a2). Index 0 is the
identity.
"""


def inverse_symmetry(index: int) -> int:
    """Return the symmetry that undoes `index`.

    Each is its own inverse, except the two quarter turns, which undo each other.
    """
    return {5: 6, 6: 5}.get(index, index)


def transform_square(square: int, index: int) -> int:
    """Return the image of a square under symmetry `index`; PASS stays PASS. Raise NotationError for an invalid move."""
    if square == PASS:
        return PASS
    if not 0 <= square < 64:
        raise NotationError(str(square), "a number from 0 (a1) to 63 (h8), or 64 (pass)")
    if index & MIRROR_FILES:
        square ^= 7
    if index & MIRROR_RANKS:
        square ^= 56
    if index & TRANSPOSE:
        square = square >> 3 | (square & 7) << 3
    return square


def transform_bits(bits: int, index: int) -> int:
    """Return the image of the bitboard `bits` under symmetry `index`."""
    return kernel.images(bits)[index]


class PositionError(InputError):
    """A text or a pair of bitboards that is not a position; `value` is the offending text, character or bitboard."""


class IllegalMove(InputError):
    """An illegal move in `position`; `move` is that move, `expected` names the legal ones.

    Of several moves that were to be played, it has the index `index`.
    """

    def __init__(self, move: int, position: Position, index: int = 0) -> None:
        legal = " ".join(map(square_name, position.legal_moves))
        if not legal:
            legal = "pass" if position.must_pass else "no move, the game is over"
        super().__init__("illegal move", move_name(move) if 0 <= move <= PASS else move, legal)
        self.move = move
        self.position = position
        self.index = index


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Position(kernel.BasePosition):
    """A board seen from the player to move.

    `mover` and `opponent` are bitboards (bit i is square i, a1 = 0 .. h8 = 63) of the discs of the player to move and
    of the opponent; `color` is the player to move, Black unless it is given. A position does not change. Raise
    PositionError if a square has two discs, if a bitboard is not a 64-bit number, or if `color` is not a Color.

    The kernel has what loops call often: bitboards, legal moves, `play`, scores.
    """

    __slots__ = ()

    mover: int
    opponent: int
    color: Color

    if TYPE_CHECKING:

        def __init__(self, mover: int, opponent: int, color: Color = Color.BLACK) -> None: ...

        def play(self, move: int | str) -> Position:
            """Return the position after a move; see the kernel's `BasePosition.play`."""

    def _refuse(self, mover: object, opponent: object, color: object) -> NoReturn:
        """Raise the error for values that are not a position; the kernel calls this."""
        for bits in (mover, opponent):
            if integer_of(bits, 0, ALL_SQUARES) is None:
                raise PositionError("bitboard", bits, "a number of 64 bits")
        if not isinstance(color, Color):
            raise PositionError("color", color, "Color.BLACK or Color.WHITE")
        raise PositionError("bitboards", (mover, opponent), "no square with discs of both players")

    def _play_other(self, move: int | str) -> Position:
        """Play a move that is no int, or refuse it; the kernel calls this."""
        number = as_move(move)
        if isinstance(move, int):
            raise IllegalMove(number, self)
        return self.play(number)

    @classmethod
    def start(cls) -> Position:
        """Return the usual start: white on d4 and e5, black on e4 and d5, black to move."""
        return _START

    @classmethod
    def from_colors(cls, black: int, white: int, color: Color = Color.BLACK) -> Position:
        """Return the position with these bitboards of the two colours and `color` to move."""
        return cls(black, white, color) if color is Color.BLACK else cls(white, black, color)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Return the position of a board string: 64 cells from a1, b1, ... to h8, then the side to move.

        White space is ignored. Other letters, FEN as Edax writes it, and drawings of a board are accepted too (see
        `othello_bot.base.boards.parse_board`). Raise PositionError, with the offending cell, for any other text.
        """
        if not isinstance(text, str):
            raise PositionError("board", text, "a text of 64 cells and the side to move")
        from othello_bot.base.boards import parse_board  # imported here: a session starts without it

        return cls.from_board(parsed(parse_board, text, PositionError, "board"))

    @classmethod
    def from_board(cls, board: Board) -> Position:
        """Return the position of a parsed board; raise PositionError for anything else."""
        if not isinstance(board, Board):
            raise PositionError("board", board, "a Board; Position.parse reads a text")
        black = sum(1 << square for square, cell in enumerate(board.cells) if cell == "X")
        white = sum(1 << square for square, cell in enumerate(board.cells) if cell == "O")
        return cls.from_colors(black, white, board.to_move)

    @property
    def board(self) -> Board:
        """The board as text, cell by cell, with the side to move."""
        return Board("".join(self._cells("-")), self.color)

    def disc_at(self, square: int) -> Color | None:
        """Return the colour of the disc on a square 0..63, None if it is empty; raise InputError for another square."""
        number = integer_of(square, 0, 63)
        if number is None:
            raise InputError("square", square, "a number from 0 (a1) to 63 (h8)")
        bit = 1 << number
        if self.black & bit:
            return Color.BLACK
        return Color.WHITE if self.white & bit else None

    def transform(self, index: int) -> Position:
        """Return this position transformed by the symmetry `index` 0..7 (see `SYMMETRIES`); the colours stay the same."""
        return Position(transform_bits(self.mover, index), transform_bits(self.opponent, index), self.color)

    def symmetries(self) -> tuple[Position, ...]:
        """Return the eight images of this position in the order of their index; equal ones are repeated."""
        return tuple(self.transform(index) for index in SYMMETRIES)

    def canonical(self) -> tuple[Position, int]:
        """Return the representative of the eight images, and the index of the symmetry that transforms this position to
        it.

        It is the image with the smallest (mover, opponent); of equal images, the lowest index counts.
        """
        mover, opponent, index = kernel.canonical(self.mover, self.opponent)
        return Position(mover, opponent, self.color), index

    def canonical_afters(self) -> dict[int, tuple[int, int]]:
        """Return mover and opponent in the canonical image of the position after each legal move, the lowest square
        first; empty if the player to move must pass or the game is over.
        """
        return kernel.canonical_afters(self.mover, self.opponent)

    def to_string(self) -> str:
        """Return 64 cells of X, O and -, a space, and the side to move: the text that `parse` reads."""
        return str(self.board)

    def __repr__(self) -> str:
        return f"Position.parse({self.to_string()!r})"

    def __str__(self) -> str:
        """Return a drawing of the board with coordinates, row 1 at the top, the side to move and the disc counts below."""
        cells = self._cells(".")
        header = "  a b c d e f g h"
        rows = [f"{rank + 1} {' '.join(cells[8 * rank : 8 * rank + 8])} {rank + 1}" for rank in range(8)]
        counts = "X {}  O {}".format(*self.discs)
        turn = "game over" if self.is_over else f"{self.color.name.lower()} ({self.color.disc}) to move"
        return "\n".join([header, *rows, header, f"{turn}, {counts}"])

    def _repr_svg_(self) -> str:
        """Return a picture of the board; notebooks show it."""
        from othello_bot import svg  # a session never needs it

        return svg.board(self)

    def _cells(self, empty: str) -> list[str]:
        """Return the 64 cells as X, O or `empty`."""
        black, white = self.black, self.white
        return ["X" if black >> square & 1 else "O" if white >> square & 1 else empty for square in range(64)]


# `dataclass` takes the kernel's properties for the defaults of the fields.
for _field, _default in zip(fields(Position), (MISSING, MISSING, Color.BLACK), strict=True):
    _field.default = _default

kernel.register_positions(Position, *Color)

_START: Final = Position(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, Color.BLACK)
