"""Commands that fill the store: positions and their labels, all rounds in one run, and solved positions for measuring."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from othello_bot.base.errors import InputError, shown
from othello_bot.base.notation import decimal, integer, parse_integer
from othello_bot.engine import FULL_WIDTH, SELECTIVITIES
from othello_bot.training.arguments import (
    common_options,
    measuring_keys,
    open_all,
    say,
    weights_of_option,
    weights_option,
)

if TYPE_CHECKING:
    from othello_bot.training.labels import Band


def _collection(name: str) -> str:
    """Return the name of a collection, which is part of a file's: no path, and no pattern of several names."""
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise argparse.ArgumentTypeError(f"{shown(name)}: expected letters, digits, _, - and .")
    return name


def _bands(texts: Sequence[str], again: bool) -> tuple[Band, ...]:
    from othello_bot.training.boards import EXACT
    from othello_bot.training.labels import Band

    bands = []
    for text in texts:
        try:
            span, *rest = text.split(":")
            lowest, highest = map(parse_integer, span.split("-"))
            depth = EXACT if rest[0] == "exact" else parse_integer(rest[0])
            index = SELECTIVITIES.index(parse_integer(rest[1])) if len(rest) > 1 else FULL_WIDTH
            share = parse_integer(rest[2], 1) if len(rest) > 2 else 1
            if len(rest) > 3:
                raise ValueError(text)
            bands.append(Band(lowest, highest, depth, index, again, share))
        except (ValueError, IndexError, TypeError) as error:
            raise InputError(
                "band",
                text,
                "LOWEST-HIGHEST:DEPTH[:PERCENT[:SHARE]], DEPTH in plies or exact, PERCENT a selectivity, SHARE 3 for"
                " every third",
            ) from error
    return tuple(bands)


def declare_make_positions(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of make_positions()."""
    common_options(parser)
    weights_option(parser)
    parser.add_argument("--name", required=True, type=_collection, help="name of the collection")
    parser.add_argument("--shards", type=integer(0), default=10)
    parser.add_argument("--games", type=integer(0), default=2000, help="games in a shard (default: %(default)s)")
    parser.add_argument(
        "--openings",
        choices=("start", "lines", "book"),
        default="start",
        help="begin at the start, after all lines of seven plies, or after the book's lines (default: %(default)s)",
    )
    parser.add_argument(
        "--fewest-random", type=integer(0), default=4, help="fewest random moves that follow (default: %(default)s)"
    )
    parser.add_argument(
        "--most-random", type=integer(0), default=18, help="most random moves that follow (default: %(default)s)"
    )


def make_positions(options: argparse.Namespace) -> int:
    """Play games of self-play and store their positions, without labels."""
    if not 0 <= options.fewest_random <= options.most_random:
        raise InputError("--fewest-random", str(options.fewest_random), f"0 to {options.most_random} (--most-random)")
    from othello_bot.training import games

    play = games.SelfPlay(
        games=options.games,
        openings=options.openings,
        fewest_random=options.fewest_random,
        most_random=options.most_random,
    )
    data = weights_of_option(options.weights)
    store, workers = open_all(options)
    with workers:
        made = games.make_positions(store, workers, options.name, range(options.shards), play, data, options.seed)
    say(f"{made} shards made, {options.shards - made} were there; {store.folder}")
    return 0


def declare_label(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of label()."""
    common_options(parser)
    weights_option(parser)
    parser.add_argument("--name", default="*", help="name of the collection (default: all)")
    parser.add_argument(
        "--round",
        type=integer(0),
        default=1,
        help="number of the round; labels of later rounds take precedence (default: %(default)s)",
    )
    parser.add_argument(
        "--again", action="store_true", help="also label positions again that searches of earlier rounds labelled"
    )
    parser.add_argument(
        "bands",
        nargs="+",
        metavar="BAND",
        help="LOWEST-HIGHEST:DEPTH[:PERCENT[:SHARE]], such as 0-12:exact or 25-36:5:73:3",
    )


def label(options: argparse.Namespace) -> int:
    """Label positions with exact scores or with those of searches."""
    from othello_bot.training import labels

    bands = _bands(options.bands, options.again)
    data = weights_of_option(options.weights)
    store, workers = open_all(options)
    with workers:
        done = labels.label(store, workers, store.shards(options.name), bands, data, options.round)
    say(f"{done} positions labelled; {store.folder}")
    return 0


def declare_calibrate(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of calibrate()."""
    common_options(parser)
    weights_option(parser)
    parser.add_argument(
        "--scale", type=decimal(0), default=1.0, help="factor of the usual number of positions (default: 1)"
    )
    parser.add_argument(
        "--round", type=integer(0), required=True, help="round of the labels; every round used a different function"
    )


def calibrate(options: argparse.Namespace) -> int:
    """Solve a sample of positions to measure by how much the labels from searches are too small; fits stretch them."""
    from othello_bot.training import labels

    data = weights_of_option(options.weights)
    store, workers = open_all(options)
    with workers:
        factors = labels.calibrate(store, workers, data, options.seed, options.round, options.scale)
    say(f"factors of the labels from searches: {factors} (by number of empties)")
    return 0


def declare_learn(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of learn()."""
    common_options(parser)
    parser.add_argument(
        "--share",
        type=decimal(0),
        default=1,
        help="share of the games of every round, for a trial (default: %(default)s)",
    )


def learn(options: argparse.Namespace) -> int:
    """Run all rounds: positions, labels, fits. Run it again to continue an interrupted run."""
    if not 0 < options.share <= 1:
        raise InputError("--share", str(options.share), "more than 0, at most 1")
    from othello_bot.training import schedule

    store, workers = open_all(options)
    schedule.begin(store, options.seed, options.share)
    plan = schedule.shared(schedule.ROUNDS, options.share)
    with workers:
        path = schedule.learn(store, workers, measuring_keys(store), options.seed, plan)
    say(str(path))
    return 0


def declare_solve_held_out(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of solve_held_out()."""
    common_options(parser)
    weights_option(parser)
    parser.add_argument("--empties", type=integer(0), required=True)
    parser.add_argument("--count", type=integer(0), default=1000, help="number of positions (default: %(default)s)")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE.obf")
    parser.add_argument(
        "--new-games", action="store_true", help="play games for it, and take one position of each; no store is needed"
    )
    parser.add_argument(
        "--depth",
        type=integer(0),
        metavar="PLIES",
        help="score them by searches of this many plies at 73 %% instead; a scale is fitted to those where solving takes"
        " too long",
    )


def solve_held_out(options: argparse.Namespace) -> int:
    """Solve positions of held-out or of new games, for evaluate and fit-scale. Run it again to continue."""
    if not 0 <= options.empties <= 60:
        raise InputError("--empties", options.empties, "0 to 60")
    if options.count < 1:
        raise InputError("--count", options.count, "1 or more")
    if options.depth is not None and not 1 <= options.depth < options.empties:
        raise InputError("--depth", options.depth, f"1 or more, fewer than {options.empties} (--empties)")
    from othello_bot.training import held_out
    from othello_bot.training.boards import EXACT

    data = weights_of_option(options.weights)
    store, workers = open_all(options)
    with workers:
        if options.new_games:
            records = held_out.played(workers, data, options.empties, options.count, options.seed)
        else:
            records = held_out.drawn(store, options.empties, options.count, measuring_keys(store), options.seed)
        held_out.write_solved(workers, data, records, options.output, options.depth or EXACT)
    say(f"{len(records)} positions; {options.output}")
    return 0
