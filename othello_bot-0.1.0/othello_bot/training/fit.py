"""Step 3, the fit: regularised robust least squares, stage by stage, by preconditioned conjugate gradients.

The fit minimises the sum of Huber's loss of (value - label) over the positions, plus RIDGE times the squared distance
of every weight from that of the neighbouring stages (the prior). So a rarely seen weight stays close to its neighbours,
and stages change smoothly from one to the next. Huber's loss is handled by reweighting: after some steps, every
position whose error exceeds delta gets the weight delta / |error|, and the conjugate gradients start again from there.

Positions with lopsided labels count less: close positions decide games, and there are fewer of them. This applies more
strongly before the endgame, where good players are still close to each other.

Last, a small function is fitted, which orders the moves of the endgame where static values cost too much. It learns
from static values: how those after the moves of a node differ, as far as the number of replies does not explain it. Its
patterns (ORDER_PATTERNS) fit into the processor's first cache. The games are played from a seed, by static values with a
noise that differs from game to game, so that good and bad moves occur.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, lsqr

from othello_bot import kernel
from othello_bot.batch import legal_moves, play
from othello_bot.kernel import Weights, patterns
from othello_bot.kernel import feature_columns as fill_feature_columns
from othello_bot.training import boards
from othello_bot.training.boards import Bits
from othello_bot.training.games import START
from othello_bot.training.measuring import CLOSE
from othello_bot.training.progress import State, shown, spans

TERMS: Final = len(patterns.FEATURES) + len(patterns.COUNTS)
"""Number of weights that add up to a position's value."""

UNIT: Final = 128
"""Table units in a disc."""


@lru_cache(maxsize=1)
def reduced_index() -> NDArray[np.int32]:
    """Return the number of the reduced weight behind every entry of a stage's full table.

    Weights are numbered in increasing order of the smaller of the two mirrored states, pattern by pattern. Entries of
    counts are not shared.
    """
    result = np.empty(patterns.TABLE_SIZE, np.int32)
    kernel.reduced_index(result)
    return result


def reduced_size() -> int:
    """Return the number of reduced weights of a stage."""
    return int(reduced_index()[-1]) + 1


def rows(movers: Bits, opponents: Bits) -> Any:
    """Return the positions as a sparse matrix of float32: positions x reduced weights, TERMS entries a row."""
    full = np.empty((len(movers), TERMS), np.int32)
    fill_feature_columns(np.ascontiguousarray(movers), np.ascontiguousarray(opponents), full)
    indices = reduced_index()[full].ravel()
    del full
    bounds = np.arange(0, len(indices) + 1, TERMS, dtype=np.int64 if len(indices) > 2**31 - 1 else np.int32)
    shape = (len(movers), reduced_size())
    return sparse.csr_matrix((np.ones(len(indices), np.float32), indices, bounds), shape=shape, copy=False)


HELD_OUT: Final = 16
"""One position in this many is held out: those whose key is a multiple of it."""

ENDGAME: Final = 20
"""Highest number of empties of the endgame, for `spread`."""

Reals = NDArray[np.float32]


@dataclass(frozen=True)
class FitOptions:
    """How a stage is fitted.

    `ridge`: the cost of a weight's distance from the prior, in positions. `delta`: the error at which Huber's loss
    becomes linear, in discs. `spread`: the label in discs at which a position counts half as much as a drawn one; at
    twice that label it counts a fifth; `early_spread`: the same for more than ENDGAME empties. `same_parity`,
    `other_parity`: the weight of positions with two empties more or less, and with one. `rounds` of `steps` conjugate
    gradients each; stop early after `patience` rounds without a smaller held-out error.
    """

    ridge: float = 16.0
    delta: float = 4.0
    spread: float = 25.0
    early_spread: float = 12.0
    same_parity: float = 0.5
    other_parity: float = 0.2
    rounds: int = 2
    steps: int = 10
    patience: int = 1


@dataclass
class Sample:
    """The positions of a fit: bitboards, labels in discs, weights, and whether each belongs to the stage itself."""

    movers: NDArray[np.uint64]
    opponents: NDArray[np.uint64]
    scores: Reals
    importance: Reals
    own: NDArray[np.bool_]
    held_out: NDArray[np.bool_]

    def part(self, chosen: NDArray[np.bool_], options: FitOptions) -> tuple[Any, Reals, Reals, Reals]:
        """Return the matrix, the labels, the weights given those labels, and the numbers of empties of a part."""
        movers, opponents, scores = self.movers[chosen], self.opponents[chosen], self.scores[chosen]
        count = boards.empties(movers, opponents)
        spread = np.where(count > ENDGAME, np.float32(options.early_spread), np.float32(options.spread))
        importance = self.importance[chosen] / (1 + np.square(scores / spread))
        return rows(movers, opponents), scores, importance, count.astype(np.float32)


@dataclass
class Fitted:
    """The result for a stage.

    `weights` in discs; `curve`: the weighted mean absolute error in discs on the training and the held-out positions
    after each round; `errors`: by number of empties, the number of held-out positions, their mean absolute error, and
    that of the close ones (label within CLOSE discs); `used`: how many training positions use each weight.
    """

    stage: int
    weights: Reals
    positions: int
    curve: list[tuple[float, float]] = field(default_factory=list)
    errors: dict[int, tuple[int, float, float]] = field(default_factory=dict)
    used: NDArray[np.int64] | None = None

    def state(self) -> State:
        """Return the whole state by name and stage, for restored()."""
        errors = np.array([(count, *errors) for count, errors in self.errors.items()])
        parts = (self.weights, self.positions, self.curve, errors, self.used)
        return {f"{self.stage}.{each.name}": np.array(part) for each, part in zip(fields(self)[1:], parts, strict=True)}

    @classmethod
    def restored(cls, stage: int, state: State) -> Fitted | None:
        """Return the result that state() described for a stage; None if there is none."""
        if f"{stage}.weights" not in state:
            return None
        weights, positions, curve, errors, used = (state[f"{stage}.{each.name}"] for each in fields(cls)[1:])
        return cls(
            stage,
            weights,
            int(positions),
            [(float(trained), float(held)) for trained, held in curve],
            {int(count): (int(number), float(error), float(close)) for count, number, error, close in errors},
            used,
        )


def is_held_out(names: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which keys belong to the held-out part."""
    result: NDArray[np.bool_] = (names >> np.uint64(20)) % np.uint64(HELD_OUT) == 0
    return result


def _steps(
    matrix: Any, scores: Reals, importance: Reals, weights: Reals, prior: Reals, ridge: float, steps: int
) -> Reals:
    """Return the weights after some steps of conjugate gradients on the weighted least squares problem."""
    transposed = matrix.T
    scale = 1.0 / (transposed @ importance + np.float32(ridge))
    residual = transposed @ (importance * (scores - matrix @ weights)) + np.float32(ridge) * (prior - weights)
    direction = scale * residual
    product = float(residual @ direction)
    for _ in range(steps):
        if product < 1e-9:
            break
        image = transposed @ (importance * (matrix @ direction)) + np.float32(ridge) * direction
        length = np.float32(product / float(direction @ image))
        weights = weights + length * direction
        residual = residual - length * image
        next_product = float(residual @ (scale * residual))
        direction = scale * residual + np.float32(next_product / product) * direction
        product = next_product
    return weights


def fit_stage(stage: int, sample: Sample, start: Reals, prior: Reals, options: FitOptions) -> Fitted:
    """Fit one stage from `start`; return the weights of the round with the smallest held-out error."""
    matrix, scores, importance, _ = sample.part(~sample.held_out, options)
    test, held, test_importance, test_count = sample.part(sample.held_out & sample.own, options)
    weights = best = start.astype(np.float32)
    result = Fitted(stage, best, len(scores))
    since_best, least = 0, np.inf
    for turn in range(options.rounds + 1):
        errors = np.abs(matrix @ weights - scores)
        test_errors = np.abs(np.clip(test @ weights, -64, 64) - held)
        error = float((test_errors * test_importance).sum() / max(test_importance.sum(), 1e-9))
        result.curve.append((float((errors * importance).sum() / importance.sum()), error))
        if error < least:
            since_best, least, best = 0, error, weights
            result.errors = by_empties(test_count, held, test_errors)
        else:
            since_best += 1
        if since_best >= options.patience or turn == options.rounds:
            break
        robust = importance * np.minimum(1, np.float32(options.delta) / np.maximum(errors, np.float32(1e-3)))
        weights = _steps(matrix, scores, robust, weights, prior, options.ridge, options.steps)
    result.weights = best
    result.used = np.bincount(matrix.indices, minlength=len(best))
    return result


def by_empties(count: NDArray[Any], scores: Reals, errors: Reals) -> dict[int, tuple[int, float, float]]:
    """Return, by number of empties, the number of positions, their mean error, and that of the close ones."""
    result = {}
    for number in np.unique(count):
        here = count == number
        close = here & (np.abs(scores) <= CLOSE)
        result[int(number)] = (
            int(here.sum()),
            float(errors[here].mean()),
            float(errors[close].mean()) if close.any() else float("nan"),
        )
    return result


ORDER_EMPTIES: Final = (9, 14)
"""Fewest and most empty squares after the moves that are fitted."""

NOISE_DISCS: Final = (0.5, 12.0)
"""Smallest and largest noise of a game's moves; its logarithm is drawn evenly between them."""

FREE_PLIES: Final = 8
"""The first plies of a game are random."""

ORDER_HELD_OUT: Final = 12
"""One game in this many is held out of the fit."""

ORDER_RIDGE: Final = 3.0
ORDER_STEPS: Final = 40

Each = NDArray[np.float64]
_CHUNK: Final = 100_000


@dataclass(frozen=True)
class NodeMoves:
    """Positions after the moves of nodes: number of the game and of the node, boards, static values in discs (mover's
    view).
    """

    games: NDArray[np.int64]
    nodes: NDArray[np.int64]
    movers: Bits
    opponents: Bits
    values: NDArray[np.float32]

    def chosen(self, which: NDArray[np.bool_]) -> NodeMoves:
        """Return a part of the positions."""
        parts: list[NDArray[Any]] = [self.games, self.nodes, self.movers, self.opponents, self.values]
        return NodeMoves(*(part[which] for part in parts))


def play_nodes(weights: Weights, games: int, seed: int) -> NodeMoves:
    """Play this many games from the start; return the positions after all moves of all nodes, with ORDER_EMPTIES left."""
    chance = np.random.default_rng(seed)
    movers, opponents = (np.full(games, side, np.uint64) for side in START)
    numbers, noise = np.arange(games), NOISE_DISCS[0] * (NOISE_DISCS[1] / NOISE_DISCS[0]) ** chance.random(games)
    found: list[NodeMoves] = []
    plies = 60 - ORDER_EMPTIES[0]
    for ply in shown(range(plies), plies, "plies of all games"):
        stuck = legal_moves(movers, opponents) == 0
        movers, opponents = np.where(stuck, opponents, movers), np.where(stuck, movers, opponents)
        places, squares = np.nonzero(
            legal_moves(movers, opponents)[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
        )
        next_movers, next_opponents = play(movers[places], opponents[places], squares.astype(np.uint8))
        values = np.zeros(len(places), np.float32)
        if ply >= FREE_PLIES:
            kernel.fill_values(weights, next_movers, next_opponents, values)
        empties = boards.empties(next_movers, next_opponents)
        moves = NodeMoves(numbers[places], ply * games + numbers[places], next_movers, next_opponents, values)
        found.append(moves.chosen((empties >= ORDER_EMPTIES[0]) & (empties <= ORDER_EMPTIES[1]) & (next_movers != 0)))
        # Gumbel's noise draws moves by a softmax of their values.
        noisy = noise[places] * chance.gumbel(size=len(places)) - values
        order = np.lexsort((noisy, places))
        best = order[np.flatnonzero(np.diff(places, append=games))]
        movers, opponents = next_movers[best], next_opponents[best]
        numbers, noise = numbers[places[best]], noise[places[best]]
    fields = zip(*([f.games, f.nodes, f.movers, f.opponents, f.values] for f in found), strict=True)
    return NodeMoves(*(np.concatenate(field) for field in fields))


def _order_rows() -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return for each row of factors the unknown of its state, -1 where it is none of ORDER_PATTERNS (mirrored states
    share one), and for each number of the table its row.
    """
    reduced = np.empty(patterns.FACTOR_ROWS, np.int32)
    kernel.factor_reduced_index(reduced)
    starts = [
        (patterns.FACTOR_OFFSETS[number], patterns.FACTOR_PATTERNS[number].states) for number in patterns.ORDER_PATTERNS
    ]
    rows = np.concatenate([np.arange(start, start + states) for start, states in starts])
    unknowns = np.full(patterns.FACTOR_ROWS, -1)
    unknowns[rows] = np.unique(reduced[rows], return_inverse=True)[1]
    return unknowns, rows


class _Differences:
    """How the static values after the moves of a node differ from their mean, and what the unknowns explain of it: the
    numbers of the table and, last, what half a reply is worth.
    """

    def __init__(self, moves: NodeMoves) -> None:
        unknowns, _ = _order_rows()
        lanes = [number in patterns.ORDER_PATTERNS for number, _ in patterns.FACTOR_FEATURES] + [False] * 11
        counts = len(patterns.FACTOR_FEATURES)
        read, replies = [], []
        for part in spans(len(moves.nodes), _CHUNK):
            columns = np.empty((len(moves.nodes[part]), len(lanes)), np.int32)
            kernel.factor_columns(moves.movers[part], moves.opponents[part], columns)
            read.append(unknowns[columns[:, lanes]])
            mobility, potential = (
                (columns[:, counts + i] - patterns.FACTOR_COUNTS_OFFSET - patterns.COUNT_OFFSETS[i]) // 32
                for i in (0, 1)
            )
            replies.append(2.0 * mobility + potential)
        entries = np.concatenate(read)
        self._nodes = np.unique(moves.nodes, return_inverse=True)[1]
        self._sizes = np.bincount(self._nodes)
        self._read = sparse.csr_matrix(
            (np.ones(entries.size), entries.ravel(), np.arange(0, entries.size + 1, entries.shape[1])),
            (len(entries), int(unknowns.max()) + 1),
        )
        self._replies = self._centred(np.concatenate(replies))
        self.values = self._centred(moves.values.astype(np.float64))

    def _centred(self, values: Each) -> Each:
        """Return the values less the means of their nodes."""
        result: Each = values - (np.bincount(self._nodes, values, len(self._sizes)) / self._sizes)[self._nodes]
        return result

    def explained(self, unknowns: Each) -> Each:
        """Return the differences that these unknowns give."""
        result: Each = self._centred(self._read @ unknowns[:-1]) + self._replies * unknowns[-1]
        return result

    def solved(self) -> Each:
        """Return the unknowns with the least squares, with a ridge."""

        def transposed(differences: Each) -> Each:
            return np.append(self._read.T @ self._centred(differences), self._replies @ differences)

        shape = (self._read.shape[0], self._read.shape[1] + 1)
        system = LinearOperator(shape, self.explained, transposed)
        result: Each = lsqr(system, self.values, damp=ORDER_RIDGE, iter_lim=ORDER_STEPS)[0]
        return result

    def share_explained(self, unknowns: Each) -> float:
        """Return the share of the differences' variance that these unknowns explain."""
        left = self.values - self.explained(unknowns)
        return 1 - float(left @ left) / float(self.values @ self.values)


def fit_move_order(moves: NodeMoves) -> tuple[NDArray[np.int8], float]:
    """Return the numbers of Weights.set_move_order(), and the share of the variance that they explain, with the number
    of replies, on held-out games.
    """
    held = moves.games % ORDER_HELD_OUT == 0
    unknowns = _Differences(moves.chosen(~held)).solved()
    numbers, rows = _order_rows()
    table = np.clip(np.rint(unknowns[numbers[rows]] * patterns.ORDER_UNIT), -127, 127).astype(np.int8)
    return table, _Differences(moves.chosen(held)).share_explained(unknowns)
