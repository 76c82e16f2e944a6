"""What GoGui asks of an engine that plays another game than Go: the ``gogui-rules_*`` family, and its analyse commands.

GoGui draws its row 1 at the bottom and reads ``gogui-rules_board`` from the top, so the board is given row 8 first:
then the picture and the names of the squares that are clicked agree.  Sources: GoGui's manual, rules and analyze.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.notation import PASS, Board, Color, format_decimal, move_name

GAME_ID: Final = "Othello"
"""``gogui-rules_game_id``: one capital, then small letters only."""

BOARD_SIZE: Final = "8"
"""``gogui-rules_board_size``."""


def rules_board(board: Board) -> str:
    """Return ``gogui-rules_board``: eight rows of ``X``, ``O`` and ``.``, row 8 first."""
    return _rows([cell.replace("-", ".") for cell in board.cells])


def rules_legal_moves(moves: Iterable[int]) -> str:
    """Return ``gogui-rules_legal_moves``: names in capitals, ``pass`` for a forced pass, nothing after the end.

    Anything but nothing there, and GoGui never sees that the game is over.
    """
    return " ".join("pass" if move == PASS else move_name(move).upper() for move in moves)


def rules_side_to_move(color: Color) -> str:
    """Return ``gogui-rules_side_to_move``."""
    return "white" if color else "black"


def rules_final_result(black_discs: int, white_discs: int, black_score: int) -> str:
    """Return ``gogui-rules_final_result``, a sentence for a dialog.

    ``black_score`` counts the empty squares for the winner, the discs do not.
    """
    score = f"Final score is B {black_discs} and W {white_discs}."
    if not black_score:
        return f"Draw. {score}"
    winner = "Black" if black_score > 0 else "White"
    return f"{winner} wins by {abs(black_score)} points. {score}"


class AnalyzeType(Enum):
    """How GoGui shows what an analyse command answers."""

    NONE = "none"
    STRING = "string"
    LONG_STRING = "hstring"
    POINTS = "plist"
    NUMBERS = "dboard"
    STRINGS = "sboard"
    LABELS = "pspairs"
    VARIATION = "var"
    GRAPHICS = "gfx"
    PARAMETERS = "param"


@dataclass(frozen=True, slots=True)
class AnalyzeCommand:
    """One line of ``gogui-analyze_commands``: ``type/label/command``; ``%`` words in the command are GoGui's own."""

    type: AnalyzeType
    label: str
    command: str

    def __str__(self) -> str:
        """The line."""
        return f"{self.type.value}/{self.label}/{self.command}"


def analyze_commands(commands: Iterable[AnalyzeCommand]) -> str:
    """Return the reply to ``gogui-analyze_commands``."""
    return "\n".join(str(command) for command in commands)


def number_board(values: Sequence[float]) -> str:
    """Return a ``dboard``: 64 numbers (a1 first) as rows, row 8 first; GoGui colours -1 .. 1."""
    return _rows([format_decimal(value) for value in values])


def string_board(texts: Sequence[str]) -> str:
    """Return an ``sboard``: 64 short texts without spaces (a1 first), an empty one as ``""``."""
    return _rows([text.replace(" ", "") or '""' for text in texts])


def labels(texts: Iterable[tuple[int, str]]) -> str:
    """Return ``pspairs``: a move's name and its label, one pair after another."""
    return " ".join(f"{move_name(move).upper()} {text.replace(' ', '')}" for move, text in texts)


def variation(moves: Iterable[int], color: Color) -> str:
    """Return a ``var``: the moves with their colours, ``color`` first, as text for GoGui to play through."""
    words = []
    for move in moves:
        words.append(f"{color.letter.upper()} {'pass' if move == PASS else move_name(move).upper()}")
        color = color.opponent
    return " ".join(words)


def live_graphics(text: str) -> str:
    """Return the stderr line that GoGui draws while the engine thinks."""
    return "gogui-gfx: " + " ".join(text.split())


def _rows(cells: Sequence[str]) -> str:
    return "\n".join(" ".join(cells[row : row + 8]) for row in range(56, -8, -8))
