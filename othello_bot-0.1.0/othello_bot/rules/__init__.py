"""The rules of Othello: positions, games, symmetry and the legality of transcripts."""

from __future__ import annotations

from othello_bot.rules.game import CannotRedo, CannotUndo, Game, cannot_redo, cannot_undo, parse_moves, position_of
from othello_bot.rules.position import (
    HALF_TURN,
    MIRROR_FILES,
    MIRROR_RANKS,
    SYMMETRIES,
    TRANSPOSE,
    IllegalMove,
    Position,
    PositionError,
    empties_of,
    inverse_symmetry,
    squares_of,
    transform_square,
)

__all__ = [
    "CannotRedo",
    "CannotUndo",
    "Game",
    "HALF_TURN",
    "IllegalMove",
    "MIRROR_FILES",
    "MIRROR_RANKS",
    "Position",
    "PositionError",
    "SYMMETRIES",
    "TRANSPOSE",
    "cannot_redo",
    "cannot_undo",
    "empties_of",
    "inverse_symmetry",
    "parse_moves",
    "position_of",
    "squares_of",
    "transform_square",
]
