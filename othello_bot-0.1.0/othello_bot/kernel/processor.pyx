"""What the processor can run. Compiled for every processor of the architecture, and loaded before the other modules."""


cdef extern from "processor.h" nogil:
    int processor_level()


def level() -> int:
    """Return the highest level of x86-64 that processor and system support: 4, 3, or 0 for anything else."""
    return processor_level()
