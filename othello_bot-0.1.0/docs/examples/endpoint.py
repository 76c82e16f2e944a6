#!/usr/bin/env python3
"""The engine as a web service that answers in JSON; an example to read and change.

    pip install starlette uvicorn
    python docs/examples/endpoint.py --port 8000
    curl 'http://127.0.0.1:8000/move?game=f5d6c3&strength=club'
    curl 'http://127.0.0.1:8000/values?game=f5d6c3'

It has no password and listens on this machine alone. Each of its engines searches one request at a time; more wait.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import AsyncIterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from othello_bot import AsyncEngine, Game, InputError, Limits, Options, move_name

VALUES = Limits(move_time_s=1.0, multi_pv=5)
LONGEST_GAME = 1000
engines: dict[str, AsyncEngine] = {}
running = contextlib.AsyncExitStack()


async def engine_of(strength: str) -> AsyncEngine:
    """Return the engine of a strength, which is made when it is first asked for. Raise InputError for an unknown one."""
    options = Options(strength=strength, hash=16, move_time=1000)
    name = options.text("strength")
    if name not in engines:
        engines[name] = await running.enter_async_context(AsyncEngine(options))
    return engines[name]


def game_of(request: Request) -> Game:
    """Return the game of a request, the start without one. Raise InputError for anything but legal moves."""
    text = request.query_params.get("game", "")
    if len(text) > LONGEST_GAME:
        raise InputError("game", f"{text[:20]}...", f"at most {LONGEST_GAME} characters")
    return Game.from_transcript(text) if text else Game()


async def move(request: Request) -> JSONResponse:
    """Answer with the move that the engine plays at a strength."""
    game = game_of(request)
    choice = await (await engine_of(request.query_params.get("strength", "casual"))).choose(game)
    game.play(choice.move)
    return JSONResponse({"move": move_name(choice.move), "game": game.transcript(), "over": game.is_over})


async def values(request: Request) -> JSONResponse:
    """Answer with the five best moves, their scores in discs for the side to move, and what may follow."""
    game = game_of(request)
    lines = (await (await engine_of("champion")).search(game, VALUES)).lines
    found = [{"move": move_name(line.move), "score": line.score, "line": [*map(move_name, line.pv)]} for line in lines]
    return JSONResponse({"values": found})


async def refused(_: Request, error: Exception) -> JSONResponse:
    """Answer a request that cannot be carried out with the reason."""
    return JSONResponse({"error": str(error)}, status_code=400)


@contextlib.asynccontextmanager
async def closing(_: Starlette) -> AsyncIterator[None]:
    """End the engines with the service."""
    async with running:
        yield


app = Starlette(
    routes=[Route("/move", move), Route("/values", values)], exception_handlers={InputError: refused}, lifespan=closing
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="serve moves and values in JSON")
    parser.add_argument("--port", type=int, default=8000)
    uvicorn.run(app, host="127.0.0.1", port=parser.parse_args().port, log_level="warning")
