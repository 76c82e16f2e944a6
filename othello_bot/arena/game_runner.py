"""The work of a worker: keep engines running, and play one game after the other between them."""

from __future__ import annotations

import platform
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from othello_bot.arena import adjudication
from othello_bot.arena.adjudication import (
    MOST_REPEATS,
    MOST_RETRIES,
    AgreementWatch,
    Beat,
    Failure,
    GameOutcome,
    Overtime,
    ResignWatch,
    Stopped,
)
from othello_bot.arena.config import INNER, EngineConfig, IllegalRule
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.games import GameJob, GameReport, MoveReport
from othello_bot.arena.players import ArenaPlayer, InnerPlayer, ProcessPlayer
from othello_bot.arena.traffic import Traffic
from othello_bot.base import posix
from othello_bot.base.clocks import Clocks, ClockState
from othello_bot.base.errors import counted
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, RESIGN, Color
from othello_bot.base.visible import visible
from othello_bot.engine import MAXIMUM_DEPTH, Limits, Search, SearchRequest, carried_out
from othello_bot.game import LiveGame
from othello_bot.protocol.process import OnLine
from othello_bot.rules import Position

MOST_ENGINES: Final = 4
"""Engines that one worker keeps running; in a large tournament the least recently used one is ended."""

SOLVER_MIB: Final = 16

Solve = Callable[[Position], int]
"""Returns the exact score of a position, in discs from the mover's view."""

Players = tuple[ArenaPlayer, ArenaPlayer]
"""Black and White."""


def make_player(config: EngineConfig) -> ArenaPlayer:
    """Return the player of a configuration, not yet started."""
    return (InnerPlayer if config.kind in INNER else ProcessPlayer)(config)


def machine(speed: float = 1.0) -> str:
    """Return where a game is played: host name, processor and system, in one line, and the speed if it is not 1."""
    scaled = "" if speed == 1 else f" at speed {speed:g}"
    return f"{platform.node()} {platform.machine()} {platform.system()} {platform.release()}{scaled}"


class EngineHost:
    """Engines and solver of one worker. Not to be shared by threads; `close` it. `clock` is that of the beat."""

    def __init__(self, clock: Callable[[], float] = posix.uptime_s) -> None:
        self._clock = clock
        self._players: dict[EngineConfig, ArenaPlayer] = {}
        self._search: Search | None = None

    def play(self, job: GameJob) -> GameReport:
        """Play a game, again if the arena was stopped meanwhile (see `adjudication`).

        Raise ArenaError if an engine cannot be used at all.
        """
        stops: list[float] = []
        while True:
            for config in (job.black, job.white):
                if config.kind in INNER:
                    # Before the beat: making a large table may hold the interpreter, and the beat, for seconds.
                    self._started(config, [])
            report = None
            last = len(stops) == MOST_REPEATS
            beat = Beat(self._clock)
            with beat, suppress(Stopped):
                report = self._play_recorded(job, beat.tick if last else beat.check)
            if beat.stopped_s:
                stops.append(beat.stopped_s)
                # They may have thought meanwhile, and have an unread answer.
                self._end(job.black)
                self._end(job.white)
            if report is not None and (last or not beat.stopped_s):
                return replace(report, stops=tuple(stops), stalls=tuple(beat.stalls))

    def _play_recorded(self, job: GameJob, check: Callable[[], float]) -> GameReport:
        """Play a game, and write its traffic where that is wanted."""
        if not job.traffic:
            return self._play_once(job, check, (None, None))
        title = f"game {job.task.round + 1}.{job.task.leg + 1}: {job.black.name} (b) - {job.white.name} (w)"
        with Traffic(Path(job.traffic), f"{title}, {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}") as traffic:
            return self._play_once(job, check, (traffic.of("b"), traffic.of("w")))

    def _play_once(self, job: GameJob, check: Callable[[], float], on_lines: Sequence[OnLine | None]) -> GameReport:
        """Play a game, and `check` before every move. An engine that failed is ended: the next game starts it again."""
        identities = [job.black.name, job.white.name]
        players: list[ArenaPlayer] = []
        for color in Color:
            try:
                player = self._started(job.config(color), players, on_lines[color])
            except Failure as failure:
                return _failed_start(job, failure.outcome(color), (identities[0], identities[1]))
            identities[color] = player.identity
            players.append(player)
        try:
            report = play_game(job, (players[0], players[1]), self._solve, check)
        except BaseException:
            for player in players:
                self._end(player.config)
            raise
        for color in Color:
            failed = report.outcome.loser is color and report.outcome.ending.is_failure
            if failed or job.config(color).restart:
                self._end(job.config(color))
        return report

    def close(self) -> None:
        """End all engines."""
        for config in list(self._players):
            self._end(config)

    def _started(self, config: EngineConfig, keep: list[ArenaPlayer], on_line: OnLine | None = None) -> ArenaPlayer:
        """Return the player of a configuration, started; `keep` are players that go on."""
        player = self._players.pop(config, None)
        if player is None:
            unused = [other for other in self._players if self._players[other] not in keep]
            if len(self._players) >= MOST_ENGINES and unused:
                self._end(unused[0])
            player = make_player(config)
            player.on_line = on_line
            player.start()
        player.on_line = on_line
        # Last in the dictionary: used most recently.
        self._players[config] = player
        return player

    def _end(self, config: EngineConfig) -> None:
        player = self._players.pop(config, None)
        if player is not None:
            player.close()

    def _solve(self, position: Position) -> int:
        """Return the exact score of a position from the mover's view."""
        if self._search is None:
            self._search = Search(SOLVER_MIB)
        limits = Limits(depth=MAXIMUM_DEPTH, selectivity=100)
        result = self._search.answer(SearchRequest(position, limits))
        assert result.exact
        return result.score


class GameWorker:
    """An engine host that returns errors as texts, which every process can receive. Not to be shared by threads; `close`
    it.
    """

    def __init__(self, cores: int = 0) -> None:
        """Bind this process, and the engines that it starts, to this many cores; 0 leaves that to the system.

        Raise ArenaError if other arenas have bound theirs to the rest.
        """
        self._host = EngineHost()
        self._bound = ExitStack()
        if cores and not self._bound.enter_context(posix.own_cores(cores)):
            raise ArenaError(f"--affinity: other arenas have left fewer than {counted(cores, 'core')}")

    def work(self, job: GameJob, /) -> GameReport | str:
        """Play a game; return a text if the match cannot go on."""
        try:
            return self._host.play(job)
        except ArenaError as error:
            return visible(str(error))
        except Exception:  # noqa: BLE001 - the arena reports it and ends
            return f"the arena itself failed:\n{traceback.format_exc()}"

    def close(self) -> None:
        """End all engines, and leave the cores to others."""
        self._host.close()
        self._bound.close()


def _failed_start(job: GameJob, outcome: GameOutcome, identities: tuple[str, str]) -> GameReport:
    """Return the report of a game that was lost before it began, because an engine did not start."""
    moves = job.opening.moves
    return GameReport(
        job.task, job.opening, moves, outcome, identities=identities, machine=machine(), began=time.time()
    )


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
