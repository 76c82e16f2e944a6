"""Which games a conversion takes: by player, year, result and length; and which games are the same."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS
from othello_bot.formats.record import GameRecord, year_of
from othello_bot.rules import SYMMETRIES, Position, transform_square

RESULTS: Final = ("black", "white", "draw", "unknown")
SAME_MOVES: Final = "moves"
SAME_UNDER_SYMMETRY: Final = "symmetry"

_RANGE: Final = re.compile(r"(\d{1,4})(?:(-)(\d{1,4})?)?")
_IMAGES: Final = tuple(
    bytes(transform_square(square, index) for square in range(PASS + 1)) + bytes(range(PASS + 1, 256))
    for index in SYMMETRIES
)
"""The image of each square under each symmetry, for bytes.translate(); a pass stays one."""


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers from `low` to `high`, both included."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> Range:
        """Return the range of "60", "50-60" or "50-". Raise InputError for other texts."""
        match = _RANGE.fullmatch(text)
        if match is None or (match[3] and int(match[3]) < int(match[1])):
            raise InputError("range", text, "a number, or a range like 50-60 or 50-")
        low = int(match[1])
        return cls(low, int(match[3]) if match[3] else 9999 if match[2] else low)

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high


@dataclass(frozen=True, slots=True)
class GameFilter:
    """What a game must be to be taken; None and empty texts take all.

    `player`, `black` and `white` are parts of names, in any case and without accents; `results` some of RESULTS;
    `length` counts the discs played, without passes.
    """

    player: str = ""
    black: str = ""
    white: str = ""
    years: Range | None = None
    results: frozenset[str] = frozenset()
    length: Range | None = None

    def takes(self, record: GameRecord) -> bool:
        """Return whether a game is taken."""
        if self.player and not (_in(self.player, record.black) or _in(self.player, record.white)):
            return False
        if not (_in(self.black, record.black) and _in(self.white, record.white)):
            return False
        if self.years is not None and (year_of(record.date) or 0) not in self.years:
            return False
        if self.results and result_word(record) not in self.results:
            return False
        return self.length is None or sum(move != PASS for move in record.game.moves) in self.length


def result_word(record: GameRecord) -> str:
    """Return who won, one of RESULTS."""
    if record.known_winner is not None:
        return record.known_winner.name.lower()
    return "unknown" if record.known_result is None else "draw"


def _in(part: str, name: str) -> bool:
    """Return whether a name has this part, in any case and without accents."""
    return not part or _plain(part) in _plain(name)


def _plain(name: str) -> str:
    if name.isascii():
        return name.casefold()
    return "".join(char for char in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(char))


def key_of(record: GameRecord, sameness: str) -> bytes:
    """Return a key that two games share if they are the same: their start and moves, or those of a symmetric image."""
    moves = bytes(record.game.moves)
    start = record.game.start
    if sameness == SAME_MOVES:
        return (b"" if start == Position.start() else start.to_string().encode()) + moves
    starts = _START_IMAGES if start == Position.start() else _images(start)
    return min(image + moves.translate(table) for image, table in zip(starts, _IMAGES, strict=True))


def _images(start: Position) -> tuple[bytes, ...]:
    """Return the text of a position under each symmetry."""
    return tuple(start.transform(index).to_string().encode() for index in SYMMETRIES)


_START_IMAGES: Final = _images(Position.start())
