"""Writing WTHOR: games packed one by one, and the files of a base made from them.

The files of one base share the lists of players and tournaments, whose numbers the games hold. A .wtb file has the
games of one year.
"""

from __future__ import annotations

import datetime
import struct
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS
from othello_bot.formats.record import GameRecord, one_line, year_of
from othello_bot.formats.wthor import ENCODING, GAME, HEADER, PLAYER_BYTES, TOURNAMENT_BYTES
from othello_bot.rules import Position

MOST_NAMES: Final = 0xFFFF
"""Most players or tournaments: a game holds their numbers in two bytes."""

_CODES: Final = bytes(10 * (square // 8 + 1) + square % 8 + 1 for square in range(64))
_BODY: Final = struct.Struct("<BB60s")


class NotForWthor(InputError):
    """A game that a WTHOR file has no place for."""


@dataclass(frozen=True, slots=True)
class PackedGame:
    """A game with the bytes that a file holds for it, apart from the numbers of its names."""

    black: str
    white: str
    event: str
    year: int
    depth: int
    body: bytes


def pack_game(record: GameRecord) -> PackedGame:
    """Return a game as WTHOR stores it. Raise NotForWthor if it has another start, or neither a result nor an end.

    Without a result from best play, the one as played stands in its place.
    """
    game = record.game
    if game.start != Position.start():
        raise NotForWthor("start", game.start.to_string(), "the usual start, which WTHOR does not store")
    result = record.known_result
    if result is None:
        if record.winner is not None:
            raise NotForWthor("result", f"{record.winner.name.lower()} won", "the number of discs too")
        raise NotForWthor("game without a result", game.transcript(), "a finished game, or one whose result is known")
    moves = bytes(_CODES[move] for move in game.moves if move != PASS)
    best = result if record.best_play is None else record.best_play.result
    depth = 0 if record.best_play is None else record.best_play.empties
    body = _BODY.pack(_black_discs(result), _black_discs(best), moves)
    return PackedGame(
        _fitting(record.black, PLAYER_BYTES),
        _fitting(record.white, PLAYER_BYTES),
        _fitting(record.event, TOURNAMENT_BYTES),
        year_of(record.date) or 0,
        depth,
        body,
    )


def names_fit(record: GameRecord) -> bool:
    """Return whether a base has the names of a game as they are."""
    names = ((record.black, PLAYER_BYTES), (record.white, PLAYER_BYTES), (record.event, TOURNAMENT_BYTES))
    return all(_fitting(name, size) == name for name, size in names)


def _black_discs(result: float) -> int:
    """Return Black's discs for a result in discs from Black's view."""
    return min(64, max(0, int(32 + result / 2)))


def _fitting(name: str, size: int) -> str:
    """Return a name as a list of names holds it: Latin-1, cut so that a zero byte follows."""
    name = one_line(name.replace("\0", " "))
    try:
        name.encode(ENCODING)
    except UnicodeEncodeError:
        plain = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
        name = plain.encode(ENCODING, "replace").decode(ENCODING)
    return name[: size - 1].rstrip()


@dataclass(slots=True)
class _Names:
    """A list of names; number 0 is the unknown one."""

    what: str
    numbers: dict[str, int] = field(default_factory=lambda: {"": 0})

    def number(self, name: str) -> int:
        """Return the number of a name, a new one for a new name. Raise NotForWthor if there are too many."""
        number = self.numbers.setdefault(name, len(self.numbers))
        if number > MOST_NAMES:
            del self.numbers[name]
            raise NotForWthor(self.what, name, f"at most {MOST_NAMES} in one base")
        return number

    def data(self, size: int, unknown: str) -> bytes:
        """Return the file of the names."""
        rows = (name.encode(ENCODING).ljust(size, b"\0") for name in [unknown, *list(self.numbers)[1:]])
        return _header(games=0, names=len(self.numbers)) + b"".join(rows)


class Base:
    """The games of a base, year by year, and its names, as they are added."""

    def __init__(self) -> None:
        self._players = _Names("player")
        self._tournaments = _Names("tournament")
        self._games: dict[int, list[tuple[int, int, int, int, int, bytes]]] = {}
        self._depths: dict[int, set[int]] = {}

    def add(self, game: PackedGame) -> None:
        """Add a game. Raise NotForWthor if it has one name too many."""
        numbers = (
            self._tournaments.number(game.event),
            self._players.number(game.black),
            self._players.number(game.white),
        )
        self._games.setdefault(game.year, []).append((*numbers, *_BODY.unpack(game.body)))
        self._depths.setdefault(game.year, set()).add(game.depth)

    @property
    def years(self) -> list[int]:
        """The years of the games, 0 for unknown."""
        return sorted(self._games)

    def games(self, year: int) -> bytes:
        """Return the .wtb file of a year.

        The file has one depth for all its theoretical scores. Where those of the games differ, it is 0, and the scores
        are the results as played.
        """
        depths = self._depths.get(year, {0})
        depth = next(iter(depths)) if len(depths) == 1 else 0
        rows = self._games.get(year, [])
        if not depth:
            rows = [(*row[:4], row[3], row[5]) for row in rows]
        return _header(games=len(rows), year=year, size=8, depth=depth) + b"".join(GAME.pack(*row) for row in rows)

    def players(self) -> bytes:
        """Return the .jou file."""
        return self._players.data(PLAYER_BYTES, "?")

    def tournaments(self) -> bytes:
        """Return the .trn file."""
        return self._tournaments.data(TOURNAMENT_BYTES, "?")


def pack_base(records: Iterable[GameRecord]) -> Base:
    """Return a base of games; raise NotForWthor at the first that has no place in one."""
    base = Base()
    for record in records:
        base.add(pack_game(record))
    return base


def _header(*, games: int, names: int = 0, year: int = 0, size: int = 0, depth: int = 0) -> bytes:
    """Return a header with today's date."""
    today = datetime.date.today()
    return HEADER.pack(today.year // 100, today.year % 100, today.month, today.day, games, names, year, size, 0, depth)
