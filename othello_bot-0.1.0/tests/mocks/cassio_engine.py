"""A mock engine that speaks ENGINE-PROTOCOL: `python cassio_engine.py --garbage-at 1`.

Quirk: `crossed` writes a lower bound above the upper one.
"""

from __future__ import annotations

from pathlib import Path
from sys import path

path.insert(0, str(Path(__file__).resolve().parents[2]))

from othello_bot.base.notation import move_name
from othello_bot.rules.position import Position
from tests.mocks.misbehaviour import Misbehaviour, run, say


def value(position: Position) -> int:
    """Return the score at the end of a game, from the mover's view; only for the last moves of a game."""
    if position.is_over:
        return position.score()
    return max(-value(position.play(move)) for move in position.legal_moves or (64,))


def search(trouble: Misbehaviour, board: str, depth: int) -> None:
    """Print improving results, or misbehave."""
    position = Position.parse(board)
    move = trouble.choose(position)
    if move is None:
        return
    if trouble.is_time_for("refuse"):
        say("ERROR: midgame-search cannot parse position.\n")
        return
    side = position.color.letter.upper()
    name = "PA" if move == 64 else move_name(move).upper()
    score = value(position) if position.empties < 8 else 2
    lower, upper = (f"{side}{bound:+.2f}" for bound in (score + (trouble.flags.quirks == "crossed"), score))
    for reached in range(2, depth + 1, 2):
        say(
            f"{board}, move {name}, depth {reached}, @73%, {lower} <= v <= {upper}, {name}d6,"
            f" node {100 * reached}, time 0.{reached:03}\n"
        )


def serve(trouble: Misbehaviour) -> None:
    """Obey until the end of input."""
    for line in trouble.lines():
        words = line.split()[1:]
        if words == ["quit"]:
            if trouble.quits():
                say("bye bye.\n")
                return
        elif words == ["get-version"]:
            say("version: Mock 1.5\nready.\n")
        elif words and words[0].endswith("-search"):
            if len(words[1]) == 65:
                search(trouble, words[1], int(words[4]) if words[0].startswith("midgame") else 20)
            else:
                say("ERROR: no board\n")
            say("ready.\n")
        else:
            say("ready.\n")


if __name__ == "__main__":
    run(__doc__, serve)
