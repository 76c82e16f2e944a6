"""The textbook opponents: readable players in plain Python that follow their published descriptions exactly.

A strategy is a function of a player and a board, an evaluation is a function of a player and a board, and a searcher
makes a strategy from a depth and an evaluation. `make("iago:3")` returns the strategy of a spec, and `choose` lets it
choose a move in a position of the engine.
"""

from __future__ import annotations

from othello_bot.strategies.board import IllegalStrategyMove, Strategy
from othello_bot.strategies.registry import (
    StrategyError,
    choose,
    describe,
    explain_settings,
    make,
    names,
    searches,
    with_depth,
)

__all__ = [
    "IllegalStrategyMove",
    "Strategy",
    "StrategyError",
    "choose",
    "describe",
    "explain_settings",
    "make",
    "names",
    "searches",
    "with_depth",
    # modules
    "board",
    "marappan",
    "searchers",
]
