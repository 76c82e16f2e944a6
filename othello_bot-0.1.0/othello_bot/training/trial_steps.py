"""Commands that tell how good a function is: measuring, and the gate.

At the gate, a new function replaces the shipped one only if it wins a sequential test, in a match of the arena: both
sides have the same time a move, play every opening with both colours, and use their own ProbCut models. The games are
kept in the store's folder, so that an interrupted gate can continue.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from othello_bot.arena.config import MatchConfig, check_cores
from othello_bot.arena.match import Match, MatchDisplay, play
from othello_bot.arena.openings import load
from othello_bot.arena.settings import match_config
from othello_bot.arena.sprt import Sprt, SprtVerdict
from othello_bot.base.errors import UserError
from othello_bot.base.files import write_whole
from othello_bot.base.notation import decimal, integer
from othello_bot.evaluation import probcut, weights
from othello_bot.training.arguments import (
    common_options,
    open_store,
    say,
    weights_of_option,
    weights_option,
    weights_path,
)

if TYPE_CHECKING:
    from othello_bot.training.measuring import Bin, Measured


TEST: Final = Sprt(elo0=0.0, elo1=10.0)
"""Hypotheses of the test, "no better" and "better by this", in Elo of its model. The error rates are the defaults of
Sprt.
"""

_STORE: Final = "matches.db"


class Contender:
    """A player of the match: the hand-made function, or a weights file with the ProbCut model beside it.

    `files`: copies in their own folder, named after their content, so that writing another function to `path` during
    the match changes nothing. Without a model beside `path`, the shipped one is used. Raise WeightsError or
    ProbCutError for an invalid file, OSError if it cannot be read.
    """

    def __init__(self, path: Path | None, folder: Path) -> None:
        self.files: tuple[Path, ...] = ()
        if path is None:
            return
        model = probcut.serving(path)
        contents = path.read_bytes(), model.read_bytes()
        weights.split(contents[0], str(path))
        probcut.read_coefficients(model)
        name = hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in contents)).hexdigest()
        copy = (folder / f"{name[:16]}.weights").absolute()
        self.files = copy, probcut.beside(copy)
        for file, content in zip(self.files, contents, strict=True):
            if not file.exists() or file.read_bytes() != content:
                write_whole(file, content)

    def options(self) -> dict[str, str]:
        """Return the engine's options that select it."""
        return {"evaluation_file": str(self.files[0])} if self.files else {"evaluation": "handmade"}

    def install(self) -> None:
        """Replace the shipped function with it."""
        if self.files:
            install_function(self.files[0])


def install_function(path: Path) -> None:
    """Replace the shipped function with that of a weights file, packed, and its model with the one that serves it.

    Raise OSError if a file cannot be read or written, WeightsError or ProbCutError if one is damaged; then nothing has
    changed.
    """
    model = probcut.serving(path)
    probcut.read_coefficients(model)
    model_content, packed = model.read_bytes(), weights.pack(path.read_bytes())
    write_whole(probcut.DEFAULT_FILE, model_content)
    write_whole(weights.PACKED_FILE, packed)


def gate_match(
    new: Contender,
    old: Contender,
    test: Sprt,
    seconds: float,
    pairs: int,
    seed: int,
    processes: int | None,
    cluster: str,
) -> MatchConfig:
    """Return the match of a gate; `seconds` a move, at most `pairs` pairs of games.

    `processes`: concurrent games; default: one a core of this machine. Raise ConfigError for invalid values.
    """

    def player(name: str, function: Contender) -> dict[str, Any]:
        return {"player": "engine", "name": name, "option": function.options()}

    settings = {
        "engine": [player("new", new), player("old", old)],
        "each": {"st": seconds},
        "rounds": pairs,
        "seed": seed,
        "sprt": {"elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta, "model": test.model},
        "event": "gate",
        "concurrency": processes or (1 if cluster else os.cpu_count() or 1),
        "cluster": cluster,
    }
    config = match_config(settings)
    check_cores(config, forced=False)
    return config


def play_gate(config: MatchConfig, functions: Sequence[Contender], folder: Path, display: MatchDisplay) -> Match:
    """Play the rest of a gate's match, kept in the folder; return the match with its verdict."""
    files = [file for function in functions for file in function.files]
    return play(config, load(config.openings, config.seed), folder / _STORE, display, files)


def declare_gate(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of gate()."""
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

    folder = open_store(options).folder / "gate"
    new, old = (Contender(weights_path(name), folder) for name in (options.new, options.against))
    test = replace(TEST, elo0=options.elo0, elo1=options.elo1)
    config = gate_match(
        new, old, test, options.seconds, options.pairs, options.seed, options.processes, options.cluster or ""
    )
    say(f"bounds: {test.elo0:g} against {test.elo1:g} Elo ({test.model}), rates {test.alpha:g}, {test.beta:g}")
    match = play_gate(config, (new, old), folder, display_of("gate", "auto", 20))
    won = match.verdict is SprtVerdict.H1
    if won and options.install:
        new.install()
    return 0 if won else 1


def declare_install(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of install()."""
    parser.add_argument("new", type=Path, help="a weights file")


def install(options: argparse.Namespace) -> int:
    """Replace the shipped function with that of a weights file, and its ProbCut model with the one beside the file."""
    install_function(options.new)
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


def _scored(path: Path) -> Measured:
    """Return the positions of a file that have an exact score; raise UserError if none has."""
    from othello_bot.training import measuring

    measured = measuring.read(path)
    if not measured.scores:
        raise UserError(f"{path}: no position with an exact score")
    return measured


def evaluate(options: argparse.Namespace) -> int:
    """Measure an evaluation on positions with known exact scores."""
    if options.moves:
        return _moves(options)
    if options.reported:
        return _reported(options)
    from othello_bot.evaluation import weights
    from othello_bot.training.measuring import Errors, measure

    data = weights_of_option(options.weights)
    function = None if data is None else weights.from_bytes(data)
    for path in options.files:
        errors = measure(function, _scored(path))
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
        if not judged:
            raise UserError(f"{path}: no position whose moves have scores")
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
    from othello_bot.training.measuring import LEAST_POSITIONS, bins, mean
    from othello_bot.training.scale import JUDGED, pairs

    data = weights_of_option(options.weights)
    any_off = False
    with Workers(options.processes) as workers:
        for path in options.files:
            measured = _scored(path)
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
