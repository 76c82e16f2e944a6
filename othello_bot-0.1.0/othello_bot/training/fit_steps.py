"""Commands that fit: the tables, the factors, the ProbCut model, the scale, the order of moves."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from pathlib import Path

from othello_bot.base.errors import InputError
from othello_bot.base.notation import decimal, integer
from othello_bot.training.arguments import (
    check_output,
    common_options,
    folder_option,
    measuring_keys,
    open_all,
    open_store,
    output_option,
    say,
    seed_option,
    weights_of_option,
    weights_option,
)


def _fit_options(parser: argparse.ArgumentParser) -> None:
    output_option(parser, "the weights file to write; the report is written beside it")
    parser.add_argument(
        "--earliest", type=integer(0), default=2, help="skip labels of earlier rounds (default: %(default)s)"
    )


def declare_fit(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of fit()."""
    common_options(parser)
    weights_option(parser)
    parser.add_argument("--stages", help="FIRST-LAST (default: all with positions)")
    _fit_options(parser)


def fit(options: argparse.Namespace) -> int:
    """Fit the tables to the labelled positions, and report the errors."""
    from othello_bot.base.files import write_whole
    from othello_bot.evaluation import weights
    from othello_bot.training import labels, report, rounds
    from othello_bot.training.fit import FitOptions
    from othello_bot.training.progress import Unfinished

    check_output(options, options.output)
    first, last = map(int, options.stages.split("-")) if options.stages else (0, rounds.STAGES - 1)
    data = weights_of_option(options.weights)
    function = rounds.Function() if data is None else rounds.Function.from_bytes(data)
    if data is not None and weights.split(data).factors:
        say(
            "the factors of the file are dropped, because they belong to its tables; "
            "fit new ones with othello-bot train fit-factors"
        )
    store, workers = open_all(options)
    factors = labels.calibrated(store.folder)
    excluded = measuring_keys(store)
    by_empties = rounds.collect(store, range(first, last + 1), excluded, options.earliest)
    stages = [stage for stage in range(first, last + 1) if rounds.has_positions(by_empties, stage)]
    if not stages:
        wanted = f"labels of round {options.earliest} or later for the stages {first} to {last}"
        raise InputError("--folder", str(store.folder), wanted)
    unfinished = Unfinished.of(options.output, say)
    with workers:
        fitted = rounds.fit_stages(workers, by_empties, function, stages, FitOptions(), factors, unfinished)
    write_whole(options.output, function.to_bytes())
    report.write(fitted, options.output.parent, options.output.stem)
    unfinished.remove()
    say(f"labels of searches stretched by {factors or 1}")
    say(f"{sum(map(len, by_empties.values()))} distinct positions; {options.output}")
    for use in report.uses(fitted):
        say(str(use))
    return 0


def _factor_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the fit of the factors; None stands for the default of factor_learner.Options."""
    parser.add_argument("--lowest", type=integer(0), help="fewest empties of a position (default: the factors' fewest)")
    parser.add_argument("--highest", type=integer(0), help="most empties of a position (default: the factors' most)")
    parser.add_argument(
        "--continue", action="store_true", dest="goes_on", help="start from the factors of the weights file"
    )
    parser.add_argument("--epochs", type=integer(0), help="passes over the positions; 0: fit only the scale")
    parser.add_argument("--batch", type=integer(0))
    parser.add_argument("--row-rate", type=decimal(0), help="learning rate of the rows of each phase")
    parser.add_argument("--shared-row-rate", type=decimal(0), help="learning rate of what the rows of all phases share")
    parser.add_argument("--table-rate", type=decimal(0), help="learning rate of each stage's tables; 0: fixed")
    parser.add_argument(
        "--shared-table-rate", type=decimal(0), help="learning rate of what the tables of all stages share"
    )
    parser.add_argument("--scale-rate", type=decimal(0), help="learning rate of the slopes of the scale; 0: fixed")
    parser.add_argument("--delta", type=decimal(0))
    parser.add_argument("--close", type=decimal(0), help="extra weight of a position with a close label, at 20 empties")
    parser.add_argument("--scale-close", type=decimal(0), help="the same for the scale, which is fitted last")


def declare_fit_factors(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of fit_factors()."""
    folder_option(parser)
    seed_option(parser)
    weights_option(parser)
    _fit_options(parser)
    _factor_options(parser)


def fit_factors(options: argparse.Namespace) -> int:
    """Fit the pairwise factors to the residuals of a function's tables, and report the errors."""
    from othello_bot.evaluation import weights
    from othello_bot.training import factor_fit, factors, labels
    from othello_bot.training.factor_learner import Options

    lowest = factors.EMPTIES[0] if options.lowest is None else options.lowest
    highest = factors.EMPTIES[-1] if options.highest is None else options.highest
    if not 0 <= lowest <= highest <= 60:
        raise InputError("--lowest, --highest", f"{lowest}, {highest}", "0 <= lowest <= highest <= 60")

    check_output(options, options.output)
    given = {field.name: getattr(options, field.name) for field in fields(Options)}
    chosen = Options(**{name: value for name, value in given.items() if value is not None})
    data = weights_of_option(options.weights)
    if data is None:
        raise InputError("--weights", options.weights, "a weights file with tables")
    tables = factor_fit.tables_of(data, options.weights)
    start = factor_fit.factors_of(weights.split(data), options.weights) if options.goes_on else None
    store = open_store(options)
    stretch = labels.calibrated(store.folder)
    excluded = measuring_keys(store)
    numbers = range(lowest, highest + 1)
    trained, held = factors.collect(store, tables, numbers, excluded, options.earliest, stretch)
    say(f"labels of searches stretched by {stretch or 1}")
    say(f"{len(trained)} distinct positions, {len(held)} held out")

    def say_errors(name: str, errors: factors.FactorErrors) -> None:
        say(f"{name}: held-out error {errors.all:.3f}, close {errors.close:.3f}, weighted {errors.weighted:.3f}")

    fitted = factor_fit.fit_factors(
        tables,
        trained,
        held,
        chosen,
        options.output,
        lambda epoch, error, errors: say_errors(f"epoch {epoch}: {error:.3f}", errors),
        say,
        start,
    )
    say_errors(f"in the kernel's integers ({fitted.clipped:.4%} clipped)", fitted.quantised)
    say(str(options.output))
    return 0


def declare_fit_probcut(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of fit_probcut()."""
    common_options(parser)
    weights_option(parser)
    parser.add_argument("--name", default="*", help="collection of the positions to search (default: all)")
    parser.add_argument(
        "--scale", type=decimal(0), default=4.0, help="factor of the usual number of positions (default: %(default)s)"
    )
    output_option(parser, "the file to write (default: beside the weights FILE)", required=False)


def fit_probcut(options: argparse.Namespace) -> int:
    """Measure the difference between shallow and deep searches, and write the ProbCut model."""
    from othello_bot.base.files import write_whole
    from othello_bot.evaluation import probcut
    from othello_bot.training import probcut_statistics
    from othello_bot.training.progress import Unfinished

    if options.output is None and options.weights in ("shipped", "handmade"):
        raise InputError("--output", "none", f"a file for the model of the {options.weights} evaluation")
    output = options.output or probcut.beside(Path(options.weights))
    check_output(options, output)
    data = weights_of_option(options.weights)
    store, workers = open_all(options)
    unfinished = Unfinished.of(output, say)
    with workers:
        content = probcut_statistics.make(store, workers, data, options.name, options.scale, options.seed, unfinished)
    write_whole(output, (json.dumps(content, indent=1) + "\n").encode())
    unfinished.remove()
    say(f"{content['pairs']} pairs, error of ln sigma {content['ln_sigma_rms_error']}; {output}")
    return 0


def declare_fit_scale(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of fit_scale()."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.obf", help="solved positions")
    weights_option(parser)
    parser.add_argument("--processes", type=integer(0), help="local processes (default: one a core)")
    output_option(parser, "the weights file to write")


def fit_scale(options: argparse.Namespace) -> int:
    """Fit the output scale to exact scores, so that those of searches are right on average, and write the function."""
    from othello_bot.base.files import write_whole
    from othello_bot.cluster import Workers
    from othello_bot.training import measuring, scale

    check_output(options, options.output, continues=True)
    data = weights_of_option(options.weights)
    if data is None:
        raise InputError("--weights", options.weights, "a weights file with factors")
    plain = scale.with_scale(data, scale.scale_of({}))
    solved = [measuring.read(path) for path in options.files]
    with Workers(options.processes) as workers:
        searches, static = (
            scale.corrections(
                [
                    score
                    for way in ways
                    for positions in solved
                    for score in scale.measured(workers, plain, way, positions)
                ]
            )
            for ways in (scale.WAYS, (scale.STATIC,))
        )
    for what, found in (("searches", searches), ("static", static)):
        for empties, one in found.items():
            sizes = ", ".join(f"{size:+.2f} ± {error:.2f}" for size, error in zip(one.discs, one.errors, strict=True))
            say(f"{what}, {empties:2d} empties: {sizes} discs, {one.scores} scores")
    found_scale = scale.scale_of(scale.joined(searches, static))
    write_whole(options.output, scale.with_scale(data, found_scale))
    say(str(options.output))
    return 0


def declare_fit_move_order(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of fit_move_order()."""
    seed_option(parser)
    weights_option(parser)
    parser.add_argument("--games", type=integer(100), default=60_000, help="games to play (default: %(default)s)")
    output_option(parser, "the file to write")


def fit_move_order(options: argparse.Namespace) -> int:
    """Fit the small function that orders moves in the endgame to the differences of static values."""
    import zlib

    from othello_bot.base.files import write_whole
    from othello_bot.evaluation import weights
    from othello_bot.training import fit as fits

    check_output(options, options.output)
    data = weights_of_option(options.weights)
    if data is None:
        raise InputError("--weights", options.weights, "a weights file")
    moves = fits.play_nodes(weights.from_bytes(data, options.weights), options.games, options.seed)
    numbers, explained = fits.fit_move_order(moves)
    write_whole(options.output, zlib.compress(numbers.tobytes(), 9))
    say(
        f"{len(moves.nodes)} positions; {explained:.1%} of the differences explained on held-out games; {options.output}"
    )
    return 0
