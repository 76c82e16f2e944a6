"""`othello-bot explore build`: make a base of games, or add games to it."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Final

from othello_bot.base.errors import counted
from othello_bot.base.notation import integer
from othello_bot.base.output import ProgressLine, guarded, report, write_to_stderr
from othello_bot.base.outputs import check_outputs, database
from othello_bot.base.visible import visible
from othello_bot.cluster import Workers
from othello_bot.engine import available_cores
from othello_bot.explorer.building import SMALL_FILES_BYTES, Builder, Totals, size_of
from othello_bot.explorer.names import read_players, read_ratings
from othello_bot.formats.writing import inputs_of, user_path

SHOWN_FAILURES: Final = 50
"""Most messages about single games on stderr."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Make a base of games for `othello-bot explore`, or add games to one.\n"
        "Files may have any format that the engine reads, with any number of games. A game that the base has already is"
        " not added again, so the same command goes on where it was stopped."
    )
    parser.epilog = (
        "exit code: 0; 1 if games could not be read, which are reported and skipped; 2 for wrong arguments.\n"
        "`othello-bot help explorer` says when two games are the same, and what becomes of mistakes in files."
    )
    parser.add_argument("base", type=Path, metavar="BASE", help="the base; a new file is created")
    parser.add_argument("files", nargs="+", metavar="GAMES", help="game files: WTHOR, GGF, SGF, PGN, transcripts, ...")
    parser.add_argument(
        "--ratings",
        type=Path,
        metavar="FILE",
        help="where games tell no ratings: a name or WTHOR number, and the rating, a line",
    )
    parser.add_argument(
        "--programs",
        type=Path,
        metavar="FILE",
        help="the programs among the players, a name or a WTHOR number a line; the base keeps the list for `--between`",
    )
    parser.add_argument(
        "--processes", type=integer(1, 1024), metavar="N", help="processes that read (one for each core)"
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="read on the Dask cluster with this scheduler")


@guarded("explore build", failed=1, stopped="stopped; the same command goes on")
def run(args: argparse.Namespace) -> int:
    """Add the games; return 0, 1 if a game or file could not be read, 2 for usage, 130 after Ctrl-C."""
    began_s = time.monotonic()
    paths = [user_path(name) for name in args.files]
    check_outputs({"BASE": database(args.base)}, input=[*inputs_of(paths), args.ratings, args.programs])
    ratings = None if args.ratings is None else read_ratings(args.ratings)
    programs = None if args.programs is None else read_players(args.programs)
    told = 0
    with ProgressLine(sys.stderr) as line:

        def tell(message: str) -> None:
            nonlocal told
            told += 1
            if told <= SHOWN_FAILURES:
                line.clear()
                report(message, "explore build")

        def show(totals: Totals) -> None:
            if totals.indexing:
                line.show(f"{totals.read:,} games read, putting their positions in order")
                return
            passed_s = time.monotonic() - began_s
            left_s = passed_s * (totals.all_bytes / totals.read_bytes - 1) if totals.read_bytes else 0.0
            rate = totals.read / max(passed_s, 1e-9)
            line.show(f"{totals.read:,} games read, {rate:,.0f} a second, {left_s / 60:.1f} min left")

        with Builder(args.base, ratings=ratings, programs=programs, told=tell, progress=show) as builder:
            totals = builder.totals
            size = sum(map(size_of, paths))
            if args.cluster is None and (size < SMALL_FILES_BYTES or args.processes == 1):
                builder.add(paths)
            else:
                with Workers(args.processes or available_cores(), args.cluster) as workers:
                    builder.add(paths, workers)
    if told > SHOWN_FAILURES:
        report(f"... and {told - SHOWN_FAILURES} more", "explore build")
    write_to_stderr(visible(f"{args.base}: {summary(totals)}, {time.monotonic() - began_s:.1f} s") + "\n")
    return 1 if totals.failed else 0


def summary(totals: Totals) -> str:
    """Return what became of the games, in one line."""
    parts = [f"{counted(totals.read, 'game')} read", f"{totals.added} added"]
    parts += [f"{totals.known} known before"] if totals.known else []
    parts += [f"{totals.corrected} with a wrong result"] if totals.corrected else []
    parts += [f"{totals.failed} failed"] if totals.failed else []
    return ", ".join(parts)
