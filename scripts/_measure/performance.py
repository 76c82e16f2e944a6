"""Measure the engine beside the yardstick, a plain C program: the ratios of docs/development/performance.md.

Run it on an idle machine: ``scripts/measure performance``. The yardstick and every measurement take turns,
--repetitions times (FFO #45 to #49, which take longer, --long-repetitions times); --whole adds FFO #40 to #59 on two
threads, once, and how a session plays, waits and what memory it takes, --long-repetitions times, beside --beside's
programs: minutes. --edax adds FFO #40 to #48 beside Edax, --long-repetitions times. It exits with 1 if a solution is
wrong and with 2 if the yardstick or the positions are missing or a program fails.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from _performance import measures, playing, won
from _performance.edax import solved_by_edax
from _performance.page import PageFigures, midgame_threads, page, searched_by_threads
from _performance.yardstick import PerformanceError, Yardstick
from _setup.enter import ROOT

from othello_bot.base.notation import argument_type, decimal, integer
from othello_bot.base.visible import visible

THREADS = (1, 2, 8, 32)
"""Threads of the midgame searches: people have 8 to 32 cores."""

PLIES = 22
"""Depth of the midgame searches in the positions of a file."""

PAGE = ROOT / "docs" / "development" / "performance.md"


def arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = ROOT.parent / "shared"
    parser.add_argument("--yardstick", type=Path, default=shared / "yardstick" / "yardstick.c", metavar="FILE.c")
    parser.add_argument("--data", type=Path, default=shared / "data", metavar="FOLDER", help="where ffo-40-59.obf is")
    parser.add_argument("--repetitions", type=integer(1), default=5, metavar="N", help="default 5")
    parser.add_argument(
        "--long-repetitions", type=integer(1), default=3, metavar="N", help="of FFO #45 to #49; default 3"
    )
    parser.add_argument("--whole", action="store_true", help="FFO #40 to #59 and sessions as well: takes minutes")
    parser.add_argument(
        "--beside",
        action="append",
        default=[],
        type=argument_type(playing.program),
        metavar="NAME=COMMAND",
        help="with --whole: another version of othello-bot",
    )
    parser.add_argument(
        "--edax",
        type=argument_type(playing.command_line),
        metavar="COMMAND",
        help="Edax with its options, such as its table's: it solves FFO #40 to #48 on one thread, in turn",
    )
    parser.add_argument("--hash", type=integer(1), default=256, metavar="MIB", help="transposition table; default 256")
    alone = parser.add_mutually_exclusive_group()
    alone.add_argument("--threads", action="store_true", help="only print how midgame searches use 1 to 32 threads")
    parser.add_argument("--positions", type=Path, metavar="FILE.obf", help="with --threads: what they search instead")
    parser.add_argument("--every", type=integer(1), metavar="N", help="every N-th of these positions; default 1")
    parser.add_argument("--plies", type=integer(1), metavar="N", help=f"depth of these searches; default {PLIES}")
    alone.add_argument(
        "--won",
        type=integer(1),
        metavar="N",
        help="only print what moves of decided games cost: N games a weak opponent",
    )
    parser.add_argument(
        "--clock", type=decimal(0), metavar="S", help="with --won: decided moves of both sides, with S seconds left"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE.md", help="the page; default docs/development/performance.md"
    )
    args = parser.parse_args()
    if args.positions is not None and not args.threads:
        parser.error("--positions needs --threads")
    if args.beside and not args.whole:
        parser.error("--beside needs --whole")
    for name in ("edax", "whole", "output"):
        if getattr(args, name) and (args.threads or args.won is not None):
            parser.error(f"--{name} writes the page: it is not for --threads or --won")
    if args.clock is not None and args.won is None:
        parser.error("--clock needs --won")
    for name in ("every", "plies"):
        if getattr(args, name) is not None and args.positions is None:
            parser.error(f"--{name} needs --threads --positions FILE.obf")
    return args


def measure(args: argparse.Namespace, yardstick: Yardstick) -> PageFigures:
    """Measure everything in turns."""
    file = args.data / "ffo-40-59.obf"
    small = measures.Suite.read(file, 40, 44)
    middle = measures.Suite.read(file, 45, 49)
    first_board = small.problems[0][1].position.to_string()
    midgames = list(measures.midgames())
    for_threads = measures.for_threads(args.data / "hard-25.obf")
    measured = PageFigures(yardstick.compiler_version())
    # What other programs take part in comes first, as they may fail.
    if args.edax:
        to_48 = measures.Suite.read(file, 40, 48)
        for turn in range(args.long_repetitions):
            _say(f"FFO #40 to #48 and Edax, turn {turn + 1} of {args.long_repetitions}")
            measured.edax.append(solved_by_edax(args.edax, to_48))
            measured.to_48.append(measures.solutions(to_48, 1, args.hash))
    if args.whole:
        hard = measures.problems_of(args.data / "hard-25.obf")
        measured.programs = [playing.this_program(), *args.beside]
        for turn in range(args.long_repetitions):
            for program in measured.programs:
                _say(f"sessions of {program.name}, turn {turn + 1} of {args.long_repetitions}")
                program.measure(hard)
    for turn in range(args.repetitions):
        _say(f"turn {turn + 1} of {args.repetitions}")
        measured.yardstick.append(yardstick.run(first_board))
        measured.perft.append(measures.perft_s())
        measured.small.append(measures.solutions(small, 1, args.hash))
        measured.signature, rates = measures.bench_rates()
        measured.rates.append(rates)
        measured.midgame_node.append(measures.midgame_node_s(midgames))
        measured.leaf.append(measures.leaf_s(midgames))
        measured.weights_read.append(measures.weights_read_s())
        measured.weights_load.append(measures.weights_load_s())
        measured.python_start.append(measures.python_start_s())
        measured.start_up.append(measures.start_up_s())
    for turn in range(args.long_repetitions):
        _say(f"FFO #45 to #49, one and two threads, turn {turn + 1} of {args.long_repetitions}")
        measured.yardstick.append(yardstick.run(first_board))
        measured.one_thread.append(measures.solutions(middle, 1, args.hash))
        measured.two_threads.append(measures.solutions(middle, 2, args.hash))
        for threads in THREADS:
            measured.midgame_threads.append(measures.threads_run(for_threads, threads))
        measured.apart_s.append(measures.apart_s(for_threads))
    if args.whole:
        _say("FFO #40 to #59, two threads")
        measured.yardstick.append(yardstick.run(first_board))
        measured.whole = measures.solutions(measures.Suite.read(file, 40, 59), 2, args.hash)
    return measured


def threads_section(args: argparse.Namespace) -> str:
    """Measure midgame searches by one and more threads and return the section about them; raise PerformanceError."""
    if args.positions is None:
        hard = args.data / "hard-25.obf"
        positions, searched = measures.for_threads(hard), searched_by_threads(hard.exists())
    else:
        plies = args.plies or PLIES
        positions = measures.every_of(args.positions, args.every or 1, plies)
        searched = f"{len(positions)} positions of {args.positions.name}, {plies} plies at 73 %"
    runs = [measures.threads_run(positions, threads) for _ in range(args.repetitions) for threads in THREADS]
    return midgame_threads(runs, searched)


def main() -> int:
    """Measure and write the page."""
    args = arguments()
    try:
        if args.won is not None:
            print(won.table(list(won.moves(args.won, args.clock))))
            return 0
        if args.threads:
            print(threads_section(args))
            return 0
        output = args.output or PAGE
        if not os.access(output if output.exists() else output.parent, os.W_OK) or output.is_dir():
            raise PerformanceError(f"--output {output}: expected a file in a folder that exists and can be written to")
        with tempfile.TemporaryDirectory(prefix="othello-bot-yardstick-") as directory:
            yardstick = Yardstick(args.yardstick, Path(directory))
            measured = measure(args, yardstick)
    except measures.WrongSolution as error:
        _say(f"{error}; nothing is written")
        return 1
    except PerformanceError as error:
        _say(str(error))
        return 2
    output.write_text(page(measured), encoding="utf-8")
    _say(f"written: {output}")
    return 0


def _say(text: str) -> None:
    shown = "\n".join(map(visible, text.splitlines()))
    print(f"scripts/measure performance: {shown}", file=sys.stderr, flush=True)
