"""The engine's threads, with a search that ends when the test says so; and once with the real one."""

from __future__ import annotations

import doctest
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

import othello_bot
from othello_bot.base.clocks import ClockState
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, parse_move
from othello_bot.engine import engine as engine_module
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import OptionError, Options
from othello_bot.engine.request import SearchResult
from othello_bot.engine.task import EngineBusy, EngineClosed, NotEnoughMemory
from othello_bot.engine.time_manager import allocate
from othello_bot.rules import Game, Position
from tests.session.fake_search import FakeSearch

START = Position.start()
LONG_S = 20.0


@pytest.fixture
def threads_end() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def test_go_returns_at_once_and_stop_ends_the_search(threads_end: None) -> None:
    search = FakeSearch(blocks=True)
    done = threading.Event()
    outcomes: list[SearchResult | BaseException] = []

    def on_done(outcome: SearchResult | BaseException) -> None:
        outcomes.append(outcome)
        done.set()

    with Engine(search=search) as engine:
        engine.go(START, Limits(infinite=True), on_done=on_done)
        assert engine.searching
        with pytest.raises(TimeoutError):
            engine.wait(0)
        with pytest.raises(EngineBusy):
            engine.go(START)
        with pytest.raises(EngineBusy):
            engine.set_option("hash", 2)
        engine.stop()
        assert engine.wait(LONG_S).move == START.legal_moves[0]
        assert done.wait(LONG_S)
        assert outcomes == [engine.wait(LONG_S)]
        assert not engine.searching


def test_a_stop_before_the_worker_has_begun_counts(threads_end: None) -> None:
    search = FakeSearch(blocks=True)
    with Engine(search=search) as engine:
        for _ in range(50):
            engine.go(START, Limits(infinite=True))
            engine.stop()
            assert engine.wait(LONG_S).stopped


def test_an_old_stop_does_not_end_the_next_search(threads_end: None) -> None:
    search = FakeSearch()
    with Engine(search=search) as engine:
        engine.stop()
        assert not engine.search(START, Limits(depth=1)).stopped


def test_close_ends_a_running_search_and_is_final(threads_end: None) -> None:
    engine = Engine(search=FakeSearch(blocks=True))
    engine.go(START, Limits(infinite=True))
    engine.close()
    engine.close()
    with pytest.raises(EngineClosed):
        engine.go(START)


def test_progress_comes_before_the_end(threads_end: None) -> None:
    seen: list[int] = []
    with Engine(search=FakeSearch(reports=3)) as engine:
        engine.search(START, Limits(depth=3), on_progress=lambda result: seen.append(result.depth))
    assert seen == [1, 2, 3]


def test_an_error_in_the_search_is_raised_by_wait(threads_end: None) -> None:
    search = FakeSearch()
    search.error = ZeroDivisionError("a bug")
    with Engine(search=search) as engine:
        engine.go(START)
        with pytest.raises(ZeroDivisionError):
            engine.wait(LONG_S)
        search.error = None
        assert engine.search(START).lines


def test_the_clock_runs_from_the_arrival_of_the_command() -> None:
    search = FakeSearch()
    clock = ClockState(10.0)
    now_s = time.monotonic()
    with Engine(search=search) as engine:
        for arrived_s in (now_s, now_s - 5, now_s - 50):
            engine.go(START, Limits(clock=clock), asked_at_s=arrived_s)
            engine.wait(LONG_S)
    assert all(budget == allocate(clock, START.empties, 0.1) for _, _, budget, _ in search.runs)
    fresh, late, lost = (asked_at_s for _, _, _, asked_at_s in search.runs)
    assert fresh is not None and late is not None and lost is not None
    assert (fresh, late, lost) == (now_s, now_s - 5, now_s - 50)


def test_without_an_arrival_the_clock_runs_from_the_call() -> None:
    search = FakeSearch()
    before_s = time.monotonic()
    with Engine(search=search) as engine:
        engine.search(START, Limits(clock=ClockState(10.0)))
    asked_at_s = search.runs[0][3]
    assert asked_at_s is not None and before_s <= asked_at_s <= time.monotonic()


@pytest.mark.parametrize(("overhead_ms", "usable_s"), [(0, 0.1), (5, 0.095), (100, 0.09), (10_000, 0.09)])
def test_a_time_for_each_move_pays_the_overhead_once_and_at_most_a_tenth(overhead_ms: int, usable_s: float) -> None:
    search = FakeSearch()
    with Engine(Options(move_overhead=overhead_ms), search=search) as engine:
        for limits in (Limits(move_time_s=0.1), Limits(clock=ClockState(0.1, 0.0, 1)), _option_limits(engine, 100)):
            engine.search(START, limits)
    for _, _, budget, _ in search.runs:
        assert budget.optimum_s == budget.maximum_s == pytest.approx(usable_s)
        assert not budget.keeps_rest


def _option_limits(engine: Engine, move_time_ms: int) -> Limits:
    engine.set_option("move_time", move_time_ms)
    return engine.default_limits()


@pytest.mark.parametrize("level", [20, 21, 22])
def test_a_level_that_was_set_applies_beside_every_other_limit(level: int) -> None:
    clock = ClockState(60.0)
    with Engine(Options(level=level, depth=7), search=FakeSearch()) as engine:
        assert engine.default_limits() == Limits(level=level, depth=7)
        engine.set_option("depth", "auto")
        assert engine.default_limits(clock) == Limits(level=level, clock=clock)
        engine.set_option("level", None)
        assert engine.default_limits(clock) == Limits(clock=clock)
        assert engine.default_limits() == Limits(level=21)


def test_default_limits_combine() -> None:
    options = Options()
    with Engine(options, search=FakeSearch()) as engine:
        assert engine.default_limits() == Limits(level=21)
        assert engine.default_limits(ClockState(1.0)) == Limits(clock=ClockState(1.0))
        engine.set_option("depth", 7)
        engine.set_option("nodes", 1000)
        engine.set_option("move_time", 250)
        engine.set_option("selectivity", 95)
        assert engine.default_limits() == Limits(depth=7, nodes=1000, move_time_s=0.25, selectivity=95)
        engine.set_option("level", 5)
        assert engine.default_limits(ClockState(1.0)).level == 5


def test_a_hash_that_does_not_fit_keeps_the_old_table() -> None:
    search = FakeSearch()
    search.fail_resize = True
    with Engine(search=search) as engine:
        with pytest.raises(NotEnoughMemory, match="64 MiB stays"):
            engine.set_option("hash", 1048576)
        assert engine.options.hash == 64


def test_options_reach_the_search() -> None:
    search = FakeSearch()
    with Engine(search=search) as engine:
        engine.set_option("hash", 2)
        engine.set_option("threads", 3)
        engine.set_option("evaluation", "handmade")
        engine.set_option("ponder", True)
        assert search.calls == ["resize 2", "threads 3", "evaluation handmade"]
        assert engine.options.ponder
        with pytest.raises(OptionError):
            engine.set_option("threads", 0)
        assert engine.options.threads == 3


# -- thinking ahead ---------------------------------------------------------------------------------------------------

AFTER_F5 = START.play(parse_move("f5"))
CLOCK = ClockState(100.0)


def _wait_for(condition: object, what: str) -> None:
    end = time.monotonic() + LONG_S
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.001)


def test_the_expected_reply_is_thought_about_first() -> None:
    search = FakeSearch(blocks=True)
    with Engine(search=search) as engine:
        engine.ponder(AFTER_F5, parse_move("d6"), CLOCK, longest_s=LONG_S)
        assert search.began.wait(LONG_S)
        assert engine.pondering
        (searched, limits, _, _) = search.runs[0]
        expected = AFTER_F5.play(parse_move("d6"))
        assert searched == (expected.mover, expected.opponent)
        assert not limits.infinite and limits.move_time_s is not None


def test_all_replies_are_thought_about_when_there_is_time() -> None:
    search = FakeSearch()
    with Engine(search=search) as engine:
        engine.ponder(AFTER_F5, parse_move("f4"), CLOCK, longest_s=LONG_S)
        _wait_for(lambda: not engine.pondering, "the end of thinking ahead")
        searched = [position for position, _, _, _ in search.runs]
        replies = {(after.mover, after.opponent) for after in map(AFTER_F5.play, AFTER_F5.legal_moves)}
        assert replies <= set(searched)
        expected = AFTER_F5.play(parse_move("f4"))
        assert searched[0] == (expected.mover, expected.opponent)


def _think(search: FakeSearch, reply: str) -> tuple[Engine, SearchResult]:
    """Think ahead about d6 until it is finished, then search the position after `reply` under the clock."""
    engine = Engine(search=search)
    engine.ponder(AFTER_F5, parse_move("d6"), CLOCK, longest_s=LONG_S)
    _wait_for(lambda: not engine.pondering, "the end of thinking ahead")
    search.runs.clear()
    engine.go(AFTER_F5.play(parse_move(reply)), Limits(clock=CLOCK))
    return engine, engine.wait(LONG_S)


def test_a_hit_that_is_done_is_answered_without_a_search() -> None:
    search = FakeSearch(exact=True)
    engine, result = _think(search, "d6")
    assert search.runs == [] and result.exact
    assert engine.ponder_hit is not None
    engine.close()


def test_a_hit_that_is_not_done_goes_on_under_the_rest_of_the_budget() -> None:
    search = FakeSearch(blocks=True)
    with Engine(search=search) as engine:
        engine.ponder(AFTER_F5, parse_move("d6"), CLOCK, longest_s=LONG_S)
        assert search.began.wait(LONG_S)
        time.sleep(0.02)
        after = AFTER_F5.play(parse_move("d6"))
        engine.go(after, Limits(clock=CLOCK))
        engine.stop()
        engine.wait(LONG_S)
        assert engine.ponder_hit is not None and engine.ponder_hit.time_s >= 0.02
        with_hit = search.runs[-1]
        engine.go(after, Limits(clock=CLOCK))
        engine.stop()
        engine.wait(LONG_S)
        without = search.runs[-1]
        assert engine.ponder_hit is None
        overhead_s = engine.options.move_overhead_s
    whole = allocate(CLOCK, after.empties, overhead_s, thinks_ahead=True)
    assert with_hit[2].optimum_s < whole.optimum_s
    assert without[2] == allocate(CLOCK, after.empties, overhead_s)


def test_a_miss_is_searched_in_full() -> None:
    search = FakeSearch(blocks=True)
    with Engine(search=search) as engine:
        engine.ponder(AFTER_F5, parse_move("d6"), CLOCK, longest_s=LONG_S)
        assert search.began.wait(LONG_S)
        engine.go(AFTER_F5.play(parse_move("f6")), Limits(clock=CLOCK))
        engine.stop()
        engine.wait(LONG_S)
        assert engine.ponder_hit is None


def test_an_untimed_search_uses_nothing_that_was_thought_ahead() -> None:
    search = FakeSearch(exact=True)
    with Engine(search=search) as engine:
        engine.ponder(AFTER_F5, parse_move("d6"), CLOCK, longest_s=LONG_S)
        _wait_for(lambda: not engine.pondering, "the end of thinking ahead")
        search.runs.clear()
        engine.search(AFTER_F5.play(parse_move("d6")), Limits(depth=3))
        assert len(search.runs) == 1 and engine.ponder_hit is None


def test_stop_ends_thinking_ahead_for_good() -> None:
    search = FakeSearch(blocks=True)
    with Engine(search=search) as engine:
        engine.ponder(AFTER_F5, parse_move("d6"), CLOCK, longest_s=LONG_S)
        assert search.began.wait(LONG_S)
        engine.stop()
        _wait_for(lambda: not engine.pondering, "the end of thinking ahead")
        assert len(search.runs) == 1


# -- the real search --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [othello_bot, engine_module])
def test_documented_use_from_python(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted > 0 and results.failed == 0


def test_a_game_stands_for_its_position() -> None:
    game = Game.from_transcript("f5d6c3")
    with Engine(Options(hash=1)) as engine:
        assert engine.search(game, Limits(depth=2)).lines == engine.search(game.position, Limits(depth=2)).lines
        assert engine.evaluate(game) == engine.evaluate(game.position)


@pytest.mark.parametrize(
    ("position", "limits", "said"),
    [
        ("f5d6", None, "position 'f5d6': expected a Position or a Game"),
        (None, None, "position None: expected a Position or a Game"),
        (Position.start(), 5, "limits 5: expected a Limits value"),
        (Position.start(), Limits(depth=1, considered=frozenset([0])), "considered moves 'a1': expected one"),
    ],
)
def test_a_search_for_something_else_says_what_was_expected(position: object, limits: object, said: str) -> None:
    with Engine(Options(hash=1)) as engine:
        with pytest.raises(InputError) as caught:
            engine.search(position, limits)  # type: ignore[arg-type]
        assert str(caught.value).startswith(said)
        assert engine.search(Position.start(), Limits(depth=1)).depth == 1


@pytest.mark.parametrize("options", [3, 0, "level=5", {}])
def test_an_engine_with_something_else_than_options_is_refused(options: object) -> None:
    with pytest.raises(InputError, match="expected an Options value, or None"):
        Engine(options)  # type: ignore[arg-type]


def test_only_the_considered_moves_are_searched() -> None:
    game = Game.from_transcript("f5d6c3d3c4f4f6f3")
    with Engine(Options(hash=1)) as engine:
        everything = Limits(depth=4, multi_pv=64, selectivity=100)
        scores = {line.move: line.score for line in engine.search(game, everything).lines}
        two = frozenset(list(scores)[1:5:3])
        engine.clear()
        found = engine.search(game, replace(everything, considered=two))
        assert {line.move: line.score for line in found.lines} == {move: scores[move] for move in two}


def test_results_draw_their_position_with_the_scores() -> None:
    with Engine(Options(hash=1)) as engine:
        result = engine.search(Game.from_transcript("f5d6c3"), Limits(depth=3, multi_pv=3))
        passed = engine.search(Position(1 << 1, 1 << 0), Limits(depth=3))
    picture = result._repr_svg_()
    assert picture is not None and picture.count("<circle") == 7
    assert all(f">{line.score:+d}</text>" in picture for line in result.lines)
    assert passed.move == PASS and str(passed._repr_svg_()).count("<circle") == 2
    assert SearchResult((), 0, 0.0)._repr_svg_() is None


def test_the_package_shows_its_public_names() -> None:
    assert set(dir(othello_bot)) == set(othello_bot.__all__)
    for name in dir(othello_bot):
        assert getattr(othello_bot, name) is not None
