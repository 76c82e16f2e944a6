/* The evaluation's vectors: pattern indices in lanes, weights looked up by them, and rows of factors in channels.
 *
 * Every vector branch has a portable one beside it with the same result. */
#ifndef OTHELLO_BOT_LANES_H
#define OTHELLO_BOT_LANES_H

#include "bits.h"

#define LANES 96       /* pattern indices of a position, spare lanes included */
#define TABLE_LANES 32 /* those for the tables of weights; the others are for the rows of factors */
#define CHANNELS 32    /* numbers in a row of factors */

#if defined(__AVX2__)
#define REGISTER_LANES 16
#else
#define REGISTER_LANES 8
#endif

/* GCC keeps a vector that is wider than the registers in memory when a loop carries it. */
typedef int16_t lanes_register __attribute__((vector_size(2 * REGISTER_LANES), aligned(2), may_alias));
typedef int16_t lanes_vector __attribute__((vector_size(32), aligned(2), may_alias));
typedef int8_t lanes_bytes __attribute__((vector_size(16), aligned(1), may_alias));

/* Pattern indices of the position after a move, as its mover sees them: the negated sum of the indices before, of what
 * the new disc adds, and of twice what each flipped disc adds (it turns from -1 to +1).  Six registers at a time: all
 * lanes with AVX2, else half of them.  With AVX-512 too, the stores are the pieces in which lanes_sum_weights loads
 * them, so that the processor can forward them without waiting for the cache. */
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

/* Sum of table[offsets[i] + features[i]] over the first TABLE_LANES lanes.  A gather reads 32 bits at a time, of which
 * the lower 16 count: one more entry than the table has must be readable.  Spare lanes point at an entry of zero. */
BITS_INLINE int lanes_sum_weights(const int16_t *table, const int32_t *offsets, const int16_t *features) {
#if defined(BITS_AVX512) && defined(__AVX512BW__)
    __m512i sum = _mm512_setzero_si512();
    for (int i = 0; i < TABLE_LANES; i += 16) {
        __m512i index = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(features + i)));
        index = _mm512_add_epi32(index, _mm512_loadu_si512(offsets + i));
        __m512i weights = _mm512_i32gather_epi32(index, table, 2);
        sum = _mm512_add_epi32(sum, _mm512_srai_epi32(_mm512_slli_epi32(weights, 16), 16));
    }
    return _mm512_reduce_add_epi32(sum);
#else
    int sum = 0;
    for (int i = 0; i < TABLE_LANES; i++) sum += table[offsets[i] + features[i]];
    return sum;
#endif
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

/* Adds the rows (CHANNELS bytes each) that begin at `places`, an even number of them, to the sums `before`, channel by
 * channel.  Two rows are added as bytes first: their numbers stay within patterns.LARGEST_FACTOR. */
BITS_INLINE void rows_add(
    int16_t *sums, const int16_t *before, const int8_t *rows, const uint32_t *places, int count) {
#if defined(BITS_AVX512) && defined(__AVX512BW__)
    __m512i sum = _mm512_loadu_si512(before);
    for (int i = 0; i < count; i += 2) {
        const __m256i row = _mm256_loadu_si256((const __m256i *)(rows + places[i]));
        const __m256i next = _mm256_loadu_si256((const __m256i *)(rows + places[i + 1]));
        sum = _mm512_add_epi16(sum, _mm512_cvtepi8_epi16(_mm256_add_epi8(row, next)));
    }
    _mm512_storeu_si512(sums, sum);
#elif defined(BITS_NEON)
    int16x8_t sum0 = vld1q_s16(before), sum1 = vld1q_s16(before + 8);
    int16x8_t sum2 = vld1q_s16(before + 16), sum3 = vld1q_s16(before + 24);
    for (int i = 0; i < count; i += 2) {
        const int8_t *row = rows + places[i], *next = rows + places[i + 1];
        const int8x16_t low = vaddq_s8(vld1q_s8(row), vld1q_s8(next));
        const int8x16_t high = vaddq_s8(vld1q_s8(row + 16), vld1q_s8(next + 16));
        sum0 = vaddw_s8(sum0, vget_low_s8(low));
        sum1 = vaddw_high_s8(sum1, low);
        sum2 = vaddw_s8(sum2, vget_low_s8(high));
        sum3 = vaddw_high_s8(sum3, high);
    }
    vst1q_s16(sums, sum0);
    vst1q_s16(sums + 8, sum1);
    vst1q_s16(sums + 16, sum2);
    vst1q_s16(sums + 24, sum3);
#else
    for (int half = 0; half < CHANNELS; half += 16) {
        lanes_vector sum = *(const lanes_vector *)(before + half);
        for (int i = 0; i < count; i += 2) {
            const lanes_bytes *row = (const lanes_bytes *)(rows + places[i] + half);
            const lanes_bytes pair = *row + *(const lanes_bytes *)(rows + places[i + 1] + half);
#if defined(__AVX2__)
            sum += (lanes_vector)_mm256_cvtepi8_epi16((__m128i)pair);
#else
            sum += __builtin_convertvector(pair, lanes_vector);
#endif
        }
        *(lanes_vector *)(sums + half) = sum;
    }
#endif
}

/* The same for the rows with the numbers offsets[i] + features[i] of up to 64 lanes.  Their places are computed
 * together, as vectors, before the first is used. */
BITS_INLINE void rows_sum(
    int16_t *sums, const int16_t *before, const int8_t *rows, const int32_t *offsets, const int16_t *features,
    int count) {
    uint32_t places[64];
    for (int i = 0; i < count; i++) places[i] = CHANNELS * (uint32_t)(offsets[i] + features[i]);
    rows_add(sums, before, rows, places, count);
}

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
#else
    int sum = 0;
    for (int i = 0; i < CHANNELS; i++) sum += sums[i] * (int16_t)(sums[i] * signs[i]);
    return sum;
#endif
}

#endif
