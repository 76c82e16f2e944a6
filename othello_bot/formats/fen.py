"""FEN for Othello as Edax writes it.

Ranks go from 8 down to 1 and files from a to h; `p` is a black disc, `P` a white one, a digit a run of empty squares;
then "b" or "w" to move, and "- - 0 1", which has no meaning here. WinBoard swaps the two letters. That form is not
supported, because nothing in the text distinguishes the two.
"""

from __future__ import annotations

import re

from othello_bot.base.boards import split_fen
from othello_bot.base.errors import FormatError
from othello_bot.rules import Position


def parse_fen(text: str) -> Position:
    """Return the position of an Edax FEN; raise FormatError for any other text."""
    board, rest = split_fen(text)
    if board is None or rest:
        raise FormatError("FEN", text, "eight ranks of p, P and digits from rank 8 to 1, then b or w")
    return Position.from_board(board)


def format_fen(position: Position) -> str:
    """Return a position as Edax writes it in FEN."""
    cells = position.to_string()[:64].translate(str.maketrans("XO", "pP"))
    ranks = [re.sub("-+", lambda run: str(len(run[0])), cells[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
    return f"{'/'.join(ranks)} {position.color.letter} - - 0 1"
