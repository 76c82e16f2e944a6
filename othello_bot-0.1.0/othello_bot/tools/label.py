"""`othello-bot label IN OUT`: exact scores, best moves and the scores of all moves, for networks to learn from."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from othello_bot.base.descriptors import is_standard_output
from othello_bot.base.errors import UserError
from othello_bot.base.notation import decimal, integer
from othello_bot.base.output import ProgressLine, guarded, report
from othello_bot.base.outputs import OVERWRITE, refuse_taken
from othello_bot.engine import MAXIMUM_LEVEL, available_cores


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("source", type=Path, metavar="IN", help="games or positions of any format, .npz or .parquet")
    parser.add_argument("target", type=Path, metavar="OUT", help="the labels: .npz or .parquet")
    parser.add_argument("--overwrite", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--level", type=integer(1, MAXIMUM_LEVEL), metavar="N", help="search at this level; default: exact scores"
    )
    parser.add_argument(
        "--most-empties",
        type=integer(0, 60),
        metavar="N",
        help="allow exact scores up to N empty squares (24); above that, a position takes from minutes to days",
    )
    parser.add_argument("--moves", action="store_true", help="also the scores of all moves")
    parser.add_argument(
        "--policy",
        type=decimal(0, 64),
        nargs="?",
        const=1.0,
        metavar="DISCS",
        help="also a policy: how likely each move is at this temperature in discs, 0 for the best moves alone; default 1",
    )
    parser.add_argument(
        "--processes", type=integer(1, 1024), default=available_cores(), metavar="N", help="default: all cores"
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="use the Dask scheduler at this address")


@guarded("label")
def run(args: argparse.Namespace) -> int:
    """Label the positions, or go on where a killed run was; return 0, 1 if a worker fails, 2 for invalid files."""
    try:
        from othello_bot.batch import label_file
    except ImportError as error:
        report(error, "label")
        return 2
    refuse_taken(args.target, overwrite=args.overwrite, word=OVERWRITE)
    began_s = time.monotonic()
    names = ("level", "moves", "policy", "processes", "cluster", "overwrite")
    settings = {name: getattr(args, name) for name in names}
    if args.most_empties is not None:
        settings["most_empties"] = args.most_empties
    with ProgressLine(sys.stderr, unit="positions") as progress:
        try:
            count = label_file(args.source, args.target, told=progress.told, **settings)
        except ValueError as error:  # what a library says of a damaged file
            raise UserError(str(error)) from error
    told = f"{count} positions labelled in {time.monotonic() - began_s:.1f} s: {args.target}"
    report(told, "label") if is_standard_output(args.target) else sys.stdout.write(f"{told}\n")
    return 0
