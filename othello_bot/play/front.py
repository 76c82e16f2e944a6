"""Front: how a table is seen and how it is spoken to; in a pipe plain lines, on a terminal more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from othello_bot.play.players import Watch
from othello_bot.terminal.drawing import draw
from othello_bot.terminal.look import Look

if TYPE_CHECKING:
    from othello_bot.session.person import Person
    from othello_bot.terminal.keyboard import Complete, Tick
    from othello_bot.terminal.scene import Scene
    from protocol.notation import Color

ClocksNow = Callable[[], Mapping["Color", str]]
"""What both clocks show at this moment."""


class Front(Protocol):
    """Where a game is shown and where its lines come from."""

    @property
    def person(self) -> Person | None:
        """Who can be asked; None in a pipe."""

    @property
    def ticks(self) -> bool:
        """Whether the clocks of a drawing go on by themselves, so that no prompt needs to tell the time."""

    def say(self, text: str) -> None:
        """Show whole lines."""

    def show(self, scene: Scene) -> None:
        """Show the board."""

    def read_line(self, prompt: str, tick: Tick | None) -> str:
        """Return the next line; raise EOFError at the end, LineDropped after Ctrl-C, and whatever `tick` raises."""

    def completes(self, complete: Complete) -> None:
        """Let a tab complete words by this function."""

    def tick(self, clocks: Mapping[Color, str]) -> None:
        """Let the clocks in the last drawing show the time."""

    def thinking(self, clocks: ClocksNow) -> AbstractContextManager[Watch]:
        """Show within the block what a computer thinks; the watch says whether it is to come to an end."""


class PlainFront:
    """Lines out and lines in, and nothing else."""

    person = None
    ticks = False

    def __init__(self, write: Callable[[str], None], look: Look, read_line: Callable[[str], str] = input) -> None:
        self._write = write
        self._look = look
        self._read_line = read_line

    def say(self, text: str) -> None:
        """Write whole lines."""
        self._write(f"{text}\n")

    def show(self, scene: Scene) -> None:
        """Write the board."""
        self.say(draw(scene, self._look).text)

    def read_line(self, prompt: str, tick: Tick | None) -> str:
        """Return the next line; the time is looked at when it has come."""
        return self._read_line(prompt)

    def completes(self, complete: Complete) -> None:
        """Do nothing: a pipe has no tab key."""

    def tick(self, clocks: Mapping[Color, str]) -> None:
        """Do nothing: what is written stays."""

    def thinking(self, clocks: ClocksNow) -> AbstractContextManager[Watch]:
        """Show nothing, end nothing."""
        return nullcontext(lambda result: False)
