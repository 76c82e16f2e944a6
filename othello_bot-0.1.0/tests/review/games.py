"""Games for the tests of reviews."""

from __future__ import annotations

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import parse_move
from othello_bot.rules import Game, Position


def game_of(*moves: int | str, start: Position | None = None) -> Game:
    """Return the game of these moves."""
    game = Game(start)
    for move in moves:
        game.play(move)
    return game


def line(move: str, score: int) -> EvaluatedMove:
    """Return a line of a move alone, searched a ply deep."""
    return EvaluatedMove(parse_move(move), score, (parse_move(move),), 1, 100, False)
