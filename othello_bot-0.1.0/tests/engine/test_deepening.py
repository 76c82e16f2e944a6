"""When the deepening loop ends, on a clock that moves only when an iteration is searched."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from othello_bot.base.clocks import ClockState
from othello_bot.base.evaluated import Bound
from othello_bot.engine import deepening as search_module
from othello_bot.engine.deepening import (
    CLEAR_DISCS,
    CLEAR_PLIES,
    SHORTEST_S,
    Resumption,
    Search,
    TableTooLarge,
    fixed_depth,
)
from othello_bot.engine.levels import DECIDED_NODES, FULL_WIDTH, PROOF_NODES, WINNER_NODES
from othello_bot.engine.limits import Limits
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.engine.time_manager import CLEAR_SHARE, TimeBudget
from othello_bot.kernel import RootLine
from othello_bot.rules import Game, Position

START = Position.start()
TWELVE_EMPTIES = Position.parse("--OOOOO---OOOO--OOOXXXXOOOXXXXXXOOXXXXOXOOXXXOXXOOOOOOXX-OOO---- X")
UNDER_A_CLOCK = Limits(clock=ClockState(60.0))


class FakeKernel:
    """Each iteration takes twice the time of the one before and ends with the next move and score of a script.

    After its script it is stopped. Without one, the best move and its score never change.
    """

    def __init__(
        self, *script: tuple[int, int], moves: int = 4, first_s: float = 0.001, clear: bool = False, score: int = 0
    ) -> None:
        self.now_s = 0.0
        self.nodes = 0
        self.stopped = self.paused = False
        self.begun: tuple[int, int, float, int, int] = (0, 0, 0.0, 0, 0)
        self.windows: list[tuple[int, int]] = []
        self.wanted: list[int] = []
        self.steps: list[tuple[int, int]] = []
        self.looks: list[tuple[float, int, int, int]] = []
        self.node_limits: list[int] = []
        self._script = iter(script) if script else itertools.repeat((19, score))
        self._line = RootLine(19, 0, Bound.EXACT, 0, 0, (19,))
        self._moves, self._iteration_s, self._clear = moves, first_s, clear
        self._end_s = math.inf

    @property
    def depths(self) -> list[int]:
        return [depth for depth, _ in self.steps]

    def begin(self, mover: int, opponent: int, seconds: float = 0.0, node_limit: int = 0, considered: int = 0) -> int:
        self.begun = (mover, opponent, seconds, node_limit, considered)
        self._end_s = self.now_s + seconds if seconds else math.inf
        return self._moves

    def iterate(
        self,
        depth: int,
        selectivity_index: int,
        alpha: int = -64,
        beta: int = 64,
        multi_pv: int = 1,
        scores_alone: bool = False,
    ) -> bool:
        found = next(self._script, None)
        if found is None:
            return False
        if self.now_s + self._iteration_s >= self._end_s:
            self.now_s = self._end_s
            return False
        self.now_s += self._iteration_s
        self._iteration_s *= 2
        self.steps.append((depth, selectivity_index))
        self.windows.append((alpha, beta))
        self.wanted.append(multi_pv)
        move, score = found
        bound = Bound.UPPER if -64 < score <= alpha else Bound.LOWER if 64 > score >= beta else Bound.EXACT
        self._line = RootLine(move, score, bound, depth, selectivity_index, (move,))
        return True

    def lines(self, count: int = 1) -> list[RootLine]:
        return [self._line] * min(count, self._moves)

    def clearly_best(self, margin: int, depth: int, selectivity_index: int) -> bool:
        self.looks.append((self.now_s, margin, depth, selectivity_index))
        return self._clear

    def arm(self) -> None:
        """Clear a stop."""

    def set_slice(self, seconds: float) -> None:
        """Never pause."""

    def limit_nodes(self, nodes: int) -> None:
        """Note the limit; only `DecidedKernel` counts nodes."""
        self.node_limits.append(nodes)


def search_with(
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
    return search.answer(SearchRequest(position, limits, asked_at_s=asked_at_s), budget, resumption)


def test_a_table_leaves_memory_for_everything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Search(1)
    monkeypatch.setattr(search_module, "available_mib", lambda: 149)
    with pytest.raises(TableTooLarge, match="of 87 MiB does not fit into memory: at most 86 MiB do"):
        search.resize(87)
    assert search.hash_mib == 1


def test_the_maximum_counts_from_the_moment_of_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = TimeBudget(1.0, 1.0, keeps_rest=False)
    for waited_s, left_s in ((0.0, 1.0), (0.25, 0.75), (None, 1.0), (5.0, SHORTEST_S)):
        kernel = FakeKernel()
        search_with(monkeypatch, kernel, UNDER_A_CLOCK, budget, waited_s)
        assert kernel.begun[2] == pytest.approx(left_s)


def test_the_time_of_the_search_itself_is_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    search_with(monkeypatch, kernel, Limits(move_time_s=0.5), waited_s=None)
    assert kernel.begun[2] == 0.5
    kernel = FakeKernel()
    search_with(monkeypatch, kernel, Limits(depth=5), waited_s=None)
    assert kernel.begun[2] == 0.0  # none


@pytest.mark.parametrize("clear", [False, True])
def test_a_fixed_time_is_used_to_its_end(monkeypatch: pytest.MonkeyPatch, clear: bool) -> None:
    kernel = FakeKernel(clear=clear)
    result = search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.09, keeps_rest=False))
    assert kernel.now_s == pytest.approx(0.09) and kernel.looks == []
    assert kernel.depths == [1, 2, 3, 4, 5, 6] and result.stopped


def test_time_that_can_be_kept_is_not_spent_without_hope(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27))
    # After 31 ms an iteration of another 32 ms and more would fit; after 63 ms none would.
    assert kernel.depths == [1, 2, 3, 4, 5, 6] and kernel.now_s == pytest.approx(0.063)


def test_a_move_that_is_clearly_best_is_played_early(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(clear=True)
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27))
    assert len(kernel.looks) == 1 and kernel.depths == [1, 2, 3, 4, 5]


def test_a_look_that_pauses_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    class PausingKernel(FakeKernel):
        def clearly_best(self, margin: int, depth: int, selectivity_index: int) -> bool:
            self.paused = not self.looks
            return super().clearly_best(margin, depth, selectivity_index) and not self.paused

    kernel = PausingKernel(clear=True)
    assert search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27)).ended == "easy move"
    assert len(kernel.looks) == 2 and len(set(kernel.looks)) == 1


def test_other_moves_are_tested_against_the_scores_of_both_depths(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a null window each, after a search that ranks them; a lost game, where all are as bad, needs no test."""
    kernel = FakeKernel((19, 5), (19, 6), (19, 7), (26, 0), (26, 6), (26, 0), (26, 7), moves=1)
    result = search_with(monkeypatch, kernel, Limits(depth=3, near=1))
    assert kernel.windows == [(-64, 64), (2, 8), (3, 9), (-64, 64), (4, 6), (-64, 64), (5, 7)]
    assert kernel.depths == [1, 2, 3, 1, 2, 2, 3] and [(line.move, line.score) for line in result.near] == [(26, 7)]
    kernel = FakeKernel(score=-64)
    assert search_with(monkeypatch, kernel, Limits(depth=3, near=1)).near == () and kernel.windows == [(-64, 64)]


def test_once_the_time_is_up_no_other_move_is_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    result = search_with(monkeypatch, kernel, Limits(move_time_s=0.5, near=4), waited_s=5.0)
    assert (result.ended, result.near, kernel.begun[2]) == ("maximum", (), SHORTEST_S)


def test_what_waiting_has_cost_is_missing_from_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27), waited_s=0.06)
    assert kernel.depths == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("keeps_rest", [False, True])
def test_the_only_legal_move_needs_no_more_than_a_look(monkeypatch: pytest.MonkeyPatch, keeps_rest: bool) -> None:
    kernel = FakeKernel(moves=1)
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(10.0, 10.0, keeps_rest))
    assert kernel.depths == [1, 2, 3, 4]


def test_without_a_clock_the_only_legal_move_is_searched_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(moves=1)
    search_with(monkeypatch, kernel, Limits(move_time_s=0.1))
    assert kernel.depths == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("next_s", "deepest"), [(0.06, 4), (0.3, 4), (0.0, 5)])
def test_an_iteration_that_was_begun_on_free_time_costs_what_is_left_of_it(
    monkeypatch: pytest.MonkeyPatch, next_s: float, deepest: int
) -> None:
    # After the fourth iteration, known before, 15 of 30 ms are used; half of the fifth must fit into the rest.
    kernel = FakeKernel()
    resumption = Resumption(4, 73, next_s)
    result = search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.03, 0.09), resumption=resumption)
    assert kernel.depths[-1] == deepest and result.ended == "optimum"


def test_iterations_that_are_known_are_never_without_hope(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.065, 0.2), resumption=Resumption(6, 73, 1.0))
    assert kernel.depths == [1, 2, 3, 4, 5, 6]


def test_why_a_search_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    managed = TimeBudget(0.09, 0.27)
    assert search_with(monkeypatch, FakeKernel(), UNDER_A_CLOCK, managed).ended == "optimum"
    assert search_with(monkeypatch, FakeKernel(clear=True), UNDER_A_CLOCK, managed).ended == "easy move"
    assert search_with(monkeypatch, FakeKernel(moves=1), UNDER_A_CLOCK, managed).ended == "only move"
    assert search_with(monkeypatch, FakeKernel(), Limits(move_time_s=0.05)).ended == "maximum"
    assert search_with(monkeypatch, FakeKernel(), Limits(depth=5)).ended == "goal"
    solved = Position.parse("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X")
    search = Search(1)
    assert search.answer(SearchRequest(solved, Limits())).ended == "solved"
    assert search.answer(SearchRequest(START, Limits(nodes=100))).ended == "nodes"
    search.stop()
    assert search.answer(SearchRequest(START, Limits(depth=20))).ended == "stop"


def test_a_search_cut_short_before_its_maximum_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(*[(19, 0)] * 3)
    assert search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27)).ended == "stop"
    assert kernel.depths == [1, 2, 3]


def test_a_search_that_comes_to_its_goal_with_its_time_ended_at_its_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    result = search_with(monkeypatch, kernel, Limits(clock=ClockState(60.0), depth=6), TimeBudget(0.063, 0.27))
    assert kernel.depths == [1, 2, 3, 4, 5, 6] and (result.ended, result.stopped) == ("goal", False)


def test_the_only_move_needs_one_look_at_the_end_of_the_game_too(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(moves=1)
    position = TWELVE_EMPTIES.play(TWELVE_EMPTIES.legal_moves[0])
    result = search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(10.0, 10.0), position=position)
    assert kernel.depths == [1, 2, 3, 11] and result.ended == "only move"


def test_a_search_that_may_be_cut_short_climbs_every_selectivity(monkeypatch: pytest.MonkeyPatch) -> None:
    for limits in (Limits(move_time_s=1e6), Limits(nodes=1), Limits(infinite=True)):
        kernel = FakeKernel()
        search_with(monkeypatch, kernel, limits, position=TWELVE_EMPTIES)
        assert kernel.steps[-6:] == [(12, index) for index in range(6)]
    kernel = FakeKernel()
    search_with(monkeypatch, kernel, Limits(level=21), position=TWELVE_EMPTIES)
    assert kernel.steps[-3:] == [(12, 0), (12, 3), (12, FULL_WIDTH)]


def test_a_move_is_not_called_clear_before_its_share_of_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(first_s=0.01)
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(10.0, 30.0))
    ((looked_at_s, *looked_for),) = kernel.looks
    assert looked_at_s == pytest.approx(0.01 * (2**9 - 1)) and looked_for == [CLEAR_DISCS, 9 - CLEAR_PLIES, 0]
    assert CLEAR_SHARE * 10.0 > 0.01 * (2**8 - 1)


def test_known_iterations_end_at_the_optimum_too(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel()
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.03, 0.2), resumption=Resumption(8, 73, 1.0))
    assert kernel.depths == [1, 2, 3, 4, 5]


def test_beyond_what_free_time_reached_an_iteration_costs_as_always(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, resumed = FakeKernel(), FakeKernel()
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.09, 0.27))
    search_with(monkeypatch, resumed, UNDER_A_CLOCK, TimeBudget(0.09, 0.27), resumption=Resumption(2, 73, 0.0))
    assert resumed.depths == kernel.depths == [1, 2, 3, 4, 5, 6]


def test_without_a_budget_the_clock_is_shared_out_by_the_empty_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def allocate(*arguments: object) -> TimeBudget:
        asked.append(arguments)
        return TimeBudget(0.01, 0.01)

    monkeypatch.setattr(search_module, "allocate", allocate)
    search_with(monkeypatch, FakeKernel(), Limits(clock=ClockState(60.0), move_time_s=7.0), position=TWELVE_EMPTIES)
    assert asked == [(ClockState(60.0), 12, 0.0, 7.0)]


def test_a_fixed_depth_ends_with_the_game() -> None:
    kernel = FakeKernel()
    kernel.iterate = lambda depth, selectivity_index, **_: kernel.steps.append((depth, selectivity_index))  # type: ignore
    fixed_depth(kernel, TWELVE_EMPTIES.mover, TWELVE_EMPTIES.opponent, 60)  # type: ignore[arg-type]
    assert kernel.steps == [(2, 0), (12, FULL_WIDTH)]


class DecidedKernel(FakeKernel):
    """Every score is `score`, every iteration takes 100 nodes and `iteration_s`.

    The proof of the score is stopped after `proof_nodes`, that of the winner after `winner_nodes`, if these are given.
    `refuted`: no such proof succeeds.
    """

    def __init__(
        self, score: int, proof_nodes: int = 0, winner_nodes: int = 0, refuted: bool = False, stop_in_test: bool = False
    ) -> None:
        super().__init__(score=score)
        self._score, self._refuted, self._stop_in_test = score, refuted, stop_in_test
        self._proof_nodes, self._winner_nodes = proof_nodes, winner_nodes
        self.iteration_s = 0.001
        self.tests: list[tuple[int, int, int]] = []

    def iterate(self, depth: int, selectivity_index: int, *window: Any, **wanted: Any) -> bool:
        self._iteration_s = self.iteration_s
        alpha, beta = window[:2] if window else (-64, 64)
        full_width = selectivity_index == FULL_WIDTH
        if beta - alpha > 1:
            self.nodes += self._proof_nodes if full_width and self._proof_nodes else 100
            return not (full_width and self._proof_nodes) and super().iterate(
                depth, selectivity_index, *window, **wanted
            )
        self.tests.append((alpha, beta, selectivity_index))
        if self._stop_in_test:
            self.stopped = True
            return False
        self.nodes += self._winner_nodes if full_width and self._winner_nodes else 100
        if full_width and self._winner_nodes:
            return False
        holds = (self._score > alpha) != self._refuted
        move, score = self._line.move, beta if holds else alpha
        bound = Bound.LOWER if holds else Bound.UPPER
        self._line = RootLine(move, score, bound, depth, selectivity_index, (move,))
        return True


TWENTY_THREE_EMPTIES = Position(0x1095D05090100, 0x83E36227A163E70)
MANY_EMPTIES = Game.from_transcript("d3c5e6f5f6e3c3f3c4f7c6e7f4g5g4g3g6h5h4b2d6b4b3c2d7h3a4a3").position
"""32, and White has hardly a disc left."""


@pytest.mark.parametrize(
    ("proof_nodes", "ended"),
    [(PROOF_NODES - 1, "stop"), (PROOF_NODES, "decided"), (PROOF_NODES + 50, "decided")],
)
def test_a_proof_that_takes_too_many_nodes_leaves_the_result_before(
    monkeypatch: pytest.MonkeyPatch, proof_nodes: int, ended: str
) -> None:
    kernel = DecidedKernel(60, proof_nodes)
    result = search_with(monkeypatch, kernel, Limits(level=21), position=TWENTY_THREE_EMPTIES)
    assert kernel.steps == [*((depth, 0) for depth in range(1, 16)), (23, 0), (23, 3), (23, 4)]
    most_nodes = [1500 + DECIDED_NODES, 1600 + DECIDED_NODES, 1700 + DECIDED_NODES, 1800 + PROOF_NODES]
    assert kernel.node_limits[:19] == [*15 * [0], *most_nodes]
    assert (result.ended, result.stopped, result.depth) == (ended, ended == "stop", 23)
    assert (result.score, result.best.selectivity) == (60, 99)
    assert kernel.tests == ([(20, 21, FULL_WIDTH - 1), (0, 1, FULL_WIDTH)] if ended == "decided" else [])
    assert result.nodes == 1800 + proof_nodes + 100 * len(kernel.tests)


LONG_TIMES = [
    Limits(clock=ClockState(300.0)),
    Limits(clock=ClockState(5000.0), level=30),
    Limits(move_time_s=100.0),
    Limits(clock=ClockState(200.0, cap_s=60.0), nodes=10**9),
]
"""Ways to allow a move a long time."""


@pytest.mark.parametrize("limits", LONG_TIMES)
@pytest.mark.parametrize("score", [41, -41])
@pytest.mark.parametrize("winner_nodes", [0, WINNER_NODES])
def test_a_decided_game_is_searched_no_longer_than_the_default_level_does(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, score: int, winner_nodes: int
) -> None:
    kernel = DecidedKernel(score, winner_nodes=winner_nodes)
    result = search_with(monkeypatch, kernel, limits, position=MANY_EMPTIES)
    assert kernel.steps == [(depth, 0) for depth in range(1, 22)]
    side = (
        [(20, 21, FULL_WIDTH - 1), (0, 1, FULL_WIDTH)]
        if score > 0
        else [(-21, -20, FULL_WIDTH - 1), (-1, 0, FULL_WIDTH)]
    )
    assert kernel.tests == side
    assert (result.ended, result.stopped, result.score, result.reached()) == ("decided", False, score, "21@73%")


@pytest.mark.parametrize("limits", LONG_TIMES)
@pytest.mark.parametrize("score", [40, -40])
def test_a_game_that_is_not_decided_has_all_its_time(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, score: int
) -> None:
    kernel = DecidedKernel(score)
    search_with(monkeypatch, kernel, limits, position=MANY_EMPTIES)
    assert (kernel.tests, kernel.steps[-1][0]) == ([], MANY_EMPTIES.empties)


@pytest.mark.parametrize("limits", LONG_TIMES)
def test_a_score_whose_winner_is_not_proven_decides_nothing(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    kernel = DecidedKernel(60, refuted=True)
    result = search_with(monkeypatch, kernel, limits, position=MANY_EMPTIES)
    assert kernel.tests == [(20, 21, FULL_WIDTH - 1)]
    assert (kernel.steps[-1][0], result.score) == (MANY_EMPTIES.empties, 60)


def test_a_winner_whose_test_takes_too_many_nodes_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class SlowKernel(DecidedKernel):
        def iterate(self, depth: int, selectivity_index: int, *window: Any, **wanted: Any) -> bool:
            if window[1] - window[0] > 1:
                return super().iterate(depth, selectivity_index, *window, **wanted)
            self.nodes += WINNER_NODES
            return False

    result = search_with(monkeypatch, SlowKernel(60), LONG_TIMES[0], position=MANY_EMPTIES)
    assert (result.depth, result.stopped, result.exact) == (MANY_EMPTIES.empties, False, True)


def test_the_time_of_a_slow_machine_ends_a_decided_game_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = DecidedKernel(60)
    kernel.iteration_s = 0.3
    result = search_with(monkeypatch, kernel, LONG_TIMES[0], position=MANY_EMPTIES)
    assert (result.ended, result.depth) == ("decided", 4)


def test_a_stop_during_the_proof_leaves_the_result_before(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = DecidedKernel(60, stop_in_test=True)
    result = search_with(monkeypatch, kernel, LONG_TIMES[0], position=MANY_EMPTIES)
    assert (result.ended, result.stopped, result.score, result.reached()) == ("stop", True, 60, "21@73%")


@pytest.mark.parametrize("analysis", [{"selectivity": 100}, {"multi_pv": 2}, {"infinite": True}, {"wld": True}])
def test_an_analysis_goes_on_in_a_decided_game(monkeypatch: pytest.MonkeyPatch, analysis: dict[str, Any]) -> None:
    kernel = DecidedKernel(60)
    search_with(monkeypatch, kernel, replace(LONG_TIMES[0], **analysis), position=MANY_EMPTIES)
    assert (kernel.tests, kernel.steps[-1]) == ([], (MANY_EMPTIES.empties, FULL_WIDTH))
