"""The value behind `rules.Position`: a board and the side to move, with what loops in Python call often.

The kernel knows no colours, texts or errors.  rules/ derives its class, registers it, and makes the methods that raise.
"""

from copyreg import _slotnames as slot_names

from cpython.long cimport PyLong_AsLongAndOverflow, PyLong_AsUnsignedLongLong, PyLong_FromLong
from cpython.number cimport PyNumber_Index
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM

# The class of the positions that moves lead to, and what stands for 0 (black moves) and 1 (white moves).
cdef object position_class = None
cdef object black_side = 0
cdef object white_side = 1
cdef object not_given = object()


def register_positions(type positions, black, white) -> None:
    """Set the class of all new positions, a subclass of BasePosition, and the objects that its `color` has."""
    global position_class, black_side, white_side
    position_class, black_side, white_side = positions, black, white


def restored_position(type positions, uint64_t mover, uint64_t opponent, bint white, dict others) -> BasePosition:
    """Return a pickled position; `others` are the attributes that its subclass has added."""
    cdef BasePosition position = BasePosition.__new__(positions)
    position._mover, position._opponent, position._white, position._frozen = mover, opponent, white, True
    for name, value in others.items():
        object.__setattr__(position, name, value)
    return position


cdef inline BasePosition new_position(uint64_t mover, uint64_t opponent, bint white):
    cdef BasePosition position = BasePosition.__new__(position_class)
    position._mover, position._opponent, position._white, position._frozen = mover, opponent, white, True
    return position


cdef tuple squares_of(uint64_t bits):
    """Return the squares of a bitboard, lowest first."""
    cdef int index, count = bits_count(bits)
    cdef tuple squares = PyTuple_New(count)
    cdef object number
    for index in range(count):
        number = PyLong_FromLong(bits_first(bits))
        Py_INCREF(number)
        PyTuple_SET_ITEM(squares, index, number)
        bits &= bits - 1
    return squares


cdef class BasePosition:
    """A board seen from the player to move.

    Its values are set once, by `__init__`, or before `__post_init__` where a dataclass derives from it.  A subclass has
    `_refuse(mover, opponent, color)`, which raises for what is no position, and `_play_other(move)`, which plays or
    refuses what is not the number of a legal move.
    """

    cdef uint64_t _mover
    cdef uint64_t _opponent
    cdef bint _white
    cdef bint _frozen

    def __init__(self, mover, opponent, color=not_given):
        self.require_unset()
        self._mover, self._opponent = self.bitboard(mover), self.bitboard(opponent)
        self._white = self.side(black_side if color is not_given else color)
        BasePosition.__post_init__(self)

    def __post_init__(self):
        """Check that no square has two discs; the position does not change from then on."""
        if self._mover & self._opponent:
            self._refuse(self._mover, self._opponent, self.color)
        self._frozen = True

    cdef int require_unset(self) except -1:
        if self._frozen:
            raise AttributeError("a position does not change")
        return 0

    cdef uint64_t bitboard(self, bits) except? 0:
        try:
            return PyLong_AsUnsignedLongLong(bits if isinstance(bits, int) else PyNumber_Index(bits))
        except (OverflowError, TypeError):
            pass
        self._refuse(bits, 0, black_side)
        return 0

    cdef int side(self, color) except -1:
        if color is not black_side and color is not white_side:
            self._refuse(0, 0, color)
        return color is white_side

    @property
    def mover(self) -> int:
        """The bitboard of the discs of the player to move."""
        return self._mover

    @mover.setter
    def mover(self, bits):
        self.require_unset()
        self._mover = self.bitboard(bits)

    @property
    def opponent(self) -> int:
        """The bitboard of the opponent's discs."""
        return self._opponent

    @opponent.setter
    def opponent(self, bits):
        self.require_unset()
        self._opponent = self.bitboard(bits)

    @property
    def color(self):
        """The player to move."""
        return white_side if self._white else black_side

    @color.setter
    def color(self, side):
        self.require_unset()
        self._white = self.side(side)

    @property
    def black(self) -> int:
        """The bitboard of the black discs."""
        return self._opponent if self._white else self._mover

    @property
    def white(self) -> int:
        """The bitboard of the white discs."""
        return self._mover if self._white else self._opponent

    @property
    def empties(self) -> int:
        """The number of empty squares."""
        return 64 - bits_count(self._mover | self._opponent)

    @property
    def discs(self) -> tuple[int, int]:
        """The numbers of discs on the board: Black's, then White's. Empty squares count for nobody."""
        cdef int own = bits_count(self._mover), other = bits_count(self._opponent)
        return (other, own) if self._white else (own, other)

    @property
    def legal_bits(self) -> int:
        """The bitboard of the legal moves of the player to move; 0 without any."""
        return bits_legal_moves(self._mover, self._opponent)

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The squares where the player to move may play, lowest first; empty if he must pass or the game is over."""
        return squares_of(bits_legal_moves(self._mover, self._opponent))

    @property
    def is_over(self) -> bool:
        """Whether neither player has a legal move."""
        return (
            bits_legal_moves(self._mover, self._opponent) == 0 and bits_legal_moves(self._opponent, self._mover) == 0
        )

    @property
    def must_pass(self) -> bool:
        """Whether only the opponent has a legal move."""
        return (
            bits_legal_moves(self._mover, self._opponent) == 0 and bits_legal_moves(self._opponent, self._mover) != 0
        )

    def play(self, move):
        """Return the position after `move`: a square, PASS, or the name of either, like "f5".

        Raise IllegalMove if the rules forbid it; PASS is legal only if the opponent alone has a move. Raise
        NotationError if it does not name a move.
        """
        cdef uint64_t mover = self._mover, opponent = self._opponent
        cdef int overflow = 0
        cdef long square
        if isinstance(move, int):
            square = PyLong_AsLongAndOverflow(move, &overflow)
            if overflow == 0 and 0 <= square <= 64 and make_move(&mover, &opponent, square):
                return new_position(mover, opponent, not self._white)
        return self._play_other(move)

    def score(self) -> int:
        """Return the disc difference from the mover's view, with the empty squares counted for the winner."""
        return final_difference(self._mover, self._opponent)

    def black_score(self) -> int:
        """Return the disc difference from Black's view, with the empty squares counted for the winner."""
        cdef int score = final_difference(self._mover, self._opponent)
        return -score if self._white else score

    def __eq__(self, other):
        cdef BasePosition position
        if type(self) is not type(other):
            return NotImplemented
        position = <BasePosition>other
        return (
            self._mover == position._mover and self._opponent == position._opponent and self._white == position._white
        )

    def __hash__(self):
        cdef uint64_t state = self._mover, mixed
        mixed = next_random(&state) + self._opponent
        return <Py_hash_t>next_random(&mixed) ^ <Py_hash_t>self._white

    def __reduce__(self):
        """Return how to make the position again, with the attributes that a subclass has added."""
        others = dict(getattr(self, "__dict__", {}))
        for name in slot_names(type(self)):
            if hasattr(self, name):
                others[name] = getattr(self, name)
        return restored_position, (type(self), self._mover, self._opponent, self._white, others)
