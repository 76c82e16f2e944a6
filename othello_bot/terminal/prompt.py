"""A session with a person: prompt, line editing with history and completion, a drawn board in colour.

While a search runs there is no prompt, but lines can be typed and are obeyed, so `stop` stops it.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from othello_bot.engine import OPTIONS
from othello_bot.files import report
from othello_bot.rules import Position
from othello_bot.session import Event, Inbox, InputEnded, LineArrived, Session
from protocol.notation import Color, move_name
from protocol.wire import Line, clean

PROMPT = "othello> "

LOOK_S = 0.01
"""Seconds between two looks at the keyboard while a search runs; `stop` is to be heard within a fiftieth of one."""

HISTORY_LINES = 1000

_BLACK_DISC, _WHITE_DISC = "\033[30;1m●", "\033[97;1m●"
_BOARD, _HINT, _PLAIN = "\033[42m", "\033[32;2m·", "\033[0m"


class TerminalSource:
    """Events from the keyboard and from the search. A context manager: what it does to the terminal is undone."""

    def __init__(self, inbox: Inbox, session: Session, commands: Sequence[str], prompts: Callable[[], bool]) -> None:
        self._inbox = inbox
        self._prompts = prompts
        self._session = session
        self._commands = commands
        self._readline = _readline()
        self._history = _history_file()

    def __enter__(self) -> TerminalSource:
        self._session.draw_board = draw_plain if os.environ.get("NO_COLOR") else draw
        sys.stdout.write("othello-bot: f5 plays a move, genmove lets the engine play, help says more\n")
        sys.stdout.flush()
        readline = self._readline
        if readline is not None:
            readline.set_completer(Completer(self._session, self._commands, readline).complete)
            readline.set_completer_delims(" ")
            readline.set_history_length(HISTORY_LINES)
            # Escape sequences around pasted text mean nothing to a program that drives us through a terminal.
            readline.parse_and_bind("set enable-bracketed-paste off")
            readline.parse_and_bind("tab: complete")
            with contextlib.suppress(OSError):  # none yet, or none that can be read: history begins here
                readline.read_history_file(self._history)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._readline is None:
            return
        try:
            self._history.parent.mkdir(parents=True, exist_ok=True)
            self._readline.write_history_file(self._history)
        except OSError as error:
            report(f"the history was not saved in {self._history}: {error.strerror}")

    def next_event(self, busy: bool, timeout_s: float | None) -> Event | None:
        """Return the next event; asks for a line when nothing runs and nothing waits."""
        waiting = self._inbox.get(0)
        if waiting is not None:
            return waiting
        if not busy:
            return self._read(PROMPT if self._prompts() else "")
        end_s = None if timeout_s is None else time.monotonic() + timeout_s
        while end_s is None or time.monotonic() < end_s:
            if select.select([0], [], [], 0)[0]:
                return self._read("")
            event = self._inbox.get(LOOK_S)
            if event is not None:
                return event
        return None

    def _read(self, prompt: str) -> Event:
        try:
            text = input(prompt)
        except EOFError:
            sys.stdout.write("\n")
            sys.stdout.flush()
            return InputEnded()
        arrived = LineArrived(Line(clean(text), len(text)), time.monotonic())
        self._inbox.take_room(arrived)
        return arrived


class Completer:
    """Completes commands, and what some commands take: options, command names, legal moves."""

    def __init__(self, session: Session, commands: Sequence[str], readline: ModuleType) -> None:
        self._session = session
        self._commands = commands
        self._readline = readline

    def complete(self, text: str, state: int) -> str | None:
        """Return the completion number `state` of `text`, None after the last; as readline calls it."""
        before = self._readline.get_line_buffer()[: self._readline.get_begidx()]
        found = self.candidates(before.split(), text)
        return found[state] + " " if state < len(found) else None

    def candidates(self, before: Sequence[str], text: str) -> list[str]:
        """Return what may follow the words `before` and begins with `text`."""
        moves = [move_name(move) for move in self._session.position.legal_moves]
        words: list[str] = []
        if not before:
            words = [*self._commands, *moves]
        elif before[0] in ("help", "known_command"):
            words = list(self._commands)
        elif before[0] in ("setoption", "getoption") and len(before) == 1:
            words = [option.name for option in OPTIONS]
        elif before[0] == "play":
            words = moves
        return [word for word in words if word.startswith(text.lower())]


def draw(position: Position) -> str:
    """Return the board in colour, with the legal moves as dots."""
    legal = set(position.legal_moves)
    rows = []
    for row in range(8):
        cells = []
        for square in range(8 * row, 8 * row + 8):
            color = position.disc_at(square)
            if color is None:
                cells.append(f"{_HINT}{_PLAIN}" if square in legal else " ")
            else:
                cells.append((_BLACK_DISC if color is Color.BLACK else _WHITE_DISC) + _PLAIN)
        shaded = " ".join(cells).replace(_PLAIN, _PLAIN + _BOARD)
        rows.append(f"{row + 1} {_BOARD} {shaded} {_PLAIN} {row + 1}")
    return _framed(rows, position)


def draw_plain(position: Position) -> str:
    """Return the board without colour, with the legal moves as dots."""
    legal = set(position.legal_moves)
    rows = []
    for row in range(8):
        cells = []
        for square in range(8 * row, 8 * row + 8):
            color = position.disc_at(square)
            cells.append(("·" if square in legal else " ") if color is None else color.disc)
        rows.append(f"{row + 1}  {' '.join(cells)}  {row + 1}")
    return _framed(rows, position)


def _framed(rows: list[str], position: Position) -> str:
    """Return the rows between their letters, and below whose turn it is and the discs."""
    header = "   a b c d e f g h"
    turn = "game over" if position.is_over else f"{position.color.name.lower()} to move"
    counts = f"black {position.black.bit_count()}, white {position.white.bit_count()}"
    return "\n".join([header, *rows, header, f"{turn}; {counts}"])


def _readline() -> ModuleType | None:
    """Return Python's readline, or None if Python was built without it: lines are then read without editing."""
    try:
        import readline
    except ImportError:
        return None
    return readline


def _history_file() -> Path:
    """Return where the typed lines are kept, by the XDG convention."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(state) / "othello-bot" / "history"
