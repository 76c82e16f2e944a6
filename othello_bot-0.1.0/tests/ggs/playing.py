"""Two clients at the fake server, with a thinker that answers at once."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from othello_bot.base.clocks import ClockState
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS
from othello_bot.formats import ggf
from othello_bot.formats.record import GameRecord
from othello_bot.ggs.games import Following
from othello_bot.ggs.ledger import Ledger, LedgerFile, Log
from othello_bot.ggs.policy import Acceptance, Offer, Policy
from othello_bot.ggs.runner import AsyncPlayer, Pauses, Runner, Server
from othello_bot.protocol.ggs_commands import Password
from othello_bot.protocol.ggs_values import parse_clock, parse_match_type
from othello_bot.rules import Game, Position
from tests.ggs.fake_server import FakeServer

QUICK = Pauses(connect_s=5.0, first_s=0.01, longest_s=0.05, tick_s=0.02, alive_s=0.1, silence_s=5.0)


class RandomPlayer:
    """Plays legal moves at random, after `pause_s`."""

    def __init__(self, seed: int, pause_s: float = 0.0) -> None:
        self._random = random.Random(seed)
        self.pause_s = pause_s
        self.clocks: list[ClockState] = []
        self.ahead: list[Position] = []

    async def choose(self, game: Game, clock: ClockState) -> EvaluatedMove:
        self.clocks.append(clock)
        await asyncio.sleep(self.pause_s)
        legal = game.position.legal_moves
        return EvaluatedMove(self._random.choice(legal) if legal else PASS, 1.5, depth=4)

    async def ponder(self, position: Position, expected: int | None, clock: ClockState) -> None:
        self.ahead.append(position)

    async def stop_pondering(self) -> None:
        pass


class PlayingClient:
    """A client with its games in a file and its reports in a list."""

    def __init__(
        self,
        name: str,
        server: FakeServer,
        folder: Path,
        policy: Policy | None = None,
        pauses: Pauses = QUICK,
        password: str = "secret",
        player: AsyncPlayer | None = None,
        settled_s: float = 0.6,
    ) -> None:
        self.name = name
        self.reports: list[str] = []
        self.statuses: list[str] = []
        self.file = LedgerFile(folder / f"{name}.ggf")
        self.player = player or RandomPlayer(sum(map(ord, name)))
        self.log = Log(folder / f"{name}.log")
        self.ledger = Ledger(self.file, self.reports.append, asyncio.get_running_loop().time, settled_s)
        self.runner = Runner(
            Server("127.0.0.1", server.port, name, Password(password)),
            policy or Policy(),
            self.ledger,
            self.player,
            self.log,
            self.reports.append,
            self.statuses.append,
            pauses,
        )

    @property
    def games(self) -> list[Following]:
        return list(self.runner.client.games.values())

    def saved(self) -> list[GameRecord]:
        return list(ggf.FORMAT.records(self.file.path.read_text())) if self.file.path.exists() else []


def offering(kind: str, opponent: str, clock: str = "05:00//02:00", every_s: float = 0.2) -> Policy:
    return Policy(Acceptance(), (Offer(parse_match_type(kind), parse_clock(clock), opponent, every_s),))


def both(server: FakeServer, folder: Path, kind: str = "s8r18") -> tuple[PlayingClient, PlayingClient]:
    """Return ann, who offers matches of this type, and ben."""
    return PlayingClient("ann", server, folder, offering(kind, "ben")), PlayingClient("ben", server, folder)


@contextlib.asynccontextmanager
async def running(*players: PlayingClient) -> AsyncIterator[None]:
    """Let players play within the block."""
    tasks = [asyncio.create_task(player.runner.run()) for player in players]
    try:
        yield
    finally:
        for player in players:
            player.runner.leave(at_once=True)
        await asyncio.gather(*tasks)
        for player in players:
            player.log.close()


async def until(condition: Callable[[], bool], timeout_s: float = 60.0) -> None:
    """Wait until a condition holds; raise TimeoutError if it does not."""
    end_s = asyncio.get_running_loop().time() + timeout_s
    while not condition():
        if asyncio.get_running_loop().time() > end_s:
            raise TimeoutError("the condition does not come true")
        await asyncio.sleep(0.01)
