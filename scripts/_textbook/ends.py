"""The experiment on the end of the game."""

from __future__ import annotations

import time

from _textbook.experiment import Experiment, Findings, Table, Unit
from _textbook.positions import POSITIONS, completed, endgame_position
from _textbook.store import Store, Values
from othello_bot.engine.deepening import Search
from othello_bot.engine.limits import Limits
from othello_bot.strategies.board import ALL_SQUARES, BLACK, WHITE, Board, Player, empties
from othello_bot.strategies.mini_othello import EndSolver

HASH_MIB = 64
END_EMPTIES = 14
SOLVERS = ("plain, margin", "plain, win only", "solver, margin", "solver, win only")


def endgame(positions: int) -> Experiment:
    """Compare Mini-Othello's plain endgame with the engine's endgame solver, 14 squares from the end."""

    def unit(name: str, number: int) -> Unit:
        def work() -> Values:
            board, player = endgame_position(number, END_EMPTIES)
            solve = _solve_plainly if name.startswith("plain") else _solve_by_engine
            return solve(player, board, name.endswith("win only"))

        return Unit(f"{name} {number}", name, work)

    units = [unit(name, number) for number in range(positions) for name in SOLVERS]

    def findings(store: Store) -> Findings:
        found = completed(store, "endgame", SOLVERS)
        rows = []
        for index, name in enumerate(SOLVERS):
            base = index + 2 if index < 2 else index
            nodes, seconds, base_nodes, base_seconds = (
                sum(values[row][what] for values in found) for row in (index, base) for what in ("nodes", "seconds")
            )
            if found:
                means = [f"{nodes / len(found):,.0f}", f"{1000 * seconds / len(found):,.2f}"]
                rows.append([name, *means, f"{nodes / base_nodes:.1f}", f"{seconds / base_seconds:.0f}"])
        wrong = sum(values[0]["score"] != values[2]["score"] for values in found)
        text = (
            f"{len(found)} {POSITIONS}, {END_EMPTIES} empty squares; means. Both of their programs were compiled; here "
            "only the solver is, so positions visited are the fair comparison. "
            f"The two disagreed about the margin in {wrong} positions."
        )
        head = ["end", "positions visited", "ms", "times the solver's positions", "times its time"]
        return Findings([Table(head, rows, text)])

    theirs = "Li and Radichkov: with Andersson's endgame solver about ten times as fast as with their own minimax end."
    return Experiment("endgame", "The plain end against an endgame solver", theirs, units, findings)


def _solve_plainly(player: Player, board: Board, win_only: bool) -> Values:
    """Solve as Mini-Othello does."""
    solver = EndSolver()
    low, high = (-1, 1) if win_only else (-64, 64)
    begin = time.process_time()
    score = solver.solve(player, board, low, high)
    return {"score": score, "nodes": solver.nodes, "seconds": time.process_time() - begin}


def _solve_by_engine(player: Player, board: Board, win_only: bool) -> Values:
    """Solve as the engine does, from an empty table; making the table is not timed."""
    bits = {BLACK: 0, WHITE: 0}
    for index, square in enumerate(ALL_SQUARES):
        if board[square] in bits:
            bits[board[square]] |= 1 << index
    search = Search(HASH_MIB)
    limits = Limits(depth=empties(board), selectivity=100, wld=win_only)
    begin = time.process_time()
    result = search.run(bits[player], bits[BLACK + WHITE - player], limits)
    return {"score": result.score, "nodes": result.nodes, "seconds": time.process_time() - begin}
