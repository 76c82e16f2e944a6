"""The keyboard's own parts that a session on a terminal does not show reliably."""

from __future__ import annotations

import signal

from othello_bot.terminal.keyboard import Keyboard
from othello_bot.terminal.picture import TerminalLook
from othello_bot.terminal.screen import Screen


def test_a_clock_does_not_tick_once_the_line_is_entered() -> None:
    """The cursor stands on the next line by then, and the time would be written a line too low."""
    keyboard = Keyboard(Screen(1, TerminalLook()), lambda before, text: ())
    ticks: list[str] = []
    entered: list[str] = []

    def tick() -> None:
        ticks.append("tick")

    with keyboard._ticking(tick, entered):
        signal.raise_signal(signal.SIGALRM)
        entered.append("f5")
        signal.raise_signal(signal.SIGALRM)
    assert len(ticks) == 2, "at the start and before the line was entered"
