"""From a configuration to its player; each kind is imported only when it plays."""

from __future__ import annotations

from othello_bot.arena.config import EngineConfig, PlayerKind
from othello_bot.arena.players import Player


def make_player(config: EngineConfig) -> Player:
    """Return the player of a configuration, not yet started."""
    if config.kind is PlayerKind.ENGINE:
        from othello_bot.arena.own_engine import EnginePlayer

        return EnginePlayer(config)
    if config.kind is PlayerKind.STRATEGY:
        from othello_bot.arena.strategy_player import StrategyPlayer

        return StrategyPlayer(config)
    from othello_bot.arena.process_player import ProcessPlayer

    return ProcessPlayer(config)
