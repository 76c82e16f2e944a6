"""When the deepening loop ends, on a clock that moves only when an iteration is searched."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from othello_bot.base.clocks import ClockState
from othello_bot.engine import deepening as search_module
from othello_bot.engine.deepening import CLEAR_DISCS, CLEAR_PLIES, SHORTEST_S, Search, fixed_depth
from othello_bot.engine.limits import DECIDED_NODES, FULL_WIDTH, PROOF_NODES, Limits
from othello_bot.engine.searcher import Resumption, SearchResult
from othello_bot.engine.time_manager import CLEAR_SHARE, DOUBT_DISCS, TimeBudget
from othello_bot.kernel import Bound, RootLine
from othello_bot.rules.position import Position

START = Position.start()
TWELVE_EMPTIES = Position.parse("--OOOOO---OOOO--OOOXXXXOOOXXXXXXOOXXXXOXOOXXXOXXOOOOOOXX-OOO---- X")
FINISHED = Position.parse("X" * 63 + "O X")
UNDER_A_CLOCK = Limits(clock=ClockState(60.0))


class FakeKernel:
    """Each iteration takes twice the time of the one before; the best move never changes."""

    def __init__(
        self, moves: int = 4, first_s: float = 0.001, clear: bool = False, scores: Sequence[int] = (0,)
    ) -> None:
        self.now_s = 0.0
        self.nodes = 0
        self.seconds: float | None = None
        self.depths: list[int] = []
        self.steps: list[tuple[int, int]] = []
        self.looks = 0
        self.looked_at_s = 0.0
        self.looked_for = (0, 0, 0)
        self._scores = scores
        self._moves, self._iteration_s, self._clear = moves, first_s, clear
        self._end_s = 0.0
        self.node_limits: list[int] = []

    def begin(self, mover: int, opponent: int, seconds: float = 0.0, node_limit: int = 0, considered: int = 0) -> int:
        self.seconds = seconds
        self._end_s = self.now_s + seconds if seconds else float("inf")
        return self._moves

    def iterate(self, depth: int, selectivity_index: int, alpha: int, beta: int, multi_pv: int) -> bool:
        if self.now_s + self._iteration_s >= self._end_s:
            self.now_s = self._end_s
            return False
        self.now_s += self._iteration_s
        self._iteration_s *= 2
        self.depths.append(depth)
        self.steps.append((depth, selectivity_index))
        return True

    def lines(self, count: int = 1) -> list[RootLine]:
        score = self._scores[min(len(self.depths), len(self._scores)) - 1]
        return [RootLine(19, score, Bound.EXACT, self.depths[-1] if self.depths else 0, 0, (19,))]

    def clearly_best(self, margin: int, depth: int, selectivity_index: int) -> bool:
        self.looks += 1
        self.looked_for = (margin, depth, selectivity_index)
        self.looked_at_s = self.now_s
        return self._clear

    def arm(self) -> None:
        """Clear a stop."""

    def limit_nodes(self, nodes: int) -> None:
        """Note the limit; only `DecidedKernel` counts nodes."""
        self.node_limits.append(nodes)


def _run(
    monkeypatch: pytest.MonkeyPatch,
    kernel: FakeKernel,
    limits: Limits,
    budget: TimeBudget | None = None,
    waited_s: float | None = 0.0,
    resumption: Resumption | None = None,
    position: Position = START,
) -> SearchResult:
    """Search a position, requested `waited_s` ago (None: without a time of the request)."""
    monkeypatch.setattr(search_module, "time", SimpleNamespace(monotonic=lambda: kernel.now_s))
    search = Search(1)
    search._searcher = kernel  # type: ignore[assignment]
    asked_at_s = None if waited_s is None else kernel.now_s - waited_s
    return search.run(position.mover, position.opponent, limits, budget, asked_at_s, resumption=resumption)


def test_the_maximum_counts_from_the_moment_of_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = TimeBudget(1.0, 1.0, keeps_rest=False)
    for waited_s, left_s in ((0.0, 1.0), (0.25, 0.75), (None, 1.0), (5.0, SHORTEST_S)):
        kernel = FakeKernel()
        _run(monkeypatch, kernel, UNDER_A_CLOCK, budget, waited_s)
        assert kernel.seconds == pytest.approx(left_s)


def test_the_time_of_the_search_itself_is_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    _run(monkeypatch, kernel, Limits(move_time_s=0.5), waited_s=None)
    assert kernel.seconds == 0.5
    kernel = FakeKernel()
    _run(monkeypatch, kernel, Limits(depth=5), waited_s=None)
    assert kernel.seconds == 0.0  # none


@pytest.mark.parametrize("clear", [False, True])
def test_a_fixed_time_is_used_to_its_end(monkeypatch: pytest.MonkeyPatch, clear: bool) -> None:
    kernel = FakeKernel(clear=clear)
    result = _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.09, keeps_rest=False))
    assert kernel.now_s == pytest.approx(0.09) and kernel.looks == 0
    assert kernel.depths == [1, 2, 3, 4, 5, 6] and result.stopped


def test_time_that_can_be_kept_is_not_spent_without_hope(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27))
    # After 31 ms an iteration of another 32 ms and more would fit; after 63 ms none would.
    assert kernel.depths == [1, 2, 3, 4, 5, 6] and kernel.now_s == pytest.approx(0.063)


def test_a_move_that_is_clearly_best_is_played_early(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(clear=True)
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27))
    assert kernel.looks == 1 and kernel.depths == [1, 2, 3, 4, 5]


def test_what_waiting_has_cost_is_missing_from_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27), waited_s=0.06)
    assert kernel.depths == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("keeps_rest", [False, True])
def test_the_only_legal_move_needs_no_more_than_a_look(monkeypatch: pytest.MonkeyPatch, keeps_rest: bool) -> None:
    kernel = FakeKernel(moves=1)
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(10.0, 10.0, keeps_rest))
    assert kernel.depths == [1, 2, 3, 4]


def test_without_a_clock_the_only_legal_move_is_searched_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(moves=1)
    _run(monkeypatch, kernel, Limits(move_time_s=0.1))
    assert kernel.depths == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("next_s", "deepest"), [(0.06, 4), (0.3, 4), (0.0, 5)])
def test_an_iteration_that_was_begun_on_free_time_costs_what_is_left_of_it(
    monkeypatch: pytest.MonkeyPatch, next_s: float, deepest: int
) -> None:
    # After the fourth iteration, known before, 15 of 30 ms are used; half of the fifth must fit into the rest.
    kernel = FakeKernel()
    resumption = Resumption(4, 73, next_s)
    result = _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.03, 0.09), resumption=resumption)
    assert kernel.depths[-1] == deepest and result.ended == "optimum"


def test_iterations_that_are_known_are_never_without_hope(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.065, 0.2), resumption=Resumption(6, 73, 1.0))
    assert kernel.depths == [1, 2, 3, 4, 5, 6]


def test_why_a_search_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    managed = TimeBudget(0.09, 0.27)
    assert _run(monkeypatch, FakeKernel(), UNDER_A_CLOCK, managed).ended == "optimum"
    assert _run(monkeypatch, FakeKernel(clear=True), UNDER_A_CLOCK, managed).ended == "easy move"
    assert _run(monkeypatch, FakeKernel(moves=1), UNDER_A_CLOCK, managed).ended == "only move"
    assert _run(monkeypatch, FakeKernel(), Limits(move_time_s=0.05)).ended == "maximum"
    assert _run(monkeypatch, FakeKernel(), Limits(depth=5)).ended == "goal"
    solved = Position.parse("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X")
    search = Search(1)
    assert search.run(solved.mover, solved.opponent, Limits()).ended == "solved"
    assert search.run(START.mover, START.opponent, Limits(nodes=100)).ended == "nodes"
    search.stop()
    assert search.run(START.mover, START.opponent, Limits(depth=20)).ended == "stop"


def test_a_search_cut_short_before_its_maximum_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class StoppedKernel(FakeKernel):
        asked = 0

        def iterate(self, depth: int, selectivity_index: int, alpha: int, beta: int, multi_pv: int) -> bool:
            self.asked += 1
            return len(self.depths) < 3 and super().iterate(depth, selectivity_index, alpha, beta, multi_pv)

    kernel = StoppedKernel()
    assert _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27)).ended == "stop"
    assert kernel.depths == [1, 2, 3] and kernel.asked == 4


def test_a_search_that_comes_to_its_goal_with_its_time_ended_at_its_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    result = _run(monkeypatch, kernel, Limits(clock=ClockState(60.0), depth=6), TimeBudget(0.063, 0.27))
    assert kernel.depths == [1, 2, 3, 4, 5, 6] and (result.ended, result.stopped) == ("goal", False)


def test_the_only_move_needs_one_look_at_the_end_of_the_game_too(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(moves=1)
    position = TWELVE_EMPTIES.play(TWELVE_EMPTIES.legal_moves[0])
    result = _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(10.0, 10.0), position=position)
    assert kernel.depths == [1, 2, 3, 11] and result.ended == "only move"


def test_a_search_that_may_be_cut_short_climbs_every_selectivity(monkeypatch: pytest.MonkeyPatch) -> None:
    for limits in (Limits(move_time_s=1e6), Limits(nodes=1), Limits(infinite=True)):
        kernel = FakeKernel()
        _run(monkeypatch, kernel, limits, position=TWELVE_EMPTIES)
        assert kernel.steps[-6:] == [(12, index) for index in range(6)]
    kernel = FakeKernel()
    _run(monkeypatch, kernel, Limits(level=21), position=TWELVE_EMPTIES)
    assert kernel.steps[-2:] == [(12, 1), (12, FULL_WIDTH)]


@pytest.mark.parametrize("drop", [DOUBT_DISCS, DOUBT_DISCS + 1, DOUBT_DISCS + 5])
def test_a_falling_score_is_looked_into_beyond_the_optimum(monkeypatch: pytest.MonkeyPatch, drop: int) -> None:
    # The sixth iteration ends after 63 ms, at the optimum.
    kernel = FakeKernel(scores=(0, 0, 0, 0, 0, -drop, -drop))
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.063, 1.0))
    assert kernel.depths[-1] == 7
    kernel = FakeKernel(scores=(0, 0, 0, 0, 0, 1 - DOUBT_DISCS))
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.063, 1.0))
    assert kernel.depths[-1] == 6


def test_a_move_is_not_called_clear_before_its_share_of_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(first_s=0.01)
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(10.0, 30.0))
    assert kernel.looked_at_s == pytest.approx(0.01 * (2**9 - 1))
    assert kernel.looked_for == (CLEAR_DISCS, 9 - CLEAR_PLIES, 0)
    assert CLEAR_SHARE * 10.0 > 0.01 * (2**8 - 1)


def test_known_iterations_end_at_the_optimum_too(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.03, 0.2), resumption=Resumption(8, 73, 1.0))
    assert kernel.depths == [1, 2, 3, 4, 5]


def test_beyond_what_free_time_reached_an_iteration_costs_as_always(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, resumed = FakeKernel(), FakeKernel()
    _run(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27))
    _run(monkeypatch, resumed, UNDER_A_CLOCK, TimeBudget(0.09, 0.27), resumption=Resumption(2, 73, 0.0))
    assert resumed.depths == kernel.depths == [1, 2, 3, 4, 5, 6]


def test_without_a_budget_the_clock_is_shared_out_by_the_empty_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def allocate(*arguments: object) -> TimeBudget:
        asked.append(arguments)
        return TimeBudget(0.01, 0.01)

    monkeypatch.setattr(search_module, "allocate", allocate)
    _run(monkeypatch, FakeKernel(), Limits(clock=ClockState(60.0), move_time_s=7.0), position=TWELVE_EMPTIES)
    assert asked == [(ClockState(60.0), 12, 0.0, 7.0)]


def test_a_finished_game_has_no_line_and_costs_nothing() -> None:
    assert Search(1).run(FINISHED.mover, FINISHED.opponent, Limits()) == SearchResult((), 0, 0.0)


def test_a_fixed_depth_ends_with_the_game() -> None:
    kernel = FakeKernel()
    kernel.iterate = lambda depth, selectivity_index, **_: kernel.steps.append((depth, selectivity_index))  # type: ignore
    fixed_depth(kernel, TWELVE_EMPTIES.mover, TWELVE_EMPTIES.opponent, 60)  # type: ignore[arg-type]
    assert kernel.steps == [(2, 0), (12, FULL_WIDTH)]


class DecidedKernel(FakeKernel):
    """Every score is 60. An iteration takes 100 nodes; the proof is stopped where a test says."""

    def __init__(self, proof_nodes: int) -> None:
        super().__init__(scores=(60,))
        self._proof_nodes = proof_nodes

    def iterate(self, depth: int, selectivity_index: int, alpha: int, beta: int, multi_pv: int) -> bool:
        proof = selectivity_index == FULL_WIDTH
        self.nodes += self._proof_nodes if proof else 100
        return not proof and super().iterate(depth, selectivity_index, alpha, beta, multi_pv)


@pytest.mark.parametrize(
    ("proof_nodes", "ended"),
    [(PROOF_NODES - 1, "stop"), (PROOF_NODES, "goal"), (PROOF_NODES + 50, "goal")],
)
def test_a_proof_that_takes_too_many_nodes_leaves_the_result_before(
    monkeypatch: pytest.MonkeyPatch, proof_nodes: int, ended: str
) -> None:
    kernel = DecidedKernel(proof_nodes)
    position = Position(0x1095D05090100, 0x83E36227A163E70)  # with 23 empty squares
    result = _run(monkeypatch, kernel, Limits(level=21), position=position)
    assert kernel.steps == [*((depth, 0) for depth in range(1, 16)), (23, 1), (23, 4)]
    assert kernel.node_limits == [*15 * [0], 1500 + DECIDED_NODES, 1600 + DECIDED_NODES, 1700 + PROOF_NODES]
    assert (result.ended, result.stopped, result.depth) == (ended, ended == "stop", 23)
    assert result.nodes == 1700 + proof_nodes
