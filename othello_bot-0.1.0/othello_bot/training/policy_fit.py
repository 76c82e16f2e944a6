"""The fit of the policy: which rows are kept, both networks, rounding, the scores of searches, how well it predicts.

The kernel makes the gradients (policy_training.pxi); the steps are Adam's, with decoupled weight decay (Loshchilov and
Hutter, 2019), which draws the vectors of rare patterns to zero.

The tables know the games that they are fitted to better than any others. A network that learned from the same games
would trust them too much, and its probabilities would be too sure. So the networks learn from games that are kept apart
(cross-fitting; the idea is that of Wolpert, "Stacked Generalization", 1992).
"""

from __future__ import annotations

import io
import math
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.base.files import write_whole
from othello_bot.engine import Engine, Options
from othello_bot.engine.people import UNLIKELY
from othello_bot.kernel import PolicyModel, PolicyTraining, canonical_afters, policy_logarithms, policy_sizes, seen_rows
from othello_bot.policy import DEPTHS, Tables
from othello_bot.rules import Position
from othello_bot.training.arguments import say
from othello_bot.training.factor_learner import Adam
from othello_bot.training.policy_games import Decisions
from othello_bot.training.progress import State, Unfinished, fingerprint

Reals = NDArray[np.float32]
Scores = NDArray[np.int8]
Each = NDArray[np.float64]
Shown = Callable[[Iterable[int], int, str], Iterable[int]]

SIZES: Final = policy_sizes()
HIDDEN: Final = 64
STAGE: Final = 13
"""What a network knows of the position and the player."""

_CONSTANT: Final = 9
"""Which of these is 1 in all positions."""

LEAST_SEEN: Final = {"vectors": 12, "shares": 20, "boards": 25}
"""How often a row or a board must be met in the years that are fitted to have numbers of its own."""

RECENT: Final = 2005
HALVING_YEARS: Final = 15
"""Games before RECENT are drawn less often: half as often for each of this many years."""

FINEST_STEPS: Final = 60
"""The table's numbers are rounded to whole ones; this is the one that 999 of 1000 do not exceed."""

LABEL_CHUNK: Final = 20_000
"""Decisions in each file of scores."""

ILLEGAL: Final = 127
"""The score of an illegal move."""

STEPS_SAVED: Final = 500
"""Steps after which the state of a fit is saved."""

STAGES: Final = ((46, 60), (31, 45), (16, 30), (0, 15))
"""Empties of the stages that are reported."""

_CHUNK: Final = 100_000
_MOST_MOVES: Final = 40


VECTORS, SHARES, NETWORKS = range(3)
"""The arrays of a model."""


@dataclass(frozen=True)
class PolicySettings:
    """One part of the fit: the arrays that change, passes over the decisions, decisions a step, the highest rate, and
    the decays of tables and networks.
    """

    name: str
    arrays: tuple[int, ...]
    passes: float
    batch: int
    rate: float
    table_decay: float = 0.0
    network_decay: float = 0.0


PATTERNS: Final = PolicySettings("patterns", (VECTORS, SHARES, NETWORKS), 6, 4096, 4e-3, 0.5, 1e-4)
TRUST: Final = PolicySettings("trust", (NETWORKS,), 2, 4096, 1e-3, network_decay=1e-4)
"""How far the network of the patterns trusts the tables, from the games apart."""

BLEND: Final = PolicySettings("blend", (NETWORKS,), 10, 2048, 2e-3, network_decay=1e-3)
"""The network that blends in the scores of searches, from the games apart."""

TABLES: Final = PolicySettings("tables", (VECTORS, SHARES), 1, 4096, 5e-4, 0.5)
"""The tables once more, now from all games."""

APART: Final = 1 / 3
"""The share of the games that are kept apart: the tables do not know them before `TABLES`."""

SCORED: Final = (1 / 3, 1 / 9)
"""The share of the decisions apart that get scores of searches: since RECENT, and before."""


class Model:
    """The arrays of a model that is being fitted; `kept` rows and `boards` rise."""

    def __init__(self, kept: NDArray[np.int32], boards: NDArray[np.uint32], seed: int) -> None:
        self.kept, self.boards = kept, boards
        chance = np.random.default_rng(seed)
        with_vectors = int((kept < SIZES["vector_rows"]).sum())
        self.vectors = chance.normal(0, 0.02, (with_vectors + 1, SIZES["width"])).astype(np.float32)
        self.vectors[0] = 0
        self.shares = np.zeros((len(kept) - with_vectors + 1 + len(boards), SIZES["shares"]), np.float32)
        self.networks = np.concatenate([_network(7, 1.0, chance), _network(HIDDEN + 19, 0.1, chance)])
        self.kernel = PolicyModel(kept, boards, self.vectors, self.shares, self.networks)

    def round_tables(self) -> Tables:
        """Round the tables, so that the second network is fitted to what is stored, and return the model to store."""
        vectors, vector_scale = _rounded(self.vectors)
        shares, share_scale = _rounded(self.shares)
        return Tables(
            array("i", self.kept.tolist()),
            array("I", self.boards.tolist()),
            vectors,
            shares,
            vector_scale,
            share_scale,
            array("f", self.networks.tolist()),
        )


def logarithms(
    kernel: PolicyModel, decisions: Decisions, scores: Scores | None = None, rating: float | None = None
) -> Reals:
    """Return the logarithms of all moves' probabilities, a row a decision and a column a square."""
    ratings = decisions.ratings if rating is None else np.full(len(decisions), rating, np.float32)
    found = np.empty((len(decisions), 64), np.float32)
    policy_logarithms(kernel, decisions.movers, decisions.opponents, decisions.lasts, ratings, found, scores)
    return found


def _network(facts: int, out: float, chance: np.random.Generator) -> Reals:
    """Return the first numbers of a network with this many facts a move, in the order of the kernel's `network_at`."""
    width, stage, places = SIZES["width"], STAGE, 10

    def uniform(rows: int, columns: int, inputs: int, scale: float = 1.0) -> NDArray[np.float64]:
        return scale * chance.uniform(-1, 1, (rows, columns)) / math.sqrt(inputs)

    gates = np.zeros((SIZES["shares"], stage))
    gates[:, _CONSTANT] = 1
    parts = (
        uniform(facts, width, facts + stage),
        chance.normal(0, 0.1, (places, width)),
        uniform(stage, width, 9),
        uniform(width, HIDDEN, width),
        uniform(2 * width, HIDDEN, 2 * width, 0.7),
        uniform(stage, HIDDEN, 9),
        uniform(HIDDEN, HIDDEN, HIDDEN, 0.7),
        np.zeros(HIDDEN),
        uniform(1, HIDDEN + width + facts, HIDDEN + width, out),
        gates,
        np.zeros(stage),
    )
    return np.concatenate([part.ravel() for part in parts]).astype(np.float32)


def _rounded(table: Reals) -> tuple[bytes, float]:
    """Round a table to multiples of a scale; return them, one column after the other, and the scale."""
    scale = float(np.float32(np.quantile(np.abs(table), 0.999) / FINEST_STEPS or 1.0))
    whole = np.clip(np.rint(table / scale), -127, 127)
    table[:] = (whole * scale).astype(np.float32)
    return whole.astype(np.int8).T.tobytes(), scale


def new_model(decisions: Decisions, seed: int, shown: Shown) -> Model:
    """Return a model that keeps the rows and boards which these decisions meet often enough."""
    counts = np.zeros(SIZES["rows"], np.int64)
    hashes = []
    rows, boards = np.zeros((_MOST_MOVES * _CHUNK, 12), np.int32), np.zeros(_MOST_MOVES * _CHUNK, np.uint32)
    starts = range(0, len(decisions), _CHUNK)
    for start in shown(starts, len(starts), "rows"):
        some = decisions[start : start + _CHUNK]
        count = seen_rows(some.movers, some.opponents, some.lasts, rows, boards)
        counts += np.bincount(rows[:count, :11].ravel(), minlength=SIZES["rows"])
        hashes.append(boards[:count][boards[:count] > 0])
    found, met = np.unique(np.concatenate(hashes), return_counts=True)
    least = np.where(np.arange(SIZES["rows"]) < SIZES["vector_rows"], LEAST_SEEN["vectors"], LEAST_SEEN["shares"])
    return Model(np.flatnonzero(counts >= least).astype(np.int32), found[met >= LEAST_SEEN["boards"]], seed)


def fit(
    model: Model,
    decisions: Decisions,
    settings: PolicySettings,
    seed: int,
    shown: Shown,
    folder: Path,
    scores: Scores | None = None,
) -> None:
    """Do one part of the fit: with the `scores` of searches, of the network that blends them in; without, of the other.

    Its state is kept in the folder: an unfinished fit of the same decisions goes on where it was; a finished one is read.
    """
    unfinished = Unfinished(folder / f"{settings.name}.unfinished", say)
    arrays = [model.vectors, model.shares, model.networks]
    gradients = [np.zeros_like(one) for one in arrays]
    turned = np.zeros(64 * 160, np.float32)
    training = PolicyTraining(model.kernel, scores is not None, gradients[0], gradients[1], gradients[2], turned)
    adams = [Adam(one.shape, np.ones(1, np.float32)) for one in arrays]
    weights = np.minimum(1, 0.5 ** ((RECENT - decisions.years) / HALVING_YEARS)) if scores is None else None
    expected = len(decisions) if weights is None else float(weights.sum())
    steps = max(1, int(settings.passes * expected / settings.batch))
    given = (*decisions.columns[:6], *arrays, model.kept, model.boards, *(() if scores is None else (scores,)))
    mark = fingerprint((settings, seed), given)
    done = _restore(unfinished.load(mark), arrays, adams)
    batches = _batches(len(decisions), weights, settings.batch, steps, seed)
    for step, rows in zip(shown(range(steps), steps, settings.name), batches, strict=True):
        if step < done:
            continue
        some = decisions[rows]
        given_scores = None if scores is None else np.ascontiguousarray(scores[rows])
        training.add(some.movers, some.opponents, some.lasts, some.moves, some.ratings, given_scores)
        rate = settings.rate * _share(step / steps)
        for place in settings.arrays:
            gradients[place] /= settings.batch
            decay = settings.network_decay if place == NETWORKS else settings.table_decay
            arrays[place] *= np.float32(1 - rate * decay)
            for task in adams[place].step(arrays[place], gradients[place], rate):
                task()
        for gradient in gradients:
            gradient[:] = 0
        if step + 1 == steps or (step + 1) % STEPS_SAVED == 0:
            unfinished.save(mark, _state(step + 1, arrays, adams))


def _batches(count: int, weights: Each | None, size: int, steps: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield the decisions of each step, drawn without replacement, those with small weights less often."""
    chance = np.random.default_rng(seed)
    order = np.zeros(0, np.int64)
    for _ in range(steps):
        while len(order) < size:
            drawn = chance.permutation(count)
            if weights is not None:
                drawn = drawn[chance.random(count) < weights[drawn]]
            order = np.concatenate([order, drawn])
        yield order[:size]
        order = order[size:]


def _state(done: int, arrays: list[Reals], adams: list[Adam]) -> State:
    """Return the state of a fit after this many steps."""
    state: State = {"done": np.array(done)}
    for place, (numbers, adam) in enumerate(zip(arrays, adams, strict=True)):
        state |= {f"numbers{place}": numbers} | {f"{name}{place}": value for name, value in adam.state().items()}
    return state


def _restore(state: State | None, arrays: list[Reals], adams: list[Adam]) -> int:
    """Take over a state; return how many steps are done."""
    if state is None:
        return 0
    for place, (numbers, adam) in enumerate(zip(arrays, adams, strict=True)):
        numbers[:] = state[f"numbers{place}"]
        adam.restore({name: state[f"{name}{place}"] for name in adam.state()})
    return int(state["done"])


def _share(done: float) -> float:
    """Return the share of the highest rate: it rises for a tenth of the fit, then falls like a cosine."""
    return done / 0.1 + 1e-3 if done < 0.1 else 0.5 * (1 + math.cos(math.pi * (done - 0.1) / 0.9)) + 1e-3


@dataclass(frozen=True)
class Measure:
    """How well moves were predicted: decisions with two different moves or more, share of first choices, log loss in
    nats, and the standard error of each.
    """

    count: int
    first_choices: float
    first_choices_error: float
    loss: float
    loss_error: float

    @classmethod
    def of(cls, hits: Each, losses: Each) -> Measure:
        """Return the measure of decisions."""
        if not len(hits):
            return cls(0, math.nan, math.nan, math.nan, math.nan)
        root = math.sqrt(len(hits))
        hit, loss = float(np.mean(hits)), float(np.mean(losses))
        return cls(len(hits), hit, float(np.std(hits)) / root, loss, float(np.std(losses)) / root)


def prediction(logarithms: Reals, decisions: Decisions) -> tuple[Each, Each]:
    """Return for each decision its hit, a share where choices tie, and its loss; NaN where there is one choice.

    Moves that lead to the same position but for symmetry are one choice.
    """
    hits, losses = np.full(len(decisions), np.nan), np.full(len(decisions), np.nan)
    chances = np.exp(logarithms.astype(np.float64))
    boards = zip(decisions.movers.tolist(), decisions.opponents.tolist(), strict=True)
    for row, ((mover, opponent), move) in enumerate(zip(boards, decisions.moves.tolist(), strict=True)):
        totals: dict[tuple[int, int], float] = {}
        afters = canonical_afters(mover, opponent)
        for square, after in afters.items():
            totals[after] = totals.get(after, 0.0) + chances[row, square]
        if len(totals) > 1:
            largest, chosen = max(totals.values()), totals[afters[move]]
            ties = sum(total >= largest - 1e-9 for total in totals.values())
            hits[row] = (chosen >= largest - 1e-9) / ties
            losses[row] = -math.log(max(chosen, 1e-30))
    return hits, losses


@dataclass(frozen=True)
class Choices:
    """The moves of decisions that are one but for symmetry: `groups` numbers them, -1 for illegal ones.

    `several`: whether there are two different moves or more.
    """

    groups: NDArray[np.int8]
    several: NDArray[np.bool_]


def choices(decisions: Decisions) -> Choices:
    """Return which moves are one, a row a decision and a column a square."""
    groups = np.full((len(decisions), 64), -1, np.int8)
    for row, (mover, opponent) in enumerate(zip(decisions.movers.tolist(), decisions.opponents.tolist(), strict=True)):
        numbers: dict[tuple[int, int], int] = {}
        for square, after in canonical_afters(mover, opponent).items():
            groups[row, square] = numbers.setdefault(after, len(numbers))
    return Choices(groups, groups.max(1) > 0)


@dataclass(frozen=True)
class Draw:
    """How drawn moves agree with those of people: the share that is the same, its error, the share with a second draw
    (the mean sum of squared probabilities), and the entropy in nats.
    """

    hits: float
    hits_error: float
    squares: float
    entropy: float


@dataclass(frozen=True)
class Losses:
    """Mean losses of moves in discs, by the deepest search: of a step, of people, and the error of the difference.

    NaN where there are no decisions.
    """

    own: float
    theirs: float
    error: float

    @classmethod
    def of(cls, own: Each, theirs: Each) -> Losses:
        """Return the mean of the losses of decisions."""
        if not len(own):
            return cls(math.nan, math.nan, math.nan)
        error = float((own - theirs).std()) / math.sqrt(len(own))
        return cls(float(own.mean()), float(theirs.mean()), error)


@dataclass(frozen=True)
class BesidePeople:
    """How a step plays, asked for the rating of each player, beside the players.

    `losses`: for each quarter of the decisions by rating, if it has any, the mean rating and the losses at each of STAGES.
    """

    count: int
    model: Draw
    step: Draw
    losses: list[tuple[float, list[Losses]]]


def beside_people(kernel: PolicyModel, decisions: Decisions, scores: Scores) -> BesidePeople:
    """Return how a step of strength that plays as people do agrees with the rated players of these decisions."""
    found = choices(decisions)
    rows = np.flatnonzero(found.several & ~np.isnan(decisions.ratings))
    decisions, scores, groups = decisions[rows], scores[rows], found.groups[rows]
    model = np.exp(logarithms(kernel, decisions, scores).astype(np.float64))
    step = np.where(model >= UNLIKELY * model.max(1, keepdims=True), model, 0)
    model /= model.sum(1, keepdims=True)
    step /= step.sum(1, keepdims=True)
    losses = _losses(groups, scores)
    own, theirs = (step * losses).sum(1), losses[np.arange(len(rows)), decisions.moves]
    quarters = np.searchsorted(np.quantile(decisions.ratings, (0.25, 0.5, 0.75)), decisions.ratings)
    by_rating = []
    for quarter in np.unique(quarters).tolist():
        stages = []
        for least, most in STAGES:
            some = (quarters == quarter) & (decisions.empties >= least) & (decisions.empties <= most)
            stages.append(Losses.of(own[some], theirs[some]))
        by_rating.append((float(decisions.ratings[quarters == quarter].mean()), stages))
    return BesidePeople(len(rows), _draw(model, groups, decisions), _draw(step, groups, decisions), by_rating)


def _losses(groups: NDArray[np.int8], scores: Scores) -> Each:
    """Return what each move loses by the deepest search, in discs; `groups` as `Choices` has them."""
    deep = np.where(groups >= 0, scores[:, -1], -99).astype(np.float64)
    losses: Each = np.where(groups >= 0, deep.max(1, keepdims=True) - deep, 0)
    return losses


def expected_losses(
    kernel: PolicyModel, decisions: Decisions, scores: Scores, given: Scores | None, rating: float
) -> Each:
    """Return what the move of people of a rating is expected to lose in each decision that has two different moves, in
    discs, by the model that is `given` these scores, or none.
    """
    found = choices(decisions)
    chances = np.exp(logarithms(kernel, decisions, given, rating).astype(np.float64))
    losses: Each = (chances * _losses(found.groups, scores)).sum(1)[found.several]
    return losses


def _draw(chances: Each, groups: NDArray[np.int8], decisions: Decisions) -> Draw:
    """Return how moves drawn with these chances agree with those of people; `groups` as `Choices` has them."""
    by_group = np.stack([np.where(groups == group, chances, 0).sum(1) for group in range(int(groups.max()) + 1)], 1)
    index = np.arange(len(decisions))
    hits = by_group[index, groups[index, decisions.moves]]
    entropy = -(by_group * np.log(np.maximum(by_group, 1e-12))).sum(1)
    error = float(hits.std()) / math.sqrt(max(1, len(hits)))
    return Draw(float(hits.mean()), error, float((by_group**2).sum(1).mean()), float(entropy.mean()))


def label(decisions: Decisions, folder: Path, shown: Shown) -> Scores:
    """Return the scores of all moves of these decisions, by depth and square; read those that are in the folder."""
    found = []
    starts = range(0, len(decisions), LABEL_CHUNK)
    for start in shown(starts, len(starts), "searches"):
        some = decisions[start : start + LABEL_CHUNK]
        path = folder / f"scores-{fingerprint(DEPTHS, (some.movers, some.opponents))[:16]}.npy"
        if not path.exists():
            memory = io.BytesIO()
            np.save(memory, _scores(some))
            write_whole(path, memory.getvalue())
        found.append(np.load(path, allow_pickle=False))
    return np.concatenate(found)


def _scores(decisions: Decisions) -> Scores:
    scores = np.full((len(decisions), len(DEPTHS), 64), ILLEGAL, np.int8)
    boards = zip(decisions.movers.tolist(), decisions.opponents.tolist(), strict=True)
    with Engine(Options(hash=1, book=False)) as engine:
        for row, (mover, opponent) in enumerate(boards):
            for depth, by_move in enumerate(engine.people_model.scores(Position(mover, opponent))):
                for square, score in by_move.items():
                    scores[row, depth, square] = score
    return scores
