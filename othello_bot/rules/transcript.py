"""Transcripts: the moves of a game in one line, "f5d6c3d3c4f4", with or without a board to start from.

What the text says is read by `protocol.notation`. Passes may be left out: playing the moves inserts them (see
`game.py`).
"""

from __future__ import annotations

from othello_bot.errors import FormatError
from othello_bot.rules.position import Position
from protocol.notation import TranscriptError, parse_transcript, split_board


def parse_moves(text: str) -> tuple[int, ...]:
    """Return the moves that `text` names, passes only where it writes them; legality is not looked at.

    Raise FormatError, with the place, at anything that is no move, pass, move number or separator.
    """
    try:
        return parse_transcript(text)
    except TranscriptError as error:
        raise FormatError("transcript", error.value[:8], error.expected, error.place) from error


def split_start(text: str) -> tuple[Position, str]:
    """Return the position from which `text` starts, and the rest of it.

    A text may begin with a board of 64 cells and the side to move; otherwise the usual start is meant and the whole
    text is the rest.
    """
    board, rest = split_board(text)
    return Position.start() if board is None else Position.from_board(board), rest
