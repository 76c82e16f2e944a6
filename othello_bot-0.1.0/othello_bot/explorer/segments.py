"""The index of a base: segments of games, in which the games that reached a position lie together, by its key."""

from __future__ import annotations

import itertools
import tempfile
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from othello_bot import kernel
from othello_bot.base.notation import Color
from othello_bot.base.sqlite import sqlite3
from othello_bot.explorer.store import COLUMNS, FEW_GAMES, GAME_BITS, PART_BITS, signed
from othello_bot.formats.record import year_of
from othello_bot.rules import Position

SORTED_POSTINGS: Final = 9 << 20
"""Most postings that are sorted at once, of 12 bytes each. More are put into a file, in blocks, and then sorted in parts of
half that size, about.
"""

BLOCK_POSTINGS: Final = 1 << 20
"""Postings of a block."""

SEGMENT_GAMES: Final = 1 << GAME_BITS
"""Most games of a segment."""

PART_POSTINGS: Final = 8192
"""Postings of a part, about: they are read to answer for a position."""

MOST_PASSES: Final = 2
"""Passes of a game that are reckoned with; few have more."""

COARSE_BUCKETS: Final = 256
"""Ranges of keys that a coarse sort tells apart."""


_GAMES_BETWEEN: Final = 1024
"""Games between two reports of progress."""


def index_games(connection: sqlite3.Connection, folder: Path) -> Iterator[tuple[int, int]]:
    """Make segments of the games that have none, within a transaction, together with the segments before that have at
    most twice as many games. `folder` is for a temporary file. Yield often how many games are done, and of how many.
    """
    (last,) = connection.execute("SELECT COALESCE(MAX(id), 0) FROM game").fetchone()
    newest = "SELECT id, first, games FROM segment ORDER BY id DESC LIMIT 1"
    before = connection.execute(newest).fetchone()
    first = 1 if before is None else before[1] + before[2]
    games = 0
    while first <= last:
        until = min(last, first + SEGMENT_GAMES - 1)
        while before is not None and before[2] <= 2 * (until - first + 1) and until - before[1] < SEGMENT_GAMES:
            _remove_segment(connection, before[0])
            first = before[1]
            before = connection.execute(newest).fetchone()
        games = games or last - first + 1  # only the first new segment takes older ones in
        for done in _add_segment(connection, first, until, folder):
            yield games - (last - first + 1) + done, games
        before, first = connection.execute(newest).fetchone(), until + 1


def _remove_segment(connection: sqlite3.Connection, segment: int) -> None:
    for table in ("many", "column"):
        connection.execute(f"DELETE FROM {table} WHERE segment = ?", (segment,))
    connection.execute("DELETE FROM few WHERE id >> ? = ?", (PART_BITS, segment))
    connection.execute("DELETE FROM segment WHERE id = ?", (segment,))


class _Postings:
    """The postings of games, to be sorted by their keys: in memory, or in buckets, ranges of keys of which one fits in it.

    `count` grows as they are added. A context manager, for the temporary file.
    """

    def __init__(self, expected: int, folder: Path) -> None:
        self.count = 0
        self.buckets = 1
        while (
            expected > SORTED_POSTINGS
            and 2 * expected > self.buckets * SORTED_POSTINGS
            and self.buckets < COARSE_BUCKETS
        ):
            self.buckets *= 2
        capacity = expected if self.buckets == 1 else BLOCK_POSTINGS
        self._keys, self._numbers = _postings_of(max(capacity, 2 * 64))
        self._place = 0
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._blocks: list[tuple[int, list[int]]] = []

    def __enter__(self) -> _Postings:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, board: Position, moves: bytes, game: int) -> None:
        """Add those of a game."""
        if len(self._keys) - self._place < 2 * len(moves) + 1:
            self._put()
        place = self._place
        white = board.color is Color.WHITE
        self._place = kernel.fill_postings(
            board.mover, board.opponent, white, moves, game, self._keys, self._numbers, place
        )
        self.count += self._place - place

    def _put(self) -> None:
        """Put those in memory into the file: a block, in which those of a bucket lie together."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed by __exit__
        keys, numbers = self._keys[: self._place], self._numbers[: self._place]
        kernel.sort_postings(keys, numbers, True)
        width = (1 << 64) // self.buckets
        ends = [bisect_left(keys, width * bucket) for bucket in range(1, self.buckets)]
        self._blocks.append((self._file.tell(), [0, *ends, self._place]))
        self._file.write(keys)
        self._file.write(numbers)
        self._place = 0

    def sorted(self) -> Iterator[tuple[memoryview, memoryview]]:
        """Yield the keys and numbers of each bucket, sorted by key; the next ones take their place."""
        if self._file is None:
            keys, numbers = self._keys[: self._place], self._numbers[: self._place]
            kernel.sort_postings(keys, numbers)
            yield keys, numbers
            return
        self._put()
        self._keys, self._numbers = _postings_of(0)
        sizes = [sum(ends[bucket + 1] - ends[bucket] for _, ends in self._blocks) for bucket in range(self.buckets)]
        all_keys, all_numbers = _postings_of(max(sizes))
        for bucket, size in enumerate(sizes):
            keys, numbers = all_keys[:size], all_numbers[:size]
            place = 0
            for offset, ends in self._blocks:
                begin, stop = ends[bucket], ends[bucket + 1]
                for words, at in ((keys, offset + 8 * begin), (numbers, offset + 8 * ends[-1] + 4 * begin)):
                    self._file.seek(at)
                    self._file.readinto(words[place : place + stop - begin])  # type: ignore[attr-defined]
                place += stop - begin
            kernel.sort_postings(keys, numbers)
            yield keys, numbers


def _postings_of(count: int) -> tuple[memoryview, memoryview]:
    """Return room for the keys and numbers of so many postings."""
    return memoryview(bytearray(8 * count)).cast("Q"), memoryview(bytearray(4 * count)).cast("I")


def _add_segment(connection: sqlite3.Connection, first: int, last: int, folder: Path) -> Iterator[int]:
    """Index the games from `first` to `last`; yield often how many of them the work done so far stands for.

    A first half of it collects their positions, a second one puts them in order.
    """
    games = last - first + 1
    (played,) = connection.execute(
        "SELECT SUM(LENGTH(moves)) FROM game WHERE id BETWEEN ? AND ?", (first, last)
    ).fetchone()
    columns = {name: memoryview(bytearray(4 * games)).cast("i") for name in COLUMNS}
    usual = Position.start()
    rows = connection.execute(
        "SELECT id - ?, start, moves, date, black, white, event, black_rating, white_rating, result"
        " FROM game WHERE id BETWEEN ? AND ? ORDER BY id",
        (first, first, last),
    )
    others = [columns[name] for name in COLUMNS[1:]]
    dates: dict[str, int] = {}
    # Games have few passes: room for all that they could have would double the memory.
    with _Postings(games + played + min(played, MOST_PASSES * games + 2 * 64), folder) as postings:
        for game, start, moves, date, *values in rows:
            if not game % _GAMES_BETWEEN:
                yield game // 2
            postings.add(usual if start is None else Position.parse(start), moves, game)
            number = dates.get(date)
            if number is None:
                number = dates[date] = number_of_date(date)
            columns["dates"][game] = number
            for column, value in zip(others, values, strict=True):
                column[game] = value
        bits = max(postings.buckets.bit_length() - 1, (postings.count // PART_POSTINGS).bit_length())
        segment = connection.execute(
            "INSERT INTO segment (first, games, bits) VALUES (?, ?, ?)", (first, games, bits)
        ).lastrowid
        assert segment is not None
        parts = iter(range(1 << bits))
        for keys, numbers in postings.sorted():
            some = itertools.islice(parts, (1 << bits) // postings.buckets)
            for part in _insert_parts(connection, segment, some, bits, keys, numbers, columns):
                yield (games + (games * (part + 1) >> bits)) // 2
    # Of a column that no game tells, nothing is kept.
    contents = ((name, bytes(column) if any(column) else b"") for name, column in columns.items())
    connection.executemany("INSERT INTO column VALUES (?, ?, ?)", ((segment, *one) for one in contents))


def _insert_parts(
    connection: sqlite3.Connection,
    segment: int,
    parts: Iterable[int],
    bits: int,
    keys: memoryview,
    numbers: memoryview,
    columns: Mapping[str, memoryview],
) -> Iterator[int]:
    """Insert the parts that sorted postings make, and the positions with many games; yield each part when it is done."""
    kept = bytes([1]) * len(columns["dates"])
    start = 0
    for part in parts:
        stop = len(keys) if part + 1 == 1 << bits else bisect_left(keys, (part + 1) << (64 - bits), start)
        few, frequent = kernel.split_postings(keys, numbers, start, stop, 64 - bits - 16, FEW_GAMES)
        if few:
            connection.execute("INSERT INTO few VALUES (?, ?)", (segment << PART_BITS | part, few))
        connection.executemany(
            "INSERT INTO many VALUES (?, ?, ?, ?)",
            (
                (signed(key), segment, packed_tally(numbers[begin:end], kept, columns), bytes(numbers[begin:end]))
                for key, begin, end in frequent
            ),
        )
        start = stop
        yield part


CODES: Final = 256
TALLY_COLUMNS: Final = 10


def packed_tally(numbers: memoryview, kept: bytes | bytearray, columns: Mapping[str, memoryview]) -> bytes:
    """Return the rows of kernel.fill_tally() with a game, each behind its code, all as numbers of 64 bits."""
    table = bytearray(8 * CODES * TALLY_COLUMNS)
    rows = memoryview(table).cast("q", (CODES, TALLY_COLUMNS))
    names = ("results", "dates", "black_rating", "white_rating")
    kernel.fill_tally(numbers, kept, *(columns[name] for name in names), rows)
    flat = memoryview(table).cast("q")
    found = bytearray()
    for code in range(CODES):
        if flat[code * TALLY_COLUMNS]:
            found += code.to_bytes(8, "little") + table[8 * TALLY_COLUMNS * code : 8 * TALLY_COLUMNS * (code + 1)]
    return bytes(found)


def number_of_date(date: str) -> int:
    """Return a date as yyyymmdd, with zeros for what is unknown; 0 for a text that is no date."""
    year = year_of(date)
    if year is None:
        return 0
    parts = date.split("-") if len(date) in (7, 10) and date[:4] == str(year) else [date]
    month, day = (int(part) if part.isdecimal() and len(part) == 2 else 0 for part in (*parts[1:3], "", "")[:2])
    return 10_000 * year + 100 * month + day
