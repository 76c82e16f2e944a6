"""GoGui's commands for engines that play another game than Go: the ``gogui-rules_*`` family, and the analyse commands.

GoGui draws row 1 at the bottom and reads ``gogui-rules_board`` from the top, so the board is sent with row 8 first:
then the picture agrees with the names of clicked squares. Sources: GoGui's manual, rules and analyze.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from othello_bot.base.errors import counted
from othello_bot.base.notation import PASS, Board, Color, format_decimal, move_name

GAME_ID: Final = "Othello"
"""``gogui-rules_game_id``: one capital, then small letters only."""

BOARD_SIZE: Final = "8"
"""``gogui-rules_board_size``."""


def rules_board(board: Board) -> str:
    """Return ``gogui-rules_board``: eight rows of ``X``, ``O`` and ``.``, row 8 first."""
    return _rows([cell.replace("-", ".") for cell in board.cells])


def rules_legal_moves(moves: Iterable[int]) -> str:
    """Return ``gogui-rules_legal_moves``: names in capitals, ``pass`` for a forced pass, nothing after the end.

    GoGui notices the end of the game only by an empty reply.
    """
    return points(moves)


def rules_side_to_move(color: Color) -> str:
    """Return ``gogui-rules_side_to_move``."""
    return "white" if color else "black"


def rules_final_result(black_discs: int, white_discs: int, black_score: int | None) -> str:
    """Return ``gogui-rules_final_result``, a sentence for a dialog.

    ``black_score`` counts the empty squares for the winner, the discs do not; it is None during the game.
    """
    if black_score is None:
        return f"The game is not over. Discs: B {black_discs} and W {white_discs}."
    score = f"Final score is B {black_discs} and W {white_discs}."
    if not black_score:
        return f"Draw. {score}"
    winner = "Black" if black_score > 0 else "White"
    return f"{winner} wins by {counted(abs(black_score), 'point')}. {score}"


def rules_captured_count(black_discs: int, white_discs: int) -> str:
    """Return ``gogui-rules_captured_count`` so that GoGui's panel counts the discs of each colour on the board.

    The panel counts the prisoners of each colour, white ones first in this reply; Othello has none.
    """
    return f"{white_discs} {black_discs}"


class AnalyzeType(Enum):
    """How GoGui shows the answer of an analyse command."""

    NONE = "none"
    STRING = "string"
    LONG_STRING = "hstring"
    POINTS = "plist"
    NUMBERS = "dboard"
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
        return f"{self.type.value}/{self.label}/{self.command}"


def analyze_commands(commands: Iterable[AnalyzeCommand]) -> str:
    """Return the reply to ``gogui-analyze_commands``."""
    return "\n".join(str(command) for command in commands)


def number_board(values: Sequence[float]) -> str:
    """Return a ``dboard``: 64 numbers (a1 first) as rows, row 8 first; GoGui colours -1 .. 1."""
    return _rows([format_decimal(value) for value in values])


def labels(texts: Iterable[tuple[int, str]]) -> str:
    """Return ``pspairs``: pairs of a move's name and its label."""
    return " ".join(f"{_point(move)} {text.replace(' ', '')}" for move, text in texts)


def points(moves: Iterable[int]) -> str:
    """Return a ``plist``: the names of squares in capitals, and ``pass``."""
    return " ".join(map(_point, moves))


def parameter(name: str, value: bool | int | str, choices: Sequence[str] = ()) -> str:
    """Return a line of a ``param`` reply: a check box for a bool, a list if there are choices, else a text field.

    GoGui changes the value by sending the same command with the name and the new value: 1 or 0 for a check box.
    """
    if isinstance(value, bool):
        return f"[bool] {name} {int(value)}"
    kind = "/".join(["list", *choices]) if choices else "string"
    return f"[{kind}] {name} {value}"


def variation(moves: Iterable[int], color: Color) -> str:
    """Return a ``var``: the moves with their colours, ``color`` first, as text for GoGui to play through."""
    words = []
    for move in moves:
        words.append(f"{color.letter.upper()} {_point(move)}")
        color = color.opponent
    return " ".join(words)


def live_graphics(graphics: str) -> str:
    """Return the text that makes GoGui draw the lines of a ``gfx`` reply while the engine thinks, for stderr.

    It is one block: GoGui clears the board before each.
    """
    return f"gogui-gfx:\n{graphics}\n\n"


def _point(move: int) -> str:
    return "pass" if move == PASS else move_name(move).upper()


def _rows(cells: Sequence[str]) -> str:
    return "\n".join(" ".join(cells[row : row + 8]) for row in range(56, -8, -8))
