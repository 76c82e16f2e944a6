"""Shared by the arena's commands: which store and matches they use, and their error messages and exit codes."""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from othello_bot.arena.errors import ArenaError, ConfigError
from othello_bot.arena.games import StoredMatch
from othello_bot.arena.store import Store
from othello_bot.errors import InputError
from othello_bot.sqlite import sqlite3

DEFAULT_STORE: Final = "othello-matches.db"

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as in shells."""

Run = Callable[[argparse.Namespace], int]


def add_store_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that name a store and its matches."""
    parser.add_argument("place", nargs="?", type=Path, metavar="STORE", help=f"the store ({DEFAULT_STORE})")
    parser.add_argument("--store", type=Path, metavar="FILE", help="the same")
    parser.add_argument("--match", metavar="KEY", help="only matches whose key starts with this")


@contextmanager
def chosen_matches(args: argparse.Namespace) -> Iterator[tuple[Store, Sequence[StoredMatch]]]:
    """Open the store and choose its matches; raise ConfigError where there is none."""
    path: Path = args.place or args.store or Path(DEFAULT_STORE)
    with Store(path, create=False) as store:
        matches = [match for match in store.matches() if match.key.startswith(args.match or "")]
        if not matches:
            raise ConfigError("match", args.match or str(path), "a match of this store")
        yield store, matches


def guarded(command: str, stopped: str = "stopped") -> Callable[[Run], Run]:
    """Make a command report errors on stderr and return their exit code."""

    def decorate(run: Run) -> Run:
        @functools.wraps(run)
        def guarded_run(args: argparse.Namespace) -> int:
            try:
                return run(args)
            except KeyboardInterrupt:
                sys.stderr.write(f"othello-bot {command}: {stopped}\n")
                return INTERRUPTED
            except BrokenPipeError:
                raise  # the reader has closed its end: the command line handles that
            except InputError as error:
                sys.stderr.write(f"othello-bot {command}: {error}\n")
                return 2
            except (ArenaError, OSError, sqlite3.Error) as error:
                sys.stderr.write(f"othello-bot {command}: {error}\n")
                return 1

        return guarded_run

    return decorate
