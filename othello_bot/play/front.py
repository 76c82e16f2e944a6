"""Front: how a game is shown and where its input comes from; plain lines in a pipe, more on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from othello_bot.base.visible import visible
from othello_bot.play.players import Watch
from othello_bot.terminal.picture import Look
from othello_bot.terminal.screen import draw

if TYPE_CHECKING:
    from othello_bot.base.notation import Color
    from othello_bot.session.keeping import Person
    from othello_bot.terminal.keyboard import Complete, Tick
    from othello_bot.terminal.scene import Scene

ClocksNow = Callable[[], Mapping["Color", str]]
"""The current text of both clocks."""


class Front(Protocol):
    """Where a game is shown and where its lines come from."""

    @property
    def person(self) -> Person | None:
        """The user who can be asked; None in a pipe."""

    @property
    def ticks(self) -> bool:
        """Whether the clocks of a drawing tick by themselves, so that prompts need not show the time."""

    def say(self, text: str) -> None:
        """Show whole lines."""

    def show(self, scene: Scene) -> None:
        """Show the board."""

    def read_line(self, prompt: str, tick: Tick | None) -> str:
        """Return the next line; raise EOFError at the end, LineDropped after Ctrl-C, and the errors of `tick`."""

    def completes(self, complete: Complete) -> None:
        """Complete words with this function."""

    def tick(self, clocks: Mapping[Color, str]) -> None:
        """Update the clocks in the last drawing."""

    def thinking(self, clocks: ClocksNow) -> AbstractContextManager[Watch]:
        """Show a computer's thinking within the block; yield a watch that tells whether to end it."""


class PlainFront:
    """Plain lines for input and output."""

    person = None
    ticks = False

    def __init__(self, write: Callable[[str], None], look: Look, read_line: Callable[[str], str] = input) -> None:
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
