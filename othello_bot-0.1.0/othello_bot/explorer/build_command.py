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
    told, read_s = 0, began_s
    with ProgressLine(sys.stderr) as line:

        def tell(message: str) -> None:
            nonlocal told
            told += 1
            if told <= SHOWN_FAILURES:
                line.clear()
                report(message, "explore build")

        def show(totals: Totals) -> None:
            nonlocal read_s
            now_s = time.monotonic()
            if totals.to_index:
                line.show(_indexing_text(totals, now_s - read_s))
            else:
                read_s = now_s
                line.show(_reading_text(totals, now_s - began_s))

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


def _reading_text(totals: Totals, passed_s: float) -> str:
    """Return how far the reading of the files is, with rate and time left."""
    return f"{totals.read:,} games read{_pace(totals.read, totals.read_bytes, totals.all_bytes, passed_s)}"


def _indexing_text(totals: Totals, passed_s: float) -> str:
    """Return how far the ordering of the positions is, with rate and time left."""
    done = f"{totals.indexed:,} of {totals.to_index:,} games in order"
    return done + _pace(totals.indexed, totals.indexed, totals.to_index, passed_s)


def _pace(games: int, done: int, whole: int, passed_s: float) -> str:
    """Return the rate and the time left of so many games, when `done` of the `whole` work is done."""
    if not done or passed_s <= 0:
        return ""
    return f", {games / passed_s:,.0f} a second, {passed_s * (whole / done - 1) / 60:.1f} min left"


def summary(totals: Totals) -> str:
    """Return what became of the games, in one line."""
    parts = [f"{counted(totals.read, 'game')} read", f"{totals.added} added"]
    parts += [f"{totals.known} known before"] if totals.known else []
    parts += [f"{totals.corrected} with a wrong result"] if totals.corrected else []
    parts += [f"{totals.failed} failed"] if totals.failed else []
    return ", ".join(parts)
