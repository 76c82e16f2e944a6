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

from othello_bot.base.version import __version__

if TYPE_CHECKING:
    from othello_bot.base.clocks import ClockState
    from othello_bot.base.errors import DamagedInstallation, FormatError, InputError
    from othello_bot.base.evaluated import EvaluatedMove
    from othello_bot.base.notation import PASS, Color, NotationError, move_name, parse_move
    from othello_bot.engine import (
        Choice,
        EngineBusy,
        EngineClosed,
        LimitError,
        Limits,
        Line,
        OptionError,
        Options,
        Player,
        SearchLost,
        SearchResult,
    )
    from othello_bot.review import JudgedMove
    from othello_bot.review.engines import AsyncEngine, Engine
    from othello_bot.rules import CannotRedo, CannotUndo, Game, IllegalMove, Position, PositionError

_HOMES = {
    "AsyncEngine": "othello_bot.review.engines",
    "CannotRedo": "othello_bot.rules",
    "CannotUndo": "othello_bot.rules",
    "Choice": "othello_bot.engine",
    "ClockState": "othello_bot.base.clocks",
    "Color": "othello_bot.base.notation",
    "DamagedInstallation": "othello_bot.base.errors",
    "Engine": "othello_bot.review.engines",
    "EngineBusy": "othello_bot.engine",
    "EngineClosed": "othello_bot.engine",
    "EvaluatedMove": "othello_bot.base.evaluated",
    "FormatError": "othello_bot.base.errors",
    "Game": "othello_bot.rules",
    "IllegalMove": "othello_bot.rules",
    "InputError": "othello_bot.base.errors",
    "JudgedMove": "othello_bot.review",
    "LimitError": "othello_bot.engine",
    "Limits": "othello_bot.engine",
    "Line": "othello_bot.engine",
    "NotationError": "othello_bot.base.notation",
    "OptionError": "othello_bot.engine",
    "Options": "othello_bot.engine",
    "PASS": "othello_bot.base.notation",
    "Player": "othello_bot.engine",
    "Position": "othello_bot.rules",
    "PositionError": "othello_bot.rules",
    "SearchLost": "othello_bot.engine",
    "SearchResult": "othello_bot.engine",
    "move_name": "othello_bot.base.notation",
    "parse_move": "othello_bot.base.notation",
}

__all__ = [
    "AsyncEngine",
    "CannotRedo",
    "CannotUndo",
    "Choice",
    "ClockState",
    "Color",
    "DamagedInstallation",
    "Engine",
    "EngineBusy",
    "EngineClosed",
    "EvaluatedMove",
    "FormatError",
    "Game",
    "IllegalMove",
    "InputError",
    "JudgedMove",
    "LimitError",
    "Limits",
    "Line",
    "NotationError",
    "OptionError",
    "Options",
    "PASS",
    "Player",
    "Position",
    "PositionError",
    "SearchLost",
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
