"""Tuning: features, correlation, climbing and breeding."""

from __future__ import annotations

import pytest

from othello_bot.strategies.board import ALL_SQUARES, EMPTY, legal_moves
from othello_bot.strategies.evaluations import weighted_squares
from othello_bot.strategies.tuning import (
    BOOK_WEIGHTS,
    CLASSES,
    LARGEST_WEIGHT,
    Weights,
    backed_up_values,
    climb_with_search,
    correlation,
    correlation_fitness,
    evolve,
    hill_climb,
    linear_evaluation,
    random_population,
    random_samples,
    square_class,
)

TARGET: Weights = (100, -30, 20, 10, -50, 0, 0, 5, 0, 0)


def closeness(weights: Weights) -> float:
    """Return a fitness whose only maximum is at TARGET."""
    return -sum((own - target) ** 2 for own, target in zip(weights, TARGET, strict=True))


def test_ten_kinds_of_squares_cover_the_board() -> None:
    sizes = [sum(square_class(square) == kind for square in ALL_SQUARES) for kind in range(len(CLASSES))]
    assert sizes == [4, 8, 8, 8, 4, 8, 8, 4, 8, 4]
    assert BOOK_WEIGHTS == (120, -20, 20, 5, -40, -5, -5, 15, 3, 3)


def test_the_books_weights_give_the_weighted_squares() -> None:
    for player, board in random_samples(20, seed=1):
        assert linear_evaluation(BOOK_WEIGHTS)(player, board) == weighted_squares(player, board)


def test_samples_are_positions_with_a_move() -> None:
    samples = random_samples(20, seed=2, first_move=10, last_move=44)
    assert all(legal_moves(*sample) for sample in samples)
    assert all(10 <= 60 - board.count(EMPTY) <= 44 for _, board in samples)
    assert samples == random_samples(20, seed=2)


def test_correlation_of_an_evaluation_with_itself_is_one() -> None:
    samples = random_samples(30, seed=3)
    static = [weighted_squares(*sample) for sample in samples]
    assert backed_up_values(samples, weighted_squares, 0) == static
    assert correlation_fitness(samples, static)(BOOK_WEIGHTS) == 1.0
    assert correlation_fitness(samples, static)(tuple(-weight for weight in BOOK_WEIGHTS)) == -1.0
    assert correlation_fitness(samples, static)((0,) * 10) == 0.0
    assert correlation([1.0, 2.0, 4.0], [1.0, 0.0, 1.0]) == pytest.approx(0.1889822365)


def test_hill_climbing_climbs() -> None:
    weights, value = hill_climb((0,) * 10, closeness, steps=400, seed=1)
    assert value == closeness(weights) > closeness((0,) * 10) / 20
    assert hill_climb(TARGET, closeness, steps=50) == (TARGET, 0)


def test_climbing_with_search_improves_the_correlation() -> None:
    samples = random_samples(30, seed=5)
    flat = (1,) * 10
    backed_up = backed_up_values(samples, linear_evaluation(flat), 2)
    before = correlation_fitness(samples, backed_up)(flat)
    weights, value = climb_with_search(flat, samples, depth=2, rounds=1, steps=60)
    assert value > before
    assert correlation_fitness(samples, backed_up)(weights) == value


def test_breeding_finds_better_candidates_and_keeps_the_best() -> None:
    population = random_population(12, seed=7)
    assert all(abs(weight) <= LARGEST_WEIGHT for candidate in population for weight in candidate)
    start = max(map(closeness, population))
    values = [evolve(population, closeness, generations, seed=2)[1] for generations in (0, 5, 20, 60)]
    assert values[0] == start
    assert values == sorted(values) and values[-1] > start / 4
    best, value = evolve([*population, TARGET], closeness, generations=3)
    assert (best, value) == (TARGET, 0)


def test_a_population_needs_parents() -> None:
    with pytest.raises(ValueError, match="expected 4 candidates"):
        evolve(random_population(3), closeness, 1)
