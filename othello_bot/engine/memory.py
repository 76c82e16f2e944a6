"""Check that the machine has the memory for a transposition table before allocating it.

If the system promises more memory than it has (Linux does by default), an allocation succeeds and the process is killed
later, during a game. So the free memory is checked first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from protocol import posix

RESERVE_MIB: Final = 64
"""MiB that must stay free beside the table, for the rest of the engine and the system."""


class TableTooLarge(MemoryError):
    """A table that does not fit into the free memory; `most_mib` is the largest that does."""

    def __init__(self, hash_mib: int, most_mib: int) -> None:
        super().__init__(f"a transposition table of {hash_mib} MiB does not fit into memory: at most {most_mib} MiB do")
        self.most_mib = most_mib


def available_mib() -> int | None:
    """Return the memory available without swapping, in MiB; None if the system does not report it."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024
    except OSError:
        pass  # no /proc: all memory counts
    return posix.installed_mib()


def refuse_if_lacking(hash_mib: int, freed_mib: int = 0) -> None:
    """Raise TableTooLarge if a table of `hash_mib` MiB does not fit into the free memory plus `freed_mib`."""
    available = available_mib()
    if available is not None and hash_mib > available + freed_mib - RESERVE_MIB:
        most = max(available + freed_mib - RESERVE_MIB, 1)
        raise TableTooLarge(hash_mib, most)
