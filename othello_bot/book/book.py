"""The opening book: the known moves of a position, their losses, and the names of the openings.

Positions are stored once for all eight symmetries. `Book` is built from rows of moves, loss and name; callers use only
`lookup`, `choose` and `opening_name`, whatever the source of the rows.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot.errors import FormatError
from othello_bot.files import DATA_FOLDER
from othello_bot.rules import (
    SYMMETRIES,
    Game,
    IllegalMove,
    Position,
    inverse_symmetry,
    parse_moves,
    transform_square,
)
from protocol.notation import format_transcript

SOUND_LOSS: Final = 1
"""Largest loss in discs of a good move; the scores are not more precise than that."""

LARGEST_LOSS: Final = 8
"""Largest loss in discs of a move that may be chosen at a randomness of 100 %."""

SPREAD: Final = 4.0
"""Loss in discs that makes a move less likely by a factor of e at a randomness of 100 %."""


class BookError(FormatError):
    """A book file that cannot be read; `place` is the number of the line."""


@dataclass(frozen=True, slots=True)
class BookMove:
    """A known move of a position.

    `loss`: the discs that it gives away against the best move; `weight`: the number of named lines it leads to, at
    least 1; `name`: the name of the position after it, None without one.
    """

    move: int
    loss: int
    weight: int
    name: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a book file: a line of moves, the loss of its last move in discs, and the name of the position it
    reaches.
    """

    moves: tuple[int, ...]
    loss: int
    name: str | None


@dataclass(slots=True)
class _Entry:
    """The information about a move of a canonical position: its loss, and the number of named lines through it."""

    loss: int
    named: int = 0


_Key = tuple[int, int]


class Book:
    """An opening book. Build it with `from_rows`, `load` or `load_default`."""

    def __init__(self) -> None:
        self._moves: dict[_Key, dict[int, _Entry]] = {}
        self._names: dict[_Key, str] = {}

    @classmethod
    def load_default(cls) -> Book:
        """Return the shipped book."""
        return cls.from_rows(default_rows())

    @classmethod
    def load(cls, path: Path) -> Book:
        """Return the book of a file (see `read_rows`); raise BookError or OSError if it cannot be read."""
        return cls.from_rows(read_rows(path.read_text(encoding="utf-8")))

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> Book:
        """Return the book of these rows. They must be legal, and each must follow the row of its line without the last
        move.
        """
        book = cls()
        positions: dict[tuple[int, ...], Position] = {(): Position.start()}
        entries: dict[tuple[int, ...], _Entry] = {}
        for row in rows:
            before = positions[row.moves[:-1]]
            after = positions[row.moves] = before.play(row.moves[-1])
            canonical, index = before.canonical()
            known = book._moves.setdefault((canonical.mover, canonical.opponent), {})
            move = _canonical_move(canonical, transform_square(row.moves[-1], index))
            entry = entries[row.moves] = known.setdefault(move, _Entry(row.loss))
            entry.loss = max(entry.loss, row.loss)
            if row.name is not None:
                book._names.setdefault(_key(after), row.name)
                for length in range(1, len(row.moves) + 1):
                    entries[row.moves[:length]].named += 1
        return book

    def __len__(self) -> int:
        """Return the number of positions with a known move, counting symmetric ones once."""
        return len(self._moves)

    def lookup(self, position: Position) -> tuple[BookMove, ...]:
        """Return the known moves of a position, the best first; empty without any.

        In a symmetric position, every image of a known move is a known move.
        """
        known = self._moves.get(_key(position))
        if known is None:
            return ()
        canonical, _ = position.canonical()
        found: dict[int, BookMove] = {}
        for index in SYMMETRIES:
            if position.transform(index) == canonical:
                for canonical_move, entry in known.items():
                    move = transform_square(canonical_move, inverse_symmetry(index))
                    name = self._names.get(_key(position.play(move)))
                    found.setdefault(move, BookMove(move, entry.loss, max(1, entry.named), name))
        return tuple(sorted(found.values(), key=lambda book_move: (book_move.loss, -book_move.weight, book_move.move)))

    def choose(self, position: Position, randomness: int, rng: random.Random) -> BookMove | None:
        """Return a move to play in a position, None if the book has none that is good enough.

        `randomness` is 0 to 100 percent. At 0, only equally good best moves are drawn by lot. Higher values make moves
        with fewer named lines or a greater loss more likely. At 100, names do not matter, and a move may lose up to
        LARGEST_LOSS discs.
        """
        allowed = allowed_loss(randomness)
        moves = [book_move for book_move in self.lookup(position) if book_move.loss <= allowed]
        if not moves:
            return None
        if randomness <= 0:
            return rng.choice([one for one in moves if (one.loss, one.weight) == (moves[0].loss, moves[0].weight)])
        fame = 1 - randomness / 100
        likelihood = [one.weight**fame * likelihood_of_loss(one.loss - moves[0].loss, randomness) for one in moves]
        return rng.choices(moves, likelihood)[0]

    def opening_name(self, played: Game | Sequence[int]) -> str | None:
        """Return the name of the last named position of a game, or of moves from the usual start; None without one.

        Positions are compared, not the order of moves, so transpositions and mirrored games are recognised. Raise
        IllegalMove for an illegal move.
        """
        if isinstance(played, Game):
            game = played
        else:
            game = Game()
            game.play_moves(played)
        for ply in range(game.ply, 0, -1):
            name = self._names.get(_key(game.position_at(ply)))
            if name is not None:
                return name
        return None


def allowed_loss(randomness: int) -> float:
    """Return the largest loss in discs of a move that may be chosen at a randomness in percent."""
    return SOUND_LOSS + (LARGEST_LOSS - SOUND_LOSS) * randomness / 100


def likelihood_of_loss(loss: float, randomness: int) -> float:
    """Return the likelihood of a move with this loss in discs relative to the best move, at a randomness above 0
    percent.
    """
    return math.exp(-loss / (SPREAD * randomness / 100))


def default_rows() -> list[Row]:
    """Return the rows of the shipped book."""
    return read_rows((DATA_FOLDER / "openings.txt").read_text(encoding="utf-8"))


def read_rows(text: str) -> list[Row]:
    """Return the rows of a book file.

    A row is a transcript from the usual start, the loss of its last move in whole discs (0 for a best move), and, if
    the position after it has one, its name: "c4e3f6e6f5 0 Tiger". It must follow the row of its line without the last
    move. A # begins a comment. Raise BookError at the first invalid or illegal row.
    """
    rows: list[Row] = []
    positions: dict[tuple[int, ...], Position] = {(): Position.start()}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("#", 1)[0].split(maxsplit=2)
        if not fields:
            continue
        if len(fields) < 2 or not fields[1].isdecimal() or len(fields[1]) > 2 or int(fields[1]) > 64:
            raise BookError(f"line {number}: book row", line, "moves, loss in discs, name", number)
        try:
            moves = parse_moves(fields[0])
            if not moves or moves in positions:
                raise BookError(f"line {number}: book moves", fields[0], "a line that no earlier row has", number)
            if moves[:-1] not in positions:
                raise BookError(f"line {number}: book moves", fields[0], "the row without its last move first", number)
            positions[moves] = positions[moves[:-1]].play(moves[-1])
        except (FormatError, IllegalMove) as error:
            raise BookError(f"line {number}: book moves", error.value, error.expected, number) from error
        rows.append(Row(moves, int(fields[1]), fields[2].strip() if len(fields) > 2 else None))
    return rows


def format_row(row: Row) -> str:
    """Return a row as a line of a book file."""
    return f"{format_transcript(row.moves, passes=False):<44} {row.loss:>2}  {row.name or ''}".rstrip()


def _key(position: Position) -> _Key:
    """Return the key that a position shares with its images; it ignores colours."""
    canonical, _ = position.canonical()
    return canonical.mover, canonical.opponent


def _canonical_move(canonical: Position, move: int) -> int:
    """Return the representative of `move` and its images under the symmetries of the position itself."""
    return min(transform_square(move, index) for index in SYMMETRIES if canonical.transform(index) == canonical)
