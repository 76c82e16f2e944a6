/* The evaluation's vectors: pattern indices in lanes, weights looked up by them, and rows of factors in channels.
 *
 * Every vector branch has a portable one beside it with the same result. */
#ifndef OTHELLO_BOT_LANES_H
#define OTHELLO_BOT_LANES_H

#include "bits.h"
#include <string.h>

#define LANES 96       /* pattern indices of a position, spare lanes included */
#define TABLE_LANES 32 /* those for the tables of weights; the others are for the rows of factors */
#define ORDER_BLOCKS (TABLE_LANES + 4) /* from here on eight lanes of corner blocks, */
#define ORDER_LINES (TABLE_LANES + 20) /* and from here on four of edges, then four of second rows: see lanes_order */
#define ORDER_STATES 6561              /* of each of these patterns */
#define CHANNELS 32    /* numbers in a row of factors */
#define ROW_BIAS 64    /* added to each of them in memory; patterns.LARGEST_FACTOR is less */

#if defined(__AVX2__)
#define REGISTER_LANES 16
#else
#define REGISTER_LANES 8
#endif
#define ROW_REGISTERS (CHANNELS / (2 * REGISTER_LANES)) /* that hold a row of factors */

/* GCC keeps a vector that is wider than the registers in memory when a loop carries it. */
typedef int16_t lanes_register __attribute__((vector_size(2 * REGISTER_LANES), aligned(2), may_alias));
typedef int16_t lanes_vector __attribute__((vector_size(32), aligned(2), may_alias));
typedef uint8_t rows_bytes __attribute__((vector_size(2 * REGISTER_LANES), aligned(1), may_alias));
typedef uint16_t rows_words __attribute__((vector_size(2 * REGISTER_LANES), aligned(1), may_alias));

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "othello-bot's rows of factors need a little-endian processor"
#endif

/* Pattern indices of the position after a move, as its mover sees them: the negated sum of the indices before, of what
 * the new disc adds, and of twice what each flipped disc adds (it turns from -1 to +1).  Six registers at a time: all
 * lanes with AVX2, else half of them. */
BITS_INLINE void lanes_update(
    int16_t *after, const int16_t *before, const int16_t (*placed)[LANES], int square, uint64_t flips) {
    for (int first = 0; first < LANES; first += 6 * REGISTER_LANES) {
        const lanes_register *row = (const lanes_register *)(placed[square] + first);
        const lanes_register *old = (const lanes_register *)(before + first);
        lanes_register *new = (lanes_register *)(after + first);
        lanes_register base0 = old[0] + row[0], base1 = old[1] + row[1], base2 = old[2] + row[2];
        lanes_register base3 = old[3] + row[3], base4 = old[4] + row[4], base5 = old[5] + row[5];
        lanes_register sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0}, sum4 = {0}, sum5 = {0};
        for (uint64_t left = flips; left; left &= left - 1) {
            row = (const lanes_register *)(placed[bits_first(left)] + first);
            sum0 += row[0];
            sum1 += row[1];
            sum2 += row[2];
            sum3 += row[3];
            sum4 += row[4];
            sum5 += row[5];
        }
        new[0] = -(base0 + sum0 + sum0);
        new[1] = -(base1 + sum1 + sum1);
        new[2] = -(base2 + sum2 + sum2);
        new[3] = -(base3 + sum3 + sum3);
        new[4] = -(base4 + sum4 + sum4);
        new[5] = -(base5 + sum5 + sum5);
    }
}

/* Sum of table[offsets[i] + features[i]] over the first `count` lanes, of which each four in turn have the same offset.
 * One by one: AVX-512's gathers made `bench` 2 % slower on a Sapphire Rapids. */
BITS_INLINE int lanes_sum_weights(const int16_t *table, const int32_t *offsets, const int16_t *features, int count) {
    int sum = 0;
#pragma GCC unroll 8
    for (int i = 0; i < count; i += 4) {
        const int16_t *weights = table + offsets[i];
        sum += weights[features[i]] + weights[features[i + 1]] + weights[features[i + 2]] + weights[features[i + 3]];
    }
    return sum;
}

/* Sum of the numbers of `table` for the corner blocks, edges and second rows of the position after a move, as its mover
 * sees them.  `table`: those of all states of a corner block, of an edge and of a second row. */
BITS_INLINE int lanes_order(
    const int8_t *table, const int16_t *before, const int16_t (*placed)[LANES], int square, uint64_t flips) {
    typedef int16_t eight_lanes __attribute__((vector_size(16), aligned(2), may_alias));
    eight_lanes blocks = {0}, lines = {0};
    int16_t after[16];
    for (uint64_t left = flips; left; left &= left - 1) {
        const int16_t *row = placed[bits_first(left)];
        blocks += *(const eight_lanes *)(row + ORDER_BLOCKS);
        lines += *(const eight_lanes *)(row + ORDER_LINES);
    }
    blocks += blocks + *(const eight_lanes *)(before + ORDER_BLOCKS);
    lines += lines + *(const eight_lanes *)(before + ORDER_LINES);
    *(eight_lanes *)after = -(blocks + *(const eight_lanes *)(placed[square] + ORDER_BLOCKS));
    *(eight_lanes *)(after + 8) = -(lines + *(const eight_lanes *)(placed[square] + ORDER_LINES));
    const int8_t *block = table + ORDER_STATES / 2, *edge = block + ORDER_STATES, *second = edge + ORDER_STATES;
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += block[after[i]];
    for (int i = 8; i < 12; i++) sum += edge[after[i]] + second[after[i + 4]];
    return sum;
}

/* Where the rows with the numbers offsets[i] + leaf[i] begin.  One by one: the numbers were just written one by one, so
 * loading several of them as a vector would wait until those writes have reached the cache. */
BITS_INLINE void rows_places(uint32_t *places, const int32_t *offsets, const int32_t *leaf, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t place = CHANNELS * (uint32_t)(offsets[i] + leaf[i]);
        __asm__("" : "+r"(place));
        places[i] = place;
    }
}

/* The same for the numbers offsets[i] + features[i] of lanes, all together as vectors. */
BITS_INLINE void rows_places_of_lanes(uint32_t *places, const int32_t *offsets, const int16_t *features, int count) {
    for (int i = 0; i < count; i++) places[i] = CHANNELS * (uint32_t)(offsets[i] + features[i]);
}

/* Sums of the rows (CHANNELS bytes each) that begin at `places`, an even number of them, channel by channel, on top of
 * `before`.  The numbers of a row are kept with ROW_BIAS added, so that none is negative: two rows add up in bytes, and
 * each pair of bytes is a word, low + 256 * high.  Adding the words and their high halves is enough to tell the sums of
 * both, and takes fewer steps than to widen every byte.  `before` and `sums` hold the low bytes' channels, 0, 2, 4,
 * ..., in front of the high ones': see rows_place_of.
 *
 * Loads set the pace: the first `as_vectors` places, an even number of them that were written as vectors, are read two
 * at a time; a read over two separate writes would wait for both.  In WebAssembly, to take them apart costs more than to
 * read each.  A prefetch of each row would be one more load. */
BITS_INLINE void rows_sum(
    int16_t *sums, const int16_t *before, const uint8_t *rows, const uint32_t *places, int as_vectors, int count) {
    rows_words words[ROW_REGISTERS] = {{0}}, high[ROW_REGISTERS] = {{0}};
#pragma GCC unroll 33
    for (int i = 0; i < count; i += 2) {
        uint64_t place = places[i], next = places[i + 1];
#if !defined(BITS_WASM)
        if (i < as_vectors) {
            memcpy(&next, places + i, sizeof(next));
            __asm__("" : "+r"(next));
            place = (uint32_t)next;
            next >>= 32;
        }
#endif
        const rows_bytes *row = (const rows_bytes *)(rows + place), *other = (const rows_bytes *)(rows + next);
        for (int k = 0; k < ROW_REGISTERS; k++) {
            const rows_words pair = (rows_words)(row[k] + other[k]);
            words[k] += pair;
            high[k] += pair >> 8;
        }
    }
    for (int k = 0; k < ROW_REGISTERS; k++) {
        ((rows_words *)sums)[k] = ((const rows_words *)before)[k] + (words[k] - (high[k] << 8));
        ((rows_words *)(sums + CHANNELS / 2))[k] = ((const rows_words *)(before + CHANNELS / 2))[k] + high[k];
    }
}

/* Where the sum of a channel stands: both halves of a word are summed apart. */
BITS_INLINE int rows_place_of(int channel) { return channel / 2 + channel % 2 * (CHANNELS / 2); }

/* Sum of the squares of the sums, each with its sign. */
BITS_INLINE int rows_sum_squares(const int16_t *sums, const int16_t *signs) {
#if defined(__AVX2__)
    __m256i squares = _mm256_setzero_si256();
    for (int i = 0; i < CHANNELS; i += 16) {
        const __m256i s = _mm256_loadu_si256((const __m256i *)(sums + i));
        const __m256i signed_sums = _mm256_sign_epi16(s, _mm256_loadu_si256((const __m256i *)(signs + i)));
        squares = _mm256_add_epi32(squares, _mm256_madd_epi16(s, signed_sums));
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(squares), _mm256_extracti128_si256(squares, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1)));
#elif defined(BITS_WASM)
    v128_t squares = wasm_i32x4_splat(0);
    for (int i = 0; i < CHANNELS; i += 8) {
        const v128_t s = wasm_v128_load(sums + i), signed_sums = wasm_i16x8_mul(s, wasm_v128_load(signs + i));
        squares = wasm_i32x4_add(squares, wasm_i32x4_dot_i16x8(s, signed_sums));
    }
    squares = wasm_i32x4_add(squares, wasm_i32x4_shuffle(squares, squares, 2, 3, 0, 1));
    return wasm_i32x4_extract_lane(squares, 0) + wasm_i32x4_extract_lane(squares, 1);
#elif defined(BITS_NEON)
    int32x4_t squares = vdupq_n_s32(0);
    for (int i = 0; i < CHANNELS; i += 8) {
        const int16x8_t s = vld1q_s16(sums + i), signed_sums = vmulq_s16(s, vld1q_s16(signs + i));
        squares = vmlal_s16(squares, vget_low_s16(s), vget_low_s16(signed_sums));
        squares = vmlal_high_s16(squares, s, signed_sums);
    }
    return vaddvq_s32(squares);
#else
    int sum = 0;
    for (int i = 0; i < CHANNELS; i++) sum += sums[i] * (int16_t)(sums[i] * signs[i]);
    return sum;
#endif
}

#endif
