"""The store of positions and their labels: a folder of shards, each written whole or not at all.

A shard is one NumPy file of RECORD, with each game's positions from the last to the first, so that a label step finds
the positions it has just solved in the table. A killed step loses only the shards in progress; started again, it does
the missing ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.files import cache_folder, write_whole
from othello_bot.training import boards

RECORD: Final = np.dtype(
    [("mover", "<u8"), ("opponent", "<u8"), ("score", "i1"), ("depth", "u1"), ("round", "u1"), ("reserved", "u1")]
)
"""`score`: discs, mover's view; `depth`: that of its search, EXACT for a solved position, UNLABELLED for none; `round`:
the round whose function the search used.
"""

EXACT: Final = 60
UNLABELLED: Final = 0

Records = NDArray[Any]


def default_folder() -> Path:
    """Return the default folder of positions and functions."""
    return cache_folder() / "learning"


class Store:
    """The shards in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str, shard: int) -> Path:
        """Return the file of a shard."""
        return self.folder / "shards" / f"{name}-{shard:05d}.npy"

    def shards(self, name: str = "*") -> list[Path]:
        """Return the files of all shards of that name, in order."""
        return sorted((self.folder / "shards").glob(f"{name}-[0-9]*.npy"))

    def number(self, path: Path) -> int:
        """Return the number of the shard in a file."""
        return int(path.stem.rpartition("-")[2])

    def write(self, path: Path, records: Records) -> None:
        """Write a shard."""
        import io

        memory = io.BytesIO()
        np.save(memory, records.astype(RECORD, copy=False))
        write_whole(path, memory.getvalue())

    def read(self, path: Path) -> Records:
        """Read a shard. Raise ValueError for an invalid file."""
        records: Records = np.load(path, allow_pickle=False)
        if records.dtype != RECORD:
            raise ValueError(f"{path}: records of {records.dtype}: expected {RECORD}")
        return records

    def labelled(
        self,
        lowest: int,
        highest: int,
        excluded: NDArray[np.uint64],
        earliest: int,
        shards: Sequence[Path] | None = None,
    ) -> Iterator[Records]:
        """Yield, shard by shard (of all, or of `shards`), the labelled positions with `lowest` to `highest` empties.

        A position (under symmetry) may come again in a later shard; positions whose key is in `excluded` (sorted) are
        skipped.
        """
        for path in self.shards() if shards is None else shards:
            records = self.read(path)
            count = boards.empties(records["mover"], records["opponent"])
            chosen = records[
                (count >= lowest)
                & (count <= highest)
                & (records["depth"] != UNLABELLED)
                & (records["round"] >= earliest)
            ]
            yield without(chosen, excluded)


def without(records: Records, excluded: NDArray[np.uint64]) -> Records:
    """Return the records whose key is not among the `excluded` (sorted) ones."""
    if not len(excluded) or not len(records):
        return records
    names = boards.keys(records["mover"], records["opponent"])
    place = np.minimum(np.searchsorted(excluded, names), len(excluded) - 1)
    result: Records = records[excluded[place] != names]
    return result
