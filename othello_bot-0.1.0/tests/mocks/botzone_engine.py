"""A mock bot of Botzone: `python botzone_engine.py --quirks keep`.

Quirks: `keep` asks to be kept; `hang` neither asks that nor ends; `saves` saves the number of its answers as data;
`simple` reads and writes lines of numbers; `bare` writes its response alone, and `text` as a text with JSON.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from sys import path
from typing import Any

path.insert(0, str(Path(__file__).resolve().parents[2]))

from othello_bot.base.notation import PASS
from othello_bot.rules.game import Game
from tests.mocks.misbehaviour import Misbehaviour, run, say

QUIRKS: list[str] = []


def square(place: Any) -> int:
    """Return the move that a place is."""
    return PASS if place["x"] < 0 else 8 * int(place["y"]) + int(place["x"])


def simple(line: str, lines: Iterator[str]) -> dict[str, Any]:
    """Return what a request in lines of numbers tells, as JSON does."""
    if " " in line:
        return dict(zip("xy", map(int, line.split()), strict=True))
    moves = [simple(next(lines), lines) for _ in range(2 * int(line) - 1)]
    return {"requests": moves[::2], "responses": moves[1::2]}


def answer(response: dict[str, int], saved: int | None) -> str:
    """Return what the bot writes."""
    if "simple" in QUIRKS:
        return "{x} {y}\n".format_map(response)
    if "bare" in QUIRKS:
        return json.dumps(response) + "\n"
    told = {"response": json.dumps(response) if "text" in QUIRKS else response, "debug": None, "data": saved}
    return json.dumps(told) + "\n"


def serve(trouble: Misbehaviour) -> None:
    """Answer a request, or all of them."""
    QUIRKS.extend(trouble.flags.quirks.split(","))
    game = Game()
    lines = trouble.lines()
    for line in lines:
        told = simple(line, lines) if "simple" in QUIRKS else json.loads(line)
        moves = [told] if "x" in told else told["requests"]
        if "x" not in told:
            pairs = zip(told["requests"], [*told["responses"], None], strict=True)
            moves = [move for pair in pairs for move in pair if move is not None]
            if moves[0]["x"] < 0:
                moves = moves[1:]
        game.play_moves(tuple(map(square, moves)))
        move = trouble.choose(game.position)
        if move is None:
            return
        if trouble.is_time_for("nonsense"):
            say('{"response": "the best one"}\n')
            return
        game.play_moves((move,) if game.position.legal_bits >> move & 1 else ())
        say(answer({"x": move % 8, "y": move // 8}, told.get("data", 0) + 1 if "saves" in QUIRKS else None))
        if "hang" in QUIRKS:
            time.sleep(600)
        if "keep" not in QUIRKS:
            return
        say(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n")


if __name__ == "__main__":
    run(__doc__, serve)
