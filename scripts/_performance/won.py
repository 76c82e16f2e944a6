"""What decided games cost: games of a level against weak players, and the nodes of each of its moves."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from othello_bot.base.notation import PASS, Color
from othello_bot.engine.deepening import Search
from othello_bot.engine.limits import Limits
from othello_bot.rules import Game
from othello_bot.strategies import choose, make

LEVEL = 21
OPPONENTS = ("random", "difference")
OPENING_PLIES = 4
"""Random moves before a game against a player that would otherwise play the same game every time."""
DECIDED_DISCS = 50
"""A game is decided while the engine's score is larger than this, for either side."""
MILLION = 1_000_000


@dataclass(frozen=True)
class SearchedMove:
    """The search of one move of the engine. `score` in discs from its view."""

    opponent: str
    score: int
    nodes: int
    seconds: float


def moves(games: int) -> Iterator[SearchedMove]:
    """Play `games` games against each opponent, colours in turn, and yield the engine's moves.

    One thread and a table of 64 MiB, emptied before each game; the seed of a game is its number.
    """
    search = Search(64, 1)
    for opponent in OPPONENTS:
        for number in range(games):
            yield from _game(search, opponent, number)


def _game(search: Search, opponent: str, number: int) -> Iterator[SearchedMove]:
    rng = random.Random(number)
    strategy = make(opponent, seed=number)
    game = Game()
    search.clear()
    for _ in range(OPENING_PLIES if opponent != "random" else 0):
        game.play(rng.choice(game.position.legal_moves))
    while not game.is_over:
        position = game.position
        if position.color != Color(number % 2):
            game.play(choose(strategy, position))
        elif position.must_pass:
            game.play(PASS)
        else:
            began = time.perf_counter()
            result = search.run(position.mover, position.opponent, Limits(level=LEVEL))
            yield SearchedMove(opponent, result.score, result.nodes, time.perf_counter() - began)
            game.play(result.move)


def table(searched: Sequence[SearchedMove]) -> str:
    """Return the figures as a Markdown table: decided moves and others, against each opponent."""
    lines = [
        "| moves | number | million nodes in all | 99 of 100 below | most | over 4 | over 20 | longest |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
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
    return (
        f"| {name} | {len(nodes)} | {sum(nodes) / MILLION:.1f} | {nodes[(99 * len(nodes) - 1) // 100] / MILLION:.2f} |"
        f" {nodes[-1] / MILLION:.2f} | {sum(count > 4 * MILLION for count in nodes)} |"
        f" {sum(count > 20 * MILLION for count in nodes)} | {max(move.seconds for move in chosen):.2f} s |"
    )
