"""A fake search for tests, which ends when the test says so: it plays the first legal move and waits."""

from __future__ import annotations

import threading

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS
from othello_bot.engine.deepening import Resumption, Search, Slices
from othello_bot.engine.limits import Limits
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.engine.time_manager import UNLIMITED, TimeBudget
from othello_bot.rules.position import Position


class FakeSearch(Search):
    """Counts its calls. `runs` holds the limits, the budget and the time of the request of each run."""

    def __init__(self, *, blocks: bool = False, reports: int = 0, exact: bool = False) -> None:
        self.blocks = blocks
        """Whether a run goes on until it is stopped."""
        self.reports = reports
        """Progress reports that each run makes before it waits."""
        self.exact = exact
        self.fail_resize = False
        self.error: Exception | None = None
        self.runs: list[tuple[tuple[int, int], Limits, TimeBudget, float | None]] = []
        self.began = threading.Event()
        self.calls: list[str] = []
        self.prepared = False
        self._stop = threading.Event()

    def slices(
        self,
        request: SearchRequest,
        budget: TimeBudget | None = None,
        resumption: Resumption | None = None,
        slice_s: float = 0.0,
    ) -> Slices[SearchResult]:
        yield from ()
        position, limits = request.position, request.limits
        self.runs.append(((position.mover, position.opponent), limits, budget or UNLIMITED, request.asked_at_s))
        self.began.set()
        if self.error is not None:
            raise self.error
        for depth in range(1, self.reports + 1):
            if request.on_report is not None:
                request.on_report(self._result(position, limits, depth, stopped=False))
        if self.blocks:
            self._stop.wait(limits.move_time_s if limits.move_time_s is not None else 30.0)
        stopped = self._stop.is_set() or self.blocks
        return self._result(position, limits, max(1, self.reports), stopped=stopped)

    def _result(self, position: Position, limits: Limits, depth: int, *, stopped: bool) -> SearchResult:
        legal = position.legal_moves or (PASS,)
        moves = [move for move in legal if not limits.considered or move in limits.considered][: limits.multi_pv]
        lines = tuple(
            EvaluatedMove(move, -place, self._pv(position, move), depth, 73, self.exact)
            for place, move in enumerate(moves)
        )
        return SearchResult(lines, nodes=100 * depth, time_s=0.001, stopped=stopped)

    @staticmethod
    def _pv(position: Position, move: int) -> tuple[int, ...]:
        after = position.play(move)
        return (move, *after.legal_moves[:1])

    def stop(self) -> None:
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether the run has been told to stop."""
        return self._stop.is_set()

    def arm(self) -> None:
        self._stop.clear()

    def resize(self, hash_mib: int) -> None:
        self.calls.append(f"resize {hash_mib}")
        if self.fail_resize:
            raise MemoryError

    def set_threads(self, threads: int) -> None:
        self.calls.append(f"threads {threads}")

    def set_evaluation(self, name: str, file: str | None = None) -> None:
        self.calls.append(f"evaluation {name}" if file is None else f"evaluation {name} {file}")

    def prepare(self, empties: int) -> None:
        self.prepared = True

    def clear(self) -> None:
        self.calls.append("clear")

    def evaluate(self, mover: int, opponent: int) -> float:
        return 1.25
