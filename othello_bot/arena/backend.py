"""Where games are played, as a type: processes on this machine (`local`) or a Dask cluster (`cluster`)."""

from __future__ import annotations

from typing import Protocol

from othello_bot.arena.reports import GameJob, GameReport


class Backend(Protocol):
    """Takes jobs and gives reports, in whatever order the games end."""

    @property
    def slots(self) -> int:
        """How many games it plays at once."""

    def start(self, job: GameJob) -> None:
        """Begin a game; never more than `slots` at once."""

    def wait(self, timeout_s: float) -> list[GameReport]:
        """Return the games that have ended, waiting for the first one until the timeout.

        A game whose worker was lost is begun again, unseen. Raises ArenaError where that does not help, or where an
        engine cannot be used at all.
        """

    def close(self) -> None:
        """End everything; games in flight are lost."""
