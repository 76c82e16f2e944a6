"""One game of a match while it is played, between players that have been started."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from othello_bot.arena import adjudication
from othello_bot.arena.adjudication import (
    MOST_RETRIES,
    AgreementWatch,
    Failure,
    GameOutcome,
    Overtime,
    ResignWatch,
)
from othello_bot.arena.config import IllegalRule
from othello_bot.arena.games import GameJob, GameReport, MoveReport, machine
from othello_bot.arena.players import ArenaPlayer
from othello_bot.base.clocks import Clocks, ClockState
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, RESIGN, Color
from othello_bot.engine import Limits, carried_out
from othello_bot.game import LiveGame
from othello_bot.rules import Position

Solve = Callable[[Position], int]
"""Returns the exact score of a position, in discs from the mover's view."""

Players = tuple[ArenaPlayer, ArenaPlayer]
"""Black and White."""


def play_game(job: GameJob, players: Players, solve: Solve, check: Callable[[], float] = lambda: 0.0) -> GameReport:
    """Play the game of a job between players that have been started, and return its report.

    `check` is called before every move, and before a side loses on time; what it raises ends the game. It returns the
    seconds by which the machine has been late in this game.
    """
    return _RunningGame(job, players, solve, check).play()


class _GameDecided(Exception):
    """The game is over before its end on the board."""

    def __init__(self, outcome: GameOutcome) -> None:
        super().__init__(outcome.ending.value)
        self.outcome = outcome


class _RunningGame:
    """A game in progress."""

    def __init__(self, job: GameJob, players: Players, solve: Solve, check: Callable[[], float]) -> None:
        self._job = job
        self._check = check
        self._players = players
        self._solve = solve
        self._live = LiveGame(job.opening.game(), Clocks(*(job.config(color).limits.clock for color in Color)))
        self._overtimes = [Overtime(job.config(color).margin_s) for color in Color]
        self._waited_s = [0.0, 0.0]
        """Seconds that the clocks have lost since each side's last move, before it was asked for the next."""
        self._resign_watch = ResignWatch(job.rules.resign)
        self._agreement_watch = AgreementWatch(job.rules.agree)
        self._moves: list[MoveReport] = []
        self._elsewhere_s = 0.0
        """Seconds that passed in the players and in the solver."""
        self._latencies_s: list[float | None] = [None, None]
        self._retries = [0, 0]

    def play(self) -> GameReport:
        began_at, began, loop_s = time.time(), time.perf_counter(), 0.0
        try:
            self._begin()
            loop_began = time.perf_counter()
            try:
                outcome = self._play_moves()
            finally:
                loop_s = time.perf_counter() - loop_began
        except _GameDecided as decided:
            outcome = decided.outcome
        return GameReport(
            self._job.task,
            self._job.opening,
            self._live.game.moves,
            outcome,
            played=tuple(self._moves),
            identities=(self._players[0].identity, self._players[1].identity),
            machine=machine(self._job.speed),
            began=began_at,
            duration_s=time.perf_counter() - began,
            overhead_ms=1000 * max(0.0, loop_s - self._elsewhere_s) / max(1, len(self._moves)),
            latencies_s=(self._latencies_s[0], self._latencies_s[1]),
            retries=(self._retries[0], self._retries[1]),
            overtimes_s=(self._overtimes[0].used_s, self._overtimes[1].used_s),
        )

    def _begin(self) -> None:
        """Bring the board and both players to the end of the opening.

        As in cutechess and fastchess, a new game costs no time. But a player that knows the opening can think: what the
        answers to its moves, and to the ping after them, take beyond the margin and their latency counts.
        """
        for color in Color:
            player, overtime = self._players[color], self._overtimes[color]
            with self._blaming(color):
                before_s = player.waited_s
                player.new_game(self._live.game, f"{self._job.seed} {color.name}")
                self._latencies_s[color] = latency_s = player.latency_s()
                overtime.measured(latency_s)
                free_s = overtime.margin_s + (len(self._live.game.moves) + 1) * overtime.latency_s
                self._wait(color, player.waited_s - before_s + (latency_s or 0.0) - free_s)

    def _play_moves(self) -> GameOutcome:
        """Play to the end of the game, or to the position from which the solver decides it."""
        while not self._live.is_over:
            self._check()
            position = self._live.position
            if position.must_pass:
                # A forced pass is not a choice; both players are told of it, and only their answers to that cost time.
                self._live = self._live.play(PASS)
                for color in Color:
                    self._tell(color, PASS)
            elif position.empties <= self._job.rules.solve_empties:
                return self._solved(position)
            else:
                self._move(position)
        return adjudication.on_board(self._live.game.final_score)

    def _move(self, position: Position) -> None:
        """Let the side to move choose, judge its answer, and tell the other side."""
        color = position.color
        with self._blaming(color):
            choice = self._judged_choice(position, self._live.clocks.state(color))
            if choice.move == RESIGN:
                raise _GameDecided(adjudication.resigned(color))
            adjudication.check_move(position, choice.move)
        self._live = self._live.started(0.0).play(choice.move, choice.time_s)
        self._note(color, choice)
        if self._live.is_over:
            return
        self._tell(color.opponent, choice.move)
        for watch in (self._resign_watch, self._agreement_watch):
            outcome = watch.judge(color, choice.score)
            if outcome is not None:
                raise _GameDecided(outcome)

    def _tell(self, color: Color, move: int) -> None:
        """Tell a side of a move, and charge it for the wait."""
        player = self._players[color]
        with self._blaming(color):
            before_s = player.waited_s
            player.played(move)
            self._elsewhere_s += player.waited_s - before_s
            self._wait(color, player.waited_s - before_s)

    def _wait(self, color: Color, used_s: float) -> None:
        """Charge a side for a wait that ends with no move; its report comes with the next one."""
        if used_s > 0:
            self._judge_time(color, self._live.clocks.state(color), used_s)
            self._live = self._live.waited(color, used_s)
            self._waited_s[color] += used_s

    def _judge_time(self, color: Color, clock: ClockState | None, used_s: float, judged_s: float = 0.0) -> None:
        """Judge the time used under a clock, of which `judged_s` have been judged; raise Failure if it is too much."""
        late_s = self._check() if clock is not None and used_s > clock.move_s else 0.0
        self._overtimes[color].judge(clock, used_s, judged_s, late_s, self._live.game.ply + 1)

    def _judged_choice(self, position: Position, clock: ClockState | None) -> EvaluatedMove:
        """Return the answer of the side to move, in time; the last one, if it may answer again after an illegal move.

        All answers to one position together have the time of one.
        """
        color, used_s, judged_s = position.color, 0.0, 0.0
        illegal: tuple[int, ...] = ()
        config, player = self._job.config(color), self._players[position.color]
        while True:
            choice = self._choice(position)
            used_s += choice.time_s or 0.0
            self._judge_time(color, clock, used_s, judged_s)
            judged_s = used_s
            choice = replace(choice, time_s=used_s)
            if choice.move == RESIGN or adjudication.is_legal(position, choice.move):
                return choice
            if config.illegal is IllegalRule.LOSE or len(illegal) == MOST_RETRIES:
                return choice
            illegal = (*illegal, choice.move)
            self._retries[color] += 1
            before_s = player.waited_s
            player.take_back(self._live.game, illegal)
            used_s += player.waited_s - before_s

    def _choice(self, position: Position) -> EvaluatedMove:
        """Return the answer of the side to move."""
        asked, clocks, color = time.perf_counter(), self._live.clocks, position.color
        limits = Limits(clock=clocks.state(color), opponent_clock=clocks.state(color.opponent))
        try:
            steps = self._players[color].choose(self._live.game, limits)
            choice = carried_out(steps, asked_at_s=time.monotonic())
        except Failure:
            self._elsewhere_s += time.perf_counter() - asked
            raise
        # The time that the player itself measured; the rest of the call is the arena's.
        self._elsewhere_s += choice.time_s or 0.0
        return choice

    def _solved(self, position: Position) -> GameOutcome:
        began = time.perf_counter()
        score = self._solve(position)
        self._elsewhere_s += time.perf_counter() - began
        return adjudication.solved(position, score)

    def _note(self, color: Color, choice: EvaluatedMove) -> None:
        left_s = self._live.clocks.of(color).left_s if self._job.config(color).limits.control is not None else None
        depth = choice.reached() if choice.words or choice.depth or choice.exact else ""
        told = (choice.score, depth, choice.nodes, choice.planned_s)
        used_s, self._waited_s[color] = (choice.time_s or 0.0) + self._waited_s[color], 0.0
        self._moves.append(MoveReport(self._live.game.ply - 1, color, used_s, left_s, *told))

    @contextmanager
    def _blaming(self, color: Color) -> Iterator[None]:
        """Turn a Failure of a side's player into the end of the game."""
        try:
            yield
        except Failure as failure:
            outcome = failure.outcome(color)
            if not outcome.last_words:
                outcome = replace(outcome, last_words=self._players[color].last_words)
            raise _GameDecided(outcome) from failure
