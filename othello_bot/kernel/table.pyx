"""Memory of the transposition table; what runs at every node stands in table.pxd."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from othello_bot.kernel.bits cimport bits_allocate


cdef bint table_allocate(Table *table, uint64_t bytes) noexcept nogil:
    """Makes `table` as large as fits into `bytes`, empty; False and untouched where memory is lacking."""
    cdef uint64_t buckets = bytes // (BUCKET * sizeof(Entry))
    cdef uint64_t size
    cdef void *memory
    if buckets < 1:
        buckets = 1
    if buckets >> 32:
        buckets = (<uint64_t>1 << 32) - 1
    size = buckets * BUCKET * sizeof(Entry)
    memory = bits_allocate(size)
    if memory == NULL:
        return False
    memset(memory, 0, size)
    table.memory = memory
    table.entries = <Entry *>memory
    table.buckets = buckets
    table.age = 0
    return True


cdef void table_free(Table *table) noexcept nogil:
    free(table.memory)
    table.memory = NULL
    table.entries = NULL


cdef void table_clear(Table *table) noexcept nogil:
    memset(table.entries, 0, table.buckets * BUCKET * sizeof(Entry))
    table.age = 0


cdef void table_next_age(Table *table) noexcept nogil:
    """Entries of earlier searches stay readable, and are the first to be replaced."""
    table.age = table.age + (<uint64_t>1 << 32) & <uint64_t>0xff00000000
