"""For fits: which entries of the evaluation's tables a position reads."""

cdef int fill_columns(
    const uint64_t[::1] movers, const uint64_t[::1] opponents, int32_t[:, ::1] columns,
    const int32_t *offsets, int lane, int places, const int32_t *leaf_offsets, int leaf_terms,
) except -1:
    """Write a row for each position: `places` lanes from `lane` on, then `leaf_terms` leaf indices, with offsets."""
    cdef Py_ssize_t row
    cdef int i, width = places + leaf_terms
    cdef int16_t[LANES] features
    cdef int32_t[LEAF_TERMS] leaf
    if columns.shape[0] != movers.shape[0] or opponents.shape[0] != movers.shape[0] or columns.shape[1] != width:
        raise ValueError(
            f"shapes {movers.shape[0]}, {opponents.shape[0]}, {columns.shape[0]} x {columns.shape[1]}:"
            f" not n, n, n x {width}"
        )
    with nogil:
        for row in range(movers.shape[0]):
            indices_from_scratch(features, movers[row], opponents[row])
            leaf_indices(leaf, movers[row], opponents[row])
            for i in range(places):
                columns[row, i] = offsets[i] + features[lane + i]
            for i in range(leaf_terms):
                columns[row, places + i] = leaf_offsets[i] + leaf[i]
    return 0


def feature_columns(const uint64_t[::1] movers, const uint64_t[::1] opponents, int32_t[:, ::1] columns) -> None:
    """Write which entries of a stage's table are added up for each position.

    `columns`: n x 31 int32, for the entries of the 28 places and 3 counts.  Raises ValueError for other shapes.
    """
    fill_columns(movers, opponents, columns, OFFSETS, 0, PATTERN_FEATURES, COUNT_OFFSETS, COUNTS)


def factor_columns(const uint64_t[::1] movers, const uint64_t[::1] opponents, int32_t[:, ::1] columns) -> None:
    """Write which rows of factors are added up for each position.

    `columns`: n x 65 int32, for the rows of the 54 places, 3 counts and 8 sets of moves.  Raises ValueError for other
    shapes.
    """
    fill_columns(
        movers, opponents, columns, FACTOR_OFFSETS, TABLE_LANES, FACTOR_FEATURES, LEAF_OFFSETS, LEAF_TERMS
    )
