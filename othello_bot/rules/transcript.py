"""Transcripts: the moves of a game in one line, "f5d6c3d3c4f4", optionally preceded by a board.

`othello_bot.base.notation` parses the text. Passes may be omitted; playing the moves inserts them (see `game.py`).
"""

from __future__ import annotations

from othello_bot.base.boards import split_board
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import NotationError, TranscriptError, parse_transcript
from othello_bot.rules.position import Position


def parse_moves(text: str) -> tuple[int, ...]:
    """Return the moves that `text` names, with passes only where it writes them; do not check legality.

    Raise FormatError, with the offset, at anything that is not a move, pass, move number or separator.
    """
    if not isinstance(text, str):
        raise FormatError("transcript", text, "a text of moves (f5d6c3, passes as pa)")
    try:
        return parse_transcript(text)
    except TranscriptError as error:
        raise FormatError("transcript", error.value[:8], error.expected, error.place) from error


def split_start(text: str) -> tuple[Position, str]:
    """Return the position from which `text` starts, and the rest of the text.

    A text may begin with a board of 64 cells and the side to move; otherwise the position is the usual start and the
    rest is the whole text. Raise FormatError for anything but a text, and for a board in signs of several kinds.
    """
    if not isinstance(text, str):
        raise FormatError("transcript", text, "a text of moves, possibly after a board")
    try:
        board, rest = split_board(text)
    except NotationError as error:
        raise FormatError("board", error.value, error.expected) from error
    return Position.start() if board is None else Position.from_board(board), rest
