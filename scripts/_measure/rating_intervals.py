"""How often the interval of a rating covers the rating, in simulated matches of players whose ratings are known.

All pairings of a round play its opening, and an opening suits some players better than others, so their results in a
round hang together. Intervals that take every pair of games for itself are printed beside those by opening.
"""

from __future__ import annotations

import argparse
import random
from itertools import combinations

from othello_bot.arena.statistics import PairScore, ratings, ratings_by_opening, score_of_elo
from othello_bot.base.notation import integer

PLAYERS = (120.0, 40.0, -30.0, -130.0)
"""The ratings of the players; their mean is 0."""

SUITED = 1.0
"""How much an opening may suit a player, as a share of how far a score can move."""


def simulated(rng: random.Random, openings: int) -> list[list[PairScore]]:
    """Return the pairs of a round robin in which each opening suits the players and the colours differently.

    On average over all openings, scores are exactly those of the ratings.
    """
    found = []
    for _ in range(openings):
        suits = [rng.uniform(-1, 1) for _ in PLAYERS]
        black = rng.uniform(-1, 1)
        pairs = []
        for i, j in combinations(range(len(PLAYERS)), 2):
            mean = score_of_elo(PLAYERS[i] - PLAYERS[j])
            part = min(mean, 1 - mean)
            share = mean + SUITED * part * (suits[i] - suits[j]) / 2
            tilt = 0.5 * min(share, 1 - share) * black
            points = (rng.random() < share + tilt) + (rng.random() < share - tilt)
            pairs.append((i, j, points / 2))
        found.append(pairs)
    return found


def coverage(matches: int, openings: int, samples: int, seed: int = 1) -> tuple[float, float]:
    """Return the shares of intervals that cover the rating: by opening, and by pair."""
    rng = random.Random(seed)
    by_opening = by_pair = 0
    for _ in range(matches):
        played = simulated(rng, openings)
        results: dict[tuple[int, int], list[float]] = {}
        for pairs in played:
            for i, j, score in pairs:
                results.setdefault((i, j), [0.0] * 5)[round(4 * score)] += 1
        for found, rating, other in zip(
            ratings_by_opening(len(PLAYERS), played, samples=samples),
            PLAYERS,
            ratings(len(PLAYERS), results),
            strict=True,
        ):
            by_opening += abs(found.elo - rating) <= found.error
            by_pair += abs(other.elo - rating) <= other.error
    intervals = matches * len(PLAYERS)
    return by_opening / intervals, by_pair / intervals


def main() -> int:
    """Print the shares for several lengths of a match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=integer(1), default=1000, help="simulated matches of each length (1000)")
    parser.add_argument(
        "--openings", type=integer(1), nargs="+", default=[20, 50, 200], help="their lengths (20 50 200)"
    )
    parser.add_argument("--samples", type=integer(1), default=300, help="samples of each bootstrap (300)")
    args = parser.parse_args()
    for openings in args.openings:
        by_opening, by_pair = coverage(args.matches, openings, args.samples)
        told = f"by opening {100 * by_opening:.1f} %, by pair {100 * by_pair:.1f} %"
        print(f"{args.matches} matches of {openings} openings: intervals that cover the rating: {told}", flush=True)
    return 0
