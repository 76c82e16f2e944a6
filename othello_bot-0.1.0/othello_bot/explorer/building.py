"""Build a base: read files of games in several processes, keep each game once, and index the positions of new ones."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from othello_bot import kernel
from othello_bot.base.errors import FormatError, InputError, WorkError
from othello_bot.base.notation import PASS, Color
from othello_bot.base.sqlite import sqlite3, transaction
from othello_bot.cluster import Workers
from othello_bot.explorer.names import Players, Ratings
from othello_bot.explorer.segments import index_games
from othello_bot.explorer.store import (
    NO_RESULT,
    UNTOLD_DISCS,
    BaseHeld,
    make_tables,
    open_to_write,
    told,
)
from othello_bot.formats import wthor
from othello_bot.formats.found import FoundGame
from othello_bot.formats.reading import NO_GAME, FilePiece, WthorPiece, pieces_of_file
from othello_bot.formats.record import GameRecord, plain
from othello_bot.rules import Position

STEP_GAMES: Final = 1 << 14
"""Games that are kept at once, about, while files are read."""

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
