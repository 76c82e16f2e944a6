/* What the processor and the system offer beside arithmetic: atomics, waiting, prefetching, memory and the clock.
 *
 * Loads and stores are relaxed: they only keep a value whole.  What one thread writes for another to read is handed
 * over by machine_atomic_store_release or ..._swap_if on one side and machine_atomic_load_acquire or ..._swap_if on the
 * other.  The names are not C's own, which may be macros in any file that Cython makes. */
#ifndef OTHELLO_BOT_MACHINE_H
#define OTHELLO_BOT_MACHINE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if !defined(__GNUC__) && !defined(__clang__)
#error "othello-bot's kernel needs GCC or Clang"
#endif

#define MACHINE_INLINE static inline __attribute__((always_inline, unused))
#define machine_prefetch(p) __builtin_prefetch(p)

#define machine_atomic_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define machine_atomic_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define machine_atomic_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define machine_atomic_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define machine_atomic_add(p, v) __atomic_add_fetch((p), (v), __ATOMIC_ACQ_REL)
/* Replaces *p by `desired` if it is `expected`; returns whether it was. */
MACHINE_INLINE int machine_atomic_swap_if(int *p, int expected, int desired) {
    return __atomic_compare_exchange_n(p, &expected, desired, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Ends the process where a condition does not hold, in builds that check it (those for sanitizers).  Other builds do
 * not even work it out. */
#if defined(OTHELLO_BOT_CHECKS)
static __attribute__((unused, cold, noreturn)) void machine_fail(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}
#define machine_require(condition) ((condition) ? (void)0 : machine_fail(#condition, __FILE__, __LINE__))
#else
#define machine_require(condition) ((void)0)
#endif

/* One turn of a waiting loop. */
MACHINE_INLINE void machine_pause(void) {
#if defined(__SSE2__)
    _mm_pause();
#endif
}

/* Memory for free(), aligned to a cache line and, from half a megabyte on, on huge pages if the system has them: with
 * small ones, reading at random places would miss the address cache as well as the data cache.  NULL where memory is
 * lacking. */
static __attribute__((unused)) void *machine_allocate(uint64_t size) {
    const uint64_t huge = 1ULL << 21, unit = size < huge / 4 ? 64 : huge;
    void *memory = aligned_alloc(unit, (size + unit - 1) / unit * unit);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (memory && unit == huge) (void)madvise(memory, (size + unit - 1) / unit * unit, MADV_HUGEPAGE);
#endif
    return memory;
}

/* Nanoseconds on a clock that never jumps. */
MACHINE_INLINE int64_t machine_now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
