"""Games as values: the job of a worker, the report that it returns, and the columns of the store.

The columns of the store's table of games are the fields of `Result` and `StoredGame`, each declared once with its SQL
type, its value in a report, and how it is read back. `Store` makes its statements from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from othello_bot.arena.adjudication import Ending, Outcome
from othello_bot.arena.config import EngineConfig, MatchConfig, Rules
from othello_bot.arena.openings import Opening
from protocol.notation import Color, format_transcript


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game of a match; `pair` counts its pairs of games from 0, `leg` is 0 or 1, `black` and `white` are slots.

    The slot of an engine is its place in the match. The first player of a pair is the one who is `black` in leg 0.
    """

    pair: int
    leg: int
    round: int
    black: int
    white: int


@dataclass(frozen=True, slots=True)
class GameJob:
    """Everything that a worker needs for one game."""

    task: GameTask
    black: EngineConfig
    white: EngineConfig
    opening: Opening
    rules: Rules
    seed: str

    def config(self, color: Color) -> EngineConfig:
        """Return the engine of a colour."""
        return self.black if color is Color.BLACK else self.white


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One move that a player chose: seconds used, seconds left on its clock afterwards (None without a clock).

    Score (discs, the mover's view), depth (in the engine's words), nodes and the seconds that it planned to use are
    there if the engine reports them. Stores before format 3 have no planned times.
    """

    ply: int
    color: Color
    used_s: float
    left_s: float | None = None
    score: float | None = None
    depth: str = ""
    nodes: int | None = None
    planned_s: float | None = None

    def packed(self) -> list[object]:
        """Return the report as a short JSON list; times to the microsecond."""
        left_s = None if self.left_s is None else round(self.left_s, 6)
        used_s, planned_s = round(self.used_s, 6), None if self.planned_s is None else round(self.planned_s, 6)
        return [self.ply, int(self.color), used_s, left_s, self.score, self.depth, self.nodes, planned_s]

    @classmethod
    def unpacked(cls, values: Sequence[Any]) -> MoveReport:
        """Return the report that `packed` made a list of."""
        ply, color, *rest = values
        return cls(ply, Color(color), *rest)


@dataclass(frozen=True, slots=True)
class GameReport:
    """A finished game.

    moves        all moves, those of the opening and passes included
    identities   name and version of Black and White, as they report them
    began        seconds since 1970
    overhead_ms  milliseconds per move that passed outside both players
    stops        seconds for which the arena was stopped in each playing of the game before this one, and in this one
    """

    task: GameTask
    opening: Opening
    moves: tuple[int, ...]
    outcome: Outcome
    played: tuple[MoveReport, ...] = ()
    identities: tuple[str, str] = ("", "")
    machine: str = ""
    began: float = 0.0
    duration_s: float = 0.0
    overhead_ms: float = 0.0
    stops: tuple[float, ...] = ()

    def used_s(self, color: Color) -> list[float]:
        """Return the seconds that each move of a side took."""
        return [move.used_s for move in self.played if move.color is color]


# -- the store's table ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of games.

    name   of the column, and of the field that it is read into
    sql    its type and constraints
    value  its value for a report; None if the store itself knows it
    read   converts the table's value to the field's; None if they are equal
    """

    name: str
    sql: str
    value: Callable[[GameReport], object] | None
    read: Callable[[Any], object] | None


def _column(
    sql: str, value: Callable[[GameReport], object] | None = None, read: Callable[[Any], object] | None = None
) -> dict[str, Any]:
    """Return the metadata of a field that is a column; see `Column`."""
    return {"column": (sql, value, read)}


def _color_of(letter: str | None) -> Color | None:
    return None if letter is None else Color.BLACK if letter == "b" else Color.WHITE


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
        metadata=_column(
            "TEXT NOT NULL DEFAULT '[]'",
            lambda report: json.dumps([round(stop_s, 3) for stop_s in report.stops]),
            lambda text: tuple(json.loads(text)),
        ),
    )

    @property
    def task(self) -> GameTask:
        """The game of the match."""
        return GameTask(self.pair, self.leg, self.round, self.black, self.white)

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
            lambda text: tuple(json.loads(text)),
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
        """The slot of the engine that lost otherwise than by discs."""
        if self.result.loser is None:
            return None
        return self.result.black if self.result.loser is Color.BLACK else self.result.white


def _columns_of(kind: type[Result] | type[StoredGame]) -> tuple[Column, ...]:
    return tuple(Column(item.name, *item.metadata["column"]) for item in fields(kind) if "column" in item.metadata)


RESULT_COLUMNS: Final = _columns_of(Result)
"""The columns of a `Result`, in its order."""

GAME_COLUMNS: Final = (*RESULT_COLUMNS, *_columns_of(StoredGame))
"""All columns of a `StoredGame`, those of its result first."""


def names_of(columns: Sequence[Column]) -> str:
    """Return the names of columns as SQL lists them."""
    return ", ".join(column.name for column in columns)


def values_of(report: GameReport) -> dict[str, object]:
    """Return the values of a report's columns, by name."""
    return {column.name: column.value(report) for column in GAME_COLUMNS if column.value is not None}


def result_of(row: Sequence[Any]) -> Result:
    """Return the result in a row of RESULT_COLUMNS."""
    return Result(*_read(RESULT_COLUMNS, row))


def game_of(row: Sequence[Any]) -> StoredGame:
    """Return the game in a row of GAME_COLUMNS."""
    values = _read(GAME_COLUMNS, row)
    result = len(RESULT_COLUMNS)
    return StoredGame(Result(*values[:result]), *values[result:])


def _read(columns: Sequence[Column], row: Sequence[Any]) -> list[Any]:
    return [
        value if column.read is None else column.read(value) for column, value in zip(columns, row, strict=True)
    ]


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
