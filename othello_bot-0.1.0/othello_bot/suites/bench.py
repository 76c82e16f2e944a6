"""`othello-bot bench`: search a fixed set of positions and print the node count, the program's signature.

One thread, an empty table for each position: the count is always the same, on every machine. A change that should not
change the search must not change the count; one that should states the new count in its commit ("Bench: N").
"""

from __future__ import annotations

import argparse
import sys
from typing import Final, NamedTuple

from othello_bot.base.notation import move_name
from othello_bot.base.output import guarded
from othello_bot.engine import Limits, Options, Search, SearchRequest, SearchResult, add_option_arguments, options_of
from othello_bot.rules import Game, Position

HASH_MIB: Final = 16

DEFAULTS: Final = Options(hash=HASH_MIB)

SIGNATURE: Final = 4887613
"""The count of this version, on every machine and with every build of the kernel."""

OPTION_NAMES: Final = ("hash", "threads", "evaluation", "evaluation_file")


class BenchGame(NamedTuple):
    """A position, given by the moves that lead to it, and the depth of its search; depth 60 solves it."""

    part: str
    transcript: str
    depth: int
    selectivity: int


POSITIONS: Final = (
    BenchGame("opening", "", 14, 73),
    BenchGame("opening", "f5d6c3d3c4f4f6", 14, 73),
    BenchGame("opening", "f5f6e6f4e3c5c4", 14, 73),
    BenchGame("opening", "f5d6c4d3c5f4e3f3c2f6", 14, 73),
    BenchGame("opening", "d3c5f6f5e6e3c3f3c4b4c6d2", 14, 73),
    BenchGame("midgame", "f5f6e6f4e3c5c4d6b5e2d7c7f3f2f7c8", 10, 100),
    BenchGame("midgame", "f5d6c3d3c4f4f6f3e6e7c6g5d2d7f8f7d8b6", 12, 73),
    BenchGame("midgame", "f5d6c4d3c5f4e3f3c2f6d7c6e6b5b4b6c7c3g5e7", 12, 95),
    BenchGame("midgame", "d3c5f6f5e6e3c3f3c4b4c6d2c2b3d1b6a6d6d7c7b5f4e7a5", 10, 100),
    BenchGame("midgame", "f5f6e6f4e3c5c4d6b5e2d7c7f3f2f7c8g5f8g4h5h3g3d2c6d3b6", 12, 73),
    BenchGame("midgame", "f5d6c3d3c4f4f6f3e6e7c6g5d2d7f8f7d8b6b5c5g4e3e2e1f1c8b8g1e8c7", 12, 73),
    BenchGame("midgame", "f5d6c4d3c5f4e3f3c2f6d7c6e6b5b4b6c7c3g5e7g6a3d8c8g4g3d2e2b3d1f1c1f2", 12, 73),
    BenchGame("endgame", "f5d6c3d3c4f4f6f3e6e7c6g5d2d7f8f7d8b6b5c5g4e3e2e1f1c8b8g1e8c7b4c2b3d1h5g6g3h6h7f2", 60, 100),
    BenchGame("endgame", "f5f6e6f4e3c5c4d6b5e2d7c7f3f2f7c8g5f8g4h5h3g3d2c6d3b6e1b3f1c3h4h2c2h6g6a6d8e8e7c1d1", 60, 100),
    BenchGame(
        "endgame", "f5d6c3d3c4f4f6f3e6e7c6g5d2d7f8f7d8b6b5c5g4e3e2e1f1c8b8g1e8c7b4c2b3d1h5g6g3h6h7f2a5h4", 60, 100
    ),
    BenchGame(
        "endgame", "f5d6c4d3c5f4e3f3c2f6d7c6e6b5b4b6c7c3g5e7g6a3d8c8g4g3d2e2b3d1f1c1f2a4h3e1b1b2a7a5a1a2a6", 60, 100
    ),
    BenchGame(
        "endgame", "d3c5f6f5e6e3c3f3c4b4c6d2c2b3d1b6a6d6d7c7b5f4e7a5a4d8a7f8e8f7e2a2b7c8g3c1g5g4h4g6h5e1f2h6", 60, 100
    ),
)
"""Positions from self-play, chosen so that each takes a few tenths of a second at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--quiet", action="store_true", help="print only the signature")
    add_option_arguments(parser, OPTION_NAMES, DEFAULTS)


@guarded("bench")
def run(args: argparse.Namespace) -> int:
    """Search all positions; print a line for each, the rates of each part of the game, and the signature last.

    With engine options the count is not the signature, and the last line says so.
    """
    options = options_of(args, DEFAULTS)
    search = Search(options.hash, options.threads)
    search.set_evaluation(options.evaluation, options.evaluation_file)
    nodes: dict[str, int] = {}
    seconds: dict[str, float] = {}
    if not args.quiet:
        sys.stdout.write(
            f"{'part':8} {'empties':>7} {'reached':>8} {'best':>4} {'score':>5} {'nodes':>11} {'seconds':>8}\n"
        )
    for entry in POSITIONS:
        position, result = _search(search, entry)
        nodes[entry.part] = nodes.get(entry.part, 0) + result.nodes
        seconds[entry.part] = seconds.get(entry.part, 0.0) + result.time_s
        if not args.quiet:
            sys.stdout.write(
                f"{entry.part:8} {position.empties:>7} {result.reached():>8} {move_name(result.move):>4}"
                f" {result.score:>+5d} {result.nodes:>11,} {result.time_s:>8.3f}\n"
            )
            sys.stdout.flush()
    if not args.quiet:
        for part, count in nodes.items():
            sys.stdout.write(f"{part}: {count / max(seconds[part], 1e-9) / 1e6:.1f} million nodes a second\n")
    last = "Bench" if options == DEFAULTS else "nodes, no signature with these options"
    sys.stdout.write(f"{last}: {sum(nodes.values())}\n")
    return 0


def signature() -> int:
    """Return the node count that `othello-bot bench` prints."""
    search = Search(HASH_MIB, threads=1)
    return sum(_search(search, entry)[1].nodes for entry in POSITIONS)


def _search(search: Search, entry: BenchGame) -> tuple[Position, SearchResult]:
    position = Game.from_transcript(entry.transcript).position if entry.transcript else Position.start()
    search.clear()
    limits = Limits(depth=entry.depth, selectivity=entry.selectivity)
    return position, search.answer(SearchRequest(position, limits))
