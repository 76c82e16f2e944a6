"""The rules of Othello, implemented slowly and obviously, to check the fast ones against.

A board is a list of 100 characters, the 8x8 squares with a border around them: X black, O white, . empty, # border.
Square 0 (a1) is cell 11, square 63 (h8) is cell 88. Nothing of othello_bot is used here.
"""

from __future__ import annotations

DIRECTIONS = (-11, -10, -9, -1, 1, 9, 10, 11)
CELLS = [11 + 10 * rank + file for rank in range(8) for file in range(8)]
"""The cell of each square 0..63."""
SQUARE_OF = {cell: square for square, cell in enumerate(CELLS)}
OTHER = {"X": "O", "O": "X"}


def start_board() -> list[str]:
    """Return the usual start: white d4 and e5, black e4 and d5."""
    return board_of("-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27)


def board_of(text: str) -> list[str]:
    """Return the board of 64 characters X, O and - from a1 to h8."""
    board = ["#"] * 100
    for cell, char in zip(CELLS, text, strict=True):
        board[cell] = "." if char == "-" else char
    return board


def text_of(board: list[str]) -> str:
    """Return 64 characters X, O and - from a1 to h8."""
    return "".join(board[cell] for cell in CELLS).replace(".", "-")


def flipped(board: list[str], cell: int, player: str) -> list[int]:
    """Return the cells that `player` flips by a disc on `cell`; none if the move is illegal."""
    if board[cell] != ".":
        return []
    other = OTHER[player]
    turned: list[int] = []
    for step in DIRECTIONS:
        reached = cell + step
        if board[reached] != other:
            continue
        while board[reached] == other:
            reached += step
        if board[reached] == player:
            turned.extend(range(cell + step, reached, step))
    return turned


def all_moves(board: list[str], player: str) -> dict[int, list[int]]:
    """Return each legal move of `player` as a cell, with the cells that it flips."""
    moves = {}
    for cell in CELLS:
        if board[cell] == "." and (turned := flipped(board, cell, player)):
            moves[cell] = turned
    return moves


def play(board: list[str], cell: int, turned: list[int], player: str) -> None:
    """Put a disc of `player` on `cell` and flip `turned`."""
    board[cell] = player
    for other in turned:
        board[other] = player


def bits(cells: list[int]) -> int:
    """Return the bitboard of these cells."""
    return sum(1 << SQUARE_OF[cell] for cell in cells)


def discs(board: list[str], player: str) -> int:
    """Return the bitboard of the discs of `player`."""
    return bits([cell for cell in CELLS if board[cell] == player])


def score(board: list[str], player: str) -> int:
    """Return the disc difference from `player`'s view, with the empty squares counted for the side with more discs."""
    own, theirs = board.count(player), board.count(OTHER[player])
    empties = 64 - own - theirs
    if own == theirs:
        return 0
    return own - theirs + empties if own > theirs else own - theirs - empties


def perft(board: list[str], player: str, depth: int, passed: bool = False) -> int:
    """Return the number of lines of `depth` plies; a pass is a ply, and a game that ends earlier is one line."""
    if depth == 0:
        return 1
    moves = all_moves(board, player)
    if not moves:
        return 1 if passed else perft(board, OTHER[player], depth - 1, passed=True)
    total = 0
    for cell, turned in moves.items():
        child = board[:]
        play(child, cell, turned, player)
        total += perft(child, OTHER[player], depth - 1)
    return total
