"""The drawing in colours, made with rich; imported only if a terminal has colours.

The board has its own background, so that black and white discs look the same on light and dark terminals; the text
beside it keeps the terminal's colours.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Final, Literal

from rich.console import Console
from rich.text import Text

from othello_bot.base.notation import Color
from othello_bot.base.visible import visible
from othello_bot.terminal.picture import (
    BESIDE_COLUMNS,
    BOARD_COLUMNS,
    CLOCK_COLUMNS,
    FILES,
    PANEL_COLUMN,
    Colors,
    Picture,
    Scene,
    TerminalLook,
    clock_places,
    last_move_line,
    shown_name,
)


@dataclass(frozen=True, slots=True)
class _Palette:
    """Colours of one kind of terminal, as rich names them; `squares` alternate like a chess board."""

    squares: tuple[str, str]
    last: str
    turned: tuple[str, str]
    black: str
    white: str
    hint: str


_PALETTES: Final = {
    Colors.TRUE: _Palette(
        squares=("#339560", "#297d4f"),
        last="#bf8a10",
        turned=("#78923a", "#708a36"),
        black="#0b0d0c",
        white="#fdfdfb",
        hint="#08301b",
    ),
    Colors.MANY: _Palette(
        squares=("color(29)", "color(29)"),
        last="color(136)",
        turned=("color(100)", "color(100)"),
        black="color(16)",
        white="color(231)",
        hint="color(16)",
    ),
    Colors.SIXTEEN: _Palette(
        squares=("green", "green"),
        last="yellow",
        turned=("cyan", "cyan"),
        black="black",
        white="bright_white",
        hint="black",
    ),
}

_SYSTEMS: Final[dict[Colors, Literal["truecolor", "256", "standard"]]] = {
    Colors.TRUE: "truecolor",
    Colors.MANY: "256",
    Colors.SIXTEEN: "standard",
}


def draw_colored(scene: Scene, look: TerminalLook, columns: int) -> Picture:
    """Return the drawing of a scene in the colours of the look."""
    palette = _PALETTES[look.colors]
    header = Text.assemble(("   " + "".join(f" {file} " for file in FILES), "dim"))
    rows = [header, *(_row(scene, look, palette, row) for row in range(8))]
    lines = []
    panel = _panel(scene, look, palette, columns)
    if columns < BESIDE_COLUMNS:
        rows += [line for line in panel if line.plain.strip()]
        panel = [Text() for _ in rows]
    for row, beside in zip(rows, panel, strict=True):
        row.truncate(max(columns - 1, BOARD_COLUMNS))
        if beside.plain.strip():
            row.append(" " * (PANEL_COLUMN - row.cell_len))
            row.append_text(beside)
            row.truncate(max(columns - 1, BOARD_COLUMNS), overflow="ellipsis" if look.signs else "crop")
        lines.append(row)
    return Picture(tuple(_rendered(lines, look)), clock_places(scene, columns))


def _row(scene: Scene, look: TerminalLook, palette: _Palette, row: int) -> Text:
    """Return a row of the board with its number."""
    line = Text.assemble((f" {row + 1} ", "dim"))
    legal = 0 if scene.mover is None else scene.position.legal_bits
    for square in range(8 * row, 8 * row + 8):
        shade = (square + row) % 2
        ground = palette.squares[shade]
        if square == scene.last_move:
            ground = palette.last
        elif scene.turned >> square & 1:
            ground = palette.turned[shade]
        color = scene.position.disc_at(square)
        if color is not None:
            sign, ink = _disc(look, color), _ink(palette, color)
        else:
            sign, ink = ("•" if look.signs else "+") if legal >> square & 1 else " ", palette.hint
        line.append(f" {sign} ", style=f"{ink} on {ground}")
    return line


def _disc(look: TerminalLook, color: Color) -> str:
    return "●" if look.signs else color.disc


def _ink(palette: _Palette, color: Color) -> str:
    return palette.black if color is Color.BLACK else palette.white


def _panel(scene: Scene, look: TerminalLook, palette: _Palette, columns: int) -> list[Text]:
    """Return the text beside the nine lines of the board."""
    lines = [_seat(scene, look, palette, color, columns) for color in Color]
    lines += [Text(), Text(visible(scene.headline), style="bold"), Text(last_move_line(scene))]
    for label, value in scene.facts:
        lines.append(Text.assemble((f"{label}: ", "dim"), visible(value)))
    return [*lines, *(Text() for _ in range(9))][:9]


def _seat(scene: Scene, look: TerminalLook, palette: _Palette, color: Color, columns: int) -> Text:
    """Return the line of a player: an arrow if it is to move, its disc, name, discs and clock."""
    seat = scene.seat(color)
    on_turn = scene.mover is color
    name = shown_name(scene, color, columns)
    arrow = ("▶" if look.signs else ">") if on_turn else " "
    return Text.assemble(
        (arrow, "bold"),
        (f" {_disc(look, color)} ", f"{_ink(palette, color)} on {palette.squares[0]}"),
        (f" {name}", "bold" if on_turn else ""),
        (f" {scene.discs(color):2}", "bold"),
        f" {seat.clock:>{CLOCK_COLUMNS}}",
    )


def _rendered(lines: list[Text], look: TerminalLook) -> list[str]:
    """Return the lines with the control sequences of their colours."""
    file = io.StringIO()
    console = Console(
        file=file,
        force_terminal=True,
        color_system=_SYSTEMS[look.colors],
        no_color=False,
        width=500,
        highlight=False,
        legacy_windows=False,
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return file.getvalue().rstrip("\n").split("\n")
