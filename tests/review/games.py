"""Games for the tests of reviews."""

from __future__ import annotations

import random

from othello_bot.base.notation import PASS, parse_move
from othello_bot.engine import Line
from othello_bot.rules import Game, Position


def game_of(*moves: int | str, start: Position | None = None) -> Game:
    """Return the game of these moves."""
    game = Game(start)
    for move in moves:
        game.play(move)
    return game


def random_game(seed: int, plies: int = 99, start: Position | None = None) -> Game:
    """Return a game of random moves: to its end, or to a number of plies."""
    rng = random.Random(seed)
    game = Game(start)
    while game.ply < plies and not game.is_over:
        game.play(PASS if game.position.must_pass else rng.choice(game.position.legal_moves))
    return game


def line(move: str, score: int) -> Line:
    """Return a line of a move alone, searched a ply deep."""
    return Line(parse_move(move), score, (parse_move(move),), 1, 100, False)
