"""Games and matches as the store keeps them.

The columns of its table of games are the fields of `Result` and `StoredGame`, each declared once with its SQL type, its
value in a report, and how it is read back. `MatchStore` makes its statements from them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from types import NoneType
from typing import Any, Final, get_args, get_type_hints

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.config import MatchConfig, from_json, typed
from othello_bot.arena.games import GameReport, GameTask, MoveReport
from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color, format_transcript
from othello_bot.base.visible import visible
from othello_bot.rules import Game, Position, parse_moves

NAME_COLUMNS: Final = 40
"""Most columns of an engine's name in tables and pictures."""

_YEAR_10000_S: Final = 253_402_300_800
"""Seconds from 1970 to the year 10000, the first that Python's dates do not have."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of games.

    name   of the column, and of the field that it is read into
    kind   the type of the field
    sql    its type and constraints
    value  its value for a report; None if the store itself knows it
    read   converts the table's value to the field's; None if they are equal
    plain  the types of values that need no look, because a store has hundreds of thousands of them
    """

    name: str
    kind: Any
    sql: str
    value: Callable[[GameReport], object] | None
    read: Callable[[Any], object] | None
    plain: frozenset[type]


def _column(
    sql: str, value: Callable[[GameReport], object] | None = None, read: Callable[[Any], object] | None = None
) -> dict[str, Any]:
    """Return the metadata of a field that is a column; see `Column`."""
    return {"column": (sql, value, read)}


def _color_of(letter: str | None) -> Color | None:
    return None if letter is None else {color.letter: color for color in Color}[letter]


def _json_reader(kind: Any) -> Callable[[str], Any]:
    """Return a reader of JSON for values of a kind, which raises an error of `typed` for anything else."""
    return lru_cache(maxsize=1024)(lambda text: typed(kind, json.loads(text)))


identities_of: Final = _json_reader(tuple[str, str])
"""Return the identities in the column of that name; raise an error of `typed` for something else."""


def _json_column(kind: Any, default: str, value: Callable[[GameReport], object]) -> dict[str, Any]:
    """Return the metadata of a field that is a column of JSON, which earlier versions did not have."""
    return _column(f"TEXT NOT NULL DEFAULT '{default}'", lambda report: json.dumps(value(report)), _json_reader(kind))


@dataclass(frozen=True, slots=True)
class Result:
    """The part of a stored game that the statistics need.

    `id` grows with every game; `repeats` is the id of an earlier game with the same moves between the same players.
    """

    id: int = field(metadata=_column("INTEGER PRIMARY KEY"))
    pair: int = field(metadata=_column("INTEGER NOT NULL", lambda report: report.task.pair))
    leg: int = field(metadata=_column("INTEGER NOT NULL", lambda report: report.task.leg))
    round: int = field(metadata=_column("INTEGER NOT NULL", lambda report: report.task.round))
    black: int = field(metadata=_column("INTEGER NOT NULL", lambda report: report.task.black))
    white: int = field(metadata=_column("INTEGER NOT NULL", lambda report: report.task.white))
    black_points: float = field(metadata=_column("REAL NOT NULL", lambda report: report.outcome.black_points))
    discs: int | None = field(metadata=_column("INTEGER", lambda report: report.outcome.discs))
    ending: Ending = field(metadata=_column("TEXT NOT NULL", lambda report: report.outcome.ending.value, Ending))
    loser: Color | None = field(
        metadata=_column(
            "TEXT",
            lambda report: None if report.outcome.loser is None else report.outcome.loser.letter,
            _color_of,
        )
    )
    repeats: int | None = field(metadata=_column("INTEGER REFERENCES game(id)"))
    black_s: float = field(metadata=_column("REAL NOT NULL", lambda report: sum(report.used_s(Color.BLACK))))
    white_s: float = field(metadata=_column("REAL NOT NULL", lambda report: sum(report.used_s(Color.WHITE))))
    black_moves: int = field(metadata=_column("INTEGER NOT NULL", lambda report: len(report.used_s(Color.BLACK))))
    white_moves: int = field(metadata=_column("INTEGER NOT NULL", lambda report: len(report.used_s(Color.WHITE))))
    overhead_ms: float = field(metadata=_column("REAL NOT NULL", lambda report: report.overhead_ms))
    detail: str = field(metadata=_column("TEXT NOT NULL", lambda report: report.outcome.detail))
    stops: tuple[float, ...] = field(
        default=(),
        metadata=_json_column(tuple[float, ...], "[]", lambda report: [round(stop_s, 3) for stop_s in report.stops]),
    )
    stalls: tuple[float, ...] = field(
        default=(),
        metadata=_json_column(tuple[float, ...], "[]", lambda report: [round(stall_s, 3) for stall_s in report.stalls]),
    )
    latencies_s: tuple[float | None, float | None] = field(
        default=(None, None),
        metadata=_json_column(
            tuple[float | None, float | None],
            "[null,null]",
            lambda report: [None if one is None else round(one, 6) for one in report.latencies_s],
        ),
    )
    retries: tuple[int, int] = field(
        default=(0, 0), metadata=_json_column(tuple[int, int], "[0,0]", lambda report: report.retries)
    )
    overtimes_s: tuple[float, float] = field(
        default=(0.0, 0.0),
        metadata=_json_column(
            tuple[float, float], "[0,0]", lambda report: [round(overtime_s, 6) for overtime_s in report.overtimes_s]
        ),
    )
    opening: str = ""
    """Start and moves of the opening, as OPENING selects them; empty if they were not read."""

    @property
    def task(self) -> GameTask:
        """The game of the match."""
        return GameTask(self.pair, self.leg, self.round, self.black, self.white)

    @property
    def slots(self) -> tuple[int, int]:
        """The slots of Black and White."""
        return self.black, self.white

    @property
    def seconds(self) -> tuple[float, float]:
        """The seconds that Black and White used."""
        return self.black_s, self.white_s

    @property
    def moves(self) -> tuple[int, int]:
        """The number of moves that Black and White chose."""
        return self.black_moves, self.white_moves


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole stored game; `start` and `moves` as text, passes included; `identities` of Black and White."""

    result: Result
    start: str = field(metadata=_column("TEXT NOT NULL", lambda report: report.opening.start.to_string()))
    moves: str = field(metadata=_column("TEXT NOT NULL", lambda report: format_transcript(report.moves)))
    opening_plies: int = field(metadata=_column("INTEGER NOT NULL", lambda report: len(report.opening.moves)))
    played: tuple[MoveReport, ...] = field(
        metadata=_column(
            "TEXT NOT NULL",
            lambda report: json.dumps([move.packed() for move in report.played], separators=(",", ":")),
            lambda text: tuple(map(MoveReport.unpacked, json.loads(text))),
        )
    )
    identities: tuple[str, str] = field(
        metadata=_column(
            "TEXT NOT NULL",
            lambda report: json.dumps(report.identities),
            identities_of,
        )
    )
    machine: str = field(metadata=_column("TEXT NOT NULL", lambda report: report.machine))
    began: float = field(metadata=_column("REAL NOT NULL", lambda report: report.began))
    duration_s: float = field(metadata=_column("REAL NOT NULL", lambda report: report.duration_s))
    last_words: tuple[str, ...] = field(
        metadata=_column(
            "TEXT NOT NULL DEFAULT ''",
            lambda report: "\n".join(report.outcome.last_words),
            lambda text: tuple(text.split("\n")) if text else (),
        )
    )

    @property
    def loser_slot(self) -> int | None:
        """The slot of the engine that lost by resignation or a failure; None if the discs decide."""
        return None if self.result.loser is None else self.result.slots[self.result.loser]


def _columns_of(kind: type[Result] | type[StoredGame]) -> tuple[Column, ...]:
    kinds = get_type_hints(kind)
    columns = []
    for item in fields(kind):
        if item.metadata:
            sql, value, read = item.metadata["column"]
            told = kinds[item.name]
            plain = {int, str, NoneType} & {*(get_args(told) or (told,))}  # a float may be infinite
            columns.append(Column(item.name, told, sql, value, read, frozenset(plain if read is None else ())))
    return tuple(columns)


RESULT_COLUMNS: Final = _columns_of(Result)
"""The columns of a `Result`, in its order."""

OPENING: Final = "start || ' ' || substr(moves, 1, 2 * opening_plies)"
"""The opening of a game, as SQL."""

GAME_COLUMNS: Final = (*RESULT_COLUMNS, *_columns_of(StoredGame))
"""All columns of a `StoredGame`, those of its result first."""


def names_of(columns: Sequence[Column]) -> str:
    """Return the names of columns as SQL lists them."""
    return ", ".join(column.name for column in columns)


def values_of(report: GameReport) -> dict[str, object]:
    """Return the values of a report's columns, by name."""
    return {column.name: column.value(report) for column in GAME_COLUMNS if column.value is not None}


def result_of(row: Sequence[Any]) -> Result:
    """Return the result in a row of RESULT_COLUMNS and OPENING; raise InputError for values that we do not write."""
    *columns, opening = row
    if not isinstance(opening, str):
        raise InputError("opening", opening, "a text")
    values: list[Any] = [*_read(RESULT_COLUMNS, columns), opening]
    return _checked(Result(*values))


def game_of(row: Sequence[Any]) -> StoredGame:
    """Return the game in a row of GAME_COLUMNS; raise InputError for values that this program does not write."""
    values = _read(GAME_COLUMNS, row)
    result = len(RESULT_COLUMNS)
    game = StoredGame(_checked(Result(*values[:result])), *values[result:])
    moves = parse_moves(game.moves)
    Game(Position.parse(game.start)).play_moves(moves)
    for move in game.played:
        if move.ply >= len(moves):
            raise InputError("number of a move", move.ply, f"one of the {len(moves)} moves of the game")
    _moment(game.began)
    return game


def match_of(row: Sequence[Any]) -> StoredMatch:
    """Return the match in a row of its table; raise InputError for values that this program does not write."""
    id, key, config, created, machine = row
    if not (isinstance(key, str) and re.fullmatch("[0-9a-f]{64}", key)):
        raise InputError("key", key, "64 hexadecimal digits")
    if not isinstance(machine, str):
        raise InputError("machine", machine, "a text")
    return StoredMatch(id, key, from_json(json.loads(config)), _moment(created), machine)


def _moment(seconds: object) -> float:
    """Return seconds since 1970; raise InputError for something else, or a time beyond the year 9999."""
    if not isinstance(seconds, float) or not 0 <= seconds < _YEAR_10000_S:
        raise InputError("time", seconds, "seconds since 1970")
    return seconds


def _read(columns: Sequence[Column], row: Sequence[Any]) -> list[Any]:
    """Return the values of a row: SQLite keeps values of any type in any column."""
    values = []
    for column, value in zip(columns, row, strict=True):
        if type(value) in column.plain:
            values.append(value)
            continue
        try:
            values.append(typed(column.kind, value) if column.read is None else column.read(value))
        except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            raise InputError(f"column {column.name}", value, f"{column.sql}, as this program writes it") from error
    return values


def _checked(result: Result) -> Result:
    """Return a result whose numbers make sense; raise InputError otherwise."""
    place = (result.pair, result.leg, result.round, result.black, result.white)
    if min(place) < 0 or result.black == result.white or result.leg > 1:
        raise InputError("game", place, "pair, leg, round, black and white, from 0, two engines, leg 0 or 1")
    if result.black_points not in (0, 0.5, 1):
        raise InputError("column black_points", result.black_points, "0, 0.5 or 1")
    if result.discs is not None and abs(result.discs) > 64:
        raise InputError("column discs", result.discs, "-64 to 64")
    return result


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in a store, as it was configured when it began."""

    id: int
    key: str
    config: MatchConfig
    created: float
    machine: str

    @property
    def names(self) -> tuple[str, ...]:
        """The engines by slot."""
        return tuple(engine.name for engine in self.config.engines)

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The engines by slot, as tables and pictures show them."""
        return tuple(visible(name, NAME_COLUMNS) for name in self.names)
