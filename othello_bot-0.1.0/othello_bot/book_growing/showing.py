"""What a book says about a position and about itself, and how far a growing one is, as text.

The progress is one line that rich keeps up to date on a terminal, a line now and then elsewhere.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final

from othello_bot.base.errors import counted
from othello_bot.base.notation import move_name
from othello_bot.base.visible import table_lines
from othello_bot.book import Book, Key, Source, key_of
from othello_bot.book_growing.growing import GrowthProgress
from othello_bot.book_growing.maintenance import Statistics, line_text
from othello_bot.rules import Game, Position, PositionError

if TYPE_CHECKING:
    from rich.status import Status


def position_of_text(text: str) -> Game:
    """Return the game of a transcript, or one that begins at a board; raise InputError."""
    try:
        return Game(Position.parse(text))
    except PositionError:
        return Game.from_transcript(text)


def moves_table(source: Source, game: Game, named: Book) -> list[str]:
    """Return a table of the moves that a book knows in a position, best first, with the opening's name and the games.

    `named` is the book that knows the names of the openings.
    """
    position = game.position
    book = Book([source])
    entry = book.entry(position)
    name = named.opening_name(game)
    head = [f"opening: {name}"] if name else []
    if entry is None:
        return [*head, "the book does not have this position"]
    bounds = "proven" if entry.exact else f"proven {entry.lower:+d} to {entry.upper:+d}"
    games = f"games {entry.won} won, {entry.drawn} drawn, {entry.lost} lost"
    head.append(f"score {entry.score:+d}, {bounds}, level {entry.level}, {games}")
    if not entry.scored:
        return [*head, "the game is over"]
    known: dict[Key, int] = {}
    rows = [("move", "score", "depth", "lines", "games", "")]
    for move in book.lookup(position):
        after = position.play(move.move)
        lines = str(lines_after(source, after, known)) if move.leads_on else "-"
        note = named.name(after) or ("" if move.leads_on else "not in the book")
        rows.append((move_name(move.move), f"{move.score:+d}", move.reached(), lines, str(move.games), note))
    return [*head, *table_lines(rows, left=(0, 5))]


def lines_after(source: Source, position: Position, known: dict[Key, int]) -> int:
    """Return the number of lines that begin at a position; `known` has those that were counted before."""
    key = key_of(position)
    if key in known:
        return known[key]
    entry = source.find(key)
    if entry is None:
        known[key] = 1
        return 1
    after = [Position(*key).play(move.move) for move in entry.moves]
    count = sum(lines_after(source, one, known) for one in after) + (entry.leaf is not None)
    known[key] = max(1, count)
    return known[key]


def statistics_lines(statistics: Statistics) -> list[str]:
    """Return the statistics of a book as text."""
    share = f"{statistics.solved_lines} of {statistics.lines}" if statistics.lines else "no"
    found = [
        f"positions          {statistics.positions}",
        f"proven scores      {statistics.proven}",
        f"leaves to search   {statistics.pending}",
        f"leaves not proven  {statistics.leaves}",
        f"grade              {statistics.grade} ({share} lines near best play end in a proven score)",
    ]
    if statistics.start is not None:
        found.append(f"score of the start {statistics.start.score:+d}")
        found.append(f"best play          {line_text(statistics.best_line)}")
    by_ply = " ".join(f"{ply}:{count}" for ply, count in statistics.by_ply.items())
    return [*found, f"positions by ply   {by_ply}"]


PLAIN_EVERY_S: Final = 30.0
"""Seconds between two lines if the output is not a terminal."""


class GrowthDisplay:
    """Shows on stderr how far a book is; use it as a context manager.

    `here`: the searches are made by this process, so that its processor time shows what one costs; on a busy machine,
    elapsed time does not.
    """

    def __init__(self, here: bool = True) -> None:
        self._here = here
        self._began_s = time.monotonic()
        self._processor_began_s = time.process_time()
        self._written_s = -PLAIN_EVERY_S
        self._first: int | None = None
        self._status: Status | None = None

    def __enter__(self) -> GrowthDisplay:
        if sys.stderr.isatty():
            try:
                from rich.console import Console
            except ImportError:
                return self
            self._status = Console(stderr=True).status("")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, progress: GrowthProgress) -> None:
        """Show the progress if it is time to."""
        if self._first is None and progress.start is not None:
            self._first = progress.start.score
        if self._status is not None:
            self._status.update(self.line(progress))
        elif time.monotonic() - self._written_s >= PLAIN_EVERY_S:
            self._written_s = time.monotonic()
            sys.stderr.write(f"{self.line(progress)}\n")
            sys.stderr.flush()

    def line(self, progress: GrowthProgress) -> str:
        """Return the progress in one line."""
        parts = [
            f"{counted(progress.positions, 'position')}, {progress.added} of them new",
            f"{counted(progress.searches, 'search', 'searches')}{self._rate(progress.searches)}",
        ]
        if progress.leaves:
            parts.append(f"{counted(progress.leaves, 'leaf', 'leaves')} within reach")
        if progress.start is not None:
            before = "" if self._first in (None, progress.start.score) else f", {self._first:+d} before"
            parts.append(f"start {progress.start.score:+d}{before}")
        return "; ".join(parts)

    def _rate(self, searches: int) -> str:
        """Return what a search takes, in words; nothing before the first."""
        if not searches:
            return ""
        elapsed_s = time.monotonic() - self._began_s
        processor_s = time.process_time() - self._processor_began_s
        own = f" ({processor_s / searches:.2f} s of processor time)" if self._here else ""
        return f", {elapsed_s / searches:.2f} s a search{own}"
