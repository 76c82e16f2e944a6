"""OpenSpiel's Othello against ours, and the bot in a game."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest

from othello_bot import batch
from othello_bot.base.errors import InputError
from othello_bot.engine import Options
from othello_bot.environments import legal_actions
from othello_bot.environments.openspiel import KaggleAgent, OthelloBot, game_of
from othello_bot.rules import Game

GAME = pyspiel.load_game("othello")


def compare_games(count: int, seed: int) -> int:
    """Play random games with OpenSpiel's rules and ours; return the number of passes."""
    rng, passes = random.Random(seed), 0
    for _ in range(count):
        state, game = GAME.new_initial_state(), Game()
        while not state.is_terminal():
            actions = state.legal_actions()
            assert actions == legal_actions(game.position)
            assert state.current_player() == game.position.color
            action = rng.choice(actions)
            passes += action == 64
            state.apply_action(action)
            game.play(action)
        assert game.is_over
        sign = (game.final_score > 0) - (game.final_score < 0)
        assert state.returns() == [sign, -sign]
    return passes


def test_openspiels_rules_are_ours() -> None:
    assert compare_games(300, 1) > 50


def test_openspiels_tensor_is_our_layout() -> None:
    state = GAME.new_initial_state()
    rng = random.Random(2)
    while not state.is_terminal():
        position = game_of(state).position
        planes = batch.encode(
            np.array([position.mover], np.uint64), np.array([position.opponent], np.uint64), "openspiel"
        )
        tensor = state.observation_tensor(state.current_player())
        assert np.array_equal(planes.reshape(-1), np.array(tensor, np.float32))
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("state", [None, 3, "f5", [], pyspiel.load_game("tic_tac_toe").new_initial_state()])
def test_states_of_other_games_are_refused(state: Any) -> None:
    bot = OthelloBot(Options(depth=1, hash=1))
    with pytest.raises(InputError, match=r"expected a state of OpenSpiel's game othello"):
        bot.step(state)
    bot.close()


@pytest.mark.parametrize("options", [3, "depth=3", [], {"depth": 3}, True])
def test_options_that_are_none_are_refused(options: Any) -> None:
    for made in (OthelloBot, KaggleAgent):
        with pytest.raises(InputError, match=r"options .*: expected an Options value, or None"):
            made(options)


def test_the_bot_plays_a_game_from_any_state() -> None:
    bot = OthelloBot(Options(depth=2, hash=1, book=False))
    rng, state = random.Random(3), GAME.new_initial_state()
    for _ in range(7):
        state.apply_action(rng.choice(state.legal_actions()))
    bot.restart_at(state)
    while not state.is_terminal():
        action = bot.step(state) if state.current_player() == 0 else rng.choice(state.legal_actions())
        bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)
    assert state.returns() == [1.0, -1.0]
    bot.close()
