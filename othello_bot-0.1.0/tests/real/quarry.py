"""Quarry, a board game front end of GNU, as its user starts it: a configuration file, keys, and its saved games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from othello_bot.base.notation import parse_move
from othello_bot.rules.game import Game
from othello_bot.tools.gui_config import quarry_section
from tests.real.desktop import Desktop, wait_for

REPOSITORY = Path(__file__).resolve().parents[2]
LAUNCHER = REPOSITORY / "scripts" / "othello-bot"
OURS = "othello-bot"
GRHINO = "GRhino Reversi "
"""The name that Quarry gives the engine of its own site configuration, with its space at the end."""

_NO_LIMIT = {"Time control type": 0}


class Quarry:
    """One run of Quarry, with this engine registered in its configuration."""

    def __init__(self, desktop: Desktop, home: Path) -> None:
        self.desktop = desktop
        self._home = home
        self.engine_log = home / "engine.log"

    def configure(self, *, black: str, white: str, time: dict[str, Any] | None = None, level: int = 3) -> None:
        """Write the configuration: the engine, and the players and the clock that the dialog of a new game proposes."""
        command = f"{LAUNCHER} --option level={level} --option book=off --option log_file={self.engine_log}"
        sections = {
            f'GTP Engine "{GRHINO}"': _site_engine("GRhino Reversi", "/usr/games/gtp-rhino"),
            "New Game Parameters": {
                "Game": "Reversi",
                "White is computer": True,
                "Engine playing white": white,
                "Black is computer": True,
                "Engine playing black": black,
            },
            "New Reversi Game Parameters": {"Board size": 8, **(time or _NO_LIMIT)},
        }
        text = "\n\n".join("\n".join([f"[{name}]", *map(_line, values.items())]) for name, values in sections.items())
        self._file.write_text(f"{quarry_section(OURS, command)}\n{text}\n")

    @property
    def _file(self) -> Path:
        return self._home / ".quarry"

    def start(self) -> None:
        """Start it; its first window is the control centre."""
        self.program = self.desktop.start("quarry", HOME=str(self._home))

    def new_game(self) -> None:
        """Begin the game that the configuration describes."""
        desktop = self.desktop
        desktop.press_until("Control Center", ("alt+n",), lambda: desktop.window("New Game"), "dialog of a new game")
        # The second page of the dialog has the same title as the first.
        desktop.press_until("New Game", ("alt+f", "alt+p"), lambda: desktop.window(r"vs\."), "board")

    def register(self, command: str) -> None:
        """Add an engine in the preferences; return once Quarry has accepted it."""
        desktop = self.desktop
        desktop.press_until("Control Center", ("alt+n",), lambda: desktop.window("New Game"), "dialog of a new game")
        desktop.press_until("New Game", ("alt+e",), lambda: desktop.window("Preferences"), "preferences")
        desktop.press_until("Preferences", ("alt+a",), lambda: desktop.window("New GTP Engine"), "dialog of an engine")
        desktop.enter("New GTP Engine", command)
        gone = "New GTP Engine"
        desktop.press_until(gone, ("alt+a",), lambda: not desktop.window(gone), "engine taken")
        desktop.press_until("Preferences", ("alt+c",), lambda: not desktop.window("Preferences"), "closed preferences")
        desktop.press_until("New Game", ("alt+c",), lambda: not desktop.window("New Game"), "closed dialog")

    def quit(self) -> str:
        """Leave Quarry and return the configuration that it wrote."""
        self.desktop.press_until("Control Center", ("alt+q",), lambda: self.program.poll() is not None, "end")
        return self._file.read_text()

    def save(self) -> str:
        """Save the game and return the text of its file."""
        desktop, saved = self.desktop, self._home / "game.sgf"
        saved.unlink(missing_ok=True)
        dialog = "Save As"  # comes up the first time only
        desktop.press_until(r"vs\.", ("ctrl+s",), lambda: desktop.window(dialog) or saved.exists(), "dialog to save")
        if not saved.exists():
            desktop.enter(dialog, str(saved))
            desktop.press_until(dialog, ("Return",), saved.exists, "saved file")
        wait_for(lambda: saved.read_text().rstrip().endswith(")"), "the end of the saved file")
        return saved.read_text()

    def sent(self) -> list[str]:
        """Return the commands that this engine has received from Quarry so far."""
        return self._logged("<")

    def answered(self) -> list[str]:
        """Return the lines that this engine has answered so far."""
        return self._logged(">")

    def game(self) -> Game:
        """Return the game as this engine has seen it so far."""
        game = Game()
        asked = False
        for direction, text in self._lines():
            words = text.split()
            if direction == "<":
                asked = words[0] == "genmove"
                if words[0] == "play":
                    game.play_moves([parse_move(words[2])])
            elif asked:
                game.play_moves([parse_move(words[1])])
        return game

    def _logged(self, direction: str) -> list[str]:
        return [text for found, text in self._lines() if found == direction]

    def _lines(self) -> list[tuple[str, str]]:
        if not self.engine_log.exists():
            return []
        return re.findall(r"^\S+ ([<>]) (.*)\n", self.engine_log.read_text(), re.MULTILINE)


def _site_engine(name: str, command: str) -> dict[str, Any]:
    values = {"Screen name format": "%n", "Name": name, "Site configuration name": name}
    return {**values, "Command line": command, "Supported games": "Reversi"}


def _line(setting: tuple[str, Any]) -> str:
    name, value = setting
    if isinstance(value, bool):
        return f"{name} = {str(value).lower()}"
    # Times are unquoted, as numbers are.
    return f"{name} = {value}" if isinstance(value, int) or ":" in value else f'{name} = "{value}"'
