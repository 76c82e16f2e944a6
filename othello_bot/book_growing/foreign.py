"""What the book formats of other programs have in common: their positions as entries, and what ours lacks for theirs."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from othello_bot.base.notation import PASS
from othello_bot.book import HIGHEST, LOWEST, BookError, Entry, Key, Scored
from othello_bot.book_growing.graph import Graph, Node
from othello_bot.engine import SELECTIVITIES, goal
from othello_bot.rules import Position, PositionError

UNPROVEN: Final = SELECTIVITIES[-2]
"""Selectivity in percent given to the scores of other programs, whose files do not say whether they are proven."""

HIGHEST_LEVEL: Final = 60


def scored(move: int, score: int, level: int, empties: int) -> Scored:
    """Return a move with the depth and selectivity that its level stands for here, but never as proven."""
    depth, index = goal(max(0, min(level, HIGHEST_LEVEL)), empties)
    return Scored(move, score, depth, min(UNPROVEN, SELECTIVITIES[index]))


def count_in_header(
    data: bytes, program: str, header: struct.Struct, magic: bytes, version: int, advice: str = ""
) -> int:
    """Return the number of positions that a book's header states, its last field, after the magic word and the version.

    Raise BookError where the data is no book of the program, or one of another version; `advice` tells what helps then.
    """
    if data[: len(magic)] != magic:
        raise BookError(f"{program} book", data[: len(magic)], f"a file that begins with {magic!r}")
    if len(data) < header.size:
        raise BookError(f"length of the {program} book", len(data), f"at least {header.size} bytes")
    _, found, *_, count = header.unpack_from(data)
    if found != version:
        raise BookError(f"version of the {program} book", found, f"{version}{advice}", len(magic))
    return int(count)


def position_at(data: bytes, at: int) -> Position:
    """Return the position whose bitboards begin at a place; raise BookError."""
    try:
        return Position(*struct.unpack_from("<QQ", data, at))
    except PositionError as error:
        raise BookError("position of the book", error.value, error.expected, at) from None


def checked_score(score: int, at: int) -> int:
    """Return a score that is possible; raise BookError for any other."""
    if not LOWEST <= score <= HIGHEST:
        raise BookError("score of the book", score, f"a number from {LOWEST} to {HIGHEST}", at)
    return score


def checked_move(move: int, position: Position, at: int) -> int:
    """Return a move that is legal; raise BookError for any other."""
    legal = move == PASS if position.must_pass else 0 <= move < 64 and position.legal_bits >> move & 1
    if not legal:
        raise BookError("move of the book", move, "a legal move", at)
    return move


def complete(graph: Graph) -> list[Node]:
    """Return the positions in the order of their keys; raise BookError if one lacks its leaf.

    Other programs need the leaf wherever a move is not in the book.
    """
    nodes = sorted(graph.nodes.values(), key=lambda node: node.key)
    lacking = sum(node.pending and best_leaf(node) is None for node in nodes)
    if lacking:
        raise BookError("positions without a leaf", lacking, "none: `othello-bot book fix` searches them")
    return nodes


def best_leaf(node: Node) -> Scored | None:
    """Return the best known move that leads out of the book; None without one."""
    out = [move for move in node.entry.moves if move.move not in node.children]
    if node.entry.leaf is not None:
        out.append(node.entry.leaf)
    return max(out, key=lambda move: move.score, default=None)


def lines(graph: Graph) -> dict[Key, int]:
    """Return the number of lines that begin at each position: those of the positions after its moves, and its leaf."""
    found: dict[Key, int] = {}
    for node in reversed(list(graph.from_the_top())):
        below = sum(found[child.key] for child in node.children.values())
        found[node.key] = max(1, below + (best_leaf(node) is not None))
    return found


def add_passes(graph: Graph) -> None:
    """Add the positions between a move and a position of the book where the opponent must pass."""
    for node in list(graph.nodes.values()):
        for key in set(node.choices.values()) - graph.nodes.keys():
            between = Position(*key)
            if between.must_pass and (after := graph.nodes.get(_passed(between))) is not None:
                graph.add(key, Entry(-after.entry.score, level=after.entry.level))


def _passed(position: Position) -> Key:
    canonical, _ = position.play(PASS).canonical()
    return canonical.mover, canonical.opponent


def graph_of(entries: Iterator[tuple[Key, Entry]]) -> Graph:
    """Return the graph of the positions of another program's book; of two entries for one position, the first counts."""
    kept: dict[Key, Entry] = {}
    for key, entry in entries:
        kept.setdefault(key, entry)
    graph = Graph(kept.items())
    add_passes(graph)
    return graph
