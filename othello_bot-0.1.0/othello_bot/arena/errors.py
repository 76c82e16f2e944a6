"""Errors of the arena itself; failures of engines are results of games instead."""

from __future__ import annotations

from collections.abc import Callable

from othello_bot.base import output
from othello_bot.base.errors import InputError, WorkError
from othello_bot.base.output import RunCommand
from othello_bot.base.sqlite import sqlite3
from othello_bot.base.version import missing


class ConfigError(InputError):
    """An invalid setting of a match; the message says what would be accepted."""


class ArenaError(WorkError):
    """The match cannot continue: not a store, an engine that cannot be started, a worker that keeps dying."""


class MissingExtra(ArenaError):
    """A library that only parts of the arena need is not installed."""

    def __init__(self, purpose: str, library: str) -> None:
        super().__init__(missing(purpose, library, "arena"))
        self.library = library


def guarded(command: str, stopped: str = "stopped") -> Callable[[RunCommand], RunCommand]:
    """Make a command of the arena report errors on stderr and return their exit code."""
    return output.guarded(command, failed=1, stopped=stopped, also=(sqlite3.Error,))
