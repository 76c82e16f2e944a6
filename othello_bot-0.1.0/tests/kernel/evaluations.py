"""Shared by the tests of the evaluation: positions, weights, and a search without any pruning."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from othello_bot import kernel
from othello_bot.kernel import Searcher
from tests.kernel.positions import START, BitboardPair, after, empties_of, minimax, played, squares_of

FULL_WIDTH = 5


def whole_discs(value: float) -> int:
    """Return a static value as the search sees it: rounded, halves up, and never as far out as a finished game."""
    return max(-62, min(62, (round(value * 128) + 64) // 128))


def search_plainly(static: Searcher, mover: int, opponent: int, depth: int) -> int:
    """Return the score of a search without any pruning whose leaves are evaluated from scratch."""
    if depth >= empties_of(mover, opponent):
        return minimax(mover, opponent, {})
    if depth == 0:
        return whole_discs(static.static_value(mover, opponent))
    moves = kernel.legal_moves(mover, opponent)
    if moves:
        children = [after(mover, opponent, square) for square in squares_of(moves)]
        # Who takes the last disc has won, whatever the evaluation would say of the board.
        return max(64 if not child[0] else -search_plainly(static, *child, depth - 1) for child in children)
    if kernel.legal_moves(opponent, mover):
        return -search_plainly(static, opponent, mover, depth)
    return kernel.final_score(mover, opponent)


def with_passes_near(rng: random.Random, wanted: Iterable[int]) -> Iterator[BitboardPair]:
    """Yield positions in which some move leaves the opponent none, one for each number of empties.

    Every other move, drawn by lot, is one that leaves the opponent the fewest: random games have such positions late.
    """

    def mobility(position: BitboardPair) -> int:
        return kernel.legal_moves(*position).bit_count()

    missing = set(wanted)
    position = START
    while missing:
        children = [after(*position, square) for square in squares_of(kernel.legal_moves(*position))]
        stuck = [child for child in children if child[0] and not mobility(child) and mobility((child[1], child[0]))]
        if stuck and empties_of(*position) in missing:
            missing.remove(empties_of(*position))
            yield position
        going_on = [child for child in children if mobility(child)]
        position = START
        if going_on:
            position = rng.choice(going_on) if rng.random() < 0.5 else min(going_on, key=mobility)


def midgames(rng: random.Random) -> Iterator[BitboardPair]:
    for empties in range(20, 58, 2):
        yield played(rng, empties)
    yield from with_passes_near(rng, (34, 30, 28, 26, 24, 22, 20))


def columns_of(positions: list[BitboardPair], fill: Callable[..., None], width: int) -> list[list[int]]:
    """Return each position's row of columns, as one of the kernel's functions for fits fills them."""
    columns = memoryview(bytearray(4 * width * len(positions))).cast("i", (len(positions), width))
    movers, opponents = (array("Q", column) for column in zip(*positions, strict=True))
    fill(movers, opponents, columns)
    rows: Any = columns.tolist()
    return [list(row) for row in rows]


def one_stage(table: array[int], stages: list[int] | None = None) -> kernel.Weights:
    rows = memoryview(table).cast("B").cast("h", (1, len(table)))
    return kernel.Weights([0] * 61 if stages is None else stages, rows)
