"""Build a base: read files of games in several processes, keep each game once, and index the positions of new ones."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, NamedTuple

from othello_bot import kernel
from othello_bot.base.errors import FormatError, InputError, WorkError
from othello_bot.base.notation import PASS, Color
from othello_bot.base.sqlite import sqlite3, transaction
from othello_bot.cluster import Workers
from othello_bot.explorer.names import Players, Ratings
from othello_bot.explorer.store import (
    COLUMNS,
    FEW_GAMES,
    GAME_BITS,
    NO_RESULT,
    PART_BITS,
    UNTOLD_DISCS,
    BaseHeld,
    make_tables,
    open_to_write,
    signed,
    told,
)
from othello_bot.formats import wthor
from othello_bot.formats.found import FoundGame
from othello_bot.formats.reading import NO_GAME, FilePiece, WthorPiece, pieces_of_file
from othello_bot.formats.record import GameRecord, plain, year_of
from othello_bot.rules import Position

SORTED_POSTINGS: Final = 9 << 20
"""Most postings that are sorted at once, of 12 bytes each. More are put into a file, in blocks, and then sorted in parts of
half that size, about.
"""

BLOCK_POSTINGS: Final = 1 << 20
"""Postings of a block."""

STEP_GAMES: Final = 1 << 14
"""Games that are kept at once, about, while files are read."""

SEGMENT_GAMES: Final = 1 << GAME_BITS
"""Most games of a segment."""

PART_POSTINGS: Final = 8192
"""Postings of a part, about: they are read to answer for a position."""

SMALL_FILES_BYTES: Final = 1 << 21
"""Up to this size of all files, one process is the fastest."""

_MOST_RATING: Final = 9999


class FoundName(NamedTuple):
    """A player or an event as a file has it: its name, its number in a WTHOR base, 0 elsewhere."""

    text: str
    number: int = 0


class NewGame(NamedTuple):
    """A game as a worker hands it over; `moves` without passes, `start` None for the usual one."""

    key: int
    start: str | None
    moves: bytes
    black: FoundName
    white: FoundName
    event: FoundName
    date: str
    black_rating: int
    white_rating: int
    result: int


class Failure(NamedTuple):
    """A game that is not kept, or kept as the board has it: its number in the piece, its place and the reason."""

    number: int
    place: str
    reason: str
    kept: bool = False


@dataclass(slots=True)
class ReadPiece:
    """What a worker has read: the games, those with mistakes, and how many there were."""

    games: list[NewGame] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    read: int = 0


@dataclass(slots=True)
class Totals:
    """How many games were read, added, known before, corrected, and refused; bytes of the files, read and all; once all are
    read, of how many games the positions are in order, and of how many they are to be (0 before).
    """

    read: int = 0
    added: int = 0
    known: int = 0
    corrected: int = 0
    failed: int = 0
    read_bytes: int = 0
    all_bytes: int = 0
    indexed: int = 0
    to_index: int = 0


def read_piece(piece: FilePiece) -> ReadPiece:
    """Return the games of a piece of a file."""
    found = ReadPiece()
    games = _wthor_games(piece) if isinstance(piece, WthorPiece) else ((game, None) for game in piece.games())
    for game, numbers in games:
        found.read += 1
        try:
            if isinstance(game, FoundGame):
                record = game.checked()
                found.games.append(_from_record(record, numbers))
                wrong = _wrong_result(record)
                if wrong:
                    found.failures.append(Failure(game.number, game.place, wrong, kept=True))
            else:
                found.games.append(game)
        except InputError as error:
            assert isinstance(game, FoundGame)
            found.failures.append(Failure(game.number, game.place, error.reason))
    return found


Numbers = tuple[int, int, int]
"""The numbers of Black, White and the event in a WTHOR base."""


def _wthor_games(piece: WthorPiece) -> Iterator[tuple[FoundGame | NewGame, Numbers | None]]:
    """Yield the games of a WTHOR file; those without a mistake without a GameRecord, which takes longer to make."""
    start = Position.start()
    players, events = _Names(piece.players), _Names(piece.tournaments)
    stored = wthor.stored_games(piece.header, piece.data, piece.first)
    date = str(piece.header.year) if piece.header.year else ""
    for game in stored:
        moves = wthor.moves_of(game.squares)
        if moves is not None and game.black_discs <= 64:
            plies, mover, opponent, illegal = kernel.replay(start.mover, start.opponent, moves)
            result = 2 * game.black_discs - 64
            if illegal < 0 and _board_result(mover, opponent, len(plies)) in (None, result):
                black, white = players[game.black], players[game.white]
                event = events[game.tournament]
                key = _key(kernel.game_key(start.mover, start.opponent, moves), black, white, date)
                yield NewGame(key, None, moves, black, white, event, date, 0, 0, result), None
                continue
        number = (game.place - wthor.HEADER.size) // wthor.GAME.size + 1 - piece.first
        numbers = game.black, game.white, game.tournament
        try:
            yield FoundGame(number, game.place, record=game.record(piece.players, piece.tournaments)), numbers
        except FormatError as error:
            yield FoundGame(number, error.place, error=error), numbers
    if piece.error is not None:
        yield FoundGame(len(piece.data) // wthor.GAME.size + 1, piece.error.place, error=piece.error), None


def _board_result(mover: int, opponent: int, plies: int) -> int | None:
    """Return Black's result of a game that is over after so many plies; None if it is not over."""
    if kernel.legal_moves(mover, opponent) or kernel.legal_moves(opponent, mover):
        return None
    score = kernel.final_score(mover, opponent)
    return -score if plies % 2 else score


class _Names(dict[int, FoundName]):
    """The names of a WTHOR base by their numbers."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def __missing__(self, number: int) -> FoundName:
        # Number 0 is the unknown player or event.
        found = self[number] = FoundName(wthor.name_of(self._names, number), number)
        return found


def _wrong_result(record: GameRecord) -> str:
    """Return what is wrong with the stated result of a finished game; "" if nothing is."""
    game = record.game
    if record.result is None or record.ending or not game.is_over or record.result == game.final_score:
        return ""
    return f"the file says {record.result:+g} for Black, the board {game.final_score:+d}; the board counts"


def _from_record(record: GameRecord, numbers: Numbers | None) -> NewGame:
    game = record.game
    moves = bytes(move for move in game.moves if move != PASS)
    start = None if game.start == Position.start() else game.start.to_string()
    black_number, white_number, event_number = numbers or (0, 0, 0)
    black, white = FoundName(record.black, black_number), FoundName(record.white, white_number)
    key = _key(kernel.game_key(game.start.mover, game.start.opponent, moves), black, white, record.date)
    return NewGame(
        key,
        start,
        moves,
        black,
        white,
        FoundName(record.event, event_number),
        record.date,
        _rating(record.black_rating),
        _rating(record.white_rating),
        _result(record),
    )


def _key(moves: int, black: FoundName, white: FoundName, date: str) -> int:
    """Return what games share that are the same: moves up to symmetry, players, and the year."""
    players = "\n".join(plain(one.text) or str(one.number or "") for one in (black, white))
    return int.from_bytes(
        hashlib.blake2b(f"{moves}\n{players}\n{date[:4]}".encode("utf-8", "surrogatepass"), digest_size=8).digest(),
        "little",
        signed=True,
    )


def _rating(rating: float | None) -> int:
    return 0 if rating is None else min(max(round(rating), 0), _MOST_RATING)


def _result(record: GameRecord) -> int:
    """Return Black's result in discs, as the board has it where the game was played to its end."""
    game = record.game
    known = record.result if record.ending or not game.is_over else float(game.final_score)
    if known is None:
        winner = record.winner
        return NO_RESULT if winner is None else UNTOLD_DISCS if winner is Color.BLACK else -UNTOLD_DISCS
    rounded = round(known)
    return max(-64, min(64, rounded or (known > 0) - (known < 0)))


class Builder:
    """Adds games to a base. A context manager; `totals` grows as it goes on.

    `told` gets a message for each game with a mistake, `progress` is called after each piece. `programs` are kept in the
    base, for filters. Raise BaseError for a file that is no base, BaseHeld if another process adds games to it.
    """

    def __init__(
        self,
        path: Path,
        *,
        ratings: Ratings | None = None,
        programs: Players | None = None,
        told: Callable[[str], None] = lambda message: None,
        progress: Callable[[Totals], None] = lambda totals: None,
    ) -> None:
        self.totals = Totals()
        self._path = path
        self._ratings = ratings
        self._programs = programs
        self._told = told
        self._progress = progress
        self._names: dict[tuple[int, FoundName], int] = {}
        self._new = 0
        self._connection = open_to_write(path)

    def __enter__(self) -> Builder:
        try:
            with told(self._path):
                self._connection.execute("PRAGMA busy_timeout = 500")
                self._connection.execute("PRAGMA cache_size = -32768")
                # The log keeps readers at work while games are added. Its file goes at the end.
                self._set_journal("WAL")
                self._connection.execute("PRAGMA synchronous = NORMAL")
                with transaction(self._connection, self._run):
                    if not self._connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
                        make_tables(self._connection)
                    if self._programs is not None:
                        row = "programs", self._programs.text()
                        self._connection.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", row)
        except BaseException:
            self._connection.close()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self._set_journal("DELETE")
        finally:
            self._connection.close()

    def _set_journal(self, mode: str) -> None:
        """Change how SQLite makes transactions, unless others use the base now; either way is safe."""
        with contextlib.suppress(sqlite3.OperationalError):
            self._connection.execute(f"PRAGMA journal_mode = {mode}")

    def add(self, paths: Iterable[Path], workers: Workers | None = None) -> None:
        """Add the games of files; raise WorkError if the disk is full or the base is taken. What was added stays."""
        paths = list(paths)
        self.totals.all_bytes += sum(map(size_of, paths))
        coming = self._in_order(paths, workers)
        with told(self._path):
            for first in coming:
                self._keep_some(itertools.chain([first], coming))
            try:
                with transaction(self._connection, self._run):
                    for indexed, to_index in index_games(self._connection, self._path.absolute().parent):
                        self.totals.indexed, self.totals.to_index = indexed, to_index
                        self._progress(self.totals)
            except OSError as error:
                raise WorkError(f"{self._path}: the temporary file beside it: {error.strerror or error}") from error

    def _keep_some(self, coming: Iterator[tuple[Path, int, ReadPiece]]) -> None:
        """Insert the games that are new of so many pieces as are kept at once, all or none."""
        with transaction(self._connection, self._run):
            self._names = {
                (event, FoundName(text, number)): id
                for id, event, text, number in self._connection.execute("SELECT id, event, text, number FROM name")
            }
            before = self.totals.added
            for path, read_bytes, piece in coming:
                self._keep(path, piece)
                self.totals.read_bytes = read_bytes
                self._progress(self.totals)
                if self.totals.added - before >= STEP_GAMES:
                    break
            self._names.clear()

    def _run(self, statement: str) -> None:
        """Carry out a statement of a transaction; raise BaseHeld if another process has one."""
        try:
            self._connection.execute(statement)
        except sqlite3.OperationalError as error:
            if statement.startswith("BEGIN") and "locked" in str(error):
                wait = "another process adds games to this base; try again when it has ended"
                raise BaseHeld(f"{self._path}: {wait}") from error
            raise

    def _keep(self, path: Path, piece: ReadPiece) -> None:
        """Insert the games of a piece that are new."""
        rows = []
        for game in piece.games:
            black, white = self._name(0, game.black), self._name(0, game.white)
            event = self._name(1, game.event)
            black_rating, white_rating = game.black_rating, game.white_rating
            if self._ratings is not None:
                black_rating = black_rating or self._ratings.of(game.black.text, game.black.number)
                white_rating = white_rating or self._ratings.of(game.white.text, game.white.number)
            names_and_ratings = (black, white, event, game.date, black_rating, white_rating)
            rows.append((game.key, game.start, game.moves, *names_and_ratings, game.result))
        before = self._connection.total_changes
        self._connection.executemany(
            "INSERT OR IGNORE INTO game (key, start, moves, black, white, event, date, black_rating, white_rating, result)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        added = self._connection.total_changes - before
        totals = self.totals
        for failure in piece.failures:
            place = f"game {failure.number + self._before} ({failure.place.partition('(')[2]}"
            self._told(f"{path}: {place}: {failure.reason}")
            totals.corrected += failure.kept
            totals.failed += not failure.kept
        totals.read += piece.read
        totals.added += added
        totals.known += len(rows) - added

    def _name(self, event: int, found: FoundName) -> int:
        """Return the id of a name, a new one for a new name; 0 for an unknown one."""
        if not found.text and not found.number:
            return 0
        id = self._names.get((event, found))
        if id is None:
            insert = "INSERT INTO name (event, text, number) VALUES (?, ?, ?)"
            id = self._connection.execute(insert, (event, *found)).lastrowid
            assert id is not None
            self._names[event, found] = id
        return id

    _before = 0
    """Games of the present file before the present piece."""

    def _in_order(self, paths: Sequence[Path], workers: Workers | None) -> Iterator[tuple[Path, int, ReadPiece]]:
        """Yield what the workers have read, in the order of the files; tell of files that cannot be read."""
        places: dict[int, tuple[Path, int, ReadPiece | str]] = {}
        silent = dict.fromkeys(paths)
        waiting: dict[int, tuple[Path, int]] = {}
        numbers = itertools.count()
        due, before, present = 0, 0, None

        def tasks() -> Iterator[tuple[FilePiece, int]]:
            done = 0
            for path in paths:
                size, within = size_of(path), 0
                try:
                    for piece in pieces_of_file(path):
                        number = next(numbers)
                        within += len(piece.data if isinstance(piece, WthorPiece) else piece.text)
                        waiting[number] = path, done + min(within, size)
                        yield piece, number
                except FormatError as error:
                    places[next(numbers)] = path, done, f"{path}: {error.reason}"
                except OSError as error:
                    places[next(numbers)] = path, done, f"{path}: {error.strerror or error}"
                done += size

        found = (
            ((task, read_piece(task[0])) for task in tasks())
            if workers is None
            else workers.each(_numbered_piece, tasks())
        )
        pending = iter(found)
        while True:
            while due not in places:
                answer = next(pending, None)
                if answer is None:
                    break
                (_, number), piece = answer
                path, done = waiting.pop(number)
                places[number] = path, done, piece
            if due not in places:
                break
            path, done, read = places.pop(due)
            due += 1
            if path != present:
                present, before = path, 0
            if isinstance(read, str) or read.read:
                silent.pop(path, None)
            if isinstance(read, str):
                self.totals.failed += 1
                self._told(read)
                continue
            self._before = before
            before += read.read
            yield path, done, read
        for path in silent:
            self._told(f"{path}: {NO_GAME}")


def _numbered_piece(piece: FilePiece, number: int) -> ReadPiece:
    return read_piece(piece)


def size_of(path: Path) -> int:
    """Return the bytes of a file, 0 if it cannot be read."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


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
        room = expected if self.buckets == 1 else BLOCK_POSTINGS
        self._keys, self._numbers = _postings_of(max(room, 2 * 64))
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
