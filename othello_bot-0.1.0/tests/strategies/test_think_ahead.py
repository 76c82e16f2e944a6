"""Think-ahead answers from what it prepared, and only from that."""

from __future__ import annotations

import pytest

from othello_bot.strategies.board import (
    BLACK,
    WHITE,
    PaddedBoard,
    PlayerPiece,
    Square,
    after_move,
    initial_board,
    legal_moves,
)
from othello_bot.strategies.evaluations import weighted_squares
from othello_bot.strategies.searchers import ThinkAhead, killer_searcher, likely_replies
from tests.strategies.conftest import random_positions


def test_prepared_replies_are_answered_at_once() -> None:
    calls: list[PaddedBoard] = []
    search = killer_searcher(2, weighted_squares)

    def counting(player: PlayerPiece, board: PaddedBoard) -> Square:
        calls.append(board)
        return search(player, board)

    thinker = ThinkAhead(counting, weighted_squares, replies=2)
    for player, board in random_positions(5, seed=4, first_move=10, last_move=30):
        replies = likely_replies(player, board, weighted_squares)
        assert sorted(replies) == legal_moves(player, board)
        assert thinker.ponder(player, board) == min(2, len(replies))
        for number, reply in enumerate(replies):
            child = after_move(reply, player, board)
            own = BLACK + WHITE - player
            if not legal_moves(own, child):
                continue
            before = len(calls)
            assert thinker(own, child) == search(own, child)
            assert (len(calls) == before) == (number < 2)
    assert thinker.hits > 5 and thinker.misses > 5


def test_time_is_a_limit_too() -> None:
    thinker = ThinkAhead(killer_searcher(1, weighted_squares), weighted_squares, replies=4)
    answers = iter([False, False, True])
    assert thinker.ponder(BLACK, initial_board(), lambda: next(answers)) == 2


def test_old_answers_are_forgotten() -> None:
    thinker = ThinkAhead(killer_searcher(1, weighted_squares), weighted_squares)
    thinker.ponder(BLACK, initial_board())
    thinker.ponder(BLACK, initial_board(), lambda: True)
    thinker(WHITE, after_move(34, BLACK, initial_board()))
    assert (thinker.hits, thinker.misses) == (0, 1)


def test_no_replies() -> None:
    with pytest.raises(ValueError, match="expected 1 or more"):
        ThinkAhead(killer_searcher(1, weighted_squares), weighted_squares, replies=0)
