/* What only intrinsics can say about bit boards: bit counts, legal moves, flips and the flips of a last move.
 *
 * Squares are bits 0 (a1) to 63 (h8).  Every vector branch has a portable one beside it with the same result; the
 * compiler's target selects the branch, which setup.py sets for each variant of the kernel.  The tables below are
 * static: each extension module that uses flips calls bits_init() once when it is imported. */
#ifndef OTHELLO_BOT_BITS_H
#define OTHELLO_BOT_BITS_H

#include <stdint.h>

#if defined(__AVX2__) || defined(__BMI2__) || defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512CD__)
#define BITS_AVX512 1
#define BITS_BRANCH "avx512"
#elif defined(__AVX2__)
#define BITS_BRANCH "avx2"
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define BITS_NEON 1
#define BITS_BRANCH "neon"
#elif defined(__wasm_simd128__)
#define BITS_WASM 1
#define BITS_BRANCH "wasm"
#else
#define BITS_BRANCH "portable"
#endif

/* pext is fast on every processor with AVX-512.  AMD's Zen 1 and Zen 2, which have AVX2, take several steps for each
 * bit (Agner Fog's instruction tables): with it, `bench` took a third more time on a Zen 1. */
#if defined(BITS_AVX512) && defined(__BMI2__)
#define BITS_PEXT 1
#endif

#if !defined(__GNUC__) && !defined(__clang__)
#error "othello-bot's kernel needs GCC or Clang"
#endif
#define BITS_INLINE static inline __attribute__((always_inline, unused))
#define BITS_UNUSED __attribute__((unused))
#define bits_count(x) __builtin_popcountll(x)
#define bits_first(x) __builtin_ctzll(x)
#define bits_leading_zeros(x) __builtin_clzll(x)

/* Rays from each square: 0 to 3 towards higher bits (east, south, south-east, south-west), 4 to 7 the opposite ways. */
static uint64_t bits_rays[64][8] __attribute__((aligned(64), unused));
/* The set of each square alone: loaded as an operand, it costs less than a shift and a move between registers. */
static uint64_t bits_squares[64] BITS_UNUSED;
/* Full lines through each square, without the square's own row (a shift gives it): column, both diagonals. */
static uint64_t bits_lines[64][4] BITS_UNUSED;
/* Place of the square in the line as compressed by bits_project: row, column, falling diagonal, rising diagonal. */
static uint8_t bits_places[64][4] BITS_UNUSED;
/* Discs flipped on a line of eight where the mover plays at `place` and owns `discs`, and the opponent all the rest. */
static uint8_t bits_line_counts[8][256] BITS_UNUSED;

#if defined(BITS_PEXT)
#define bits_project(x, line, kind) _pext_u64((x), (line))
#else
/* A multiplication moves the bits of a column to the top byte, or adds those of a diagonal, each in a file of its own,
 * into the top byte. */
BITS_INLINE uint64_t bits_project_column(uint64_t x, uint64_t line) {
    return (((x & line) >> bits_first(line)) * 0x0102040810204080ULL) >> 56;
}
BITS_INLINE uint64_t bits_project_diagonal(uint64_t x, uint64_t line) {
    return ((x & line) * 0x0101010101010101ULL) >> 56;
}
#define bits_project(x, line, kind) \
    ((kind) == 1 ? bits_project_column((x), (line)) : bits_project_diagonal((x), (line)))
#endif

#if defined(BITS_WASM)
/* A board, and the same with its ranks in reverse order: what leads towards lower bits along columns and diagonals leads
 * towards higher ones there.  WebAssembly shifts both lanes alike, and cannot reverse bits. */
typedef uint64_t bits_pair __attribute__((vector_size(16)));

BITS_INLINE bits_pair bits_pair_of(uint64_t board) {
    const v128_t both = wasm_i64x2_splat((int64_t)board);
    return (bits_pair)wasm_i8x16_shuffle(both, both, 0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8);
}

/* The squares of either board of a pair. */
BITS_INLINE uint64_t bits_of_pair(bits_pair pair) {
    const v128_t p = (v128_t)pair;
    return ((bits_pair)wasm_v128_or(p, wasm_i8x16_shuffle(p, p, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)))[0];
}

/* Rays of both boards of a pair towards higher bits: south, south-east, south-west of the square, and of its mirror image. */
static bits_pair bits_pair_rays[64][3] BITS_UNUSED;
#endif

/* Fills the tables above. */
static BITS_UNUSED void bits_init(void) {
    static const int step_x[4] = {1, 0, 1, -1}, step_y[4] = {0, 1, 1, 1};
    for (int square = 0; square < 64; square++) {
        int x0 = square & 7, y0 = square >> 3;
        bits_squares[square] = 1ULL << square;
        for (int direction = 0; direction < 8; direction++) {
            int sign = direction < 4 ? 1 : -1, dx = sign * step_x[direction & 3], dy = sign * step_y[direction & 3];
            uint64_t ray = 0;
            for (int x = x0 + dx, y = y0 + dy; x >= 0 && x < 8 && y >= 0 && y < 8; x += dx, y += dy)
                ray |= 1ULL << (8 * y + x);
            bits_rays[square][direction] = ray;
        }
        for (int kind = 0; kind < 4; kind++) {
            uint64_t line = bits_rays[square][kind] | bits_rays[square][kind + 4] | 1ULL << square;
            bits_lines[square][kind] = line;
#if defined(BITS_PEXT)
            bits_places[square][kind] = (uint8_t)bits_count(line & ((1ULL << square) - 1));
#else
            bits_places[square][kind] = (uint8_t)(kind == 1 ? y0 : x0);
#endif
        }
    }
#if defined(BITS_WASM)
    for (int square = 0; square < 64; square++)
        for (int kind = 1; kind < 4; kind++)
            bits_pair_rays[square][kind - 1] = (bits_pair){bits_rays[square][kind], bits_rays[square ^ 56][kind]};
#endif
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

/* One side's discs as flips and moves take them: a word, or with AVX2 the word in all four lanes of a register.
 * What a move flips then leads to the next position without a way through the other registers. */
#if defined(__AVX2__)
typedef __m256i bits_board;
BITS_INLINE bits_board bits_board_of(uint64_t discs) { return _mm256_set1_epi64x((long long)discs); }
BITS_INLINE uint64_t bits_of_board(bits_board board) {
    return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(board));
}
BITS_INLINE bits_board bits_xor(bits_board a, bits_board b) { return _mm256_xor_si256(a, b); }
#else
typedef uint64_t bits_board;
#define bits_board_of(discs) (discs)
#define bits_of_board(board) (board)
#define bits_xor(a, b) ((a) ^ (b))
#endif

/* The mover's legal moves among the empty squares, and any others; by parallel prefix (Kogge-Stone). */
BITS_INLINE uint64_t bits_board_moves(bits_board mover, bits_board opponent) {
#if defined(__AVX2__)
    const __m256i step = _mm256_set_epi64x(7, 9, 8, 1), step2 = _mm256_set_epi64x(14, 18, 16, 2);
    const __m256i inside = _mm256_set_epi64x(0x7e7e7e7e7e7e7e7eLL, 0x7e7e7e7e7e7e7e7eLL, -1LL, 0x7e7e7e7e7e7e7e7eLL);
    const __m256i o = _mm256_and_si256(opponent, inside);
    __m256i up = _mm256_and_si256(o, _mm256_sllv_epi64(mover, step));
    __m256i down = _mm256_and_si256(o, _mm256_srlv_epi64(mover, step));
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
    return (uint64_t)_mm_cvtsi128_si64(half);
#elif defined(BITS_WASM)
    static const int steps[3] = {8, 9, 7};
    const uint64_t inner = opponent & 0x7e7e7e7e7e7e7e7eULL, pair_left = inner & inner >> 1;
    const bits_pair p = bits_pair_of(mover), both = bits_pair_of(opponent), both_inner = both & 0x7e7e7e7e7e7e7e7eULL;
    bits_pair moves = {0};
    for (int i = 0; i < 3; i++) {
        int s = steps[i];
        bits_pair o = s == 8 ? both : both_inner, pair = o & o << s;
        bits_pair run = o & p << s;
        run |= o & run << s;
        run |= pair & run << 2 * s;
        run |= pair & run << 2 * s;
        moves |= run << s;
    }
    uint64_t left = inner & mover >> 1;
    left |= inner & left >> 1;
    left |= pair_left & left >> 2;
    left |= pair_left & left >> 2;
    /* To the right, a carry runs through each run that begins beside a disc of the mover's. */
    const uint64_t right = (inner + (inner & mover << 1)) & ~inner;
    return bits_of_pair(moves) | left >> 1 | right;
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
    return moves;
#endif
}

/* Legal moves of the mover. */
BITS_INLINE uint64_t bits_legal_moves(uint64_t mover, uint64_t opponent) {
    return bits_board_moves(bits_board_of(mover), bits_board_of(opponent)) & ~(mover | opponent);
}

#if defined(BITS_NEON)
/* The board turned by half a circle. */
BITS_INLINE uint64_t bits_turned(uint64_t board) {
    __asm__("rbit %0, %0" : "+r"(board));
    return board;
}

/* Discs flipped on two rays towards higher bits; `others` are the squares without a disc of the opponent's. */
BITS_INLINE uint64x2_t bits_flips_up(uint64x2_t ray, uint64x2_t mover, uint64x2_t others) {
    const uint64x2_t ends = vandq_u64(ray, others); /* a run of the opponent's discs ends at the lowest of these */
    const uint64x2_t lowest = vreinterpretq_u64_s64(vnegq_s64(vreinterpretq_s64_u64(ends)));
    const uint64x2_t flank = vandq_u64(vandq_u64(ray, mover), lowest);
    return vandq_u64(vqsubq_u64(flank, vdupq_n_u64(1)), ray);
}
#endif

/* The discs of a side after its move. */
BITS_INLINE bits_board bits_after(bits_board mover, bits_board flips, int square) {
    return bits_xor(bits_xor(mover, flips), bits_board_of(bits_squares[square]));
}

/* Discs flipped by the mover's disc on an empty square; 0 where the move is illegal.
 *
 * Towards higher bits a carry that runs through the opponent's discs lands on the first other square; towards lower
 * bits the count of leading zeros finds it, or a smear along the ray with AVX2 alone, which has no such count. */
BITS_INLINE bits_board bits_board_flips(int square, bits_board mover, bits_board opponent) {
#if defined(__AVX2__)
    const __m256i p = mover, o = opponent;
    const __m256i up = _mm256_load_si256((const __m256i *)bits_rays[square]);
    const __m256i down = _mm256_load_si256((const __m256i *)(bits_rays[square] + 4));
    __m256i ones = _mm256_set1_epi64x(-1);
#if defined(BITS_AVX512)
    __asm__("" : "+x"(ones)); /* GCC would add a 1 from a general register instead of subtracting this */
    __m256i flank = _mm256_sub_epi64(_mm256_ternarylogic_epi64(o, up, up, 0xf3), ones); /* (o | ~up) + 1 */
    flank = _mm256_ternarylogic_epi64(flank, up, p, 0x80);
    __m256i flipped_up = _mm256_srlv_epi64(ones, _mm256_lzcnt_epi64(flank)); /* 0 without a flank */
    flipped_up = _mm256_ternarylogic_epi64(flipped_up, up, o, 0x80);
    __m256i zeros = _mm256_lzcnt_epi64(_mm256_andnot_si256(o, down));
    __m256i flank2 = _mm256_and_si256(_mm256_srlv_epi64(_mm256_slli_epi64(ones, 63), zeros), p);
    __m256i flipped_down = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(flank2, flank2));
    __m256i all = _mm256_ternarylogic_epi64(flipped_up, flipped_down, down, 0xf8);
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
    all = _mm256_or_si256(all, _mm256_permute2x128_si256(all, all, 1));
    return _mm256_or_si256(all, _mm256_shuffle_epi32(all, 0x4e));
#elif defined(BITS_NEON)
    const uint64_t *up = bits_rays[square], *down = bits_rays[63 - square];
    const uint64x2_t p = vdupq_n_u64(mover), turned_p = vdupq_n_u64(bits_turned(mover));
    const uint64x2_t q = vdupq_n_u64(~opponent), turned_q = vdupq_n_u64(bits_turned(~opponent));
    const uint64x2_t all_up = vorrq_u64(
        bits_flips_up(vld1q_u64(up), p, q), bits_flips_up(vld1q_u64(up + 2), p, q));
    const uint64x2_t all_down = vorrq_u64(
        bits_flips_up(vld1q_u64(down), turned_p, turned_q), bits_flips_up(vld1q_u64(down + 2), turned_p, turned_q));
    return vpaddd_u64(all_up) | bits_turned(vpaddd_u64(all_down));
#elif defined(BITS_WASM)
    const bits_pair p = bits_pair_of(mover), o = bits_pair_of(opponent);
    bits_pair pair = {0};
    for (int i = 0; i < 3; i++) {
        const bits_pair ray = bits_pair_rays[square][i], flank = -(ray & ~o) & (ray & p);
        pair |= (flank - 1) & ray & ~(bits_pair)(flank == 0);
    }
    const uint64_t right = bits_rays[square][0], left = bits_rays[square][4], other = left & ~opponent;
    uint64_t flank = -(right & ~opponent) & right & mover;
    uint64_t flipped = bits_of_pair(pair) | ((flank - (flank != 0)) & right);
    flank = other ? 0x8000000000000000ULL >> bits_leading_zeros(other) & mover : 0;
    return flipped | ((0 - 2 * flank) & left);
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

BITS_INLINE uint64_t bits_flips(int square, uint64_t mover, uint64_t opponent) {
    return bits_of_board(bits_board_flips(square, bits_board_of(mover), bits_board_of(opponent)));
}

/* Number of discs flipped by the mover's disc on the only empty square of the board. */
BITS_INLINE int bits_last_flips(int square, uint64_t mover) {
    const uint64_t *lines = bits_lines[square];
    const uint8_t *places = bits_places[square];
    return bits_line_counts[square & 7][mover >> (square & 56) & 255] +
           bits_line_counts[places[1]][bits_project(mover, lines[1], 1)] +
           bits_line_counts[places[2]][bits_project(mover, lines[2], 2)] +
           bits_line_counts[places[3]][bits_project(mover, lines[3], 3)];
}

/* The moves in each quarter of the board (a1, h1, a8, h8) as a set: on its outer two ranks those of four files, on its
 * inner two ranks those of the outer two files; the lowest square is bit 0. */
BITS_INLINE void bits_move_sets(uint64_t moves, int32_t *sets) {
#if defined(BITS_PEXT)
    sets[0] = (int32_t)_pext_u64(moves, 0x0000000003030f0fULL);
    sets[1] = (int32_t)_pext_u64(moves, 0x00000000c0c0f0f0ULL);
    sets[2] = (int32_t)_pext_u64(moves, 0x0f0f030300000000ULL);
    sets[3] = (int32_t)_pext_u64(moves, 0xf0f0c0c000000000ULL);
#elif defined(__AVX2__) /* as below, the quarters in lanes */
    const __m256i all = _mm256_set1_epi64x((long long)moves);
    __m256i outer = _mm256_srlv_epi64(all, _mm256_set_epi64x(52, 48, 4, 0));
    __m256i inner = _mm256_srlv_epi64(all, _mm256_set_epi64x(38, 32, 22, 16));
    outer = _mm256_and_si256(outer, _mm256_set1_epi64x(0x0f0f));
    inner = _mm256_and_si256(inner, _mm256_set1_epi64x(0x0303));
    outer = _mm256_and_si256(_mm256_or_si256(outer, _mm256_srli_epi64(outer, 4)), _mm256_set1_epi64x(0xff));
    inner = _mm256_and_si256(_mm256_or_si256(inner, _mm256_srli_epi64(inner, 6)), _mm256_set1_epi64x(0x0f));
    outer = _mm256_sllv_epi64(outer, _mm256_set_epi64x(4, 4, 0, 0));
    inner = _mm256_sllv_epi64(inner, _mm256_set_epi64x(0, 0, 8, 8));
    const __m256i even = _mm256_set_epi32(0, 0, 0, 0, 6, 4, 2, 0);
    const __m256i packed = _mm256_permutevar8x32_epi32(_mm256_or_si256(outer, inner), even);
    _mm_storeu_si128((__m128i *)sets, _mm256_castsi256_si128(packed));
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

#endif
