"""Kaggle: our agent plays both colours of open_spiel_othello against an agent that asks for the legal actions."""

from __future__ import annotations

import json
import random
from typing import Any

from kaggle_environments import make

from othello_bot import Options
from othello_bot.environments import legal_actions
from othello_bot.environments.openspiel import KaggleAgent, seen_game


def other(observation: Any, configuration: Any) -> dict[str, int]:
    """Play at random."""
    if not observation.get("observationString"):
        return {"submission": -1}
    game = seen_game(observation["observationString"])
    return {"submission": random.Random(game.ply).choice(legal_actions(game.position))}


def main() -> None:
    """Play, and print what happened."""
    agent, ended = KaggleAgent(Options(level=2, hash=1)), []
    for players in ((agent, other), (other, agent)):
        environment = make("open_spiel_othello")
        environment.run(list(players))
        last = environment.steps[-1]
        ended.append([[state.status for state in last], last[players.index(agent)].reward])
    print(json.dumps({"ended": ended}))


if __name__ == "__main__":
    main()
