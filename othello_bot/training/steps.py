"""The steps that fill the store. Each does only what is missing, so it can be killed and started again at any time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from othello_bot.cluster import Workers
from othello_bot.evaluation import weights as weights_file
from othello_bot.kernel import Weights
from othello_bot.training import games, labels
from othello_bot.training.progress import shown
from othello_bot.training.store import Records, Store


@lru_cache(maxsize=2)
def _weights(data: bytes) -> Weights:
    return weights_file.from_bytes(data)


def weights_of(data: bytes | None) -> Weights | None:
    """Return the weights of a file's content, cached for the process; None (the hand-made evaluation) for None."""
    return None if data is None else _weights(data)


def _make(data: bytes | None, play: games.Play, seed: str, path: Path) -> Records:
    return games.make_shard(weights_of(data), play, seed)


def make_positions(
    store: Store, workers: Workers, name: str, shards: Sequence[int], play: games.Play, data: bytes | None, seed: int
) -> int:
    """Play the games of the `shards` that do not exist yet, with the weights in `data`.

    Return how many shards were made.
    """
    missing = [(data, play, f"{seed}/{name}/{shard}", store.path(name, shard)) for shard in shards]
    missing = [these for these in missing if not these[3].exists()]
    for (*_, path), records in shown(workers.each(_make, missing), len(missing), f"positions {name}"):
        store.write(path, records)
    return len(missing)


def _label(
    data: bytes | None, records: Records, bands: tuple[labels.Band, ...], number: int, path: Path
) -> tuple[int, Records]:
    return labels.label(weights_of(data), records, bands, number), records


def label(
    store: Store,
    workers: Workers,
    paths: Sequence[Path],
    bands: tuple[labels.Band, ...],
    data: bytes | None,
    number: int,
) -> int:
    """Label the positions of the shards `paths` that fall into the bands; return how many were labelled."""

    def arguments() -> Iterator[tuple[bytes | None, Records, tuple[labels.Band, ...], int, Path]]:
        for path in paths:
            records = store.read(path)
            if labels.wanted(records, bands, number).any():
                yield data, records, bands, number, path

    done = 0
    title = f"labels {bands[0].lowest}-{bands[-1].highest}"
    for (*_, path), (count, records) in shown(workers.each(_label, arguments()), len(paths), title):
        if count:
            store.write(path, records)
            done += count
    return done
