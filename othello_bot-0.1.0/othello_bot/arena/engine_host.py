"""The work of a worker: keep engines running from one game to the next, and let them play."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from othello_bot.arena.adjudication import Failure, GameOutcome
from othello_bot.arena.config import INNER, EngineConfig
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.game_runner import play_game
from othello_bot.arena.games import GameJob, GameReport, machine
from othello_bot.arena.heartbeat import MOST_REPEATS, Heartbeat, Stopped
from othello_bot.arena.players import ArenaPlayer, make_player
from othello_bot.arena.traffic import Traffic
from othello_bot.base import posix
from othello_bot.base.errors import counted
from othello_bot.base.notation import Color
from othello_bot.base.visible import visible
from othello_bot.engine import MAXIMUM_DEPTH, Limits, Search, SearchRequest
from othello_bot.protocol.process import OnLine
from othello_bot.rules import Position

MOST_ENGINES: Final = 4
"""Engines that one worker keeps running; in a large tournament the least recently used one is ended."""

SOLVER_MIB: Final = 16


class EngineHost:
    """Engines and solver of one worker. Not to be shared by threads; `close` it. `clock` is that of the heartbeat."""

    def __init__(self, clock: Callable[[], float] = posix.uptime_s) -> None:
        self._clock = clock
        self._players: dict[EngineConfig, ArenaPlayer] = {}
        self._search: Search | None = None

    def play(self, job: GameJob) -> GameReport:
        """Play a game, again if the arena was stopped meanwhile (see `heartbeat`).

        Raise ArenaError if an engine cannot be used at all.
        """
        stops: list[float] = []
        while True:
            for config in (job.black, job.white):
                if config.kind in INNER:
                    # Before the heartbeat: making a large table may hold the interpreter for seconds.
                    self._started(config, [])
            report = None
            last = len(stops) == MOST_REPEATS
            heartbeat = Heartbeat(self._clock)
            with heartbeat, suppress(Stopped):
                report = self._play_recorded(job, heartbeat.tick if last else heartbeat.check)
            if heartbeat.stopped_s:
                stops.append(heartbeat.stopped_s)
                # They may have thought meanwhile, and have an unread answer.
                self._end(job.black)
                self._end(job.white)
            if report is not None and (last or not heartbeat.stopped_s):
                return replace(report, stops=tuple(stops), stalls=tuple(heartbeat.stalls))

    def _play_recorded(self, job: GameJob, check: Callable[[], float]) -> GameReport:
        """Play a game, and write its traffic where that is wanted."""
        if not job.traffic:
            return self._play_once(job, check, (None, None))
        title = f"game {job.task.round + 1}.{job.task.leg + 1}: {job.black.name} (b) - {job.white.name} (w)"
        with Traffic(Path(job.traffic), f"{title}, {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}") as traffic:
            return self._play_once(job, check, (traffic.of("b"), traffic.of("w")))

    def _play_once(self, job: GameJob, check: Callable[[], float], on_lines: Sequence[OnLine | None]) -> GameReport:
        """Play a game, and `check` before every move. An engine that failed is ended: the next game starts it again."""
        identities = [job.black.name, job.white.name]
        players: list[ArenaPlayer] = []
        for color in Color:
            try:
                player = self._started(job.config(color), players, on_lines[color])
            except Failure as failure:
                return _failed_start(job, failure.outcome(color), (identities[0], identities[1]))
            identities[color] = player.identity
            players.append(player)
        try:
            report = play_game(job, (players[0], players[1]), self._solve, check)
        except BaseException:
            for player in players:
                self._end(player.config)
            raise
        for color in Color:
            failed = report.outcome.loser is color and report.outcome.ending.is_failure
            if failed or job.config(color).restart:
                self._end(job.config(color))
        return report

    def close(self) -> None:
        """End all engines."""
        for config in list(self._players):
            self._end(config)

    def _started(self, config: EngineConfig, keep: list[ArenaPlayer], on_line: OnLine | None = None) -> ArenaPlayer:
        """Return the player of a configuration, started; `keep` are players that go on."""
        player = self._players.pop(config, None)
        if player is None:
            unused = [other for other in self._players if self._players[other] not in keep]
            if len(self._players) >= MOST_ENGINES and unused:
                self._end(unused[0])
            player = make_player(config)
            player.on_line = on_line
            player.start()
        player.on_line = on_line
        # Last in the dictionary: used most recently.
        self._players[config] = player
        return player

    def _end(self, config: EngineConfig) -> None:
        player = self._players.pop(config, None)
        if player is not None:
            player.close()

    def _solve(self, position: Position) -> int:
        """Return the exact score of a position from the mover's view."""
        if self._search is None:
            self._search = Search(SOLVER_MIB)
        limits = Limits(depth=MAXIMUM_DEPTH, selectivity=100)
        result = self._search.answer(SearchRequest(position, limits))
        assert result.exact
        return result.score


class GameWorker:
    """An engine host that returns errors as texts, which every process can receive. Not to be shared by threads; `close`
    it.
    """

    def __init__(self, cores: int = 0) -> None:
        """Bind this process, and the engines that it starts, to this many cores; 0 leaves that to the system.

        Raise ArenaError if other arenas have bound theirs to the rest.
        """
        self._host = EngineHost()
        self._bound = ExitStack()
        if cores and not self._bound.enter_context(posix.own_cores(cores)):
            raise ArenaError(f"--affinity: other arenas have left fewer than {counted(cores, 'core')}")

    def work(self, job: GameJob, /) -> GameReport | str:
        """Play a game; return a text if the match cannot go on."""
        try:
            return self._host.play(job)
        except ArenaError as error:
            return visible(str(error))
        except Exception:  # noqa: BLE001 - the arena reports it and ends
            return f"the arena itself failed:\n{traceback.format_exc()}"

    def close(self) -> None:
        """End all engines, and leave the cores to others."""
        self._host.close()
        self._bound.close()


def _failed_start(job: GameJob, outcome: GameOutcome, identities: tuple[str, str]) -> GameReport:
    """Return the report of a game that was lost before it began, because an engine did not start."""
    moves = job.opening.moves
    return GameReport(
        job.task, job.opening, moves, outcome, identities=identities, machine=machine(), began=time.time()
    )
