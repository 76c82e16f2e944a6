"""Ask a base of games: what was played in a position and how it ended, the games behind it, and what was new in a game."""

from __future__ import annotations

import asyncio
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from othello_bot import kernel
from othello_bot.base.errors import InputError
from othello_bot.base.files import as_path
from othello_bot.base.notation import Color, format_transcript
from othello_bot.base.sqlite import sqlite3
from othello_bot.book import stabilizer
from othello_bot.explorer.names import Players
from othello_bot.explorer.segments import CODES, TALLY_COLUMNS, number_of_date
from othello_bot.explorer.selection import Names, Selection
from othello_bot.explorer.store import GAME_BITS, NO_RESULT, ORDER, PART_BITS, is_base, open_to_read, reading, signed
from othello_bot.formats.found import FoundGame
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game, Position, inverse_symmetry, transform_square

WHITE_MOVES: Final = 128
"""The part of a code that says that White moves, as in kernel/postings.pxi."""

LAST_POSITION: Final = 65
"""The code of a game's last position."""

_GAME: Final = (1 << GAME_BITS) - 1
_ALL_CODES: Final = bytes([1]) * CODES

LATEST: Final = 99_991_231
"""The last date, as yyyymmdd."""

ORDERS: Final = ("newest", "strongest")
"""In which order games are listed: by date, or by the sum of both ratings."""

MOST_LISTED: Final = 10_000
"""Most games that can be listed, pages before included."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What some games have in common, from the view of one side; None where no game tells it.

    `games` may be more than won, drawn and lost: of some, no result is known. `mean_discs` is the mean result in discs
    of those whose discs are known, `mean_rating` that of the side's rating where it is known.
    """

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    mean_discs: float | None = None
    mean_rating: float | None = None
    first_year: int | None = None
    last_year: int | None = None

    @property
    def score(self) -> float | None:
        """The share of points, a draw counting half; None without a result."""
        known = self.won + self.drawn + self.lost
        return (self.won + self.drawn / 2) / known if known else None


@dataclass(frozen=True, slots=True)
class ExploredMove:
    """A move that was played in a position (or PASS), and what it led to, from the mover's view.

    `symmetric` are the other moves that the symmetry of the position makes the same; their games are counted here.
    """

    move: int
    counts: Counts
    symmetric: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Explored:
    """What a base knows of a position: all its games, from the mover's view, and the moves, the most played first.

    `ended`: games that end in this position.
    """

    position: Position
    counts: Counts
    moves: tuple[ExploredMove, ...]
    ended: int = 0


@dataclass(frozen=True, slots=True)
class BaseGame:
    """A game of a base. `ply`: after how many plies, passes included, it reaches the position that was asked for.

    `result` is in discs from Black's view; None if it is unknown, or if only the `winner` is known.
    """

    number: int
    black: str
    white: str
    event: str
    date: str
    black_rating: int | None
    white_rating: int | None
    result: int | None
    winner: Color | None
    start: str | None
    moves: bytes
    ply: int = 0

    def game(self) -> Game:
        """Return the game."""
        game = Game() if self.start is None else Game(Position.parse(self.start))
        game.play_moves(self.moves)
        return game

    def record(self) -> GameRecord:
        """Return the game as files of games have it."""
        return GameRecord(
            self.game(),
            self.black,
            self.white,
            self.black_rating,
            self.white_rating,
            self.event,
            date=self.date,
            result=None if self.result is None else float(self.result),
            winner=self.winner if self.result is None else None,
        )

    @property
    def transcript(self) -> str:
        """The moves as text, without passes."""
        return format_transcript(self.moves)


@dataclass(frozen=True, slots=True)
class Novelty:
    """Where a game leaves what had been played: after `ply` plies, with its next `move`.

    `followed` are the games that it had followed until then, at most a few of the newest; `games` counts them. A game
    that was played before as a whole has no `move`.
    """

    ply: int
    move: int | None
    games: int
    followed: tuple[BaseGame, ...] = ()


class _Row(NamedTuple):
    """A game as the table has it."""

    id: int
    start: str | None
    moves: bytes
    black: int
    white: int
    event: int
    date: str
    black_rating: int
    white_rating: int
    result: int


_ROW: Final = ", ".join(_Row._fields)


class _Columns(dict[str, memoryview]):
    """The columns of a segment by their names, each read when it is first asked for."""

    def __init__(self, connection: sqlite3.Connection, segment: int, games: int) -> None:
        self._connection = connection
        self._segment = segment
        self._games = games

    def __missing__(self, name: str) -> memoryview:
        query = "SELECT content FROM column WHERE segment = ? AND name = ?"
        (content,) = self._connection.execute(query, (self._segment, name)).fetchone()
        found = self[name] = memoryview(content or bytes(4 * self._games)).cast("i")
        return found


@dataclass
class Segment:
    """A segment of the base: its id, its first game, its number of games, the bits that choose a part, and its columns."""

    id: int
    first: int
    games: int
    bits: int
    columns: Mapping[str, memoryview]
    kept: tuple[Selection, bytes] | None = None


class GameBase:
    """A base of games, open to be asked; a context manager, for one thread at a time.

    Raise BaseError for a file that is no base or cannot be read, also while it is asked. Games that another process adds
    are seen by the next question.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = as_path(path)
        self._connection = open_to_read(self.path)
        self._segments: list[Segment] = []
        self._version = -1
        self._lock = threading.Lock()
        self._refresh()

    def __enter__(self) -> GameBase:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __len__(self) -> int:
        """Return the number of games."""
        return sum(segment.games for segment in self._segments)

    def _refresh(self) -> None:
        """Take over what another process has added."""
        with reading(self.path):
            (version,) = self._connection.execute("PRAGMA data_version").fetchone()
            if version == self._version:
                return
            rows = self._connection.execute("SELECT id, first, games, bits FROM segment ORDER BY id").fetchall()
        known = {(one.id, one.first, one.games): one for one in self._segments}
        self._segments = [
            known.get((id, first, games)) or Segment(id, first, games, bits, _Columns(self._connection, id, games))
            for id, first, games, bits in rows
        ]
        self._version = version
        for name in ("names", "programs"):
            self.__dict__.pop(name, None)

    @contextmanager
    def _question(self) -> Iterator[None]:
        """Let one question see one state of the base, whatever other processes add meanwhile."""
        with self._lock, reading(self.path):
            self._connection.execute("BEGIN")
            try:
                self._refresh()
                yield
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @cached_property
    def programs(self) -> Players | None:
        """The programs among the players, as the list says with which the base was built; None without one."""
        with reading(self.path):
            row = self._connection.execute("SELECT value FROM fact WHERE name = 'programs'").fetchone()
        return None if row is None else Players.from_text(row[0])

    @cached_property
    def names(self) -> Names:
        """The names of players and events, by their ids."""
        with reading(self.path):
            return Names(self._connection.execute("SELECT id, event, text, number FROM name").fetchall())

    # -- positions ------------------------------------------------------------------------------------------------------

    def explore(self, position: Position, selection: Selection | None = None) -> Explored:
        """Return what was played in a position, in the games of a selection (None: all)."""
        selection = None if selection is None or selection.takes_all else selection
        key = kernel.position_key(position.mover, position.opponent)
        tally: dict[int, list[int]] = {}
        with self._question():
            if selection is None:
                self._count_all(key, tally)
            else:
                self._count_selected(key, selection, tally)
        return _explored(position, tally)

    async def explore_async(self, position: Position, selection: Selection | None = None) -> Explored:
        """Return what explore() returns, without blocking the event loop."""
        return await asyncio.to_thread(self.explore, position, selection)

    def _count_all(self, key: int, tally: dict[int, list[int]]) -> None:
        many = dict(
            self._connection.execute("SELECT segment, tally FROM many WHERE key = ?", (signed(key),)).fetchall()
        )
        for segment in self._segments:
            if segment.id in many:
                words = memoryview(many[segment.id]).cast("q")
                width = TALLY_COLUMNS + 1
                for place in range(0, len(words), width):
                    _add(tally, words[place], words[place + 1 : place + width])
            else:
                for number, row in self._few(segment, key):
                    code = number >> GAME_BITS
                    _add(tally, code, _tally_of(code, row))

    def _count_selected(self, key: int, selection: Selection, tally: dict[int, list[int]]) -> None:
        table = bytearray(8 * CODES * TALLY_COLUMNS)
        rows = memoryview(table).cast("q", (CODES, TALLY_COLUMNS))
        for segment, numbers in self._postings(key):
            columns = [segment.columns[name] for name in ("results", "dates", "black_rating", "white_rating")]
            kernel.fill_tally(numbers, self._kept(segment, selection), *columns, rows)
        words = memoryview(table).cast("q")
        for code in range(CODES):
            if words[code * TALLY_COLUMNS]:
                _add(tally, code, words[code * TALLY_COLUMNS : (code + 1) * TALLY_COLUMNS])

    def _postings(self, key: int) -> Iterator[tuple[Segment, memoryview]]:
        """Yield the postings of a position in each segment that has some."""
        found = self._connection.execute("SELECT segment, postings FROM many WHERE key = ?", (signed(key),)).fetchall()
        many = dict(found)
        for segment in self._segments:
            if segment.id in many:
                yield segment, memoryview(many[segment.id]).cast("I")
            else:
                few = [number for number, _ in self._few(segment, key)]
                if few:
                    yield segment, memoryview(b"".join(number.to_bytes(4, ORDER) for number in few)).cast("I")

    def _few(self, segment: Segment, key: int) -> Iterator[tuple[int, _Row]]:
        """Yield the postings of a position with few games, and the games."""
        part = segment.id << PART_BITS | (key >> 64 - segment.bits if segment.bits else 0)
        found = self._connection.execute("SELECT postings FROM few WHERE id = ?", (part,)).fetchone()
        if found is None:
            return
        content = memoryview(found[0])
        count = len(content) // 6
        numbers, prints = content[: 4 * count].cast("I"), content[4 * count :].cast("H")
        wanted = key >> 64 - segment.bits - 16 & 0xFFFF
        begin = bisect_left(prints, wanted)
        end = bisect_right(prints, wanted, begin)
        if begin == end:
            return
        # Other positions may have the same 16 bits of the key, even in the same game: the moves tell.
        for row in self._rows({segment.first + (number & _GAME) for number in numbers[begin:end]}):
            ply, code = _place(row, key)
            if ply >= 0:
                yield code << GAME_BITS | row.id - segment.first, row

    def _rows(self, ids: Iterable[int]) -> list[_Row]:
        """Return games by their ids, in the order of the ids."""
        wanted = list(ids)
        found: dict[int, _Row] = {}
        for first in range(0, len(wanted), 500):
            some = wanted[first : first + 500]
            marks = ", ".join("?" * len(some))
            rows = self._connection.execute(f"SELECT {_ROW} FROM game WHERE id IN ({marks})", some)
            found.update((row[0], _Row(*row)) for row in rows)
        return [found[id] for id in wanted]

    def _kept(self, segment: Segment, selection: Selection) -> bytes:
        """Return 1 for each game of a segment that is in a selection, 0 for the others."""
        if segment.kept is None or segment.kept[0] != selection:
            segment.kept = selection, selection.kept(segment.columns, lambda: self.names, segment.games)
        return segment.kept[1]

    # -- games ----------------------------------------------------------------------------------------------------------

    def games(
        self,
        position: Position,
        move: int | None = None,
        selection: Selection | None = None,
        *,
        order: str = "newest",
        first: int = 0,
        count: int = 20,
    ) -> list[BaseGame]:
        """Return games that reach a position, and go on with a `move` if there is one: `count` of them from the index
        `first` on, in one of ORDERS. Raise InputError for another order, or beyond MOST_LISTED.
        """
        if order not in ORDERS:
            raise InputError("order of games", order, " or ".join(ORDERS))
        if not (first >= 0 and count >= 0 and first + count <= MOST_LISTED):
            raise InputError("games", f"{count} from {first} on", f"numbers whose sum is at most {MOST_LISTED}")
        selection = selection or Selection()
        key = kernel.position_key(position.mover, position.opponent)
        codes = bytearray([1]) * CODES
        if move is not None:
            code = kernel.move_code(position.mover, position.opponent, move)
            codes = bytearray(CODES)
            codes[code] = codes[code | WHITE_MOVES] = 1
        found: list[tuple[int, int]] = []
        with self._question():
            for segment, numbers in self._postings(key):
                if order == "newest":
                    firsts, seconds = segment.columns["dates"], _zeros(segment)
                else:
                    firsts, seconds = segment.columns["black_rating"], segment.columns["white_rating"]
                kept = self._kept(segment, selection)
                for game in kernel.greatest_games(numbers, kept, firsts, seconds, codes, first + count):
                    found.append((firsts[game] + seconds[game], segment.first + game))
            found.sort(reverse=True)
            rows = self._rows(id for _, id in found[first : first + count])
        return [self._game(row, key) for row in rows]

    def game(self, number: int) -> BaseGame:
        """Return the game with a number, from 1 on; raise InputError if there is none."""
        self._refresh()
        with reading(self.path):
            row = self._connection.execute(f"SELECT {_ROW} FROM game WHERE id = ?", (number,)).fetchone()
        if row is None or number > len(self):
            raise InputError("number of a game", number, f"1 to {len(self)}")
        return self._game(_Row(*row), None)

    def all_games(self, selection: Selection | None = None) -> Iterator[BaseGame]:
        """Yield the games of a selection, in the order in which they came."""
        selection = selection or Selection()
        with self._question():
            marked = [(segment, self._kept(segment, selection)) for segment in self._segments]
        with reading(self.path):
            for segment, kept in marked:
                ids = [segment.first + index for index in range(segment.games) if kept[index]]
                for some in range(0, len(ids), 500):
                    for row in self._rows(ids[some : some + 500]):
                        yield self._game(row, None)

    def _game(self, row: _Row, key: int | None) -> BaseGame:
        ply = 0 if key is None else _place(row, key)[0]
        known = row.result != NO_RESULT
        winner = None if not known or row.result == 0 else Color.BLACK if row.result > 0 else Color.WHITE
        return BaseGame(
            row.id,
            self.names.text(row.black),
            self.names.text(row.white),
            self.names.text(row.event),
            row.date,
            row.black_rating or None,
            row.white_rating or None,
            row.result if known and -64 <= row.result <= 64 else None,
            winner,
            row.start,
            row.moves,
            ply,
        )

    def lines(
        self, least: int, plies: int, start: Position | None = None, selection: Selection | None = None
    ) -> Iterator[tuple[int, ...]]:
        """Yield lines from a position (the usual start), passes included, of moves that at least so many games have, at
        most `plies` long and otherwise as long as there is such a move. Of lines to the same position, one is given.
        """
        seen: set[int] = set()

        def beyond(position: Position, line: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            key = kernel.position_key(position.mover, position.opponent)
            if key in seen:
                return
            seen.add(key)
            known = self.explore(position, selection).moves if len(line) < plies else ()
            moves = [one.move for one in known if one.counts.games >= least]
            for move in moves:
                yield from beyond(position.play(move), (*line, move))
            if not moves and line:
                yield line

        yield from beyond(start or Position.start(), ())

    def novelty(self, game: Game, date: str = "", own: int | None = None, shown: int = 3) -> Novelty:
        """Return where a game leaves what had been played before its `date`, or in all games if it has none.

        `own` is the number of the game itself in the base, which does not count. At most `shown` games are returned.
        """
        before = number_of_date(date)
        with self._question():
            kept = {segment.id: self._earlier(segment, before, own) for segment in self._segments}
            known = -1
            while known < game.ply and self._newest(game.position_at(known + 1), kept, 1):
                known += 1
            followed, count = [], 0
            if known >= 0:
                position = game.position_at(known)
                followed = self._newest(position, kept, shown)
                count = self._count_kept(kernel.position_key(position.mover, position.opponent), kept)
            move = game.moves[max(known, 0)] if max(known, 0) < game.ply else None
            return Novelty(max(known, 0), move, count, tuple(followed))

    def _earlier(self, segment: Segment, before: int, own: int | None) -> bytearray:
        """Return 1 for each game of a segment that is earlier than a date (0: for all), but not for the own one."""
        kept = bytearray(segment.games)
        kernel.mark_range(segment.columns["dates"], 0, before - 1 if before else LATEST, 1, kept)
        if own is not None and 0 <= own - segment.first < segment.games:
            kept[own - segment.first] = 0
        return kept

    def _newest(self, position: Position, kept: Mapping[int, bytearray], count: int) -> list[BaseGame]:
        """Return the newest of the games that are kept, by segment, and reach a position."""
        key = kernel.position_key(position.mover, position.opponent)
        found: list[tuple[int, int]] = []
        for segment, numbers in self._postings(key):
            dates = segment.columns["dates"]
            best = kernel.greatest_games(numbers, kept[segment.id], dates, _zeros(segment), _ALL_CODES, count)
            found += ((dates[game], segment.first + game) for game in best)
        found.sort(reverse=True)
        return [self._game(row, key) for row in self._rows(id for _, id in found[:count])]

    def _count_kept(self, key: int, kept: Mapping[int, bytearray]) -> int:
        return sum(kept[segment.id][number & _GAME] for segment, numbers in self._postings(key) for number in numbers)


def _place(row: _Row, key: int) -> tuple[int, int]:
    """Return after how many plies a game reaches a position, -1 if it does not, and the code of its move there."""
    board = Position.start() if row.start is None else Position.parse(row.start)
    return kernel.ply_of_key(board.mover, board.opponent, board.color is Color.WHITE, row.moves, key)


def _zeros(segment: Segment) -> memoryview:
    return memoryview(bytes(4 * segment.games)).cast("i")


def _add(tally: dict[int, list[int]], code: int, counted: Sequence[int] | memoryview) -> None:
    """Add what kernel.fill_tally() counts to what is known of a code without its colour."""
    code &= ~WHITE_MOVES
    known = tally.get(code)
    if known is None:
        tally[code] = list(counted)
        return
    for index in range(8):
        known[index] += counted[index]
    firsts = [first for first in (known[8], counted[8]) if first]
    known[8] = min(firsts, default=0)
    known[9] = max(known[9], counted[9])


def _tally_of(code: int, row: _Row) -> list[int]:
    """Return what kernel.fill_tally() counts for one game."""
    is_white = bool(code & WHITE_MOVES)
    counted = [1, *[0] * 9]
    if row.result != NO_RESULT:
        result = -row.result if is_white else row.result
        counted[1 if result > 0 else 2 if result == 0 else 3] = 1
        if -64 <= result <= 64:
            counted[4], counted[5] = 1, result
    rating = row.white_rating if is_white else row.black_rating
    if rating:
        counted[6], counted[7] = 1, rating
    counted[8] = counted[9] = number_of_date(row.date)
    return counted


def _explored(position: Position, tally: Mapping[int, Sequence[int]]) -> Explored:
    """Return the answer for a position from what each code counts."""
    canonical, index = position.canonical()
    back = inverse_symmetry(index)
    symmetries = stabilizer(canonical)
    moves = []
    total: dict[int, list[int]] = {}
    for code, counted in tally.items():
        _add(total, 0, counted)
        if code == LAST_POSITION:
            continue
        images = {transform_square(transform_square(code, symmetry), back) for symmetry in symmetries}
        # The rightmost, as players write openings: f5 for the first move.
        shown = max(images, key=lambda square: (square & 7, -square))
        moves.append(ExploredMove(shown, _counts(counted), tuple(sorted(images - {shown}))))
    moves.sort(key=lambda one: (-one.counts.games, one.move))
    ended = tally[LAST_POSITION][0] if LAST_POSITION in tally else 0
    return Explored(position, _counts(total[0]) if total else Counts(), tuple(moves), ended)


def _counts(counted: Sequence[int]) -> Counts:
    games, won, drawn, lost, scored, discs, rated, ratings, first, last = counted
    return Counts(
        games,
        won,
        drawn,
        lost,
        discs / scored if scored else None,
        ratings / rated if rated else None,
        first // 10_000 or None,
        last // 10_000 or None,
    )


def games_of(path: Path) -> Iterator[FoundGame]:
    """Yield the games of a base, or those of a file of games as games_of_file() does."""
    if not is_base(path):
        yield from games_of_file(path)
        return
    with GameBase(path) as base:
        for game in base.all_games():
            yield FoundGame(game.number, 0, record=game.record())
