"""The steps that fit the policy and measure it."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import integer
from othello_bot.training.arguments import check_output, folder_option, output_option, say, seed_option

if TYPE_CHECKING:
    from othello_bot.kernel import PolicyModel
    from othello_bot.training.policy_fit import Scores
    from othello_bot.training.policy_games import Decisions, Ratings

FEWEST_PLAYERS: Final = 8
"""Rated players that make four groups by rating."""


def _base_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="the base's .wtb files")
    parser.add_argument("--programs", type=Path, required=True, metavar="FILE", help="numbers of the programs")


def declare_policy(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `policy`."""
    _base_options(parser)
    parser.add_argument(
        "--fit-to", type=integer(0), default=2021, metavar="YEAR", help="the last year fitted (%(default)s)"
    )
    parser.add_argument(
        "--report", type=integer(0), default=2022, metavar="YEAR", help="the year that is predicted (%(default)s)"
    )
    output_option(parser, "the model's file")
    folder_option(parser)
    seed_option(parser)


def policy(options: argparse.Namespace) -> int:
    """Fit the policy, how people of each rating play, to the games of a WTHOR base.

    Report how well it predicts the moves of a year that was not fitted.
    """
    import numpy as np

    from othello_bot.base.files import write_whole
    from othello_bot.explorer import read_players
    from othello_bot.policy import pack
    from othello_bot.training import policy_fit
    from othello_bot.training.boards import default_folder
    from othello_bot.training.policy_games import decisions_of, rate, read_games
    from othello_bot.training.progress import shown

    check_output(options, options.output)
    folder = options.folder or default_folder() / "policy"
    programs = read_players(options.programs).numbers
    games = read_games(sorted(options.files))
    ratings = rate(games, programs)
    decisions = decisions_of(games, ratings, programs, lambda some: shown(some, len(some), "games"))
    fitted = decisions[decisions.years <= options.fit_to]
    if not len(fitted):
        raise InputError("last year fitted", str(options.fit_to), f"one from {decisions.years.min()} on")
    predicted = of_year(decisions, options.report)
    say(f"{len(games.years)} games, {len(decisions)} decisions of people, {len(fitted)} to {options.fit_to}")
    chance = np.random.default_rng(options.seed)
    scored = chance.random(len(fitted)) < np.where(fitted.years >= policy_fit.RECENT, *policy_fit.SCORED)
    apart = (chance.random(len(games.years)) < policy_fit.APART)[fitted.games]
    some = fitted[apart & scored]
    scores = policy_fit.label(some, folder, shown)
    model = policy_fit.new_model(fitted, options.seed, shown)
    policy_fit.fit(model, fitted[~apart], policy_fit.PATTERNS, options.seed, shown, folder)
    policy_fit.fit(model, fitted[apart], policy_fit.TRUST, options.seed, shown, folder)
    policy_fit.fit(model, some, policy_fit.BLEND, options.seed, shown, folder, scores)
    policy_fit.fit(model, fitted, policy_fit.TABLES, options.seed, shown, folder)
    data = pack(model.round_tables())
    write_whole(options.output, data)
    say(f"{options.output}: {len(data)} bytes")
    for line in reported(model.kernel, predicted, policy_fit.label(predicted, folder, shown), ratings):
        say(line)
    return 0


def of_year(decisions: Decisions, year: int) -> Decisions:
    """Return the decisions of a year; raise InputError if it has too few rated players to be reported."""
    import numpy as np

    some = decisions[decisions.years == year]
    if len(set(some.ratings[~np.isnan(some.ratings)].tolist())) < FEWEST_PLAYERS:
        raise InputError("year", str(year), f"a year with {FEWEST_PLAYERS} rated players or more")
    return some


def reported(kernel: PolicyModel, decisions: Decisions, scores: Scores, ratings: Ratings) -> Iterable[str]:
    """Yield how well decisions are predicted, alone and blended: all, by stage, and by rating group."""
    import numpy as np

    from othello_bot.training.policy_fit import STAGES, Measure, logarithms, prediction

    for name, given in (("alone", None), ("blended", scores)):
        hits, losses = prediction(logarithms(kernel, decisions, given), decisions)
        counted = ~np.isnan(hits)
        parts = {"all": counted}
        for least, most in STAGES:
            parts[f"{least}-{most} empties"] = counted & (decisions.empties >= least) & (decisions.empties <= most)
        for part, rows in parts.items():
            found = Measure.of(hits[rows], losses[rows])
            if not found.count:
                continue
            yield (
                f"{name}, {part}: {found.count} decisions, first choices {100 * found.first_choices:.2f} ± "
                f"{100 * found.first_choices_error:.2f} %, log loss {found.loss:.4f} ± {found.loss_error:.4f}"
            )
    rated = np.flatnonzero(~np.isnan(decisions.ratings))
    known = decisions[rated]
    quarters = np.quantile(known.ratings, (0.25, 0.5, 0.75))
    groups = np.searchsorted(quarters, known.ratings)
    filled = np.unique(groups).tolist()
    means = [float(known.ratings[groups == group].mean()) for group in filled]
    losses_at = [prediction(logarithms(kernel, known, scores[rated], mean), known)[1] for mean in means]
    for group, average, own in zip(filled, means, losses_at, strict=True):
        some = (groups == group) & ~np.isnan(own)
        if not some.any():
            continue
        cells = []
        for asked, other in zip(means, losses_at, strict=True):
            gained = (other - own)[some]
            error = float(np.std(gained)) / len(gained) ** 0.5
            cells.append(f"asked for {asked:.0f}: {float(np.mean(gained)):+.4f} ± {error:.4f}")
        yield f"players rated {average:.0f} on average, log loss beyond their own: {', '.join(cells)}"


def declare_check(parser: argparse.ArgumentParser, default_years: Sequence[int] = (2022, 2023)) -> None:
    """Declare the arguments of `policy-check`."""
    _base_options(parser)
    shown = " ".join(map(str, default_years))
    parser.add_argument(
        "--years", type=integer(0), nargs="+", default=default_years, metavar="YEAR", help=f"years ({shown})"
    )
    parser.add_argument(
        "--positions", type=integer(1), metavar="N", help="so many decisions of each year, drawn at random (all)"
    )
    parser.add_argument("--model", type=Path, metavar="FILE", help="the model (the shipped one)")
    folder_option(parser)


def policy_check(options: argparse.Namespace) -> int:
    """Measure a policy on years of a WTHOR base: how well it predicts moves, how the steps of strength play, what people
    of each rating are expected to lose, and how well ratings from moves agree with ratings from results (only with all
    moves of a year).
    """
    reports = (reported, played, expected) if options.positions else (reported, played, expected, looked_like)
    for year, kernel, decisions, scores, ratings in years(options):
        for report in reports:
            for line in report(kernel, decisions, scores, ratings):
                say(f"{year}: {line}")
    return 0


def years(options: argparse.Namespace) -> Iterator[tuple[int, PolicyModel, Decisions, Scores, Ratings]]:
    """Yield each year asked for: the model, the decisions of people with their scores, and the ratings of the players."""
    import numpy as np

    from othello_bot.explorer import read_players
    from othello_bot.policy import shipped, unpack
    from othello_bot.training.boards import default_folder
    from othello_bot.training.policy_fit import label
    from othello_bot.training.policy_games import decisions_of, rate, read_games
    from othello_bot.training.progress import shown

    folder = options.folder or default_folder() / "policy"
    programs = read_players(options.programs).numbers
    games = read_games(sorted(options.files))
    ratings = rate(games, programs)
    kernel = shipped()
    if options.model is not None:
        kernel = unpack(options.model.read_bytes(), str(options.model)).model()
    for year in options.years:
        decisions = decisions_of(games, ratings, programs, lambda some: shown(some, len(some), "games"), year)
        if options.positions is not None and options.positions < len(decisions):
            drawn = np.random.default_rng(year).choice(len(decisions), options.positions, replace=False)
            decisions = decisions[np.sort(drawn)]
        yield year, kernel, of_year(decisions, year), label(decisions, folder, shown), ratings


def played(kernel: PolicyModel, decisions: Decisions, scores: Scores, ratings: Ratings) -> Iterable[str]:
    """Yield how the steps of strength play, asked for the rating of each player, beside the players."""
    from othello_bot.training.policy_fit import STAGES, beside_people

    found = beside_people(kernel, decisions, scores)
    for name, draw in (("the model", found.model), ("a step", found.step)):
        yield (
            f"a draw from {name} is the person's move in {100 * draw.hits:.2f} ± {100 * draw.hits_error:.2f} % of "
            f"{found.count} decisions, its own in {100 * draw.squares:.2f} %; entropy {draw.entropy:.3f} nats"
        )
    for rating, losses in found.losses:
        cells = (
            f"{least}-{most} empties {loss.own:.2f}, people {loss.theirs:.2f} (± {loss.error:.2f})"
            for (least, most), loss in zip(STAGES, losses, strict=True)
            if not math.isnan(loss.own)
        )
        yield f"mean loss in discs, rated {rating:.0f} on average: {'; '.join(cells)}"


def expected(kernel: PolicyModel, decisions: Decisions, scores: Scores, ratings: Ratings) -> Iterable[str]:
    """Yield what people of each rating are expected to lose in these positions, and how that differs from the rating
    before.
    """
    from othello_bot.engine.people import RATINGS
    from othello_bot.policy import clamped
    from othello_bot.training.policy_fit import expected_losses

    for name, given in (("alone", None), ("with searches", scores)):
        cells: list[str] = []
        before = None
        for rating in RATINGS:
            losses = expected_losses(kernel, decisions, scores, given, clamped(rating, alone=given is None))
            change = losses - (losses if before is None else before)
            told = f" ({change.mean():+.3f} ± {change.std() / len(change) ** 0.5:.3f})" if cells else ""
            cells.append(f"rated {rating} {losses.mean():.3f}{told}")
            before = losses
        yield f"loss expected of a move in discs, {name}: {', '.join(cells)}"


def looked_like(kernel: PolicyModel, decisions: Decisions, scores: Scores, ratings: Ratings) -> Iterable[str]:
    """Yield how the ratings that moves look like differ from those that follow from results."""
    import numpy as np

    from othello_bot.engine.people import RATINGS, estimate
    from othello_bot.training.policy_fit import choices, logarithms

    found = choices(decisions)
    rows = np.flatnonzero(found.several & ~np.isnan(decisions.ratings))
    decisions, scores = decisions[rows], scores[rows]
    groups = found.groups[rows]
    same = groups == groups[np.arange(len(rows)), decisions.moves][:, None]
    values = np.empty((len(rows), len(RATINGS)))
    for place, rating in enumerate(RATINGS):
        chances = np.exp(logarithms(kernel, decisions, scores, rating))
        values[:, place] = np.log(np.maximum(np.where(same, chances, 0).sum(1), 1e-4))
    for name, keys in (
        ("one game", decisions.players * (decisions.games.max() + 1).astype(np.int64) + decisions.games),
        ("all games of the year", decisions.players.astype(np.int64)),
    ):
        _, first, whose = np.unique(keys, return_index=True, return_inverse=True)
        sums = np.zeros((len(first), len(RATINGS)))
        np.add.at(sums, whose, values)
        estimates = np.array([estimate(one) for one in sums.tolist()], np.float64)
        known, errors = ratings.of(decisions.players[first].astype(np.int64), decisions.years[first].astype(np.int64))
        off = estimates[:, 0] - known
        stated = np.hypot(estimates[:, 1], errors)
        yield (
            f"ratings from the moves of {name}: {len(off)} players, bias {off.mean():+.0f} ± "
            f"{off.std() / len(off) ** 0.5:.0f}, root mean square {np.sqrt((off**2).mean()):.0f}, correlation "
            f"{np.corrcoef(estimates[:, 0], known)[0, 1]:.2f}; within the stated error "
            f"{100 * np.mean(np.abs(off) < stated):.0f} %, "
            f"within twice that {100 * np.mean(np.abs(off) < 2 * stated):.0f} %"
        )
