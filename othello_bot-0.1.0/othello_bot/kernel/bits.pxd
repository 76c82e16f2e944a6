"""Cython's view of bits.h: bit counts, legal moves and flips."""

from libc.stdint cimport int32_t, uint64_t


cdef extern from "bits.h" nogil:
    const char *BITS_BRANCH
    void bits_init()
    int bits_count(uint64_t bits)
    int bits_first(uint64_t bits)
    uint64_t bits_legal_moves(uint64_t mover, uint64_t opponent)
    ctypedef struct bits_board:
        pass
    bits_board bits_board_of(uint64_t discs)
    uint64_t bits_of_board(bits_board board)
    bits_board bits_xor(bits_board a, bits_board b)
    bits_board bits_after(bits_board mover, bits_board flips, int square)
    uint64_t bits_board_moves(bits_board mover, bits_board opponent)
    bits_board bits_board_flips(int square, bits_board mover, bits_board opponent)
    uint64_t bits_flips(int square, uint64_t mover, uint64_t opponent)
    int bits_last_flips(int square, uint64_t mover)
    void bits_move_sets(uint64_t moves, int32_t *sets)
