"""When a search ends: node limits, deadlines and stops; and the arguments that it refuses."""

from __future__ import annotations

import threading

import pytest

from othello_bot import kernel
from othello_bot.engine.deepening import Search, fixed_depth
from othello_bot.engine.limits import Limits
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.rules import Position
from tests.kernel.positions import START, squares_of
from tests.kernel.searches import POSITIONS, passing_position, searcher_of

FULL_WIDTH = 5
EXACTLY = Limits(depth=60, selectivity=100)


def test_node_limit_is_kept() -> None:
    search = Search(4)
    for nodes in (1, 100, 5_000, 50_000):
        search.clear()
        search.arm()
        result = search.answer(SearchRequest(Position(*START), Limits(nodes=nodes)))
        assert result.stopped and result.move in squares_of(kernel.legal_moves(*START))
        # The last plies are counted before the limit is looked at again.
        assert result.nodes <= nodes + 5_000


def test_a_node_limit_counts_from_the_begin() -> None:
    searcher = searcher_of(4)
    searcher.begin(*START, node_limit=5_000)
    assert not searcher.iterate(12, FULL_WIDTH)
    assert 5_000 <= searcher.nodes <= 10_000


def test_a_node_limit_that_is_set_later_counts_from_the_begin() -> None:
    searcher = searcher_of(4)
    searcher.begin(*START)
    assert searcher.iterate(6, FULL_WIDTH)
    nodes = searcher.nodes
    searcher.limit_nodes(nodes + 5_000)
    assert not searcher.iterate(12, FULL_WIDTH)
    assert nodes + 5_000 <= searcher.nodes <= nodes + 10_000
    assert not searcher.iterate(8, FULL_WIDTH)
    searcher.limit_nodes(0)
    assert searcher.iterate(8, FULL_WIDTH)
    searcher.stop()
    searcher.limit_nodes(0)
    assert not searcher.iterate(8, FULL_WIDTH), "a stop is not taken back"
    searcher.arm()
    searcher.begin(*START)
    assert searcher.iterate(8, FULL_WIDTH)


@pytest.mark.parametrize(
    ("limits", "ended"), [(Limits(nodes=5_000), "nodes"), (Limits(move_time_s=0.001, nodes=20_000_000), "maximum")]
)
def test_a_limit_that_ended_a_run_does_not_end_the_next(limits: Limits, ended: str) -> None:
    search = Search(4)
    assert search.answer(SearchRequest(Position(*START), limits)).ended == ended
    assert search.answer(SearchRequest(Position(*START), Limits(depth=3))).depth == 3
    search.stop()
    search.answer(SearchRequest(Position(*START), limits))
    assert search.answer(SearchRequest(Position(*START), Limits(depth=3))).ended == "stop"


def test_a_deadline_ends_a_search() -> None:
    """Far from the end of the game, and long before the node limit, which is there for a deadline that fails."""
    searcher = searcher_of(4)
    searcher.begin(*START, seconds=0.001, node_limit=20_000_000)
    assert not searcher.iterate(40, FULL_WIDTH)
    assert searcher.stopped and searcher.nodes < 10_000_000


def test_stop_before_a_run_counts() -> None:
    search = Search(1)
    search.stop()
    result = search.answer(SearchRequest(Position(*START), Limits(infinite=True)))
    assert result.stopped and len(result.lines) == 1
    # It has had one look at each move, for there must be an answer.
    assert result.depth <= 1 and result.nodes <= 1
    assert result.move in squares_of(kernel.legal_moves(*START))
    search.arm()
    assert not search.answer(SearchRequest(Position(*START), Limits(depth=3))).stopped


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_from_the_progress_callback(threads: int) -> None:
    search = Search(4, threads)
    seen: list[SearchResult] = []

    def on_progress(result: SearchResult) -> None:
        seen.append(result)
        if result.depth == 5:
            search.stop()

    result = search.answer(SearchRequest(Position(*START), Limits(infinite=True), on_report=on_progress))
    assert result.stopped
    assert [report.depth for report in seen] == [1, 2, 3, 4, 5]
    assert result.depth == 5 and result.move == seen[-1].move


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_from_another_thread_in_mid_search(threads: int) -> None:
    """No search comes to the end of the game from the start: that it returns at all is the stop's doing."""
    search = Search(4, threads)
    deep_enough = threading.Event()
    results: list[SearchResult] = []

    def on_progress(result: SearchResult) -> None:
        if result.depth >= 8:
            deep_enough.set()

    worker = threading.Thread(
        target=lambda: results.append(
            search.answer(SearchRequest(Position(*START), Limits(infinite=True), on_report=on_progress))
        )
    )
    worker.start()
    assert deep_enough.wait(60)
    search.stop()
    worker.join(60)
    assert not worker.is_alive()
    assert results[0].stopped and results[0].depth >= 8


def test_stopped_iteration_leaves_the_results_of_the_one_before() -> None:
    searcher = searcher_of(1)
    searcher.begin(*START)
    assert searcher.iterate(5, 0)
    before = searcher.lines(1)
    searcher.stop()
    assert searcher.stopped
    assert not searcher.iterate(12, 0)
    assert searcher.lines(1) == before
    searcher.arm()
    assert not searcher.stopped
    assert searcher.iterate(6, 0)


def test_progress_ends_with_the_result() -> None:
    seen: list[SearchResult] = []
    result = Search(4).answer(SearchRequest(Position(*POSITIONS[0]), EXACTLY, on_report=seen.append))
    assert seen[-1].lines == result.lines
    assert [report.nodes for report in seen] == sorted(report.nodes for report in seen)
    assert all(not report.exact for report in seen[:-1])


@pytest.mark.parametrize(
    "arguments", [(0, 0), (61, 0), (4, -1), (4, 6), (4, 0, -65, 64), (4, 0, -64, 65), (4, 0, 3, 3), (4, 0, -64, 64, 0)]
)
def test_iterations_out_of_range_are_refused(arguments: tuple[int, ...]) -> None:
    searcher = searcher_of(1)
    searcher.begin(*START)
    assert searcher.iterate(2, 0)
    before = searcher.lines(4)
    with pytest.raises(ValueError, match="out of range"):
        searcher.iterate(*arguments)
    assert searcher.lines(4) == before


def test_positions_without_a_move_are_refused() -> None:
    searcher = searcher_of(1)
    mover, opponent = passing_position(10)
    assert searcher.begin(mover, opponent) == 0 and searcher.lines(3) == []
    with pytest.raises(ValueError, match="pass before searching"):
        searcher.iterate(4, 0)
    with pytest.raises(ValueError, match="pass before searching"):
        fixed_depth(searcher, mover, opponent, 4)
