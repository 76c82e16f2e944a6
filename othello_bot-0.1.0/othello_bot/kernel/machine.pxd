"""Cython's view of machine.h: atomics, checks, waiting, prefetching, memory and the clock."""

from libc.stdint cimport int64_t, uint64_t


cdef extern from "machine.h" nogil:
    int atomic_load "machine_atomic_load" (int *place)
    void atomic_store "machine_atomic_store" (int *place, int value)
    uint64_t atomic_load64 "machine_atomic_load" (const uint64_t *place)
    void atomic_store64 "machine_atomic_store" (uint64_t *place, uint64_t value)
    int atomic_load_acquire "machine_atomic_load_acquire" (int *place)
    void atomic_store_release "machine_atomic_store_release" (int *place, int value)
    int atomic_add "machine_atomic_add" (int *place, int value)
    bint atomic_swap_if "machine_atomic_swap_if" (int *place, int expected, int desired)
    void require "machine_require" (bint condition)
    void machine_prefetch(const void *address)
    void machine_pause()
    void *machine_allocate(uint64_t size)
    int64_t machine_now_ns()
