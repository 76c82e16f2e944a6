"""Principal variations: the line of best moves from each ply, kept by the worker that found it."""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from othello_bot.kernel.root_move cimport PV_LENGTH
from othello_bot.kernel.worker cimport Worker


cdef inline void set_pv_move(Worker *worker, int ply, int move) noexcept nogil:
    """Set the worker's line at `ply` to the single `move`."""
    worker.pv[ply][0] = <uint8_t>move
    worker.pv_length[ply] = 1


cdef inline void set_pv(Worker *owner, int ply, int move, Worker *finder) noexcept nogil:
    """Set the owner's line at `ply` to `move`, followed by the finder's line at the next ply."""
    cdef int length = finder.pv_length[ply + 1]
    if length > PV_LENGTH - 1:
        length = PV_LENGTH - 1
    owner.pv[ply][0] = <uint8_t>move
    memcpy(&owner.pv[ply][1], finder.pv[ply + 1], length)
    owner.pv_length[ply] = length + 1
