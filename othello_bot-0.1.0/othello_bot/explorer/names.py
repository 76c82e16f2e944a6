"""Names of players and events: how they are compared, and lists of players in files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from othello_bot.base.errors import FormatError
from othello_bot.formats.reading import text_of_file
from othello_bot.formats.record import plain

LARGEST_LIST_BYTES: Final = 1 << 24
"""Size limit of a list of players."""


@dataclass(slots=True)
class Players:
    """Players of a list: their numbers in a WTHOR base, and their names as plain() gives them."""

    numbers: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def has(self, text: str, number: int) -> bool:
        """Return whether the list has a player with this name or number."""
        return (number > 0 and number in self.numbers) or (bool(text) and plain(text) in self.names)

    @classmethod
    def from_text(cls, text: str) -> Players:
        """Return the players of a text as a file has it."""
        players = cls()
        for _, words in _lines(text):
            if words[0].isascii() and words[0].isdecimal():
                players.numbers.add(int(words[0][:9]))
            else:
                players.names.add(plain(" ".join(words)))
        return players

    def text(self) -> str:
        """Return what from_text() reads."""
        return "\n".join([*map(str, sorted(self.numbers)), *sorted(self.names)])


def read_players(path: Path) -> Players:
    """Return the players of a list, a number or a name on each line, # before a remark.

    Raise OSError, or FormatError if the file is too long.
    """
    return Players.from_text(text_of_file(path, LARGEST_LIST_BYTES))


@dataclass(slots=True)
class Ratings:
    """Ratings of players, by their numbers in a WTHOR base and by their names as plain() gives them."""

    numbers: dict[int, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def of(self, text: str, number: int) -> int:
        """Return the rating of a player, 0 if the list does not have him."""
        return self.numbers.get(number, 0) or (self.names.get(plain(text), 0) if text else 0)


def read_ratings(path: Path) -> Ratings:
    """Return the ratings of a list: on each line a number or a name, then the rating, # before a remark.

    Raise OSError, or FormatError for a line without a rating from 1 to 9999.
    """
    ratings = Ratings()
    for number, words in _lines(text_of_file(path, LARGEST_LIST_BYTES)):
        rating = words[-1].partition(".")[0]
        if len(words) < 2 or not (rating.isascii() and rating.isdecimal() and 0 < int(rating[:9]) <= 9999):
            line = " ".join(words)
            raise FormatError(
                "line of ratings", line, "a name or a number, then a rating from 1 to 9999", where=f"line {number}"
            )
        player = words[:-1]
        if len(player) == 1 and player[0].isascii() and player[0].isdecimal():
            ratings.numbers[int(player[0][:9])] = int(rating)
        else:
            ratings.names[plain(" ".join(player))] = int(rating)
    return ratings


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of each line that is no remark, with its number from 1; commas, semicolons and tabs are spaces."""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].translate({ord(char): " " for char in ",;\t"}).split()
        if words:
            yield number, words
