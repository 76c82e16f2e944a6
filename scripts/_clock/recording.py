"""Recording games for the simulation: the engine plays itself, and every position is searched with an empty table.

The searches are limited by nodes, so that the same seed gives the same games, moves and scores on any machine; only the
times are the machine's. They are processor times of one thread, so that other work disturbs them little.
"""

from __future__ import annotations

import time

from othello_bot.arena.config import OpeningConfig
from othello_bot.arena.openings import load
from othello_bot.base.notation import PASS
from othello_bot.engine.deepening import Search
from othello_bot.engine.limits import SELECTIVITIES, Limits
from othello_bot.engine.searcher import SearchResult
from othello_bot.rules.position import Position

from .recorded import RecordedGame, RecordedIteration, RecordedPosition

MIDGAME_NODES = 3_000_000
"""Nodes of a search above SOLVED_EMPTIES: about half a second."""

ENDGAME_NODES = 12_000_000
"""Nodes of a search from there on: enough for most solves."""

SOLVED_EMPTIES = 25

FEWEST_EMPTIES = 9
"""Empties below which nothing is recorded: everything there is solved within a millisecond."""

SHORTEST_MS = 0.5
"""Milliseconds before which only the last iteration is recorded."""

SETTLED_MS = 1.0
"""Milliseconds after which a best move is worth knowing what it gives away: no clock allows less for a move."""

EASY_MS = 400.0
"""Milliseconds of a search up to which it may test whether its best move is clearly best: 30 % of the longest optimum
that these records are long enough for.
"""

HASH_MIB = 64


def record_game(number: int, seed: int) -> RecordedGame:
    """Play and record one game, from the opening of that number."""
    search = Search(HASH_MIB)
    search.prepare()
    game = load(OpeningConfig(), seed).of_round(number).game()
    positions = []
    while not game.is_over and game.position.empties >= FEWEST_EMPTIES:
        if game.position.must_pass:
            game.play(PASS)
            continue
        recorded, move = record_position(search, game.position)
        positions.append(recorded)
        game.play(move)
    return RecordedGame(number, tuple(positions))


def record_position(search: Search, position: Position) -> tuple[RecordedPosition, int]:
    """Return the record of a position, and its best move. It must not be a pass."""
    moves = position.legal_moves
    color, empties = int(position.color), position.empties
    if len(moves) == 1:
        return RecordedPosition(color, empties, 1), moves[0]
    nodes = ENDGAME_NODES if empties <= SOLVED_EMPTIES else MIDGAME_NODES
    iterations: list[RecordedIteration] = []
    search.clear()
    began_s = time.process_time()

    def on_iteration(result: SearchResult) -> None:
        ms = float(f"{1000 * (time.process_time() - began_s):.3g}")
        index = SELECTIVITIES.index(result.selectivity)
        if iterations and ms < SHORTEST_MS:
            iterations.clear()
        iterations.append(RecordedIteration(result.depth, index, ms, result.move, result.score))

    found = search.run(position.mover, position.opponent, Limits(nodes=nodes), on_progress=on_iteration)
    best = iterations[-1].move
    candidates = {best, *(step.move for step in iterations if step.ms >= SETTLED_MS)}
    losses = _losses(search, position, candidates, Limits(nodes=nodes))
    tested = [step.depth for step in iterations if step.depth < empties and step.ms < EASY_MS]
    margins = _margins(search, position, max(tested, default=0))
    recorded = RecordedPosition(color, empties, len(moves), tuple(iterations), losses, margins, found.exact)
    return recorded, best


def _losses(search: Search, position: Position, moves: set[int], limits: Limits) -> tuple[tuple[int, int], ...]:
    """Return what each of the moves gives away, in discs, judged by a search of all of them that goes as deep."""
    if len(moves) == 1:
        return tuple((move, 0) for move in moves)
    limits = Limits(nodes=limits.nodes, considered=frozenset(moves), multi_pv=len(moves))
    lines = search.run(position.mover, position.opponent, limits).lines
    return tuple(sorted((line.move, max(0, lines[0].score - line.score)) for line in lines))


def _margins(search: Search, position: Position, depth: int) -> tuple[int, ...]:
    """Return, for each depth that the test for a clearly best move may use, how far ahead the best move is."""
    from othello_bot.engine.deepening import CLEAR_PLIES

    margins: list[int] = []
    if depth <= CLEAR_PLIES:
        return ()
    search.clear()

    def on_iteration(result: SearchResult) -> None:
        margins.append(result.lines[0].score - result.lines[1].score)

    limits = Limits(depth=depth - CLEAR_PLIES, multi_pv=2)
    search.run(position.mover, position.opponent, limits, on_progress=on_iteration)
    return tuple(margins)
