/* What only intrinsics can say: bit counts, legal moves, flips, last-move counts, atomics and the clock.
 *
 * Squares are bits 0 (a1) to 63 (h8).  Every vector branch has a portable one beside it with the same result; the branch is
 * chosen by what the compiler was told of the machine (-march=native, or what OTHELLO_BOT_ARCH says; see setup.py).
 * Each extension module that includes this header calls bits_init() once when it is imported: it fills the tables below. */
#ifndef OTHELLO_BOT_BITS_H
#define OTHELLO_BOT_BITS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(__AVX2__) || defined(__BMI2__) || defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512CD__)
#define BITS_AVX512 1
#define BITS_BRANCH "avx512"
#elif defined(__AVX2__)
#define BITS_BRANCH "avx2"
#else
#define BITS_BRANCH "portable"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define BITS_INLINE static inline __attribute__((always_inline))
#define BITS_UNUSED __attribute__((unused))
#define bits_likely(x) __builtin_expect(!!(x), 1)
#define bits_unlikely(x) __builtin_expect(!!(x), 0)
#define bits_prefetch(p) __builtin_prefetch(p)
#define bits_count(x) __builtin_popcountll(x)
#define bits_first(x) __builtin_ctzll(x)
#define bits_leading_zeros(x) __builtin_clzll(x)
#define bits_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define bits_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define bits_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define bits_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define bits_add(p, v) __atomic_add_fetch((p), (v), __ATOMIC_ACQ_REL)
BITS_INLINE int bits_swap_if(int *p, int expected, int desired) {
    return __atomic_compare_exchange_n(p, &expected, desired, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
#else
#error "othello-bot's kernel needs GCC or Clang"
#endif

/* One turn of a waiting loop: tells the processor that nothing is lost by waiting. */
BITS_INLINE void bits_pause(void) {
#if defined(__SSE2__)
    _mm_pause();
#endif
}

/* Memory for free(), aligned to a cache line and, where it is large, on huge pages if the system has them: who reads at random
 * places would miss the address cache as well as the data cache with small ones.  NULL where memory is lacking. */
static BITS_UNUSED void *bits_allocate(uint64_t size) {
    const uint64_t huge = 1ULL << 21, unit = size < huge ? 64 : huge;
    void *memory = aligned_alloc(unit, (size + unit - 1) / unit * unit);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (memory && unit == huge) (void)madvise(memory, (size + unit - 1) / unit * unit, MADV_HUGEPAGE);
#endif
    return memory;
}

BITS_INLINE int64_t bits_now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Rays from each square: 0 to 3 towards higher bits (east, south, south-east, south-west), 4 to 7 the opposite ways. */
static uint64_t bits_rays[64][8] __attribute__((aligned(64), unused));
/* Full lines through each square, without the square's own row (a shift gives it): column, both diagonals. */
static uint64_t bits_lines[64][4] BITS_UNUSED;
/* Place of the square in the line as compressed by bits_project: row, column, falling diagonal, rising diagonal. */
static uint8_t bits_places[64][4] BITS_UNUSED;
/* Discs flipped on a line of eight where the mover plays at `place`, owns `discs`, and all other squares are the opponent's. */
static uint8_t bits_line_counts[8][256] BITS_UNUSED;

#if defined(__BMI2__)
#define bits_project(x, line, kind) _pext_u64((x), (line))
#else
/* A column is gathered by a multiplication that moves its bits to the top byte, a diagonal by one that adds its bits, each in a
 * file of its own, into the top byte. */
BITS_INLINE uint64_t bits_project_column(uint64_t x, uint64_t line) {
    return (((x & line) >> bits_first(line)) * 0x0102040810204080ULL) >> 56;
}
BITS_INLINE uint64_t bits_project_diagonal(uint64_t x, uint64_t line) { return ((x & line) * 0x0101010101010101ULL) >> 56; }
#define bits_project(x, line, kind) ((kind) == 1 ? bits_project_column((x), (line)) : bits_project_diagonal((x), (line)))
#endif

static BITS_UNUSED void bits_init(void) {
    static const int step_x[4] = {1, 0, 1, -1}, step_y[4] = {0, 1, 1, 1};
    for (int square = 0; square < 64; square++) {
        int x0 = square & 7, y0 = square >> 3;
        for (int direction = 0; direction < 8; direction++) {
            int sign = direction < 4 ? 1 : -1, dx = sign * step_x[direction & 3], dy = sign * step_y[direction & 3];
            uint64_t ray = 0;
            for (int x = x0 + dx, y = y0 + dy; x >= 0 && x < 8 && y >= 0 && y < 8; x += dx, y += dy) ray |= 1ULL << (8 * y + x);
            bits_rays[square][direction] = ray;
        }
        for (int kind = 0; kind < 4; kind++) {
            uint64_t line = bits_rays[square][kind] | bits_rays[square][kind + 4] | 1ULL << square;
            bits_lines[square][kind] = line;
#if defined(__BMI2__)
            bits_places[square][kind] = (uint8_t)bits_count(line & ((1ULL << square) - 1));
#else
            bits_places[square][kind] = (uint8_t)(kind == 1 ? y0 : x0);
#endif
        }
    }
    for (int place = 0; place < 8; place++)
        for (int discs = 0; discs < 256; discs++) {
            int count = 0;
            for (int i = place + 1; i < 8; i++)
                if (discs >> i & 1) { count += i - place - 1; break; }
            for (int i = place - 1; i >= 0; i--)
                if (discs >> i & 1) { count += place - i - 1; break; }
            bits_line_counts[place][discs] = (uint8_t)count;
        }
}

/* Legal moves of the mover, by parallel prefix (Kogge-Stone) in all directions. */
BITS_INLINE uint64_t bits_legal_moves(uint64_t mover, uint64_t opponent) {
#if defined(__AVX2__)
    const __m256i step = _mm256_set_epi64x(7, 9, 8, 1), step2 = _mm256_set_epi64x(14, 18, 16, 2);
    const __m256i inside = _mm256_set_epi64x(0x7e7e7e7e7e7e7e7eLL, 0x7e7e7e7e7e7e7e7eLL, -1LL, 0x7e7e7e7e7e7e7e7eLL);
    __m256i p = _mm256_set1_epi64x((long long)mover), o = _mm256_and_si256(_mm256_set1_epi64x((long long)opponent), inside);
    __m256i up = _mm256_and_si256(o, _mm256_sllv_epi64(p, step)), down = _mm256_and_si256(o, _mm256_srlv_epi64(p, step));
    up = _mm256_or_si256(up, _mm256_and_si256(o, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(o, _mm256_srlv_epi64(down, step)));
    __m256i pair_up = _mm256_and_si256(o, _mm256_sllv_epi64(o, step)), pair_down = _mm256_srlv_epi64(pair_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srlv_epi64(down, step2)));
    up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srlv_epi64(down, step2)));
    __m256i all = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    half = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    return (uint64_t)_mm_cvtsi128_si64(half) & ~(mover | opponent);
#else
    static const int steps[4] = {1, 8, 9, 7};
    uint64_t moves = 0, inner = opponent & 0x7e7e7e7e7e7e7e7eULL;
    for (int i = 0; i < 4; i++) {
        int s = steps[i];
        uint64_t o = s == 8 ? opponent : inner, pair = o & o << s;
        uint64_t run = o & mover << s;
        run |= o & run << s;
        run |= pair & run << 2 * s;
        run |= pair & run << 2 * s;
        moves |= run << s;
        pair >>= s;
        run = o & mover >> s;
        run |= o & run >> s;
        run |= pair & run >> 2 * s;
        run |= pair & run >> 2 * s;
        moves |= run >> s;
    }
    return moves & ~(mover | opponent);
#endif
}

/* Discs flipped by the mover's disc on an empty square; 0 where the move is illegal.
 *
 * Towards higher bits a carry that runs through the opponent's discs lands on the first other square; towards lower bits the
 * count of leading zeros finds it (with AVX2 alone, where there is none, a smear along the ray). */
BITS_INLINE uint64_t bits_flips(int square, uint64_t mover, uint64_t opponent) {
#if defined(__AVX2__)
    const __m256i p = _mm256_set1_epi64x((long long)mover), o = _mm256_set1_epi64x((long long)opponent);
    const __m256i up = _mm256_load_si256((const __m256i *)bits_rays[square]);
    const __m256i down = _mm256_load_si256((const __m256i *)(bits_rays[square] + 4));
    const __m256i ones = _mm256_set1_epi64x(-1);
#if defined(BITS_AVX512)
    __m256i flank = _mm256_sub_epi64(_mm256_ternarylogic_epi64(o, up, up, 0xf3), ones); /* (o | ~up) + 1 */
    flank = _mm256_ternarylogic_epi64(flank, up, p, 0x80);
    __m256i flipped_up = _mm256_maskz_add_epi64(_mm256_test_epi64_mask(flank, flank), flank, ones);
    __m256i zeros = _mm256_lzcnt_epi64(_mm256_andnot_si256(o, down));
    __m256i flank2 = _mm256_and_si256(_mm256_srlv_epi64(_mm256_set1_epi64x(INT64_MIN), zeros), p);
    __m256i flipped_down = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(flank2, flank2));
    __m256i all = _mm256_ternarylogic_epi64(_mm256_and_si256(flipped_up, up), flipped_down, down, 0xf8);
#else
    __m256i flank = _mm256_sub_epi64(_mm256_or_si256(o, _mm256_xor_si256(up, ones)), ones);
    flank = _mm256_and_si256(_mm256_and_si256(flank, up), p);
    const __m256i none = _mm256_cmpeq_epi64(flank, _mm256_setzero_si256());
    __m256i flipped_up = _mm256_and_si256(_mm256_andnot_si256(none, _mm256_add_epi64(flank, ones)), up);
    const __m256i step = _mm256_set_epi64x(7, 9, 8, 1);
    __m256i beyond = _mm256_andnot_si256(o, down);
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, _mm256_slli_epi64(step, 1)));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, _mm256_slli_epi64(step, 2)));
    __m256i run = _mm256_andnot_si256(beyond, down);
    __m256i end = _mm256_and_si256(_mm256_and_si256(_mm256_andnot_si256(run, _mm256_srlv_epi64(run, step)), down), p);
    __m256i flipped_down = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, _mm256_setzero_si256()), run);
    __m256i all = _mm256_or_si256(flipped_up, flipped_down);
#endif
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    half = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    return (uint64_t)_mm_cvtsi128_si64(half);
#else
    uint64_t flipped = 0;
    const uint64_t *rays = bits_rays[square];
    for (int i = 0; i < 4; i++) {
        uint64_t ray = rays[i], flank = ((opponent | ~ray) + 1) & ray & mover;
        flipped |= (flank - (flank != 0)) & ray;
        ray = rays[i + 4];
        uint64_t other = ray & ~opponent;
        flank = other ? 0x8000000000000000ULL >> bits_leading_zeros(other) & mover : 0;
        flipped |= (0 - 2 * flank) & ray;
    }
    return flipped;
#endif
}

/* Number of discs flipped by the mover's disc on the only empty square of the board. */
BITS_INLINE int bits_last_flips(int square, uint64_t mover) {
    const uint64_t *lines = bits_lines[square];
    const uint8_t *places = bits_places[square];
    return bits_line_counts[square & 7][mover >> (square & 56) & 255] + bits_line_counts[places[1]][bits_project(mover, lines[1], 1)] +
           bits_line_counts[places[2]][bits_project(mover, lines[2], 2)] + bits_line_counts[places[3]][bits_project(mover, lines[3], 3)];
}

/* Pattern indices (BITS_LANES of them) of the position after a move, as its mover sees them: the negated sum of the indices before, of
 * what the new disc adds, and of twice what each flipped disc adds (it turns from -1 to +1).  Stored in the pieces in
 * which bits_sum_weights loads them, so that the processor can hand them over without waiting for the cache. */
#define BITS_LANES 96
#define BITS_TABLE_LANES 32
typedef int16_t bits_lanes __attribute__((vector_size(32), aligned(2), may_alias));
BITS_INLINE void bits_update_features(int16_t *after, const int16_t *before, const int16_t (*placed)[BITS_LANES], int square, uint64_t flips) {
    const bits_lanes *row = (const bits_lanes *)placed[square], *old = (const bits_lanes *)before;
    bits_lanes *new = (bits_lanes *)after;
    bits_lanes base0 = old[0] + row[0], base1 = old[1] + row[1], base2 = old[2] + row[2];
    bits_lanes base3 = old[3] + row[3], base4 = old[4] + row[4], base5 = old[5] + row[5];
    bits_lanes sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0}, sum4 = {0}, sum5 = {0};
    while (flips) {
        row = (const bits_lanes *)placed[bits_first(flips)];
        flips &= flips - 1;
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

/* Sum of table[offsets[i] + features[i]] over the first BITS_TABLE_LANES lanes.  Gathering takes 32 bits at a time, of which the lower 16 count, so one
 * entry more than the table has must be readable behind it; lanes in excess point at an entry that is zero. */
BITS_INLINE int bits_sum_weights(const int16_t *table, const int32_t *offsets, const int16_t *features) {
#if defined(BITS_AVX512) && defined(__AVX512BW__)
    __m512i sum = _mm512_setzero_si512();
    for (int i = 0; i < BITS_TABLE_LANES; i += 16) {
        __m512i index = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(features + i)));
        index = _mm512_add_epi32(index, _mm512_loadu_si512(offsets + i));
        __m512i weights = _mm512_i32gather_epi32(index, table, 2);
        sum = _mm512_add_epi32(sum, _mm512_srai_epi32(_mm512_slli_epi32(weights, 16), 16));
    }
    return _mm512_reduce_add_epi32(sum);
#else
    int sum = 0;
    for (int i = 0; i < BITS_TABLE_LANES; i++) sum += table[offsets[i] + features[i]];
    return sum;
#endif
}

/* The moves in each quarter of the board (a1, h1, a8, h8) as a set: of its outer two ranks those on four files, of its inner two
 * ranks those on the outer two files, the lowest square in bit 0. */
BITS_INLINE void bits_move_sets(uint64_t moves, int32_t *sets) {
#if defined(__BMI2__)
    sets[0] = (int32_t)_pext_u64(moves, 0x0000000003030f0fULL);
    sets[1] = (int32_t)_pext_u64(moves, 0x00000000c0c0f0f0ULL);
    sets[2] = (int32_t)_pext_u64(moves, 0x0f0f030300000000ULL);
    sets[3] = (int32_t)_pext_u64(moves, 0xf0f0c0c000000000ULL);
#else
    for (int right = 0; right < 2; right++) {
        const uint32_t low = (uint32_t)moves, high = (uint32_t)(moves >> 32);
        uint32_t outer = low >> 4 * right & 0x0f0f, inner = low >> (16 + 6 * right) & 0x0303;
        sets[right] = (int32_t)(((outer | outer >> 4) & 0xff) | ((inner | inner >> 6) & 15) << 8);
        outer = high >> (16 + 4 * right) & 0x0f0f, inner = high >> 6 * right & 0x0303;
        sets[2 + right] = (int32_t)(((outer | outer >> 4) & 0xff) << 4 | ((inner | inner >> 6) & 15));
    }
#endif
}

#define BITS_CHANNELS 32

/* Where the rows with the numbers offsets[i] + leaf[i] begin.  One after the other: the numbers were just written one by one, and
 * loading several of them as a vector would wait until those writes have reached the cache. */
BITS_INLINE void bits_row_places(uint32_t *places, const int32_t *offsets, const int32_t *leaf, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t place = BITS_CHANNELS * (uint32_t)(offsets[i] + leaf[i]);
        __asm__("" : "+r"(place));
        places[i] = place;
    }
}

/* The sums `before` and the rows (BITS_CHANNELS bytes each) that begin at `places`, added channel by channel; an even number of
 * them.  Two rows are added as bytes first: their numbers stay within patterns.LARGEST_FACTOR. */
typedef int8_t bits_bytes __attribute__((vector_size(16), aligned(1), may_alias));
BITS_INLINE void bits_add_rows(int16_t *sums, const int16_t *before, const int8_t *rows, const uint32_t *places, int count) {
#if defined(BITS_AVX512) && defined(__AVX512BW__)
    __m512i sum = _mm512_loadu_si512(before);
    for (int i = 0; i < count; i += 2) {
        const __m256i row = _mm256_loadu_si256((const __m256i *)(rows + places[i]));
        const __m256i next = _mm256_loadu_si256((const __m256i *)(rows + places[i + 1]));
        sum = _mm512_add_epi16(sum, _mm512_cvtepi8_epi16(_mm256_add_epi8(row, next)));
    }
    _mm512_storeu_si512(sums, sum);
#else
    for (int half = 0; half < BITS_CHANNELS; half += 16) {
        bits_lanes sum = *(const bits_lanes *)(before + half);
        for (int i = 0; i < count; i += 2) {
            const bits_bytes pair = *(const bits_bytes *)(rows + places[i] + half) + *(const bits_bytes *)(rows + places[i + 1] + half);
#if defined(__AVX2__)
            sum += (bits_lanes)_mm256_cvtepi8_epi16((__m128i)pair);
#else
            sum += __builtin_convertvector(pair, bits_lanes);
#endif
        }
        *(bits_lanes *)(sums + half) = sum;
    }
#endif
}

/* The same for the rows with the numbers offsets[i] + features[i] of up to 64 lanes.  Their places are worked out together, as
 * vectors, before the first is used. */
BITS_INLINE void bits_sum_rows(int16_t *sums, const int16_t *before, const int8_t *rows, const int32_t *offsets, const int16_t *features, int count) {
    uint32_t places[64];
    for (int i = 0; i < count; i++) places[i] = BITS_CHANNELS * (uint32_t)(offsets[i] + features[i]);
    bits_add_rows(sums, before, rows, places, count);
}

/* Sum of the squares of the sums, each with its sign. */
BITS_INLINE int bits_sum_squares(const int16_t *sums, const int16_t *signs) {
#if defined(__AVX2__)
    __m256i squares = _mm256_setzero_si256();
    for (int i = 0; i < BITS_CHANNELS; i += 16) {
        const __m256i s = _mm256_loadu_si256((const __m256i *)(sums + i));
        const __m256i signed_sums = _mm256_sign_epi16(s, _mm256_loadu_si256((const __m256i *)(signs + i)));
        squares = _mm256_add_epi32(squares, _mm256_madd_epi16(s, signed_sums));
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(squares), _mm256_extracti128_si256(squares, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1)));
#else
    int sum = 0;
    for (int i = 0; i < BITS_CHANNELS; i++) sum += sums[i] * sums[i] * signs[i];
    return sum;
#endif
}

#endif
