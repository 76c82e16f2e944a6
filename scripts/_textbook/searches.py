"""Experiments that count boards: the orders of moves, and the zero window."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from _textbook.experiment import Experiment, Findings, Table, Unit, ratio
from _textbook.positions import POSITIONS, completed, midgame_position
from _textbook.store import Store, Values
from othello_bot.strategies.board import Board, Player
from othello_bot.strategies.evaluations import modified_weighted_squares
from othello_bot.strategies.searchers import (
    alpha_beta_searcher,
    killer_searcher,
    minimax_searcher,
    sorted_searcher,
    static_order_searcher,
)
from othello_bot.strategies.switches import Switches
from othello_bot.strategies.techniques import TextbookSearcher


def _counted(evaluate: Callable[[Player, Board], int], calls: list[int]) -> Callable[[Player, Board], int]:
    def counting(player: Player, board: Board) -> int:
        calls[0] += 1
        return evaluate(player, board)

    return counting


ORDERS = {
    "minimax": minimax_searcher,
    "random order": alpha_beta_searcher,
    "sorted order": sorted_searcher,
    "static order": static_order_searcher,
    "static order, killer": killer_searcher,
}


def orders(positions: int, depth: int) -> Experiment:
    """Count the evaluations of alpha-beta with each move order, and of minimax one ply less deep for comparison."""

    def unit(name: str, number: int) -> Unit:
        def work() -> Values:
            board, player = midgame_position(number)
            calls = [0]
            plies = depth - 1 if name == "minimax" else depth
            begin = time.process_time()
            ORDERS[name](plies, _counted(modified_weighted_squares, calls))(player, board)
            return {"evaluations": calls[0], "seconds": time.process_time() - begin}

        return Unit(f"{name} {depth} {number}", name, work)

    units = [unit(name, number) for number in range(positions) for name in ORDERS]

    def findings(store: Store) -> Findings:
        found = completed(store, "orders", [f"{name} {depth}" for name in ORDERS])
        theirs = {
            "random order": ("100 %", "100 %"),
            "sorted order": ("107 %", "62 %"),
            "static order": ("63 %", "63 %"),
            "static order, killer": ("50 % (20 % fewer than static)", "50 %"),
        }
        totals = {
            name: [sum(values[index][what] for values in found) for what in ("evaluations", "seconds")]
            for index, name in enumerate(ORDERS)
        }
        base = totals["random order"]
        rows = []
        for name, (evaluations, seconds) in totals.items():
            label = f"{name} (depth {depth - 1})" if name == "minimax" else name
            rows.append(
                [label, *theirs.get(name, ("-", "-")), ratio(evaluations, base[0]), ratio(seconds, base[1])]
            )
        text = f"Depth {depth}, modified weighted squares, {len(found)} {POSITIONS}; in percent of the random order."
        head = ["order", "theirs: evaluations", "theirs: time", "ours: evaluations", "ours: time"]
        return Findings([Table(head, rows, text)])

    theirs = "Norvig, one game at depth 6: sorted order 62 % of the time, static order 63 %, killers another 20 % off."
    reading = (
        "The sorted order repeats the book's result. The static order saves twice as much as in the book's one game; "
        "by evaluations the rows rank as there."
    )
    return Experiment("orders", "Orders of moves", theirs, units, findings, reading)


WINDOWS = {
    "as they come": Switches(),
    "static": Switches(static_order=True),
    "sorted by evaluation": Switches(sorted_order=True),
    "deepening, hashing, static": Switches(iterative_deepening=True, hashing=True, static_order=True),
    "deepening, hashing, sorted": Switches(iterative_deepening=True, hashing=True, sorted_order=True),
    "best moves known": Switches(hashing=True, sorted_order=True),
}
KNOWN = "best moves known"
"""The order that has the moves to try first from a search of the same depth, which is not counted."""


def zero_window(positions: int, depth: int) -> Experiment:
    """Compare the zero window with the full window, by move order; the better the order, the more it should save."""

    def unit(name: str, zero: bool, number: int) -> Unit:
        def work() -> Values:
            board, player = midgame_position(number)
            searcher = TextbookSearcher(depth, modified_weighted_squares, replace(WINDOWS[name], zero_window=zero))
            teacher = TextbookSearcher(depth, modified_weighted_squares, WINDOWS[name]) if name == KNOWN else None
            if teacher is not None:
                teacher.search(player, board)
            begin = time.process_time()
            searcher.search(player, board, hints_from=teacher)
            return {"boards": searcher.counters.boards, "seconds": time.process_time() - begin}

        return Unit(f"{name} {zero} {depth} {number}", f"{name} {zero}", work)

    units = [unit(name, zero, number) for number in range(positions) for name in WINDOWS for zero in (False, True)]

    def findings(store: Store) -> Findings:
        rows = []
        for name in WINDOWS:
            found = completed(store, "zero-window", [f"{name} {zero} {depth}" for zero in (False, True)])
            full, zero = (
                [sum(values[index][what] for values in found) for what in ("boards", "seconds")] for index in (0, 1)
            )
            rows.append([name, str(len(found)), ratio(zero[0], full[0]), ratio(zero[1], full[1])])
        text = (
            f"Depth {depth}, modified weighted squares, {POSITIONS}; the zero window in percent of the full "
            "one. In the last row, an earlier search of the same depth tells which move to try first at every node."
        )
        return Findings([Table(["order", "positions", "boards", "time"], rows, text)])

    theirs = "Lee and Mahajan's Bill: 63 % of the time of full alpha-beta, thanks to its good order of moves."
    reading = (
        "Bill's saving is not seen here. With the best move first everywhere, both searches visit the same boards, "
        "because alpha-beta's own window is as narrow by then. With worse orders, the second searches cost at least "
        "what the narrow windows save. Bill's order and evaluation are not published in enough detail to try them."
    )
    return Experiment("zero-window", "Zero window against full window", theirs, units, findings, reading)
