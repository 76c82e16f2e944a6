"""Searchers: make a strategy from a depth and an evaluation.

After "Paradigms of Artificial Intelligence Programming", chapter 18, from the random player to alpha-beta with killer
moves. Every alpha-beta here finds the value of plain minimax with fewer boards; the tests check that.

The parameters have the names of the book. `achievable` is the value that the player has already secured elsewhere,
`cutoff` the value that the opponent will not let him exceed. A search returns the value if it lies between them,
`achievable` if it is not higher, and some value not below `cutoff` if it is not lower. Depth is counted in plies, and a
pass is one.

A search can be interrupted: every searcher checks at each board whether to continue. The searchers are plain functions
that know nothing about sessions, so the interruption is not passed through all of them; it is set once around the call,
for the calling thread:

>>> with interruptible(lambda: True):
...     check_interruption()
Traceback (most recent call last):
    ...
othello_bot.strategies.searchers.Interrupted
>>> check_interruption()  # no interruption set: nothing happens

ThinkAhead uses the opponent's time (section 18.13): many programs guess the opponent's reply and search the position
after it; Bill considers as many replies as time allows. Here the likeliest replies are processed in the order in which
the searcher itself would play them, and the answer to each is stored.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from othello_bot.strategies.board import (
    ALL_SQUARES,
    PaddedBoard,
    PlayerPiece,
    Square,
    Strategy,
    after_move,
    any_legal_move,
    initial_board,
    legal_moves,
    make_move,
    opponent,
)
from othello_bot.strategies.evaluations import LOSING_VALUE, STATIC_ORDER, WINNING_VALUE, Evaluation, final_value


class Interrupted(Exception):
    """A search was told to stop before it had found its move."""


class _Watch(threading.local):
    """The interruption of each thread's searches."""

    should_stop: Callable[[], bool] | None = None


_watch = _Watch()


@contextmanager
def interruptible(should_stop: Callable[[], bool]) -> Iterator[None]:
    """Let the searches that this thread starts in the block check `should_stop`, which may read other threads' state."""
    before = _watch.should_stop
    _watch.should_stop = should_stop
    try:
        yield
    finally:
        _watch.should_stop = before


def check_interruption() -> None:
    """Raise Interrupted if the search should end."""
    should_stop = _watch.should_stop
    if should_stop is not None and should_stop():
        raise Interrupted


ValuedMove = tuple[int, Square | None]
"""The value of a search from the player's view and the move that leads to it, None if he must pass."""


def random_strategy(seed: int = 0) -> Strategy:
    """Return a strategy that chooses any legal move; the same seed chooses the same moves."""
    rng = random.Random(seed)

    def strategy(player: PlayerPiece, board: PaddedBoard) -> Square:
        return rng.choice(legal_moves(player, board))

    return strategy


def maximizer(evaluate: Evaluation) -> Strategy:
    """Return a strategy that looks one move ahead and chooses the board with the best evaluation."""

    def strategy(player: PlayerPiece, board: PaddedBoard) -> Square:
        return max(legal_moves(player, board), key=lambda move: evaluate(player, after_move(move, player, board)))

    return strategy


def minimax(player: PlayerPiece, board: PaddedBoard, ply: int, evaluate: Evaluation) -> ValuedMove:
    """Return the value and the best move at `ply` plies by searching every line of play."""
    check_interruption()
    if ply == 0:
        return evaluate(player, board), None
    other = opponent(player)
    moves = legal_moves(player, board)
    if not moves:
        if any_legal_move(other, board):
            return -minimax(other, board, ply - 1, evaluate)[0], None
        return final_value(player, board), None
    values = [-minimax(other, after_move(move, player, board), ply - 1, evaluate)[0] for move in moves]
    best = max(values)
    return best, moves[values.index(best)]


def minimax_searcher(ply: int, evaluate: Evaluation) -> Strategy:
    """Return the strategy that plays minimax's move."""
    return lambda player, board: _move(minimax(player, board, ply, evaluate))


def alpha_beta(
    player: PlayerPiece,
    board: PaddedBoard,
    achievable: int,
    cutoff: int,
    ply: int,
    evaluate: Evaluation,
    squares: Iterable[Square] = ALL_SQUARES,
) -> ValuedMove:
    """Return minimax's value and move without searching lines that cannot matter; moves in the order of `squares`."""
    check_interruption()
    if ply == 0:
        return evaluate(player, board), None
    other = opponent(player)
    moves = legal_moves(player, board, squares)
    if not moves:
        if any_legal_move(other, board):
            return -alpha_beta(other, board, -cutoff, -achievable, ply - 1, evaluate, squares)[0], None
        return final_value(player, board), None
    best = moves[0]
    for move in moves:
        child = after_move(move, player, board)
        value = -alpha_beta(other, child, -cutoff, -achievable, ply - 1, evaluate, squares)[0]
        if value > achievable:
            achievable, best = value, move
        if achievable >= cutoff:
            break
    return achievable, best


def alpha_beta_searcher(ply: int, evaluate: Evaluation, squares: Iterable[Square] = ALL_SQUARES) -> Strategy:
    """Return the strategy that plays alpha-beta's move."""
    return lambda player, board: _move(alpha_beta(player, board, LOSING_VALUE, WINNING_VALUE, ply, evaluate, squares))


def static_order_searcher(ply: int, evaluate: Evaluation) -> Strategy:
    """Return alpha-beta that tries the squares in the order of their weights, corners first."""
    return alpha_beta_searcher(ply, evaluate, STATIC_ORDER)


@dataclass(slots=True)
class Node:
    """A board, the move that led to it, and its evaluation for the player to move."""

    square: Square | None
    board: PaddedBoard
    value: int


def alpha_beta_sorted(
    player: PlayerPiece, node: Node, achievable: int, cutoff: int, ply: int, evaluate: Evaluation
) -> ValuedMove:
    """Return minimax's value and move; moves are tried in the order of their boards' evaluations.

    Every board is evaluated once, when it is made, so that the order costs no second evaluation at the leaves. The book
    evaluates a new board for the player who has moved and negates it; here it is evaluated for the player to move,
    which is the same number for an antisymmetric evaluation and the right one for any other.
    """
    check_interruption()
    if ply == 0:
        return node.value, node.square
    other = opponent(player)
    nodes = [
        Node(move, child, evaluate(other, child))
        for move in legal_moves(player, node.board)
        for child in (after_move(move, player, node.board),)
    ]
    if not nodes:
        if any_legal_move(other, node.board):
            passed = Node(None, node.board, evaluate(other, node.board))
            return -alpha_beta_sorted(other, passed, -cutoff, -achievable, ply - 1, evaluate)[0], None
        return final_value(player, node.board), None
    nodes.sort(key=lambda child: child.value)  # the opponent's worst board is the player's best
    best = nodes[0].square
    for child in nodes:
        value = -alpha_beta_sorted(other, child, -cutoff, -achievable, ply - 1, evaluate)[0]
        if value > achievable:
            achievable, best = value, child.square
        if achievable >= cutoff:
            break
    return achievable, best


def sorted_searcher(ply: int, evaluate: Evaluation) -> Strategy:
    """Return alpha-beta with the moves sorted by evaluation."""

    def strategy(player: PlayerPiece, board: PaddedBoard) -> Square:
        root = Node(None, board, evaluate(player, board))
        return _move(alpha_beta_sorted(player, root, LOSING_VALUE, WINNING_VALUE, ply, evaluate))

    return strategy


def put_first(killer: Square | None, moves: list[Square]) -> list[Square]:
    """Return the moves with the killer at the front, if it is one of them.

    >>> put_first(34, [12, 34, 56]), put_first(99, [12, 34]), put_first(None, [12])
    ([34, 12, 56], [12, 34], [12])
    """
    if killer in moves:
        return [killer, *(move for move in moves if move != killer)]
    return moves


def alpha_beta_killer(
    player: PlayerPiece,
    board: PaddedBoard,
    achievable: int,
    cutoff: int,
    ply: int,
    evaluate: Evaluation,
    killer: Square | None,
    boards: Sequence[PaddedBoard],
) -> ValuedMove:
    """Return minimax's value and move; the reply that refuted a sibling is tried first.

    `boards` are the recycled boards, one for each ply: no two boards of a ply are needed at the same time, so the one
    of this ply is overwritten instead of making a board for each move. Squares are in the order of their weights.
    """
    check_interruption()
    if ply == 0:
        return evaluate(player, board), None
    other = opponent(player)
    moves = put_first(killer, legal_moves(player, board, STATIC_ORDER))
    if not moves:
        if any_legal_move(other, board):
            passed, _ = alpha_beta_killer(other, board, -cutoff, -achievable, ply - 1, evaluate, None, boards)
            return -passed, None
        return final_value(player, board), None
    best = moves[0]
    child = boards[ply]
    next_killer: Square | None = None
    next_killer_value = WINNING_VALUE
    for move in moves:
        child[:] = board
        make_move(move, player, child)
        found, reply = alpha_beta_killer(other, child, -cutoff, -achievable, ply - 1, evaluate, next_killer, boards)
        value = -found
        if value > achievable:
            achievable, best = value, move
        # The reply that hurt the player most is tried first in the other lines too.
        if reply is not None and value < next_killer_value:
            next_killer, next_killer_value = reply, value
        if achievable >= cutoff:
            break
    return achievable, best


def killer_searcher(ply: int, evaluate: Evaluation) -> Strategy:
    """Return alpha-beta with killer moves, recycled boards and the static order: Iago's search."""

    def strategy(player: PlayerPiece, board: PaddedBoard) -> Square:
        boards = [initial_board() for _ in range(ply + 1)]
        return _move(alpha_beta_killer(player, board, LOSING_VALUE, WINNING_VALUE, ply, evaluate, None, boards))

    return strategy


def _move(found: ValuedMove) -> Square:
    """Return the move of a search in a position that has one; strategies are never asked to pass."""
    move = found[1]
    if move is None:
        raise ValueError("a strategy was asked for a move without a legal one: expected at least one")
    return move


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

    def __call__(self, player: PlayerPiece, board: PaddedBoard) -> Square:
        """Return the prepared answer if there is one, else the strategy's move."""
        answer = self._prepared.get(_key(player, board))
        if answer is None:
            self.misses += 1
            return self.strategy(player, board)
        self.hits += 1
        return answer

    def ponder(self, player: PlayerPiece, board: PaddedBoard, should_stop: Callable[[], bool] = lambda: False) -> int:
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


def _key(player: PlayerPiece, board: PaddedBoard) -> tuple[int, ...]:
    """Return the key of a board with a player to move in the dictionary of answers."""
    return (player, *board)


def likely_replies(player: PlayerPiece, board: PaddedBoard, evaluate: Evaluation) -> list[Square]:
    """Return the player's legal moves, in the order of a shallow search's preference."""
    other = opponent(player)

    def value(move: Square) -> int:
        child = after_move(move, player, board)
        return -alpha_beta(other, child, LOSING_VALUE, WINNING_VALUE, GUESSING_DEPTH - 1, evaluate)[0]

    return sorted(legal_moves(player, board), key=value, reverse=True)
