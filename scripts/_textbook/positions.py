"""Positions for the experiments that count boards, the same in every run, and the part done by all rows of a table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from _textbook.store import Store, Values
from othello_bot.strategies.board import Board, Piece, Player, empties, make_move, next_to_play
from othello_bot.strategies.evaluations import modified_weighted_squares
from othello_bot.strategies.referee import random_opening
from othello_bot.strategies.searchers import killer_searcher

OPENING_MOVES = 6
"""Number of random moves that make each game different."""


POSITIONS = "positions of games between two players who look two moves ahead, after random openings"
"""Description of the positions, as the page puts it after their number."""


def midgame_position(number: int) -> tuple[Board, Player]:
    """Return the position after ten to forty moves of a game of two sensible players from a random opening."""
    return _position(number, 60 - random.Random(number).randint(10, 40))


def endgame_position(number: int, empty: int) -> tuple[Board, Player]:
    """Return the position with this number of empty squares of such a game."""
    return _position(number, empty)


def _position(number: int, empty: int) -> tuple[Board, Player]:
    """Return a new copy of a board; the games themselves are played once."""
    cells, player = _played(number, empty)
    return list(cells), player


@cache
def _played(number: int, empty: int) -> tuple[tuple[Piece, ...], Player]:
    """Play game `number`, or the next that gets so far, until `empties` squares are empty and a side has a move.

    In random games corners are open, and an order that tries them first looks better than it is in a real game.
    """
    rng = random.Random(number)
    strategy = killer_searcher(2, modified_weighted_squares)
    while True:
        board, player = random_opening(OPENING_MOVES, rng)
        turn: Player | None = player
        while turn is not None and empties(board) > empty:
            make_move(strategy(turn, board), turn, board)
            turn = next_to_play(board, turn)
        if turn is not None:
            return tuple(board), turn


def completed(store: Store, experiment: str, keys: Sequence[str]) -> list[list[Values]]:
    """Return, for each number that all rows have done, the values of all rows, so that equal work is compared."""
    rows: list[list[Values]] = []
    number = 0
    while True:
        values = [store.get(experiment, f"{key} {number}") for key in keys]
        if all(value is None for value in values):
            return rows
        if all(value is not None for value in values):
            rows.append([value for value in values if value is not None])
        number += 1
