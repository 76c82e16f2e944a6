"""The hand-made evaluation, in 1/EVALUATION_UNIT disc from the mover's view."""

from libc.stdint cimport uint64_t

cdef int handmade(uint64_t mover, uint64_t opponent) noexcept nogil
