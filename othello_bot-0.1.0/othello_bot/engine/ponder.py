"""Thinking ahead on the opponent's time.

A plan searches the positions after the opponent's replies, the expected one first and the others in order of
likelihood. Every search fills the table that the game's own searches use; when the position arises, the game's search
continues from there, with a budget that counts the free time (`time_manager.after_thinking_ahead`). A round gives the
expected reply the maximum time of our own search and each other reply its optimum time; each further round gives twice
as much, as long as the opponent thinks. Giving all the time to the expected reply, or more to the others, wins as many
games (docs/development/session.md).
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace

from othello_bot.engine.deepening import GROWTH, Resumption, Search
from othello_bot.engine.limits import Limits
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.engine.time_manager import TimeBudget, after_thinking_ahead
from othello_bot.rules import Position

APART_FROM_SEARCHES = frozenset(
    (
        *("book", "book_avoid", "book_depth", "book_file", "book_loss", "book_randomness", "variety"),
        *("base_file", "contempt", "live_graphics", "log_file", "name", "seed"),
    )
)
"""Options that thinking ahead does not depend on."""

RANKING_DEPTH = 6
"""Depth in plies of the ranking search: a few milliseconds, enough to distinguish likely replies from unlikely ones."""

SHORTEST_SEARCH_S = 0.02
"""Shortest search in seconds: the real search would find the result of a shorter one just as fast."""

ROUND_GROWTH = 2.0
"""Ratio of the time in one round to that in the round before."""

LEAST_REST = 0.2
"""Least share of an iteration that is still to be done if it takes longer than expected."""

AVERAGE_SHARE = 0.3
"""Weight of the last move in the average of the free time; the last four moves make up about three quarters of it."""


@dataclass(frozen=True, slots=True)
class PonderedResult:
    """The result of thinking ahead about one position, and the seconds it took, all on the opponent's time.

    `complete`: the search reached the end set by its own limits, so repeating it would find the same. `next_s`: the
    seconds that the next iteration should still take; a part of it may be done already.
    """

    result: SearchResult
    time_s: float
    complete: bool = False
    next_s: float = 0.0

    def resumption(self) -> Resumption:
        """Return where a search of the same position goes on."""
        return Resumption(self.result.depth, self.result.selectivity, self.next_s)

    def at_least(self, result: SearchResult) -> SearchResult:
        """Return the result of a search that went on from here, or this one if that search did not come as far."""
        if (self.result.depth, self.result.selectivity) <= (result.depth, result.selectivity):
            return result
        return replace(
            self.result, nodes=result.nodes, time_s=result.time_s, stopped=result.stopped, ended=result.ended
        )


@dataclass(slots=True)
class FreeTime:
    """The time that thinking ahead has gained in a game so far.

    `expected_s` is the average free time of a move in seconds, misses included; recent moves count more.
    """

    hits: int = 0
    misses: int = 0
    gained_s: float = 0.0
    expected_s: float = 0.0

    def spend(self, budget: TimeBudget, hit: PonderedResult | None) -> TimeBudget:
        """Count a move that followed thinking ahead, and return its budget. `hit` is None if the reply was not among
        those considered.
        """
        free_s = 0.0 if hit is None else hit.time_s
        spent = after_thinking_ahead(budget, free_s, self.expected_s)
        self.hits += hit is not None
        self.misses += hit is None
        self.gained_s += free_s
        self.expected_s += AVERAGE_SHARE * (free_s - self.expected_s)
        return spent


class PonderProgress:
    """Observe a search and measure its iterations."""

    def __init__(self) -> None:
        self._began_s = time.monotonic()
        self._last_s = 0.0
        self._longest_s = 0.0

    def __call__(self, result: SearchResult) -> None:
        """Note the end of an iteration."""
        now_s = time.monotonic() - self._began_s
        self._longest_s = max(self._longest_s, now_s - self._last_s)
        self._last_s = now_s

    def next_s(self) -> float:
        """Return the seconds that the iteration going on should still take."""
        whole_s = GROWTH * self._longest_s
        done_s = time.monotonic() - self._began_s - self._last_s
        return max(whole_s - done_s, LEAST_REST * whole_s)


class Plan:
    """What to do on the opponent's time, for `longest_s` seconds at most.

    `carry_out` runs in the engine's worker thread. Any thread may set `cancelled` and then stop the search.
    """

    def __init__(self, longest_s: float) -> None:
        self._end_s = time.monotonic() + longest_s
        self.cancelled = False
        self._paused = False
        self.error: BaseException | None = None
        self.finished = threading.Event()

    def found(self, position: Position) -> PonderedResult | None:
        """Return the result for a position, None without one."""
        return None

    def pause(self, search: Search) -> bool:
        """Stop thinking, and return once the search is free; return whether it was in use. `go_on` continues."""
        if self.finished.is_set():
            return False
        self._paused = True
        search.stop()
        self.finished.wait()
        return True

    def go_on(self) -> None:
        """Make the plan ready to be carried out again, with what it has found."""
        self._paused = False
        self.finished.clear()

    def lose(self, _: Exception) -> None:
        """End without the worker thread, which is not in this process; what was found stays."""
        self.finished = threading.Event()  # the other one's lock may be held for ever
        self.finished.set()

    def carry_out(self, search: Search) -> None:
        """Think until cancelled, until the time is over, or until nothing is left to do.

        Errors are stored as `error`, because a thread has no caller to raise to.
        """
        try:
            self._think(search)
        except BaseException as error:  # noqa: BLE001 - see above
            self.error = error
        finally:
            self.finished.set()

    def _think(self, search: Search) -> None:
        raise NotImplementedError

    @property
    def _stopped(self) -> bool:
        return self.cancelled or self._paused

    def _over(self) -> bool:
        return self._stopped or time.monotonic() >= self._end_s


class PonderPlan(Plan):
    """Search the positions after the replies in `position`, until each is solved."""

    def __init__(
        self, position: Position, expected: int | None, limits: Limits, budget: TimeBudget, longest_s: float
    ) -> None:
        super().__init__(longest_s)
        self._position = position
        self._expected = expected
        self._limits = limits
        self._budget = budget
        self._found: dict[tuple[int, int], PonderedResult] = {}

    def found(self, position: Position) -> PonderedResult | None:
        """Return the result for a position, None without one."""
        return self._found.get((position.mover, position.opponent))

    def _think(self, search: Search) -> None:
        replies = self._replies(search)
        scale = 1.0
        while not self._over():
            unsolved = 0
            for place, reply in enumerate(replies):
                budget_s = self._budget.maximum_s if place == 0 else self._budget.optimum_s
                unsolved += not self._think_about(search, reply, max(SHORTEST_SEARCH_S, budget_s * scale))
            if not unsolved:
                return
            scale *= ROUND_GROWTH

    def _replies(self, search: Search) -> list[int]:
        """Return the opponent's replies, the likeliest first."""
        legal = list(self._position.legal_moves)
        ranked: list[int] = []
        if self._expected in legal:
            ranked.append(self._expected)
            # The ranking of the others must not delay the expected reply.
            self._think_about(search, self._expected, max(SHORTEST_SEARCH_S, self._budget.optimum_s))
        if len(legal) > 1:
            limits = Limits(depth=RANKING_DEPTH, multi_pv=len(legal))
            result = self._run(search, self._position, limits)
            if result is not None:
                ranked += [line.move for line in result.lines if line.move not in ranked and line.move in legal]
        return ranked + [move for move in legal if move not in ranked]

    def _think_about(self, search: Search, reply: int, longest_s: float) -> bool:
        """Search the position after `reply`; return True if it is solved or over and needs no more."""
        position = self._position.play(reply)
        if not position.legal_bits:
            return True
        before = self.found(position)
        if before is not None and before.complete:
            return True
        allowed_s = max(0.0, min(longest_s, self._end_s - time.monotonic()))
        limits = Limits(
            level=self._limits.level,
            depth=self._limits.depth,
            nodes=self._limits.nodes,
            move_time_s=allowed_s,
            selectivity=self._limits.selectivity,
        )
        began_s = time.monotonic()
        progress = PonderProgress()
        result = self._run(search, position, limits, progress)
        if result is None or not result.lines:
            return False
        spent_s = time.monotonic() - began_s
        # A search that ended early without a stop has reached its level, its depth or its nodes.
        complete = result.exact or not result.stopped or (spent_s < allowed_s and not self._stopped)
        if before is not None:
            spent_s += before.time_s
        if before is None or complete or result.depth >= before.result.depth:
            self._found[position.mover, position.opponent] = PonderedResult(
                result, spent_s, complete, progress.next_s()
            )
        return complete

    def _run(
        self, search: Search, position: Position, limits: Limits, on_report: PonderProgress | None = None
    ) -> SearchResult | None:
        """Run one search and return its result; None when the plan is over."""
        # In this order a cancellation is never lost: it comes before the check, or its stop comes after the arming.
        search.arm()
        if self._over():
            return None
        return search.answer(SearchRequest(position, limits, on_report))
