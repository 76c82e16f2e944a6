"""Numbering the stored weights and rows of factors: which of them each entry of a full table uses."""

from libc.stdint cimport int32_t

cdef int number_entries(int32_t *numbers, shapes)
cdef int number_rows(int32_t *numbers)
