"""How often the arena's intervals cover the truth, and how often its tests err, in simulated matches.

Each cell is a kind of match whose truth is known. An opening may favour a colour, or suit a player, by a normally
distributed number of Elo. What is right is the Elo of the expected score. All kinds get a batch of matches before any gets
the next one; FILE keeps the counts, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from heapq import heappop, heappush
from itertools import combinations, product
from pathlib import Path
from typing import Any, Final

import numpy as np

from _measure.sequential_tests import SequentialTests
from othello_bot.arena.pentanomial import (
    NORMALISED_SCALE,
    elo_of_score,
    score_of_elo,
)
from othello_bot.arena.ratings import Rating, ratings
from othello_bot.arena.sprt import SequentialRun, Sprt, SprtVerdict
from othello_bot.arena.statistics import Estimate, OpeningScore, elo, likelihood_of_superiority, normalised_elo
from othello_bot.base.files import write_whole
from othello_bot.base.notation import integer

DIFFERENCES: Final = (0, 50, 200, 500, 1000)
PAIRS: Final = (3, 5, 10, 20, 100, 500)
DRAWS: Final = (0.0, 0.3, 0.6)
EFFECTS: Final = (("none", 0), ("colour", 50), ("colour", 150), ("player", 50), ("player", 150))
OPENINGS: Final = (5, 50, 500)

TEST: Final = Sprt(0, 40)
AT_ONCE: Final = (1, 8, 32)
SHORTER: Final = (0.0, 0.5)
"""By how much the pairs that the first engine wins are shorter."""

SCHEDULED: Final = 500
"""For so many tests, one more is played in all schedules."""

BATCH: Final = 200
"""Matches of a kind that are simulated at a time."""

FEW: Final = 0.05
"""A kind of statement that is made in fewer matches than this says nothing of its coverage."""


@dataclass
class Coverage:
    """Statements of one kind of match: how many there were, and how many were true."""

    matches: int = 0
    two: int = 0
    two_true: int = 0
    one: int = 0
    one_true: int = 0

    def add(self, estimate: Estimate | Rating, truth: float) -> None:
        """Count an interval, or a bound, or neither."""
        self.matches += 1
        covers = bool(estimate.low <= truth <= estimate.high)
        if math.isfinite(estimate.low) and math.isfinite(estimate.high):
            self.two, self.two_true = self.two + 1, self.two_true + covers
        elif math.isfinite(estimate.low) or math.isfinite(estimate.high):
            self.one, self.one_true = self.one + 1, self.one_true + covers

    def facts(self) -> list[int]:
        """Return the numbers, as a file keeps them."""
        return [self.matches, self.two, self.two_true, self.one, self.one_true]


# -- two players ------------------------------------------------------------------------------------------------------


def chances(difference: Any, draws: float) -> tuple[Any, Any]:
    """Return the probabilities of a win and of a draw; `draws` are those of equals, and the mean score is logistic."""
    score = 1 / (1 + 10 ** (-np.asarray(difference, float) / 400))
    drawn = np.minimum(4 * draws * score * (1 - score), 2 * np.minimum(score, 1 - score))
    return score - drawn / 2, drawn


def pair_chances(difference: Any, effect: Any, kind: str, draws: float) -> Any:
    """Return the probabilities of the five outcomes of a pair, in the last dimension."""
    sides = []
    for way in (1, -1):
        win, drawn = chances(difference + (effect if kind == "player" else way * effect), draws)
        sides.append((1 - win - drawn, drawn, win))
    found = [0, 0, 0, 0, 0]
    for (i, one), (j, other) in product(enumerate(sides[0]), enumerate(sides[1])):
        found[i + j] = found[i + j] + one * other
    return np.stack(np.broadcast_arrays(*found), axis=-1)


def two_players(
    rng: Any, matches: int, difference: int, pairs: int, draws: float, kind: str, size: int, openings: int
) -> Any:
    """Return the coverage of Elo and of normalised Elo, and how often a superiority of 97.5 % was told."""
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    expected = (weights / weights.sum()) @ pair_chances(difference, size * points, kind, draws)
    scores = np.arange(5) / 4
    mean = float(expected @ scores)
    truth = elo_of_score(mean)
    unit = NORMALISED_SCALE / math.sqrt(2) * (mean - 0.5) / math.sqrt(float(expected @ (scores - mean) ** 2))
    found, units, superior = Coverage(), Coverage(), 0
    rounds = np.full(openings, pairs // openings) + (np.arange(openings) < pairs % openings)
    for match in range(matches):
        likely = pair_chances(difference, size * rng.standard_normal(openings), kind, draws)
        results = [
            OpeningScore(2 * sum(counts), sum(outcome * count / 2 for outcome, count in enumerate(counts)), counts)
            for counts in rng.multinomial(rounds, likely / likely.sum(axis=1, keepdims=True)).tolist()
        ]
        found.add(elo(results), truth)
        if match % (10 if difference < 500 else 20) == 0:
            # It takes long, the longer the larger it is.
            units.add(normalised_elo(results), unit)
        superior += bool(likelihood_of_superiority(results) >= 0.975)
    return {"elo": found.facts(), "unit": units.facts(), "superior": superior}


# -- several players --------------------------------------------------------------------------------------------------


def strengths(players: int, spread: int) -> list[float]:
    """Return ratings with mean 0, in equal steps."""
    return [spread * (0.5 - player / (players - 1)) for player in range(players)]


FORMS: Final[dict[str, Callable[[int], list[tuple[int, int]]]]] = {
    "round robin": lambda players: list(combinations(range(players), 2)),
    "gauntlet": lambda players: [(0, other) for other in range(1, players)],
    "two groups": lambda players: [(i, j) for i, j in combinations(range(players), 2) if i % 2 == j % 2],
    "anchors": lambda players: list(combinations(range(players), 2)),
}


def several(
    rng: Any, matches: int, form: str, players: int, spread: int, size: float, openings: int, rounds: int
) -> Any:
    """Return the coverage of all ratings that are not fixed. Openings suit players so that mean scores are the ratings'."""
    truth, pairings = strengths(players, spread), FORMS[form](players)
    anchors = {0: truth[0], players - 1: truth[-1]} if form == "anchors" else {}
    first, second = (np.array(side) for side in zip(*pairings, strict=True))
    scores = np.array([score_of_elo(truth[i] - truth[j]) for i, j in pairings])
    room = np.minimum(scores, 1 - scores)
    found = Coverage()
    for _ in range(matches):
        played = []
        for _ in range(openings):
            suits, black = rng.uniform(-1, 1, players), rng.uniform(-1, 1)
            share = scores + size * room * (suits[first] - suits[second]) / 2
            tilt = 0.5 * size * np.minimum(share, 1 - share) * black
            points = rng.binomial(rounds, share + tilt) + rng.binomial(rounds, share - tilt)
            played.append(
                {one: OpeningScore(2 * rounds, float(own)) for one, own in zip(pairings, points, strict=True)}
            )
        rated = ratings(players, played, anchors)
        finite = {player for player, one in enumerate(rated) if math.isfinite(one.elo)}
        for player, one in enumerate(rated):
            # Those whom all others are relative to say nothing.
            if one.low < one.high:
                # The mean of the finite ratings of its group is 0.
                group = [truth[other] for other in finite if rated[other].group == one.group]
                zero = 0.0 if anchors else sum(group) / max(1, len(group))
                found.add(one, truth[player] - zero)
    return {"elo": found.facts()}


# -- sequential tests -------------------------------------------------------------------------------------------------


def at_bound(value: float, draws: float) -> list[float]:
    """Return the outcomes of a pair of a player with this normalised Elo, of independent games."""
    low, high = -2000.0, 2000.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        win, drawn = (float(one) for one in chances(middle, draws))
        mean = win + drawn / 2
        unit = NORMALISED_SCALE * (mean - 0.5) / math.sqrt(win + drawn / 4 - mean**2)
        low, high = (middle, high) if unit < value else (low, middle)
    return [float(one) for one in pair_chances(low, 0.0, "none", draws)]


def sequential(rng: Any, matches: int, value: float, wrong: str) -> Any:
    """Return how many tests accept the wrong hypothesis.

    Some others play the same games in several schedules: `differ` counts those that end in another way for it.
    """
    likely = at_bound(value, 0.3)
    h0, h1, pairs = SequentialTests(TEST).accepted(rng, matches, likely)
    found = {"tests": matches, "errors": h1 if wrong == "H1" else h0, "pairs": pairs, "schedules": 0, "differ": 0}
    for _ in range(matches // SCHEDULED):
        outcomes: list[int] = []
        judged = _run(rng, likely, outcomes, 1, 0.0)
        for at_once, shorter in product(AT_ONCE, SHORTER):
            other = _run(rng, likely, outcomes, at_once, shorter)
            found["schedules"] += 1
            found["differ"] += (other.verdict, other.counts) != (judged.verdict, judged.counts)
    return found


def _run(rng: Any, likely: Sequence[float], outcomes: list[int], at_once: int, shorter: float) -> SequentialRun:
    """Return the test of pairs with these outcomes, more of which are drawn as needed, in the order in which they end."""
    run, number = SequentialRun(TEST), 0
    going: list[tuple[float, int, int]] = []
    clock = 0.0
    while run.verdict is SprtVerdict.CONTINUE:
        while len(going) < at_once:
            if number == len(outcomes):
                outcomes += rng.choice(5, 100, p=likely).tolist()
            outcome = outcomes[number]
            heappush(going, (clock + rng.uniform(0.8, 1.2) * (1 - shorter * outcome / 4), number, outcome))
            number += 1
        clock, ended, outcome = heappop(going)
        run.add(ended, outcome)
    return run


# -- cells ------------------------------------------------------------------------------------------------------------


def cells() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield the name of each kind of match, and what simulates a batch of it."""
    for difference, pairs, draws, (kind, size) in product(DIFFERENCES, PAIRS, DRAWS, EFFECTS):
        for openings in sorted({min(one, pairs) for one in OPENINGS}):
            two = difference, pairs, draws, kind, size, openings
            yield f"two {_joined(two)}", partial(_given, two_players, BATCH, two)
    for form, players, spread, effect, openings, rounds in product(
        FORMS, (4, 12), (200, 1000), (0.0, 1.0), (5, 20, 50), (1, 4)
    ):
        if openings * rounds <= 80 and not (players == 12 and rounds > 1):
            many = form, players, spread, effect, openings, rounds
            yield f"several {_joined(many)}", partial(_given, several, BATCH // players, many)
    for test in ((TEST.elo0, "H1"), (TEST.elo1, "H0")):
        yield f"test {_joined(test)}", partial(_given, sequential, 25 * BATCH, test)


def _joined(words: Iterable[object]) -> str:
    return " ".join(str(word).replace(" ", "-") for word in words)


def _given(simulate: Callable[..., Any], matches: int, settings: tuple[Any, ...], rng: Any) -> Any:
    return simulate(rng, matches, *settings)


def _sum(one: Any, other: Any) -> Any:
    """Return the sum of what two batches counted."""
    if isinstance(one, dict):
        return {name: _sum(value, other[name]) for name, value in one.items()}
    return [_sum(*both) for both in zip(one, other, strict=True)] if isinstance(one, list) else one + other


def main() -> int:
    """Simulate the batches that are missing, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=integer(1), default=4, help=f"batches of {BATCH} matches of each kind (4)")
    parser.add_argument(
        "--store", type=Path, default=Path("rating-intervals.json"), metavar="FILE", help="results so far"
    )
    parser.add_argument("--only", default="", metavar="WORDS", help="kinds whose name begins so: two, several or test")
    parser.add_argument("--seconds", type=integer(1), default=None, help="stop after so many; the same command resumes")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table as a page")
    args = parser.parse_args()
    known: dict[str, Any] = json.loads(args.store.read_text("utf-8")) if args.store.exists() else {}
    begun = saved = time.monotonic()
    for batch, (name, simulate) in product(range(args.batches), cells()):
        if not name.startswith(args.only) or known.get(name, {}).get("batches", 0) > batch:
            continue
        if args.seconds is not None and time.monotonic() - begun > args.seconds:
            break
        found = {"batches": 1, **simulate(np.random.default_rng(random.Random(f"{name} {batch}").getrandbits(64)))}
        known[name] = _sum(known[name], found) if name in known else found
        if time.monotonic() - saved > 5:
            saved = time.monotonic()
            write_whole(args.store, json.dumps(known).encode())
            print(f"\rbatch {batch + 1}, {len(known)} kinds of matches", end="", file=sys.stderr, flush=True)
    write_whole(args.store, json.dumps(known).encode())
    text = "\n".join(page(known)) + "\n"
    if args.page is None:
        print(text, end="")
    else:
        write_whole(args.page, text.encode())
    return 0


# -- the page ---------------------------------------------------------------------------------------------------------

HEAD: Final = """# How often intervals cover

How often the arena's 95 % intervals and bounds cover the truth, in simulated matches (`scripts/measure rating-intervals`).
[arena-report.md](../arena-report.md) says how they are computed. Each row has several kinds of matches: the mean over them
and, in brackets, the least and the most, chance included. *Intervals* and *bounds* are the shares of ratings that have one,
in percent; kinds in which fewer than 5 % have one are left out of what covers. With fewer than 10 openings there is no
interval. The aim is that intervals cover 93 to 98 % and bounds 95 % or more, in each kind; where that cannot be had, there
should be none. `--page docs/development/rating-intervals.md` writes this page.
"""


def page(known: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the tables."""
    yield HEAD
    numbers = [BATCH * one["batches"] for name, one in known.items() if not name.startswith("test")]
    yield f"Made on {date.today()}, with {min(numbers, default=0)} to {max(numbers, default=0)} matches of each kind; with"
    yield "several players, the number is divided by theirs."
    yield ""
    two: dict[tuple[str, ...], list[Any]] = {}
    many: dict[tuple[str, ...], list[Any]] = {}
    tests: list[tuple[str, Any]] = []
    for name, facts in known.items():
        sort, *words = name.split()
        if sort == "two":
            two.setdefault((words[0], words[1]), []).append(facts)
        elif sort == "several":
            many.setdefault((words[0].replace("-", " "), words[1], words[2]), []).append(facts)
        else:
            tests.append((words[0], facts))
    yield "## Two players"
    yield ""
    yield "Equals draw 0, 30 or 60 % of their games. Openings favour a colour, or suit a player, by 0, 50 or 150 Elo"
    yield "(standard deviation). There are 5, 50 or 500 of them, or as many as pairs, and they are repeated."
    yield "*Normalised Elo*: how many of its intervals cover, in percent. *Superior*: how often the first of two equals is"
    yield "called superior with 97.5 % or more. Kinds differ by chance: of 90 with 2,000 matches each, with a mean of"
    yield "2.4 %; two of the highest, one of them that of 3.1 %, had 2.3 and 2.6 % in 6,000 others (2026-11-28)."
    yield ""
    yield from _table(
        ("Elo", "pairs", "intervals", "cover", "bounds", "cover", "normalised Elo", "superior"),
        (
            (*words, *coverage_words([one["elo"] for one in found]), _of_units(found), _superior(words[0], found))
            for words, found in two.items()
        ),
    )
    yield "## Several players"
    yield ""
    yield "Ratings in equal steps over a range; 5, 20 or 50 openings, once or four times each, which suit players and"
    yield "colours or do not. Those of *two groups* meet within their group, *anchors* are the first and the last player."
    yield ""
    yield from _table(
        ("form", "players", "range", "intervals", "cover", "bounds", "cover"),
        ((*words, *coverage_words([one["elo"] for one in found])) for words, found in many.items()),
    )
    yield "## Kinds that cover less than 93 or more than 98 %"
    yield ""
    yield from _outside(known)
    yield f"## Sequential tests, {TEST.elo0:g} against {TEST.elo1:g} normalised Elo, alpha and beta 5 %"
    yield ""
    yield "How often the wrong hypothesis is accepted if the truth is at a bound; equals draw 30 %. The likelihoods of"
    yield "these tests are computed by other means than the program's. Its bounds allow for the part of a step by which a"
    yield "test ends beyond them: with Wald's, errors were 4.4 and 4.5 % of 20,000 tests (±0.15, 2026-11-28). Pairs are"
    yield "judged in the order of the schedule, so it does not matter how many games run at once, nor which end first:"
    yield f"some tests were played again with {', '.join(map(str, AT_ONCE[:-1]))} and {AT_ONCE[-1]} games at once, of equal"
    yield "lengths and with wins in half the time."
    yield ""
    yield from _table(
        ("truth", "tests", "wrong", "standard error", "mean pairs", "other schedules", "with another end"),
        (_tested(*one) for one in tests),
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + len(heads) * "---|"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def _outside(known: dict[str, Any]) -> Iterator[str]:
    """Yield how many kinds are outside of the aim, and those for which two standard errors do not explain it."""
    rows, number, outside = [], 0, 0
    for name, facts in known.items():
        for what, at, aim in (("interval", 1, (0.93, 0.98)), ("bound", 3, (0.95, 1.0))):
            counts = facts.get("elo", 5 * [0])
            every, made, true = counts[0], counts[at], counts[at + 1]
            if made >= FEW * every and made:
                share = true / made
                number, outside = number + 1, outside + (not aim[0] <= share <= aim[1])
                missed = max(aim[0] - share, share - aim[1])
                if missed > 2 * math.sqrt(max(end * (1 - end) for end in aim) / made):
                    rows.append((name, what, f"{made} of {every}", f"{100 * share:.1f}"))
    yield f"{outside} of {number} kinds (a kind with bounds counts twice; bounds should cover 95 % or more),"
    yield (
        "of which these are further away than two standard errors:"
        if rows
        else "none of them by more than two standard errors."
    )
    yield ""
    if rows:
        yield from _table(("kind", "of", "number", "covers"), rows)


def _of_units(found: Sequence[Any]) -> str:
    made, true = (sum(one["unit"][at] for one in found) for at in (1, 2))
    return f"{100 * true / made:.1f} of {made}" if made else "-"


def _superior(difference: str, found: Sequence[Any]) -> str:
    if difference != "0":
        return ""
    shares = [100 * one["superior"] / one["elo"][0] for one in found if one["elo"][1] or len(found) == 1] or [0.0]
    return f"{sum(shares) / len(shares):.1f} ({min(shares):.1f} to {max(shares):.1f})"


def _tested(value: str, found: Any) -> Sequence[str]:
    number, wrong = found["tests"], found["errors"] / found["tests"]
    error = math.sqrt(wrong * (1 - wrong) / number)
    shares = (f"{100 * share:.2f} %" for share in (wrong, error))
    return (
        value,
        str(number),
        *shares,
        f"{found['pairs'] / number:.0f}",
        str(found["schedules"]),
        str(found["differ"]),
    )


def coverage_words(cells: Sequence[Sequence[int]]) -> list[str]:
    """Return the share of intervals and of bounds in percent, each with its coverage, over several kinds of matches."""
    words = []
    for at in (1, 3):
        shares = [100 * one[at] / one[0] for one in cells]
        covers = [100 * one[at + 1] / one[at] for one in cells if one[at] >= FEW * one[0] and one[at]]
        words.append(
            f"{min(shares):.0f} to {max(shares):.0f}" if max(shares) - min(shares) >= 1 else f"{max(shares):.0f}"
        )
        words.append(f"{sum(covers) / len(covers):.1f} ({min(covers):.1f} to {max(covers):.1f})" if covers else "-")
    return words
