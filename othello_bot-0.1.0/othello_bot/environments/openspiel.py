"""The engine as a bot for OpenSpiel's Othello, and as an agent for Kaggle's, which is the same game (extra `kaggle`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import pyspiel

from othello_bot.base.errors import InputError
from othello_bot.engine import Engine, Options
from othello_bot.rules import Game


class OthelloBot(pyspiel.Bot):  # type: ignore[misc, unused-ignore]
    """Plays one side of OpenSpiel's game "othello" as a session with these options would.

    Every state has its whole history, so the bot may be asked about any state at any time.
    """

    def __init__(self, options: Options | None = None) -> None:
        pyspiel.Bot.__init__(self)
        self._engine = Engine(options)

    def step(self, state: Any) -> int:
        """Return the action for the player to move, 64 for a pass; raise InputError for a state that is over."""
        return self._engine.choose(game_of(state)).move

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Do nothing: the next state has the action."""

    def restart(self) -> None:
        """Forget earlier games."""
        self._engine.clear()

    def restart_at(self, state: Any) -> None:
        """Forget earlier games; the next state has its history."""
        self._engine.clear()

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


def game_of(state: Any) -> Game:
    """Return the game of a state of OpenSpiel's "othello"; raise InputError for anything else."""
    if not isinstance(state, pyspiel.State) or state.get_game().get_type().short_name != "othello":
        raise InputError("state", state, "a state of OpenSpiel's game othello")
    game = Game()
    game.play_moves(state.history())
    return game


NOTHING: Final = {"submission": -1}
"""The action where none is asked for: before the first state, in the opponent's turn, and after the end."""

_OBSERVATION: Final = "the JSON that Kaggle's Othello sends, with move_history"


class KaggleAgent:
    """Plays either side of Kaggle's Othello in its default configuration as a session with these options would.

    Every observation has the whole game, so one agent may play both sides and several games, one after the other.
    """

    def __init__(self, options: Options | None = None) -> None:
        self._engine = Engine(options)

    def __call__(self, observation: Mapping[str, Any], configuration: object = None) -> dict[str, int]:
        """Return {"submission": the action}, 64 for a pass; raise InputError for another game's observation."""
        if not isinstance(observation, Mapping):
            raise InputError("observation", observation, "a mapping with observationString")
        text = observation.get("observationString")
        if text is None or (isinstance(text, str) and not text):
            return dict(NOTHING)
        game = seen_game(text)
        if game.is_over or observation.get("playerId", game.position.color) != game.position.color:
            return dict(NOTHING)
        return {"submission": self._engine.choose(game).move}

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


def seen_game(text: str) -> Game:
    """Return the game that the text of an observation tells; raise InputError for another text."""
    try:
        seen = json.loads(text)
        names, board = list(seen["move_history"]), seen["board"]
        cells = [cell for rank in board for cell in rank]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError("observationString", text, _OBSERVATION) from None
    game = Game()
    for name in names:
        game.play(name)
    position = game.position
    shown = tuple(sum(1 << square for square, cell in enumerate(cells) if cell == disc) for disc in "xo")
    if shown != (position.black, position.white) or seen.get("current_player") not in (
        "terminal",
        "xo"[position.color],
    ):
        raise InputError("observationString", text, f"{_OBSERVATION} that leads to its board")
    return game
