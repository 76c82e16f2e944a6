"""Measure the server of the page: how deep values get in a second, how much analyses delay a move, how soon they stop.

scripts/measure web-server [NAME ...]: the server runs in this process, the clients speak to it over real sockets.

    depth       positions of random games from 8 to 52 discs, each with an empty table
    walk        positions of a game, at which a person stops for three seconds each; the time that is left at a position
                goes to the next two, as in the page
    delay       three tabs analyse without end while a fourth asks for moves at a strength that answers at once
    stop        a tab is closed during its search; what is measured is the time until the engine has no work
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.netutil import bind_sockets
from tornado.websocket import WebSocketClientConnection, websocket_connect

from othello_bot.base.notation import PASS
from othello_bot.engine import DEFAULT_LEVEL, SELECTIVITIES, goal
from othello_bot.rules import Game
from othello_bot.web.desk import Desk
from othello_bot.web.site import serving
from othello_bot.web.work import NEAR_DISCS

POSITIONS = 20
MOVES = 20
CLOSINGS = 20
WALK_S = 3
AHEAD = 2
"""Positions that are searched before their turn."""
WALKED = "c4e3f5c5f3g3e2f6d3f4e6d7e7d6c6b6f7e8f8c7d8b5c8b3g4d2g6f1a6f2h3g5h5g7c3a7a8c2a5h4e1h7h6h8g8b8b7a4g1d1g2b4a3h1h2b2a1b1a2c1"  # noqa: E501
"""The first game of scripts/measure review-time."""
WALKED_PLIES = range(14, 30)
ENDLESS = {"id": 1, "do": "values", "level": 60, "infinite": True}


@asynccontextmanager
async def served() -> AsyncIterator[tuple[Desk, int]]:
    """Serve the page with the options of the command, the engine ready."""
    async with serving(bind_sockets(0, "127.0.0.1"), None) as service:
        await service.site.desk.engine()
        yield service.site.desk, service.port


async def opened(port: int) -> WebSocketClientConnection:
    """Return a tab that has been greeted."""
    headers = {"Origin": f"http://127.0.0.1:{port}"}
    tab = await websocket_connect(HTTPRequest(f"ws://127.0.0.1:{port}/tab", headers=headers))
    await tab.read_message()
    return tab


def random_game(rng: random.Random, plies: int) -> Game:
    """Return a game of random moves after which the side to move has several."""
    while True:
        game = Game()
        while game.ply < plies and not game.is_over:
            game.play(PASS if game.position.must_pass else rng.choice(sorted(game.position.legal_moves)))
        if len(game.position.legal_moves) > 1:
            return game


class LearningTab:
    """A tab that asks for the values of positions, as Learn does; `values` are the latest ones."""

    def __init__(self, tab: WebSocketClientConnection) -> None:
        self._tab = tab
        self._id = 0
        self.values: dict[str, Any] = {}

    async def ask(self, game: Game) -> None:
        """Ask for the values of a position; this ends the search before."""
        self._id += 1
        self.values = {}
        message = {"id": self._id, "do": "values", "level": DEFAULT_LEVEL, "moves": game.transcript(passes=True)}
        await self._tab.write_message(json.dumps(message))

    async def wait(self, end_s: float) -> bool:
        """Read values until all are at the level or until `time.monotonic` says `end_s`; return whether they are."""
        with contextlib.suppress(asyncio.TimeoutError):
            while not self.values.get("done"):
                left_s = end_s - time.monotonic()
                text = await asyncio.wait_for(asyncio.ensure_future(self._tab.read_message()), left_s)
                reply = json.loads(text or "{}")
                if reply.get("id") == self._id:
                    self.values = reply
        return bool(self.values.get("done"))

    def close(self) -> None:
        """Close the tab."""
        self._tab.close()


class ValueTally:
    """How many positions had their values at the level."""

    def __init__(self) -> None:
        self.positions = self.near = self.all = 0

    def note(self, game: Game, values: dict[str, Any]) -> None:
        """Count a position, and print how deep its values are."""
        lines: Any = values["lines"]
        near = [line for line in lines if lines[0]["score"] - line["score"] <= NEAR_DISCS]
        wanted = goal(DEFAULT_LEVEL, game.position.empties)
        at_level = [line for line in lines if has_reached(line, wanted.depth, wanted.selectivity_index)]
        self.positions += 1
        self.all += len(at_level) == len(lines)
        self.near += all(line in at_level for line in near)
        shallowest = min(line["depth"] for line in lines)
        print(
            f"{game.position.empties} empties, {len(lines)} moves, {len(near)} near the best: {len(at_level)} at the"
            f" level, best {values.get('reached')}, shallowest depth {shallowest}"
        )

    def conclude(self) -> None:
        """Print the sums."""
        within = f"within a second at level {DEFAULT_LEVEL}, of {self.positions} positions"
        print(f"{within}: the moves near the best in {self.near}, all moves in {self.all}")


async def depth() -> None:
    """Print what has been searched a second after a position was asked, with an empty table at each."""
    tally = ValueTally()
    async with served() as (desk, port):
        for number in range(POSITIONS):
            (await desk.engine()).clear()
            game = random_game(random.Random(number), 4 + 44 * number // (POSITIONS - 1))
            analysis = LearningTab(await opened(port))
            await analysis.ask(game)
            await analysis.wait(time.monotonic() + 1)
            tally.note(game, analysis.values)
            analysis.close()
            while desk.jobs:
                await asyncio.sleep(0.01)
    tally.conclude()


async def walk() -> None:
    """Print the same for a game that a person steps through."""
    tally = ValueTally()
    moves = Game.from_transcript(WALKED).moves
    known: dict[int, dict[str, Any]] = {}
    asked = -1
    async with served() as (_, port):
        analysis = LearningTab(await opened(port))
        for ply in WALKED_PLIES:
            came_s = time.monotonic()
            for looked in range(ply, ply + 1 + AHEAD):
                game = Game()
                game.play_moves(moves[:looked])
                if looked not in known and asked != looked:
                    asked = looked
                    await analysis.ask(game)
                if looked == ply:
                    if ply not in known:
                        await analysis.wait(came_s + 1)
                    tally.note(game, known.get(ply, analysis.values))
                if looked not in known and not await analysis.wait(came_s + WALK_S):
                    break
                known.setdefault(looked, analysis.values)
            await asyncio.sleep(came_s + WALK_S - time.monotonic())
    tally.conclude()


def has_reached(line: dict[str, Any], goal_depth: int, goal_index: int) -> bool:
    """Return whether a line is as deep and as certain as the last iteration of a level."""
    depth, index = line["depth"], SELECTIVITIES.index(line["selectivity"])
    return (depth, index) >= (goal_depth, goal_index)


async def delay() -> None:
    """Print how long a tab waits for moves while three others analyse."""
    waits_s = []
    async with served() as (_, port):
        for moves in ("f5d6", "f5f6", "f5f4"):
            tab = await opened(port)
            await tab.write_message(json.dumps({**ENDLESS, "moves": moves}))
            await tab.read_message()
        playing = await opened(port)
        for number in range(MOVES):
            game = random_game(random.Random(number), 10 + 2 * number)
            message = {"id": 1, "do": "move", "strength": 1, "moves": game.transcript(passes=True)}
            asked_s = time.monotonic()
            await playing.write_message(json.dumps(message))
            await playing.read_message()
            waits_s.append(time.monotonic() - asked_s)
    print(f"a move beside three analyses: median {statistics.median(waits_s):.3f} s, longest {max(waits_s):.3f} s")


async def stop() -> None:
    """Print how long the engine works on after a tab was closed."""
    took_ms = []
    async with served() as (desk, port):
        for _ in range(CLOSINGS):
            tab = await opened(port)
            await tab.write_message(json.dumps({**ENDLESS, "moves": "f5d6c3"}))
            for _ in range(8):
                await tab.read_message()
            closed_s = time.monotonic()
            tab.close()
            while desk.jobs:
                await asyncio.sleep(0.0005)
            took_ms.append(1000 * (time.monotonic() - closed_s))
    print(f"a closed tab: its search ended after {statistics.median(took_ms):.1f} ms, at most {max(took_ms):.1f} ms")


MEASUREMENTS: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
    "depth": depth,
    "walk": walk,
    "delay": delay,
    "stop": stop,
}


def main() -> int:
    """Make the measurements that are named, or all."""
    parser = argparse.ArgumentParser(description="measure the server of the page")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(MEASUREMENTS)} (all)")
    names = parser.parse_args().names or list(MEASUREMENTS)
    for name in names:
        if name not in MEASUREMENTS:
            parser.error(f"{name!r}: expected some of {', '.join(MEASUREMENTS)}")
        asyncio.run(MEASUREMENTS[name]())
    return 0
