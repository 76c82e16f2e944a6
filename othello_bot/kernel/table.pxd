"""The transposition table: shared between threads without locks.

An entry is two words, `check` and `data`, with check = key ^ data; a torn pair (half of one write, half of another) therefore
fails the comparison with the key and is not believed (R. Hyatt and T. Mann, "A lock-less transposition-table implementation",
2002).  The key is a full 64-bit hash of the position beside an independent second hash that chooses the bucket.

data, from the low byte: lower bound + 64, upper bound + 64, first move, second move, age, 0, and depth * 8 + selectivity
index as one 16-bit word, so that a comparison of the top word compares how much work an entry holds.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from othello_bot.kernel.bits cimport bits_load64, bits_prefetch, bits_store64

cdef enum:
    BUCKET = 4           # entries that share a 64-byte cache line
    NO_MOVE = 255        # in a stored move: none

cdef struct Entry:
    uint64_t check
    uint64_t data

cdef struct Table:
    Entry *entries       # aligned to the cache line
    void *memory         # what free() takes
    uint64_t buckets     # any number below 2**32
    uint64_t age         # of the current search, 0 to 255, shifted to its place in `data`

# What a probe found, as a copy: nobody holds a pointer into the shared table.
cdef struct Found:
    int lower
    int upper
    int first_move
    int second_move
    int depth
    int selectivity


cdef inline uint64_t table_key(uint64_t mover, uint64_t opponent) noexcept nogil:
    cdef uint64_t key = mover * <uint64_t>0x9E3779B97F4A7C15 + (opponent * <uint64_t>0xD1B54A32D192ED03 ^ opponent >> 31)
    key ^= key >> 32
    key *= <uint64_t>0xDABA0B6EB09322E3
    return key ^ key >> 29


cdef inline Entry *table_bucket(const Table *table, uint64_t mover, uint64_t opponent) noexcept nogil:
    cdef uint64_t place = (mover ^ mover >> 30) * <uint64_t>0xBF58476D1CE4E5B9 ^ (opponent ^ opponent >> 27) * <uint64_t>0x94D049BB133111EB
    place *= <uint64_t>0xFF51AFD7ED558CCD
    return table.entries + BUCKET * ((place >> 32) * table.buckets >> 32)


cdef inline void table_prefetch(const Table *table, uint64_t mover, uint64_t opponent) noexcept nogil:
    bits_prefetch(table_bucket(table, mover, opponent))


cdef inline bint table_probe(const Table *table, uint64_t mover, uint64_t opponent, Found *found) noexcept nogil:
    """Copies what is known of the position; False (and nothing copied) where it is not stored."""
    cdef const Entry *entry = table_bucket(table, mover, opponent)
    cdef uint64_t key = table_key(mover, opponent), data
    cdef int i
    for i in range(BUCKET):
        data = bits_load64(&entry[i].data)
        if (bits_load64(&entry[i].check) ^ data) == key and data != 0:
            found.lower = <int>(data & 255) - 64
            found.upper = <int>(data >> 8 & 255) - 64
            found.first_move = <int>(data >> 16 & 255)
            found.second_move = <int>(data >> 24 & 255)
            found.depth = <int>(data >> 51)
            found.selectivity = <int>(data >> 48 & 7)
            return True
    return False


cdef inline void table_write(Entry *entry, uint64_t key, uint64_t data) noexcept nogil:
    bits_store64(&entry.check, key ^ data)
    bits_store64(&entry.data, data)


cdef inline void table_store(
    Table *table, uint64_t mover, uint64_t opponent, int depth, int selectivity, int alpha, int beta, int score, int move
) noexcept nogil:
    """Stores the outcome of a search with window alpha, beta (score: fail-soft, mover's view, discs).

    Same position and same work: the bounds are narrowed.  More work than before, or an entry of an earlier search: replaced.
    Less work than what is stored: only the move is noted.
    """
    cdef Entry *bucket = table_bucket(table, mover, opponent)
    cdef Entry *entry
    cdef Entry *victim = bucket
    cdef uint64_t key = table_key(mover, opponent), data, work = depth * 8 + selectivity, value, least = ~<uint64_t>0
    cdef int lower = score if score > alpha else -64, upper = score if score < beta else 64
    cdef int i, old_lower, old_upper, first, second
    for i in range(BUCKET):
        entry = bucket + i
        data = bits_load64(&entry.data)
        if (bits_load64(&entry.check) ^ data) == key and data != 0:
            first = <int>(data >> 16 & 255)
            second = <int>(data >> 24 & 255)
            if score > alpha or first == NO_MOVE:
                if move != first:
                    second = first
                    first = move
            if data >> 48 == work:
                old_lower = <int>(data & 255) - 64
                old_upper = <int>(data >> 8 & 255) - 64
                if old_lower > lower:
                    lower = old_lower
                if old_upper < upper:
                    upper = old_upper
                if lower > upper:   # selective searches may contradict each other: the newer one is believed
                    lower = score if score > alpha else -64
                    upper = score if score < beta else 64
            elif data >> 48 > work and (data & <uint64_t>0xff00000000) == table.age:
                lower = <int>(data & 255) - 64
                upper = <int>(data >> 8 & 255) - 64
                work = data >> 48
            data = <uint64_t>(lower + 64) | <uint64_t>(upper + 64) << 8 | <uint64_t>first << 16 | <uint64_t>second << 24 | table.age | work << 48
            table_write(entry, key, data)
            return
        value = data >> 48 | <uint64_t>((data & <uint64_t>0xff00000000) == table.age) << 16
        if data == 0:
            value = 0
        if value < least:
            least = value
            victim = entry
    data = <uint64_t>(lower + 64) | <uint64_t>(upper + 64) << 8 | <uint64_t>move << 16 | <uint64_t>NO_MOVE << 24 | table.age | work << 48
    table_write(victim, key, data)


cdef bint table_allocate(Table *table, uint64_t bytes) noexcept nogil
cdef void table_free(Table *table) noexcept nogil
cdef void table_clear(Table *table) noexcept nogil
cdef void table_next_age(Table *table) noexcept nogil
