"""The rules of Othello: positions, games, symmetry and the legality of transcripts."""

from __future__ import annotations

from othello_bot.rules.game import CannotRedo, CannotUndo, Game, cannot_redo, cannot_undo
from othello_bot.rules.position import Color, IllegalMove, Position, PositionError
from othello_bot.rules.squares import (
    PASS,
    PASS_WORDS,
    SquareError,
    move_name,
    parse_move,
    parse_square,
    square_name,
    squares_of,
)
from othello_bot.rules.symmetry import SYMMETRIES, inverse_symmetry, transform_square
from othello_bot.rules.transcript import LONGEST_GAME, format_moves, parse_moves

__all__ = [
    "CannotRedo",
    "CannotUndo",
    "Color",
    "Game",
    "IllegalMove",
    "LONGEST_GAME",
    "PASS",
    "PASS_WORDS",
    "Position",
    "PositionError",
    "SYMMETRIES",
    "SquareError",
    "cannot_redo",
    "cannot_undo",
    "format_moves",
    "inverse_symmetry",
    "move_name",
    "parse_move",
    "parse_moves",
    "parse_square",
    "square_name",
    "squares_of",
    "transform_square",
]
