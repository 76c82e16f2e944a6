"""Measure how long the review of a game takes on one core: the figures of docs/reviewing.md.

scripts/measure review-time [--level N] [--games N]: the games begin with the built-in openings and are
played between two low levels, so that some moves lose discs. Processor time is measured, which other programs disturb
less than time by the clock; `analyze` with the same level is measured beside it with --analyze.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import time
from collections.abc import Callable
from functools import partial

from othello_bot.arena.config import OpeningConfig
from othello_bot.arena.openings import load
from othello_bot.base.notation import integer
from othello_bot.engine import Limits, Options, SearchRequest, SearchResult
from othello_bot.review import review_game
from othello_bot.review.engines import Engine
from othello_bot.rules import Game

LEVELS = (6, 4)
"""Levels of the two players of each game."""


def played_game(engine: Engine, number: int) -> Game:
    """Return a game from an opening to its end; the players change colours from game to game."""
    opening = load(OpeningConfig(), seed=1).of_round(number)
    game = Game(opening.start)
    game.play_moves(opening.moves)
    while not game.is_over:
        engine.clear()
        game.play(engine.search(game, Limits(level=LEVELS[(game.ply + number) % 2])).move)
    return game


class CountingEngine(Engine):
    """An engine that counts the positions that it visits."""

    nodes = 0

    def answer(self, request: SearchRequest, asked_at_s: float | None = None) -> SearchResult:
        """Search what a request asks for, and count."""
        result = super().answer(request, asked_at_s)
        self.nodes += result.nodes
        return result

    def measured(self, work: Callable[[], object]) -> tuple[float, int]:
        """Return the seconds of processor time and the positions of a piece of work."""
        began, self.nodes = time.process_time(), 0
        work()
        return time.process_time() - began, self.nodes


def main() -> int:
    """Print a row for each game, and the mean and the largest time."""
    parser = argparse.ArgumentParser(description="measure how long the review of a game takes on one core")
    parser.add_argument("--level", type=integer(1), default=16, metavar="N", help="level of the review (16)")
    parser.add_argument("--games", type=integer(1), default=10, metavar="N", help="number of games (10)")
    parser.add_argument("--analyze", action="store_true", help="measure analyze with the same level as well")
    args = parser.parse_args()
    times: list[float] = []
    with contextlib.closing(CountingEngine(Options(hash=64, book=False))) as engine:
        review_game(engine, played_game(engine, 0), 1)  # loads the evaluation
        for number in range(args.games):
            game = played_game(engine, number)
            used_s, nodes = engine.measured(partial(review_game, engine, game, args.level))
            times.append(used_s)
            row = f"game {number + 1}: {game.ply} moves, review {used_s:.2f} s, {nodes / 1e6:.1f} million positions"
            if args.analyze:
                limits = Limits(level=args.level)
                used_s, nodes = engine.measured(partial(engine.analyze, game, limits))
                row += f"; analyze {used_s:.2f} s, {nodes / 1e6:.1f} million"
            print(row, flush=True)
    mean_s = statistics.mean(times)
    print(f"level {args.level}: mean {mean_s:.2f} s, largest {max(times):.2f} s of processor time a game")
    return 0
