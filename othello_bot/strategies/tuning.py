"""Learning weights: hill-climbing and a small genetic search.

After "Paradigms of Artificial Intelligence Programming", section 18.13, and A. Samuel's checkers program (1959) before
it: the evaluation of a position should agree with the result of a search from that position. So an evaluation is judged
without playing games, by the correlation of its static values with backed-up ones over many positions.

The weights of the squares are tuned: ten numbers, one for each class of squares under the symmetries of the board.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence
from typing import Final

from othello_bot.strategies.board import ALL_SQUARES, Board, Player, Square, opponent
from othello_bot.strategies.evaluations import LOSING_VALUE, WEIGHTS, WINNING_VALUE, Evaluation
from othello_bot.strategies.referee import random_opening
from othello_bot.strategies.searchers import alpha_beta

Weights = tuple[int, ...]
"""The weight of each class of squares, in the order of CLASSES."""
Sample = tuple[Player, Board]
"""A position: the player to move and the board."""
Fitness = Callable[[Weights], float]
"""The quality of weights; larger is better."""

CLASSES: Final = (11, 12, 13, 14, 22, 23, 24, 33, 34, 44)
"""A square of each class: corner, C, A, B, X, and those further inside."""

BOOK_WEIGHTS: Final[Weights] = tuple(WEIGHTS[square] for square in CLASSES)
"""The weights of the book, 120 for the corner and so on."""

LARGEST_WEIGHT: Final = 200
"""Limit of the absolute value of a weight; the common scale of all weights has no meaning."""

STEP: Final = 20
"""The largest change of a weight in one step."""

ELITE: Final = 2
"""Candidates that survive a generation unchanged, so that the best is never lost."""

MUTATION_CHANCE: Final = 0.2
"""The chance of a change in each weight of a new candidate."""


def square_class(square: Square) -> int:
    """Return the class of a square as an index into CLASSES.

    >>> square_class(11), square_class(88), square_class(27), square_class(56)
    (0, 0, 4, 8)
    """
    row, column = divmod(square, 10)
    near, far = sorted((min(row, 9 - row), min(column, 9 - column)))
    return CLASSES.index(10 * near + far)


_CLASS_OF: Final = {square: square_class(square) for square in ALL_SQUARES}


def features(player: Player, board: Board) -> tuple[int, ...]:
    """Return, for each class of squares, the player's discs on it minus the opponent's.

    >>> from othello_bot.strategies.board import BLACK, initial_board, make_move, square_of
    >>> features(BLACK, make_move(square_of("d3"), BLACK, initial_board()))
    (0, 0, 0, 0, 0, 0, 0, 0, 1, 2)
    """
    counts = [0] * len(CLASSES)
    other = opponent(player)
    for square, kind in _CLASS_OF.items():
        if board[square] == player:
            counts[kind] += 1
        elif board[square] == other:
            counts[kind] -= 1
    return tuple(counts)


def linear_evaluation(weights: Weights) -> Evaluation:
    """Return the evaluation with these weights; BOOK_WEIGHTS give the weighted squares of the book."""

    def evaluate(player: Player, board: Board) -> int:
        return _dot(weights, features(player, board))

    return evaluate


def random_samples(count: int, seed: int = 0, first_move: int = 10, last_move: int = 44) -> list[Sample]:
    """Return positions of random games after a random number of moves within limits, in which the player to move has a
    move.
    """
    rng = random.Random(seed)
    samples: list[Sample] = []
    while len(samples) < count:
        board, player = random_opening(rng.randint(first_move, last_move), rng)
        samples.append((player, board))
    return samples


def backed_up_values(samples: Sequence[Sample], evaluate: Evaluation, depth: int) -> list[int]:
    """Return the value of alpha-beta for each sample from the view of the player to move.

    The value of a game that ends within the search is limited to the largest possible evaluation, so that a few won
    games do not dominate.
    """
    limit = LARGEST_WEIGHT * len(ALL_SQUARES)
    values = [
        alpha_beta(player, board, LOSING_VALUE, WINNING_VALUE, depth, evaluate)[0] for player, board in samples
    ]
    return [max(-limit, min(limit, value)) for value in values]


def correlation(static: Sequence[float], backed_up: Sequence[float]) -> float:
    """Return the correlation coefficient of two series, 0 if one of them is constant.

    >>> correlation([1, 2, 3], [2, 4, 6]), correlation([1, 2, 3], [3, 3, 3])
    (1.0, 0.0)
    """
    if len(set(static)) < 2 or len(set(backed_up)) < 2:
        return 0.0
    return round(statistics.correlation(static, backed_up), 12)


def correlation_fitness(samples: Sequence[Sample], backed_up: Sequence[int]) -> Fitness:
    """Return the fitness function of weights: the correlation of their static values with the backed-up ones."""
    counted = [features(player, board) for player, board in samples]

    def fitness(weights: Weights) -> float:
        return correlation([_dot(weights, counts) for counts in counted], backed_up)

    return fitness


def hill_climb(weights: Weights, fitness: Fitness, steps: int, seed: int = 0) -> tuple[Weights, float]:
    """Change one weight at random, keep the change if it is better, and repeat; return the weights and their fitness.

    The result is never worse than the start.
    """
    rng = random.Random(seed)
    best = fitness(weights)
    for _ in range(steps):
        candidate = _mutated(weights, rng.randrange(len(weights)), rng)
        value = fitness(candidate)
        if value > best:
            weights, best = candidate, value
    return weights, best


def climb_with_search(
    weights: Weights, samples: Sequence[Sample], depth: int, rounds: int, steps: int, seed: int = 0
) -> tuple[Weights, float]:
    """Climb in rounds; each begins with new backed-up values from a search with the weights reached so far."""
    value = math.nan
    for number in range(rounds):
        backed_up = backed_up_values(samples, linear_evaluation(weights), depth)
        weights, value = hill_climb(weights, correlation_fitness(samples, backed_up), steps, seed + number)
    return weights, value


def evolve(
    population: Sequence[Weights], fitness: Fitness, generations: int, seed: int = 0
) -> tuple[Weights, float]:
    """Return the best candidate after some generations of a genetic search, and its fitness.

    In each generation the worse half is eliminated, and the better half mates: a child takes each weight from one
    parent or the other, and occasionally a weight changes at random. The best candidates always survive. The population
    needs at least four candidates; ValueError otherwise.
    """
    if len(population) < 4:
        raise ValueError(f"population of {len(population)}: expected 4 candidates or more")
    rng = random.Random(seed)
    candidates = sorted(population, key=fitness, reverse=True)
    for _ in range(generations):
        parents = candidates[: max(2, len(candidates) // 2)]
        children = []
        for _ in range(len(candidates) - ELITE):
            mother, father = rng.sample(parents, 2)
            children.append(_child(mother, father, rng))
        candidates = sorted([*candidates[:ELITE], *children], key=fitness, reverse=True)
    return candidates[0], fitness(candidates[0])


def random_population(size: int, seed: int = 0) -> list[Weights]:
    """Return random candidates as the start of a genetic search."""
    rng = random.Random(seed)
    return [tuple(rng.randint(-LARGEST_WEIGHT, LARGEST_WEIGHT) for _ in CLASSES) for _ in range(size)]


def _child(mother: Weights, father: Weights, rng: random.Random) -> Weights:
    """Return a mixture of two candidates, possibly with mutations."""
    child: Weights = tuple(rng.choice(pair) for pair in zip(mother, father, strict=True))
    for index in range(len(child)):
        if rng.random() < MUTATION_CHANCE:
            child = _mutated(child, index, rng)
    return child


def _mutated(weights: Weights, index: int, rng: random.Random) -> Weights:
    """Return the weights with one of them changed by at most STEP."""
    changed = weights[index] + rng.choice((-1, 1)) * rng.randint(1, STEP)
    bounded = max(-LARGEST_WEIGHT, min(LARGEST_WEIGHT, changed))
    return (*weights[:index], bounded, *weights[index + 1 :])


def _dot(weights: Weights, counts: Sequence[int]) -> int:
    """Return the sum of the products."""
    return sum(weight * count for weight, count in zip(weights, counts, strict=True))
