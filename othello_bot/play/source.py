"""Where the events of a game come from: lines that a person types at the prompt, Ctrl-C, the flag, and searches."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from othello_bot.play.session import PlayingSession
from othello_bot.protocol.gtp import INTERRUPT_COMMENT
from othello_bot.session import Event, Inbox, InputEnded
from othello_bot.terminal.keyboard import LineDropped

if TYPE_CHECKING:
    from othello_bot.engine import SearchRequest, SearchResult
    from othello_bot.play.front import Watch

LOOK_S: Final = 0.02
"""Seconds between two checks whether a search should end."""

TENTHS_S: Final = 10.0
"""Seconds below which a clock shows tenths."""


class _FlagFell(Exception):
    """The time of the player to move is up."""


class PlaySource:
    """Events of a game, and the observer of its searches."""

    def __init__(self, inbox: Inbox, session: PlayingSession) -> None:
        self._inbox = inbox
        self._session = session
        self._front = session.front
        self._leaving = False
        self._result: SearchResult | None = None
        self._watch: Watch | None = None
        self._watching = ExitStack()

    def next_event(self, busy: bool, timeout_s: float | None) -> Event | None:
        """Return the next event; ask for a line if nothing runs and nothing waits."""
        if not busy:
            return self._inbox.get(0) or self._line()
        end_s = None if timeout_s is None else time.monotonic() + timeout_s
        while end_s is None or time.monotonic() < end_s:
            event = self._inbox.get(LOOK_S)
            if event is not None:
                return event
            live = self._session.live
            if self._watch is not None and (self._watch(self._result) or live.flag_fell(self._session.now_s())):
                return self._inbox.typed(INTERRUPT_COMMENT)
        return None

    def _line(self) -> Event | None:
        """Read a line at the prompt; None if the flag falls, or Ctrl-C drops the line. A second Ctrl-C leaves."""
        session = self._session
        if not session.live.is_over and not session.paused:
            session.show_if_changed()
        try:
            line = self._front.read_line(session.prompt(), self._tick if session.clocks_a_person else None)
        except EOFError:
            return self._left()
        except LineDropped as dropped:
            if self._leaving and not dropped.text:
                return self._left()
            self._leaving = True
            if not dropped.text:
                self._front.say("Ctrl-C once more, or quit, leaves")
            return None
        except _FlagFell:
            return None
        self._leaving = False
        return self._inbox.typed(line)

    def _left(self) -> InputEnded:
        self._session.leave()
        return InputEnded()

    def _tick(self) -> float:
        """Show the time, and return the seconds until it changes; raise _FlagFell if it is up."""
        session = self._session
        now_s = session.now_s()
        if session.live.flag_fell(now_s):
            raise _FlagFell
        left_s = session.live.left_s(session.live.color, now_s)
        self._front.tick(session.clocks_now())
        return left_s % 0.1 if left_s < TENTHS_S else left_s % 1.0

    # -- what a computer thinks -------------------------------------------------------------------------------------

    def began(self, request: SearchRequest) -> None:
        """Begin to show a search."""
        self._result = None
        self._watch = self._watching.enter_context(self._front.thinking(self._session.clocks_now))

    def improved(self, result: SearchResult) -> None:
        """Show a better result of the running search."""
        self._result = result

    def ended(self) -> None:
        """End the display of the search."""
        self._watch = None
        self._watching.close()
