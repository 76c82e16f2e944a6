"""Environments and bots in the libraries themselves: whole games by OpenSpiel and by Kaggle, and by OpenSpiel's GTPBot."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import venv
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python.bots.gtp import GTPBot

from tests.environments.test_openspiel import GAME, compare_games
from tests.real.conftest import NODE_DIRECTORY, REPOSITORY, run

GAMES = 20_000

KAGGLE = NODE_DIRECTORY.with_name("kaggle")
"""An environment of its own: kaggle-environments pins versions of what others need, too."""

NEEDED = """
Flask PyYAML absl-py attrs click gymnasium==1.2.0 jsonschema ml_collections numpy open_spiel==2.0.1 pettingzoo<1.28 pydantic
pyjson5 requests scipy shimmy tenacity termcolor tqdm typing-extensions universal-pathlib
"""
"""Of what kaggle-environments requires, that which its Othello needs: the rest is several gigabytes."""

MATCH = """
import json, random
from kaggle_environments import make
from othello_bot import Options
from othello_bot.environments import legal_actions
from othello_bot.environments.openspiel import KaggleAgent, seen_game
def other(observation, configuration):
    if not observation.get("observationString"):
        return {"submission": -1}
    game = seen_game(observation["observationString"])
    return {"submission": random.Random(game.ply).choice(legal_actions(game.position))}
agent, ended = KaggleAgent(Options(depth=5, hash=1, book=False)), []
for players, configuration in (((agent, other), {}), ((other, agent), {}), ((agent, agent), {"strictMode": True})):
    env = make("open_spiel_othello", configuration=configuration)
    env.run(list(players))
    ended.append([[state.status for state in env.steps[-1]], [state.reward for state in env.steps[-1]], len(env.steps)])
print(json.dumps(ended))
"""


@pytest.fixture(scope="session")
def kaggle(tools: Path) -> Path:
    """Return the Python of Kaggle's environment, which is made if it is missing."""
    python = KAGGLE / "bin" / "python"
    if not (KAGGLE / "complete").exists():
        venv.create(KAGGLE, clear=True)
        install = (tools / "uv", "pip", "install", "-q", "--python", python)
        run(*install, "--no-deps", "kaggle-environments>=1.33", cwd=REPOSITORY)
        run(*install, *NEEDED.split(), cwd=REPOSITORY)
        (KAGGLE / "complete").touch()
    return python


def test_openspiels_rules_are_ours_in_many_games() -> None:
    assert compare_games(GAMES, 50) > 8_000


@pytest.mark.parametrize("side", [0, 1])
def test_openspiels_gtpbot_plays_our_engine(side: int) -> None:
    bot = GTPBot(GAME, [sys.executable, "-m", "othello_bot", "--gtp", "--depth", "5", "--book", "off"])
    rng, state = random.Random(6), GAME.new_initial_state()
    try:
        while not state.is_terminal():
            player = state.current_player()
            action = bot.step(state) if player == side else rng.choice(state.legal_actions())
            if player != side:
                bot.inform_action(state, player, action)
            state.apply_action(action)
        assert state.returns()[side] == 1
        bot.restart()
        assert GAME.new_initial_state().action_to_string(bot.step(GAME.new_initial_state())) in ("d3", "c4", "f5", "e6")
    finally:
        bot.close()
    assert isinstance(bot, pyspiel.Bot)


def test_the_agent_plays_in_kaggles_environment(kaggle: Path) -> None:
    played = subprocess.run(
        [kaggle, "-c", MATCH],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    first, second, alone = json.loads(played.stdout.splitlines()[-1])
    assert first[:2] == [["DONE", "DONE"], [1, -1]] and second[:2] == [["DONE", "DONE"], [-1, 1]]
    assert alone[0] == ["DONE", "DONE"] and sum(alone[1]) == 0 and alone[2] > 50
