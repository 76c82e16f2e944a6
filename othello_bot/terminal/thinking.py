"""The engine's thinking in one line: depth, score, speed, time, and the principal variation."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from othello_bot.session import pv_text, signed

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult
    from othello_bot.terminal.screen import Screen

QUIET_S: Final = 0.15
"""Seconds that a search runs before its line is shown, so that a short one leaves no flicker."""

RENEW_S: Final = 0.1


class ThinkingLine:
    """The line that shows one search and is overwritten; it begins now."""

    def __init__(self, screen: Screen, label: str = "") -> None:
        self._screen = screen
        self._label = label
        self._began_s = time.monotonic()
        self._next_s = self._began_s + QUIET_S

    @property
    def elapsed_s(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self._began_s

    def is_due(self) -> bool:
        """Return whether it is time to update the line, which then is due again a little later."""
        now_s = time.monotonic()
        if now_s < self._next_s:
            return False
        self._next_s = now_s + RENEW_S
        return True

    def renew(self, result: SearchResult | None, typed: str = "") -> None:
        """Show the latest result, None before the first, and the text being typed."""
        self._screen.renew(thinking_text(result, self.elapsed_s, self._label), typed)


def thinking_text(result: SearchResult | None, elapsed_s: float, label: str = "") -> str:
    """Return the line for the latest result of a search that has run for `elapsed_s`; None is before the first."""
    head = f"{label}: " if label else ""
    if result is None or not result.lines:
        return f"{head}thinking, {elapsed_s:.1f} s"
    line = result.best
    depth = "solved" if line.exact else f"depth {line.reached()}"
    return f"{head}{depth}, {signed(line.score)}, {rate_text(result.rate)}, {elapsed_s:.1f} s: {pv_text(line.pv)}"


def rate_text(nodes_per_s: float) -> str:
    """Return nodes a second with a unit that keeps the number short."""
    if nodes_per_s >= 1e6:
        return f"{nodes_per_s / 1e6:.1f} Mn/s"
    return f"{nodes_per_s / 1e3:.0f} kn/s"
