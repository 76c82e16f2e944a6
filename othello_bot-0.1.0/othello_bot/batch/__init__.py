"""Many positions or games in one call: NumPy arrays in, NumPy arrays out (extra `numpy`).

A position is a pair of entries in two uint64 arrays, the discs of the player to move and those of the opponent; bit i
is square i, a1 = 0 .. h8 = 63. A move is a uint8 from 0 to 63, 64 is a pass. Every input array must be
contiguous and have exactly the type and shape that the function names; read-only arrays are accepted, and input is never
changed. Invalid input raises InputError, a ValueError, with the index of the first invalid entry. The kernel works without
the GIL, on `threads` threads; results do not depend on their number.
"""

from __future__ import annotations

from othello_bot.base.version import missing

try:
    import numpy as _  # noqa: F401 - a clear message where the extra is missing
except ImportError:
    raise ImportError(missing("othello_bot.batch", "NumPy", "numpy"), name="numpy") from None

from othello_bot.base.output import progress_bar
from othello_bot.batch.arrays import Bitboards
from othello_bot.batch.games import Replay, random_games, replay, tokens
from othello_bot.batch.label_files import label_file
from othello_bot.batch.labels import Labels, label
from othello_bot.batch.positions import (
    LAYOUTS,
    Canonical,
    Unique,
    canonical,
    encode,
    evaluate,
    final_scores,
    flips,
    is_over,
    legal_moves,
    perft,
    play,
    policy,
    transform,
    unique,
)

__all__ = [
    "Bitboards",
    "Canonical",
    "LAYOUTS",
    "Labels",
    "Replay",
    "Unique",
    "canonical",
    "encode",
    "evaluate",
    "final_scores",
    "flips",
    "is_over",
    "label",
    "label_file",
    "legal_moves",
    "perft",
    "play",
    "policy",
    "progress_bar",
    "random_games",
    "replay",
    "tokens",
    "transform",
    "unique",
]
