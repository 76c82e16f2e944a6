"""The checksum of weights files."""

cdef enum:
    BLOCK_WORDS = 16    # as many as keep the processor's adders busy


cdef void fletcher(const uint32_t *words, Py_ssize_t blocks, uint64_t *total, uint64_t *total_of_sums) noexcept nogil:
    """See fletcher_checksum().  Each place in a block has its own sums until the end: the compiler vectorizes them."""
    cdef uint64_t[BLOCK_WORDS] sums
    cdef uint64_t[BLOCK_WORDS] sums_of_sums
    cdef int i
    for i in range(BLOCK_WORDS):
        sums[i] = sums_of_sums[i] = 0
    for _ in range(blocks):
        for i in range(BLOCK_WORDS):
            sums[i] += words[i]
            sums_of_sums[i] += sums[i]
        words += BLOCK_WORDS
    total[0] = total_of_sums[0] = 0
    # A word counts once for itself and once for each word behind it.  Summing by blocks counts BLOCK_WORDS for its own
    # block and each later one, which is too many by the words before it in its own block.
    for i in range(BLOCK_WORDS):
        total[0] += sums[i]
        total_of_sums[0] += BLOCK_WORDS * sums_of_sums[i] - i * sums[i]


def fletcher_checksum(const uint32_t[::1] words) -> tuple[int, int]:
    """Return Fletcher's checksum: the sum of the words, and the sum of the sums after each word, both modulo 2**64.

    It finds every change of one or two words, and any other almost certainly (J. G. Fletcher, "An arithmetic checksum
    for serial transmissions", 1982).  Raises ValueError where the number of words is not a multiple of BLOCK_WORDS.
    """
    cdef uint64_t total = 0, total_of_sums = 0
    if words.shape[0] == 0 or words.shape[0] % BLOCK_WORDS:
        raise ValueError(f"{words.shape[0]} words: not a multiple of {BLOCK_WORDS}")
    with nogil:
        fletcher(&words[0], words.shape[0] // BLOCK_WORDS, &total, &total_of_sums)
    return total, total_of_sums
