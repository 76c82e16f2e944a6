"""Picture: a game as a value to draw, what a terminal can show, and the drawing as lines of text, without colours."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TextIO

from othello_bot.base.errors import counted
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.base.visible import padded, visible
from othello_bot.rules import Position
from othello_bot.session import verdict

if TYPE_CHECKING:
    from othello_bot.rules import Game


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's name in the drawing, and the text of the clock, empty for none."""

    name: str = ""
    clock: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that one drawing shows.

    `last_move` is the move that led to `position`, None at the start; `turned` is the bitboard of the discs that it
    flipped. `facts` are lines of a label and a value: level, opening.
    """

    position: Position
    last_move: int | None = None
    turned: int = 0
    black: Seat = Seat()
    white: Seat = Seat()
    headline: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    def seat(self, color: Color) -> Seat:
        """Return the seat of one player."""
        return self.black if color is Color.BLACK else self.white

    def discs(self, color: Color) -> int:
        """Return the number of one player's discs."""
        position = self.position
        return (position.black if color is Color.BLACK else position.white).bit_count()

    @property
    def mover(self) -> Color | None:
        """The side to move; None if the game is over."""
        return None if self.position.is_over else self.position.color


def what_the_last_move_did(game: Game) -> tuple[int | None, int]:
    """Return the last move, None before the first, and the bitboard of the discs that it flipped."""
    if not game.ply:
        return None, 0
    move = game.moves[-1]
    if move == PASS:
        return PASS, 0
    before, after = game.position_at(game.ply - 1), game.position
    return move, (after.opponent & before.opponent)


def turn_text(position: Position) -> str:
    """Return in words whose turn it is."""
    if position.is_over:
        return verdict(position)
    name = position.color.name.lower()
    return f"{name} has no move and must pass" if position.must_pass else f"{name} to move"


def clock_text(seconds: float) -> str:
    """Return the text of a clock: minutes and seconds rounded down, tenths in the last ten seconds."""
    if 0 < seconds < 10:
        return f"0:{int(10 * seconds) / 10:04.1f}"
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_UNABLE: Final = ("dumb", "unknown", "")
"""Values of TERM of terminals without control sequences."""


class Colors(Enum):
    """The number of colours."""

    NONE = "none"
    SIXTEEN = "16"
    MANY = "256"
    TRUE = "true"


@dataclass(frozen=True, slots=True)
class TerminalLook:
    """The abilities of a terminal: colours, characters beyond ASCII, and overwriting."""

    colors: Colors = Colors.NONE
    signs: bool = True
    rewrites: bool = False


def look_of(stream: TextIO, environment: Mapping[str, str] | None = None, color: str = "auto") -> TerminalLook:
    """Return what the terminal behind `stream` can show; no colours if the library that draws them is missing.

    `color` is "always" or "never" if the user has decided, else "auto": colours on a terminal, unless the variable
    NO_COLOR is set.
    """
    environment = os.environ if environment is None else environment
    encoding = (getattr(stream, "encoding", None) or "").lower()
    terminal = stream.isatty() and environment.get("TERM", "").lower() not in _UNABLE
    signs = encoding.startswith("utf")
    wanted = color == "always" or (color == "auto" and terminal and not environment.get("NO_COLOR"))
    if not wanted or importlib.util.find_spec("rich") is None:
        return TerminalLook(Colors.NONE, signs, terminal)
    return TerminalLook(_colors(environment), signs, terminal)


def _colors(environment: Mapping[str, str]) -> Colors:
    """Return the number of colours that the environment promises, as most programs read it."""
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return Colors.TRUE
    kind = environment.get("TERM", "").lower()
    if "256color" in kind or kind.endswith(("-kitty", "-direct", "-ghostty")):
        return Colors.MANY
    return Colors.SIXTEEN


FILES: Final = "abcdefgh"

BOARD_COLUMNS: Final = 28
"""Columns of the board with the numbers of its rows."""

NAME_COLUMNS: Final = 30
CLOCK_COLUMNS: Final = 8
PANEL_COLUMN: Final = BOARD_COLUMNS + 3

BESIDE_COLUMNS: Final = PANEL_COLUMN + 36
"""Fewest columns of a terminal that shows the panel beside the board and not below it: the last move takes 35."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as lines of text, and the places of its clocks: row and column from 0, for each player with one."""

    lines: tuple[str, ...]
    clocks: tuple[tuple[Color, int, int], ...] = ()

    @property
    def text(self) -> str:
        """The lines in one piece, without a line feed at the end."""
        return "\n".join(self.lines)


def draw_plain(scene: Scene, columns: int) -> Picture:
    """Return the drawing without colours: X, O and brackets."""
    header = "   " + "".join(f" {file} " for file in FILES)
    board = [header]
    legal = 0 if scene.mover is None else scene.position.legal_bits
    for row in range(8):
        cells = "".join(_plain_cell(scene, legal, square) for square in range(8 * row, 8 * row + 8))
        board.append(f" {row + 1} {cells}")
    panel = _panel(scene, columns)
    panel[7] = "X black  O white  + possible move"
    panel[8] = "[ ] last move  ( ) turned by it"
    if columns < BESIDE_COLUMNS:
        lines = [line.rstrip() for line in (*board, *filter(None, panel))]
    else:
        lines = [f"{left:{PANEL_COLUMN}}{right}".rstrip() for left, right in zip(board, panel, strict=True)]
    width = max(columns - 1, BOARD_COLUMNS)
    return Picture(tuple(visible(line, width) for line in lines), clock_places(scene, columns))


def _plain_cell(scene: Scene, legal: int, square: int) -> str:
    color = scene.position.disc_at(square)
    if color is None:
        return " + " if legal >> square & 1 else " . "
    if square == scene.last_move:
        return f"[{color.disc}]"
    return f"({color.disc})" if scene.turned >> square & 1 else f" {color.disc} "


def _panel(scene: Scene, columns: int) -> list[str]:
    """Return the text beside the nine lines of the board, in plain ASCII."""
    lines = [_seat_line(scene, color, columns) for color in Color]
    lines += ["", scene.headline, last_move_line(scene)]
    lines += [f"{label}: {value}" for label, value in scene.facts]
    return [*lines, *[""] * 9][:9]


def _seat_line(scene: Scene, color: Color, columns: int) -> str:
    """Return the line of a player: an arrow if it is to move, its letter, name, discs and clock."""
    seat = scene.seat(color)
    turn = ">" if scene.mover is color else " "
    figures = f"{scene.discs(color):2} {seat.clock:>{CLOCK_COLUMNS}}"
    return f"{turn} {color.disc}  {shown_name(scene, color, columns)} {figures}".rstrip()


def shown_name(scene: Scene, color: Color, columns: int) -> str:
    """Return a player's name, padded or cut to the width of its place on a terminal of this many columns."""
    name, width = scene.seat(color).name or color.name.lower(), _name_columns(scene, columns)
    return padded(visible(name, width), width)


def _name_columns(scene: Scene, columns: int) -> int:
    """Return the width of the players' names, which leaves space for the discs and clocks."""
    clocked = any(scene.seat(color).clock for color in Color)
    before = PANEL_COLUMN if columns >= BESIDE_COLUMNS else 0
    width = columns - 1 - before - 5 - 3 - (CLOCK_COLUMNS + 1 if clocked else 0)
    return max(len("black"), min(NAME_COLUMNS, width))


def clock_places(scene: Scene, columns: int) -> tuple[tuple[Color, int, int], ...]:
    """Return the places of the clocks in the drawing; none on a narrow terminal."""
    if columns < BESIDE_COLUMNS:
        return ()
    column = PANEL_COLUMN + 5 + _name_columns(scene, columns) + 4
    if column + CLOCK_COLUMNS >= columns:
        return ()
    return tuple((color, row, column) for row, color in enumerate(Color) if scene.seat(color).clock)


def last_move_line(scene: Scene) -> str:
    """Return the last move in words; an empty text before the first."""
    if scene.last_move is None:
        return ""
    player = scene.position.color.opponent.name.lower()
    turned = scene.turned.bit_count()
    discs = f", {counted(turned, 'disc')} turned" if turned else ""
    return f"last move: {player} {move_name(scene.last_move)}{discs}"
