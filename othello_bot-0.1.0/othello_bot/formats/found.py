"""FoundGame: one game of a file with its place, read or refused; a refused game does not hide those after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from othello_bot.base.errors import FormatError
from othello_bot.formats.record import GameRecord


class FoundGame(NamedTuple):
    """A game of a file: its `record`, or the `error` why it cannot be read; exactly one of them is set.

    `number` counts the games of the file from 1, unreadable ones included. `offset` is the place of the game, or of its
    error, in characters (binary files: bytes) from the start; `line` is the same place as a line from 1, 0 in binary
    files.
    """

    number: int
    offset: int
    line: int = 0
    record: GameRecord | None = None
    error: FormatError | None = None

    @property
    def place(self) -> str:
        """The place in words, such as "game 17 (line 203)"."""
        return f"game {self.number} ({f'line {self.line}' if self.line else f'byte {self.offset}'})"

    def checked(self) -> GameRecord:
        """Return the record; raise the error if the game cannot be read, with its place in words."""
        if self.record is not None:
            return self.record
        error = self.error or FormatError("game", self.place, "a game")
        place = f"line {self.line}" if self.line else f"byte {self.offset}"
        game = f"game {self.number}" if self.number > 1 else ""
        where = ", ".join(filter(None, (game, place, error.where)))
        raise FormatError(error.what, error.value, error.expected, error.place, where)

    def moved(self, games: int, offset: int, lines: int) -> FoundGame:
        """Return the game as found in a longer file, behind this many games, characters and lines."""
        if not (games or offset or lines):
            return self
        line = self.line + lines if self.line else 0
        return FoundGame(self.number + games, self.offset + offset, line, self.record, self.error)


class Lines:
    """Line numbers of offsets in a text, counted on from the last offset asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1

    def line_of(self, offset: int) -> int:
        """Return the line, from 1, that holds the character at an offset."""
        if offset < self._offset:
            self._line -= self._text.count("\n", offset, self._offset)
        else:
            self._line += self._text.count("\n", self._offset, offset)
        self._offset = offset
        return self._line


_SPACE: Final = re.compile(r"\s*")


def skip_space(text: str, place: int, limit: int) -> int:
    """Return the offset of the first character from `place` on that is not white space; at most `limit`."""
    found = _SPACE.match(text, place, limit)
    return place if found is None else found.end()


ReadGame = tuple[GameRecord | FormatError | None, int]
"""A game, the error why it cannot be read, or None where there is no game; and the offset behind it."""


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A text format whose games follow each other.

    `begins` matches where a game may begin. `read` reads the game between two offsets of a text and says where it ends;
    it raises FormatError where it cannot tell. Then reading goes on where `restart` matches: a text with which a game
    begins, and which no game has in its middle.
    """

    name: str
    begins: re.Pattern[str]
    read: Callable[[str, int, int], ReadGame]
    restart: re.Pattern[str]

    def games(self, text: str) -> Iterator[FoundGame]:
        """Yield all games of a text, readable or not."""
        lines = Lines(text)
        number = 0
        limit, recovering = len(text), False
        end = 0
        while (begun := self.begins.search(text, end)) is not None:
            place = begun.start()
            # A broken game may not reach into the next, which is looked for only once: otherwise time would grow with
            # the square of the length.
            if recovering and place >= limit:
                limit = self._restart(text, place + 1)
            try:
                game, end = self.read(text, place, limit)
            except FormatError as error:
                if not recovering:
                    limit, recovering = self._restart(text, place + 1), True
                game, end = error, limit
            if game is not None:
                number += 1
                yield _found(number, place, lines, game)

    def records(self, text: str) -> Iterator[GameRecord]:
        """Yield all games of a text; raise FormatError at the first that cannot be read."""
        return (found.checked() for found in self.games(text))

    def _restart(self, text: str, place: int) -> int:
        """Return the offset of the next certain beginning of a game, or the end of the text."""
        again = self.restart.search(text, place)
        return len(text) if again is None else again.start()


def _found(number: int, place: int, lines: Lines, game: GameRecord | FormatError) -> FoundGame:
    """Return a game that begins at an offset; an error is shown at its own offset."""
    if isinstance(game, FormatError):
        at = max(place, game.place)
        return FoundGame(number, at, lines.line_of(at), error=game)
    return FoundGame(number, place, lines.line_of(place), game)
