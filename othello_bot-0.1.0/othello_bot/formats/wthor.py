"""WTHOR, the binary game base of the French Othello Federation: .wtb games, .jou players, .trn tournaments.

Each file is a header of 16 bytes and records of one size; numbers are little-endian. A game stores its squares as 10 *
rank + file (a1 = 11 .. h8 = 88), without passes, padded with zeros; Black's disc count includes the empty squares if
Black won. Facts: https://www.ffothello.org/informatique/la-base-wthor/ .

The files of one base share the lists of players and tournaments, whose numbers the games hold. A .wtb file has the
games of one year.
"""

from __future__ import annotations

import datetime
import struct
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from othello_bot.base.errors import FormatError, InputError, counted
from othello_bot.base.notation import PASS
from othello_bot.formats.found import FoundGame
from othello_bot.formats.record import BestPlay, GameRecord, one_line, year_of
from othello_bot.rules import Position

HEADER: Final = struct.Struct("<4BIHHBBBx")
GAME: Final = struct.Struct("<HHHBB60s")
PLAYER_BYTES: Final = 20
TOURNAMENT_BYTES: Final = 26
ENCODING: Final = "latin-1"

_NO_SQUARE: Final = 255
_SQUARES: Final = bytes(
    8 * (code // 10 - 1) + code % 10 - 1 if 1 <= code // 10 <= 8 and 1 <= code % 10 <= 8 else _NO_SQUARE
    for code in range(256)
)
"""The square of each stored byte."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first 16 bytes of a file: its date, its number of games or names, the year of the games.

    `depth` is the number of empty squares at which the theoretical scores of the games were computed.
    """

    date: str
    games: int
    names: int
    year: int
    depth: int


@dataclass(frozen=True, slots=True)
class WthorGame:
    """One stored game: indices into the lists of names, Black's discs as played and with best play, and the squares.

    `squares` are the 60 bytes of the file. `place` is the offset of the game in its file, `depth` the number of empty
    squares from which the theoretical discs count.
    """

    tournament: int
    black: int
    white: int
    black_discs: int
    theoretical_black_discs: int
    squares: bytes
    year: int
    depth: int
    place: int

    def heading(self, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> GameRecord:
        """Return the information about the game besides its moves, with names from the lists."""
        return GameRecord(
            black=name_of(players, self.black),
            white=name_of(players, self.white),
            event=name_of(tournaments, self.tournament),
            date=str(self.year) if self.year else "",
            result=float(2 * self.black_discs - 64),
            best_play=BestPlay(float(2 * self.theoretical_black_discs - 64), self.depth),
        )

    def record(self, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> GameRecord:
        """Return the game with its passes and with names from the lists.

        Raise FormatError if a square, a number of discs or a move is wrong, as in a few games of the published files.
        """
        if self.black_discs > 64 or self.theoretical_black_discs > 64:
            discs = max(self.black_discs, self.theoretical_black_discs)
            raise FormatError("WTHOR discs", discs, "0 to 64", self.place + 6)
        record = self.heading(players, tournaments)
        squares = self.squares.rstrip(b"\0")
        moves = squares.translate(_SQUARES)
        wrong = moves.find(_NO_SQUARE)
        if wrong >= 0:
            raise FormatError("WTHOR square", squares[wrong], "11 (a1) to 88 (h8)", self.place + 8 + wrong)
        record.add_moves(moves, self.place + 8)
        return record


def moves_of(squares: bytes) -> bytes | None:
    """Return the moves of a stored game, 0 to 63 each, without passes; None if a byte is no square."""
    moves = squares.rstrip(b"\0").translate(_SQUARES)
    return None if _NO_SQUARE in moves else moves


def read_header(data: bytes) -> Header:
    """Return the header of a file of any of the three kinds; raise FormatError if it is cut off or not for 8x8."""
    if len(data) < HEADER.size:
        raise FormatError("WTHOR header", f"{len(data)} bytes", f"{HEADER.size} bytes")
    century, year, month, day, games, names, game_year, size, _, depth = HEADER.unpack_from(data)
    if size not in (0, 8):
        raise FormatError("board size", size, "8, or 0 which means 8", 12)
    return Header(f"{century:02}{year:02}-{month:02}-{day:02}", games, names, game_year, depth)


def read_players(data: bytes) -> list[str]:
    """Return the names of a .jou file in the order of their numbers; raise FormatError if its size is wrong."""
    return _read_names(data, PLAYER_BYTES)


def read_tournaments(data: bytes) -> list[str]:
    """Return the names of a .trn file in the order of their numbers; raise FormatError if its size is wrong."""
    return _read_names(data, TOURNAMENT_BYTES)


def read_games(data: bytes) -> Iterator[WthorGame]:
    """Yield the games of a .wtb file as stored; raise FormatError if the header or the size is wrong.

    `WthorGame.record` checks the moves, so one broken game does not stop reading.
    """
    header = read_header(data)
    error = size_error(header, len(data))
    if error is not None:
        raise error
    yield from stored_games(header, data[HEADER.size :], 0)


def size_error(header: Header, size: int) -> FormatError | None:
    """Return the error of a .wtb file that has another size in bytes than its header says; None if it is right."""
    expected = HEADER.size + header.games * GAME.size
    if size == expected:
        return None
    return FormatError("WTHOR file", f"{size} bytes", f"{expected} bytes for {counted(header.games, 'game')}", 4)


def stored_games(header: Header, data: bytes, first: int) -> Iterator[WthorGame]:
    """Yield the complete games of a part of a file, which begins with the game number `first`, counted from 0."""
    start = HEADER.size + first * GAME.size
    whole = len(data) - len(data) % GAME.size
    for index, fields in enumerate(GAME.iter_unpack(data[:whole])):
        tournament, black, white, discs, theory, squares = fields
        place = start + index * GAME.size
        yield WthorGame(tournament, black, white, discs, theory, squares, header.year, header.depth, place)


def found_games(
    header: Header, data: bytes, first: int = 0, players: Sequence[str] = (), tournaments: Sequence[str] = ()
) -> Iterator[FoundGame]:
    """Yield the games of a part of a file as stored_games() does, with their moves, readable or not."""
    for number, game in enumerate(stored_games(header, data, first), first + 1):
        try:
            yield FoundGame(number, game.place, record=game.record(players, tournaments))
        except FormatError as error:
            yield FoundGame(number, error.place, error=error)


def _read_names(data: bytes, size: int) -> list[str]:
    """Return the names of a file whose records have `size` bytes."""
    header = read_header(data)
    # Programs disagree on which of the two numbers in the header is the number of names, and some write neither.
    if (len(data) - HEADER.size) % size:
        expected = HEADER.size + (header.names or header.games) * size
        raise FormatError("WTHOR file", f"{len(data)} bytes", f"{expected} bytes for {header.names} names", 8)
    fields = (data[place : place + size] for place in range(HEADER.size, len(data), size))
    return [field.split(b"\0", 1)[0].decode(ENCODING).strip() for field in fields]


def name_of(names: Sequence[str], number: int) -> str:
    """Return the name with a number in a list; empty if the list is too short, or has question marks there."""
    name = names[number] if number < len(names) else ""
    return name if name.strip("? ") else ""


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

    Without a result from best play, the result as played is stored instead.
    """
    game = record.game
    if game.start != Position.start():
        raise NotForWthor("start", game.start.to_string(), "the usual start, which WTHOR does not store")
    result = record.known_result
    if result is None:
        if record.winner is not None:
            raise NotForWthor("result", f"{record.winner.name.lower()} won", "a result in discs")
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


def _header(*, games: int, names: int = 0, year: int = 0, size: int = 0, depth: int = 0) -> bytes:
    """Return a header with today's date."""
    today = datetime.date.today()
    return HEADER.pack(today.year // 100, today.year % 100, today.month, today.day, games, names, year, size, 0, depth)
