"""`othello-bot match report STORE`: tables of the matches in a store, with pictures and failures on request."""

from __future__ import annotations

import argparse
from pathlib import Path

from othello_bot.arena.display import write
from othello_bot.arena.report import failure_records, report_lines
from othello_bot.arena.store_arguments import add_store_arguments, chosen_matches, guarded
from othello_bot.arena.time_use import clock_table


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
            write("\n".join([*report_lines(store, match), "", ""]))
            if args.clocks:
                write("\n".join([*clock_table(store, match).lines(), "", ""]))
            for line in failure_records(store, match) if args.failures else ():
                write(f"{line}\n")
            if args.pictures is not None:
                from othello_bot.arena.pictures import write_pictures

                for picture in write_pictures(store, match, args.pictures):
                    write(f"{picture}\n")
    return 0
