"""Random games and positions for the property tests."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from othello_bot.base.notation import PASS, Color
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position


def random_game(seed: int, plies: int = 128, start: Position | None = None) -> Game:
    """Return a game of at most `plies` random moves, passes included."""
    rng = random.Random(seed)
    game = Game(start)
    while not game.is_over and game.ply < plies:
        game.play(rng.choice(game.position.legal_moves or (PASS,)))
    return game


def games(start: Position | None = None) -> st.SearchStrategy[Game]:
    """Draw games of any length, from the usual start or another one."""
    return st.builds(random_game, st.integers(0, 2**32), st.integers(0, 70), st.just(start))


def positions() -> st.SearchStrategy[Position]:
    """Draw positions of games."""
    return games().map(lambda game: game.position)


@st.composite
def any_positions(draw: st.DrawFn) -> Position:
    """Draw any filling of the board with either side to move; no game reaches most of them."""
    occupied = draw(st.integers(0, 2**64 - 1))
    black = occupied & draw(st.integers(0, 2**64 - 1))
    return Position.from_colors(black, occupied ^ black, draw(st.sampled_from(Color)))


def games_from_anywhere() -> st.SearchStrategy[Game]:
    """Draw games from set-up starts, of which some are over at once and many have passes."""
    return st.builds(random_game, st.integers(0, 2**32), st.integers(0, 70), any_positions())
