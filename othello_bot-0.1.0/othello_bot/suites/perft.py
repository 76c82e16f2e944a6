"""`othello-bot perft N`: leaves of the game tree with time and rate; the classic check of a move generator."""

from __future__ import annotations

import argparse
import sys
import time

from othello_bot.base.notation import argument_type, integer
from othello_bot.kernel import perft
from othello_bot.rules import Position

MAXIMUM_DEPTH = 60
"""Limit of the depth: deeper than any game tree that can be counted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("depth", type=integer(1, MAXIMUM_DEPTH), help="plies; a pass counts as one")
    parser.add_argument(
        "--position",
        type=argument_type(Position.parse),
        default=Position.start(),
        metavar="BOARD",
        help="64 cells and X or O",
    )
    parser.add_argument("--only", action="store_true", help="count only the last depth, not those before it")


def run(args: argparse.Namespace) -> int:
    """Count the leaves; print a line for each depth: depth, leaves, seconds, millions of leaves a second."""
    position: Position = args.position
    sys.stdout.write(f"{'depth':>5} {'leaves':>18} {'seconds':>9} {'Mleaves/s':>10}\n")
    for depth in [args.depth] if args.only else range(1, args.depth + 1):
        began = time.perf_counter()
        leaves = perft(position.mover, position.opponent, depth)
        seconds = time.perf_counter() - began
        sys.stdout.write(f"{depth:>5} {leaves:>18} {seconds:>9.4f} {leaves / max(seconds, 1e-9) / 1e6:>10.1f}\n")
        sys.stdout.flush()
    return 0
