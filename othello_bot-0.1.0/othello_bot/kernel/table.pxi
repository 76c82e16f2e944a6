"""The transposition table: shared between threads without locks.

An entry is two words, `check` and `data`, with check = key ^ data; a torn pair (half of one write, half of another)
fails the comparison with the key and is not believed (R. Hyatt and T. Mann, "A lock-less transposition-table
implementation", 2002).  The key is a full 64-bit hash of the position; an independent second hash chooses the bucket.

data, from the low byte: lower bound + 64, upper bound + 64, first move, second move, age, 0, and the work as a 16-bit
word: depth * 8 + selectivity_index.  Comparing the top words of two entries compares the work they hold.
"""

cdef enum:
    BUCKET = 4           # entries that share a 64-byte cache line
    NO_MOVE = 255        # no move is stored
    AGE_SHIFT = 32
    WORK_SHIFT = 48

cdef struct Entry:
    uint64_t check
    uint64_t data

cdef struct Table:
    Entry *entries       # aligned to the cache line; for free()
    uint64_t capacity    # buckets that fit into the memory, any number below 2**32
    uint64_t buckets     # those in use, the first ones
    uint64_t age         # of the current search, 0 to 255, shifted to its place in `data`

# What a probe found, as a copy: no pointer into the shared table is kept.
cdef struct Found:
    int lower
    int upper
    int first_move
    int second_move
    int depth
    int selectivity_index


cdef inline uint64_t table_key(uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the hash that identifies a position."""
    cdef uint64_t key = opponent * <uint64_t>0xD1B54A32D192ED03 ^ opponent >> 31
    key += mover * <uint64_t>0x9E3779B97F4A7C15
    key ^= key >> 32
    key *= <uint64_t>0xDABA0B6EB09322E3
    return key ^ key >> 29


cdef inline Entry *table_bucket(const Table *table, uint64_t mover, uint64_t opponent) noexcept nogil:
    """Return the first of the entries where a position may be stored."""
    cdef uint64_t place = (mover ^ mover >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    place ^= (opponent ^ opponent >> 27) * <uint64_t>0x94D049BB133111EB
    place *= <uint64_t>0xFF51AFD7ED558CCD
    return table.entries + BUCKET * ((place >> 32) * table.buckets >> 32)


cdef inline int lower_of(uint64_t data) noexcept nogil:
    return <int>(data & 255) - 64


cdef inline int upper_of(uint64_t data) noexcept nogil:
    return <int>(data >> 8 & 255) - 64


cdef inline int first_move_of(uint64_t data) noexcept nogil:
    return <int>(data >> 16 & 255)


cdef inline int second_move_of(uint64_t data) noexcept nogil:
    return <int>(data >> 24 & 255)


cdef inline uint64_t age_of(uint64_t data) noexcept nogil:
    return data & <uint64_t>0xff << AGE_SHIFT


cdef inline uint64_t packed(int lower, int upper, int first, int second, uint64_t age, uint64_t work) noexcept nogil:
    """Return the data word of an entry; `age` is already in its place."""
    return (
        <uint64_t>(lower + 64) | <uint64_t>(upper + 64) << 8 | <uint64_t>first << 16 | <uint64_t>second << 24 | age
        | work << WORK_SHIFT
    )


cdef inline bint table_probe(const Entry *entry, uint64_t key, Found *found) noexcept nogil:
    """Copy what a bucket knows of the position with this key; return False, and copy nothing, where it is not stored.
    """
    cdef uint64_t data
    cdef int i
    for i in range(BUCKET):
        data = atomic_load64(&entry[i].data)
        if (atomic_load64(&entry[i].check) ^ data) == key and data != 0:
            found.lower = lower_of(data)
            found.upper = upper_of(data)
            found.first_move = first_move_of(data)
            found.second_move = second_move_of(data)
            found.depth = <int>(data >> (WORK_SHIFT + 3))
            found.selectivity_index = <int>(data >> WORK_SHIFT & 7)
            return True
    return False


cdef inline void table_write(Entry *entry, uint64_t key, uint64_t data) noexcept nogil:
    """Write an entry."""
    atomic_store64(&entry.check, key ^ data)
    atomic_store64(&entry.data, data)


cdef inline uint64_t merged(
    const Table *table, uint64_t data, uint64_t work, int alpha, int beta, int score, int move
) noexcept nogil:
    """Return an entry's data brought up to date with the outcome of another search of the same position."""
    cdef int lower = score if score > alpha else -64, upper = score if score < beta else 64
    cdef int first = first_move_of(data), second = second_move_of(data)
    if score > alpha or first == NO_MOVE:
        if move != first:
            second = first
            first = move
    if data >> WORK_SHIFT == work:
        if lower_of(data) > lower:
            lower = lower_of(data)
        if upper_of(data) < upper:
            upper = upper_of(data)
        if lower > upper:   # selective searches may contradict each other: the newer one is believed
            lower = score if score > alpha else -64
            upper = score if score < beta else 64
    elif data >> WORK_SHIFT > work and age_of(data) == table.age:
        lower = lower_of(data)
        upper = upper_of(data)
        work = data >> WORK_SHIFT
    return packed(lower, upper, first, second, table.age, work)


cdef inline void table_store(
    const Table *table, Entry *bucket, uint64_t key, int depth, int selectivity_index, int alpha, int beta, int score,
    int move,
) noexcept nogil:
    """Store the outcome of a search with window alpha, beta (score: fail-soft, mover's view, discs) in its bucket.

    An entry of the same position and work gets narrower bounds; one of less work or of an earlier search is replaced;
    one of more work keeps its bounds, and only the move is noted.  A new position takes the place of the entry in its
    bucket with the least work, entries of earlier searches first.
    """
    cdef Entry *victim = bucket
    cdef uint64_t work = depth * 8 + selectivity_index, least = ~<uint64_t>0, data, value
    cdef int i
    require(depth >= 1 and depth <= 60 and score >= -64 and score <= 64 and (move == NO_MOVE or move < 64))
    for i in range(BUCKET):
        data = atomic_load64(&bucket[i].data)
        if (atomic_load64(&bucket[i].check) ^ data) == key and data != 0:
            table_write(&bucket[i], key, merged(table, data, work, alpha, beta, score, move))
            return
        value = data >> WORK_SHIFT | <uint64_t>(age_of(data) == table.age) << 16
        if data == 0:
            value = 0
        if value < least:
            least = value
            victim = &bucket[i]
    table_write(victim, key, packed(
        score if score > alpha else -64, score if score < beta else 64, move, NO_MOVE, table.age, work
    ))


cdef inline void table_place(Table *table, void *memory, uint64_t buckets) noexcept nogil:
    """Make zeroed memory an empty table of so many buckets."""
    table.entries = <Entry *>memory
    table.capacity = table.buckets = buckets
    table.age = 0


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
    table_place(table, memory, buckets)
    return True


cdef void table_free(Table *table) noexcept nogil:
    """Free the table's memory."""
    free(table.entries)
    table.entries = NULL


cdef void table_clear(Table *table, uint64_t part) noexcept nogil:
    """Remove all entries, and use one `part`-th of the capacity from now on.

    Where that divides the capacity, each of its buckets stands for `part` buckets of the whole one.
    """
    table.buckets = max(<uint64_t>1, table.capacity // part)
    memset(table.entries, 0, table.buckets * BUCKET * sizeof(Entry))
    table.age = 0


cdef bint table_has_full_bucket(const Table *table) noexcept nogil:
    """Return whether a bucket is full: the next position there takes another one's place, or one has done so.

    Entries are taken from the first one on.
    """
    cdef uint64_t i
    for i in range(table.buckets):
        if table.entries[BUCKET * i + BUCKET - 1].data != 0:
            return True
    return False


cdef void table_next_age(Table *table) noexcept nogil:
    """Begin a new search: entries of earlier ones stay readable, and are the first to be replaced."""
    table.age = age_of(table.age + (<uint64_t>1 << AGE_SHIFT))
