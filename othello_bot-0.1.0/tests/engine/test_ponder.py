"""Thinking ahead: which result is kept from the rounds of each reply."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from othello_bot.base.clocks import ClockState
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.engine import Ended
from othello_bot.engine.async_engine import AsyncEngine
from othello_bot.engine.deepening import Slices
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import OptionError, Options
from othello_bot.engine.ponder import FreeTime, PonderedResult
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.engine.task import Task
from othello_bot.engine.time_manager import TimeBudget
from othello_bot.rules.position import Position
from tests.session.fake_search import FakeSearch


def test_a_result_that_was_complete_before_the_move_costs_nothing() -> None:
    line = EvaluatedMove(19, 4, (19,), 20, 100, True)
    hit = PonderedResult(SearchResult((line,), nodes=5000, time_s=2.0, ended=Ended.SOLVED), 2.0, complete=True)
    task = Task(SearchRequest(Position.start(), Limits()), TimeBudget(1.0, 3.0), None)
    task.resume(hit, FreeTime())
    assert isinstance(task.outcome, SearchResult)
    assert (task.outcome.nodes, task.outcome.time_s, task.outcome.ended) == (0, 0.0, "solved")
    assert task.outcome.lines == hit.result.lines


@pytest.fixture
def pondering() -> Iterator[Engine]:
    """Yield an engine that thinks ahead, with a table, threads, books and weights that refuse every change."""
    search = Refusing(blocks=True)
    with Engine(Options(ponder=True, seed=7), search=search) as engine:
        engine.ponder(Position.start(), None, ClockState(60.0), longest_s=60.0)
        search.began.wait()
        yield engine


class Refusing(FakeSearch):
    """A search that has no memory, no threads and no weights to give, and must not be in use when it is asked."""

    fail = True
    running = False

    def slices(self, *arguments: Any) -> Slices[SearchResult]:
        self.running = True
        try:
            return (yield from super().slices(*arguments))
        finally:
            self.running = False

    def resize(self, hash_mib: int) -> None:
        assert not self.running
        if self.fail:
            raise MemoryError

    def set_threads(self, threads: int) -> None:
        super().set_threads(threads)
        if threads > 1 and self.fail:
            raise OSError("no more threads")

    def set_evaluation(self, name: str, file: str | None = None) -> None:
        if self.fail:
            raise FileNotFoundError(2, "No such file or directory")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hash", 1048576),
        ("hash", 0),
        ("threads", 256),
        ("book_file", "/no/such/folder/book"),
        ("evaluation_file", "/no/such/weights"),
        ("level", "99"),
        ("no_such_option", 1),
    ],
)
def test_a_refused_option_does_not_end_thinking_ahead(pondering: Engine, name: str, value: object) -> None:
    before, plan = pondering.options, pondering._plan
    with pytest.raises(OptionError):
        pondering.set_option(name, value)
    assert pondering.pondering and pondering._plan is plan
    assert pondering.options == before


def test_a_plan_that_goes_on_keeps_what_it_found_and_ends_with_a_stop(pondering: Engine) -> None:
    began = pondering._search.began  # type: ignore[attr-defined]
    began.clear()
    with pytest.raises(OptionError):
        pondering.set_option("hash", 1048576)
    assert began.wait(30.0)
    pondering.stop()
    plan = pondering.stop_pondering()
    assert plan is not None and plan.finished.is_set()


@pytest.mark.parametrize(
    ("name", "value"),
    [("name", "Rose"), ("contempt", 5), ("book", False), ("seed", 3), ("level", "auto"), ("hash", 64)],
)
def test_an_option_that_changes_no_search_does_not_end_thinking_ahead(
    pondering: Engine, name: str, value: object
) -> None:
    pondering.set_option(name, value)
    assert pondering.pondering


@pytest.mark.parametrize(
    ("name", "value"), [("hash", 2), ("threads", 2), ("level", 3), ("depth", 1), ("ponder", False), ("strength", 1)]
)
def test_an_option_that_changes_searches_ends_thinking_ahead(pondering: Engine, name: str, value: object) -> None:
    pondering._search.fail = False  # type: ignore[attr-defined]
    pondering.set_option(name, value)
    assert not pondering.pondering and pondering.options.value(name) == value


def test_threads_that_the_system_refuses_are_an_invalid_value_and_the_old_ones_stay() -> None:
    search = Refusing()
    with Engine(search=search) as engine:
        with pytest.raises(OptionError, match="option threads 8: expected fewer"):
            engine.set_option("threads", 8)
        assert engine.options.threads == 1 and search.calls == ["threads 8", "threads 1"]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_engine_cannot_be_copied(copied: Callable[[object], object]) -> None:
    with Engine(search=FakeSearch()) as engine:
        for one in (engine, AsyncEngine()):
            with pytest.raises(TypeError, match="ngine cannot be copied"):
                copied(one)
