"""Experiments that play games: against random play, Iago against weighted squares, the engine against everyone."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Sequence
from functools import cache

from _textbook.experiment import Experiment, Findings, Plot, Table, Unit, points, rate, ratio
from _textbook.store import Store, Values
from othello_bot.engine.deepening import Search
from othello_bot.engine.limits import Limits
from othello_bot.evaluation import shipped_weights
from othello_bot.strategies import Strategy, make
from othello_bot.strategies.board import ALL_SQUARES, BLACK, WHITE, Board, Player, Square
from othello_bot.strategies.evaluations import count_difference, modified_weighted_squares
from othello_bot.strategies.iago import iago
from othello_bot.strategies.marappan import ALGORITHMS, Marappan
from othello_bot.strategies.referee import play_game, play_pair, random_opening
from othello_bot.strategies.searchers import killer_searcher, random_strategy

ENGINE_OPENING_MOVES = 8
ENGINE_MOVE_TIME_S = 0.010
ENGINE_HASH_MIB = 16


class Timed:
    """A strategy with a clock: `seconds` is the processor time of its `moves`."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.seconds = 0.0
        self.moves = 0

    def __call__(self, player: Player, board: Board) -> Square:
        begin = time.process_time()
        move = self._strategy(player, board)
        self.seconds += time.process_time() - begin
        self.moves += 1
        return move


THEIR_RATIOS = {6: "18.0 (3200 s / 178 s)"}
"""Published ratio of Min-Max's time to Alpha-Beta's, by depth."""


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def versus_random(games: int, deepest: int) -> Experiment:
    """Let Min-Max and Alpha-Beta play at depths 1 to `deepest` against the same random players."""

    depths = range(1, deepest + 1)

    def unit(algorithm: str, depth: int, number: int) -> Unit:
        def work() -> Values:
            player = Timed(Marappan(depth, algorithm))
            other = random_strategy(1000 * depth + number)
            color = BLACK if number % 2 == 0 else WHITE
            black, white = (player, other) if color == BLACK else (other, player)
            return {"margin": count_difference(color, play_game(black, white)), "seconds": player.seconds}

        return Unit(f"{algorithm} {depth} {number}", f"{algorithm} {depth}", work)

    # The fast one first: a run that ends early then lacks only the slowest games.
    order = tuple(reversed(ALGORITHMS))
    units = [unit(algorithm, depth, number) for depth in depths for algorithm in order for number in range(games)]

    def findings(store: Store) -> Findings:
        rows: list[list[str]] = []
        shares: dict[str, list[tuple[float, float]]] = {}
        times: dict[str, list[tuple[float, float]]] = {}
        for algorithm in order:
            shares[algorithm], times[algorithm] = [], []
        for depth in depths:
            row = [str(depth)]
            both: dict[str, dict[int, float]] = {}
            for algorithm in order:
                found = {
                    number: values
                    for number in range(games)
                    if (values := store.get("random", f"{algorithm} {depth} {number}")) is not None
                }
                wins = sum(values["margin"] > 0 for values in found.values())
                both[algorithm] = {number: values["seconds"] for number, values in found.items()}
                seconds = _average(list(both[algorithm].values())) if found else 0.0
                minutes = sum(values["took"] for values in found.values()) / 60
                sampled = f" (sampled, {minutes:.0f} min)" if 0 < len(found) < games else ""
                row += [rate(wins, len(found)), f"{len(found)}{sampled}", f"{seconds:.2f}" if found else "-"]
                if found:
                    shares[algorithm].append((depth, 100 * wins / len(found)))
                    times[algorithm].append((depth, seconds))
            common = both[ALGORITHMS[0]].keys() & both[ALGORITHMS[1]].keys()
            slow = sum(both[ALGORITHMS[0]][number] for number in common)
            fast = sum(both[ALGORITHMS[1]][number] for number in common)
            row += [f"{slow / fast:.1f}" if fast else "-", THEIR_RATIOS.get(depth, "-")]
            rows.append(row)
        head = ["depth"]
        for algorithm in order:
            head += [f"{algorithm}: won", "games", "s a game"]
        head += ["minimax / alpha-beta, same games", "theirs"]
        text = (
            "Games against random moves, with alternating colours. Both algorithms choose the same moves, so the ratio "
            "of their times is taken over the games that both played. A draw does not count as won; the 95 % interval "
            "is in brackets. A sampled row states its processor time. The sources give the range of the percentages "
            "and the times at depth 6, but not for how many games, so only the ratio of the times can be compared."
        )
        return Findings(
            [Table(head, rows, text)],
            [
                Plot("random-wins", "Games won against random play", "depth", "%", shares, published=(81, 98)),
                Plot("random-time", "Time of a game against random play", "depth", "s", times, logarithmic=True),
            ],
        )

    theirs = "81 to 98 % won over depths 1 to 6; at depth 6 178 s with alpha-beta, 3200 s with min-max (18 times that)."
    return Experiment("random", "Min-Max and Alpha-Beta against random play", theirs, units, findings)


def iago_series(pairs: int) -> Experiment:
    """Let Iago play modified weighted squares at the same depth, over ten games and over all of them."""
    depths = (3, 4)

    def unit(depth: int, number: int) -> Unit:
        def work() -> Values:
            board, player = random_opening(10, random.Random(number))
            weighted = killer_searcher(depth, modified_weighted_squares)
            return {"scores": play_pair(iago(depth), weighted, board, player)}

        return Unit(f"{depth} {number}", f"depth {depth}", work)

    units = [unit(depth, number) for number in range(pairs) for depth in depths]

    def findings(store: Store) -> Findings:
        rows = []
        for depth, theirs in zip(depths, ("8 of 10", "9 of 10"), strict=True):
            for limit in sorted({min(5, pairs), pairs}):
                scores = [
                    score
                    for number in range(limit)
                    for score in (store.get("iago", f"{depth} {number}") or {"scores": []})["scores"]
                ]
                if scores:
                    won = f"{points(scores):g} of {len(scores)}"
                    margin = f"{_average(scores):+.1f}"
                    rows.append([str(depth), theirs, won, rate(points(scores), len(scores)), margin])
        text = (
            "Ten random moves open each pair of games, which is played with both colours. Draws count half; the margin "
            "is the mean disc difference."
        )
        return Findings([Table(["depth", "theirs", "ours", "share", "margin"], rows, text)])

    theirs = "Norvig: Iago won 8 of 10 games at depth 3 and 9 of 10 at depth 4."
    return Experiment("iago", "Iago against modified weighted squares", theirs, units, findings)


def shortened(text: str, longest: int) -> str:
    """Return a text, cut if it is longer than the limit."""
    return text if len(text) <= longest else f"{text[:longest - 1]}…"


@cache
def weights_digest() -> str:
    """Return the beginning of the SHA-256 of the learned evaluation's file, which identifies the weights."""
    return hashlib.sha256(shipped_weights.content()).hexdigest()[:12]


class EnginePlayer:
    """The engine as a strategy, under its own limits."""

    def __init__(self, limits: Limits) -> None:
        self._search = Search(ENGINE_HASH_MIB)
        self._limits = limits

    def __call__(self, player: Player, board: Board) -> Square:
        bits = {BLACK: 0, WHITE: 0}
        for index, square in enumerate(ALL_SQUARES):
            if board[square] in bits:
                bits[board[square]] |= 1 << index
        found = self._search.run(bits[player], bits[BLACK + WHITE - player], self._limits)
        return ALL_SQUARES[found.move]


OPPONENTS = (
    "random",
    "difference",
    "weighted",
    "modified",
    "mobility",
    "potential-mobility",
    "killer:3:weighted",
    "killer:3:modified",
    "iago:3",
    "iago:4",
    "mini-othello:4:end=10",
    "mini-othello:4:end=10+quiescence",
    "marappan:4",
    "textbook:4:iterative-deepening+hashing+corner-pruning+completion=10",
)
"""The engine's opponents. Minimax and all alpha-betas of a depth choose the same moves, so one of them is enough."""


def engine_series(pairs: int) -> Experiment:
    """Let the engine with its learned evaluation play each strategy, at one ply and at 10 ms a move."""
    modes = {"one ply": Limits(depth=1), "10 ms": Limits(move_time_s=ENGINE_MOVE_TIME_S)}

    def unit(opponent: str, mode: str, number: int) -> Unit:
        def work() -> Values:
            board, player = random_opening(ENGINE_OPENING_MOVES, random.Random(number))
            engine = Timed(EnginePlayer(modes[mode]))
            other = Timed(make(opponent, seed=number))
            scores = play_pair(engine, other, board, player)
            return {
                "scores": scores,
                "engine_seconds": engine.seconds,
                "engine_moves": engine.moves,
                "seconds": other.seconds,
                "weights": weights_digest(),
            }

        return Unit(f"{opponent} {mode} {number}", f"{opponent} {mode}", work)

    units = [unit(opponent, mode, number) for number in range(pairs) for opponent in OPPONENTS for mode in modes]

    def findings(store: Store) -> Findings:
        rows = []
        digests: set[str] = set()
        shares: dict[str, list[tuple[float, float]]] = {mode: [] for mode in modes}
        for index, opponent in enumerate(OPPONENTS):
            row = [f"`{opponent}`"]
            for mode in modes:
                found = [
                    values
                    for number in range(pairs)
                    if (values := store.get("engine", f"{opponent} {mode} {number}")) is not None
                ]
                scores = [score for values in found for score in values["scores"]]
                row.append(f"{rate(points(scores), len(scores))} of {len(scores)}")
                row.append(f"{_average(scores):+.1f}" if scores else "-")
                used, moves = (sum(values[what] for values in found) for what in ("engine_seconds", "engine_moves"))
                row.append(f"{1000 * used / moves:.1f}" if moves else "-")
                row.append(ratio(used, sum(values["seconds"] for values in found)))
                digests |= {values["weights"] for values in found}
                if scores:
                    shares[mode].append((index, 100 * points(scores) / len(scores)))
            rows.append(row)
        head = ["opponent"]
        for mode in modes:
            head += [f"{mode}: won", "margin", "ms a move", "time"]
        text = (
            f"Both colours of each opening of {ENGINE_OPENING_MOVES} random moves; draws count half. The 10 ms are "
            "wall time. `ms a move` is the processor time that the engine used, `time` the same in percent of the "
            f"opponent's. Evaluation weights: SHA-256 {', '.join(sorted(digests)) or '-'}."
        )
        bars = Plot(
            "engine", "Games won by the engine", "", "%", shares, bars=[shortened(spec, 24) for spec in OPPONENTS]
        )
        return Findings([Table(head, rows, text)], [bars])

    theirs = "nothing published; this is the learned engine's own test."
    return Experiment("engine", "The learned engine against the textbook", theirs, units, findings)
