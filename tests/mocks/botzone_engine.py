"""A mock bot of Botzone: `python botzone_engine.py --quirks keep`.

Quirks: `keep` asks to be kept; `hang` neither asks that nor ends; `saves` saves the number of its answers as data.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from sys import path
from typing import Any

path.insert(0, str(Path(__file__).resolve().parents[2]))

from othello_bot.base.notation import PASS
from othello_bot.rules.game import Game
from tests.mocks.misbehaviour import Misbehaviour, quiet_end, say


def square(place: Any) -> int:
    """Return the move that a place is."""
    return PASS if place["x"] < 0 else 8 * int(place["y"]) + int(place["x"])


def serve(trouble: Misbehaviour) -> None:
    """Answer a request, or all of them."""
    quirks = trouble.flags.quirks.split(",")
    game = Game()
    for line in trouble.lines():
        told = json.loads(line)
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
        saved = {"data": int(told.get("data", 0)) + 1} if "saves" in quirks else {}
        say(json.dumps({"response": {"x": move % 8, "y": move // 8}, "debug": "fine", **saved}) + "\n")
        if "hang" in quirks:
            time.sleep(600)
        if "keep" not in quirks:
            return
        say(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n")


if __name__ == "__main__":
    trouble = Misbehaviour(__doc__ or "")
    with quiet_end():
        trouble.begin()
        serve(trouble)
