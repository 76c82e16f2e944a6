"""The moves of a node, one at a time: those that the table remembers first, then the others, best first."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.bits cimport bits_first, bits_flips
from othello_bot.kernel.score cimport MOST_MOVES
from othello_bot.kernel.table cimport NO_MOVE
from othello_bot.kernel.worker cimport Candidate, Worker

cdef enum Stage:
    FIRST_STORED         # the last best move that the table remembers
    SECOND_STORED        # the one before it
    ORDERING             # a stored move often cuts: the others are put in order only now
    REMAINING            # the others, best first

cdef struct MovePicker:
    Candidate moves[MOST_MOVES]      # as generated; from REMAINING on the other moves, best first
    int count
    int next                         # index of the next move, in stage REMAINING
    Stage stage
    int first_stored, second_stored  # squares, or NO_MOVE

cdef void order_moves(
    MovePicker *picker, Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int depth, int empties,
    bint with_stored,
) noexcept nogil


cdef inline void generate_moves(MovePicker *picker, uint64_t moves, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Fill the picker with the legal moves, with their flips, and make it begin."""
    cdef int square
    picker.count = 0
    picker.next = 0
    picker.stage = FIRST_STORED
    while moves:
        square = bits_first(moves)
        moves &= moves - 1
        picker.moves[picker.count].square = square
        picker.moves[picker.count].flips = bits_flips(square, mover, opponent)
        picker.count += 1


cdef inline Candidate *next_move(
    MovePicker *picker, Worker *worker, int ply, uint64_t mover, uint64_t opponent, int alpha, int depth, int empties
) noexcept nogil:
    """Return the next move, or NULL after the last.  It stays where it is until the next call."""
    cdef int i, square
    while picker.stage < ORDERING:
        if picker.stage == FIRST_STORED:
            square = picker.first_stored
            picker.stage = SECOND_STORED
        else:
            square = picker.second_stored if picker.second_stored != picker.first_stored else NO_MOVE
            picker.stage = ORDERING
        if square != NO_MOVE:
            for i in range(picker.count):
                if picker.moves[i].square == square:
                    return &picker.moves[i]
    if picker.stage == ORDERING:
        order_moves(picker, worker, ply, mover, opponent, alpha, depth, empties, False)
        picker.stage = REMAINING
    if picker.next == picker.count:
        return NULL
    picker.next += 1
    return &picker.moves[picker.next - 1]


cdef inline bint only_ordered_left(const MovePicker *picker) noexcept nogil:
    """Return whether the last move taken and at least one more stand in order from it on."""
    return picker.stage == REMAINING and picker.next < picker.count
