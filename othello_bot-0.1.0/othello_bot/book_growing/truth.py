"""What is proven about openings: "Othello is solved" (H. Takizawa, arXiv 2310.19387), positions with 50 empties.

Scores are compared with it, and a book can learn it: as bounds of its positions, beside its own estimates.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from othello_bot.base.errors import FormatError, counted
from othello_bot.base.notation import move_name
from othello_bot.book import HIGHEST, Book, key_of
from othello_bot.book_growing.graph import Graph, GraphNode
from othello_bot.formats import obf
from othello_bot.formats.reading import text_of_file
from othello_bot.rules import Game, Position

DRAWN_LINE: Final = (
    "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1"
    "f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6"
)
"""The proven line of the draw: with best play from the start the game ends 32 to 32."""

COLUMNS: Final = ("obf", "count", "score", "alpha", "beta")

LARGEST_PROOFS_BYTES: Final = 1 << 26
"""Size limit of a file of proofs; the published one has half a megabyte."""

WIDE_DISCS: Final = 2
"""Contradictions by more discs than these are worth a look each."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A position whose score is proven to lie from `lower` to `upper`."""

    position: Position
    lower: int
    upper: int

    def contradiction(self, score: int) -> int:
        """Return by how many discs a score is outside what is proven; 0 if it is not."""
        return max(self.lower - score, score - self.upper, 0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A score compared with a proof; `discs` is the contradiction."""

    proof: Proof
    score: int
    discs: int


def read_proofs(path: Path) -> list[Proof]:
    """Return the proofs of a CSV file with the columns COLUMNS.

    A search with the window from -64 to 0 proved a score of at least 0, one from 0 to 64 a score of at most 0. Raise
    FormatError at the first invalid line, OSError if the file cannot be read.
    """
    found: dict[Position, Proof] = {}
    rows = csv.reader(io.StringIO(text_of_file(path, LARGEST_PROOFS_BYTES), newline=""))
    try:
        if tuple(next(rows, ())) != COLUMNS:
            raise FormatError("file of proofs", path.name, f"a first line with the columns {', '.join(COLUMNS)}")
        for row in rows:
            proof = _proof(row, rows.line_num)
            known = found.get(proof.position, proof)
            lower, upper = max(known.lower, proof.lower), min(known.upper, proof.upper)
            found[proof.position] = Proof(proof.position, lower, upper)
    except csv.Error as error:
        raise FormatError(f"line {rows.line_num + 1} of the proofs", str(error), "CSV") from None
    return list(found.values())


def _proof(row: list[str], line: int) -> Proof:
    problem = obf.parse_line(row[0]) if len(row) == len(COLUMNS) else None
    windows = {("-64", "0"): (0, 64), ("0", "64"): (-64, 0), ("-64", "64"): (0, 0)}
    bounds = windows.get((row[3], row[4])) if problem is not None else None
    if problem is None or bounds is None:
        raise FormatError(f"line {line} of the proofs", ",".join(row), "a position and the window -64,0 or 0,64")
    return Proof(problem.position, *bounds)


def drawn_line() -> list[Position]:
    """Return the positions of the drawn line, from the start of the game to its end; each is worth 0."""
    game = Game.from_transcript(DRAWN_LINE)
    return [game.position_at(ply) for ply in range(game.ply + 1)]


def learn_proofs(graph: Graph, proofs: Iterable[Proof]) -> int:
    """Narrow the bounds of a book's positions by proofs and by the drawn line; return how many are narrower now.

    No move of a position on that line is worth more than 0, so those after them are worth 0 at least.
    """
    line = [Proof(position, 0, 0) for position in drawn_line()]
    beside = [Proof(node.position, 0, HIGHEST) for one in line for node in _after(graph, one.position)]
    narrower = 0
    for proof in (*proofs, *line, *beside):
        node = graph.nodes.get(key_of(proof.position))
        if node is None:
            continue
        lower, upper = max(node.entry.lower, proof.lower), min(node.entry.upper, proof.upper)
        if lower <= upper and (lower, upper) != (node.entry.lower, node.entry.upper):
            graph.add(node.key, replace(node.entry, lower=lower, upper=upper))
            narrower += 1
    return narrower


def _after(graph: Graph, position: Position) -> Iterable[GraphNode]:
    """Return the positions of a book after the moves of a position."""
    node = graph.nodes.get(key_of(position))
    return () if node is None else node.children.values()


def compared(proofs: Iterable[Proof], score_of: Callable[[Position], int | None]) -> Iterator[Comparison]:
    """Yield the comparisons of all positions that have a score; `score_of` returns None for a position without one."""
    for proof in proofs:
        score = score_of(proof.position)
        if score is not None:
            yield Comparison(proof, score, proof.contradiction(score))


def score_in(book: Book) -> Callable[[Position], int | None]:
    """Return the score of a position in a book, None where it is not in it."""

    def score(position: Position) -> int | None:
        entry = book.entry(position)
        return None if entry is None else entry.score

    return score


def drawn_line_faults(book: Book) -> tuple[int, list[str]]:
    """Return how many positions of the drawn line a book knows, and what it says against the proof.

    At each of them the line's move scores 0, and no other scores more.
    """
    game = Game.from_transcript(DRAWN_LINE)
    known = 0
    faults = []
    for ply, move in enumerate(game.moves):
        moves = book.lookup(game.position_at(ply))
        if not moves:
            continue
        known += 1
        where = f"ply {ply + 1}"
        own = next((one for one in moves if one.move == move), None)
        if own is not None and own.score != 0:
            faults.append(f"{where}: {move_name(move)} scores {own.score:+d}, not 0")
        faults += [
            f"{where}: {move_name(one.move)} scores {one.score:+d}, more than a draw"
            for one in moves
            if one.discs > 0 and one.move != move
        ]
    return known, faults


def report(comparisons: Iterable[Comparison]) -> list[str]:
    """Return the comparisons as text: a summary, and each contradiction by more than WIDE_DISCS discs."""
    every = list(comparisons)
    wrong = [one for one in every if one.discs]
    wide = sorted((one for one in wrong if one.discs > WIDE_DISCS), key=lambda one: -one.discs)
    summary = f"{counted(len(every), 'position')} compared, {len(wrong)} contradicted"
    lines = [f"{summary}, {len(wide)} by more than {WIDE_DISCS} discs"]
    for one in wide:
        proven = f"{one.proof.lower:+d} to {one.proof.upper:+d}"
        lines.append(f"{one.proof.position.to_string()}: score {one.score:+d}, proven {proven}")
    return lines
