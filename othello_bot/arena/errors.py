"""What can go wrong in the arena itself, as opposed to an engine, whose failures are results of games."""

from __future__ import annotations

from othello_bot.errors import InputError


class ConfigError(InputError):
    """A setting of a match that cannot be taken; the text says what would be accepted."""


class ArenaError(RuntimeError):
    """The match cannot go on: a file that is no store, an engine that cannot be started, a worker that keeps dying."""


class MissingExtra(ArenaError):
    """A library that only some parts of the arena need is not installed."""

    def __init__(self, purpose: str, library: str) -> None:
        super().__init__(f"{purpose} needs {library}; install it with: pip install 'othello-bot[arena]'")
        self.library = library
