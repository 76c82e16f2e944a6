"""Positions for the experiments that count boards, the same in every run, and what all rows of a table have done."""

from __future__ import annotations

import random
from collections.abc import Sequence

from _textbook.store import Store, Values
from othello_bot.strategies.board import Board, Player, empties, make_move, next_to_play
from othello_bot.strategies.evaluations import modified_weighted_squares
from othello_bot.strategies.referee import random_opening
from othello_bot.strategies.searchers import killer_searcher


def midgame_position(number: int) -> tuple[Board, Player]:
    """Return a position from a random game, between its tenth and its fortieth move."""
    rng = random.Random(number)
    return random_opening(rng.randint(10, 40), rng)


def endgame_position(number: int, empty: int) -> tuple[Board, Player]:
    """Return the position with so many empty squares of a game that two sensible players play from a random opening."""
    rng = random.Random(number)
    strategy = killer_searcher(2, modified_weighted_squares)
    while True:
        board, player = random_opening(10, rng)
        turn: Player | None = player
        while turn is not None and empties(board) > empty:
            make_move(strategy(turn, board), turn, board)
            player, turn = turn, next_to_play(board, turn)
        if turn is not None:
            return board, turn


def completed(store: Store, experiment: str, keys: Sequence[str]) -> list[list[Values]]:
    """Return, for each number that all rows have done, the values of all rows: comparisons must be of the same work."""
    rows: list[list[Values]] = []
    number = 0
    while True:
        values = [store.get(experiment, f"{key} {number}") for key in keys]
        if all(value is None for value in values):
            return rows
        if all(value is not None for value in values):
            rows.append([value for value in values if value is not None])
        number += 1
