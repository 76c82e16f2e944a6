"""A session with a person: prompt, drawn board, the engine's thinking on one line, Ctrl-C.

During a search there is no prompt, but typed lines are executed, so `stop` stops it, and so does Ctrl-C. At the prompt,
Ctrl-C discards the line; a second one at the empty prompt leaves. `othello-bot play` has the same, also in a pipe.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from othello_bot.base.notation import Color
from othello_bot.engine import ENGINE_STRATEGY
from othello_bot.protocol.gtp import INTERRUPT_COMMENT
from othello_bot.rules import Game
from othello_bot.session import Event, Inbox, InputEnded, Session
from othello_bot.terminal.keyboard import LineDropped, Lines, Tick
from othello_bot.terminal.picture import Scene, Seat, clock_text, turn_text, what_the_last_move_did
from othello_bot.terminal.screen import ThinkingLine, draw

if TYPE_CHECKING:
    from typing_extensions import Self

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
    return options.limits_text(session.live.is_clocked)


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
    """Events from the keyboard and from the search, and the observer of searches. A context manager.

    `prompts` says whether there is a person to prompt.
    """

    def __init__(
        self, inbox: Inbox, session: Session, keyboard: Lines, prompts: Callable[[], bool] = lambda: True
    ) -> None:
        self._inbox = inbox
        self._session = session
        self._keyboard = keyboard
        self._screen = keyboard.screen
        self._prompts = prompts
        self._drawn: Game | None = None
        self._leaves_next = False
        self._leaves = False
        self._thinking: tuple[ThinkingLine, Color] | None = None
        self._result: SearchResult | None = None
        self._listening: ExitStack | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop_listening()
        self.ended()

    # -- events -----------------------------------------------------------------------------------------------------

    def next_event(self, busy: bool, timeout_s: float | None) -> Event | None:
        """Return the next event; ask for a line if nothing runs and nothing waits."""
        waiting = self._inbox.get(0)
        if waiting is not None:
            return waiting
        if not busy:
            self._stop_listening()
            return self._left() if self._leaves else self._line()
        if self._listening is None and self._prompts():
            self._listening = ExitStack()
            self._listening.enter_context(self._keyboard.listening())
        end_s = None if timeout_s is None else time.monotonic() + timeout_s
        while end_s is None or time.monotonic() < end_s:
            event = self._meanwhile() or self._inbox.get(LOOK_S)
            if event is not None:
                return event
            self._renew()
        return None

    def _line(self) -> Event | None:
        """Read a line at the prompt; None if Ctrl-C discards it. A second Ctrl-C leaves."""
        prompts = self._prompts()
        if prompts:
            self._show()
        self._keyboard.interrupted = False
        try:
            line = self._keyboard.read_line(self._prompt() if prompts else "", self._ticking())
        except EOFError:
            return self._left()
        except LineDropped as dropped:
            if self._leaves_next and not dropped.text:
                return self._left()
            self._leaves_next = True
            if not dropped.text:
                self._keyboard.tell("Ctrl-C once more, or quit, leaves")
            return None
        self._leaves_next = False
        return self._inbox.typed(line)

    def _left(self) -> InputEnded:
        if self._prompts():
            self._session.leave()
        return InputEnded()

    def _meanwhile(self) -> Event | None:
        """Return the input during a search: a line; a stop without an answer for Ctrl-C, and for Ctrl-D, which leaves."""
        keyboard = self._keyboard
        try:
            text = None if keyboard.interrupted else keyboard.typed_line(0.0)
        except EOFError:
            self._leaves = keyboard.interrupted = True
        if keyboard.interrupted:
            keyboard.interrupted = False
            return self._inbox.typed(INTERRUPT_COMMENT)
        if text is None:
            return None
        if self._screen is not None and self._screen.look.rewrites:
            self._screen.write(f"{text}\n")
        return self._inbox.typed(text)

    def _stop_listening(self) -> None:
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    # -- what the engine thinks -------------------------------------------------------------------------------------

    def began(self, request: SearchRequest) -> None:
        """Begin to show a search, unless its progress is already reported line by line."""
        if self._screen is not None and request.on_report is None and self._prompts():
            self._thinking = ThinkingLine(self._screen, request.label), request.position.color
        self._result = None

    def improved(self, result: SearchResult) -> None:
        """Show a better result of the running search."""
        self._result = result

    def ended(self) -> None:
        """End the display of the search."""
        self._thinking = None
        if self._screen is not None:
            self._screen.erase_renewed()

    def _renew(self) -> None:
        if self._thinking is None or self._screen is None:
            return
        line, mover = self._thinking
        if line.is_due():
            self._screen.tick(self._clocks(mover, line.elapsed_s))
            line.renew(self._result, self._keyboard.typed_so_far)

    # -- what is shown ----------------------------------------------------------------------------------------------

    def _prompt(self) -> str:
        raise NotImplementedError

    def _show(self) -> None:
        """Show the board if it has changed."""
        raise NotImplementedError

    def _clocks(self, running: Color, elapsed_s: float) -> Mapping[Color, str]:
        """Return both clocks after `elapsed_s` of a search for `running`."""
        raise NotImplementedError

    def _ticking(self) -> Tick | None:
        """Return what lets the clocks tick while a line is typed; None if none runs."""
        return None


class SessionSource(TerminalSource):
    """The source of a session in which the engine moves when it is asked to."""

    def __enter__(self) -> Self:
        self._session.draw_board = self._picture
        self._session.person = self._keyboard.person
        self._keyboard.tell(GREETING)
        return self

    def _prompt(self) -> str:
        return PROMPT

    def _show(self) -> None:
        if self._session.game != self._drawn:
            self._drawn = self._session.game.copy()
            self._keyboard.show(scene_of(self._session))

    def _picture(self, session: Session) -> str:
        """Return the drawing of the session's board."""
        assert self._screen is not None
        self._drawn = session.game.copy()
        return draw(scene_of(session), self._screen.look, self._screen.size()[0]).text

    def _clocks(self, running: Color, elapsed_s: float) -> Mapping[Color, str]:
        # The clock of the side to move is charged for searching.
        return {color: clock_shown(self._session, color, elapsed_s if color is running else 0.0) for color in Color}
