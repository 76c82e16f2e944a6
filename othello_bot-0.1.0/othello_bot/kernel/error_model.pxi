"""The ProbCut error model: how far apart searches of two depths are likely to be.

A table that the search reads, filled from the coefficients of a fit."""

cdef enum:
    DEEPEST_SHALLOW = 20      # plies of the deepest search that ProbCut asks

# By index of selectivity: half the width of the interval that holds its percentage of normally distributed errors, in
# standard deviations.  No score lies as far out as that of full width.
cdef double[SELECTIVITIES] QUANTILE

# Standard deviation, in discs, of (deep search - shallow search).
cdef struct Sigmas:
    float of[61][61][DEEPEST_SHALLOW + 1]     # [empties][depth][shallow depth]


QUANTILE[:] = [1.1031, 1.5141, 1.9600, 2.3263, 2.5758, 1000.0]

cdef double SMALLEST_SIGMA = 0.5     # scores are whole discs: two searches never agree more closely than this
cdef double LARGEST_SIGMA = 64.0


def quantile(int selectivity_index) -> float:
    """Return how many standard deviations away ProbCut lets a score decide, by index of selectivity.

    Raises ValueError for an index that is not 0 to 5.
    """
    if not 0 <= selectivity_index < SELECTIVITIES:
        raise ValueError(f"selectivity index {selectivity_index}: not 0 to {SELECTIVITIES - 1}")
    return QUANTILE[selectivity_index]


cdef class ErrorModel:
    """The model of six coefficients for searches that end before the game, and six for those to its end.

    With x = log(depth + 1), y = log(shallow depth + 1) and n = empties / 60 the logarithm of the standard deviation is
    c0 + c1 x + c2 y + c3 x y + c4 n + c5 n n.  Immutable; searches may share it.  Raises ValueError for other
    numbers of coefficients.
    """

    cdef Sigmas sigmas

    def __init__(self, const double[::1] midgame, const double[::1] endgame):
        cdef const double *c
        cdef int empties, depth, shallow
        cdef double x, y, n, exponent
        if midgame.shape[0] != 6 or endgame.shape[0] != 6:
            raise ValueError(f"{midgame.shape[0]} and {endgame.shape[0]} coefficients: not 6 and 6")
        for empties in range(61):
            n = empties / 60.0
            for depth in range(61):
                c = &midgame[0] if depth < empties else &endgame[0]
                x = log((depth if depth < empties else empties) + 1.0)
                for shallow in range(DEEPEST_SHALLOW + 1):
                    y = log(shallow + 1.0)
                    exponent = c[0] + c[1] * x + c[2] * y + c[3] * x * y + c[4] * n + c[5] * n * n
                    self.sigmas.of[empties][depth][shallow] = fmin(
                        fmax(exp(fmin(exponent, 10.0)), SMALLEST_SIGMA), LARGEST_SIGMA
                    )

    def sigma(self, int empties, int depth, int shallow) -> float:
        """Return the standard deviation, in discs, between a search of `depth` plies and one of `shallow`.

        Raises ValueError for more than 60 empties or plies, or a shallow search deeper than ProbCut asks for.
        """
        if not (0 <= empties <= 60 and 0 <= depth <= 60 and 0 <= shallow <= DEEPEST_SHALLOW):
            raise ValueError(
                f"empties {empties}, depth {depth}, shallow depth {shallow}:"
                f" not within 60, 60 and {<int>DEEPEST_SHALLOW}"
            )
        return self.sigmas.of[empties][depth][shallow]
