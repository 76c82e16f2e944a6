"""Cython's view of lanes.h: the evaluation's vectors."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t


cdef extern from "lanes.h" nogil:
    enum:
        LANES
        TABLE_LANES
        CHANNELS
        ROW_BIAS
        ORDER_BLOCKS
        ORDER_LINES
        ORDER_STATES
    void lanes_update(
        int16_t *after, const int16_t *before, const int16_t (*placed)[LANES], int square, uint64_t flips)
    int lanes_sum_weights(const int16_t *table, const int32_t *offsets, const int16_t *features, int count)
    int lanes_order(
        const int8_t *table, const int16_t *before, const int16_t (*placed)[LANES], int square, uint64_t flips)
    void rows_places(uint32_t *places, const int32_t *offsets, const int32_t *leaf, int count)
    void rows_places_of_lanes(uint32_t *places, const int32_t *offsets, const int16_t *features, int count)
    void rows_sum(
        int16_t *sums, const int16_t *before, const uint8_t *rows, const uint32_t *places, int as_vectors, int count)
    int rows_place_of(int channel)
    int rows_sum_squares(const int16_t *sums, const int16_t *signs)
