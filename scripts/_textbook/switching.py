"""The experiment on the switches of the textbook searcher, each alone."""

from __future__ import annotations

import random
import time

from _textbook.experiment import Experiment, Findings, Plot, Table, Unit, points, rate, ratio
from _textbook.positions import POSITIONS, completed, midgame_position
from _textbook.store import Store, Values
from othello_bot.strategies.board import Board, Player
from othello_bot.strategies.evaluations import count_difference, modified_weighted_squares
from othello_bot.strategies.mini_othello import MiniOthello
from othello_bot.strategies.referee import play_pair, random_opening
from othello_bot.strategies.switches import Switches
from othello_bot.strategies.techniques import RootMove, TextbookSearcher
from othello_bot.strategies.think_ahead import ThinkAhead

SWITCHED = {
    "none": Switches(),
    "static order": Switches(static_order=True),
    "sorted order": Switches(sorted_order=True),
    "hashing": Switches(hashing=True),
    "iterative deepening": Switches(iterative_deepening=True),
    "deepening, hashing": Switches(iterative_deepening=True, hashing=True),
    "aspiration": Switches(aspiration=50),
    "deepening, aspiration": Switches(iterative_deepening=True, aspiration=50),
    "zero window": Switches(zero_window=True),
    "corner pruning": Switches(corner_pruning=True),
    "deepening, metareasoning": Switches(iterative_deepening=True, metareasoning=True),
    "all that keep the value": Switches(
        iterative_deepening=True, hashing=True, aspiration=50, zero_window=True, static_order=True
    ),
}
DISC_SWITCHED = {"discs: none": Switches(), "discs: nonspeculative": Switches(nonspeculative=True)}
PLAYED = {
    "corner pruning": Switches(corner_pruning=True),
    "deepening, metareasoning": Switches(iterative_deepening=True, metareasoning=True),
    "completion from 10": Switches(completion=10),
}
REPLIES = (1, 2, 3, 5)


def switches(positions: int, depth: int, pairs: int) -> Experiment:
    """Count the boards that each switch alone saves, the games of those that change play, and the hits of thinking
    ahead.
    """
    all_switched = {**SWITCHED, **DISC_SWITCHED}

    def unit(name: str, number: int) -> Unit:
        def work() -> Values:
            board, player = midgame_position(number)
            evaluate = count_difference if name in DISC_SWITCHED else modified_weighted_squares
            searcher = TextbookSearcher(depth, evaluate, all_switched[name], seed=number)
            begin = time.process_time()
            root: RootMove = searcher.search(player, board)
            return {
                "boards": searcher.counters.boards,
                "evaluations": searcher.counters.evaluations,
                "seconds": time.process_time() - begin,
                "move": root.move,
            }

        return Unit(f"{name} {depth} {number}", name, work)

    def game_unit(name: str, number: int) -> Unit:
        def work() -> Values:
            board, player = random_opening(10, random.Random(number))
            with_it = TextbookSearcher(3, modified_weighted_squares, PLAYED[name], seed=number)
            without = TextbookSearcher(3, modified_weighted_squares)
            return {"scores": play_pair(with_it, without, board, player)}

        return Unit(f"games {name} {number}", f"games {name}", work)

    def think_unit(replies: int, number: int) -> Unit:
        def work() -> Values:
            board, player = random_opening(10, random.Random(number))
            searcher = TextbookSearcher(3, modified_weighted_squares, Switches(static_order=True))
            thinker = ThinkAhead(searcher, modified_weighted_squares, replies)
            other = MiniOthello(2, 0)

            def thoughtful(player: Player, board: Board) -> int:
                thinker.ponder(player, board)
                return other(player, board)

            play_pair(thinker, thoughtful, board, player)
            return {"hits": thinker.hits, "moves": thinker.hits + thinker.misses}

        return Unit(f"think {replies} {number}", f"think {replies}", work)

    units = [
        *(unit(name, number) for number in range(positions) for name in all_switched),
        *(game_unit(name, number) for number in range(pairs) for name in PLAYED),
        *(think_unit(replies, number) for number in range(max(1, pairs // 2)) for replies in REPLIES),
    ]

    def findings(store: Store) -> Findings:
        rows: list[list[str]] = []
        saved: list[tuple[float, float]] = []
        found = completed(store, "switches", [f"{name} {depth}" for name in all_switched])
        names = list(all_switched)
        for index, name in enumerate(names):
            base = names.index("discs: none" if name in DISC_SWITCHED else "none")
            sums = [
                [sum(values[row][what] for values in found) for row in (index, base)]
                for what in ("boards", "evaluations", "seconds")
            ]
            same = sum(values[index]["move"] == values[base]["move"] for values in found)
            rows.append([name, *(ratio(*pair) for pair in sums), ratio(same, len(found))])
            if found:
                saved.append((index, 100 - 100 * sums[0][0] / sums[0][1]))
        text = (
            f"Depth {depth}, modified weighted squares (the last two rows: disc difference), {len(found)} {POSITIONS}; "
            "in percent of the search without switches. Moves of equal value may differ in the last column."
        )
        counted = Table(["switch", "boards", "evaluations", "time", "same move"], rows, text)
        game_rows = []
        for name in PLAYED:
            scores = [
                score
                for number in range(pairs)
                for score in (store.get("switches", f"games {name} {number}") or {"scores": []})["scores"]
            ]
            game_rows.append([name, str(len(scores)), rate(points(scores), len(scores))])
        played = Table(["switch", "games", "won"], game_rows, "Depth 3 with the switch against depth 3 without it.")
        think_rows = []
        for replies in REPLIES:
            values = [
                value
                for number in range(max(1, pairs // 2))
                if (value := store.get("switches", f"think {replies} {number}")) is not None
            ]
            hits, moves = (sum(value[what] for value in values) for what in ("hits", "moves"))
            think_rows.append([str(replies), str(moves), ratio(hits, moves)])
        thought = Table(
            ["replies prepared", "moves", "answered at once"],
            think_rows,
            "Thinking ahead at depth 3 against Mini-Othello at depth 2, with time for all the replies.",
        )
        plot = Plot("switches", "Boards saved by each switch", "", "%", {"saved": saved}, bars=names)
        return Findings([counted, played, thought], [plot])

    theirs = "No numbers but those above; Norvig expects little of nonspeculative pruning in Othello."
    return Experiment("switches", "Each switch alone", theirs, units, findings)
