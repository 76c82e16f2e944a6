"""The ProbCut error model: how far apart searches of two depths are likely to be."""

from othello_bot.kernel.score cimport SELECTIVITIES

cdef enum:
    DEEPEST_SHALLOW = 20      # plies of the deepest search that ProbCut asks

# By selectivity: half the width of the interval that holds its percentage of normally distributed errors, in standard
# deviations.  No score lies as far out as that of full width.
cdef double[SELECTIVITIES] QUANTILE

# Standard deviation, in discs, of (deep search - shallow search).
cdef struct Sigmas:
    float of[61][61][DEEPEST_SHALLOW + 1]     # [empties][depth][shallow depth]


cdef class ErrorModel:
    cdef Sigmas sigmas
