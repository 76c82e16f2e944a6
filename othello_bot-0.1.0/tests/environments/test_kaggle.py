"""The agent for Kaggle's Othello on observations like Kaggle's; tests/real plays it in Kaggle's own environment."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from othello_bot.base.notation import move_name
from othello_bot.engine import Options
from othello_bot.environments import legal_actions
from othello_bot.environments.openspiel import KaggleAgent
from othello_bot.rules import Game
from tests.rules.strategies import random_game

OPTIONS = Options(depth=5, hash=1, book=False)


def observation_of(game: Game) -> dict[str, Any]:
    """Return what the environment sends to the player to move."""
    position = game.position
    cells = ["x" if position.black >> i & 1 else "o" if position.white >> i & 1 else "" for i in range(64)]
    told = {
        "board": [cells[rank : rank + 8] for rank in range(0, 64, 8)],
        "current_player": "terminal" if position.is_over else "xo"[position.color],
        "move_history": [move_name(move) for move in game.moves],
    }
    return {"observationString": json.dumps(told), "playerId": int(position.color), "remainingOverageTime": 60}


def test_it_wins_a_game_with_each_colour() -> None:
    agent, rng = KaggleAgent(OPTIONS), random.Random(5)
    for side in (0, 1, 0, 1):
        game = Game()
        while not game.is_over:
            if game.position.color == side:
                action = agent(observation_of(game), {"actTimeout": 3600})["submission"]
            else:
                action = rng.choice(legal_actions(game.position))
            game.play(action)
        assert (game.final_score > 0) == (side == 0)
    agent.close()


def test_it_passes_where_it_must() -> None:
    agent, passes = KaggleAgent(OPTIONS), 0
    for seed in range(20):
        game = random_game(seed)
        for ply, move in enumerate(game.moves):
            if move == 64:
                before = Game()
                before.play_moves(game.moves[:ply])
                assert agent(observation_of(before)) == {"submission": 64}
                passes += 1
    assert passes > 5
    agent.close()


def test_nothing_is_submitted_where_nothing_is_asked() -> None:
    agent, game = KaggleAgent(OPTIONS), Game.from_transcript("f5")
    assert agent({"remainingOverageTime": 60}) == {"submission": -1}
    assert agent({**observation_of(game), "playerId": 0}) == {"submission": -1}
    finished = Game.from_transcript("e6f4e3f6g5d6e7f5c5")
    assert finished.is_over and agent(observation_of(finished)) == {"submission": -1}
    agent.close()


@pytest.mark.parametrize(
    "text", ["x", "[]", "{}", '{"board": 3, "move_history": []}', '{"board": [["x"]], "move_history": ["f5"]}']
)
def test_observations_of_other_games_are_refused(text: str) -> None:
    agent = KaggleAgent(OPTIONS)
    with pytest.raises(ValueError, match=r"observationString .*: expected the JSON that Kaggle's Othello sends"):
        agent({"observationString": text, "playerId": 0})
    agent.close()


@pytest.mark.parametrize("observation", [None, 3, "{}", [], True])
def test_what_is_no_observation_is_refused(observation: Any) -> None:
    agent = KaggleAgent(Options(depth=1, hash=1, book=False))
    with pytest.raises(ValueError, match=r"observation .*: expected a mapping"):
        agent(observation)
    texts: tuple[Any, ...] = (
        0,
        False,
        [],
        "[" * 100_000,
        '{"move_history": 3, "board": ["x"]}',
        '{"move_history": null, "board": []}',
    )
    for text in texts:
        with pytest.raises(ValueError, match=r"observationString .*: expected the JSON"):
            agent({"observationString": text})
    agent.close()
