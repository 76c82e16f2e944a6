"""A session with a person: prompt, drawn board, the engine's thinking on one line, Ctrl-C.

During a search there is no prompt, but typed lines are executed, so `stop` stops it, and so does Ctrl-C. At the prompt,
Ctrl-C discards the line; a second one at the empty prompt leaves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from othello_bot.base.notation import Color
from othello_bot.engine import ENGINE_STRATEGY
from othello_bot.protocol.gtp import INTERRUPT_COMMENT
from othello_bot.rules import Game
from othello_bot.session import Event, Inbox, InputEnded, Session
from othello_bot.terminal.keyboard import Keyboard, LineDropped
from othello_bot.terminal.picture import Picture, Scene, Seat, clock_text, turn_text, what_the_last_move_did
from othello_bot.terminal.screen import ThinkingLine, draw

if TYPE_CHECKING:
    from othello_bot.engine import SearchRequest, SearchResult


def scene_of(session: Session) -> Scene:
    """Return the content of the session's drawing."""
    position = session.position
    last_move, turned = what_the_last_move_did(session.game)
    facts = [("engine", engine_text(session))]
    opening = session.opening_name()
    if opening:
        facts.append(("opening", opening))
    seats = {color: Seat(_player(session, color), clock_shown(session, color)) for color in Color}
    headline = session.verdict or turn_text(position)
    return Scene(position, last_move, turned, seats[Color.BLACK], seats[Color.WHITE], headline, tuple(facts))


def engine_text(session: Session) -> str:
    """Return how the session's engine plays: its level and other limits, or the textbook player's name."""
    options = session.engine.options
    if options.strategy != ENGINE_STRATEGY:
        return options.strategy
    return options.limits_text(clocked=any(session.clocks.state(color) is not None for color in Color))


def clock_shown(session: Session, color: Color, spent_s: float = 0.0) -> str:
    """Return the text of a player's clock `spent_s` seconds into its turn; an empty text without a limit."""
    state = session.clocks.of(color).state
    return "" if state is None else clock_text(state.remaining_s - spent_s)


def _player(session: Session, color: Color) -> str:
    """Return the player's name with its colour, or only the colour if no name is known."""
    name = session.log.player(session.live, color)
    return f"{color.name.lower()} ({name})" if name else color.name.lower()


PROMPT: Final = "othello> "

GREETING: Final = "othello-bot: f5 plays a move, go lets the engine play one, help lists the rest"

LOOK_S: Final = 0.01
"""Seconds between two checks of the keyboard during a search; `stop` must act within a fiftieth of a second."""


class TerminalSource:
    """Events from the keyboard and from the search, and the observer of searches. A context manager."""

    def __init__(self, inbox: Inbox, session: Session, keyboard: Keyboard, prompts: Callable[[], bool]) -> None:
        self._inbox = inbox
        self._session = session
        self._keyboard = keyboard
        self._screen = keyboard.screen
        self._prompts = prompts
        self._drawn: Game | None = None
        self._at_empty_prompt_again = False
        self._thinking: tuple[ThinkingLine, Color] | None = None
        self._result: SearchResult | None = None
        self._listening: ExitStack | None = None

    def __enter__(self) -> TerminalSource:
        self._session.draw_board = lambda session: self._picture().text
        self._session.person = self._keyboard
        self._screen.write(f"{GREETING}\n")
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop_listening()
        self._screen.erase_renewed()

    # -- events -----------------------------------------------------------------------------------------------------

    def next_event(self, busy: bool, timeout_s: float | None) -> Event | None:
        """Return the next event; ask for a line if nothing runs and nothing waits."""
        waiting = self._inbox.get(0)
        if waiting is not None:
            return waiting
        if not busy:
            self._stop_listening()
            return self._at_the_prompt() if self._prompts() else self._read("")
        if self._listening is None and self._prompts():
            self._listening = ExitStack()
            self._listening.enter_context(self._keyboard.listening())
        end_s = None if timeout_s is None else time.monotonic() + timeout_s
        while end_s is None or time.monotonic() < end_s:
            event = self._typed_meanwhile() or self._inbox.get(LOOK_S)
            if event is not None:
                return event
            self._renew()
        return None

    def _at_the_prompt(self) -> Event:
        """Draw what has changed and read a line; Ctrl-C discards the line, and twice leaves."""
        while True:
            if self._session.game != self._drawn:
                self._screen.show(self._picture())
            self._keyboard.interrupted = False
            try:
                event = self._read(PROMPT)
            except LineDropped as dropped:
                if self._at_empty_prompt_again and not dropped.text:
                    self._session.leave()
                    return InputEnded()
                self._at_empty_prompt_again = True
                if not dropped.text:
                    self._keyboard.tell("Ctrl-C once more, or quit, leaves")
                continue
            self._at_empty_prompt_again = False
            if isinstance(event, InputEnded):
                self._session.leave()
            return event

    def _typed_meanwhile(self) -> Event | None:
        """Return the input during a search: a line, Ctrl-C as a stop without an answer, the end of input."""
        if self._keyboard.interrupted:
            self._keyboard.interrupted = False
            return self._inbox.typed(INTERRUPT_COMMENT)
        try:
            text = self._keyboard.typed_line(0.0)
        except EOFError:
            return InputEnded()
        if text is None:
            return None
        if self._screen.look.rewrites:
            self._screen.write(f"{text}\n")
        return self._inbox.typed(text)

    def _read(self, prompt: str) -> Event:
        try:
            return self._inbox.typed(self._keyboard.read_line(prompt))
        except EOFError:
            return InputEnded()

    def _stop_listening(self) -> None:
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    # -- what the engine thinks -------------------------------------------------------------------------------------

    def began(self, request: SearchRequest) -> None:
        """Begin to show a search, unless its progress is already reported line by line."""
        told = request.on_report is None and self._prompts()
        self._thinking = (ThinkingLine(self._screen, request.label), request.position.color) if told else None
        self._result = None

    def improved(self, result: SearchResult) -> None:
        """Show a better result of the running search."""
        self._result = result

    def ended(self) -> None:
        """End the display of the search."""
        self._thinking = None
        self._screen.erase_renewed()

    def _renew(self) -> None:
        if self._thinking is None:
            return
        line, mover = self._thinking
        if line.is_due():
            self._screen.tick(self._clocks(mover, line.elapsed_s))
            line.renew(self._result, self._keyboard.typed_so_far)

    # -- the board --------------------------------------------------------------------------------------------------

    def _picture(self) -> Picture:
        """Return the drawing of the current session."""
        session = self._session
        self._drawn = session.game.copy()
        columns, _ = self._screen.size()
        return draw(scene_of(session), self._screen.look, columns)

    def _clocks(self, running: Color, elapsed_s: float) -> dict[Color, str]:
        """Return both clocks after `elapsed_s` of a turn of `running`, whose clock is charged for searching."""
        return {color: clock_shown(self._session, color, elapsed_s if color is running else 0.0) for color in Color}
