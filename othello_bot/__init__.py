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

from othello_bot.version import __version__

if TYPE_CHECKING:
    from othello_bot.engine import Limits, Line, Options, SearchResult
    from othello_bot.review import JudgedMove
    from othello_bot.review.engines import AsyncEngine, Engine
    from othello_bot.rules import Game, Position
    from protocol.clocks import ClockState
    from protocol.notation import Color, move_name, parse_move

_HOMES = {
    "AsyncEngine": "othello_bot.review.engines",
    "ClockState": "protocol.clocks",
    "Color": "protocol.notation",
    "Engine": "othello_bot.review.engines",
    "Game": "othello_bot.rules",
    "JudgedMove": "othello_bot.review",
    "Limits": "othello_bot.engine",
    "Line": "othello_bot.engine",
    "Options": "othello_bot.engine",
    "Position": "othello_bot.rules",
    "SearchResult": "othello_bot.engine",
    "move_name": "protocol.notation",
    "parse_move": "protocol.notation",
}

__all__ = [
    "AsyncEngine",
    "ClockState",
    "Color",
    "Engine",
    "Game",
    "JudgedMove",
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
    # Loaded on first use: a daemon must answer shortly after its start and needs only a part of this.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'othello_bot' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
