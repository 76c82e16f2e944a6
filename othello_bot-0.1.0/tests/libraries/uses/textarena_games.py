"""textarena: our engine plays both colours of Othello-v0 against random moves, and only texts go in and out."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import textarena

from othello_bot import Engine, Options, Position, move_name, parse_move


def seen_position(text: str, player: int) -> Position:
    """Return the position of the last board that an observation shows."""
    rows = re.findall(r"^[0-7]\|((?:[.BW]\|){8})", text, re.MULTILINE)[-8:]
    return Position.parse("".join(rows).translate(str.maketrans("BW.", "XO-", "|")) + "XO"[player])


def played(engine: Engine, side: int) -> Any:
    """Play one game and return our reward."""
    environment, rng, done = textarena.make("Othello-v0"), random.Random(side), False
    environment.reset(num_players=2, seed=1)
    while not done:
        player, text = environment.get_observation()
        position = seen_position(text, player)
        answer = "I have no move"
        if position.legal_moves:
            move = engine.choose(position).move if player == side else rng.choice([*position.legal_moves])
            answer = f"[{move // 8}, {move % 8}]"
            assert parse_move(move_name(move)) == move
        done, _ = environment.step(answer)
    rewards, _ = environment.close()
    return rewards[side]


def main() -> None:
    """Play, and print what happened."""
    with Engine(Options(level=2, hash=1)) as engine:
        print(json.dumps({"rewards": [played(engine, side) for side in (0, 1)]}))


if __name__ == "__main__":
    main()
