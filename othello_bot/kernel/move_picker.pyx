"""Putting the moves of a midgame node in order."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.evaluation cimport evaluate_fine, update
from othello_bot.kernel.factors cimport EVALUATION_UNIT
from othello_bot.kernel.geometry cimport bit
from othello_bot.kernel.ordering cimport corner_order, mobility_order
from othello_bot.kernel.search cimport search
from othello_bot.kernel.worker cimport Candidate, Worker

cdef enum:
    BY_MOBILITY = -1            # ordering depths: without a static value,
    BY_STATIC_VALUE = 0         # with it; above, with a search of so many plies
    HALF_REPLY_WORTH = 128      # in 1/EVALUATION_UNIT disc (fewest nodes at 20 empties)
    WIPE_OUT = 1 << 24          # above every other value: the move takes the opponent's last disc


cdef inline int ordering_depth(int depth, int empties) noexcept nogil:
    """Return the depth of the searches that order the moves of a node, in plies, or one of the constants above."""
    if depth < empties:
        if depth < 3:
            return BY_MOBILITY
        return (depth - 4) // 3 if depth > 6 else BY_STATIC_VALUE
    return (empties - 14) // 6 if empties >= 14 else BY_MOBILITY


cdef inline int order_value(
    Worker *worker, int ply, uint64_t next_mover, uint64_t next_opponent, int square, int depth
) noexcept nogil:
    """Return how good a move looks: its value at the ordering depth, and how little it leaves to the opponent."""
    cdef int value = mobility_order(next_mover, next_opponent) * HALF_REPLY_WORTH
    if depth == BY_STATIC_VALUE:
        worker.nodes += 1
        return value - evaluate_fine(worker, ply + 1, next_mover, next_opponent)
    if depth > BY_STATIC_VALUE:
        return value - search(worker, ply + 1, next_mover, next_opponent, -64, 64, depth, 0) * EVALUATION_UNIT
    return value + corner_order(square) * HALF_REPLY_WORTH


cdef void order_moves(
    MovePicker *picker, Worker *worker, int ply, uint64_t mover, uint64_t opponent, int depth, int empties
) noexcept nogil:
    """Leave the moves that the table does not remember, best first; of equal ones the lower square."""
    cdef Candidate candidate
    cdef uint64_t next_mover, next_opponent
    cdef int search_depth = ordering_depth(depth, empties), count = 0, i, place
    for i in range(picker.count):
        candidate = picker.moves[i]
        if candidate.square == picker.first_stored or candidate.square == picker.second_stored:
            continue
        next_mover = opponent ^ candidate.flips
        next_opponent = mover ^ candidate.flips | bit(candidate.square)
        if next_mover == 0:
            candidate.value = WIPE_OUT
        else:
            if search_depth != BY_MOBILITY:
                update(worker, ply, candidate.square, candidate.flips)
            candidate.value = order_value(worker, ply, next_mover, next_opponent, candidate.square, search_depth)
        place = count
        while place > 0 and picker.moves[place - 1].value < candidate.value:
            picker.moves[place] = picker.moves[place - 1]
            place -= 1
        picker.moves[place] = candidate
        count += 1
    picker.count = count
