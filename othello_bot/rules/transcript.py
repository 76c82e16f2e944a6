"""Transcripts: the moves of a game in one line, "f5d6c3d3c4f4", with or without a board to start from.

Programs write them with or without spaces, move numbers ("1. f5 d6 2. c3"), and passes ("pa", "ps", "pass", "--"), in
either case. Passes may also be left out: whoever plays the moves inserts them (see othello_bot.rules.game.Game).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from othello_bot.errors import FormatError
from othello_bot.rules.position import Position
from othello_bot.rules.squares import PASS, move_name, parse_move

LONGEST_GAME: Final = 128
"""More moves than a game can have: 60 discs, and never two passes in a row that count."""

_TOKEN: Final = re.compile(
    r"(?P<move>[a-h][1-8]|pass|pa|ps|--)"
    # A move number: with its dots it may follow anything, without them it must stand alone.
    r"|(?P<number>\d{1,3}\s?(?:\.+|\))|(?<![a-z0-9])\d{1,3}(?=[\s,;|/-]|$))"
    r"|(?P<separator>[\s,;|/+-])",
    re.IGNORECASE,
)

_CELL: Final = r"[XxBb*0OoWw1._-]"
_BOARD: Final = re.compile(
    rf"\s*(?P<board>(?:{_CELL}\s*){{64}})(?P<side>black\b|white\b|[XxOoWw*]|[Bb](?![1-8])|[01](?=\s|;|$))?[\s;:]*",
    re.IGNORECASE,
)


def parse_moves(text: str) -> tuple[int, ...]:
    """Return the moves that `text` names, passes only where it writes them; legality is not looked at.

    Raise FormatError, with the place, at anything that is no move, pass, move number or separator.
    """
    moves: list[int] = []
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise FormatError("transcript", text[place : place + 8], "moves like f5d6c3, or pass", place)
        if token["move"] is not None:
            if len(moves) == LONGEST_GAME:
                raise FormatError("transcript", text[place : place + 8], f"at most {LONGEST_GAME} moves", place)
            moves.append(parse_move(token["move"]))
        place = token.end()
    return tuple(moves)


def format_moves(moves: Iterable[int], *, passes: bool = False, separator: str = "") -> str:
    """Return the moves in lower case, one after the other; passes are written as "pa" only if `passes` is true."""
    return separator.join("pa" if move == PASS else move_name(move) for move in moves if passes or move != PASS)


def split_start(text: str) -> tuple[Position, str]:
    """Return the position from which `text` starts, and the rest of it.

    A text may begin with a board of 64 cells and the side to move; otherwise the usual start is meant and the whole
    text is the rest.
    """
    board = _BOARD.match(text)
    if board is None:
        return Position.start(), text
    return Position.parse(f"{board['board']} {board['side'] or ''}"), text[board.end() :]
