"""Front: how a game is shown and where its input comes from: plain lines in a pipe, the drawn board on a terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from othello_bot.base.notation import Color
from othello_bot.base.visible import visible
from othello_bot.engine import SearchResult
from othello_bot.terminal.keyboard import Complete, Keyboard, Tick
from othello_bot.terminal.picture import Scene, TerminalLook
from othello_bot.terminal.screen import Screen, ThinkingLine, draw

if TYPE_CHECKING:
    from othello_bot.session.keeping import User

Watch = Callable[["SearchResult | None"], bool]
"""Called often while a player thinks, with its current result; returns whether it should end."""

ClocksNow = Callable[[], Mapping["Color", str]]
"""The current text of both clocks."""


class Front:
    """Where a game is shown and where its lines come from: plain lines, unless a terminal draws them."""

    person: User | None = None
    """The user who can be asked; None in a pipe."""
    ticks = False
    """Whether the clocks of a drawing tick by themselves, so that prompts need not show the time."""

    def __init__(
        self, write: Callable[[str], object], look: TerminalLook, read_line: Callable[[str], str] = input
    ) -> None:
        self._write = write
        self._look = look
        self._read_line = read_line

    def say(self, text: str) -> None:
        """Write whole lines."""
        self._write("".join(f"{visible(line)}\n" for line in text.split("\n")))

    def show(self, scene: Scene) -> None:
        """Write the board."""
        self._write(f"{draw(scene, self._look).text}\n")

    def read_line(self, prompt: str, tick: Tick | None) -> str:
        """Return the next line; check the time once it has come."""
        return self._read_line(prompt)

    def completes(self, complete: Complete) -> None:
        """Do nothing: a pipe has no tab key."""

    def tick(self, clocks: Mapping[Color, str]) -> None:
        """Do nothing: written text stays."""

    def thinking(self, clocks: ClocksNow) -> AbstractContextManager[Watch]:
        """Show nothing, end nothing."""
        return nullcontext(lambda result: False)


class TerminalFront(Front):
    """The front of a game with a person, or of two computers that a person watches."""

    def __init__(self, keyboard: Keyboard) -> None:
        super().__init__(keyboard.screen.write, keyboard.screen.look)
        self._keyboard = keyboard
        self._screen = keyboard.screen
        self._prompt = ""
        self.person = keyboard
        self.ticks = keyboard.screen.look.rewrites

    def say(self, text: str) -> None:
        """Show whole lines."""
        self._keyboard.tell(text)

    def show(self, scene: Scene) -> None:
        """Draw the board."""
        columns, _ = self._screen.size()
        self._screen.show(draw(scene, self._screen.look, columns))

    def read_line(self, prompt: str, tick: Tick | None) -> str:
        """Return the next line while the clocks tick."""
        self._prompt = prompt
        self._keyboard.interrupted = False
        return self._keyboard.read_line(prompt, tick)

    def completes(self, complete: Complete) -> None:
        """Complete words with this function."""
        self._keyboard.complete = complete

    def tick(self, clocks: Mapping[Color, str]) -> None:
        """Update the clocks in the last drawing."""
        self._screen.tick(clocks, self._prompt + self._keyboard.line_so_far)

    @contextlib.contextmanager
    def thinking(self, clocks: ClocksNow) -> Iterator[Watch]:
        """Show the computer's thinking on one line, let the clocks tick, and end it after Ctrl-C."""
        line = ThinkingLine(self._screen)

        def watch(result: SearchResult | None) -> bool:
            with contextlib.suppress(EOFError):  # Ctrl-D has no meaning while no line is read
                self._keyboard.collect(0.0)
            if line.is_due():
                self._screen.tick(clocks())
                line.renew(result, self._keyboard.typed_so_far)
            return self._keyboard.interrupted

        with self._keyboard.listening():
            try:
                yield watch
            finally:
                self._keyboard.interrupted = False
                self._screen.erase_renewed()


@contextlib.contextmanager
def open_front(look: TerminalLook, *, for_people: bool) -> Iterator[TerminalFront]:
    """Yield the front of this process's terminal; without people, Ctrl-C ends the process as usual."""

    def output_failed(error: OSError) -> None:
        raise error

    screen = Screen(1, look, output_failed)
    with Keyboard(screen, lambda before, text: (), lambda: for_people) as keyboard:
        yield TerminalFront(keyboard)
