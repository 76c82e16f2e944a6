"""Work on whole books without searching: merging, pruning, checking, and the grade of how far a book is solved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from othello_bot.base.notation import PASS, move_name
from othello_bot.book import CompactBook, Entry, Key, Scored
from othello_bot.book.store import Store
from othello_bot.book_growing.expansion import Levels, Place, Reach, SearchTask, arrival, places, remainder
from othello_bot.book_growing.graph import Graph, GraphNode, choices_of, is_proven
from othello_bot.book_growing.growing import START
from othello_bot.rules import Position, PositionError

MOST_FAULTS: Final = 20
"""Faults that `check` names; it counts the others."""

BEST_PLAY: Final = 2
"""Discs that the moves of a line may lose together and still be near best play, for the grade."""

GRADES: Final = ((1.0, "A"), (0.9, "B"), (0.7, "C"), (0.4, "D"), (0.1, "E"))
"""The least share of solved lines of each grade; below them it is F."""


def merged(one: Entry, other: Entry) -> Entry:
    """Return what two books say about a position: the leaf and the scores of the deeper search, and the games of both."""
    best, rest = (one, other) if _depth(one) >= _depth(other) else (other, one)
    moves = {move.move: move for move in rest.moves}
    for move in best.moves:
        games = move.games + (moves[move.move].games if move.move in moves else 0)
        moves[move.move] = move._replace(games=games)
    return replace(
        best,
        lower=max(one.lower, other.lower),
        upper=min(one.upper, other.upper),
        won=one.won + other.won,
        drawn=one.drawn + other.drawn,
        lost=one.lost + other.lost,
        moves=tuple(moves[move] for move in sorted(moves)),
    )


def _depth(entry: Entry) -> tuple[int, int]:
    """Return how deep the search of an entry's leaf was; one without other moves needs none."""
    return (entry.level, 0) if entry.leaf is None else (entry.leaf.depth, entry.leaf.selectivity)


def merge(store: Store, others: Iterable[Store | CompactBook]) -> int:
    """Add other books to a stored one, in one transaction; return the number of new positions.

    Raise BookError for a damaged book, OSError if the book cannot be written.
    """
    graph = Graph.of(store)
    before = len(graph)
    names = store.names()
    for other in others:
        for key, entry in other.entries():
            known = graph.nodes.get(key)
            graph.add(key, entry if known is None else merged(known.entry, entry))
        names = {**other.names(), **names}
    with store.transaction():
        for node in graph.take_changes():
            store.put(node.key, node.entry)
        for key, name in names.items():
            store.put_name(key, name)
    return len(graph) - before


def prune(store: Store, reach: Reach, most_positions: int | None = None) -> int:
    """Remove the positions that are out of reach, and the most distant ones above a number; return how many.

    The moves that led to them keep their scores. Raise OSError if the book cannot be written.
    """
    graph = Graph.of(store)
    where = places(graph, (START,), reach)
    kept = sorted(where, key=lambda key: (where[key].distance, key))
    keep = _with_passes(graph, kept if most_positions is None else kept[:most_positions])
    removed = graph.nodes.keys() - keep
    rest = Graph((key, graph.nodes[key].entry) for key in keep)
    with store.transaction():
        for key in removed:
            store.remove(key)
        for node in rest.take_changes():
            store.put(node.key, node.entry)
    return len(removed)


def _with_passes(graph: Graph, kept: Iterable[Key]) -> set[Key]:
    """Return positions to keep, with those after their forced passes."""
    keep = set(kept)
    for key in list(keep):
        keep.update(child.key for move, child in graph.nodes[key].children.items() if move == PASS)
    return keep


def faults(book: Store | CompactBook) -> list[str]:
    """Return what is wrong with a book: with its file, with its positions, and with the scores that go up.

    At most MOST_FAULTS faults are named, and one line counts the others.
    """
    found = list(book.damage())
    if found:
        return found
    entries = dict(book.entries())
    for key, entry in list(entries.items()):
        wrong = _faults_of(key, entry)
        found += wrong
        if wrong:
            del entries[key]
    graph = Graph(entries.items())
    for node in graph.nodes.values():
        if node.entry != entries[node.key]:
            was, made = entries[node.key].score, node.entry.score
            what = (
                f"score {was}, but its moves give {made}"
                if was != made
                else "its moves have different scores in the positions below"
            )
            found.append(f"{_text(node.key)}: {what}")
        if PASS in node.choices and not node.children:
            found.append(f"{_text(node.key)}: the position after the pass is missing")
    if len(found) > MOST_FAULTS:
        found[MOST_FAULTS:] = [f"and {len(found) - MOST_FAULTS} more"]
    return found


def _faults_of(key: Key, entry: Entry) -> list[str]:
    try:
        position = Position(*key)
    except PositionError as error:
        return [str(error)]
    if position.canonical()[0] != position:
        return [f"{_text(key)}: not the canonical image of the position"]
    choices = choices_of(position)
    moves: list[Scored] = [*entry.moves, *([] if entry.leaf is None else [entry.leaf])]
    found = [f"{_text(key)}: illegal move {move.move}" for move in moves if move.move not in choices]
    if len({move.move for move in moves}) < len(moves):
        found.append(f"{_text(key)}: a move that occurs twice")
    if not -64 <= entry.lower <= entry.score <= entry.upper <= 64:
        found.append(f"{_text(key)}: score {entry.score} outside its bounds {entry.lower} to {entry.upper}")
    return found


def _text(key: Key) -> str:
    return Position(*key).to_string()


@dataclass(frozen=True, slots=True)
class Statistics:
    """What there is to say about a book: positions, unproven leaves, proven scores, positions by ply, the solved share
    of the lines near best play, the line of best play, and the entry of the start.
    """

    positions: int
    leaves: int
    proven: int
    pending: int
    by_ply: dict[int, int]
    lines: int
    solved_lines: int
    best_line: tuple[int, ...]
    start: Entry | None

    @property
    def grade(self) -> str:
        """The grade: A if all lines within BEST_PLAY discs of best play end solved, to F if hardly any does."""
        share = self.solved_lines / self.lines if self.lines else 0.0
        return next((letter for least, letter in GRADES if share >= least), "F")


def statistics(book: Store | CompactBook) -> Statistics:
    """Return the statistics of a book; raise BookError if it is damaged."""
    graph = Graph(book.entries())
    nodes = graph.nodes.values()
    lines, solved = _near_best_play(graph)
    start = graph.nodes.get(START)
    return Statistics(
        positions=len(graph),
        leaves=sum(node.entry.leaf is not None and not is_proven(node.entry.leaf, node.empties) for node in nodes),
        proven=sum(node.entry.exact for node in nodes),
        pending=sum(node.pending for node in nodes),
        by_ply=dict(sorted(Counter(60 - node.empties for node in nodes).items())),
        lines=lines,
        solved_lines=solved,
        best_line=best_line(start),
        start=None if start is None else start.entry,
    )


def _near_best_play(graph: Graph) -> tuple[int, int]:
    """Return the number of lines within BEST_PLAY discs of best play, and of those that end in a proven score."""
    reached: dict[Key, Counter[int]] = {START: Counter({0: 1})} if START in graph.nodes else {}
    lines = solved = 0
    for node in graph.from_the_top():
        counts = reached.get(node.key)
        if counts is None:
            continue
        entry = node.entry
        for lost, number in counts.items():
            if entry.exact and not node.children:
                lines, solved = lines + number, solved + number
                continue
            for move in (*entry.moves, *(() if entry.leaf is None else (entry.leaf,))):
                loss = lost + max(0, entry.score - move.score)
                if loss > BEST_PLAY:
                    continue
                child = node.children.get(move.move)
                if child is not None and move is not entry.leaf:
                    reached.setdefault(child.key, Counter())[loss] += number
                else:
                    lines += number
                    solved += number * is_proven(move, node.empties)
    return lines, solved


def best_line(node: GraphNode | None) -> tuple[int, ...]:
    """Return the moves of best play from the start of the game as far as the book goes, the leaf included."""
    line: list[int] = []
    position = Position.start()
    while node is not None and node.entry.scored:
        best = node.entry.scored[0]
        move = next(
            move
            for move in ((PASS,) if position.must_pass else position.legal_moves)
            if _image(position, move) == node.choices[best.move]
        )
        line.append(move)
        position = position.play(move)
        node = node.children.get(best.move)
    return tuple(line)


def _image(position: Position, move: int) -> Key:
    canonical, _ = position.play(move).canonical()
    return canonical.mover, canonical.opponent


def line_text(moves: Iterable[int]) -> str:
    """Return moves as they are shown in a row."""
    return " ".join(map(move_name, moves))


def nearest(graph: Graph, reach: Reach) -> list[tuple[Place, GraphNode]]:
    """Return the positions within reach, the nearest first."""
    where = places(graph, (START,), reach)
    return sorted(((where[key], graph.nodes[key]) for key in where), key=lambda pair: (pair[0].distance, pair[1].key))


def deepening(graph: Graph, reach: Reach, levels: Levels) -> Iterator[SearchTask]:
    """Yield the searches of all leaves within reach that were searched at a lower level, the nearest first."""
    for _, node in nearest(graph, reach):
        task = remainder(node, levels)
        leaf = node.entry.leaf
        solved = leaf is not None and is_proven(leaf, node.empties)
        if node.others and not solved and (node.pending or node.entry.level < task.level):
            yield task


def fixing(graph: Graph, levels: Levels) -> Iterator[SearchTask]:
    """Yield the searches of what every book must have: positions after forced passes, and the leaves that are missing."""
    for node in list(graph.nodes.values()):
        if PASS in node.choices and not node.children:
            yield arrival(node.choices[PASS], levels)
    yield from pending(graph, levels)


def learned(graph: Graph, wanted: Iterable[Key], levels: Levels) -> Iterator[SearchTask]:
    """Yield the searches that add positions, and those of the leaves that they change."""
    for key in wanted:
        yield arrival(key, levels)
    yield from pending(graph, levels)


def pending(graph: Graph, levels: Levels) -> Iterator[SearchTask]:
    """Yield the searches of all missing leaves, until none is missing."""
    tried: set[tuple[Key, frozenset[int]]] = set()
    while True:
        found = [node for node in graph.nodes.values() if node.pending and (node.key, node.others) not in tried]
        if not found:
            return
        for node in found:
            tried.add((node.key, node.others))
            if node.pending:
                yield remainder(node, levels)
