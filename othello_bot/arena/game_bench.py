"""The bench of a worker, on this machine or a cluster: it plays games and tells in words why a match cannot go on."""

from __future__ import annotations

import traceback

from othello_bot.arena.errors import ArenaError
from othello_bot.arena.game_runner import Workbench
from othello_bot.arena.games import GameJob, GameReport


class GameBench:
    """A workbench whose errors are texts, which reach every process. Not to be shared by threads; `close` it."""

    def __init__(self) -> None:
        self._bench = Workbench()

    def work(self, job: GameJob, /) -> GameReport | str:
        """Play a game; return a text if the match cannot go on."""
        try:
            return self._bench.play(job)
        except ArenaError as error:
            return str(error)
        except Exception:  # noqa: BLE001 - the arena reports it and ends
            return f"the arena itself failed:\n{traceback.format_exc()}"

    def close(self) -> None:
        """End all engines."""
        self._bench.close()
