"""Convert game files: read in several processes, filter, and write one file in the order of the games."""

from __future__ import annotations

import concurrent.futures
import itertools
import multiprocessing
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.notation import PASS
from othello_bot.formats.reading import NO_GAME, FilePiece, pieces_of_file
from othello_bot.formats.record import GameRecord, Range, plain, year_of
from othello_bot.formats.table import WRITTEN
from othello_bot.formats.writing import GameSink, Written, form_game
from othello_bot.rules import SYMMETRIES, Position, transform_square

RESULTS: Final = ("black", "white", "draw", "unknown")
SAME_MOVES: Final = "moves"
SAME_UNDER_SYMMETRY: Final = "symmetry"

_IMAGES: Final = tuple(
    bytes(transform_square(square, index) for square in range(PASS + 1)) + bytes(range(PASS + 1, 256))
    for index in SYMMETRIES
)
"""The image of each square under each symmetry, for bytes.translate(); a pass stays one."""


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
    return not part or plain(part) in plain(name)


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


PIECES_AHEAD: Final = 2
"""Pieces that are read ahead for each process."""


@dataclass(frozen=True, slots=True)
class FileTask:
    """What to do with each game: the filter, the ending of the format to write, and which games are the same, if asked.

    `empties`: write the position with this many empty squares instead of the last one.
    """

    games: GameFilter
    ending: str
    sameness: str = ""
    empties: int | None = None


@dataclass(frozen=True, slots=True)
class FileFailure:
    """A game, or the rest of a file, that cannot be read or written: its number (0: the file), place and reason."""

    number: int
    line: int
    offset: int
    reason: str

    def told(self, file: str, games_before: int) -> str:
        """Return the message, with the number of the game counted in the whole file."""
        place = f"line {self.line}" if self.line else f"byte {self.offset}"
        game = f" game {self.number + games_before} ({place}):" if self.number else ""
        return f"{file}:{game} {self.reason}"


@dataclass(slots=True)
class Converted:
    """What became of a piece: its games ready to write, with their keys if duplicates are to be removed, and the rest."""

    games: list[tuple[int, int, int, bytes, Written]] = field(default_factory=list)
    """Number, line, offset, key and form of each game."""
    read: int = 0
    skipped: int = 0
    failures: list[FileFailure] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """How many games told things that are not read."""
    lost: Counter[str] = field(default_factory=Counter)
    """How many games told things for which the format to write has no place."""


@dataclass(slots=True)
class Totals:
    """How many games were read, skipped by the filter, duplicates, failed to be read or written, and written; and what
    was not read, or is not stored in the format, with the number of games.
    """

    read: int = 0
    skipped: int = 0
    duplicates: int = 0
    failed: int = 0
    written: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)


def convert_piece(piece: FilePiece, task: FileTask) -> Converted:
    """Return the games of a piece as the task wants them."""
    done = Converted()
    for found in piece.games():
        done.read += 1
        try:
            record = found.checked()
            if not task.games.takes(record):
                done.skipped += 1
                continue
            told = record
            record = record if task.empties is None else cut(record, task.empties)
            key = key_of(record, task.sameness) if task.sameness else b""
            form = form_game(record, task.ending)
        except InputError as error:
            done.failures.append(FileFailure(found.number, found.line, found.offset, error.reason))
        else:
            done.games.append((found.number, found.line, found.offset, key, form))
            done.left_out.update(told.left_out)
            done.lost.update(WRITTEN[task.ending].lost(told))
    return done


def cut(record: GameRecord, empties: int) -> GameRecord:
    """Return the game up to the position with this many empty squares; raise FormatError if it has none."""
    game = record.game.copy()
    while game.ply and game.position.empties < empties:
        game.undo()
    if game.position.empties != empties:
        raise FormatError("game", record.game.transcript(), f"one that reaches {empties} empty squares")
    return GameRecord(game)


class Conversion:
    """Converts files into a sink; `totals` grows, and `progress` is called, as it goes on. `report` gets messages."""

    def __init__(
        self, task: FileTask, sink: GameSink, report: Callable[[str], None], progress: Callable[[Totals], None]
    ) -> None:
        self.totals = Totals()
        self._task = task
        self._sink = sink
        self._report = report
        self._progress = progress
        self._seen: set[bytes] = set()
        self._with_games: set[Path] = set()
        """The files with games, readable or not, and those that cannot be read."""
        self._path: Path | None = None
        self._games_before = 0

    def run(self, paths: Iterable[Path], processes: int) -> None:
        """Convert all files, in this many processes if there is enough to do; report what fails and go on."""
        paths = list(paths)
        items = _items(paths)
        first = list(itertools.islice(items, 2))
        items = itertools.chain(first, items)
        if processes < 2 or len(first) < 2:
            for path, item in items:
                self._take(path, item if isinstance(item, FileFailure) else convert_piece(item, self._task))
        else:
            self._run_in_processes(items, processes)
        for path in dict.fromkeys(paths):
            if path not in self._with_games:
                self._report(f"{path}: {NO_GAME}")

    def _run_in_processes(self, items: Iterator[tuple[Path, FilePiece | FileFailure]], processes: int) -> None:
        """Convert the pieces in other processes, some ahead, and take them in their order."""
        spawn = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(processes, spawn, _ignore_interrupts) as pool:
            waiting: deque[tuple[Path, FileFailure | concurrent.futures.Future[Converted]]] = deque()
            try:
                for path, item in items:
                    submitted = item if isinstance(item, FileFailure) else pool.submit(convert_piece, item, self._task)
                    waiting.append((path, submitted))
                    if len(waiting) > PIECES_AHEAD * processes:
                        self._take_next(waiting)
                while waiting:
                    self._take_next(waiting)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _take_next(self, waiting: deque[tuple[Path, FileFailure | concurrent.futures.Future[Converted]]]) -> None:
        path, item = waiting.popleft()
        self._take(path, item if isinstance(item, FileFailure) else item.result())

    def _take(self, path: Path, result: Converted | FileFailure) -> None:
        """Write the games of a piece, or report why a file goes no further."""
        if path != self._path:
            self._path, self._games_before = path, 0
        if isinstance(result, FileFailure):
            self._with_games.add(path)
            self._fail(path, result)
            return
        if result.read:
            self._with_games.add(path)
        failures = result.failures
        for number, line, offset, key, form in result.games:
            if key and key in self._seen:
                self.totals.duplicates += 1
                continue
            try:
                self._sink.add(form)
            except InputError as error:
                failures.append(FileFailure(number, line, offset, error.reason))
                continue
            self.totals.written += 1
            if key:
                self._seen.add(key)
        for failure in sorted(failures, key=lambda failure: failure.number):
            self._fail(path, failure)
        self.totals.read += result.read
        self.totals.skipped += result.skipped
        self.totals.left_out += result.left_out
        self.totals.lost += result.lost
        self._games_before += result.read
        self._progress(self.totals)

    def _fail(self, path: Path, failure: FileFailure) -> None:
        self.totals.failed += 1
        self._report(failure.told(str(path), self._games_before))


def _items(paths: Iterable[Path]) -> Iterator[tuple[Path, FilePiece | FileFailure]]:
    """Yield the pieces of all files, and a failure where a file cannot be read any further."""
    for path in paths:
        try:
            for piece in pieces_of_file(path):
                yield path, piece
        except FormatError as error:
            yield path, FileFailure(0, 0, error.place, error.reason)
        except OSError as error:
            yield path, FileFailure(0, 0, 0, error.strerror or str(error))


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
