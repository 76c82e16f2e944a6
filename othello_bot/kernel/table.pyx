"""Memory of the transposition table; what runs at every node stands in table.pxd."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from othello_bot.kernel.machine cimport machine_allocate


cdef bint table_allocate(Table *table, uint64_t bytes) noexcept nogil:
    """Make `table` empty and as large as fits into `bytes`; return False, and change nothing, without that memory."""
    cdef uint64_t buckets = bytes // (BUCKET * sizeof(Entry))
    cdef uint64_t size
    cdef void *memory
    if buckets < 1:
        buckets = 1
    if buckets >> 32:
        buckets = (<uint64_t>1 << 32) - 1
    size = buckets * BUCKET * sizeof(Entry)
    memory = machine_allocate(size)
    if memory == NULL:
        return False
    memset(memory, 0, size)
    table.entries = <Entry *>memory
    table.buckets = buckets
    table.age = 0
    return True


cdef void table_free(Table *table) noexcept nogil:
    """Free the table's memory."""
    free(table.entries)
    table.entries = NULL


cdef void table_clear(Table *table) noexcept nogil:
    """Remove all entries."""
    memset(table.entries, 0, table.buckets * BUCKET * sizeof(Entry))
    table.age = 0


cdef void table_next_age(Table *table) noexcept nogil:
    """Begin a new search: entries of earlier ones stay readable, and are the first to be replaced."""
    table.age = age_of(table.age + (<uint64_t>1 << AGE_SHIFT))
