"""Step 5, the gate: a new function takes the place of the shipped one only where it wins a sequential test.

Both have the same time for every move, and both sides of every opening.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from othello_bot.arena.sprt import Sprt, Verdict
from othello_bot.kernel import board
from othello_bot.kernel.searcher import Searcher
from othello_bot.learning.labels import FULL_WIDTH
from othello_bot.learning.openings import after
from othello_bot.learning.steps import weights_of
from othello_bot.learning.workers import Workers
from othello_bot.position import Position

#: "No better" against "better by this": Elo of the test's model, and its two error rates.
TEST: Final = Sprt(elo0=0.0, elo1=20.0, alpha=0.05, beta=0.05)

#: Random moves at the start of a pair of games; an opening counts only where a short search finds it even.
OPENING_PLIES: Final = 10
EVEN_DISCS: Final = 4
_EVEN_DEPTH: Final = 6
_HASH_MIB: Final = 16


@dataclass(frozen=True)
class Outcome:
    """Where a gate ended: pairs by points (0, 1/2, 1, 3/2, 2) of the new function, the verdict, and the discs."""

    counts: tuple[int, ...]
    verdict: Verdict
    ratio: float
    discs: float


def opening(rng: random.Random, judge: Searcher) -> tuple[int, int]:
    """Return a position (mover, opponent) after random moves that the judge finds even and whose mover has a move."""
    while True:
        position = Position.start()
        for _ in range(OPENING_PLIES):
            moves = position.legal_moves
            if not moves:
                break
            position = position.play(rng.choice(moves))
        if position.legal_moves and abs(judge.score(position.mover, position.opponent, _EVEN_DEPTH)[0]) <= EVEN_DISCS:
            return position.mover, position.opponent


def best_move(searcher: Searcher, mover: int, opponent: int, seconds: float) -> int:
    """Return the best move that deepening finds in the time: selective searches, then the exact score near the end."""
    searcher.arm()
    ends = time.perf_counter() + seconds
    empties = 64 - (mover | opponent).bit_count()
    if searcher.begin(mover, opponent, seconds) == 1:
        return searcher.lines(1)[0][0]
    for depth in range(1, empties - 8):
        if not searcher.iterate(depth, 0) or time.perf_counter() > ends:
            return searcher.lines(1)[0][0]
    for selectivity in (0, 2, FULL_WIDTH):
        if not searcher.iterate(empties, selectivity):
            break
    return searcher.lines(1)[0][0]


def play_game(players: tuple[Searcher, Searcher], mover: int, opponent: int, seconds: float) -> int:
    """Play on from a position, the first player to move; return its final score in discs."""
    turn = 0
    while True:
        if not board.legal_moves(mover, opponent):
            mover, opponent, turn = opponent, mover, 1 - turn
            if not board.legal_moves(mover, opponent):
                break
        square = best_move(players[turn], mover, opponent, seconds)
        (mover, opponent), turn = after(mover, opponent, square), 1 - turn
    score = board.final_score(mover, opponent)
    return score if turn == 0 else -score


def _pair(new: bytes | None, old: bytes | None, seconds: float, seed: str) -> tuple[int, int]:
    """Return the discs of the new function in two games from one opening, once with each side."""
    players = []
    for data in (new, old):
        searcher = Searcher(_HASH_MIB)
        searcher.set_weights(weights_of(data))
        players.append(searcher)
    start = opening(random.Random(seed), players[1])
    for searcher in players:
        searcher.clear()
    first = play_game((players[0], players[1]), *start, seconds)
    for searcher in players:
        searcher.clear()
    return first, -play_game((players[1], players[0]), *start, seconds)


def run(
    workers: Workers,
    new: bytes | None,
    old: bytes | None,
    seconds: float,
    most_pairs: int,
    seed: int,
    test: Sprt = TEST,
) -> Iterator[Outcome]:
    """Play pairs until the test decides or there are `most_pairs`; yield where it stands after each.

    `new`, `old`: contents of weights files, None for the hand-made evaluation; `seconds` for every move of either.
    """
    counts = [0, 0, 0, 0, 0]
    discs = 0
    pairs = ((new, old, seconds, f"{seed}/{number}") for number in range(most_pairs))
    for _, scores in workers.each(_pair, pairs):
        counts[sum(2 if score > 0 else score == 0 for score in scores)] += 1
        discs += sum(scores)
        verdict = test.verdict(counts)
        yield Outcome(tuple(counts), verdict, test.log_likelihood_ratio(counts), discs / (2 * sum(counts)))
        if verdict is not Verdict.CONTINUE:
            return
