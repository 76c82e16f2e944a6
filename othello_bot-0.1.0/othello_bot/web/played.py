"""What was played in a position, in the server's base of games, as the page shows it."""

from __future__ import annotations

from typing import Any

from othello_bot.explorer import (
    BaseError,
    GameBase,
    explored_objects,
    game_object,
    position_object,
    question,
    selection_of,
)
from othello_bot.web.messages import AskPlayed
from othello_bot.web.upload import error


def played(base: GameBase, ask: AskPlayed) -> dict[str, Any]:
    """Return the reply to a question, an error if the base cannot be read; raise InputError for other filters."""
    try:
        return _answer(base, ask)
    except BaseError as broken:
        return error(str(broken), "base")


def _answer(base: GameBase, ask: AskPlayed) -> dict[str, Any]:
    selection = selection_of(question([f"--{name}={value}" for name, value in ask.filters.items()]), base)
    explored = base.explore(ask.game.position, selection)
    games = base.games(ask.game.position, None, selection, order=ask.order, first=ask.first, count=ask.count)
    return {
        "kind": "played",
        "base": True,
        "programs": base.programs is not None,
        "counts": position_object(explored),
        "moves": explored_objects(explored),
        "list": list(map(game_object, games)),
    }
