"""othello-bot: an Othello engine.

The Python interface in ten lines; the session speaks to the same `Engine`:

>>> from othello_bot import Engine, Game, Limits, move_name
>>> game = Game()
>>> with Engine() as engine:
...     while game.position.empties > 52:
...         result = engine.search(game.position, Limits(depth=3))
...         position = game.play(result.move)
...     best = engine.search(game.position, Limits(nodes=10_000), on_progress=lambda found: None)
>>> len(game.moves), move_name(best.move) in [move_name(move) for move in game.position.legal_moves]
(8, True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from othello_bot.engine import Engine
    from othello_bot.game import Game
    from othello_bot.limits import ClockState, Limits
    from othello_bot.options import Options
    from othello_bot.position import Color, Position, move_name, parse_move
    from othello_bot.search import Line, SearchResult

_HOMES = {
    "ClockState": "othello_bot.limits",
    "Color": "othello_bot.position",
    "Engine": "othello_bot.engine",
    "Game": "othello_bot.game",
    "Limits": "othello_bot.limits",
    "Line": "othello_bot.search",
    "Options": "othello_bot.options",
    "Position": "othello_bot.position",
    "SearchResult": "othello_bot.search",
    "move_name": "othello_bot.position",
    "parse_move": "othello_bot.position",
}

__all__ = [
    "ClockState",
    "Color",
    "Engine",
    "Game",
    "Limits",
    "Line",
    "Options",
    "Position",
    "SearchResult",
    "__version__",
    "move_name",
    "parse_move",
]


def __getattr__(name: str) -> object:
    # Loaded when first used: a daemon must answer within moments of its start, and needs only a part of this.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'othello_bot' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
