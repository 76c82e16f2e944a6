"""One game between two players: legality, clocks and the end are the arena's."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable

from othello_bot.arena.config import ResignRule
from othello_bot.arena.players import Choice, Failure, Player
from othello_bot.arena.reports import Ending, GameJob, GameReport, MoveReport
from othello_bot.rules import Game, Position
from protocol.notation import PASS, Color, move_name

Solve = Callable[[Position], int]
"""Returns the exact score of a position, in discs from the mover's view."""

Players = tuple[Player, Player]
"""Black and White."""


class _Lost(Exception):
    """A colour lost by its own doing."""

    def __init__(self, loser: Color, ending: Ending, detail: str = "", last_words: tuple[str, ...] = ()) -> None:
        super().__init__(detail)
        self.loser = loser
        self.ending = ending
        self.detail = detail
        self.last_words = last_words


def play_game(job: GameJob, players: Players, solve: Solve) -> GameReport:
    """Play the game of a job between players that have been started, and return its report."""
    return _Table(job, players, solve).play()


def failed_start(job: GameJob, loser: Color, failure: Failure, identities: tuple[str, str]) -> GameReport:
    """Return the report of a game that was lost before it began, because an engine did not start."""
    return GameReport(
        job.task,
        job.opening,
        job.opening.moves,
        failure.ending,
        loser=loser,
        detail=failure.detail,
        last_words=failure.last_words,
        identities=identities,
        machine=machine(),
        began=time.time(),
    )


def machine() -> str:
    """Return where a game is played: host name, processor and system, in one line."""
    return f"{platform.node()} {platform.machine()} {platform.system()} {platform.release()}"


class _Table:
    """A game in progress."""

    def __init__(self, job: GameJob, players: Players, solve: Solve) -> None:
        self._job = job
        self._players = players
        self._solve = solve
        self._game = Game()
        self._clocks = [job.config(color).limits.clock for color in Color]
        self._moves: list[MoveReport] = []
        self._bad_moves = [0, 0]
        self._elsewhere_s = 0.0
        """Seconds that passed in the players and in the solver."""

    def play(self) -> GameReport:
        began_at, began = time.time(), time.perf_counter()
        loser, ending, detail, discs, loop_s = None, Ending.BOARD, "", None, 0.0
        last_words: tuple[str, ...] = ()
        try:
            self._begin()
            loop_began = time.perf_counter()
            try:
                solved = self._play_moves()
            finally:
                loop_s = time.perf_counter() - loop_began
            ending = Ending.BOARD if solved is None else Ending.SOLVED
            discs = self._game.score if solved is None else solved
        except _Lost as lost:
            loser, ending, detail, last_words = lost.loser, lost.ending, lost.detail, lost.last_words
        return GameReport(
            self._job.task,
            self._job.opening,
            self._game.moves,
            ending,
            loser=loser,
            discs=discs,
            detail=detail,
            last_words=last_words,
            played=tuple(self._moves),
            identities=(self._players[0].identity, self._players[1].identity),
            machine=machine(),
            began=began_at,
            duration_s=time.perf_counter() - began,
            overhead_ms=1000 * max(0.0, loop_s - self._elsewhere_s) / max(1, len(self._moves)),
        )

    def _begin(self) -> None:
        """Bring the board and both players to the end of the opening."""
        self._game = self._job.opening.game()
        for color in Color:
            with _fault_of(color):
                self._players[color].new_game(self._game.start, self._game.moves, f"{self._job.seed} {color.name}")

    def _play_moves(self) -> int | None:
        """Play to the end and return None, or the score from Black's view where the solver ended the game."""
        while not self._game.is_over:
            position = self._game.position
            if position.must_pass:
                # A forced pass is nobody's decision and costs no time; both are told of it.
                self._game.play(PASS)
                for color in Color:
                    with _fault_of(color):
                        self._players[color].played(PASS)
            elif position.empties <= self._job.rules.solve_empties:
                return self._solved(position)
            else:
                self._move(position)
        return None

    def _solved(self, position: Position) -> int:
        began = time.perf_counter()
        score = self._solve(position)
        self._elsewhere_s += time.perf_counter() - began
        return score if position.color is Color.BLACK else -score

    def _move(self, position: Position) -> None:
        """Let the side to move choose, judge its answer, and tell the other side."""
        color = position.color
        asked = time.perf_counter()
        try:
            with _fault_of(color):
                choice = self._players[color].choose(position, (self._clocks[0], self._clocks[1]))
        except _Lost:
            self._elsewhere_s += time.perf_counter() - asked
            raise
        self._elsewhere_s += choice.used_s
        clock = self._clocks[color]
        if clock.state is not None and choice.used_s > clock.state.move_s + self._job.config(color).margin_s:
            detail = f"used {choice.used_s:.3f} s of {clock.state.move_s:.3f} s for move {self._game.ply + 1}"
            raise _Lost(color, Ending.TIME, detail, self._players[color].last_words)
        if choice.move is None:
            raise _Lost(color, Ending.RESIGNATION)
        if not position.legal_bits >> choice.move & 1:
            legal = " ".join(map(move_name, position.legal_moves))
            detail = f"played {move_name(choice.move)}, legal were {legal}"
            raise _Lost(color, Ending.ILLEGAL, detail, self._players[color].last_words)
        self._game.play(choice.move)
        self._clocks[color] = clock.spent(choice.used_s)
        self._note(color, choice)
        if not self._game.is_over:
            with _fault_of(color.opponent):
                self._players[color.opponent].played(choice.move)
        self._resign_by_rule(color, choice, self._job.rules.resign)

    def _note(self, color: Color, choice: Choice) -> None:
        left_s = self._clocks[color].left_s if self._job.config(color).limits.control is not None else None
        self._moves.append(
            MoveReport(self._game.ply - 1, color, choice.used_s, left_s, choice.score, choice.depth, choice.nodes)
        )

    def _resign_by_rule(self, color: Color, choice: Choice, rule: ResignRule | None) -> None:
        """End the game for a side that has thought itself lost often enough, where that is agreed."""
        if rule is None or self._game.is_over:
            return
        bad = choice.score is not None and choice.score <= -rule.discs
        self._bad_moves[color] = self._bad_moves[color] + 1 if bad else 0
        if self._bad_moves[color] >= rule.moves:
            raise _Lost(color, Ending.RESIGN_RULE, f"{rule.moves} scores of -{rule.discs:g} or worse")


class _fault_of:  # noqa: N801 - used as a statement: with _fault_of(color)
    """Turns the Failure of a player into the loss of its colour."""

    def __init__(self, color: Color) -> None:
        self._color = color

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Failure):
            raise _Lost(self._color, error.ending, error.detail, error.last_words) from error
