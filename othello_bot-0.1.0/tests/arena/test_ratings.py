"""Ratings of several players: against slow computations with NumPy and SciPy, one-sided results, groups and anchors."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from othello_bot.arena.pentanomial import score_of_elo
from othello_bot.arena.ratings import UNKNOWN, Pairing, Rating, inverse, ratings
from othello_bot.arena.statistics import FEW, OpeningScore, elo
from tests.arena.builders import on_openings

Played = list[dict[Pairing, OpeningScore]]


def played(rng: random.Random, truth: Mapping[int, float], pairings: list[Pairing], openings: int) -> Played:
    """Return pairs of games on openings that favour one colour and suit some players; they are played by all pairings."""
    found: Played = []
    for _ in range(openings):
        suits, bias = {player: rng.gauss(0, 60) for player in truth}, rng.gauss(0, 80)
        opening = {}
        for i, j in pairings:
            difference = truth[i] + suits[i] - truth[j] - suits[j]
            points = [rng.random() < score_of_elo(difference + way * bias) for way in (1, -1)]
            opening[i, j] = OpeningScore(2, sum(points))
        found.append(opening)
    return found


ROUND_ROBIN = list(combinations(range(4), 2))
TRUTH = {0: 150.0, 1: 30.0, 2: -60.0, 3: -120.0}


def slow(openings: Played, players: int) -> Any:
    """Return SciPy's ratings (their mean is 0), and the function that is twice the profile's loss of log-likelihood."""
    numpy, optimize = pytest.importorskip("numpy"), pytest.importorskip("scipy.optimize")
    games = [(i, j, score.games, score.points) for opening in openings for (i, j), score in opening.items()]
    columns = [numpy.array(column) for column in zip(*games, strict=True)]

    def loss(elos: Any) -> float:
        first, second, number, points = columns
        x = (elos[first] - elos[second]) * math.log(10) / 400
        lost: float = (number * numpy.logaddexp(0, x) - points * x).sum()
        return lost

    def fitted(fixed: Mapping[int, float]) -> Any:
        """Return the best ratings with some of them fixed, up to a common shift."""
        free = [player for player in range(players) if player not in fixed]

        def all_of(part: Any) -> Any:
            elos = numpy.zeros(players)
            elos[free] = part
            for player, value in fixed.items():
                elos[player] = value
            # The mean of all is 0, which the fixed ones are relative to.
            return elos

        found = optimize.minimize(lambda part: loss(all_of(part)), numpy.zeros(len(free)), method="BFGS", tol=1e-9)
        return all_of(found.x)

    return fitted, loss


@pytest.mark.parametrize("seed", [1, 2])
def test_ratings_are_the_most_likely_ones(seed: int) -> None:
    openings = played(random.Random(seed), TRUTH, ROUND_ROBIN, 12)
    fitted, _ = slow(openings, 4)
    best = fitted({0: 0.0})
    found = ratings(4, openings)
    assert [one.elo for one in found] == pytest.approx(list(best - best.mean()), abs=0.05)
    fixed = ratings(4, openings, {2: 1500.0})
    assert [one.elo for one in fixed] == pytest.approx(list(best - best[2] + 1500), abs=0.05)


def test_no_prior_pulls_ratings_together() -> None:
    """One point in two hundred games tells of a large difference, between two anchors as well."""
    won = [{(0, 1): OpeningScore(2, 2 - (number == 0))} for number in range(100)]
    assert ratings(2, won)[0].elo * 2 == pytest.approx(400 * math.log10(199))
    between = [{(0, 1): OpeningScore(2, 0.5), (1, 2): OpeningScore(2, 1)}]
    fitted, _ = slow(between, 3)
    assert ratings(3, between, {0: 1000.0, 2: 0.0})[1].elo == pytest.approx(fitted({0: 1000.0, 2: 0.0})[1], abs=0.05)


@pytest.mark.slow
def test_intervals_are_those_of_the_profile_likelihood_scaled_by_the_openings() -> None:
    """The sandwich by NumPy's matrices, and each end where SciPy's fit of the others has lost as much as it may."""
    numpy, stats = pytest.importorskip("numpy"), pytest.importorskip("scipy.stats")
    openings = played(random.Random(3), TRUTH, ROUND_ROBIN, 30)
    fitted, loss = slow(openings, 4)
    best = fitted({3: 0.0})
    scale = math.log(10) / 400
    information, gradients = numpy.zeros((4, 4)), numpy.zeros((30, 4))
    for number, opening in enumerate(openings):
        for (i, j), score in opening.items():
            expected = score_of_elo(best[i] - best[j])
            way = numpy.eye(4)[i] - numpy.eye(4)[j]
            information += score.games * expected * (1 - expected) * scale**2 * numpy.outer(way, way)
            gradients[number] += (score.points - score.games * expected) * scale * way
    covariance = numpy.linalg.pinv(information)
    sandwich = covariance @ (gradients.T @ gradients) @ covariance * 30 / 29
    anchored = ratings(4, openings, {3: 0.0})
    free = ratings(4, openings)
    quantile = stats.t.ppf(0.975, 29)
    for player in range(3):
        # Relative to the anchor, variances are those of differences.
        way = numpy.eye(4)[player] - numpy.eye(4)[3]
        ratio = (way @ sandwich @ way) / (way @ covariance @ way)
        for end in (anchored[player].low, anchored[player].high):
            lost = 2 * (loss(fitted({3: 0.0, player: end})) - loss(best))
            assert lost == pytest.approx(quantile**2 * ratio, rel=0.04)
        width = free[player].high - free[player].low
        assert width == pytest.approx(2 * quantile * math.sqrt(sandwich[player, player]), rel=0.03)


def test_two_players_have_half_of_their_difference_each() -> None:
    scores = on_openings((2, 5, 20, 12, 6))
    difference = elo(scores)
    first, second = ratings(2, [{(0, 1): one} for one in scores])
    assert (first.elo, first.low, first.high) == pytest.approx(
        (difference.value / 2, difference.low / 2, difference.high / 2)
    )
    assert (second.elo, second.low, second.high) == pytest.approx((-first.elo, -first.high, -first.low))


def test_the_order_in_which_engines_are_given_changes_nothing() -> None:
    openings = played(random.Random(4), TRUTH, ROUND_ROBIN, 15)
    turned: Played = [
        {(3 - i, 3 - j): OpeningScore(one.games, one.points) for (i, j), one in opening.items()} for opening in openings
    ]
    for one, other in zip(ratings(4, openings), reversed(ratings(4, turned)), strict=True):
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high))


def test_openings_that_decide_everything_are_the_units() -> None:
    """Ten openings that A wins against all, ten that it loses against all: its games tell of 20 openings, not of 60."""
    shared: Played = [{(0, j): OpeningScore(2, 2.0 * (number % 2)) for j in (1, 2, 3)} for number in range(20)]
    apart: Played = [{(0, j): OpeningScore(2, 2.0 * (number % 2))} for number in range(20) for j in (1, 2, 3)]
    together, alone = ratings(4, shared)[0], ratings(4, apart)[0]
    assert together.elo == pytest.approx(alone.elo)
    assert together.high == pytest.approx(alone.high * math.sqrt(3), rel=0.15)


# -- one-sided results ------------------------------------------------------------------------------------------------


def test_one_who_lost_everything_has_a_bound_and_the_others_do_not_suffer() -> None:
    openings = played(random.Random(5), TRUTH, ROUND_ROBIN, 40)
    alone = ratings(4, openings)
    for opening in openings:
        opening |= {(player, 4): OpeningScore(2, 2.0) for player in range(4)}
    found = ratings(5, openings)
    assert found[:4] == alone
    loser = found[4]
    assert (loser.elo, loser.low) == (-math.inf, -math.inf)
    # At the bound, and with the opponents as far down as their error allows, it loses all once in forty matches.
    chance = math.prod(score_of_elo(one.elo - loser.high) ** 40 for one in alone)
    assert 0.001 < chance < 0.025
    for opening in openings:
        opening |= {(player, 4): OpeningScore(2, 0.0) for player in range(4)}
    winner = ratings(5, openings)[4]
    assert (winner.elo, winner.high) == (math.inf, math.inf)
    assert 0.001 < math.prod(score_of_elo(winner.low - one.elo) ** 40 for one in alone) < 0.025


def test_a_winner_against_two_that_never_met() -> None:
    """A gauntlet that its first engine wins without losing a point: bounds relative to it, and no false interval."""
    openings: Played = [{(0, 1): OpeningScore(2, 2.0), (0, 2): OpeningScore(2, 2.0)} for _ in range(5)]
    five, *others = ratings(3, openings)
    assert five == Rating(0.0, 0.0, 0.0)
    for one in others:
        assert (one.elo, one.low) == (-math.inf, -math.inf)
        assert score_of_elo(-one.high) ** 5 == pytest.approx(0.05)


def test_whoever_met_only_others_without_a_rating_is_unknown() -> None:
    chain: Played = [{(0, 1): OpeningScore(2, 2.0), (1, 2): OpeningScore(2, 2.0)} for _ in range(20)]
    found = ratings(3, chain)
    assert [one.elo for one in found] == [math.inf, 0.0, -math.inf]
    longer: Played = [{**one, (2, 3): OpeningScore(2, 2.0), (1, 4): OpeningScore(2, 1.0)} for one in chain]
    assert ratings(5, longer)[3].why == UNKNOWN


def test_one_that_lost_to_ratings_without_an_interval_has_none() -> None:
    openings: Played = [
        {(0, 1): OpeningScore(2, number % 3 / 1.0), (0, 2): OpeningScore(2, 2.0)} for number in range(6)
    ]
    found = ratings(3, openings)
    assert [one.why for one in found] == [FEW] * 3
    assert found[2].elo == -math.inf and found[2].high == math.inf


# -- groups and anchors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(4, 13, 2))
def test_groups_that_never_met_have_scales_of_their_own(players: int) -> None:
    met: Played = [
        {(first, first + 1): OpeningScore(2, (number + first) % 3) for first in range(0, players, 2)}
        for number in range(30)
    ]
    found = ratings(players, met)
    assert sorted({one.group for one in found}) == list(range(players // 2))
    for first in range(0, players, 2):
        assert found[first].group == found[first + 1].group
        assert found[first].elo == pytest.approx(-found[first + 1].elo)
        assert found[first].why == ""


def test_anchors_connect_their_groups_and_no_others() -> None:
    halves: Played = [
        {pairing: OpeningScore(2, (number + place) % 3) for place, pairing in enumerate([(0, 1), (2, 3), (4, 5)])}
        for number in range(30)
    ]
    found = ratings(6, halves, {0: 1500.0, 3: 1000.0})
    assert [one.group for one in found] == [0, 0, 0, 0, 1, 1]
    assert (found[0].low, found[0].high) == (1500.0, 1500.0)
    assert found[1].low < found[1].elo < found[1].high
    assert found[4].elo == pytest.approx(-found[5].elo)


def test_a_player_between_two_anchors_is_where_its_points_are_expected() -> None:
    drawn: Played = [
        {(0, 1): OpeningScore(2, 1 + (-1) ** number / 2), (1, 2): OpeningScore(2, 1)} for number in range(40)
    ]
    found = ratings(3, drawn, {0: 1700.0, 2: 1500.0})
    assert found[1].elo == pytest.approx(1600, abs=0.01)


def test_one_that_lost_to_an_anchor_alone_is_bounded_by_chance_alone() -> None:
    lost: Played = [{(0, 1): OpeningScore(2, 2.0)} for _ in range(30)]
    anchor, loser = ratings(2, lost, {0: 1500.0})
    assert score_of_elo(anchor.elo - loser.high) ** 30 == pytest.approx(0.05)


def test_one_without_games_is_unknown() -> None:
    found = ratings(3, played(random.Random(6), {0: 0.0, 1: 0.0}, [(0, 1)], 20))
    assert math.isnan(found[2].elo) and found[2].why == UNKNOWN
    assert math.isnan(ratings(1, [])[0].elo)


@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_a_matrix_is_inverted(size: int) -> None:
    numpy, rng = pytest.importorskip("numpy"), random.Random(size)
    matrix = [[rng.uniform(-5, 5) for _ in range(size)] for _ in range(size)]
    assert numpy.allclose(inverse(matrix), numpy.linalg.inv(matrix))


def test_most_intervals_cover_the_rating() -> None:
    """A round robin of four; `scripts/measure rating-intervals` does the same for many kinds of matches."""
    covered = 0
    for seed in range(60):
        rng = random.Random(seed)
        found = ratings(4, played(rng, TRUTH, ROUND_ROBIN, 20))
        covered += sum(one.low <= TRUTH[player] <= one.high for player, one in enumerate(found))
    assert 0.92 <= covered / 240 <= 0.985
