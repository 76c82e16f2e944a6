"""Make the pictures of the terminal in docs/images: real processes on a terminal of 80 x 24, drawn as SVG.

Run it from a checkout after changes to the terminal: scripts/figures terminal [NAME...]. Without a name it makes
all pictures; `--out FOLDER` writes them elsewhere. The pictures show real searches: moves, speeds and clocks differ
from run to run.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from _setup.enter import ROOT
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from tests.terminal.screens import NO_COLOR, SIXTEEN_COLORS, TRUE_COLOR, Terminal

COLUMNS, LINES = 80, 24
FOLDER = ROOT / "docs" / "images"

_NORMAL = [(0, 0, 0), (205, 49, 49), (13, 150, 66), (176, 138, 16), (36, 114, 200), (163, 58, 163), (17, 148, 180)]
_BRIGHT = [(110, 110, 110), (241, 76, 76), (35, 200, 130), (225, 205, 60), (59, 142, 234), (214, 112, 214)]
_BRIGHT += [(41, 184, 219), (255, 255, 255)]
DARK = TerminalTheme((24, 26, 30), (222, 224, 228), [*_NORMAL, (229, 229, 229)], _BRIGHT)
LIGHT = TerminalTheme((253, 253, 251), (32, 34, 38), [*_NORMAL, (190, 190, 190)], _BRIGHT)

NAMES = {"brown": "yellow", "brightbrown": "bright_yellow"}
"""Colours whose names differ between pyte and rich."""

FORMAT = """\
<svg viewBox="-12 -10 WIDTH HEIGHT" width="WIDTH" height="HEIGHT"
 xmlns="http://www.w3.org/2000/svg" xml:space="preserve">
<style>
.{unique_id}-matrix {{
  font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px; font-variant-east-asian: full-width; white-space: pre;
}}
{styles}
</style>
<defs>{lines}</defs>
<rect x="-12" y="-10" width="WIDTH" height="HEIGHT" rx="10" fill="GROUND"/>
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</svg>
"""
"""A template for rich's drawing, whose characters are 12.2 wide and 24.4 high; it loads no external resource."""


@dataclass(frozen=True)
class Screenshot:
    """A picture: how the program is started, and what is typed before it is taken."""

    arguments: tuple[str, ...]
    act: Callable[[Terminal], object]
    variables: dict[str, str]
    theme: TerminalTheme = DARK


def session(terminal: Terminal) -> None:
    """Play some moves in a session, the last by the engine."""
    terminal.prompt("othello> ")
    for line, seen in (("f5d6c3", "opening: "), ("go", "(othello-bot)")):
        terminal.send(f"{line}\r")
        terminal.wait_for(seen).prompt("othello> ")


def thinking(terminal: Terminal) -> None:
    """Let the engine think for a while."""
    terminal.prompt("othello> ")
    terminal.send("f5d6c3d3c4f4f6f3\r")
    terminal.wait_for("opening: ").prompt("othello> ")
    terminal.send("hint\r")
    terminal.wait_until(lambda screen: "depth 2" in screen.line)


def help_screen(terminal: Terminal) -> None:
    """Ask for help."""
    terminal.prompt("othello> ")
    terminal.send("help\r")
    terminal.wait_for("lists those that programs use").prompt("othello> ")


def game(terminal: Terminal) -> None:
    """Play two moves with clocks."""
    terminal.prompt("black> ")
    for move, seen in (("f5", "opening: "), ("d3", "plays d3")):
        terminal.send(f"{move}\r")
        terminal.wait_for(seen).prompt("black> ")


def choice(terminal: Terminal) -> None:
    """Show what can be typed during a game."""
    terminal.prompt("black> ")
    terminal.send("help\r")
    terminal.wait_for("leave").prompt("black> ")


SESSION = ("--hash", "16", "--seed", "1")
PLAY = ("play", "--white", "weighted", "--minutes", "5", "--seed", "1")
PICTURES = {
    "terminal-session": Screenshot(SESSION, session, TRUE_COLOR),
    "terminal-session-light": Screenshot(SESSION, session, TRUE_COLOR, LIGHT),
    "terminal-session-16-colours": Screenshot(SESSION, session, SIXTEEN_COLORS),
    "terminal-session-no-colours": Screenshot(SESSION, session, NO_COLOR),
    "terminal-thinking": Screenshot((*SESSION, "--level", "40"), thinking, TRUE_COLOR),
    "terminal-help": Screenshot(SESSION, help_screen, TRUE_COLOR),
    "terminal-play": Screenshot(PLAY, game, TRUE_COLOR),
    "terminal-play-help": Screenshot(PLAY, choice, TRUE_COLOR),
}


def taken(picture: Screenshot) -> str:
    """Return the picture as SVG."""
    with (
        tempfile.TemporaryDirectory() as home,
        Terminal(picture.arguments, Path(home), picture.variables, COLUMNS, LINES) as terminal,
    ):
        picture.act(terminal)
        console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
        for row in range(LINES):
            console.print(line(terminal, row), soft_wrap=True)
    size = {"WIDTH": f"{COLUMNS * 12.2 + 24:.0f}", "HEIGHT": f"{LINES * 24.4 + 22:.0f}"}
    page = FORMAT
    for name, value in {**size, "GROUND": picture.theme.background_color.hex}.items():
        page = page.replace(name, value)
    return console.export_svg(theme=picture.theme, code_format=page, unique_id="terminal")


def line(terminal: Terminal, row: int) -> Text:
    """Return a line of the screen with its colours."""
    text = Text()
    for column in range(COLUMNS):
        cell = terminal.cell(row, column)
        bold, reverse = cell.bold or None, cell.reverse or None
        style = Style(color=color(cell.fg), bgcolor=color(cell.bg), bold=bold, reverse=reverse)
        text.append(cell.data, style)
    return text


def color(name: str) -> str | None:
    """Return a colour of pyte under rich's name."""
    if name == "default":
        return None
    if len(name) == 6 and all(digit in "0123456789abcdef" for digit in name):
        return f"#{name}"
    name = NAMES.get(name, name)
    return name.replace("bright", "bright_") if name.startswith("bright") and "_" not in name else name


def main() -> int:
    """Make the pictures; return the exit status."""
    parser = argparse.ArgumentParser(description="make the pictures of the terminal in docs/images")
    parser.add_argument("names", nargs="*", choices=[[], *PICTURES], metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER", help="where they go (docs/images)")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or PICTURES:
        (arguments.out / f"{name}.svg").write_text(taken(PICTURES[name]), encoding="utf-8")
        print(f"{name}.svg")
    return 0
