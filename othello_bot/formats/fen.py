"""FEN for Othello as Edax writes it, and reading a position from any text that describes one.

Ranks go from 8 down to 1 and files from a to h; `p` is a black disc, `P` a white one, a digit a run of empty squares;
then "b" or "w" to move, and "- - 0 1", which has no meaning here. WinBoard swaps the two letters. That form is not
supported, because nothing in the text distinguishes the two.
"""

from __future__ import annotations

import re
from typing import Final

from othello_bot.errors import FormatError
from othello_bot.rules import Position
from protocol.notation import Color

_FEN: Final = re.compile(
    r"\s*([pP1-8]{1,8}(?:/[pP1-8]{1,8}){7})\s{1,8}([bBwW])(?![^\s;])(?:\s{1,8}-\s{1,8}-(?:\s{1,8}\d{1,3}){0,2})?[\s;]*"
)


def parse_fen(text: str) -> Position:
    """Return the position of an Edax FEN; raise FormatError for any other text."""
    position, rest = split_fen(text)
    if position is None or rest:
        raise FormatError("FEN", text, "eight ranks of p, P and digits from rank 8 to 1, then b or w")
    return position


def split_fen(text: str) -> tuple[Position | None, str]:
    """Return the position of an Edax FEN at the beginning of `text`, None without one, and the rest of the text."""
    match = _FEN.match(text) if "/" in text else None
    if match is None:
        return None, text
    colors = {"p": 0, "P": 0}
    for rank, row in zip(range(7, -1, -1), match[1].split("/"), strict=True):
        file = 0
        for char in row:
            if char in colors and file < 8:
                colors[char] |= 1 << (8 * rank + file)
            file += 1 if char in colors else int(char)
        if file != 8:
            return None, text
    position = Position.from_colors(colors["p"], colors["P"], Color.BLACK if match[2] in "bB" else Color.WHITE)
    return position, text[match.end() :]


def format_fen(position: Position) -> str:
    """Return a position as Edax writes it in FEN."""
    cells = position.to_string()[:64].translate(str.maketrans("XO", "pP"))
    ranks = [re.sub("-+", lambda run: str(len(run[0])), cells[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
    return f"{'/'.join(ranks)} {position.color.letter} - - 0 1"


def parse_position(text: str) -> Position:
    """Return the position of a board string (see Position.parse) or of an Edax FEN; raise the errors of either reader.
    """
    return parse_fen(text) if text.count("/") == 7 else Position.parse(text)
