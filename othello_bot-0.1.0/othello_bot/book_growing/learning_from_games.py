"""What games teach a book: the positions of their openings, how often each move was played, and how the games ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from othello_bot.base.notation import PASS, Color
from othello_bot.book import Book, Key, Scored, key_of, mark_of
from othello_bot.book.store import Store
from othello_bot.book_growing.expansion import Found, Levels, SearchTask, arrival, take_in
from othello_bot.book_growing.graph import Graph, choices_of
from othello_bot.engine import DEFAULT_LEVEL, Limits, SearchRequest, Steps
from othello_bot.rules import Game, Position, squares_of

LEARNED_PLIES: Final = 24
"""Plies of a game to learn: later, no two games are the same, and a search is better than a memory."""


@dataclass(slots=True)
class PlayedOpenings:
    """The first plies of games: the results of each position from its mover's view, and the moves played from it."""

    results: dict[Key, Counter[int]] = field(default_factory=dict)
    """For each position, in the order of their first occurrence, the number of games won (1), drawn (0), lost (-1), and
    of unknown result (None is counted as 2).
    """
    moves: Counter[tuple[Key, int]] = field(default_factory=Counter)
    games: int = 0

    def add(self, game: Game, black_result: float | None = None, plies: int = LEARNED_PLIES) -> bool:
        """Count the first plies of a game; return whether it is from the usual start and has moves, as it must.

        `black_result` is in discs from Black's view; None: that on the board if the game is over, or else unknown.
        """
        if game.start != Position.start() or not game.ply:
            return False
        if black_result is None and game.is_over:
            black_result = game.position.black_score()
        for ply in range(min(plies, game.ply) + 1):
            position = game.position_at(ply)
            mark = mark_of(position, game.moves[ply]) if ply < game.ply else (key_of(position), None)
            result = 2
            if black_result is not None:
                margin = black_result if position.color is Color.BLACK else -black_result
                result = (margin > 0) - (margin < 0)
            self.results.setdefault(mark[0], Counter())[result] += 1
            if mark[1] is not None and ply < plies:
                self.moves[mark[0], mark[1]] += 1
        self.games += 1
        return True

    def wanted(self, least_games: int) -> list[Key]:
        """Return the positions of at least this many games, in the order of their first occurrence."""
        return [key for key, results in self.results.items() if results.total() >= least_games]

    def count(self, graph: Graph) -> None:
        """Add the numbers of games to the positions that the graph has."""
        for key, results in self.results.items():
            node = graph.nodes.get(key)
            if node is None:
                continue
            entry = node.entry
            moves = tuple(one._replace(games=one.games + self.moves[key, one.move]) for one in entry.moves)
            counts = (entry.won + results[1], entry.drawn + results[0], entry.lost + results[-1])
            graph.add(key, replace(entry, won=counts[0], drawn=counts[1], lost=counts[2], moves=moves))


def learn_game(game: Game, store: Store, limits: Callable[[], Limits], interrupted: Callable[[], bool]) -> Steps[int]:
    """Return steps that add the opening of a game to a book, and end in the number of positions that are new.

    The book's searches are made under `limits`. When `interrupted` returns true, what is judged so far is kept, and the
    game is not counted. A game from another start teaches nothing. No other process can write the book before the
    steps have ended. Raise BookHeld if one does already, OSError if the book cannot be written.
    """
    played = PlayedOpenings()
    if not played.add(game):
        return 0
    with store.writing("an engine that learns a game"):
        return (yield from _learn(part_of(store, game), played, store, limits, interrupted))


def part_of(store: Store, game: Game) -> Graph:
    """Return what of a stored book's graph the first plies of a game can change: the positions of the game that the
    book has, those that the game's positions lead to, and all from which the book leads to one of the game.

    A position from which one of the game can be reached, by whatever moves, has discs only where the game has some in
    the end. So the walk stays on those squares, and is short however large the book is. It begins at both images of the
    start, because a mirrored game may lead to the same position.
    """
    played = [game.position_at(ply) for ply in range(min(LEARNED_PLIES, game.ply) + 1)]
    filled = played[-1].mover | played[-1].opponent
    counts = {_discs(position) for position in played}
    book = Book([store])
    parents: dict[Key, set[Key]] = {}
    seen = set(Position.start().symmetries())
    waiting = list(seen)
    while waiting:
        position = waiting.pop()
        known = book.lookup(position)
        if not known:
            continue
        key = key_of(position)
        leads_on = {one.move for one in known if one.leads_on}
        for move in (PASS,) if position.must_pass else squares_of(position.legal_bits & filled):
            after = position.play(move)
            if move in leads_on or _discs(after) in counts:
                parents.setdefault(key_of(after), set()).add(key)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    above = {key_of(position) for position in played}
    below = {after for key in above for after in choices_of(Position(*key)).values()}
    rising = list(above)
    while rising:
        higher = parents.get(rising.pop(), set()) - above
        above |= higher
        rising += higher
    entries = ((key, store.find(key)) for key in sorted(above | below))
    return Graph(((key, entry) for key, entry in entries if entry is not None), stored=True)


def _discs(position: Position) -> tuple[int, int]:
    """Return the numbers of discs of both players."""
    return position.mover.bit_count(), position.opponent.bit_count()


def _learn(
    graph: Graph,
    played: PlayedOpenings,
    store: Store,
    limits: Callable[[], Limits],
    interrupted: Callable[[], bool],
) -> Steps[int]:
    """Return the steps of `learn_game`."""
    before = len(graph)
    try:
        for task in _tasks(graph, played):
            result = yield SearchRequest(Position(*task.key), replace(limits(), considered=task.considered))
            if interrupted():
                return len(graph) - before
            best = Scored(result.move, result.score, result.depth, result.selectivity)
            take_in(graph, Found(task, best))
        played.count(graph)
    finally:
        graph.save(store)
    return len(graph) - before


def _tasks(graph: Graph, played: PlayedOpenings) -> Iterable[SearchTask]:
    """Yield the searches that add a game's positions; those that need none are added at once."""
    levels = Levels(late=DEFAULT_LEVEL, early=DEFAULT_LEVEL)
    for key in played.results:
        if key not in graph.nodes:
            task = arrival(key, levels)
            if task.considered:
                yield task
            else:
                take_in(graph, Found(task, None))
    for key in played.results:
        node = graph.nodes[key]
        if node.pending:
            yield SearchTask(key, DEFAULT_LEVEL, node.others, new=False)
