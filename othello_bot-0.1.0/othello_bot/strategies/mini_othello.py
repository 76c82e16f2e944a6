"""Mini-Othello: a students' program with a three-part heuristic, a brute-force endgame and a corner quiescence search.

By Yunpeng Li and Dobo Radichkov, Cornell, 2003 (https://www.cs.cornell.edu/~yuli/othello/othello.html). The heuristic
of each player is discs/100 + legal moves + 10 for each corner. From a number of empty squares on, 14 in the published
program, the game is searched to its end, either for the largest margin or only for the win; empty squares count for the
winner. Moves close to the last one are tried first, because good replies are usually close to the last move.

A later version searches further if the horizon interrupts a trade of corners; see `quiescence_moves`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from othello_bot.strategies.board import (
    ALL_SQUARES,
    CORNERS,
    EMPTY,
    OUTER,
    PaddedBoard,
    PlayerPiece,
    Square,
    after_move,
    any_legal_move,
    empties,
    flipped_discs,
    is_legal,
    legal_moves,
    opponent,
)
from othello_bot.strategies.evaluations import LOSING_VALUE, WINNING_VALUE, count_difference, final_score, mobility
from othello_bot.strategies.searchers import check_interruption

BRUTE_FORCE_EMPTIES: Final = 14
"""Number of empty squares from which the published program searches to the end."""

UNITS: Final = 100
"""Units of the heuristic for a legal move. Hundredths make it a whole number."""
CORNER_MOVES: Final = 10
"""The value of a corner in legal moves."""

_DISTANCES: Final = {
    origin: {square: (square // 10 - origin // 10) ** 2 + (square % 10 - origin % 10) ** 2 for square in ALL_SQUARES}
    for origin in ALL_SQUARES
}
_NEAR: Final = {origin: tuple(sorted(ALL_SQUARES, key=_DISTANCES[origin].__getitem__)) for origin in ALL_SQUARES}
"""For each square, all squares, the nearest first, row by row if equally near."""

_CORNER_LINES: Final = {11: (1, 10), 18: (-1, 10), 81: (1, -10), 88: (-1, -10)}
"""The directions of the two edges that begin at each corner."""


def heuristic(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the heuristic in hundredths: the player's discs/100 + legal moves + 10 a corner, minus the opponent's.

    >>> from othello_bot.strategies.board import BLACK, initial_board, make_move, square_of
    >>> heuristic(BLACK, make_move(square_of("d3"), BLACK, initial_board()))  # 4 discs to 1, 3 moves each
    3
    """
    other = opponent(player)
    corners = sum((board[corner] == player) - (board[corner] == other) for corner in CORNERS)
    return (
        count_difference(player, board)
        + UNITS * (mobility(player, board) - mobility(other, board))
        + UNITS * CORNER_MOVES * corners
    )


def close_to(last: Square | None, squares: Sequence[Square]) -> list[Square]:
    """Return the squares ordered by their distance from the last move, the nearest first; unchanged without a last
    move.

    >>> close_to(11, [88, 33, 12])
    [12, 33, 88]
    """
    return list(squares) if last is None else sorted(squares, key=_DISTANCES[last].__getitem__)


class MiniOthello:
    """The program as a strategy.

    `depth` is its search depth in plies, `end_empties` the number of empty squares from which it searches to the end,
    `win_only` selects its second mode of that search, `quiescence` the later version's search of corner trades.
    """

    def __init__(
        self,
        depth: int,
        end_empties: int = BRUTE_FORCE_EMPTIES,
        *,
        win_only: bool = False,
        quiescence: bool = False,
    ) -> None:
        self.depth = depth
        self.end_empties = end_empties
        self.win_only = win_only
        self.quiescence = quiescence
        self._end = EndSolver()

    def __call__(self, player: PlayerPiece, board: PaddedBoard) -> Square:
        """Return the move; the last move is unknown here, so the first ply goes row by row."""
        return self.search(player, board)[1]

    def search(self, player: PlayerPiece, board: PaddedBoard) -> tuple[int, Square]:
        """Return the value from the player's view and the move.

        The value is the final score in the end search, -1, 0 or 1 if only the win counts, else the heuristic.
        """
        in_end = empties(board) <= self.end_empties
        if in_end:
            achievable, cutoff = (-1, 1) if self.win_only else (-64, 64)
        else:
            achievable, cutoff = LOSING_VALUE, WINNING_VALUE
        moves = legal_moves(player, board)
        best = moves[0]
        other = opponent(player)
        for move in moves:
            child = after_move(move, player, board)
            if in_end:
                value = -self._end.solve(other, child, -cutoff, -achievable, move)
            else:
                value = -self._search(other, child, -cutoff, -achievable, self.depth - 1, (None, move))
            if value > achievable:
                achievable, best = value, move
            if achievable >= cutoff:
                break
        return achievable, best

    def _search(
        self,
        player: PlayerPiece,
        board: PaddedBoard,
        achievable: int,
        cutoff: int,
        ply: int,
        last_two: tuple[Square | None, Square | None],
    ) -> int:
        """Return the value in hundredths by alpha-beta; `last_two` are the move before the last and the last one."""
        check_interruption()
        other = opponent(player)
        last = last_two[1]
        moves: list[Square] = []
        if ply <= 0:
            extension = quiescence_moves(player, board, last_two) if self.quiescence else []
            if not extension:
                return heuristic(player, board)
            moves = extension
            # Trading is optional: the value of not trading is that of the board.
            achievable = max(achievable, heuristic(player, board))
            if achievable >= cutoff:
                return achievable
        else:
            moves = legal_moves(player, board, ALL_SQUARES if last is None else _NEAR[last])
        if not moves:
            if any_legal_move(other, board):
                return -self._search(other, board, -cutoff, -achievable, ply - 1, (last, None))
            score = final_score(player, board)
            return score + WINNING_VALUE // 2 * ((score > 0) - (score < 0))
        for move in moves:
            child = after_move(move, player, board)
            value = -self._search(other, child, -cutoff, -achievable, ply - 1, (last, move))
            achievable = max(achievable, value)
            if achievable >= cutoff:
                break
        return achievable


def quiescence_moves(
    player: PlayerPiece, board: PaddedBoard, last_two: tuple[Square | None, Square | None]
) -> list[Square]:
    """Return the moves that continue a trade of corners at the horizon; none if the position is quiet.

    A position is not quiet if one of the last two moves took a corner and the player can take one in return, or if the
    last move took a corner and the player can wedge into an edge that starts there, to attack the corner at the other
    end.

    >>> from othello_bot.strategies.board import BLACK, initial_board
    >>> quiescence_moves(BLACK, initial_board(), (None, 56))
    []
    """
    if not any(move in CORNERS for move in last_two):
        return []
    moves = [corner for corner in CORNERS if is_legal(corner, player, board)]
    last = last_two[1]
    if last in _CORNER_LINES:
        moves += [wedge for step in _CORNER_LINES[last] for wedge in _wedge(player, board, last, step)]
    return moves


def _wedge(player: PlayerPiece, board: PaddedBoard, corner: Square, step: int) -> list[Square]:
    """Return the legal move into the gap between two opposing runs of the edge that begins at the corner, if any.

    It counts only where the corner at the far end can be taken next.
    """
    gap = corner + step
    while board[gap] not in (EMPTY, OUTER):
        gap += step
    if board[gap] != EMPTY or board[gap + step] != opponent(player) or not is_legal(gap, player, board):
        return []
    far_corner = corner + 7 * step
    return [gap] if is_legal(far_corner, player, after_move(gap, player, board)) else []


class EndSolver:
    """Solves endgames by brute force with alpha-beta, close moves first; `nodes` counts visited positions."""

    def __init__(self) -> None:
        self.nodes = 0

    def solve(
        self, player: PlayerPiece, board: PaddedBoard, achievable: int, cutoff: int, last: Square | None = None
    ) -> int:
        """Return the final score from the player's view; empty squares count for the winner.

        The window (-64, 64) finds the margin, (-1, 1) only win, draw or loss. `last` is the previous move.

        >>> from othello_bot.strategies.board import BLACK, WHITE, parse_board
        >>> last_square = parse_board(".OOOOOOX" + 56 * "O")
        >>> EndSolver().solve(BLACK, last_square, -64, 64), EndSolver().solve(WHITE, last_square, -64, 64)
        (-48, 48)
        """
        here = board[:]
        free = tuple(square for square in ALL_SQUARES if here[square] == EMPTY)
        return self._solve(player, here, achievable, cutoff, last, free, False)

    def _solve(
        self,
        player: PlayerPiece,
        board: PaddedBoard,
        achievable: int,
        cutoff: int,
        last: Square | None,
        free: Sequence[Square],
        passed: bool,
    ) -> int:
        """Solve on one board that is changed and restored; `free` are its empty squares."""
        check_interruption()
        self.nodes += 1
        other = opponent(player)
        can_move = False
        for move in close_to(last, free):
            flipped = flipped_discs(move, player, board)
            if not flipped:
                continue
            can_move = True
            board[move] = player
            for square in flipped:
                board[square] = player
            rest = tuple(square for square in free if square != move)
            value = -self._solve(other, board, -cutoff, -achievable, move, rest, False)
            board[move] = EMPTY
            for square in flipped:
                board[square] = other
            achievable = max(achievable, value)
            if achievable >= cutoff:
                return achievable
        if can_move:
            return achievable
        if passed:
            return final_score(player, board)
        return -self._solve(other, board, -cutoff, -achievable, last, free, True)
