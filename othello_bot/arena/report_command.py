"""`othello-bot match report STORE`: tables of the matches in a store, with pictures and failures on request."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from othello_bot.arena.display import write_lines
from othello_bot.arena.errors import ConfigError, guarded
from othello_bot.arena.games import StoredMatch
from othello_bot.arena.report import failure_records, report_lines
from othello_bot.arena.store import DEFAULT_STORE, Store
from othello_bot.arena.time_use import clock_table


def add_store_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that name a store and its matches, also for `match export`."""
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Print the tables of the matches in a store: ratings, results, time, failures."
    add_store_arguments(parser)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write pictures into this folder")
    parser.add_argument(
        "--clocks", action="store_true", help="show how much of its clock each engine used before it solved the game"
    )
    parser.add_argument(
        "--failures", action="store_true", help="list the games that ended in a failure, with the engine's last words"
    )


@guarded("match report")
def run(args: argparse.Namespace) -> int:
    """Print the report; return 0, 1 for a store that cannot be read, 2 for a match that is not in it."""
    with chosen_matches(args) as (store, matches):
        for match in matches:
            write_lines([*report_lines(store, match), ""])
            if args.clocks:
                write_lines([*clock_table(store, match).lines(), ""])
            if args.failures:
                write_lines(failure_records(store, match))
            if args.pictures is not None:
                from othello_bot.arena.pictures import write_pictures

                write_lines(map(str, write_pictures(store, match, args.pictures)))
    return 0
