"""Ratings on the scale of anchors: exact where the result is known, and covered where it is simulated."""

from __future__ import annotations

import math
import random

import pytest

from othello_bot.arena.statistics import ratings, score_of_elo

THREE_QUARTERS = (0, 0, 400, 0, 400)


def test_all_ratings_are_told_on_the_scale_of_the_anchor() -> None:
    free = ratings(3, {(0, 1): THREE_QUARTERS, (1, 2): THREE_QUARTERS})
    fixed = ratings(3, {(0, 1): THREE_QUARTERS, (1, 2): THREE_QUARTERS}, {1: 1500.0})
    assert fixed[1].elo == 1500 and fixed[1].error == 0
    for player in (0, 2):
        assert fixed[player].elo - 1500 == pytest.approx(free[player].elo - free[1].elo, abs=1e-3)
        assert 0 < fixed[player].error < math.inf


def test_a_player_between_two_anchors_is_where_its_points_are_expected() -> None:
    found = ratings(3, {(0, 1): (100, 0, 800, 0, 100), (1, 2): (100, 0, 800, 0, 100)}, {0: 1700.0, 2: 1500.0})
    assert [found[0].elo, found[2].elo] == [1700, 1500]
    assert found[1].elo == pytest.approx(1600, abs=0.01)


def test_whoever_has_no_games_with_an_anchor_has_no_interval() -> None:
    found = ratings(5, {(0, 1): THREE_QUARTERS, (2, 3): THREE_QUARTERS}, {0: 1500.0})
    assert [math.isinf(rating.error) for rating in found] == [False, False, True, True, True]


def test_the_intervals_cover_known_ratings() -> None:
    rng = random.Random(1)
    true = (1500.0, 1560.0, 1420.0)
    covered = 0
    for _ in range(300):
        results: dict[tuple[int, int], list[float]] = {}
        for i, j in ((0, 1), (0, 2), (1, 2)):
            counts = results.setdefault((i, j), [0.0] * 5)
            for _ in range(60):
                counts[2 * sum(rng.random() < score_of_elo(true[i] - true[j]) for _ in range(2))] += 1
        found = ratings(3, results, {0: true[0]})
        covered += sum(abs(found[player].elo - true[player]) <= found[player].error for player in (1, 2))
    assert 0.93 <= covered / 600 <= 0.97
