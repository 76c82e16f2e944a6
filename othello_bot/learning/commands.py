"""The commands of the pipeline: one function for each of its scripts, which only hand over to them."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello_bot.errors import InputError

if TYPE_CHECKING:
    from othello_bot.learning.labels import Band
    from othello_bot.learning.store import Store
    from othello_bot.learning.workers import Workers

_ROOT: Final = Path(__file__).resolve().parents[2]

# What only some commands need is imported by them: scripts/evaluate runs without the [train] extra.


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _folder_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", type=Path, help="where positions and functions lie (default: in the user's cache folder)"
    )


def _seed_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=4, help="of everything random (default: %(default)s)")


def _common(parser: argparse.ArgumentParser) -> None:
    _folder_option(parser)
    parser.add_argument("--processes", type=int, help="local processes (default: one for each core)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="run the tasks on the Dask scheduler there instead")
    _seed_option(parser)


def _weights_option(parser: argparse.ArgumentParser, default: str = "shipped") -> None:
    parser.add_argument(
        "--weights",
        default=default,
        metavar="FILE",
        help='a weights file, "shipped" or "handmade" (default: %(default)s)',
    )


def _weights(name: str) -> bytes | None:
    """Return the content of a weights file, checked; None for the hand-made evaluation."""
    from othello_bot import weights

    if name == "handmade":
        return None
    path = weights.DEFAULT_FILE if name == "shipped" else Path(name)
    data = path.read_bytes()
    weights.split(data, str(path))
    return data


def _open_store(options: argparse.Namespace) -> Store:
    """Return the store; note the process in its folder, for whoever wants to pause it."""
    from othello_bot.learning.store import Store, default_folder
    from othello_bot.whole_file import write_whole

    folder = options.folder or default_folder()
    write_whole(folder / "learning.pid", f"{os.getpid()}\n".encode())
    return Store(folder)


def _open(options: argparse.Namespace) -> tuple[Store, Workers]:
    """Return the store and the workers."""
    from othello_bot.learning.workers import Workers

    return _open_store(options), Workers(options.processes, options.cluster)


def _bands(texts: Sequence[str], again: bool) -> tuple[Band, ...]:
    from othello_bot.learning.labels import FULL_WIDTH, Band
    from othello_bot.learning.store import EXACT

    bands = []
    for text in texts:
        try:
            span, *rest = text.split(":")
            lowest, highest = (int(number) for number in span.split("-"))
            depth = EXACT if rest[0] == "exact" else int(rest[0])
            selectivity = int(rest[1]) if len(rest) > 1 else FULL_WIDTH
            share = int(rest[2]) if len(rest) > 2 else 1
            if share < 1 or len(rest) > 3:
                raise ValueError(text)
            bands.append(Band(lowest, highest, depth, selectivity, again, share))
        except (ValueError, IndexError, TypeError) as error:
            raise InputError(
                "band",
                text,
                "LOWEST-HIGHEST:DEPTH[:SELECTIVITY[:SHARE]], DEPTH a number of plies or exact, SHARE 3 for every third",
            ) from error
    return tuple(bands)


def make_positions(arguments: Sequence[str]) -> int:
    """Play games against itself and keep their positions, without labels."""
    parser = argparse.ArgumentParser("make-positions", description=make_positions.__doc__)
    _common(parser)
    _weights_option(parser)
    parser.add_argument("--name", required=True, help="of the collection")
    parser.add_argument("--shards", type=int, default=10)
    parser.add_argument("--games", type=int, default=2000, help="of a shard (default: %(default)s)")
    parser.add_argument(
        "--openings",
        choices=("start", "lines", "book"),
        default="start",
        help="begin at the start, with all lines of seven plies or with the book's lines (default: %(default)s)",
    )
    parser.add_argument(
        "--fewest-random", type=int, default=4, help="random moves then at least (default: %(default)s)"
    )
    parser.add_argument("--most-random", type=int, default=18, help="and at most (default: %(default)s)")
    options = parser.parse_args(arguments)
    if not 0 <= options.fewest_random <= options.most_random:
        raise InputError("--fewest-random", str(options.fewest_random), f"0 to {options.most_random} (--most-random)")
    from othello_bot.learning import steps
    from othello_bot.learning.games import Play

    play = Play(
        games=options.games,
        openings=options.openings,
        fewest_random=options.fewest_random,
        most_random=options.most_random,
    )
    data = _weights(options.weights)
    store, workers = _open(options)
    with workers:
        made = steps.make_positions(store, workers, options.name, range(options.shards), play, data, options.seed)
    _say(f"{made} shards made, {options.shards - made} were there; {store.folder}")
    return 0


def label(arguments: Sequence[str]) -> int:
    """Give positions their scores: exact ones, or those of searches."""
    parser = argparse.ArgumentParser("label", description=label.__doc__)
    _common(parser)
    _weights_option(parser)
    parser.add_argument("--name", default="*", help="of the collection (default: all)")
    parser.add_argument(
        "--round", type=int, default=1, help="a number: labels of later rounds count more (default: %(default)s)"
    )
    parser.add_argument("--again", action="store_true", help="also positions that searches of earlier rounds labelled")
    parser.add_argument(
        "bands",
        nargs="+",
        metavar="BAND",
        help="LOWEST-HIGHEST:DEPTH[:SELECTIVITY[:SHARE]], as 0-12:exact or 25-36:5:0:3",
    )
    options = parser.parse_args(arguments)
    from othello_bot.learning import steps

    bands = _bands(options.bands, options.again)
    data = _weights(options.weights)
    store, workers = _open(options)
    with workers:
        done = steps.label(store, workers, store.shards(options.name), bands, data, options.round)
    _say(f"{done} positions labelled; {store.folder}")
    return 0


def fit(arguments: Sequence[str]) -> int:
    """Fit the function to the labelled positions, and report how well."""
    parser = argparse.ArgumentParser("fit", description=fit.__doc__)
    _common(parser)
    _weights_option(parser)
    parser.add_argument("--stages", help="FIRST-LAST (default: all that have positions)")
    parser.add_argument(
        "--output", type=Path, required=True, help="the weights file to write; the report goes beside it"
    )
    parser.add_argument(
        "--earliest", type=int, default=2, help="leave out labels of earlier rounds (default: %(default)s)"
    )
    parser.add_argument("--ridge", type=float)
    parser.add_argument("--delta", type=float)
    parser.add_argument("--spread", type=float)
    parser.add_argument("--early-spread", type=float)
    options = parser.parse_args(arguments)
    from othello_bot import weights
    from othello_bot.learning import calibration, exclusion, measuring, report, rounds
    from othello_bot.learning.fit import Options
    from othello_bot.learning.unfinished import Unfinished
    from othello_bot.whole_file import write_whole

    names = ("ridge", "delta", "spread", "early_spread")
    chosen = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    first, last = map(int, options.stages.split("-")) if options.stages else (0, rounds.STAGES - 1)
    data = _weights(options.weights)
    function = rounds.Function() if data is None else rounds.Function.from_bytes(data)
    if data is not None and weights.split(data).factors:
        _say("the file's factors are left out: they belong to its tables; scripts/fit-factors fits new ones")
    store, workers = _open(options)
    factors = calibration.read(store.folder)
    excluded = exclusion.excluded_keys(measuring.default_files(_ROOT))
    by_empties = rounds.collect(store, range(first, last + 1), excluded, options.earliest)
    stages = [stage for stage in range(first, last + 1) if rounds.has_positions(by_empties, stage)]
    unfinished = Unfinished.of(options.output, _say)
    with workers:
        fitted = rounds.fit_stages(workers, by_empties, function, stages, Options(**chosen), factors, unfinished)
    write_whole(options.output, function.to_bytes())
    report.write(fitted, options.output.parent, options.output.stem)
    unfinished.remove()
    _say(f"labels of searches stretched by {factors or 1}")
    _say(f"{sum(map(len, by_empties.values()))} distinct positions; {options.output}")
    for use in report.uses(fitted):
        _say(str(use))
    return 0


def fit_factors(arguments: Sequence[str]) -> int:
    """Fit what pairs of patterns mean together to what a function's tables leave over, and report how well."""
    from othello_bot.learning import factor_samples

    parser = argparse.ArgumentParser("fit-factors", description=fit_factors.__doc__)
    _folder_option(parser)
    _seed_option(parser)
    _weights_option(parser)
    parser.add_argument(
        "--output", type=Path, required=True, help="the weights file to write; the report goes beside it"
    )
    parser.add_argument(
        "--lowest", type=int, default=factor_samples.EMPTIES.start, help="number of empties (default: %(default)s)"
    )
    parser.add_argument(
        "--highest", type=int, default=factor_samples.EMPTIES[-1], help="number of empties (default: %(default)s)"
    )
    parser.add_argument(
        "--earliest", type=int, default=2, help="leave out labels of earlier rounds (default: %(default)s)"
    )
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--row-rate", type=float, help="how far the rows of each phase move for themselves")
    parser.add_argument("--shared-row-rate", type=float, help="how far the rows of all phases move together")
    parser.add_argument("--table-rate", type=float, help="how far each stage's tables move along; 0: not at all")
    parser.add_argument("--shared-table-rate", type=float, help="how far the tables of all stages move together")
    parser.add_argument("--scale-rate", type=float, help="how far the slopes of the scale move; 0: not at all")
    parser.add_argument("--delta", type=float)
    parser.add_argument(
        "--close", type=float, help="times more that a position with a close label counts, with 20 empties"
    )
    parser.add_argument("--scale-close", type=float, help="the same for the scale, which is set when all is learned")
    parser.add_argument("--ridge", type=float)
    options = parser.parse_args(arguments)
    if not 0 <= options.lowest <= options.highest <= 60:
        raise InputError("--lowest, --highest", f"{options.lowest}, {options.highest}", "0 <= lowest <= highest <= 60")
    from othello_bot.learning import calibration, exclusion, factor_fit, factor_step, measuring
    from othello_bot.learning.factor_learner import Options

    given = {field.name: getattr(options, field.name) for field in fields(Options)}
    chosen = Options(**{name: value for name, value in given.items() if value is not None})
    data = _weights(options.weights)
    if data is None:
        raise InputError("--weights", options.weights, "a function with tables")
    tables = factor_step.tables_of(data, options.weights)
    store = _open_store(options)
    stretch = calibration.read(store.folder)
    excluded = exclusion.excluded_keys(measuring.default_files(_ROOT))
    numbers = range(options.lowest, options.highest + 1)
    trained, held = factor_samples.collect(store, tables, numbers, excluded, options.earliest, stretch)
    _say(f"labels of searches stretched by {stretch or 1}")
    _say(f"{len(trained)} distinct positions, {len(held)} held out")

    def say_errors(name: str, errors: factor_fit.Errors) -> None:
        _say(f"{name}: held-out error {errors.all:.3f}, close {errors.close:.3f}, weighted {errors.weighted:.3f}")

    fitted = factor_step.fit_factors(
        tables,
        trained,
        held,
        chosen,
        options.output,
        lambda epoch, error, errors: say_errors(f"epoch {epoch}: {error:.3f}", errors),
        _say,
    )
    say_errors(f"in the kernel's integers ({fitted.clipped:.4%} clipped)", fitted.quantised)
    _say(str(options.output))
    return 0


def calibrate(arguments: Sequence[str]) -> int:
    """Solve a sample of positions, to learn by how much the labels of searches are too small; fits stretch them."""
    parser = argparse.ArgumentParser("calibrate", description=calibrate.__doc__)
    _common(parser)
    _weights_option(parser)
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual number of positions (default: 1)")
    parser.add_argument("--round", type=int, required=True, help="whose labels; every round leaned on another function")
    options = parser.parse_args(arguments)
    from othello_bot.learning import calibration

    data = _weights(options.weights)
    store, workers = _open(options)
    with workers:
        factors = calibration.measure(store, workers, data, options.seed, options.round, options.scale)
    _say(f"labels of searches have to be multiplied by {factors} (by number of empties)")
    return 0


def fit_probcut(arguments: Sequence[str]) -> int:
    """Measure how far shallow searches are from deep ones, and write the ProbCut model."""
    parser = argparse.ArgumentParser("fit-probcut", description=fit_probcut.__doc__)
    _common(parser)
    _weights_option(parser)
    parser.add_argument("--name", default="*", help="collection whose positions are searched (default: all)")
    parser.add_argument(
        "--scale", type=float, default=4.0, help="times the usual number of positions (default: %(default)s)"
    )
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    from othello_bot.learning import probcut_statistics
    from othello_bot.whole_file import write_whole

    data = _weights(options.weights)
    store, workers = _open(options)
    with workers:
        content = probcut_statistics.make(store, workers, data, options.name, options.scale, options.seed)
    write_whole(options.output, (json.dumps(content, indent=1) + "\n").encode())
    _say(f"{content['pairs']} pairs, error of ln sigma {content['ln_sigma_rms_error']}; {options.output}")
    return 0


def gate(arguments: Sequence[str]) -> int:
    """Let a new weights file play the shipped one at equal time; success only where it wins the sequential test."""
    parser = argparse.ArgumentParser("gate", description=gate.__doc__)
    _common(parser)
    parser.add_argument("new", help='the new weights file ("handmade", "shipped")')
    parser.add_argument("--against", default="shipped", help='the old one (default: "%(default)s")')
    parser.add_argument("--seconds", type=float, default=0.02, help="for every move (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=2000, help="at most (default: %(default)s)")
    parser.add_argument(
        "--install", action="store_true", help="put the new file in the place of the shipped one if it wins"
    )
    options = parser.parse_args(arguments)
    from othello_bot import weights
    from othello_bot.arena.sprt import Verdict
    from othello_bot.learning import gate as match
    from othello_bot.whole_file import write_whole

    new, old = _weights(options.new), _weights(options.against)
    _, workers = _open(options)
    test = match.TEST
    _say(f"bounds: {test.elo0:g} against {test.elo1:g} Elo ({test.model}), rates {test.alpha:g}, {test.beta:g}")
    outcome = None
    with workers:
        for outcome in match.run(workers, new, old, options.seconds, options.pairs, options.seed):
            if sum(outcome.counts) % 20 == 0:
                _say(f"{outcome.counts} ratio {outcome.ratio:.2f} mean {outcome.discs:+.2f} discs")
    assert outcome is not None
    pairs = sum(outcome.counts)
    score = sum(points * count for points, count in enumerate(outcome.counts)) / (4 * pairs)
    _say(f"{outcome.verdict.value} after {pairs} pairs {outcome.counts}: score {score:.1%}, {outcome.discs:+.2f} discs")
    won = outcome.verdict is Verdict.H1
    if won and options.install and new is not None:
        write_whole(weights.DEFAULT_FILE, new)
    return 0 if won else 1


def learn(arguments: Sequence[str]) -> int:
    """Go through all rounds: positions, labels, fits; start it again and it goes on where it was."""
    parser = argparse.ArgumentParser("learn", description=learn.__doc__)
    _common(parser)
    parser.add_argument(
        "--share", type=float, default=1, help="of the games of every round, for a trial (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    if not 0 < options.share <= 1:
        raise InputError("--share", str(options.share), "more than 0, at most 1")
    from othello_bot.learning import exclusion, measuring, schedule

    store, workers = _open(options)
    schedule.begin(store, options.seed, options.share)
    plan = schedule.shared(schedule.ROUNDS, options.share)
    with workers:
        excluded = exclusion.excluded_keys(measuring.default_files(_ROOT))
        path = schedule.learn(store, workers, excluded, options.seed, plan)
    _say(str(path))
    return 0


def evaluate(arguments: Sequence[str]) -> int:
    """Measure an evaluation on positions with known exact scores."""
    parser = argparse.ArgumentParser("evaluate", description=evaluate.__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.obf")
    _weights_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each file")
    options = parser.parse_args(arguments)
    from othello_bot import weights
    from othello_bot.learning import measuring
    from othello_bot.learning.evaluate import Errors, measure

    data = _weights(options.weights)
    function = None if data is None else weights.from_bytes(data)
    for path in options.files:
        errors = measure(function, measuring.read(path))
        if options.json:
            # What cannot be measured (no close position) is null: JSON has no "not a number".
            known = {name: None if value != value else round(value, 4) for name, value in asdict(errors).items()}
            _say(json.dumps({"file": str(path), "weights": options.weights, **known}))
            continue
        _say(f"{path}: {errors.positions} positions")
        for name in (
            field.name for field in fields(Errors) if not field.name.endswith("_error") and field.name != "positions"
        ):
            _say(f"  {name:17s} {getattr(errors, name):6.3f} ± {getattr(errors, name + '_error'):.3f}")
    return 0


def solve_held_out(arguments: Sequence[str]) -> int:
    """Solve positions of games that every fit holds out, to measure with scripts/evaluate; goes on where it was."""
    parser = argparse.ArgumentParser("solve-held-out", description=solve_held_out.__doc__)
    _common(parser)
    _weights_option(parser)
    parser.add_argument("--empties", type=int, required=True)
    parser.add_argument("--count", type=int, default=1000, help="of positions (default: %(default)s)")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE.obf")
    options = parser.parse_args(arguments)
    if not 0 <= options.empties <= 60:
        raise InputError("--empties", options.empties, "0 to 60")
    if options.count < 1:
        raise InputError("--count", options.count, "1 or more")
    from othello_bot.learning import exclusion, held_out, measuring

    data = _weights(options.weights)
    store, workers = _open(options)
    with workers:
        excluded = exclusion.excluded_keys(measuring.default_files(_ROOT))
        records = held_out.drawn(store, options.empties, options.count, excluded, options.seed)
        held_out.write_solved(workers, data, records, options.output)
    _say(f"{len(records)} positions; {options.output}")
    return 0


COMMANDS: Final[dict[str, Callable[[Sequence[str]], int]]] = {
    "make-positions": make_positions,
    "label": label,
    "calibrate": calibrate,
    "fit": fit,
    "fit-factors": fit_factors,
    "fit-probcut": fit_probcut,
    "gate": gate,
    "learn": learn,
    "evaluate": evaluate,
    "solve-held-out": solve_held_out,
}


def main(arguments: Sequence[str]) -> int:
    """Run the command named first; return the exit status: 2 for what cannot be used, with one line on stderr."""
    from othello_bot.weights import WeightsError

    if not arguments or arguments[0] not in COMMANDS:
        sys.stderr.write(f"expected one of {', '.join(COMMANDS)}\n")
        return 2
    try:
        return COMMANDS[arguments[0]](arguments[1:])
    except (InputError, WeightsError, OSError) as error:
        sys.stderr.write(f"{arguments[0]}: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write(f"{arguments[0]}: interrupted; started again it goes on from here\n")
        return 130
