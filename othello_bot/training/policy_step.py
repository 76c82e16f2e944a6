"""The step that fits the policy."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello_bot.base.notation import integer
from othello_bot.training.arguments import folder_option, say, seed_option

if TYPE_CHECKING:
    from othello_bot.training.policy_fit import Model, Scores
    from othello_bot.training.policy_games import Decisions

LABELLED: Final = 1_100_000
"""Decisions with the scores of searches; those since 2005 are three times as likely to be among them."""

STAGES: Final = ((46, 60), (31, 45), (16, 30), (0, 15))
"""Empties of the stages that are reported."""


def declare_policy(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `policy`."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="the base's .wtb files")
    parser.add_argument("--programs", type=Path, required=True, metavar="FILE", help="numbers of the programs")
    parser.add_argument(
        "--fit-to", type=integer(0), default=2021, metavar="YEAR", help="the last year fitted (%(default)s)"
    )
    parser.add_argument(
        "--report", type=integer(0), default=2022, metavar="YEAR", help="the year predicted (%(default)s)"
    )
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="the model's file")
    folder_option(parser)
    seed_option(parser)


def policy(options: argparse.Namespace) -> int:
    """Fit the policy, how people of each rating play, to the games of a WTHOR base.

    Report how well it predicts the moves of a year that was not fitted.
    """
    import numpy as np

    from othello_bot.base.files import write_whole
    from othello_bot.policy import pack
    from othello_bot.training import policy_fit
    from othello_bot.training.boards import default_folder
    from othello_bot.training.policy_games import decisions_of, rate, read_games, read_programs
    from othello_bot.training.progress import Unfinished, shown

    folder = options.folder or default_folder() / "policy"
    programs = read_programs(options.programs)
    games = read_games(sorted(options.files))
    ratings = rate(games, programs)
    decisions = decisions_of(games, ratings, programs, lambda some: shown(some, len(some), "games"))
    fitted = decisions[decisions.years <= options.fit_to]
    say(f"{len(games.years)} games, {len(decisions)} decisions of people, {len(fitted)} to {options.fit_to}")
    model = policy_fit.new_model(fitted, options.seed, shown)
    patterns, blend = (Unfinished(folder / f"{part}.unfinished", say) for part in ("patterns", "blend"))
    policy_fit.fit(model, fitted, policy_fit.PATTERNS, options.seed, shown, patterns)
    model.round_tables()
    chance = np.random.default_rng(options.seed)
    weights = np.where(fitted.years >= policy_fit.RECENT, 3.0, 1.0)
    some = fitted[chance.random(len(fitted)) < LABELLED * weights / weights.sum()]
    scores = policy_fit.label(some, folder, shown)
    policy_fit.fit(model, some, policy_fit.BLEND, options.seed, shown, blend, scores)
    data = pack(model.round_tables())
    write_whole(options.output, data)
    say(f"{options.output}: {len(data)} bytes")
    predicted = decisions[decisions.years == options.report]
    for line in reported(model, predicted, policy_fit.label(predicted, folder, shown)):
        say(line)
    return 0


def reported(model: Model, decisions: Decisions, scores: Scores) -> Iterable[str]:
    """Yield how well decisions are predicted, alone and blended: all, by stage, and by rating group."""
    import numpy as np

    from othello_bot.training.policy_fit import Measure, prediction

    for name, given in (("alone", None), ("blended", scores)):
        hits, losses = prediction(model.logarithms(decisions, given), decisions)
        counted = ~np.isnan(hits)
        parts = {"all": counted}
        for least, most in STAGES:
            parts[f"{least}-{most} empties"] = counted & (decisions.empties >= least) & (decisions.empties <= most)
        for part, rows in parts.items():
            found = Measure.of(hits[rows], losses[rows])
            yield (
                f"{name}, {part}: {found.count} decisions, first choices {100 * found.first_choices:.2f} ± "
                f"{100 * found.first_choices_error:.2f} %, log loss {found.loss:.4f} ± {found.loss_error:.4f}"
            )
    rated = np.flatnonzero(~np.isnan(decisions.ratings))
    known = decisions[rated]
    quarters = np.quantile(known.ratings, (0.25, 0.5, 0.75))
    groups = np.searchsorted(quarters, known.ratings)
    means = [float(known.ratings[groups == group].mean()) for group in range(4)]
    losses_at = [prediction(model.logarithms(known, scores[rated], mean), known)[1] for mean in means]
    for group in range(4):
        own = losses_at[group]
        cells = []
        for asked, other in zip(means, losses_at, strict=True):
            gained = (other - own)[(groups == group) & ~np.isnan(own)]
            error = float(np.std(gained)) / max(1, len(gained)) ** 0.5
            cells.append(f"asked for {asked:.0f}: {float(np.mean(gained)):+.4f} ± {error:.4f}")
        yield f"players rated {means[group]:.0f} on average, log loss beyond their own: {', '.join(cells)}"
