"""The learning experiment: weights found by hill-climbing and by a genetic search, judged on unseen positions."""

from __future__ import annotations

import time

from _textbook.experiment import Experiment, Findings, Table, Unit, points, rate
from _textbook.store import Store, Values
from othello_bot.strategies.evaluations import modified_weighted_squares, weighted_squares
from othello_bot.strategies.referee import random_series
from othello_bot.strategies.searchers import killer_searcher
from othello_bot.strategies.tuning import (
    BOOK_WEIGHTS,
    Weights,
    backed_up_values,
    climb_with_search,
    correlation_fitness,
    evolve,
    hill_climb,
    linear_evaluation,
    random_population,
    random_samples,
)

FLAT: Weights = (1,) * len(BOOK_WEIGHTS)
SEARCH_DEPTH = 3
METHODS = ("the book's weights", "hill-climbing by its own search", "hill-climbing", "breeding")
POPULATION = 24


def learning(runs: int, samples: int, steps: int) -> Experiment:
    """Learn weights by each method; measure their correlation on fresh positions and their games against the book's
    weights.

    Backed-up values come from a search with the modified weighted squares, which is none of the candidates.
    """

    def unit(method: str, run: int) -> Unit:
        def work() -> Values:
            begin = time.process_time()
            seen = random_samples(samples, seed=run)
            fresh = random_samples(samples, seed=10_000 + run)
            if method == METHODS[0]:
                weights = BOOK_WEIGHTS
            elif method == METHODS[1]:
                rounds = 3
                weights, _ = climb_with_search(FLAT, seen, SEARCH_DEPTH - 1, rounds, steps // rounds, seed=run)
            else:
                fitness = correlation_fitness(seen, backed_up_values(seen, modified_weighted_squares, SEARCH_DEPTH))
                if method == METHODS[2]:
                    weights, _ = hill_climb(FLAT, fitness, steps, seed=run)
                else:
                    weights, _ = evolve(random_population(POPULATION, run), fitness, steps // POPULATION, seed=run)
            seconds = time.process_time() - begin
            judges = [
                correlation_fitness(positions, backed_up_values(positions, modified_weighted_squares, SEARCH_DEPTH))
                for positions in (seen, fresh)
            ]
            own, book = killer_searcher(2, linear_evaluation(weights)), killer_searcher(2, weighted_squares)
            scores = random_series(own, book, pairs=5, seed=run).scores if weights != BOOK_WEIGHTS else ()
            return {
                "weights": weights,
                "seen": judges[0](weights),
                "fresh": judges[1](weights),
                "scores": scores,
                "seconds": seconds,
            }

        return Unit(f"{method} {samples} {steps} {run}", method, work)

    units = [unit(method, run) for run in range(runs) for method in METHODS]

    def findings(store: Store) -> Findings:
        rows = []
        for method in METHODS:
            found = [
                values
                for run in range(runs)
                if (values := store.get("learning", f"{method} {samples} {steps} {run}")) is not None
            ]
            if not found:
                continue
            scores = [score for values in found for score in values["scores"]]
            best = max(found, key=lambda values: values["fresh"])
            rows.append(
                [
                    method,
                    str(len(found)),
                    *(f"{sum(values[what] for values in found) / len(found):.3f}" for what in ("seen", "fresh")),
                    rate(points(scores), len(scores)),
                    " ".join(map(str, best["weights"])),
                    f"{sum(values['seconds'] for values in found) / len(found):.1f}",
                ]
            )
        text = (
            f"{samples} positions, {steps} candidates a run. Hill-climbing begins with equal weights, breeding with "
            "random ones. One method fits the values that its own weights find by search, as Samuel's did; the others "
            f"fit those that the modified weighted squares find in {SEARCH_DEPTH} plies. The correlations are with the "
            "latter, on the positions used and on fresh ones. Games are played at depth 2 against the book's weights. "
            "The weights shown are those of the best run, in the order corner, C, A, B, X and inwards."
        )
        head = ["method", "runs", "correlation, seen", "correlation, fresh", "won against the book's", "weights", "s"]
        return Findings([Table(head, rows, text)])

    theirs = "no numbers; Norvig prefers the correlation to games because every position tells something."
    return Experiment("learning", "Learning weights", theirs, units, findings)
