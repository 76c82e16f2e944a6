"""Think-ahead: using the opponent's time.

After "Paradigms of Artificial Intelligence Programming", section 18.13: many programs guess the opponent's reply and
search the position after it; Bill considers as many replies as time allows. Here the likeliest replies are processed in
the order in which the searcher itself would play them, and the answer to each is stored. If the opponent plays one of
them, the answer is ready at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from othello_bot.strategies.board import Board, Player, Square, after_move, legal_moves, opponent
from othello_bot.strategies.evaluations import LOSING_VALUE, WINNING_VALUE, Evaluation
from othello_bot.strategies.referee import Strategy
from othello_bot.strategies.searchers import alpha_beta

DEFAULT_REPLIES: Final = 3
"""Number of the opponent's replies for which answers are prepared."""

GUESSING_DEPTH: Final = 2
"""Depth in plies of the search that orders the opponent's replies: enough to see their immediate gains and losses."""


class ThinkAhead:
    """A strategy that answers from what it prepared while the opponent was thinking.

    `hits` and `misses` count the moves that were prepared and those that were not.
    """

    def __init__(self, strategy: Strategy, evaluate: Evaluation, replies: int = DEFAULT_REPLIES) -> None:
        if replies < 1:
            raise ValueError(f"replies {replies}: expected 1 or more")
        self.strategy = strategy
        self.replies = replies
        self.hits = 0
        self.misses = 0
        self._evaluate = evaluate
        self._prepared: dict[tuple[int, ...], Square] = {}

    def __call__(self, player: Player, board: Board) -> Square:
        """Return the prepared answer if there is one, else the strategy's move."""
        answer = self._prepared.get(_key(player, board))
        if answer is None:
            self.misses += 1
            return self.strategy(player, board)
        self.hits += 1
        return answer

    def ponder(self, player: Player, board: Board, should_stop: Callable[[], bool] = lambda: False) -> int:
        """Prepare answers while `player`, the opponent, thinks about his move; return the number of replies done.

        `should_stop` is checked before each reply, so that time is a limit as well as the number of replies.
        """
        self._prepared.clear()
        done = 0
        own = opponent(player)
        for reply in likely_replies(player, board, self._evaluate)[: self.replies]:
            if should_stop():
                break
            child = after_move(reply, player, board)
            if legal_moves(own, child):
                self._prepared[_key(own, child)] = self.strategy(own, child[:])
            done += 1
        return done


def _key(player: Player, board: Board) -> tuple[int, ...]:
    """Return the key of a board with a player to move in the dictionary of answers."""
    return (player, *board)


def likely_replies(player: Player, board: Board, evaluate: Evaluation) -> list[Square]:
    """Return the player's legal moves, in the order of a shallow search's preference."""
    other = opponent(player)

    def value(move: Square) -> int:
        child = after_move(move, player, board)
        return -alpha_beta(other, child, LOSING_VALUE, WINNING_VALUE, GUESSING_DEPTH - 1, evaluate)[0]

    return sorted(legal_moves(player, board), key=value, reverse=True)
