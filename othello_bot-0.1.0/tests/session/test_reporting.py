"""The command loop by itself: waiting lines, reports at intervals, and the observer of all searches."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.daemon.process import PipeSource
from othello_bot.dialects.choice import AnyDialect
from othello_bot.engine import Engine, Limits, SearchRequest, SearchResult, Steps
from othello_bot.protocol.wire import MAX_LINE_BYTES, InputLine, LineSplitter
from othello_bot.rules import Position
from othello_bot.session import Output
from othello_bot.session import loop as loop_module
from othello_bot.session.inbox import HELD_BYTES, Inbox, InputEnded, LineArrived
from othello_bot.session.loop import CommandLoop, SearchObserver
from othello_bot.session.session import Session
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, CollectingWriter, job_of

RESULT = SearchResult((EvaluatedMove(19, 3, (19,), 8, 73, False),), 100, 0.1)
NO_BOOK = SMALL.with_value("book", "off")


def loop_of(engine: Engine, *lines: str, observer: SearchObserver | None = None) -> CommandLoop:
    """Return a loop over these lines, which are the whole input."""
    inbox, splitter = Inbox(), LineSplitter()
    for line in splitter.feed("".join(f"{line}\n" for line in lines).encode()):
        inbox.put(LineArrived(line, time.monotonic()))
    inbox.put(InputEnded())
    writer = CollectingWriter()
    session = Session(engine)
    dialect = AnyDialect(session, Output(writer, session.traffic))
    return CommandLoop(lambda: engine, dialect, inbox, PipeSource(inbox, writer), observer)


def test_a_line_costs_its_text_and_a_little_more() -> None:
    assert LineArrived(InputLine("x" * 1000, 1000), 0.0).cost_bytes == 1256
    assert HELD_BYTES >= 4 * MAX_LINE_BYTES


def test_an_event_is_waited_for() -> None:
    inbox = Inbox()
    assert inbox.get(0.0) is None
    timer = threading.Timer(0.02, lambda: inbox.put(InputEnded()))
    timer.start()
    assert inbox.get(0.9) == InputEnded()
    timer.join()


def test_reports_come_at_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [9.5]
    seen: list[SearchResult] = []
    with Engine(NO_BOOK, search=FakeSearch()) as engine:
        loop = loop_of(engine)
        monkeypatch.setattr(loop_module, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
        assert loop._seconds_to_report() is None
        loop._report_when_due()  # without a search
        loop._request = SearchRequest(Position.start(), Limits(), seen.append)
        assert loop._seconds_to_report() is None
        loop._improvement = RESULT
        loop._report_when_due()  # without an interval
        loop._request = SearchRequest(Position.start(), Limits(), seen.append, report_every_s=0.25)
        loop._next_report_s = 10.0
        assert loop._seconds_to_report() == 0.5
        loop._report_when_due()
        assert seen == []
        now_s[0] = 10.125
        assert loop._seconds_to_report() == 0.0
        loop._report_when_due()
        assert seen == [RESULT] and loop._next_report_s == 10.375
        loop._report_when_due()
        now_s[0], loop._improvement = 10.375, None
        loop._report_when_due()
        assert seen == [RESULT] and loop._next_report_s == 10.625


def test_the_first_report_comes_after_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps() -> Steps[str]:
        yield SearchRequest(Position.start(), Limits(), lambda result: None, report_every_s=0.25)
        return "done"

    with Engine(NO_BOOK, search=FakeSearch()) as engine:
        loop = loop_of(engine)
        monkeypatch.setattr(loop_module, "time", SimpleNamespace(monotonic=lambda: 9.5))
        loop._job, loop._steps = job_of(9.0), steps()
        assert loop._advance(None) is None
        assert loop._seconds_to_report() == 0.25


class Seen(SearchObserver):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def began(self, request: SearchRequest) -> None:
        self.calls.append("began")

    def improved(self, result: SearchResult) -> None:
        self.calls.append(f"depth {result.depth}")

    def ended(self) -> None:
        self.calls.append("ended")


def test_an_observer_sees_every_search() -> None:
    seen = Seen()
    with Engine(NO_BOOK, search=FakeSearch(reports=2)) as engine:
        loop_of(engine, "genmove", "name", "genmove", observer=seen).run()
    assert seen.calls == ["began", "depth 1", "depth 2", "ended"] * 2


def test_the_room_of_every_line_is_free_at_the_end() -> None:
    with Engine(NO_BOOK, search=FakeSearch()) as engine:
        loop = loop_of(engine, "genmove", "", "# a comment", "nonsense", "isready", "name")
        assert loop._inbox._held_bytes > 0
        loop.run()
        assert loop._inbox._held_bytes == 0
