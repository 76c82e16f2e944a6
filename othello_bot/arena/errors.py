"""Errors of the arena itself; failures of engines are results of games instead."""

from __future__ import annotations

from othello_bot.errors import InputError


class ConfigError(InputError):
    """An invalid setting of a match; the message says what would be accepted."""


class ArenaError(RuntimeError):
    """The match cannot continue: not a store, an engine that cannot be started, a worker that keeps dying."""


class MissingExtra(ArenaError):
    """A library that only parts of the arena need is not installed."""

    def __init__(self, purpose: str, library: str) -> None:
        super().__init__(f"{purpose} needs {library}; install it with: pip install 'othello-bot[arena]'")
        self.library = library
