"""OpenSpiel: its Monte Carlo search meets OthelloBot, and its GTPBot plays this program from the start position."""

from __future__ import annotations

import json
import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots.gtp import GTPBot

from othello_bot import Options
from othello_bot.environments.openspiel import OthelloBot

GAME = pyspiel.load_game("othello")


def searched() -> list[float]:
    """Play a game with each colour against Monte Carlo search, and return our results."""
    results = []
    bot = OthelloBot(Options(level=2, hash=1))
    for side in (0, 1):
        rng = np.random.RandomState(side)
        other = mcts.MCTSBot(GAME, 2, 10, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
        state = GAME.new_initial_state()
        while not state.is_terminal():
            state.apply_action((bot if state.current_player() == side else other).step(state))
        results.append(state.returns()[side])
    bot.close()
    return results


def over_gtp() -> float:
    """Play Black over GTP against OthelloBot, and return Black's result."""
    black = GTPBot(GAME, [sys.executable, "-m", "othello_bot", "--gtp", "--level", "2", "--option", "hash=1"])
    white = OthelloBot(Options(depth=1, hash=1, book=False))
    state = GAME.new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        action = (black if player == 0 else white).step(state)
        if player == 1:
            black.inform_action(state, player, action)
        state.apply_action(action)
    black.close()
    white.close()
    return float(state.returns()[0])


def restarted() -> str:
    """Let GTPBot begin at a played position, and return what it raises."""
    bot = GTPBot(GAME, [sys.executable, "-m", "othello_bot", "--gtp", "--level", "2", "--option", "hash=1"])
    state = GAME.new_initial_state()
    bot.restart_at(state)
    state.apply_action(state.legal_actions()[0])
    try:
        bot.restart_at(state)
    except TypeError as error:
        return type(error).__name__
    finally:
        bot.close()
    return ""


def main() -> None:
    """Play, and print what happened."""
    print(json.dumps({"searched": searched(), "gtp": over_gtp(), "restarted": restarted()}))


if __name__ == "__main__":
    main()
