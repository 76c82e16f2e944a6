"""When a search has to end: its deadline, its node limit, a stop from outside, or a decision at a node above."""

from libc.stdint cimport uint64_t

from othello_bot.kernel.machine cimport atomic_load, atomic_swap_if, machine_now_ns
from othello_bot.kernel.worker cimport Worker

cdef enum:
    CHECK_NODES = 1024        # nodes between two checks of the clock: a millisecond on a machine ten times slower
    # What Control.stop is, other than 0:
    STOP_ASKED = 1            # somebody asked for it, perhaps before the search began: only arm() takes it back
    LIMIT_REACHED = 2         # the deadline or the node limit: this ends with the search


cdef inline void check_time(Worker *worker) noexcept nogil:
    """Raise the stop flag when the deadline or the node limit has been reached, and schedule the next check."""
    cdef uint64_t limit = worker.control.node_limit
    worker.next_check = worker.nodes + CHECK_NODES
    if limit != 0:
        if worker.nodes >= limit:
            atomic_swap_if(&worker.control.stop, 0, LIMIT_REACHED)
        elif worker.next_check > limit:
            worker.next_check = limit
    if worker.control.deadline_ns != 0 and machine_now_ns() >= worker.control.deadline_ns:
        atomic_swap_if(&worker.control.stop, 0, LIMIT_REACHED)


cdef inline bint stopped(Worker *worker) noexcept nogil:
    """Return whether the search was stopped, or what the worker searches is not needed any more."""
    return atomic_load(&worker.control.stop) or atomic_load(&worker.abandoned)
