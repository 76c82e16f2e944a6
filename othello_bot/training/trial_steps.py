"""Commands that tell how good a function is: the gate, and measuring."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from othello_bot.base.notation import decimal, integer
from othello_bot.training.arguments import (
    common_options,
    open_store,
    say,
    weights_of_option,
    weights_option,
    weights_path,
)

if TYPE_CHECKING:
    from othello_bot.training.measuring import Bin


def declare_gate(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of gate()."""
    from othello_bot.training.gate import TEST

    common_options(parser)
    parser.add_argument("new", help='a weights file, "shipped" or "handmade"')
    parser.add_argument("--against", default="shipped", help='the function to beat (default: "%(default)s")')
    parser.add_argument("--seconds", type=decimal(0), default=0.02, help="seconds a move (default: %(default)s)")
    parser.add_argument("--pairs", type=integer(0), default=4000, help="most pairs of games (default: %(default)s)")
    for name in ("elo0", "elo1"):
        default = getattr(TEST, name)
        parser.add_argument(
            f"--{name}",
            type=decimal(0),
            default=default,
            help=f"upper bound of the test, normalised Elo (default: {default:g})",
        )
    parser.add_argument(
        "--install", action="store_true", help="replace the shipped function with the new one if it wins"
    )


def gate(options: argparse.Namespace) -> int:
    """Let a new function play the shipped one at equal time; succeed only if it wins the sequential test.

    Run it again to continue. The ProbCut model beside a weights file, where fit-probcut writes it, belongs to it.
    """
    from othello_bot.arena.display import display_of
    from othello_bot.arena.sprt import SprtVerdict
    from othello_bot.training import gate as step

    folder = open_store(options).folder / "gate"
    new, old = (step.Contender(weights_path(name), folder) for name in (options.new, options.against))
    test = replace(step.TEST, elo0=options.elo0, elo1=options.elo1)
    config = step.configuration(
        new, old, test, options.seconds, options.pairs, options.seed, options.processes, options.cluster or ""
    )
    say(f"bounds: {test.elo0:g} against {test.elo1:g} Elo ({test.model}), rates {test.alpha:g}, {test.beta:g}")
    match = step.run(config, (new, old), folder, display_of("gate", "auto", 20))
    won = match.verdict is SprtVerdict.H1
    if won and options.install:
        new.install()
    return 0 if won else 1


def declare_install(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of install()."""
    parser.add_argument("new", type=Path, help="a weights file")


def install(options: argparse.Namespace) -> int:
    """Replace the shipped function with that of a weights file, and its ProbCut model with the one beside the file."""
    from othello_bot.training import gate as step

    step.install(options.new)
    return 0


def declare_evaluate(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of evaluate()."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.obf")
    weights_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line for each file")
    parser.add_argument(
        "--moves", action="store_true", help="judge moves and scores of searches; every move of FILE.obf has its score"
    )
    parser.add_argument(
        "--reported", action="store_true", help="compare reported with exact scores, in bins of the reported ones"
    )
    parser.add_argument("--processes", type=integer(0), help="with --reported: local processes (default: one a core)")
    parser.add_argument("--depth", type=integer(0), default=15, metavar="N", help="with --moves: plies (%(default)s)")
    parser.add_argument(
        "--selectivity", type=integer(0), default=73, metavar="PERCENT", help="with --moves (%(default)s)"
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--seconds", type=decimal(0), metavar="S", help="with --moves: time a position instead of a depth"
    )
    limit.add_argument(
        "--nodes", type=integer(0), metavar="N", help="with --moves: nodes a position instead of a depth"
    )


def evaluate(options: argparse.Namespace) -> int:
    """Measure an evaluation on positions with known exact scores."""
    if options.moves:
        return _moves(options)
    if options.reported:
        return _reported(options)
    from othello_bot.evaluation import weights
    from othello_bot.training import measuring
    from othello_bot.training.measuring import Errors, measure

    data = weights_of_option(options.weights)
    function = None if data is None else weights.from_bytes(data)
    for path in options.files:
        errors = measure(function, measuring.read(path))
        if options.json:
            # A mean over nothing (no close position) becomes null: JSON has no "not a number".
            known = {name: None if value != value else round(value, 4) for name, value in asdict(errors).items()}
            say(json.dumps({"file": str(path), "weights": options.weights, **known}))
            continue
        say(f"{path}: {errors.positions} positions")
        for name in (
            field.name for field in fields(Errors) if not field.name.endswith("_error") and field.name != "positions"
        ):
            say(f"  {name:17s} {getattr(errors, name):6.3f} ± {getattr(errors, name + '_error'):.3f}")
    return 0


def _moves(options: argparse.Namespace) -> int:
    from othello_bot.engine import Limits, Search
    from othello_bot.formats.reading import problems_of_file
    from othello_bot.training.measuring import bins, judge, mean

    limits = Limits(depth=options.depth, selectivity=options.selectivity)
    if options.seconds is not None:
        limits = Limits(move_time_s=options.seconds)
    if options.nodes is not None:
        limits = Limits(nodes=options.nodes)
    search = Search(64)
    if options.weights != "shipped":
        handmade = options.weights == "handmade"
        search.set_evaluation("handmade" if handmade else "learned", "" if handmade else options.weights)
    for path in options.files:
        judged = judge(search, problems_of_file(path), limits)
        figures = {
            "best_move_percent": [100.0 * (one.loss == 0) for one in judged],
            "best_two_percent": [100.0 * one.among_two for one in judged],
            "loss_discs": [float(one.loss) for one in judged],
            "score_error_discs": [float(abs(one.exact - one.reported)) for one in judged],
        }
        nodes, seconds = sum(one.nodes for one in judged), sum(one.time_s for one in judged)
        pairs = [(one.reported, one.exact) for one in judged]
        if options.json:
            known = {name: round(mean(values)[0], 4) for name, values in figures.items()}
            found = [asdict(one) for one in bins(pairs) if one.positions > 1]
            say(json.dumps({"file": str(path), **known, "nodes": nodes, "time_s": seconds, "bins": found}))
            continue
        say(f"{path}: {len(judged)} positions, {nodes:,} nodes, {seconds:.1f} s")
        for name, values in figures.items():
            average, error = mean(values)
            say(f"  {name:17s} {average:6.2f} ± {error:.2f}")
        say("  reported score: positions, exact minus reported")
        for one in bins(pairs):
            say(_line(one))
    return 0


def _line(one: Bin) -> str:
    """Return a bin as a line of a table."""
    span = f"{one.low:+d} to {one.high:+d}"
    return f"    {span:12s} {one.positions:5d}  {one.exact_minus_reported:+6.2f} ± {one.standard_error:.2f}"


def _reported(options: argparse.Namespace) -> int:
    """Print the bins of every file and way; fail if a bin is off."""
    from othello_bot.cluster import Workers
    from othello_bot.training import measuring
    from othello_bot.training.measuring import LEAST_POSITIONS, bins, mean
    from othello_bot.training.scale import JUDGED, pairs

    data = weights_of_option(options.weights)
    any_off = False
    with Workers(options.processes) as workers:
        for path in options.files:
            measured = measuring.read(path)
            for way in JUDGED:
                found = pairs(workers, data, way, measured)
                by_bin = bins(found, LEAST_POSITIONS)
                off = [one.low for one in by_bin if one.is_off]
                any_off = any_off or bool(off)
                bias = mean([exact - reported for reported, exact in found])
                error = mean([abs(exact - reported) for reported, exact in found])
                if options.json:
                    known = {"bias": bias, "error": error, "off": off, "bins": [asdict(one) for one in by_bin]}
                    say(json.dumps({"file": str(path), "way": way.name, "positions": len(found), **known}))
                    continue
                say(f"{path}, {way.name}: {len(found)} positions")
                say(f"  exact minus reported {bias[0]:+.2f} ± {bias[1]:.2f}, absolute {error[0]:.2f} ± {error[1]:.2f}")
                for one in by_bin:
                    say(_line(one) + ("  off" if one.is_off else "" if one.is_judged else "  (few)"))
    return 1 if any_off else 0
