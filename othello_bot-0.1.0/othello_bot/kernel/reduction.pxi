"""Which states of the patterns share a weight: those that a symmetry of the pattern maps onto each other.

Files and fits hold one weight for each set of such states; the kernel's full tables have an entry for every state.
"""

cdef int number_entries(int32_t *numbers, shapes):
    """Number the entries of a full table so that the two readings of a self-symmetric state share one; return the
    count.

    `numbers` has as many entries as the table of these patterns, which is filled pattern by pattern in increasing
    order; the counts behind the patterns share nothing.
    """
    cdef int32_t base = 0, used = 0, states, state, power, place, digit
    cdef int32_t mirrored[59049]
    for pattern in shapes:
        states = pattern.states
        if pattern.mirror is None:
            for state in range(states):
                numbers[base + state] = used + state
            used += states
        else:
            mirrored[0] = 0
            power = 1
            for digit in range(len(pattern.squares)):
                place = 3 ** pattern.mirror.index(digit)
                for state in range(power):
                    mirrored[power + state] = mirrored[state] + place
                    mirrored[2 * power + state] = mirrored[state] + 2 * place
                power *= 3
            for state in range(states):
                if mirrored[state] >= state:
                    numbers[base + state] = used
                    used += 1
                else:
                    numbers[base + state] = numbers[base + mirrored[state]]
        base += states
    for state in range(patterns.COUNT_ENTRIES):
        numbers[base + state] = used + state
    return used + patterns.COUNT_ENTRIES


cdef void image_sets(int32_t *images, squares, names):
    """Fill in, for every set of `squares`, the set of the squares in their places in `names`."""
    cdef int32_t moves, bit, image
    images[0] = 0
    for bit, square in enumerate(squares):
        image = 1 << names.index(square)
        for moves in range(1 << bit):
            images[1 << bit | moves] = images[moves] | image


cdef int number_move_sets(int32_t *numbers, int32_t used):
    """Number both sides' sets of moves in each quarter from `used` on; return the next free number.

    The four quarters share the numbers of the first, where mirrored sets share one.
    """
    cdef int32_t[2][4096] images
    cdef int32_t[4096] own
    cdef int32_t moves, sets = patterns.MOVE_SETS
    first = patterns.MOVE_QUARTERS[0]
    assert sets == 4096
    image_sets(images[0], first, [square >> 3 | (square & 7) << 3 for square in first])
    for _ in range(2):
        for moves in range(sets):
            if images[0][moves] >= moves:
                own[moves] = used
                used += 1
            else:
                own[moves] = own[images[0][moves]]
        for symmetry, squares in enumerate(patterns.MOVE_QUARTERS):
            flip = (7 if symmetry & 1 else 0) | (56 if symmetry & 2 else 0)
            image_sets(images[1], squares, [square ^ flip for square in first])
            for moves in range(sets):
                numbers[moves] = own[images[1][moves]]
            numbers += sets
    return used


cdef int number_rows(int32_t *numbers):
    """Number all rows of factors; return the count."""
    cdef int used = number_entries(numbers, patterns.FACTOR_PATTERNS)
    return number_move_sets(numbers + <int>patterns.FACTOR_MOVES_OFFSET, used)


def reduced_index(int32_t[::1] numbers) -> int:
    """Fill `numbers` (TABLE_SIZE entries) with the weight that each entry of a full table uses; return the count.

    Raises ValueError for another size.
    """
    if numbers.shape[0] != patterns.TABLE_SIZE:
        raise ValueError(f"{numbers.shape[0]} entries: not {patterns.TABLE_SIZE}")
    return number_entries(&numbers[0], patterns.PATTERNS)


def factor_reduced_index(int32_t[::1] numbers) -> int:
    """Fill `numbers` (FACTOR_ROWS entries) with the stored row of factors that each row uses; return the count.

    Raises ValueError for another size.
    """
    if numbers.shape[0] != patterns.FACTOR_ROWS:
        raise ValueError(f"{numbers.shape[0]} entries: not {patterns.FACTOR_ROWS}")
    return number_rows(&numbers[0])
