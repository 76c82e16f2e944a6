/* What the processor can run, asked with the cpuid instruction: no file of the system has to be read. */
#ifndef OTHELLO_BOT_PROCESSOR_H
#define OTHELLO_BOT_PROCESSOR_H

#if defined(__x86_64__)
#include <cpuid.h>

/* Which registers the system saves when it switches threads: without that, their instructions cannot be used. */
static inline unsigned processor_saved_registers(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}
#endif

/* The highest level of x86-64 that processor and system support: 4 for x86-64-v4, 3 for x86-64-v3, else 0.  The levels
 * are those of the x86-64 psABI, so that whatever a compiler uses for -march=x86-64-v3 is there. */
static inline int processor_level(void) {
#if defined(__x86_64__)
    const unsigned basic = bit_SSE3 | bit_SSSE3 | bit_FMA | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_MOVBE |
                           bit_POPCNT | bit_OSXSAVE | bit_AVX | bit_F16C;
    const unsigned extended = 1u | 1u << 5; /* LAHF in 64-bit mode, LZCNT */
    const unsigned v3 = bit_BMI | bit_AVX2 | bit_BMI2;
    const unsigned v4 = bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
    const unsigned avx_registers = 0x06, avx512_registers = 0xe6;
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & basic) != basic) return 0;
    if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || (c & extended) != extended) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & v3) != v3) return 0;
    const unsigned saved = processor_saved_registers();
    if ((saved & avx_registers) != avx_registers) return 0;
    return (b & v4) == v4 && (saved & avx512_registers) == avx512_registers ? 4 : 3;
#else
    return 0;
#endif
}

#endif
