"""The engine as an agent for Kaggle's Othello, "open_spiel_othello" of kaggle-environments (extra `kaggle`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS
from othello_bot.engine import Engine, Options
from othello_bot.rules import Game

NOTHING: Final = {"submission": -1}
"""The action where none is asked for: before the first state, in the opponent's turn, and after the end."""

_OBSERVATION: Final = "the JSON that Kaggle's Othello sends, with move_history"


class OthelloAgent:
    """Plays either side of Kaggle's Othello in its default configuration as a session with these options would.

    Every observation has the whole game, so one agent may play both sides and several games, one after the other.
    """

    def __init__(self, options: Options | None = None) -> None:
        self._engine = Engine(options)

    def __call__(self, observation: Mapping[str, Any], configuration: object = None) -> dict[str, int]:
        """Return {"submission": the action}, 64 for a pass; raise InputError for another game's observation."""
        text = observation.get("observationString")
        if not text:
            return dict(NOTHING)
        game = game_of(text)
        if game.is_over or observation.get("playerId", game.position.color) != game.position.color:
            return dict(NOTHING)
        return {"submission": PASS if game.position.must_pass else self._engine.choose(game).move}

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


def game_of(text: str) -> Game:
    """Return the game that the text of an observation tells; raise InputError for another text."""
    try:
        seen = json.loads(text)
        names, board = seen["move_history"], seen["board"]
        cells = [cell for rank in board for cell in rank]
    except (ValueError, TypeError, KeyError):
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
