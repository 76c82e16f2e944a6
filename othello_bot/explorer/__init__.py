"""What has been played: bases of games, made from files of any format, and what they say of a position or a player."""

from __future__ import annotations

from othello_bot.explorer.base import (
    MOST_LISTED,
    ORDERS,
    BaseGame,
    Counts,
    Explored,
    ExploredMove,
    GameBase,
    Novelty,
)
from othello_bot.explorer.building import Builder, Totals
from othello_bot.explorer.names import Players, Ratings, read_players, read_ratings
from othello_bot.explorer.selection import BETWEEN, RESULTS, Selection
from othello_bot.explorer.store import BaseError, BaseHeld

__all__ = [
    "BETWEEN",
    "BaseError",
    "BaseGame",
    "BaseHeld",
    "Builder",
    "Counts",
    "Explored",
    "ExploredMove",
    "GameBase",
    "MOST_LISTED",
    "Novelty",
    "ORDERS",
    "Players",
    "RESULTS",
    "Ratings",
    "Selection",
    "Totals",
    "read_players",
    "read_ratings",
]
