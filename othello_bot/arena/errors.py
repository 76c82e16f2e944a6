"""Errors of the arena itself, and what its commands do with them; failures of engines are results of games instead."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable

from othello_bot.base.errors import INTERRUPTED, InputError
from othello_bot.base.output import report, write_to_stderr
from othello_bot.base.sqlite import sqlite3
from othello_bot.base.version import install_command
from othello_bot.base.visible import visible

RunCommand = Callable[[argparse.Namespace], int]


class ConfigError(InputError):
    """An invalid setting of a match; the message says what would be accepted."""


class ArenaError(RuntimeError):
    """The match cannot continue: not a store, an engine that cannot be started, a worker that keeps dying."""


class MissingExtra(ArenaError):
    """A library that only parts of the arena need is not installed."""

    def __init__(self, purpose: str, library: str) -> None:
        super().__init__(f"{purpose} needs {library}; install it with: {install_command('arena')}")
        self.library = library


def guarded(command: str, stopped: str = "stopped") -> Callable[[RunCommand], RunCommand]:
    """Make a command report errors on stderr and return their exit code."""

    def decorate(run: RunCommand) -> RunCommand:
        @functools.wraps(run)
        def guarded_run(args: argparse.Namespace) -> int:
            try:
                return run(args)
            except KeyboardInterrupt:
                report(str(stopped), command)
                return INTERRUPTED
            except BrokenPipeError:
                raise  # the reader has closed its end: the command line handles that
            except InputError as error:
                report(error, command)
                return 2
            except MemoryError:
                report("not enough memory", command)
                return 1
            except OSError as error:
                report(error, command)
                return 1
            except (ArenaError, sqlite3.Error) as error:
                first, *trace = str(error).splitlines() or [type(error).__name__]
                report(first, command)
                write_to_stderr("".join(f"{visible(line)}\n" for line in trace))
                return 1

        return guarded_run

    return decorate
