"""Recorded games: for every position, what a search knew after how much time. The file that keeps them.

A file holds one line of JSON for each game, compressed if its name ends in ".gz".
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from othello_bot.base.errors import InputError
from othello_bot.base.files import write_whole


@dataclass(frozen=True, slots=True)
class RecordedIteration:
    """A finished iteration: its depth in plies, the index of its selectivity, processor time in milliseconds since the
    search began, best move, and its score in discs.
    """

    depth: int
    selectivity_index: int
    ms: float
    move: int
    score: int


@dataclass(frozen=True, slots=True)
class RecordedPosition:
    """A position of a game, searched with an empty table.

    color       0 for Black to move, 1 for White
    empties     empty squares
    choices     number of legal moves; nothing is recorded about a forced move
    iterations  in the order of the search
    losses      for each move that was best in an iteration, what it gives away: discs, by the deepest search
    margins     by depth in plies, from 1: discs between the best and the second-best move
    solved      the last iteration proved the score
    """

    color: int
    empties: int
    choices: int
    iterations: tuple[RecordedIteration, ...] = ()
    losses: tuple[tuple[int, int], ...] = ()
    margins: tuple[int, ...] = ()
    solved: bool = False

    def loss(self, move: int) -> int:
        """Return what a move gives away, in discs; 0 for a move that was best only before the first millisecond."""
        return dict(self.losses).get(move, 0)

    def margin(self, depth: int) -> int:
        """Return by how many discs the best move was ahead in an iteration of `depth` plies; 0 if it is not known."""
        return self.margins[depth - 1] if 1 <= depth <= len(self.margins) else 0


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game: its number (which is that of its opening), and its positions without passes, in order."""

    number: int
    positions: tuple[RecordedPosition, ...]

    def as_line(self) -> str:
        """Return the game as a line of JSON."""
        rows = [
            [own.color, own.empties, own.choices, [*map(astuple, own.iterations)], own.losses, own.margins, own.solved]
            for own in self.positions
        ]
        return json.dumps([self.number, rows], separators=(",", ":"))

    @classmethod
    def of_line(cls, line: str) -> RecordedGame:
        """Return the game of a line; raise ValueError or TypeError if it is not one."""
        number, rows = json.loads(line)
        return cls(int(number), tuple(map(_position, rows)))


def _position(row: Sequence[Any]) -> RecordedPosition:
    color, empties, choices, iterations, losses, margins, solved = row
    return RecordedPosition(
        int(color),
        int(empties),
        int(choices),
        tuple(RecordedIteration(*values) for values in iterations),
        tuple((move, loss) for move, loss in losses),
        tuple(margins),
        bool(solved),
    )


def read_games(path: Path) -> list[RecordedGame]:
    """Return the games of a file, by number. Raise OSError or InputError."""
    data = path.read_bytes()
    try:
        text = (gzip.decompress(data) if path.name.endswith(".gz") else data).decode()
        games = sorted(map(RecordedGame.of_line, text.splitlines()), key=lambda game: game.number)
        if not games:
            raise ValueError("no games")
        return games
    except (OSError, EOFError, ValueError, TypeError) as error:
        expected = f"a file of scripts/measure clock-simulation record ({error})"
        raise InputError("recorded games", str(path), expected) from error


def write_games(path: Path, games: Sequence[RecordedGame]) -> None:
    """Write a file of games; raise OSError."""
    text = "".join(f"{game.as_line()}\n" for game in sorted(games, key=lambda game: game.number))
    # Without a time in it, equal games make an equal file.
    write_whole(path, gzip.compress(text.encode(), mtime=0) if path.name.endswith(".gz") else text.encode())
