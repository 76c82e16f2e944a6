"""A mock engine that speaks the protocol of one JSON object a turn: `python json_engine.py --crash-at 3`."""

from __future__ import annotations

import json
from pathlib import Path
from sys import path

path.insert(0, str(Path(__file__).resolve().parents[2]))

from othello_bot.base.notation import Color, move_name
from othello_bot.rules.position import Position
from tests.mocks.misbehaviour import Misbehaviour, run, say


def serve(trouble: Misbehaviour) -> None:
    """Answer until the end of input."""
    for line in trouble.lines():
        told = json.loads(line)
        if told["type"] == "hello":
            say(json.dumps({"name": "Mock", "version": "1.5"}) + "\n")
        elif told["type"] == "turn":
            color = Color[told["color"].upper()]
            move = trouble.choose(Position.parse(f"{told['board']} {color.disc}"))
            if trouble.is_time_for("nonsense"):
                say('{"move": "the best one"}\n')
            elif trouble.is_time_for("resign"):
                say('{"move": "resign"}\n')
            elif move is not None:
                say(json.dumps({"move": move_name(move), "score": 1.5, "depth": 4, "nodes": 99}) + "\n")
        elif trouble.quits():
            return


if __name__ == "__main__":
    run(__doc__, serve)
