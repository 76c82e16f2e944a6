"""The ProbCut error model: how far apart searches of two depths are likely to be."""

cdef enum:
    DEEPEST_SHALLOW = 20      # plies of the deepest search that is asked instead of a deeper one

# Half width of the interval that holds the share of normally distributed errors that a selectivity stands for, in standard deviations.
cdef double[6] QUANTILE

# Standard deviation, in discs, of (deep search - shallow search).
cdef struct Sigmas:
    float of[61][61][DEEPEST_SHALLOW + 1]     # [empties][depth][shallow depth]


cdef class ErrorModel:
    cdef Sigmas sigmas
