"""Where the events of a game come from: as in any session at a terminal, and the flag that falls."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Final

from othello_bot.base.notation import Color
from othello_bot.play.session import PlayingSession
from othello_bot.protocol.gtp import INTERRUPT_COMMENT
from othello_bot.session import Event, Inbox
from othello_bot.terminal.keyboard import Tick
from othello_bot.terminal.source import TerminalSource

TENTHS_S: Final = 10.0
"""Seconds below which a clock shows tenths."""


class _FlagFell(Exception):
    """The time of the player to move is up."""


class PlaySource(TerminalSource):
    """Events of a game, and the observer of its searches."""

    def __init__(self, inbox: Inbox, session: PlayingSession) -> None:
        super().__init__(inbox, session, session.terminal)
        self._play = session

    def _line(self) -> Event | None:
        """Read a line at the prompt; None if Ctrl-C discards it, or the flag falls. A second Ctrl-C leaves."""
        try:
            return super()._line()
        except _FlagFell:
            return None

    def _meanwhile(self) -> Event | None:
        """Collect what is typed for the next prompt; end the search after Ctrl-C and when the flag falls."""
        with contextlib.suppress(EOFError):  # Ctrl-D has no meaning while no line is read
            self._keyboard.collect(0.0)
        if not self._keyboard.interrupted and not self._play.live.flag_fell(self._play.now_s()):
            return None
        self._keyboard.interrupted = False
        return self._inbox.typed(INTERRUPT_COMMENT)

    def _prompt(self) -> str:
        return self._play.prompt()

    def _show(self) -> None:
        if not self._play.live.is_over and not self._play.paused:
            self._play.show_if_changed()

    def _clocks(self, running: Color, elapsed_s: float) -> Mapping[Color, str]:
        return self._play.clocks_now()

    def _ticking(self) -> Tick | None:
        return self._tick if self._play.clocks_a_person else None

    def _tick(self) -> float:
        """Show the time, and return the seconds until it changes; raise _FlagFell if it is up."""
        live, now_s = self._play.live, self._play.now_s()
        if live.flag_fell(now_s):
            raise _FlagFell
        if self._screen is not None:
            self._screen.tick(self._play.clocks_now(), self._prompt() + self._keyboard.line_so_far)
        left_s = live.left_s(live.color, now_s) or 0.0
        return left_s % 0.1 if left_s < TENTHS_S else left_s % 1.0
