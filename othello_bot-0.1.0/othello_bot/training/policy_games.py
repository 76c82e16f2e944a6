"""What the policy is fitted to: the decisions of people in the games of a base, and the ratings of the players.

A player's strength follows from the results alone: a Bradley-Terry model in which it drifts from year to year. The
likeliest strengths of all years are fitted together (as in Coulom's Whole-History Rating, 2008, with years for days).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS
from othello_bot.engine import MEAN_RATING
from othello_bot.formats.wthor import read_games as stored_games
from othello_bot.kernel import legal_moves, replay
from othello_bot.training.boards import empties
from othello_bot.training.games import START

SPREAD: Final = 200.0
"""Elo: the standard deviation of a player's strength before his first game; it pools players with few games."""

DRIFT: Final = 35.0
"""Elo by which a strength changes in a year. Chosen, as SPREAD, by how well ratings predict the next year."""

ACTIVE: Final = (2015, 2023, 30)
"""Years and games of the players whose mean rating is MEAN_RATING."""

_ELO: Final = np.log(10) / 400
_YEARS: Final = 10_000

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Games:
    """Games of a base, a row each. `squares` holds 60 moves, 255 after the last; player 0 is unknown."""

    years: Integers
    black: Integers
    white: Integers
    black_discs: Integers
    squares: NDArray[np.uint8]


def read_games(paths: Iterable[Path]) -> Games:
    """Return the games of WTHOR files; raise OSError or FormatError for one that cannot be read."""
    columns: list[list[int]] = [[], [], [], []]
    squares = []
    for path in paths:
        for game in stored_games(path.read_bytes()):
            for column, value in zip(columns, (game.year, game.black, game.white, game.black_discs), strict=True):
                column.append(value)
            squares.append(np.frombuffer(game.squares, np.uint8))
    if not squares:
        raise InputError("policy", "no games", "WTHOR files with games")
    stored = np.stack(squares)
    numbers = np.where(stored > 0, (stored // 10 - 1) * 8 + stored % 10 - 1, 255).astype(np.uint8)
    years, black, white, discs = (np.array(column, np.int64) for column in columns)
    return Games(years, black, white, discs, numbers)


@dataclass(frozen=True)
class Ratings:
    """The rating of each player in each year with games, and its standard error, in Elo."""

    keys: Integers
    elo: Reals
    errors: Reals
    games: Integers

    def of(self, players: Integers, years: Integers) -> tuple[Reals, Reals]:
        """Return ratings and their errors, NaN for the unknown player."""
        keys = players * _YEARS + years
        places = np.clip(np.searchsorted(self.keys, keys), 0, len(self.keys) - 1)
        known = (self.keys[places] == keys) & (players > 0)
        return np.where(known, self.elo[places], np.nan), np.where(known, self.errors[places], np.nan)


def rate(games: Games, programs: set[int]) -> Ratings:
    """Return the ratings of all players, programs among them."""
    import scipy.sparse as sparse
    from scipy.sparse.linalg import cg

    known = (games.black > 0) & (games.white > 0) & (games.black != games.white)
    black, white = (side[known] * _YEARS + games.years[known] for side in (games.black, games.white))
    points = (np.sign(games.black_discs[known] - 32) + 1) / 2
    keys = np.unique(np.concatenate([black, white]))
    first, second = np.searchsorted(keys, black), np.searchsorted(keys, white)
    count, players = len(keys), keys // _YEARS
    later = np.flatnonzero(players[1:] == players[:-1]) + 1
    stiffness = 1 / ((DRIFT * _ELO) ** 2 * (keys[later] - keys[later - 1]))
    prior = np.where(np.concatenate([[True], players[1:] != players[:-1]]), 1 / (SPREAD * _ELO) ** 2, 0.0)

    def gathered(*parts: tuple[Any, Any]) -> Reals:
        total = np.zeros(count)
        for places, values in parts:
            total += np.bincount(places, values, count)
        return total

    strength = np.zeros(count)
    for _ in range(30):
        expected = 1 / (1 + np.exp(strength[second] - strength[first]))
        pull = stiffness * (strength[later] - strength[later - 1])
        slope = gathered((first, points - expected), (second, expected - points), (later, -pull), (later - 1, pull))
        slope -= prior * strength
        weight = expected * (1 - expected)
        diagonal = prior + gathered((first, weight), (second, weight), (later, stiffness), (later - 1, stiffness))
        places = np.arange(count)
        rows = np.concatenate([places, first, second, later, later - 1])
        columns = np.concatenate([places, second, first, later - 1, later])
        values = np.concatenate([diagonal, -weight, -weight, -stiffness, -stiffness])
        curvature = sparse.coo_matrix((values, (rows, columns)), (count, count)).tocsc()
        step = cg(curvature, slope, rtol=1e-8, M=sparse.diags(1 / diagonal), maxiter=3000)[0]
        strength += step
        if np.abs(step).max() < 1e-6:
            break
    played = np.bincount(np.concatenate([first, second]), minlength=count)
    elo = strength / _ELO
    elo += MEAN_RATING - _mean_of_active(keys, elo, played, programs)
    return Ratings(keys, elo, _errors(diagonal, later, stiffness) / _ELO, played)


def _errors(diagonal: Reals, later: Integers, stiffness: Reals) -> Reals:
    """Return the standard errors of strengths, given those of the opponents, as in Coulom's paper.

    `diagonal` is that of the curvature; the strengths of each place of `later` and the one before it are joined by a
    spring of a `stiffness`.
    """
    forward, backward = diagonal.copy(), diagonal.copy()
    springs = list(zip(later.tolist(), stiffness.tolist(), strict=True))
    for place, spring in springs:
        forward[place] -= spring**2 / forward[place - 1]
    for place, spring in reversed(springs):
        backward[place - 1] -= spring**2 / backward[place]
    errors: Reals = (forward + backward - diagonal) ** -0.5
    return errors


def _mean_of_active(keys: Integers, elo: Reals, played: Integers, programs: set[int]) -> float:
    """Return the mean rating of active people, each with the mean of his years."""
    players, years = keys // _YEARS, keys % _YEARS
    least, most, enough = ACTIVE
    recent = (years >= least) & (years <= most) & ~np.isin(players, list(programs))
    totals = np.bincount(players[recent], played[recent])
    sums = np.bincount(players[recent], played[recent] * elo[recent])
    active = totals >= enough
    return float(np.mean(sums[active] / totals[active])) if active.any() else 0.0


@dataclass(frozen=True)
class Decisions:
    """Moves of people who had a choice, a row each; `ratings` are NaN where unknown, `lasts` 64 for none.

    `games` are rows of `Games`.
    """

    movers: NDArray[np.uint64]
    opponents: NDArray[np.uint64]
    lasts: NDArray[np.uint8]
    moves: NDArray[np.uint8]
    ratings: NDArray[np.float32]
    years: NDArray[np.int16]
    players: NDArray[np.int32]
    games: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, rows: Any) -> Decisions:
        return Decisions(*(np.ascontiguousarray(column[rows]) for column in self.columns))

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """All columns, in the order of the fields."""
        return tuple(getattr(self, field.name) for field in fields(self))

    @property
    def empties(self) -> Integers:
        """The empty squares of each position."""
        return empties(self.movers, self.opponents).astype(np.int64)


def decisions_of(
    games: Games,
    ratings: Ratings,
    programs: set[int],
    shown: Callable[[Sequence[int]], Iterable[int]],
    year: int | None = None,
) -> Decisions:
    """Return the decisions of people in all games or those of a year, without the moves of programs and the games
    between them. Raise InputError if there are none.
    """
    players = np.stack([games.black, games.white])
    is_program = np.isin(players, list(programs))
    elo = np.stack([ratings.of(side, games.years)[0] for side in (games.black, games.white)])
    rows: list[tuple[int, int, int, int, float, int, int, int]] = []
    wanted = ~is_program.all(0) & (year is None or games.years == year)
    for index in shown(np.flatnonzero(wanted).tolist()):
        squares = bytes(square for square in games.squares[index].tolist() if square < PASS)
        plies, *_ = replay(*START, squares)
        mover, opponent, last = *START, PASS
        for ply, move in enumerate(plies):
            side, legal = ply % 2, legal_moves(mover, opponent)
            if not is_program[side, index] and legal & (legal - 1):
                whose = elo[side, index], int(games.years[index]), int(players[side, index]), index
                rows.append((mover, opponent, last, move, *whose))
            _, mover, opponent, _ = replay(mover, opponent, bytes([move]))
            last = last if move == PASS else move
    if not rows:
        years = f"{games.years.min()} to {games.years.max()}"
        raise InputError("year", str(year), f"a year with moves of people: the files have {years}")
    columns = zip(*rows, strict=True)
    kinds = (np.uint64, np.uint64, np.uint8, np.uint8, np.float32, np.int16, np.int32, np.int32)
    return Decisions(*(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))
