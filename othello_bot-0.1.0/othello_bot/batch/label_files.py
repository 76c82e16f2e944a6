"""Files of labels: the positions of one file labelled into another one, shard by shard.

The file is written when all shards are there. Finished shards are kept beside it until then, so they survive a killed
run; one process at a time has them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from othello_bot.base import posix
from othello_bot.base.errors import InputError
from othello_bot.base.files import whole_file, write_whole
from othello_bot.base.outputs import check_outputs, refuse_taken
from othello_bot.base.version import __version__
from othello_bot.batch.arrays import Bitboards, checked_integer
from othello_bot.batch.games import pyarrow_part, read_positions
from othello_bot.batch.labels import (
    MOST_EMPTIES,
    MOST_PROCESSES,
    SHARD,
    Labels,
    LabelSettings,
    Told,
    check_empties,
    check_work,
    empty,
    fill,
    labelled_shards,
    shard_count,
)
from othello_bot.cluster import Workers
from othello_bot.formats.writing import inputs_of

ENDINGS: Final = (".npz", ".parquet")
"""How the names of files of labels end."""


def label_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    level: int | None = None,
    moves: bool = False,
    policy: float | None = None,
    most_empties: int = MOST_EMPTIES,
    processes: int = 1,
    cluster: str | None = None,
    told: Told | None = None,
    overwrite: bool = False,
) -> int:
    """Label all positions of a file, write the result and return their number; the arguments are those of `label`.

    `source` is .npz or Parquet with `mover` and `opponent`, or a file of games or positions of any format, of which
    every position counts. Finished shards lie in a folder beside `target` until that is written, so the same call
    resumes a killed one. Raise InputError for invalid positions, for a target that is the source, has another ending, or
    exists unless `overwrite` is true, where the folder belongs to other positions or settings, and while another run
    writes the target; OSError and FormatError if a file cannot be read.
    """
    source, target = _path("source", source), _path("target", target)
    if target.suffix not in ENDINGS:
        raise InputError("file of labels", target.name, f"a name that ends with {' or '.join(ENDINGS)}")
    check_outputs({"file of labels": target}, source=inputs_of([source]))
    refuse_taken(target, overwrite=overwrite)
    if ENDINGS[1] in (source.suffix, target.suffix):
        pyarrow_part("parquet")
    settings = LabelSettings(level, moves, policy).checked()
    processes = checked_integer("processes", processes, 1, MOST_PROCESSES)
    check_work(cluster, told)
    movers, opponents = read_positions(source)
    check_empties(movers, opponents, settings, most_empties)
    about = {"program": "othello-bot", "version": __version__, **settings._asdict()}
    with _Shards.held(target, overwrite, about, movers, opponents) as shards:
        columns = _labelled(shards, movers, opponents, settings, processes, cluster, told)
        _write(target, columns, about)
        shards.remove()
    return len(movers)


def _labelled(
    shards: _Shards,
    movers: Bitboards,
    opponents: Bitboards,
    settings: LabelSettings,
    processes: int,
    cluster: str | None,
    told: Told | None,
) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of a file of labels; the shards are kept, and those that are there are taken."""
    count = shard_count(len(movers))
    missing = [index for index in range(count) if not shards.path(index).exists()]
    done = len(movers) - sum(min(SHARD, len(movers) - SHARD * index) for index in missing)
    if told is not None:
        told(done, len(movers))
    with Workers(processes, cluster) as workers:
        for index, shard in labelled_shards(workers, movers, opponents, missing, settings):
            shards.write(index, shard)
            done += len(shard.score)
            if told is not None:
                told(done, len(movers))
    labels = empty(len(movers), settings)
    for index in range(count):
        fill(labels, index, shards.read(index))
    return {"mover": movers, "opponent": opponents, **_columns(labels)}


def _path(name: str, given: object) -> Path:
    """Return a path as a Path; raise InputError for anything else."""
    try:
        return Path(given)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(name, given, "the path of a file") from None


def _columns(labels: Labels) -> dict[str, npt.NDArray[Any]]:
    return {name: array for name, array in labels._asdict().items() if array is not None}


def _npz(columns: dict[str, npt.NDArray[Any]]) -> bytes:
    """Return arrays as the content of an .npz file, which is the same for the same arrays."""
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **columns)
    return content.getvalue()


def _write(target: Path, columns: dict[str, npt.NDArray[Any]], about: dict[str, Any]) -> None:
    """Write the columns, and what made them: as array or metadata `about`, in JSON."""
    text = json.dumps(about, sort_keys=True)
    if target.suffix == ".npz":
        write_whole(target, _npz({**columns, "about": np.array(text)}))
        return
    arrow = pyarrow_part("")
    arrays = {
        name: arrow.FixedSizeListArray.from_arrays(arrow.array(array.reshape(-1)), array.shape[1])
        if array.ndim == 2
        else array
        for name, array in columns.items()
    }
    table = arrow.table(arrays).replace_schema_metadata({"about": text})
    with whole_file(target) as file:
        pyarrow_part("parquet").write_table(table, file)


class _Shards:
    """The folder of finished shards beside a file of labels; it belongs to one set of positions and settings."""

    @classmethod
    @contextlib.contextmanager
    def held(
        cls, target: Path, overwrite: bool, about: dict[str, Any], movers: Bitboards, opponents: Bitboards
    ) -> Iterator[_Shards]:
        """Make or open the folder, for this process alone.

        Raise InputError while another one has it, or if another one has written the target meanwhile.
        """
        folder = target.with_name(f"{target.name}.shards")
        folder.mkdir(parents=True, exist_ok=True)
        # Before anything is read: what a running process has there must not be called useless.
        lock = folder / "lock"
        with posix.sole_holder(lock) as held:
            if not held:
                raise InputError("file of labels", str(target), "no other run that writes it; one is still running")
            try:
                refuse_taken(target, overwrite=overwrite)
            except InputError:
                if list(folder.iterdir()) == [lock]:
                    shutil.rmtree(folder)
                raise
            yield cls(folder, about, movers, opponents)

    def __init__(self, folder: Path, about: dict[str, Any], movers: Bitboards, opponents: Bitboards) -> None:
        self._folder = folder
        digest = hashlib.sha256(movers.tobytes() + opponents.tobytes()).hexdigest()
        belongs = json.dumps({**about, "shard": SHARD, "positions": digest}, sort_keys=True).encode()
        note = folder / "belongs.json"
        if not note.exists():
            write_whole(note, belongs)
        elif note.read_bytes() != belongs:
            raise InputError(
                "folder",
                str(folder),
                "shards of these positions and settings; remove the folder if it is not needed",
            )

    def path(self, index: int) -> Path:
        """Return where a shard is, or would be."""
        return self._folder / f"{index:08}.npz"

    def write(self, index: int, labels: Labels) -> None:
        """Keep a finished shard, as a whole or not at all."""
        write_whole(self.path(index), _npz(_columns(labels)))

    def read(self, index: int) -> Labels:
        """Return a kept shard."""
        with np.load(self.path(index), allow_pickle=False) as arrays:
            return Labels(**{name: arrays[name] for name in arrays.files})

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder)
