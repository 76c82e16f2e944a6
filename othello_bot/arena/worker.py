"""What plays games one after the other: the engines that are kept running, and the games between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from othello_bot.arena.config import EngineConfig
from othello_bot.arena.game_runner import failed_start, play_game
from othello_bot.arena.make_player import make_player
from othello_bot.arena.players import Failure, Player
from othello_bot.arena.reports import GameJob, GameReport
from othello_bot.engine import MAXIMUM_DEPTH, Limits
from othello_bot.rules import Position
from protocol.notation import Color

if TYPE_CHECKING:
    from othello_bot.engine import Search

MOST_ENGINES: Final = 4
"""Engines that one worker keeps running; in a large tournament the one unused for longest has to go."""

SOLVER_MIB: Final = 16


class Workbench:
    """Engines and solver of one worker. Not to be shared by threads; `close` it."""

    def __init__(self) -> None:
        self._players: dict[EngineConfig, Player] = {}
        self._search: Search | None = None

    def play(self, job: GameJob) -> GameReport:
        """Play a game. An engine that failed is ended, so that the next game starts it anew.

        Raises ArenaError where an engine cannot be used at all.
        """
        identities = [job.black.name, job.white.name]
        players: list[Player] = []
        for color in Color:
            try:
                player = self._started(job.config(color), keep=players)
            except Failure as failure:
                return failed_start(job, color, failure, (identities[0], identities[1]))
            identities[color] = player.identity
            players.append(player)
        try:
            report = play_game(job, (players[0], players[1]), self._solve)
        except BaseException:
            for player in players:
                self._end(player.config)
            raise
        for color in Color:
            failed = report.loser is color and not report.ending.by_rule
            if failed or job.config(color).restart:
                self._end(job.config(color))
        return report

    def close(self) -> None:
        """End all engines."""
        for config in list(self._players):
            self._end(config)

    def _started(self, config: EngineConfig, keep: list[Player]) -> Player:
        player = self._players.pop(config, None)
        if player is None:
            unused = [other for other in self._players if self._players[other] not in keep]
            if len(self._players) >= MOST_ENGINES and unused:
                self._end(unused[0])
            player = make_player(config)
            player.start()
        # At the end of the dictionary: used last.
        self._players[config] = player
        return player

    def _end(self, config: EngineConfig) -> None:
        player = self._players.pop(config, None)
        if player is not None:
            player.close()

    def _solve(self, position: Position) -> int:
        """Return the exact score of a position from the mover's view."""
        if self._search is None:
            from othello_bot.engine import Search

            self._search = Search(SOLVER_MIB)
        self._search.arm()
        limits = Limits(depth=MAXIMUM_DEPTH, selectivity=100)
        result = self._search.run(position.mover, position.opponent, limits)
        assert result.exact
        return result.score
