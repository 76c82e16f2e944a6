"""Artificial positions, labels and tables for the tests of the factors and of their fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from othello_bot.evaluation import weights
from othello_bot.kernel import patterns
from othello_bot.training import boards, factor_learner, factors, fit
from othello_bot.training.boards import Bits
from othello_bot.training.fit import Reals
from othello_bot.training.games import SelfPlay, make_shard

STAGES = [0] * 30 + [1] * 31

QUICK = factor_learner.Options(
    epochs=3,
    batch=256,
    row_rate=0.003,
    shared_row_rate=0.003,
    table_rate=0,
    shared_table_rate=0,
    scale_rate=0,
    close=0,
)


def tables(seed: int = 1) -> bytes:
    """Return a weights file of two stages with small random weights."""
    entries = np.random.default_rng(seed).integers(-60, 61, (2, fit.reduced_size())).astype("<i2")
    return weights.to_bytes(STAGES, entries.tobytes())


def shard(seed: str, games: int = 40) -> boards.Records:
    """Return positions of five to forty empties with artificial labels."""
    records = make_shard(None, SelfPlay(games=games, depths=(1,)), seed)
    count = boards.empties(records["mover"], records["opponent"])
    records = records[(count >= 5) & (count <= 40)]
    records["score"] = boards.keys(records["mover"], records["opponent"]) % np.uint64(41)
    records["score"] -= 20
    records["depth"], records["round"] = boards.EXACT, 2
    return records


def filled(folder: Path, shards: int = 3) -> boards.PositionStore:
    result = boards.PositionStore(folder)
    for number in range(shards):
        result.write(result.path("made", number), shard(f"factors {number}"))
    return result


def some_parameters(size: float = 0.1) -> Reals:
    shape = (factors.reduced_size() + 61, patterns.CHANNELS)
    return np.random.default_rng(2).normal(0, size, shape).astype(np.float32)


def positions(seed: str = "positions", games: int = 40) -> tuple[Bits, Bits]:
    records = shard(seed, games)
    return records["mover"].copy(), records["opponent"].copy()


def planted(seed: str, games: int = 40) -> factors.FactorSample:
    """Return positions whose labels are a product of two features: the difference in moves, and the number of odd
    quadrants.
    """
    movers, opponents = positions(seed, games)
    parameters = np.zeros_like(some_parameters())
    counts = factors.reduced_index()[patterns.FACTOR_COUNTS_OFFSET :]
    for channel, sign in ((1, 1), (17, -1)):  # (a + b)**2 - (a - b)**2 = 4ab
        parameters[counts[:1024], channel] = [0.6 * (number // 32 - number % 32) for number in range(1024)]
        parameters[counts[2048:2054], channel] = sign * np.array([-1.2, -0.8, 0.8, 0.8, 1.4, 1.8])
    scores = factors.added(factors.rows(movers, opponents), parameters)[1]
    return factors.FactorSample(movers, opponents, np.zeros(len(movers), np.float32), np.clip(scores, -20, 20))
