"""A game on the server as we follow it: its record, whose turn it is, and our clock.

The plan for several boards, as in a synchro match: one engine with all cores and one table, and one search at a time.
The board with the least time on our clock comes first; while others wait too, a move gets its part of its clock
(`Following.clock`). While no board waits, the engine thinks ahead on the one whose opponent has been to move the
longest, because it will be ours first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from othello_bot.base.clocks import ClockState, TimeControl
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import Board, Color
from othello_bot.formats.record import EndedBy, GameRecord, MoveNote
from othello_bot.protocol.ggs_values import BoardText, Standing, match_of
from othello_bot.rules import Game, IllegalMove, Position, PositionError

PLACE: Final = "GGS/os"
SAFETY_S: Final = 1.0
"""Time that is kept at the end of a game, for a delay longer than those measured."""

FIRST_DELAY_S: Final = 1.0
"""Delay of the network that is assumed before one was measured."""

LEAST_S: Final = 0.001
"""Time of a move where none is left."""

_MEASURED: Final = 16
"""Measurements of the delay that count: the last ones."""


class Delay:
    """The delay of the network: seconds from sending a move until the server's echo of it."""

    def __init__(self) -> None:
        self._measured: list[float] = []

    def measure(self, seconds: float) -> None:
        """Take a measurement."""
        self._measured = [*self._measured[1 - _MEASURED :], max(0.0, seconds)]

    @property
    def reserve_s(self) -> float:
        """The time to keep for the network in each move: the longest of the last delays."""
        return max(self._measured, default=FIRST_DELAY_S)


@dataclass(slots=True)
class Following:
    """A game that we play.

    Attributes:
        id: its number on the server, such as ``.5`` or ``.5.0``.
        color: ours.
        opponent: who plays against us.
        record: the game so far.
        ply: moves made as the server counts them.
        ours: our name, rating and clock as last shown.
        received_at_s: when they were shown (of `time.monotonic`).
        longest_s: no clock of this game can show more, in seconds.
        answered_ply: the ply in which a move was sent and no echo has come yet, None otherwise.
        sent_at_s: when it was sent.
        answer: that move.
        flags: who exceeded the time.
        ended: the result is known, or will not come.
        thought: score and depth of our last move, as words.
    """

    id: str
    color: Color
    opponent: str
    record: GameRecord
    ply: int
    ours: Standing
    received_at_s: float
    longest_s: float
    answered_ply: int | None = None
    sent_at_s: float = 0.0
    answer: EvaluatedMove | None = None
    flags: list[str] = field(default_factory=list)
    ended: bool = False
    thought: str = ""

    @property
    def match(self) -> str:
        """The number of its match."""
        return match_of(self.id)

    @property
    def is_our_turn(self) -> bool:
        """Whether the server waits for a move of ours."""
        position = self.record.game.position
        return (
            not self.ended and self.answered_ply != self.ply and not position.is_over and position.color is self.color
        )

    @property
    def waits_for_echo(self) -> bool:
        """Whether a move was sent that the server has not shown yet."""
        return not self.ended and self.answered_ply is not None

    def clock(self, delay_s: float, boards: int = 1, now_s: float | None = None) -> ClockState:
        """Return our clock for the next move.

        It is the server's figure without the time since then, the network's delay in each move to come, and SAFETY_S;
        at least half is left. Where several boards wait for us, their clocks run while we think about the first, so
        that each gets its part.
        """
        shown = self.ours.clock
        now_s = time.monotonic() if now_s is None else now_s
        left_s = max(0.0, min(shown.remaining_s, self.longest_s) - (now_s - self.received_at_s))
        moves = max(1, (self.record.game.position.empties + 1) // 2)
        left_s -= min(SAFETY_S + delay_s * moves, left_s / 2)
        increment_s = shown.increment_s if shown.moves_to_go is None else 0.0
        return ClockState(max(LEAST_S, left_s) / max(1, boards), increment_s / max(1, boards), shown.moves_to_go)

    def follow(self, board: BoardText, now_s: float) -> bool:
        """Take a board with the next move, or one that is known; return false, unchanged, if it does not fit."""
        ours = board.player(self.ours.name)
        if ours is None:
            return False
        if board.ply != self.ply:
            if board.ply != self.ply + 1 or board.last is None:
                return False
            try:
                after = self.record.game.position.play(board.last.move)
            except IllegalMove:
                return False
            if not _same(after, board.board):
                return False
            mine = self.record.game.position.color is self.color
            self.record.notes[self.record.game.ply] = self._note(board.last, mine)
            self.record.game.play(board.last.move)
            self.ply = board.ply
            if self.answered_ply is not None and self.answered_ply < self.ply:
                self.answered_ply = None
        elif not _same(self.record.game.position, board.board):
            return False
        self.ours, self.received_at_s = ours, now_s
        return True

    def _note(self, played: EvaluatedMove, mine: bool) -> MoveNote:
        """Return what is known about a move; the score of our own even if we did not send it."""
        score = self.answer.score if mine and self.answer is not None else played.score
        return MoveNote(score, played.time_s)

    def take_over(self, earlier: Following) -> None:
        """Take what we know of the same game from before, when it was shown last."""
        self.record.notes.update(earlier.own_notes(self.record))
        self.flags, self.thought, self.ended = earlier.flags, earlier.thought, earlier.ended

    def own_notes(self, record: GameRecord) -> dict[int, MoveNote]:
        """Return our notes on the moves of a record of this game that knows no score for them."""
        silent = {ply for ply, note in record.notes.items() if note.score is None and ply < record.game.ply}
        return {ply: note for ply, note in self.record.notes.items() if ply in silent and note.score is not None}

    def end(self, result: float | None, *, comment: str = "") -> None:
        """Take the result, in discs from Black's view; None for a game without one."""
        self.ended = True
        record = self.record
        record.comment = comment
        if result is None:
            record.ending = EndedBy.LEFT
            return
        record.result = result
        if self.flags:
            record.ending = EndedBy.TIME
        elif not record.game.is_over:
            record.ending = EndedBy.RESIGNATION if abs(result) >= 64 else EndedBy.AGREEMENT


def joined(board: BoardText, name: str, clock: TimeControl | None, now_s: float) -> Following | None:
    """Return the game of a board that shows all moves; None if `name` does not play, or if it is not a game of Othello.

    `clock` is the time control of its request, if that is known.
    """
    ours = board.player(name)
    colors = [player.color for player in board.players]
    if ours is None or ours.color is None or board.start is None or sorted(map(str, colors)) != _BOTH:
        return None
    try:
        game = Game(Position.from_board(board.start))
        for played in board.moves:
            game.play(played.move)
    except (IllegalMove, PositionError):
        return None
    if not _same(game.position, board.board):
        return None
    black, white = sorted(board.players, key=lambda player: player.color or 0)
    record = GameRecord(
        game=game,
        black=black.name,
        white=white.name,
        black_rating=black.rating,
        white_rating=white.rating,
        place=PLACE,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        time_of_day=time.strftime("%H:%M:%S UTC", time.gmtime()),
        round=board.game,
        notes={ply: MoveNote(played.score, played.time_s) for ply, played in enumerate(board.moves)},
    )
    if clock is None:
        began = next((player for player in board.settings or () if player.name == name), ours)
        clock = TimeControl(max(0.0, began.clock.remaining_s), began.clock.increment_s, grace_s=began.grace_s)
    record.clock = clock
    longest_s = clock.main_s + clock.grace_s + clock.increment_s * max(1, board.ply + 60)
    opponent = (white if black.name == name else black).name
    return Following(board.game, ours.color, opponent, record, board.ply, ours, now_s, longest_s)


_BOTH: Final = sorted(map(str, Color))


def _same(position: Position, board: Board) -> bool:
    """Return whether a position is that of a board; after the end of a game nobody is to move."""
    shown = Position.from_board(board)
    return shown == position or (position.is_over and (shown.black, shown.white) == (position.black, position.white))


def goes_on(earlier: GameRecord, later: GameRecord) -> bool:
    """Return whether one record is the other with more moves, or the same: the same players, start and first moves."""
    first, second = earlier.game, later.game
    return (
        (earlier.black, earlier.white) == (later.black, later.white)
        and first.start == second.start
        and second.moves[: first.ply] == first.moves
    )


MOST_MISSED: Final = 4
"""Most plies by which a resumed game is ahead of the last board that we saw: our move, its answer, and some more."""


def is_continued(earlier: Following, later: Following) -> bool:
    """Return whether an interrupted game can be the one that is shown now: the server may have more moves of it than we
    saw, or, where it takes a move of a synchro match back, one less.
    """
    if 0 <= later.ply - earlier.ply <= MOST_MISSED:
        return goes_on(earlier.record, later.record)
    return earlier.ply - later.ply == 1 and goes_on(later.record, earlier.record)


def first_of(games: Iterable[Following]) -> tuple[Following | None, int]:
    """Return the game to move in first, and how many wait for us; None and 0 if the server waits for none."""
    waiting = [game for game in games if game.is_our_turn]
    first = min(waiting, key=lambda game: (game.ours.clock.remaining_s, game.id), default=None)
    return first, len(waiting)


def ahead_of(games: Iterable[Following]) -> Following | None:
    """Return the game to think ahead on: the one whose opponent has been to move the longest."""
    theirs = [game for game in games if not game.ended and game.record.game.position.color is not game.color]
    playing = [game for game in theirs if not game.record.game.position.is_over]
    return min(playing, key=lambda game: (game.received_at_s, game.id), default=None)
