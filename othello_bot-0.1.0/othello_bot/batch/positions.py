"""Rules, symmetry, static values and layouts of many positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from othello_bot import kernel
from othello_bot import policy as people
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, number_of
from othello_bot.batch.arrays import (
    Bitboards,
    checked,
    checked_integer,
    checked_positions,
    in_parts,
    same_length,
)
from othello_bot.evaluation import shipped

MAXIMUM_DEPTH = 60
"""Limit of perft's depth."""


class Canonical(NamedTuple):
    """The smallest images of positions, and the symmetry (0 to 7) that leads to each."""

    mover: Bitboards
    opponent: Bitboards
    symmetry: npt.NDArray[np.uint8]


class Unique(NamedTuple):
    """The distinct positions, in rising order of (mover, opponent).

    `first`: where each occurs first; `inverse`: which of them each given position is; `counts`: how often each occurs.
    """

    mover: Bitboards
    opponent: Bitboards
    first: npt.NDArray[np.intp]
    inverse: npt.NDArray[np.intp]
    counts: npt.NDArray[np.intp]


def legal_moves(mover: Bitboards, opponent: Bitboards, *, threads: int = 1) -> Bitboards:
    """Return the bitboards of the legal moves, uint64; 0 where the player to move has none."""
    movers, opponents = checked_positions(mover, opponent)
    moves = np.empty_like(movers, order="C", subok=False)
    in_parts(threads, len(movers), lambda part: kernel.fill_legal_moves(movers[part], opponents[part], moves[part]))
    return moves


def is_over(mover: Bitboards, opponent: Bitboards, *, threads: int = 1) -> npt.NDArray[np.bool_]:
    """Return whether neither player has a legal move, bool."""
    movers, opponents = checked_positions(mover, opponent)
    over = np.empty(len(movers), np.uint8)
    in_parts(threads, len(movers), lambda part: kernel.fill_over(movers[part], opponents[part], over[part]))
    return over.view(np.bool_)


def final_scores(mover: Bitboards, opponent: Bitboards, *, threads: int = 1) -> npt.NDArray[np.int8]:
    """Return the scores if the games ended now, int8: discs from the mover's view, the empty squares to the winner."""
    movers, opponents = checked_positions(mover, opponent)
    scores = np.empty(len(movers), np.int8)
    in_parts(threads, len(movers), lambda part: kernel.fill_final_scores(movers[part], opponents[part], scores[part]))
    return scores


def flips(mover: Bitboards, opponent: Bitboards, square: npt.NDArray[np.uint8], *, threads: int = 1) -> Bitboards:
    """Return the bitboards of the discs that the mover flips with a disc on `square`, a uint8 from 0 to 63 for each
    position; 0 where the move is illegal.
    """
    movers, opponents = checked_positions(mover, opponent)
    squares = checked("square", square, np.uint8)
    same_length("square", squares, len(movers))
    flipped = np.empty(len(movers), np.uint64)
    offender = in_parts(
        threads,
        len(movers),
        lambda part: kernel.fill_flips(movers[part], opponents[part], squares[part], flipped[part]),
    )
    if offender >= 0:
        raise InputError(f"index {offender}: square", int(squares[offender]), "a number from 0 (a1) to 63 (h8)")
    return flipped


def play(
    mover: Bitboards, opponent: Bitboards, move: npt.NDArray[np.uint8], *, threads: int = 1
) -> tuple[Bitboards, Bitboards]:
    """Return mover and opponent after one move for each position: a square, or 64, a pass, where only the opponent has
    a move. Raise InputError at the first illegal move.
    """
    movers, opponents = checked_positions(mover, opponent)
    moves = checked("move", move, np.uint8)
    same_length("move", moves, len(movers))
    next_movers, next_opponents = np.empty(len(movers), np.uint64), np.empty(len(movers), np.uint64)

    def work(part: slice) -> int:
        return kernel.fill_played(movers[part], opponents[part], moves[part], next_movers[part], next_opponents[part])

    offender = in_parts(threads, len(movers), work)
    if offender >= 0:
        raise InputError(f"index {offender}: move", int(moves[offender]), "a legal move: a square, or 64 for a pass")
    return next_movers, next_opponents


def canonical(mover: Bitboards, opponent: Bitboards, *, threads: int = 1) -> Canonical:
    """Return the image of each position with the smallest (mover, opponent) under the eight symmetries, and the lowest
    symmetry that leads to it, as `Position.canonical` does.
    """
    movers, opponents = checked_positions(mover, opponent)
    found = Canonical(
        np.empty(len(movers), np.uint64), np.empty(len(movers), np.uint64), np.empty(len(movers), np.uint8)
    )
    in_parts(
        threads,
        len(movers),
        lambda part: kernel.fill_canonical(movers[part], opponents[part], *(array[part] for array in found)),
    )
    return found


def transform(
    mover: Bitboards, opponent: Bitboards, symmetry: int | npt.NDArray[np.uint8], *, threads: int = 1
) -> tuple[Bitboards, Bitboards]:
    """Return the images of the positions under a symmetry from 0 to 7, one for all or a uint8 for each.

    Its three bits are applied in this order: 1 mirrors the files, 2 mirrors the ranks, 4 transposes the board.
    """
    movers, opponents = checked_positions(mover, opponent)
    if isinstance(symmetry, np.ndarray):
        symmetries = checked("symmetry", symmetry, np.uint8)
        same_length("symmetry", symmetries, len(movers))
    else:
        symmetries = np.full(len(movers), checked_integer("symmetry", symmetry, 0, 7), np.uint8)
    images = np.empty(len(movers), np.uint64), np.empty(len(movers), np.uint64)
    for bits, image in zip((movers, opponents), images, strict=True):
        offender = _transform(bits, symmetries, image, threads)
        if offender >= 0:
            raise InputError(f"index {offender}: symmetry", int(symmetries[offender]), "a number from 0 to 7")
    return images


def _transform(bits: Bitboards, symmetries: npt.NDArray[np.uint8], image: Bitboards, threads: int) -> int:
    return in_parts(threads, len(bits), lambda part: kernel.fill_transformed(bits[part], symmetries[part], image[part]))


def evaluate(mover: Bitboards, opponent: Bitboards, *, threads: int = 1) -> npt.NDArray[np.float32]:
    """Return the static values by the shipped evaluation, float32: discs from the mover's view, before any search."""
    movers, opponents = checked_positions(mover, opponent)
    weights = shipped()
    values = np.empty(len(movers), np.float32)
    in_parts(
        threads, len(movers), lambda part: kernel.fill_values(weights, movers[part], opponents[part], values[part])
    )
    return values


def policy(
    mover: Bitboards,
    opponent: Bitboards,
    rating: float | npt.NDArray[np.float32] | None = None,
    *,
    last: npt.NDArray[np.uint8] | None = None,
    threads: int = 1,
) -> npt.NDArray[np.float32]:
    """Return the probability that people play each action, float32 [positions, 65]: the squares, then the pass.

    `rating` is one for all or a float32 for each position; NaN or None if unknown. Ratings below 500 count as 500, and
    above 1800 as 1800 (docs/policy.md). `last`: the squares of the previous
    moves, 64 for no move; None if they are unknown. The probabilities are what people see at a glance, without a
    search. A row adds up to 1; it is 0 where the game is over.
    """
    movers, opponents = checked_positions(mover, opponent)
    ratings = np.clip(_ratings(rating, len(movers)), people.LEAST_RATING, people.MOST_RATING_ALONE)
    lasts = np.full(len(movers), PASS, np.uint8) if last is None else checked("last", last, np.uint8)
    same_length("last", lasts, len(movers))
    if (offending := np.flatnonzero(lasts > PASS)).size:
        index = int(offending[0])
        raise InputError(f"index {index}: last", int(lasts[index]), "a number from 0 (a1) to 63 (h8), or 64 for none")
    model = people.shipped()
    chances = np.empty((len(movers), PASS + 1), np.float32)

    def work(part: slice) -> None:
        kernel.policy_logarithms(model, movers[part], opponents[part], lasts[part], ratings[part], chances[part])

    in_parts(threads, len(movers), work)
    illegal = chances <= IMPOSSIBLE
    np.exp(chances, out=chances)
    chances[illegal] = 0
    passing = illegal.all(axis=1)
    chances[passing, PASS] = ~is_over(movers[passing], opponents[passing])
    return chances


IMPOSSIBLE: Final = -99.0
"""The kernel's logarithm of the probability of an illegal move."""


def _ratings(rating: float | npt.NDArray[np.float32] | None, count: int) -> npt.NDArray[np.float32]:
    """Return a rating for each position; raise InputError for an invalid one."""
    if isinstance(rating, np.ndarray):
        ratings = checked("rating", rating, np.float32)
        same_length("rating", ratings, count)
        if (offending := np.flatnonzero(np.isinf(ratings))).size:
            index = int(offending[0])
            raise InputError(f"index {index}: rating", float(ratings[index]), "a finite number, or nan if unknown")
        return ratings
    if rating is None:
        return np.full(count, np.nan, np.float32)
    if number_of(rating, -1e9, 1e9) is None and rating == rating:  # NaN differs from itself
        raise InputError("rating", rating, "a finite number, or None if unknown")
    return np.full(count, rating, np.float32)


def perft(mover: Bitboards, opponent: Bitboards, depth: int, *, threads: int = 1) -> npt.NDArray[np.uint64]:
    """Return the numbers of leaves of the game trees `depth` plies deep, uint64; a pass is a ply."""
    movers, opponents = checked_positions(mover, opponent)
    plies = checked_integer("depth", depth, 0, MAXIMUM_DEPTH)
    leaves = np.empty(len(movers), np.uint64)
    in_parts(threads, len(movers), lambda part: kernel.fill_perft(movers[part], opponents[part], plies, leaves[part]))
    return leaves


def unique(mover: Bitboards, opponent: Bitboards, *, symmetric: bool = True, threads: int = 1) -> Unique:
    """Return the distinct positions; with `symmetric`, images of one position count as one, its canonical image."""
    if not isinstance(symmetric, bool | np.bool_):
        raise InputError("symmetric", symmetric, "True or False")
    if symmetric:
        movers, opponents, _ = canonical(mover, opponent, threads=threads)
    else:
        movers, opponents = checked_positions(mover, opponent)
    order = np.lexsort((opponents, movers))
    sorted_movers, sorted_opponents = movers[order], opponents[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (sorted_movers[1:] != sorted_movers[:-1]) | (sorted_opponents[1:] != sorted_opponents[:-1])
    starts = np.flatnonzero(is_new)
    inverse = np.empty(len(order), np.intp)
    inverse[order] = np.cumsum(is_new) - 1
    counts = np.diff(starts, append=len(order))
    return Unique(sorted_movers[starts], sorted_opponents[starts], order[starts], inverse, counts)


def _cells(bits: Bitboards) -> npt.NDArray[np.uint8]:
    """Return the bits of bitboards as cells, rank by rank from a1: uint8 [positions, 8, 8]."""
    octets = bits.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, bitorder="little").reshape(-1, 8, 8)


def empties_each(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.uint8]:
    """Return the numbers of empty squares."""
    counts: npt.NDArray[np.uint8] = _ONES[(~(movers | opponents)).view(np.uint8).reshape(-1, 8)].sum(1, np.uint8)
    return counts


_ONES: Final = np.array([octet.bit_count() for octet in range(256)], np.uint8)


def _last(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.uint8]:
    return np.stack((_cells(movers), _cells(opponents)), axis=-1)


def _ours(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.int8]:
    return _last(movers, opponents).view(np.int8)


def _pgx(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.bool_]:
    return _last(movers, opponents).view(np.bool_)


def _openspiel(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.float32]:
    planes = np.stack((_cells(~(movers | opponents)), _cells(movers), _cells(opponents)), axis=1)
    return planes.astype(np.float32)


LAYOUTS: Final[dict[str, Callable[[Bitboards, Bitboards], npt.NDArray[Any]]]] = {
    "ours": _ours,
    "pgx": _pgx,
    "openspiel": _openspiel,
}
"""The layouts that `encode` knows."""


def encode(mover: Bitboards, opponent: Bitboards, layout: str = "ours") -> npt.NDArray[Any]:
    """Return positions as planes of the board, from the mover's view.

    "ours": int8 [positions, 8, 8, 2], the mover's discs and the opponent's; "pgx": the same as bool; "openspiel":
    float32 [positions, 3, 8, 8], the empty squares, the mover's discs and the opponent's. The first axis of the board
    is the rank, the second the file. Raise InputError for another layout.
    """
    movers, opponents = checked_positions(mover, opponent)
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise InputError("layout", layout, f"one of {', '.join(LAYOUTS)}")
    return LAYOUTS[layout](movers, opponents)
