"""What was played in a position, in the server's base of games, as the page shows it."""

from __future__ import annotations

from typing import Any

from othello_bot.base.errors import InputError
from othello_bot.base.notation import is_color, parse_color
from othello_bot.explorer import GameBase, Selection, explored_objects, game_object, position_object
from othello_bot.formats.record import Range
from othello_bot.web.messages import AskPlayed


def opened(path: str) -> GameBase:
    """Return the base of a file; raise InputError if it cannot be opened."""
    try:
        return GameBase(path)
    except OSError as error:
        raise InputError("option base_file", path, f"a base of games ({error.strerror})") from None


def played(base: GameBase, ask: AskPlayed) -> dict[str, Any]:
    """Return the reply to a question; raise InputError for filters that are not understood."""
    if ask.color and not is_color(ask.color):
        raise InputError("color", ask.color, "black, white, or an empty text")
    selection = Selection(
        years=Range.parse(ask.years) if ask.years else None,
        player=ask.player,
        color=parse_color(ask.color) if ask.color else None,
        event=ask.event,
    )
    explored = base.explore(ask.game.position, selection)
    games = base.games(ask.game.position, None, selection, order=ask.order, first=ask.first, count=ask.count)
    return {
        "kind": "played",
        "base": True,
        "counts": position_object(explored),
        "moves": explored_objects(explored),
        "list": list(map(game_object, games)),
    }
