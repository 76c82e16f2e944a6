"""Files of labels: positions from any file, shards that outlive a killed run, and the result as .npz or Parquet."""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import shutil
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from othello_bot.base.errors import InputError
from othello_bot.base.files import whole_file, write_whole
from othello_bot.base.version import __version__
from othello_bot.batch.arrays import Bitboards, checked_positions
from othello_bot.batch.labels import SHARD, Labels, checked_level, joined, labelled_shards, shard_count
from othello_bot.cluster import Workers
from othello_bot.formats.reading import games_of_file

ENDINGS: Final = (".npz", ".parquet")
"""What files of labels are called."""

Told = Callable[[int, int], None]
"""Is told how many positions are labelled, and how many there are."""


def label_file(
    source: Path,
    target: Path,
    *,
    level: int | None = None,
    moves: bool = False,
    processes: int = 1,
    cluster: str | None = None,
    told: Told | None = None,
) -> int:
    """Label all positions of a file, write the result and return their number; the arguments are those of `label`.

    `source` is .npz or Parquet with `mover` and `opponent`, or a file of games or positions of any format, of which
    every position counts. Finished shards lie in a folder beside `target` until that is written, so the same call goes
    on where a killed one was. Raise InputError for invalid positions, for a target that exists or has another ending,
    and where the folder belongs to other positions or settings; OSError and FormatError if a file cannot be read.
    """
    if target.suffix not in ENDINGS:
        raise InputError("file of labels", target.name, f"a name that ends with {' or '.join(ENDINGS)}")
    if target.exists():
        raise InputError("file of labels", str(target), "one that does not exist yet")
    if ENDINGS[1] in (source.suffix, target.suffix):
        _pyarrow("parquet")
    movers, opponents = read_positions(source)
    about = {"program": "othello-bot", "version": __version__, "level": checked_level(level), "moves": moves}
    shards = _Shards(target, about, movers, opponents)
    count = shard_count(len(movers))
    missing = [index for index in range(count) if not shards.path(index).exists()]
    done = min(len(movers), SHARD * (count - len(missing)))
    with Workers(processes, cluster) as workers:
        for index, labels in labelled_shards(workers, movers, opponents, missing, level, moves):
            shards.write(index, labels)
            done = min(len(movers), done + SHARD)
            if told is not None:
                told(done, len(movers))
    labels = joined([shards.read(index) for index in range(count)], moves)
    columns = {"mover": movers, "opponent": opponents, **_columns(labels)}
    _write(target, columns, about)
    shards.remove()
    return len(movers)


def read_positions(path: Path) -> tuple[Bitboards, Bitboards]:
    """Return mover and opponent of the positions of a file; raise what `label_file` raises."""
    if path.suffix == ".npz":
        return checked_positions(*_arrays(path))
    if path.suffix == ".parquet":
        table = _pyarrow("parquet").read_table(str(path))
        if not {"mover", "opponent"} <= set(table.column_names):
            raise InputError(f"columns of {path.name}", ", ".join(table.column_names), "mover and opponent")
        return checked_positions(*(_contiguous(table.column(name).to_numpy()) for name in ("mover", "opponent")))
    positions = [
        (position.mover, position.opponent)
        for found in games_of_file(path)
        for game in (found.checked().game,)
        for position in map(game.position_at, range(game.ply + 1))
    ]
    both = np.array(positions, np.uint64).reshape(-1, 2)
    return _contiguous(both[:, 0]), _contiguous(both[:, 1])


def _arrays(path: Path) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the arrays `mover` and `opponent` of an .npz file; raise InputError for another file."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            if {"mover", "opponent"} <= set(arrays.files):
                return arrays["mover"], arrays["opponent"]
            found = ", ".join(arrays.files)
    except (zipfile.BadZipFile, zlib.error, EOFError, AttributeError, TypeError, ValueError):
        raise InputError("file", path.name, "an .npz archive of NumPy arrays, whole and without objects") from None
    raise InputError(f"arrays of {path.name}", found, "mover and opponent")


def _contiguous(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(array)


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
    arrow = _pyarrow("")
    arrays = {
        name: arrow.FixedSizeListArray.from_arrays(arrow.array(array.reshape(-1)), 64) if array.ndim == 2 else array
        for name, array in columns.items()
    }
    table = arrow.table(arrays).replace_schema_metadata({"about": text})
    with whole_file(target) as file:
        _pyarrow("parquet").write_table(table, file)


def _pyarrow(part: str) -> Any:
    """Return pyarrow or a part of it; raise InputError where it is not installed."""
    try:
        return importlib.import_module(f"pyarrow.{part}".rstrip("."))
    except ImportError:
        raise InputError("Parquet", "pyarrow", "to be installed: pip install 'othello-bot[parquet]'") from None


class _Shards:
    """The folder of finished shards beside a file of labels; it belongs to one set of positions and settings."""

    def __init__(self, target: Path, about: dict[str, Any], movers: Bitboards, opponents: Bitboards) -> None:
        self._folder = target.with_name(f"{target.name}.shards")
        digest = hashlib.sha256(movers.tobytes() + opponents.tobytes()).hexdigest()
        belongs = json.dumps({**about, "shard": SHARD, "positions": digest}, sort_keys=True).encode()
        note = self._folder / "belongs.json"
        self._folder.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            write_whole(note, belongs)
        elif note.read_bytes() != belongs:
            raise InputError("folder", str(self._folder), "shards of these positions and settings; else remove it")

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
