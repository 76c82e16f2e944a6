"""What decided games cost: games of a level against weak players, and the nodes of each of its moves.

Under a clock, the decided positions of both sides are searched once more, with an empty table and the same time left.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from othello_bot.base.clocks import ClockState
from othello_bot.base.notation import PASS, Color
from othello_bot.engine import SearchRequest
from othello_bot.engine.deepening import Search
from othello_bot.engine.levels import DECIDED_DISCS
from othello_bot.engine.limits import Limits
from othello_bot.rules import Game, Position
from othello_bot.strategies import choose, make

LEVEL = 21
OPPONENTS = ("random", "difference")
OPENING_PLIES = 4
"""Random moves before a game against a player that would otherwise play the same game every time."""
LONG_S = 2.0
"""Seconds beyond which a move of a decided game is too long."""
MILLION = 1_000_000


@dataclass(frozen=True)
class SearchedMove:
    """The search of one move of the engine. `score` in discs from its view."""

    opponent: str
    score: int
    nodes: int
    seconds: float


def moves(games: int, clock_s: float | None = None) -> Iterator[SearchedMove]:
    """Play `games` games against each opponent, colours in turn, and yield the engine's moves.

    With `clock_s` seconds left for each move, yield the moves of decided positions instead, of either side.

    One thread and a table of 64 MiB, emptied before each game; the seed of a game is its number.
    """
    search, clocked = Search(64, 1), None if clock_s is None else Search(64, 1)
    for opponent in OPPONENTS:
        for number in range(games):
            for move, position in _game(search, opponent, number, both=clocked is not None):
                if clocked is None or clock_s is None:
                    yield move
                elif abs(move.score) > DECIDED_DISCS:
                    clocked.clear()
                    yield _searched(clocked, opponent, position, Limits(clock=ClockState(clock_s)))[0]


def _searched(search: Search, opponent: str, position: Position, limits: Limits) -> tuple[SearchedMove, int]:
    """Return what the search of a move was, and the move."""
    began = time.perf_counter()
    result = search.answer(SearchRequest(position, limits))
    return SearchedMove(opponent, result.score, result.nodes, time.perf_counter() - began), result.move


def _game(search: Search, opponent: str, number: int, both: bool) -> Iterator[tuple[SearchedMove, Position]]:
    """Yield the engine's moves, each with its position; with `both`, also what it would play for its opponent."""
    rng = random.Random(number)
    strategy = make(opponent, seed=number)
    game = Game()
    search.clear()
    for _ in range(OPENING_PLIES if opponent != "random" else 0):
        game.play(rng.choice(game.position.legal_moves))
    while not game.is_over:
        position = game.position
        own = position.color == Color(number % 2)
        move = PASS
        if not position.must_pass and (own or both):
            searched, move = _searched(search, opponent, position, Limits(level=LEVEL))
            yield searched, position
        game.play(move if own else choose(strategy, position))


def table(searched: Sequence[SearchedMove]) -> str:
    """Return the figures as a Markdown table: decided moves and others, against each opponent."""
    lines = [
        "| moves | number | million nodes in all | 99 of 100 below | most | over 4 | over 20 |"
        f" 99 of 100 within | longest | over {LONG_S:g} s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for opponent in (*OPPONENTS, ""):
        for decided in (True, False):
            chosen = [
                move
                for move in searched
                if opponent in ("", move.opponent) and (abs(move.score) > DECIDED_DISCS) == decided
            ]
            if chosen:
                name = f"beyond ±{DECIDED_DISCS}" if decided else "others"
                lines.append(_row(f"{name}, {'against ' + opponent if opponent else 'all'}", chosen))
    return "\n".join(lines)


def _row(name: str, chosen: Sequence[SearchedMove]) -> str:
    nodes = sorted(move.nodes for move in chosen)
    seconds = sorted(move.seconds for move in chosen)
    ninety_nine = (99 * len(nodes) - 1) // 100
    return (
        f"| {name} | {len(nodes)} | {sum(nodes) / MILLION:.1f} | {nodes[ninety_nine] / MILLION:.2f} |"
        f" {nodes[-1] / MILLION:.2f} | {sum(count > 4 * MILLION for count in nodes)} |"
        f" {sum(count > 20 * MILLION for count in nodes)} | {seconds[ninety_nine]:.2f} s | {seconds[-1]:.2f} s |"
        f" {sum(second > LONG_S for second in seconds)} |"
    )
