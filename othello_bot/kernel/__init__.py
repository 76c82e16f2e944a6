"""The compiled kernel: bit boards, evaluation, transposition table, endgame and midgame search."""

from __future__ import annotations

__all__ = [
    "board",
    "error_model",
    "evaluation",
    "patterns",
    "reduction",
    "searcher",
]
