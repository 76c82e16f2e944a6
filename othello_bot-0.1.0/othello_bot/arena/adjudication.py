"""How a game ends: every ending, and the judgement that leads to it.

A game ends on the board, by agreement (the resign rule, the solver), by resignation, or by a failure of one player: an
answer that comes too late, an illegal move, an engine that crashes, stalls, prints garbage, refuses or does not start.
A failure loses the game.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from enum import Enum
from typing import Final

from othello_bot.arena.config import ResignRule
from othello_bot.base.clocks import ClockState
from othello_bot.base.notation import Color, move_name
from othello_bot.base.visible import visible
from othello_bot.protocol.errors import (
    Awaited,
    EngineCrashed,
    EngineEnded,
    EngineError,
    EngineGarbage,
    EngineRefused,
    EngineStalled,
)
from othello_bot.rules import Position

MOST_RETRIES: Final = 3
"""How often a player is asked again after an illegal move."""


class Ending(Enum):
    """How a game ended; the value is its name in the store and in all tables."""

    BOARD = "board"
    SOLVED = "solved"
    RESIGNATION = "resignation"
    RESIGN_RULE = "resign rule"
    AGREEMENT = "agreement"
    TIME = "time"
    ILLEGAL = "illegal move"
    CRASH = "crash"
    EXIT = "exit"
    STALL = "stall"
    GARBAGE = "garbage"
    REFUSAL = "refusal"
    MEMORY = "memory"
    NO_START = "no start"

    @property
    def is_failure(self) -> bool:
        """Whether a player misbehaved."""
        return self not in _PEACEFUL


_PEACEFUL: Final = (Ending.BOARD, Ending.SOLVED, Ending.RESIGNATION, Ending.RESIGN_RULE, Ending.AGREEMENT)

_ENDINGS: Final[tuple[tuple[type[EngineError], Ending], ...]] = (
    (EngineCrashed, Ending.CRASH),
    (EngineEnded, Ending.EXIT),
    (EngineStalled, Ending.STALL),
    (EngineGarbage, Ending.GARBAGE),
    (EngineRefused, Ending.REFUSAL),
)


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended.

    loser        the side that lost by resigning or by a failure; None if the discs decide
    discs        disc difference from Black's view if the discs decide, empty squares to the winner; else None
    detail       what happened, in one line; for a failure the reason
    last_words   after a failure, the last lines exchanged with the player and the last of its stderr
    """

    ending: Ending
    loser: Color | None = None
    discs: int | None = None
    detail: str = ""
    last_words: tuple[str, ...] = ()

    @property
    def black_points(self) -> float:
        """1, 1/2 or 0."""
        if self.loser is not None:
            return float(self.loser is Color.WHITE)
        assert self.discs is not None
        return 0.5 if self.discs == 0 else float(self.discs > 0)


class Failure(Exception):
    """A player failed; see `GameOutcome` for the fields."""

    def __init__(self, ending: Ending, detail: str, last_words: tuple[str, ...] = ()) -> None:
        super().__init__(f"{ending.value}: {detail}")
        self.ending = ending
        self.detail = detail
        self.last_words = last_words

    def outcome(self, loser: Color) -> GameOutcome:
        """Return the end of the game in which the player of a colour failed."""
        return GameOutcome(self.ending, loser, None, self.detail, self.last_words)


# -- the end without a failure ----------------------------------------------------------------------------------------


def on_board(black_score: int) -> GameOutcome:
    """Return the outcome of a game in which neither side can move, from the final score in discs, Black's view."""
    return GameOutcome(Ending.BOARD, discs=black_score)


def solved(position: Position, score: int) -> GameOutcome:
    """Return the outcome that the solver decides: `score` is exact, in discs from the mover's view."""
    return GameOutcome(Ending.SOLVED, discs=score if position.color is Color.BLACK else -score)


def resigned(color: Color) -> GameOutcome:
    """Return the outcome of a resignation."""
    return GameOutcome(Ending.RESIGNATION, color)


class ResignWatch:
    """Applies the resign rule to the scores that both sides report."""

    def __init__(self, rule: ResignRule | None) -> None:
        self._rule = rule
        self._bad_moves = [0, 0]

    def judge(self, color: Color, score: float | None) -> GameOutcome | None:
        """Take the score of a side's move (discs, its own view; None if it reports none); return the end, if it is."""
        if self._rule is None:
            return None
        bad = score is not None and score <= -self._rule.discs
        self._bad_moves[color] = self._bad_moves[color] + 1 if bad else 0
        if self._bad_moves[color] < self._rule.moves:
            return None
        detail = f"{self._rule.moves} scores of -{self._rule.discs:g} or worse"
        return GameOutcome(Ending.RESIGN_RULE, color, detail=detail)


class AgreementWatch:
    """Ends a game whose winner both sides agree on."""

    def __init__(self, rule: ResignRule | None) -> None:
        self._rule = rule
        self._in_a_row: list[tuple[Color | None, int]] = [(None, 0), (None, 0)]
        """The winner that each side reports, and on how many of its moves in a row."""

    def judge(self, color: Color, score: float | None) -> GameOutcome | None:
        """Take the score of a side's move (discs, its own view; None if it reports none); return the end, if it is."""
        if self._rule is None:
            return None
        clear = score is not None and abs(score) >= self._rule.discs
        winner = None if not clear or score is None else color if score > 0 else color.opponent
        before, moves = self._in_a_row[color]
        self._in_a_row[color] = (winner, moves + 1 if winner is before else 1)
        if winner is None or any(said is not winner or count < self._rule.moves for said, count in self._in_a_row):
            return None
        detail = f"both expect {winner.name.lower()} to win by {self._rule.discs:g} or more on {self._rule.moves} moves"
        return GameOutcome(Ending.AGREEMENT, winner.opponent, detail=detail)


# -- failures ---------------------------------------------------------------------------------------------------------


LATENCIES_S: Final = (0.005, 0.01)
"""The least and the most seconds of latency that an answer may have. With seven busy programs a core, an answer came 4 to
10 ms late on average; a program could feign a longer latency.
"""


ANSWERS: Final = 30
"""The moves of one side in a whole game: as many times its latency adds to its margin."""


class Overtime:
    """The seconds of a game by which one side has exceeded its clock.

    The margin is for the whole game, not for each move. Only latency adds to it: that of the side, for the answers of a
    whole game, and what the arena finds of the machine's.
    """

    def __init__(self, margin_s: float) -> None:
        self.margin_s = margin_s
        self.latency_s = LATENCIES_S[0]
        """Seconds of latency that each answer may have."""
        self.used_s = 0.0

    def measured(self, latency_s: float | None) -> None:
        """Note in how many seconds the side answers without a search, if it does."""
        least_s, most_s = LATENCIES_S
        self.latency_s = min(max(latency_s or 0.0, least_s), most_s)

    def judge(self, clock: ClockState | None, used_s: float, judged_s: float, late_s: float, move_number: int) -> None:
        """Judge the time that the side has used for a move under a clock (None: no limit); raise Failure if it loses.

        `judged_s` of that have been judged before. `late_s`: seconds by which the machine has been late in the game.
        """
        over_s = 0.0 if clock is None else used_s - clock.move_s
        if clock is None or over_s <= 0:
            return
        self.used_s += over_s - max(0.0, judged_s - clock.move_s)
        allowed_s = self.margin_s + late_s + ANSWERS * self.latency_s
        used = f"used {used_s:.3f} s of {clock.move_s:.3f} s for move {move_number}"
        if over_s > self.margin_s:
            raise Failure(Ending.TIME, used)
        if self.used_s > allowed_s:
            raise Failure(Ending.TIME, f"{used}, and {self.used_s:.3f} s too many in the game")


def is_legal(position: Position, move: int) -> bool:
    """Return whether a move that is not a pass is legal."""
    return bool(position.legal_bits >> move & 1)


def check_move(position: Position, move: int) -> None:
    """Raise Failure if a move is illegal."""
    if not is_legal(position, move):
        legal = " ".join(map(move_name, position.legal_moves))
        raise Failure(Ending.ILLEGAL, f"played {move_name(move)}, legal were {legal}")


def exception_failure(error: Exception) -> Failure:
    """Return the failure of a player inside the arena that raised `error`; call it where the error is handled."""
    return Failure(Ending.CRASH, f"{type(error).__name__}: {error}", tuple(traceback.format_exc().splitlines()))


def engine_failure(error: EngineError, starting: bool, last_words: tuple[str, ...]) -> Failure:
    """Return the failure of an engine process; `starting` means that it has not begun its first game yet."""
    ending = next(ending for kind, ending in _ENDINGS if isinstance(error, kind))
    if starting or (isinstance(error, EngineStalled) and error.awaited is Awaited.START):
        ending = Ending.NO_START
    code = "" if error.exit_code is None else f" (exit code {error.exit_code})"
    complaint = next((line for line in reversed(error.stderr) if line.strip()), "")
    tail = f": {complaint}" if complaint and isinstance(error, EngineEnded) else ""
    return Failure(ending, visible(f"{error.message}{code}{tail}"), last_words)
