"""The deepening loop against a kernel that follows a script: windows, doubt, goals and passes."""

from __future__ import annotations

import pytest

from othello_bot.base.clocks import ClockState
from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.base.notation import PASS
from othello_bot.engine.deepening import Search, fixed_depth
from othello_bot.engine.levels import FULL_WIDTH
from othello_bot.engine.limits import LimitError, Limits
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.engine.time_manager import TimeBudget
from othello_bot.rules.position import Position
from tests.engine.test_deepening import START, UNDER_A_CLOCK, FakeKernel, search_with


def windows(monkeypatch: pytest.MonkeyPatch, limits: Limits, *scores: int) -> list[tuple[int, int]]:
    """Return the windows of the searches that end with these scores."""
    kernel = FakeKernel(*((19, score) for score in scores))
    search_with(monkeypatch, kernel, limits)
    return kernel.windows


def test_the_first_window_is_full_and_the_next_lies_around_the_score(monkeypatch: pytest.MonkeyPatch) -> None:
    assert windows(monkeypatch, Limits(depth=3), 5, 6, 4) == [(-64, 64), (2, 8), (3, 9)]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((0, 3, 10, 12), [(-64, 64), (-3, 3), (2, 9), (9, 22)]),
        ((0, -3, -10, -12), [(-64, 64), (-3, 3), (-9, -2), (-22, -9)]),
        ((0, 4, 2, 3), [(-64, 64), (-3, 3), (3, 10), (-64, 64)]),
        ((0, -4, -2, -3), [(-64, 64), (-3, 3), (-10, -3), (-64, 64)]),
        ((62, 64), [(-64, 64), (59, 64)]),
        ((62, 58, 54), [(-64, 64), (59, 64), (52, 59)]),
        ((-62, -58, -54), [(-64, 64), (-64, -59), (-59, -52)]),
        ((0, -64, -64), [(-64, 64), (-3, 3), (-64, -63)]),
        ((0, 64, 64), [(-64, 64), (-3, 3), (63, 64)]),
    ],
)
def test_a_window_that_was_missed_is_widened_on_that_side(
    monkeypatch: pytest.MonkeyPatch, scores: tuple[int, ...], expected: list[tuple[int, int]]
) -> None:
    assert windows(monkeypatch, Limits(depth=2), *scores) == expected


@pytest.mark.parametrize("score", [-64, 64])
def test_no_iteration_follows_a_proven_wipe_out(monkeypatch: pytest.MonkeyPatch, score: int) -> None:
    assert windows(monkeypatch, Limits(depth=2), score, 0) == [(-64, 64)]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (Limits(depth=2, alpha=-5, beta=7), [(-5, 7), (1, 7)]),
        (Limits(depth=2, alpha=-5, beta=5), [(-5, 5), (1, 5)]),
        (Limits(depth=2, wld=True), [(-1, 1), (-1, 1)]),
        (Limits(depth=2, multi_pv=2), [(-64, 64), (-64, 64)]),
    ],
)
def test_windows_stay_within_the_limits(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, expected: list[tuple[int, int]]
) -> None:
    assert windows(monkeypatch, limits, 4, 4) == expected


@pytest.mark.parametrize(("score", "window"), [(-9, (-5, -4)), (12, (6, 7))])
def test_a_window_beside_the_limits_is_never_empty(
    monkeypatch: pytest.MonkeyPatch, score: int, window: tuple[int, int]
) -> None:
    assert windows(monkeypatch, Limits(depth=2, alpha=-5, beta=7), 0, score, score)[2] == window


def test_a_score_outside_the_limits_is_a_bound_and_ends_its_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel((19, 9), (19, 9))
    result = search_with(monkeypatch, kernel, Limits(depth=2, alpha=-5, beta=7))
    assert kernel.windows == [(-5, 7), (-5, 7)]
    assert result.best.bound == Bound.LOWER and not result.stopped


def test_no_more_lines_are_asked_for_than_there_are_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel((19, 0), (19, 0), moves=3)
    result = search_with(monkeypatch, kernel, Limits(depth=2, multi_pv=10))
    assert kernel.wanted == [3, 3] and len(result.lines) == 3


@pytest.mark.parametrize(
    ("before", "after", "longer"),
    [((19, 0), (26, 0), True), ((19, 0), (19, -3), True), ((19, 0), (19, -2), False), ((19, 0), (19, 9), False)],
)
def test_only_a_move_in_doubt_is_searched_beyond_the_optimum(
    monkeypatch: pytest.MonkeyPatch, before: tuple[int, int], after: tuple[int, int], longer: bool
) -> None:
    """The optimum passes with the second iteration; another score outside its window takes one search more."""
    kernel = FakeKernel(before, after, *[after] * 8, first_s=0.01)
    search_with(monkeypatch, kernel, UNDER_A_CLOCK, TimeBudget(0.03, 60.0))
    assert kernel.depths[-1] == (3 if longer else 2)


def test_thinking_without_limit_goes_on_whatever_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel(*[(19, 0)] * 9)
    search_with(monkeypatch, kernel, Limits(clock=ClockState(60.0), infinite=True), TimeBudget(0.001, 60.0))
    assert len(kernel.steps) == 9


@pytest.mark.parametrize(
    ("limits", "depth", "selectivity_index"),
    [
        (Limits(level=5), 5, FULL_WIDTH),
        (Limits(level=5, depth=3), 3, 0),
        (Limits(level=5, depth=5), 5, FULL_WIDTH),
        (Limits(level=5, depth=9), 5, FULL_WIDTH),
        (Limits(level=5, selectivity=95), 5, 2),
        (Limits(depth=4), 4, 0),
        (Limits(depth=4, selectivity=100), 4, FULL_WIDTH),
        (Limits(), 21, 0),
    ],
)
def test_the_last_iteration(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, depth: int, selectivity_index: int
) -> None:
    kernel = FakeKernel(*[(19, 0)] * 80)
    result = search_with(monkeypatch, kernel, limits)
    assert (result.depth, result.best.selectivity) == (depth, (73, 87, 95, 98, 99, 100)[selectivity_index])
    assert not result.stopped and not result.exact


@pytest.mark.parametrize(
    "limits", [Limits(infinite=True), Limits(nodes=10**9), Limits(move_time_s=10**9), Limits(depth=60)]
)
def test_without_a_level_the_end_of_the_game_is_the_goal(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    kernel = FakeKernel(*[(19, 0)] * 80, first_s=0.0)
    result = search_with(monkeypatch, kernel, limits)
    assert result.exact and result.depth == 60 and result.best.reached() == "exact"


def test_what_the_kernel_is_told_at_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = FakeKernel((19, 0))
    search_with(monkeypatch, kernel, Limits(depth=1, nodes=500, considered=frozenset({19, 26})))
    assert kernel.begun == (START.mover, START.opponent, 0.0, 500, 1 << 19 | 1 << 26)
    search_with(monkeypatch, kernel, Limits(depth=1))
    assert kernel.begun[3:] == (0, 0)


def test_considered_moves_must_be_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    for illegal in (0, 1, 63):
        with pytest.raises(LimitError, match="expected one that is legal"):
            search_with(monkeypatch, FakeKernel(), Limits(considered=frozenset({illegal})))
    for legal in START.legal_moves:
        kernel = FakeKernel((legal, 0))
        search_with(monkeypatch, kernel, Limits(depth=1, considered=frozenset({0, legal})))
        assert kernel.begun[4] == 1 | 1 << legal


MUST_PASS = Position.parse("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- O")


def test_a_pass_is_the_opponents_search_seen_from_the_other_side() -> None:
    seen: list[SearchResult] = []
    result = Search(1).answer(SearchRequest(MUST_PASS, Limits(alpha=-64, beta=50), on_report=seen.append))
    assert [line.move for line in result.lines] == [PASS] and result.score == -64 and result.exact
    assert result.pv[0] == PASS and len(result.pv) == 2
    assert all(report.move == PASS for report in seen) and seen[-1].lines == result.lines


def test_the_window_of_a_passing_side_is_that_of_the_opponent_turned_round() -> None:
    kernel = FakeKernel((63, 0), moves=1)
    search = Search(1)
    search._searcher = kernel  # type: ignore[assignment]
    search.answer(SearchRequest(MUST_PASS, Limits(alpha=-40, beta=50, multi_pv=3)))
    assert (kernel.depths[0], kernel.windows[0], kernel.wanted[0]) == (1, (-50, 40), 1)


def test_a_finished_game_has_no_lines() -> None:
    result = Search(1).answer(SearchRequest(Position((1 << 64) - 1, 0), Limits()))
    assert result.lines == () and (result.depth, result.selectivity, result.exact, result.rate) == (0, 100, False, 0.0)
    assert result.reached() == "0@100%" and result.nodes == 0 and not result.stopped
    with pytest.raises(IndexError):
        _ = result.move


def test_a_search_of_one_depth() -> None:
    kernel = FakeKernel(*[(19, 0)] * 9, moves=4)
    lines = fixed_depth(kernel, START.mover, START.opponent, 6, 2, count=2)  # type: ignore[arg-type]
    assert kernel.depths == [2, 4, 6] and kernel.wanted == [2, 2, 2] and len(lines) == 2
    with pytest.raises(ValueError, match="pass before searching"):
        fixed_depth(FakeKernel(moves=0), START.mover, START.opponent, 6)  # type: ignore[arg-type]


def test_how_results_are_shown() -> None:
    line = EvaluatedMove(19, 4, (19, 18, PASS), 14, 73, exact=False)
    assert repr(line) == "<EvaluatedMove d3 +4 14@73% exact pv d3 c3 pass>"
    result = SearchResult((line,), 1000, 0.5, stopped=True)
    assert repr(result) == f"<SearchResult [{line!r}], 1000 nodes, 0.500 s, stopped>"
    assert (result.move, result.score, result.pv, result.rate) == (19, 4, (19, 18, PASS), 2000.0)
    assert (result.depth, result.selectivity, result.exact, result.reached()) == (14, 73, False, "14@73%")
    assert SearchResult((line,), 1, 0.4).rate == 2.5


def test_a_result_is_about_its_first_line() -> None:
    first, second = (
        EvaluatedMove(19, 4, (19, 18), 14, 100, exact=True),
        EvaluatedMove(26, 2, (26,), 12, 73, exact=False),
    )
    result = SearchResult((first, second), 1000, 0.5)
    assert (result.best, result.exact, result.depth, result.selectivity) == (first, True, 14, 100)
    assert not SearchResult((second, first), 1000, 0.5).exact
