"""The sequential test with wide bounds and one-sided results, against SciPy, and in the order of the schedule."""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from othello_bot.arena.errors import ConfigError
from othello_bot.arena.pentanomial import PAIR_SCORES, UNSEEN, moments, with_deviations, with_mean
from othello_bot.arena.sprt import SequentialRun, Sprt, SprtModel, SprtVerdict

Condition = Callable[[float, float], float]
"""A function of the mean and the deviation of a distribution that is to be 0."""


def some_counts(rng: random.Random) -> list[int]:
    """Return counts of up to a thousand pairs; often some outcomes never came, as in one-sided matches."""
    weights = [rng.random() ** rng.choice((1, 4)) * (rng.random() < 0.7) for _ in range(5)]
    counts = [0] * 5
    for place in rng.choices(range(5), weights if any(weights) else [1, 0, 0, 0, 0], k=rng.choice((1, 2, 6, 30, 1000))):
        counts[place] += 1
    return counts


def best_by_scipy(observed: list[float], condition: Condition, starts: int, rng: random.Random) -> float:
    """Return the log-likelihood of the best distribution that meets a condition: a general optimiser, many starts."""
    numpy, optimize = pytest.importorskip("numpy"), pytest.importorskip("scipy.optimize")
    shares, scores = numpy.array(observed), numpy.array(PAIR_SCORES)

    def distribution(z: Any) -> Any:
        powers = numpy.exp(z - z.max())
        return powers / powers.sum()

    def met(z: Any) -> float:
        found = distribution(z)
        mean = float(found @ scores)
        deviation = math.sqrt(max(float(found @ scores**2) - mean**2, 1e-300))
        # Close to a certain result, any distribution nearly meets a condition: what counts is the relative error.
        return condition(mean, deviation) / deviation

    best = -math.inf
    for start in range(starts):
        guess = numpy.log(shares) if start == 0 else numpy.array([4 * rng.gauss(0, 1) for _ in scores])
        found = optimize.minimize(
            lambda z: -float(shares @ (z - z.max() - math.log(float(numpy.exp(z - z.max()).sum())))),
            guess,
            jac=lambda z: distribution(z) - shares,  # the shares add up to 1
            constraints=[{"type": "eq", "fun": met}],
            method="SLSQP",
            options={"maxiter": 300, "ftol": 1e-13},
        )
        if abs(met(found.x)) < 1e-7:
            best = max(best, -float(found.fun))
    return best


def agree(seed: int, starts: int = 4) -> None:
    """Compare both models with the optimiser, for one set of counts and one bound."""
    rng = random.Random(seed)
    counts = [max(float(count), UNSEEN) for count in some_counts(rng)]
    observed = [count / sum(counts) for count in counts]
    # Two thirds of the bounds are of the size that matches have, the others up to some hundred Elo.
    deviations, mean = rng.choice((0.05, 0.3, 3.0)) * rng.uniform(-1, 1), rng.uniform(0.02, 0.98)
    conditions: list[tuple[list[float], Condition]] = [
        (with_deviations(observed, deviations), lambda mean, deviation: mean - 0.5 - deviations * deviation),
        (with_mean(observed, mean), lambda found, _: found - mean),
    ]
    for fitted, condition in conditions:
        found = moments(fitted)
        assert sum(fitted) == pytest.approx(1, abs=1e-7)
        assert condition(found.mean, math.sqrt(max(0.0, found.variance))) == pytest.approx(0, abs=1e-6)
        likelihood = sum(share * math.log(one) for share, one in zip(observed, fitted, strict=True))
        # The optimiser may miss the best distribution; it must not find a better one.
        assert likelihood > best_by_scipy(observed, condition, starts, rng) - 1e-6, (counts, deviations, mean)


@pytest.mark.parametrize("seed", range(15))
def test_no_optimiser_finds_a_likelier_distribution(seed: int) -> None:
    agree(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(15, 75))
def test_no_optimiser_finds_a_likelier_distribution_for_more_counts(seed: int) -> None:
    """One start, from the shares, finds all that four have ever found here."""
    agree(seed, starts=1)


@pytest.mark.parametrize("deviations", [-200.0, -3.0, -0.3, -0.05, 0.002, 0.05, 0.3, 3.0, 200.0])
@pytest.mark.parametrize("certain", range(5))
@pytest.mark.parametrize("pairs", [1, 1000, 1_000_000])
def test_nearly_certain_results_have_a_distribution_on_every_bound(pairs: int, certain: int, deviations: float) -> None:
    observed = [(pairs if place == certain else UNSEEN) / (pairs + 4 * UNSEEN) for place in range(5)]
    fitted = with_deviations(observed, deviations)
    found = moments(fitted)
    assert min(fitted) > 0
    assert sum(fitted) == pytest.approx(1, abs=1e-7)
    assert found.mean - 0.5 - deviations * math.sqrt(found.variance) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("model", list(SprtModel))
@pytest.mark.parametrize("counts", [(6, 0, 0, 0, 0), (0, 0, 0, 0, 6), (0, 0, 40, 0, 0), (1, 0, 0, 0, 99)])
@pytest.mark.parametrize("bounds", [(-500, -100), (100, 900), (-2000, 2000), (-5, 0)])
def test_wide_bounds_and_one_sided_results_have_a_ratio(
    bounds: tuple[int, int], counts: tuple[int, ...], model: SprtModel
) -> None:
    test = Sprt(*bounds, model=model)
    ratio = test.log_likelihood_ratio(counts)
    mirrored = Sprt(-bounds[1], -bounds[0], model=model).log_likelihood_ratio(counts[::-1])
    assert math.isfinite(ratio)
    assert mirrored == pytest.approx(-ratio, abs=1e-6)


def test_results_far_beyond_a_bound_are_on_its_side() -> None:
    assert Sprt(-500, -100).verdict((20, 0, 0, 0, 0)) is SprtVerdict.H0
    assert Sprt(100, 500).verdict((0, 0, 0, 0, 20)) is SprtVerdict.H1
    assert Sprt(-500, -100).verdict((0, 0, 0, 0, 20)) is SprtVerdict.H1
    assert Sprt(-500, -100).verdict((0, 0, 1, 0, 0)) is SprtVerdict.CONTINUE


@pytest.mark.parametrize("bounds", [(-1e9, 0), (0, 2001), (math.nan, 3), (0, math.nan)])
def test_bounds_that_no_score_expresses_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(ConfigError, match="both from -2000 to 2000"):
        Sprt(*bounds)


# -- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "upper"),
    [
        (Sprt(0, 10), 2.9444 - 0.5826 * 10 * math.sqrt(2) * math.log(10) / 800),
        (Sprt(0, 40), 2.9444 - 0.5826 * 40 * math.sqrt(2) * math.log(10) / 800),
        (Sprt(-40, 0, alpha=0.01, beta=0.01), 4.5951 - 0.5826 * 40 * math.sqrt(2) * math.log(10) / 800),
        # A pair whose games draw nothing has a deviation of 0.354; bounds take 0.5, and so are never too close.
        (Sprt(0, 10, model=SprtModel.LOGISTIC), 2.9444 - 0.5826 * 2 * (1 / (1 + 10 ** (-10 / 400)) - 0.5)),
    ],
)
def test_bounds_are_those_of_wald_less_the_mean_excess_of_siegmund(test: Sprt, upper: float) -> None:
    assert [test.lower, test.upper] == pytest.approx([-upper, upper], abs=1e-4)


@pytest.mark.parametrize("rate", [0.01, 0.2, 0.49])
@pytest.mark.parametrize("width", [1, 100, 4000])
def test_however_wide_a_test_is_nothing_is_decided_before_the_first_pair(width: int, rate: float) -> None:
    test = Sprt(-width / 2, width / 2, alpha=rate, beta=rate)
    assert test.lower < 0 < test.upper
    assert test.verdict((0, 0, 0, 0, 0)) is SprtVerdict.CONTINUE


@pytest.fixture
def intervals(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module that simulates tests, with likelihoods of its own."""
    pytest.importorskip("numpy")
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "scripts"))
    return importlib.import_module("_measure.rating_intervals")


def test_the_simulated_tests_have_the_ratios_of_the_program(intervals: ModuleType) -> None:
    numpy = pytest.importorskip("numpy")
    test = Sprt(0, 40)
    played = numpy.random.default_rng(1).multinomial(150, intervals.at_bound(20, 0.3), size=40).astype(float)
    ratios = [test.log_likelihood_ratio(counts) for counts in played]
    assert max(ratios) > test.upper and min(ratios) < test.lower
    simulated = intervals.SequentialTests(test)
    assert simulated.exact_ratios(played) == pytest.approx(ratios, abs=1e-6)
    judged = [test.verdict_of(ratio) for ratio in ratios]
    assert [test.verdict_of(ratio) for ratio in simulated.ratios(played)] == judged


@pytest.mark.slow
@pytest.mark.parametrize("end", [0, 1])
def test_errors_are_alpha_and_beta(intervals: ModuleType, end: int) -> None:
    """With the bounds of Wald they are 4.4 and 4.5 %."""
    tests, rng = 4_000, pytest.importorskip("numpy").random.default_rng(1)
    h0, h1, _ = intervals.SequentialTests(Sprt(0, 40)).accepted(rng, tests, intervals.at_bound(40 * end, 0.3))
    assert (h0 if end else h1) / tests == pytest.approx(0.05, abs=0.005)


# -- the order of the schedule ----------------------------------------------------------------------------------------


def outcomes(rng: random.Random, pairs: int, win: float = 0.5) -> list[int]:
    """Return the half points of pairs of games."""
    return [sum(2 * (rng.random() < win) for _ in range(2)) for _ in range(pairs)]


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_which_pairs_end_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)
    played = outcomes(rng, 400, 0.56)
    straight, mixed = (SequentialRun(Sprt(0, 60)) for _ in range(2))
    for number, outcome in enumerate(played):
        straight.add(number, outcome)
    # With 32 at once, those that are won end first.
    for number in sorted(range(400), key=lambda number: number + 32 * (played[number] < 4) * rng.random()):
        mixed.add(number, played[number])
    assert (mixed.verdict, mixed.counts) == (straight.verdict, straight.counts)
    assert mixed.log_likelihood_ratio == straight.log_likelihood_ratio


def test_a_pair_waits_for_the_earlier_ones() -> None:
    run = SequentialRun(Sprt(0, 10))
    run.add(1, 4)
    assert (run.counts, run.waiting) == ([0, 0, 0, 0, 0], 1)
    run.add(0, None)
    assert (run.counts, run.waiting) == ([0, 0, 0, 0, 1], 0)


def test_nothing_counts_after_the_verdict() -> None:
    run = SequentialRun(Sprt(-100, 100))
    for number in range(60):
        run.add(number, 4)
    assert run.verdict is SprtVerdict.H1
    judged = list(run.counts)
    assert sum(judged) < 60
    for number in range(60, 200):
        run.add(number, 0)
    assert (run.verdict, run.counts) == (SprtVerdict.H1, judged)


@pytest.mark.parametrize("seed", range(6))
def test_judgements_that_are_left_out_could_not_have_ended_the_test(seed: int) -> None:
    test = Sprt(0, 20, model=list(SprtModel)[seed % 2])
    played = outcomes(random.Random(seed), 500, (0.5, 0.52, 0.54)[seed % 3])
    run, counts = SequentialRun(test), [0] * 5
    for number, outcome in enumerate(played):
        run.add(number, outcome)
        if run.verdict is SprtVerdict.CONTINUE:
            counts[outcome] += 1
            if number % 3 == 0:
                assert test.verdict(counts) is SprtVerdict.CONTINUE
