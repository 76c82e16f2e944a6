"""The classic board of the textbooks: a list of 100 numbers, 64 squares with a border around them.

Square 11 is a1, 18 is h1, 81 is a8 and 88 is h8: the tens are the row, the units the column. All other indices are the
border, so a walk in any direction meets the edge as a special piece and needs no special case. This is the
representation of Norvig's "Paradigms of Artificial Intelligence Programming" (1992), chapter 18, and of the programs
that follow it. The engine has a faster one; this one is for the reader.

A strategy is a function of a player and a board that returns a square. The referee, get_move(), forbids illegal moves
(section 18.2).

>>> print(draw(initial_board()))
  a b c d e f g h
1 . . . . . . . .
2 . . . . . . . .
3 . . . . . . . .
4 . . . O X . . .
5 . . . X O . . .
6 . . . . . . . .
7 . . . . . . . .
8 . . . . . . . .
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from othello_bot.base import boards, notation
from othello_bot.base.notation import Color
from othello_bot.rules import Position

Piece = int
"""The content of a square: EMPTY, BLACK, WHITE, or OUTER on the border."""
PlayerPiece = int
"""BLACK or WHITE."""
Square = int
"""A number 11..88 whose units are 1..8."""
PaddedBoard = list[Piece]
"""A hundred pieces, indexed by square."""

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2
OUTER: Final = 3

PLAYER_NAMES: Final = {BLACK: "black", WHITE: "white"}
DISCS: Final = ".XO?"
"""The character of each piece."""

DIRECTIONS: Final = (-11, -10, -9, -1, 1, 9, 10, 11)
"""Differences between a square and its neighbours."""

ALL_SQUARES: Final = tuple(10 * row + column for row in range(1, 9) for column in range(1, 9))
"""The 64 squares row by row, a1 first."""

CORNERS: Final = (11, 18, 81, 88)

NEIGHBORS: Final = {
    square: tuple(square + step for step in DIRECTIONS if square + step in ALL_SQUARES) for square in ALL_SQUARES
}
"""The three, five or eight squares around each square."""


def opponent(player: PlayerPiece) -> PlayerPiece:
    """Return the other player.

    >>> opponent(BLACK) == WHITE and opponent(WHITE) == BLACK
    True
    """
    return BLACK + WHITE - player


def empty_board() -> PaddedBoard:
    """Return a board without discs."""
    board = [OUTER] * 100
    for square in ALL_SQUARES:
        board[square] = EMPTY
    return board


def initial_board() -> PaddedBoard:
    """Return the start board: white on d4 and e5, black on e4 and d5."""
    board = empty_board()
    board[44] = board[55] = WHITE
    board[45] = board[54] = BLACK
    return board


def find_bracket(square: Square, player: PlayerPiece, board: PaddedBoard, direction: int) -> Square | None:
    """Return the player's disc at the end of a row of opposing discs that begins next to `square`, or None.

    >>> find_bracket(square_of("d3"), BLACK, initial_board(), 10) == square_of("d5")
    True
    >>> find_bracket(square_of("e3"), BLACK, initial_board(), 10) is None
    True
    """
    other = opponent(player)
    here = square + direction
    if board[here] != other:
        return None
    while board[here] == other:
        here += direction
    return here if board[here] == player else None


def is_legal(move: Square, player: PlayerPiece, board: PaddedBoard) -> bool:
    """Return whether the player may place a disc there: the square is empty and at least one disc is flipped.

    >>> is_legal(square_of("d3"), BLACK, initial_board()), is_legal(square_of("e3"), BLACK, initial_board())
    (True, False)
    """
    if board[move] != EMPTY:
        return False
    other = opponent(player)
    return any(
        board[move + direction] == other and find_bracket(move, player, board, direction) is not None
        for direction in DIRECTIONS
    )


def legal_moves(player: PlayerPiece, board: PaddedBoard, squares: Iterable[Square] = ALL_SQUARES) -> list[Square]:
    """Return the player's legal moves in the order of `squares`; a searcher may choose an order that tries good moves
    first.

    >>> names(legal_moves(BLACK, initial_board()))
    'd3 c4 f5 e6'
    """
    return [square for square in squares if board[square] == EMPTY and is_legal(square, player, board)]


def any_legal_move(player: PlayerPiece, board: PaddedBoard) -> bool:
    """Return whether the player has a legal move."""
    return any(board[square] == EMPTY and is_legal(square, player, board) for square in ALL_SQUARES)


def flipped_discs(move: Square, player: PlayerPiece, board: PaddedBoard) -> list[Square]:
    """Return the discs that the player flips by moving to an empty square; no discs if the move is illegal.

    >>> names(flipped_discs(square_of("d3"), BLACK, initial_board()))
    'd4'
    """
    flipped: list[Square] = []
    for direction in DIRECTIONS:
        bracket = find_bracket(move, player, board, direction)
        if bracket is not None:
            flipped += range(move + direction, bracket, direction)
    return flipped


def make_move(move: Square, player: PlayerPiece, board: PaddedBoard) -> PaddedBoard:
    """Put the player's disc on `move`, flip the discs it encloses, and return the same, changed board.

    The move must be legal: searchers try only legal moves, and the referee checks all others.

    >>> board = make_move(square_of("d3"), BLACK, initial_board())
    >>> board.count(BLACK), board.count(WHITE)
    (4, 1)
    """
    for square in flipped_discs(move, player, board):
        board[square] = player
    board[move] = player
    return board


def after_move(move: Square, player: PlayerPiece, board: PaddedBoard) -> PaddedBoard:
    """Return a new board with the legal move made on it; `board` is unchanged."""
    return make_move(move, player, board[:])


def next_to_play(board: PaddedBoard, previous: PlayerPiece) -> PlayerPiece | None:
    """Return who moves after `previous`: the opponent, or `previous` again if the opponent must pass.

    None means the end of the game: neither player has a move.
    """
    for player in (opponent(previous), previous):
        if any_legal_move(player, board):
            return player
    return None


def empties(board: PaddedBoard) -> int:
    """Return the number of empty squares.

    >>> empties(initial_board())
    60
    """
    return board.count(EMPTY)


def move_number(board: PaddedBoard) -> int:
    """Return the number of the next move, 1 for the first; passes do not count.

    >>> move_number(initial_board())
    1
    """
    return 61 - empties(board)


def square_of(name: str) -> Square:
    """Return the square called "a1" .. "h8", in any case; raise NotationError for any other text.

    >>> square_of("a1"), square_of("h1"), square_of("f5")
    (11, 18, 56)
    """
    return ALL_SQUARES[notation.parse_square(name)]


def square_name(square: Square) -> str:
    """Return the name of a square, "a1" .. "h8"; any other number is returned as digits, for error messages.

    >>> square_name(56), square_name(19)
    ('f5', '19')
    """
    return notation.square_name(engine_square(square)) if square in ALL_SQUARES else str(square)


def names(squares: Iterable[Square]) -> str:
    """Return the names of the squares with spaces between them."""
    return " ".join(map(square_name, squares))


def parse_board(text: str) -> PaddedBoard:
    """Return the board of 64 cells, X black, O white, `.` or `-` empty, a1 first; white space is ignored.

    Raise NotationError for any other text.
    """
    cells = "".join(text.split())
    if len(cells) != 64:
        raise notation.NotationError(text, "64 cells of X, O and .")
    board = empty_board()
    for square, cell in zip(ALL_SQUARES, boards.parse_board(cells).cells, strict=True):
        board[square] = EMPTY if cell == "-" else DISCS.index(cell)
    return board


def draw(board: PaddedBoard) -> str:
    """Return the board as text with its coordinates, row 1 at the top."""
    rows = [f"{row} {' '.join(DISCS[board[10 * row + column]] for column in range(1, 9))}" for row in range(1, 9)]
    return "\n".join(["  a b c d e f g h", *rows])


def from_position(position: Position) -> tuple[PlayerPiece, PaddedBoard]:
    """Return the player to move and the board of an engine position.

    >>> player, board = from_position(Position.start())
    >>> player == BLACK, board == initial_board()
    (True, True)
    """
    board = empty_board()
    for index, square in enumerate(ALL_SQUARES):
        if position.black >> index & 1:
            board[square] = BLACK
        elif position.white >> index & 1:
            board[square] = WHITE
    return (BLACK if position.color is Color.BLACK else WHITE), board


def engine_square(square: Square) -> int:
    """Return the engine's number 0..63 of a square.

    >>> engine_square(square_of("a1")), engine_square(square_of("h8"))
    (0, 63)
    """
    row, column = divmod(square, 10)
    return 8 * (row - 1) + column - 1


Strategy = Callable[[PlayerPiece, PaddedBoard], Square]
"""Chooses a legal move. It is called only if there is one, with its own copy of the board, which it may change."""


class IllegalStrategyMove(ValueError):
    """A strategy chose an illegal move; the message names the player and the square."""

    def __init__(self, player: PlayerPiece, move: object, board: PaddedBoard) -> None:
        shown = square_name(move) if isinstance(move, int) else repr(move)
        super().__init__(
            f"{PLAYER_NAMES[player]}'s strategy chose the illegal move {shown}: "
            f"expected one of {names(legal_moves(player, board))}"
        )
        self.player = player
        self.move = move
        self.board = board


def get_move(strategy: Strategy, player: PlayerPiece, board: PaddedBoard) -> Square:
    """Return the strategy's move; raise IllegalStrategyMove if it is illegal.

    The strategy receives a copy of the board, so it cannot cheat by changing discs.
    """
    move = strategy(player, board[:])
    if move not in legal_moves(player, board):
        raise IllegalStrategyMove(player, move, board)
    return move


def play_game(
    black: Strategy, white: Strategy, board: PaddedBoard | None = None, player: PlayerPiece = BLACK
) -> PaddedBoard:
    """Play a game to its end and return the last board. It begins at the start, or at `board` with `player` to move."""
    board = initial_board() if board is None else board[:]
    turn = next_to_play(board, WHITE if player == BLACK else BLACK)
    while turn is not None:
        make_move(get_move(black if turn == BLACK else white, turn, board), turn, board)
        turn = next_to_play(board, turn)
    return board
