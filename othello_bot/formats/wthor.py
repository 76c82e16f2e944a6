"""WTHOR, the binary game base of the French Othello Federation: .wtb games, .jou players, .trn tournaments.

Each file is a header of 16 bytes and records of one size; numbers are little-endian. A game stores its squares as 10 *
rank + file (a1 = 11 .. h8 = 88), without passes, padded with zeros; Black's disc count includes the empty squares if
Black won. Facts: https://www.ffothello.org/informatique/la-base-wthor/ .
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.errors import FormatError
from othello_bot.formats.record import GameRecord

_HEADER: Final = struct.Struct("<4BIHHBBBx")
_GAME: Final = struct.Struct("<HHHBB60s")
_PLAYER_BYTES: Final = 20
_TOURNAMENT_BYTES: Final = 26
_ENCODING: Final = "latin-1"


@dataclass(frozen=True, slots=True)
class Header:
    """The first 16 bytes of a file: its date, its number of games or names, the year of the games.

    `depth` is the number of empty squares at which the theoretical scores of the games were computed.
    """

    date: str
    games: int
    names: int
    year: int
    board_size: int
    solitaire: bool
    depth: int


@dataclass(frozen=True, slots=True)
class WthorGame:
    """One stored game: indices into the lists of names, Black's discs as played and with best play, and the squares.

    `place` is the offset of the game in its file.
    """

    tournament: int
    black: int
    white: int
    black_discs: int
    theoretical_black_discs: int
    moves: tuple[int, ...]
    year: int
    place: int

    def heading(self, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> GameRecord:
        """Return the information about the game besides its moves, with names from the lists."""
        return GameRecord(
            black=_name(players, self.black),
            white=_name(players, self.white),
            event=_name(tournaments, self.tournament),
            date=str(self.year),
            result=float(2 * self.black_discs - 64),
        )

    def record(self, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> GameRecord:
        """Return the game with its passes and with names from the lists.

        Raise FormatError if a move is illegal, as in a few games of the published files.
        """
        record = self.heading(players, tournaments)
        for index, move in enumerate(self.moves):
            record.add_move(move, self.place + 8 + index)
        return record


def read_header(data: bytes) -> Header:
    """Return the header of a file of any of the three kinds; raise FormatError if it is cut off or not for 8x8."""
    if len(data) < _HEADER.size:
        raise FormatError("WTHOR header", f"{len(data)} bytes", f"{_HEADER.size} bytes")
    century, year, month, day, games, names, game_year, size, kind, depth = _HEADER.unpack_from(data)
    if size not in (0, 8):
        raise FormatError("board size", size, "8, or 0 which means 8", 12)
    return Header(f"{century:02}{year:02}-{month:02}-{day:02}", games, names, game_year, 8, kind == 1, depth)


def read_players(data: bytes) -> list[str]:
    """Return the names of a .jou file in the order of their numbers; raise FormatError if its size is wrong."""
    return _read_names(data, _PLAYER_BYTES)


def read_tournaments(data: bytes) -> list[str]:
    """Return the names of a .trn file in the order of their numbers; raise FormatError if its size is wrong."""
    return _read_names(data, _TOURNAMENT_BYTES)


def read_games(data: bytes) -> Iterator[WthorGame]:
    """Yield the games of a .wtb file as stored; raise FormatError if the size or a square is wrong.

    `WthorGame.record` checks the moves, so one broken game does not stop reading.
    """
    header = read_header(data)
    expected = _HEADER.size + header.games * _GAME.size
    if len(data) != expected:
        raise FormatError("WTHOR file", f"{len(data)} bytes", f"{expected} bytes for {header.games} games", 4)
    for place in range(_HEADER.size, expected, _GAME.size):
        tournament, black, white, discs, theory, squares = _GAME.unpack_from(data, place)
        moves = []
        for index, code in enumerate(squares.rstrip(b"\0")):
            rank, file = divmod(code, 10)
            if not (1 <= rank <= 8 and 1 <= file <= 8):
                raise FormatError("WTHOR square", code, "11 (a1) to 88 (h8)", place + 8 + index)
            moves.append(8 * (rank - 1) + file - 1)
        if discs > 64 or theory > 64:
            raise FormatError("WTHOR discs", max(discs, theory), "0 to 64", place + 6)
        yield WthorGame(tournament, black, white, discs, theory, tuple(moves), header.year, place)


def _read_names(data: bytes, size: int) -> list[str]:
    """Return the names of a file whose records have `size` bytes."""
    header = read_header(data)
    count, rest = divmod(len(data) - _HEADER.size, size)
    # Programs disagree on which of the two numbers in the header is the number of names.
    if rest or count not in (header.names, header.games):
        expected = _HEADER.size + header.names * size
        raise FormatError("WTHOR file", f"{len(data)} bytes", f"{expected} bytes for {header.names} names", 8)
    fields = (data[place : place + size] for place in range(_HEADER.size, len(data), size))
    return [field.split(b"\0", 1)[0].decode(_ENCODING).strip() for field in fields]


def _name(names: Sequence[str], number: int) -> str:
    """Return the name with a number; empty if the list is too short."""
    return names[number] if number < len(names) else ""
