"""What has been played: bases of games, made from files of any format, and what they say of a position or a player."""

from __future__ import annotations

from othello_bot.explorer.asking import answer, beside, question, selection_of
from othello_bot.explorer.base import (
    MOST_LISTED,
    ORDERS,
    BaseGame,
    Counts,
    Explored,
    ExploredMove,
    GameBase,
    Novelty,
    games_of,
)
from othello_bot.explorer.building import Builder, Totals
from othello_bot.explorer.names import Players, Ratings, read_players, read_ratings
from othello_bot.explorer.report import PlayerReport, player_report
from othello_bot.explorer.selection import BETWEEN, RESULTS, Selection
from othello_bot.explorer.showing import explored_objects, game_object, position_object
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
    "PlayerReport",
    "Players",
    "RESULTS",
    "Ratings",
    "Selection",
    "Totals",
    "answer",
    "beside",
    "explored_objects",
    "game_object",
    "games_of",
    "player_report",
    "position_object",
    "question",
    "read_players",
    "read_ratings",
    "selection_of",
]
