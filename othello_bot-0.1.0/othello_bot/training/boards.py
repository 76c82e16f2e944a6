"""Positions as NumPy arrays: their keys, and the store of labelled ones.

The store is a folder of shards, each written whole or not at all. A shard is one NumPy file of RECORD, with each game's
positions from the last to the first, so that a label step finds the positions it has just solved in the table. A killed
step loses only the shards in progress; started again, it does the missing ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.files import cache_folder, write_whole
from othello_bot.batch import canonical
from othello_bot.training import measuring
from othello_bot.training.progress import spans

Bits = NDArray[np.uint64]

_SPAN: Final = 16384
"""Boards hashed at once: few enough for a core's own cache. Larger blocks take twice as long."""


def keys(movers: Bits, opponents: Bits) -> Bits:
    """Return a 64-bit key of each position; symmetric images share it.

    A hash: among ten million positions, the chance that two share a key is below one in a hundred thousand. The fit
    would then merely lose one of them.
    """
    result: Bits = np.empty(len(movers), np.uint64)
    for part in spans(len(movers), _SPAN):
        result[part] = _keys(movers[part], opponents[part])
    return result


def _keys(movers: Bits, opponents: Bits) -> Bits:
    movers, opponents, _ = canonical(*map(np.ascontiguousarray, (movers, opponents)))
    with np.errstate(over="ignore"):
        name = movers * np.uint64(0x9E3779B97F4A7C15) + (opponents ^ opponents >> np.uint64(29)) * np.uint64(
            0xD1B54A32D192ED03
        )
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            name = (name ^ name >> np.uint64(shift)) * np.uint64(factor)
    result: Bits = name ^ name >> np.uint64(31)
    return result


def empties(movers: Bits, opponents: Bits) -> NDArray[np.uint8]:
    """Return the number of empty squares of each position."""
    result: NDArray[np.uint8] = np.bitwise_count(~(movers | opponents))
    return result


def first_of_each(names: Bits) -> NDArray[Any]:
    """Return, in increasing order, the indices at which a key occurs for the first time."""
    _, first = np.unique(names, return_index=True)
    return np.sort(first)


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


class PositionStore:
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
            count = empties(records["mover"], records["opponent"])
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
    names = keys(records["mover"], records["opponent"])
    place = np.minimum(np.searchsorted(excluded, names), len(excluded) - 1)
    result: Records = records[excluded[place] != names]
    return result


def excluded_keys(files: Iterable[Path]) -> NDArray[np.uint64]:
    """Return the sorted keys of all positions of the OBF files, as Store.labelled takes them.

    Raise FormatError as read() does.
    """
    pairs = [pair for path in files for pair in measuring.read(path).positions]
    movers = np.array([mover for mover, _ in pairs], np.uint64)
    opponents = np.array([opponent for _, opponent in pairs], np.uint64)
    return np.unique(keys(movers, opponents))
