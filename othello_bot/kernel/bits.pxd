"""Cython's view of bits.h: bit counts, legal moves, flips, atomics and the clock."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint32_t, uint64_t


cdef extern from "bits.h" nogil:
    const char *BITS_BRANCH
    void bits_init()
    int bits_likely(int condition)
    int bits_unlikely(int condition)
    void bits_prefetch(const void *address)
    int bits_count(uint64_t bits)
    int bits_first(uint64_t bits)
    uint64_t bits_legal_moves(uint64_t mover, uint64_t opponent)
    uint64_t bits_flips(int square, uint64_t mover, uint64_t opponent)
    int bits_last_flips(int square, uint64_t mover)
    uint64_t bits_load64 "bits_load" (const uint64_t *place)
    void bits_store64 "bits_store" (uint64_t *place, uint64_t value)
    int bits_load(int *place)
    void bits_store(int *place, int value)
    int bits_load_acquire(int *place)
    void bits_store_release(int *place, int value)
    int bits_add(int *place, int value)
    int bits_swap_if(int *place, int expected, int desired)
    void bits_pause()
    void *bits_allocate(uint64_t size)
    int64_t bits_now_ns()
    enum:
        BITS_LANES
        BITS_TABLE_LANES
        BITS_CHANNELS
    void bits_update_features(int16_t *after, const int16_t *before, const int16_t (*placed)[BITS_LANES], int square, uint64_t flips)
    void bits_move_sets(uint64_t moves, int32_t *sets)
    void bits_row_places(uint32_t *places, const int32_t *offsets, const int32_t *leaf, int count)
    void bits_add_rows(int16_t *sums, const int16_t *before, const int8_t *rows, const uint32_t *places, int count)
    void bits_sum_rows(int16_t *sums, const int16_t *before, const int8_t *rows, const int32_t *offsets, const int16_t *features, int count)
    int bits_sum_squares(const int16_t *sums, const int16_t *signs)
    int bits_sum_weights(const int16_t *table, const int32_t *offsets, const int16_t *features)
