"""Thinking ahead, search by search: which positions, for how long, and what is kept."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.engine import Ended, ponder
from othello_bot.engine.deepening import GROWTH, Resumption
from othello_bot.engine.limits import Limits
from othello_bot.engine.ponder import (
    RANKING_DEPTH,
    SHORTEST_SEARCH_S,
    FreeTime,
    PonderedResult,
    PonderPlan,
    PonderProgress,
)
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.engine.time_manager import TimeBudget
from othello_bot.rules.position import Position
from tests.session.fake_search import FakeSearch

START = Position.start()
D3, C4, F5, E6 = START.legal_moves
BUDGET = TimeBudget(1.0, 3.0)
NONE = Limits()
DONE_OF_ONE_MOVE = Position.parse("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X")


class TimedSearch(FakeSearch):
    """Each search uses its time, or as much as a test says; ranks replies in the order of `ranking`."""

    def __init__(self, now_s: float = 0.0, ranking: tuple[int, ...] = (F5, E6, D3, C4)) -> None:
        super().__init__()
        self.now_s = now_s
        self.ranking = ranking
        self.used_s: float | None = None
        self.depths: list[int] = []
        self.exact = False
        self.stopped = True
        self.limits: list[Limits] = []
        self.searched: list[tuple[int, int]] = []
        self.plan: PonderPlan | None = None
        self.cancel_at = 0

    def answer(self, request: SearchRequest, *others: object) -> SearchResult:
        """Answer at once, with the clock moved on."""
        position, limits = request.position, request.limits
        if limits.multi_pv > 1:
            assert position == START and limits == Limits(depth=RANKING_DEPTH, multi_pv=4)
            return SearchResult(tuple(line(move, RANKING_DEPTH) for move in self.ranking), 1, 0.0)
        self.searched.append((position.mover, position.opponent))
        self.limits.append(limits)
        assert limits.move_time_s is not None
        self.now_s += limits.move_time_s if self.used_s is None else self.used_s
        if self.plan is not None and len(self.searched) == self.cancel_at:
            self.plan.cancelled = True
        depth = self.depths[len(self.searched) - 1] if self.depths else len(self.searched)
        found = line(position.legal_moves[0], depth, self.exact)
        return SearchResult((found,), 1, 0.0, stopped=self.stopped and not self.exact)

    @property
    def times_s(self) -> list[float | None]:
        """What each search was given."""
        return [limits.move_time_s for limits in self.limits]


def after(move: int) -> tuple[int, int]:
    position = START.play(move)
    return position.mover, position.opponent


def line(move: int, depth: int, exact: bool = False) -> EvaluatedMove:
    return EvaluatedMove(move, 0, (move,), depth, 100 if exact else 73, exact)


def carried_out(
    monkeypatch: pytest.MonkeyPatch,
    search: TimedSearch,
    *,
    expected: int | None = F5,
    limits: Limits = NONE,
    budget: TimeBudget = BUDGET,
    longest_s: float = 20.0,
    position: Position = START,
) -> PonderPlan:
    monkeypatch.setattr(ponder, "time", SimpleNamespace(monotonic=lambda: search.now_s))
    plan = PonderPlan(position, expected, limits, budget, longest_s)
    search.plan = plan
    plan.carry_out(search)
    if plan.error is not None:
        raise plan.error
    assert plan.finished.is_set()
    return plan


def test_the_expected_reply_gets_the_maximum_and_the_others_the_optimum_twice_as_much_each_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search = TimedSearch()
    carried_out(monkeypatch, search, longest_s=19.0)
    order = [F5, F5, E6, D3, C4, F5, E6, D3, C4]
    assert search.searched == [after(move) for move in order]
    # Before the others are ranked, the expected reply gets the optimum.
    assert search.times_s == [1.0, 3.0, 1.0, 1.0, 1.0, 6.0, 2.0, 2.0, 2.0]


def test_without_an_expected_reply_all_are_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch(ranking=(E6, D3))
    carried_out(monkeypatch, search, expected=None, longest_s=6.0)
    assert search.searched == [after(move) for move in (E6, D3, C4, F5)]
    assert search.times_s == [3.0, 1.0, 1.0, 1.0]


def test_no_search_is_too_short_to_teach_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    carried_out(monkeypatch, search, budget=TimeBudget(0.001, 0.002), longest_s=0.1)
    assert set(search.times_s) == {SHORTEST_SEARCH_S}


def test_no_search_goes_beyond_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    carried_out(monkeypatch, search, longest_s=2.5)
    assert search.times_s == [1.0, 1.5]


def test_every_search_has_the_limits_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    limits = Limits(level=9, depth=7, nodes=500, selectivity=95)
    carried_out(monkeypatch, search, limits=limits, longest_s=1.0)
    assert search.limits == [Limits(level=9, depth=7, nodes=500, selectivity=95, move_time_s=1.0)]


def test_a_search_that_ends_before_its_time_is_complete_and_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    search.used_s = 0.25
    plan = carried_out(monkeypatch, search)
    assert search.searched == [after(move) for move in (F5, E6, D3, C4)]
    found = plan.found(START.play(F5))
    assert found is not None and (found.time_s, found.complete) == (0.25, True)


def test_what_is_solved_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    search.exact = True
    plan = carried_out(monkeypatch, search)
    assert len(search.searched) == 4
    assert all((found := plan.found(START.play(move))) is not None and found.complete for move in START.legal_moves)


def test_the_times_of_all_rounds_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    plan = carried_out(monkeypatch, search, longest_s=13.0)
    found = plan.found(START.play(F5))
    assert found is not None and (found.time_s, found.result.depth, found.complete) == (1.0 + 3.0 + 6.0, 6, False)


def test_of_two_results_as_deep_the_later_one_is_kept_with_the_time_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    search.depths = [5] * 9
    found = carried_out(monkeypatch, search, longest_s=13.0).found(START.play(F5))
    assert found is not None and found.time_s == 1.0 + 3.0 + 6.0


@pytest.mark.parametrize(("depths", "kept"), [([9, 4], 9), ([4, 9], 9)])
def test_a_round_never_replaces_a_deeper_result_by_a_shallower_one(
    monkeypatch: pytest.MonkeyPatch, depths: list[int], kept: int
) -> None:
    search = TimedSearch()
    search.depths = depths
    found = carried_out(monkeypatch, search, longest_s=1.0 + 3.0).found(START.play(F5))
    assert found is not None and found.result.depth == kept


def test_a_search_that_was_not_stopped_is_complete_even_if_it_took_all_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search = TimedSearch()
    search.stopped = False
    plan = carried_out(monkeypatch, search)
    assert search.searched == [after(move) for move in (F5, E6, D3, C4)]
    assert (found := plan.found(START.play(F5))) is not None and found.complete


@pytest.mark.parametrize(("used_s", "searched"), [(20.5, [F5]), (6.0, [F5, F5, E6, D3])])
def test_a_search_that_overran_the_end_is_the_last(
    monkeypatch: pytest.MonkeyPatch, used_s: float, searched: list[int]
) -> None:
    search = TimedSearch()
    search.used_s = used_s
    carried_out(monkeypatch, search)
    assert search.searched == [after(move) for move in searched]


def test_two_replies_are_ranked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.parse("-" * 26 + "-OX-----" + "-" * 19 + "XO" + "-" * 9 + " X")
    assert len(position.legal_moves) == 2
    ranked: list[Limits] = []

    class Ranking(FakeSearch):
        def answer(self, request: SearchRequest, *others: object) -> SearchResult:
            ranked.append(request.limits)
            plan.cancelled = True
            return SearchResult((), 1, 0.0)

    plan = PonderPlan(position, None, Limits(), BUDGET, 20.0)
    plan.carry_out(Ranking())
    assert ranked == [Limits(depth=RANKING_DEPTH, multi_pv=2)] and plan.error is None


def test_a_result_is_not_complete_and_its_next_iteration_not_begun_unless_told() -> None:
    result = PonderedResult(RESULT, 1.0)
    assert not result.complete and result.resumption() == Resumption(8, 73, 0.0)


def test_a_cancelled_search_is_kept_but_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    search.used_s, search.cancel_at = 0.25, 1
    plan = carried_out(monkeypatch, search)
    found = plan.found(START.play(F5))
    assert len(search.searched) == 1
    assert found is not None and (found.time_s, found.complete) == (0.25, False)


def test_nothing_is_searched_after_a_cancellation_or_without_time(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    monkeypatch.setattr(ponder, "time", SimpleNamespace(monotonic=lambda: search.now_s))
    plan = PonderPlan(START, F5, Limits(), BUDGET, 20.0)
    plan.cancelled = True
    plan.carry_out(search)
    assert search.searched == [] and plan.finished.is_set() and plan.error is None
    carried_out(monkeypatch, search, longest_s=0.0)
    assert search.searched == []


def test_an_error_is_kept_for_whoever_asks() -> None:
    class Broken(FakeSearch):
        def answer(self, *others: object) -> SearchResult:
            raise MemoryError("no table")

    plan = PonderPlan(START, None, Limits(), BUDGET, 20.0)
    plan.carry_out(Broken())
    assert isinstance(plan.error, MemoryError) and plan.finished.is_set()


def test_a_reply_after_which_nobody_moves_needs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    search = TimedSearch()
    plan = carried_out(monkeypatch, search, position=DONE_OF_ONE_MOVE, expected=63)
    assert search.searched == [] and search.now_s == 0.0
    assert plan.found(DONE_OF_ONE_MOVE.play(63)) is None


RESULT = SearchResult((line(F5, 8),), 1, 0.0)


def _result(depth: int, selectivity: int, ended: Ended = Ended.OPTIMUM) -> SearchResult:
    early = ended not in (Ended.GOAL, Ended.SOLVED)
    return SearchResult((EvaluatedMove(1, 0, (1,), depth, selectivity, False),), 7, 0.5, early, ended)


@pytest.mark.parametrize(
    ("found", "later", "depth"), [((15, 73), (14, 73), 15), ((15, 73), (15, 73), 15), ((20, 73), (20, 87), 20)]
)
def test_a_search_that_goes_on_never_tells_less_than_was_known(
    found: tuple[int, int], later: tuple[int, int], depth: int
) -> None:
    told = PonderedResult(_result(*found, ended=Ended.STOP), 1.0).at_least(_result(*later))
    assert (told.depth, told.selectivity) == max(found, later) and told.depth == depth
    assert (told.nodes, told.time_s, told.stopped, told.ended) == (7, 0.5, True, "optimum")


def test_where_a_search_goes_on() -> None:
    assert PonderedResult(_result(15, 87), 1.0, next_s=0.25).resumption() == Resumption(15, 87, 0.25)


def test_free_time_is_averaged_and_counted() -> None:
    free_time = FreeTime()
    budget = TimeBudget(1.0, 3.0)
    assert free_time.spend(budget, PonderedResult(RESULT, 1.0)) == TimeBudget(0.25, 3.0)  # nothing was expected yet
    assert free_time.expected_s == pytest.approx(0.3)
    second = free_time.spend(budget, None)
    assert [second.optimum_s, second.maximum_s] == pytest.approx([1.3, 3.0])
    assert free_time.expected_s == pytest.approx(0.21)
    free_time.spend(budget, None)
    assert (free_time.hits, free_time.misses, free_time.gained_s) == (1, 2, 1.0)


def test_the_iteration_going_on_is_expected_to_take_what_is_left_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [100.0]
    monkeypatch.setattr("othello_bot.engine.ponder.time.monotonic", lambda: now_s[0])
    progress = PonderProgress()
    assert progress.next_s() == 0.0  # no iteration tells how long they take
    for end_s in (101.0, 103.0):
        now_s[0] = end_s
        progress(RESULT)
    now_s[0] = 104.0
    assert progress.next_s() == pytest.approx(GROWTH * 2.0 - 1.0)
    now_s[0] = 120.0
    assert progress.next_s() == pytest.approx(0.2 * GROWTH * 2.0)


def test_the_first_iteration_counts_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [100.0]
    monkeypatch.setattr("othello_bot.engine.ponder.time.monotonic", lambda: now_s[0])
    progress = PonderProgress()
    now_s[0] = 100.5
    progress(RESULT)
    assert progress.next_s() == pytest.approx(GROWTH * 0.5)
