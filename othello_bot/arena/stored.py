"""What comes out of a store: matches, games, and of games what the statistics need; and how moves are packed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from othello_bot.arena.pairing import GameTask
from othello_bot.arena.reports import MoveReport
from protocol.notation import Color


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in a store."""

    id: int
    key: str
    config: dict[str, Any]
    created: float
    machine: str

    @property
    def names(self) -> tuple[str, ...]:
        """The engines by slot."""
        return tuple(engine["name"] for engine in self.config["engines"])


@dataclass(frozen=True, slots=True)
class Result:
    """What the statistics need of a stored game. `id` grows with every game; `repeats` is the game that it repeats.

    `detail` is what happened, in words, where the game ended otherwise than by playing.
    """

    id: int
    task: GameTask
    black_points: float
    discs: int | None
    ending: str
    loser: Color | None
    repeats: int | None
    seconds: tuple[float, float]
    moves: tuple[int, int]
    overhead_ms: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole stored game; `start` and `moves` as text (passes written), `identities` of Black and White.

    `last_words` are the last lines of the conversation with an engine that failed, and of its stderr.
    """

    result: Result
    last_words: tuple[str, ...]
    start: str
    moves: str
    opening_plies: int
    played: tuple[MoveReport, ...]
    identities: tuple[str, str]
    machine: str
    began: float
    duration_s: float


RESULT_COLUMNS: Final = (
    "id, pair, leg, round, black, white, black_points, discs, ending, loser, repeats,"
    " black_s, white_s, black_moves, white_moves, overhead_ms, detail"
)
"""The columns of the table of games that `result_of` takes."""


def result_of(row: Any) -> Result:
    """Return the result in a row of RESULT_COLUMNS."""
    id, pair, leg, round_, black, white, points, discs, ending, loser, repeats, *sums = row
    black_s, white_s, black_moves, white_moves, overhead_ms, detail = sums
    lost = None if loser is None else Color.BLACK if loser == "b" else Color.WHITE
    task = GameTask(pair, leg, round_, black, white)
    return Result(
        id,
        task,
        points,
        discs,
        ending,
        lost,
        repeats,
        (black_s, white_s),
        (black_moves, white_moves),
        overhead_ms,
        detail,
    )


def packed(move: MoveReport) -> list[object]:
    """Return a move's report as a short JSON list; times to the microsecond."""
    left_s = None if move.left_s is None else round(move.left_s, 6)
    return [move.ply, int(move.color), round(move.used_s, 6), left_s, move.score, move.depth, move.nodes]


def unpacked(values: list[Any]) -> MoveReport:
    """Return the move's report that `packed` made a list of."""
    ply, color, used_s, left_s, score, depth, nodes = values
    return MoveReport(ply, Color(color), used_s, left_s, score, depth, nodes)
