"""Check that the machine has the memory for a transposition table before allocating it.

If the system promises more memory than it has (Linux does by default), an allocation succeeds and the process is killed
later, during a game. So the free memory is checked first.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from othello_bot.base import posix
from othello_bot.engine.options import OptionError

RESERVE_MIB: Final = 64
"""MiB that must stay free beside the table, for the rest of the engine and the system."""


_GROUP_FILES: Final = {
    False: ("memory.max", "memory.current", "inactive_file"),
    True: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}
"""Files of a control group with its limit and its use of memory, and the row of its statistics with what can be freed
at once; True: of version 1.
"""


class TableTooLarge(MemoryError):
    """A table that does not fit into the free memory; `most_mib` is the largest that does."""

    def __init__(self, hash_mib: int, most_mib: int) -> None:
        super().__init__(f"a transposition table of {hash_mib} MiB does not fit into memory: at most {most_mib} MiB do")
        self.most_mib = most_mib


class NotEnoughMemory(OptionError):
    """There is no memory for a table of that size, for that many threads, or to search at all; nothing has changed."""

    @classmethod
    def of_table(cls, hash_mib: int, kept_mib: int, error: MemoryError) -> NotEnoughMemory:
        """Return the refusal of a table of `hash_mib` in place of one of `kept_mib`."""
        most = f"1 to {error.most_mib} MiB" if isinstance(error, TableTooLarge) else "less"
        return cls("not enough memory for option hash", hash_mib, f"{most}; the table of {kept_mib} MiB stays")


def available_mib(system: Path = Path("/")) -> int | None:
    """Return the memory available without swapping, in MiB; None if the system does not report it.

    `system` is the folder that holds proc and sys. A limit of the control group, which is how containers and services
    are limited, counts.
    """
    free_mib = _free_mib(system / "proc/meminfo")
    return min((free for free in (free_mib, *_left_to_groups_mib(system)) if free is not None), default=None)


def _free_mib(meminfo: Path) -> int | None:
    try:
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024
    except OSError:
        pass  # no /proc: all memory counts
    return posix.installed_mib()


def _left_to_groups_mib(system: Path) -> Iterator[int]:
    """Yield what the limits of the control groups of this process, and of those above them, leave, in MiB."""
    try:
        groups = (system / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return  # a system without control groups
    for _, controllers, path in (line.split(":", 2) for line in groups):
        if controllers and "memory" not in controllers.split(","):
            continue
        root = system / "sys/fs/cgroup" / ("memory" if controllers else "")
        place = root / path.lstrip("/")
        # In a container, the path may be the one that the system outside sees; its own group is then at the root.
        for folder in (place, *place.parents):
            if folder.is_relative_to(root):
                yield from _left_to_group_mib(folder, *_GROUP_FILES[bool(controllers)])


def _left_to_group_mib(folder: Path, limit: str, usage: str, reclaimable: str) -> Iterator[int]:
    """Yield what a group's limit leaves, in MiB; nothing if it has none."""
    try:
        most_bytes, used_bytes = int((folder / limit).read_text()), int((folder / usage).read_text())
        rows = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        yield max(0, most_bytes - used_bytes + int(rows.get(reclaimable, 0))) >> 20
    except (OSError, ValueError):
        pass  # no such folder, or no limit ("max")


def refuse_if_lacking(hash_mib: int, freed_mib: int = 0) -> None:
    """Raise TableTooLarge if a table of `hash_mib` MiB does not fit into the free memory plus `freed_mib`."""
    available = available_mib()
    if available is not None and hash_mib > available + freed_mib - RESERVE_MIB:
        most = max(available + freed_mib - RESERVE_MIB, 1)
        raise TableTooLarge(hash_mib, most)
