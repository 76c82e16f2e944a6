"""The command loop: order, overtaking, stopping, the end of input; with a search that ends when the test says so."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from othello_bot.base.version import __version__
from othello_bot.dialects.gtp import COMMANDS, GtpDialect
from othello_bot.engine import Limits, SearchRequest, Steps
from othello_bot.protocol.wire import InputLine
from othello_bot.session import Output, Session
from othello_bot.session.inbox import HELD_BYTES, Inbox, InputEnded, LineArrived
from othello_bot.session.jobs import Answer, DialectAdapter
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, TIMEOUT_S, LiveSession, in_process, replies

NO_BOOK = SMALL.with_value("book", "off")


@pytest.fixture
def search() -> FakeSearch:
    return FakeSearch(blocks=True, reports=2)


def test_stop_isready_and_ping_overtake_a_running_search(search: FakeSearch) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("1 genmove")
        assert search.began.wait(30)
        live.send("2 isready", "3 showboard", "4 ping 9")
        live.expect("=2 readyok\n\n=4 pong 9\n\n")
        live.send("5 stop")
        live.wait_for("=3")
    parts = replies(live.writer.text)
    assert parts[2:4] == ["=5", "=1 d3"]
    assert parts[4].startswith("=3\n")


def test_only_where_no_line_waits_the_session_prepares_the_next_move(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = threading.Event()
    monkeypatch.setattr(Session, "prepare", lambda session: prepared.set())
    in_process("name\nversion\n")
    assert not prepared.is_set()
    with LiveSession(FakeSearch()) as live:
        live.send("name")
        assert prepared.wait(TIMEOUT_S)


def test_stop_ends_every_search_asked_for_before_it(search: FakeSearch) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("genmove", "genmove", "genmove")
        assert search.began.wait(30)
        live.send("stop")
        live.wait_for("=\n\n= d3\n\n= ")
    assert len(replies(live.writer.text)) == 4
    assert len(search.runs) == 3


def test_a_search_asked_for_after_stop_is_not_ended_by_it(search: FakeSearch) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("genmove")
        assert search.began.wait(30)
        search.began.clear()
        live.send("stop", "genmove")
        live.wait_for("= d3\n\n")
        assert search.began.wait(30)
        live.send("isready")
        live.expect("=\n\n= d3\n\n= readyok\n\n")
        live.send("stop")
    assert len(replies(live.writer.text)) == 5


@pytest.mark.parametrize("line", ["", "   ", "# a comment", "isready", "nonsense"])
def test_a_stream_is_ended_by_any_line(search: FakeSearch, line: str) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("7 lz-analyze 1")
        live.wait_for("info move d3")
        live.send(line)
        live.wait_for("\n\n")
    first, *rest = live.writer.text.split("\n\n")
    assert first.startswith("=7 \ninfo move") or (rest and rest[0].startswith("=7 \ninfo move"))


@pytest.mark.parametrize("line", ["2 ping 5", "2 isready", "2 stop", "2 name"])
def test_no_reply_comes_into_the_middle_of_an_open_one(search: FakeSearch, line: str) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("1 kata-analyze 1")
        live.wait_for("info move d3")
        live.send(line)
        live.wait_for("=2")
    first, second = replies(live.writer.text)
    assert first.startswith("=1\ninfo move d3") and second.startswith("=2")


def test_genmove_analyze_is_stopped_and_its_reply_kept_whole(search: FakeSearch) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("1 lz-genmove_analyze 1")
        live.wait_for("info move d3")
        live.send("2 isready", "3 stop")
        live.wait_for("=3")
    first, *rest = replies(live.writer.text)
    assert first.startswith("=1\ninfo move d3") and first.endswith("\nplay d3")
    assert rest == ["=2 readyok", "=3"]


def test_a_stream_that_waits_its_turn_is_ended_too(search: FakeSearch) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("genmove")
        assert search.began.wait(30)
        live.send("lz-analyze", "name")
        live.send("stop")
        live.wait_for("othello-bot")
    assert [reply[:1] for reply in replies(live.writer.text)] == ["="] * 4


@pytest.mark.parametrize("line", ["", "isready"])
def test_a_cancellable_search_is_cancelled_by_any_line(search: FakeSearch, line: str) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("7 kata-search_cancellable b")
        assert search.began.wait(30)
        live.send(line)
        live.wait_for("=7 cancelled\n\n")
        search.began.clear()
        live.send("8 kata-search_analyze_cancellable b")
        assert search.began.wait(30)
        live.send(line, "9 transcript")
        live.wait_for("play cancelled\n\n")
        live.wait_for("=9 \n\n")


def test_sabaki_asks_for_its_own_analysis_by_the_same_name(search: FakeSearch) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("7 analyze B 1")
        live.wait_for("=7 \ninfo move d3 visits 50 winrate 0.5")
        live.send("")
        live.wait_for("\n\n")
    assert len(replies(live.writer.text)) == 1


def test_a_stream_without_anything_left_to_search_waits_for_a_line() -> None:
    with LiveSession(FakeSearch(reports=1, exact=True), NO_BOOK) as live:
        live.send("kata-analyze 1")
        live.wait_for("info move d3")
        assert "\n\n" not in live.writer.text
        live.send("")
        live.wait_for("\n\n")
    assert len(replies(live.writer.text)) == 1


def test_the_interrupt_comment_stops_and_is_not_answered(search: FakeSearch) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("genmove")
        assert search.began.wait(30)
        live.send("# interrupt")
        live.expect("= d3\n\n")


def test_an_analysis_stopped_before_its_first_result_says_so(search: FakeSearch) -> None:
    with LiveSession(search, NO_BOOK) as live:
        live.send("play f5", "analyze")
        assert search.began.wait(30)
        live.send("stop")
        live.wait_for("? stopped before a move was judged\n\n")
    assert replies(in_process("analyze\n", options=NO_BOOK)) == ["="]


def test_the_end_of_input_stops_only_what_has_no_limit() -> None:
    search = FakeSearch(blocks=True)
    # The move time lets the blocking search end by itself; an analysis would never.
    text = in_process("setoption move_time 50\ngenmove\nkata-analyze\nname\n", search=search, options=NO_BOOK)
    assert replies(text) == ["=", "= d3", "=", "= othello-bot"]
    assert search.runs[1][1].infinite


def test_quit_ends_the_session_and_nothing_after_it_is_obeyed() -> None:
    assert replies(in_process("1 quit\n2 name\n")) == ["=1"]


def test_a_command_is_not_charged_for_the_search_before_it() -> None:
    search = FakeSearch(blocks=True)
    options = NO_BOOK.with_value("move_time", "150")
    in_process("time_settings 10 0 0\ngenmove\ngenmove\n", search=search, options=options)
    (_, _, first, first_asked_at_s), (_, _, second, second_asked_at_s) = search.runs
    assert first_asked_at_s is not None and second_asked_at_s is not None
    # White's clock is as full as Black's was: the 150 ms of Black's search are not taken from it.
    assert second.optimum_s == pytest.approx(first.optimum_s, rel=0.05)
    assert second_asked_at_s >= first_asked_at_s + 0.149


@pytest.mark.parametrize(
    "sent",
    [
        "time_settings 0 0.1 1\ngenmove\n",
        "time_settings 0 1 1\ntime_left b 0.1 1\ngenmove\n",
        "time_settings 0 0.1 0\ntime_left b 0.1 0\ngenmove\n",
        "kata-time_settings byoyomi 0 0.1 5\ngenmove\n",
        "kgs-time_settings canadian 0 0.1 1\ngenmove\n",
        "kata-time_settings fischer-capped 600 1 -1 0.1\ngenmove\n",
        "time_settings 600 0 0\nsetoption move_time 100\ngenmove\n",
        "setoption move_time 100\ngenmove\n",
        "setoption move_time 100\nhint\n",
        "time_settings 0 0.1 1\nkata-genmove_analyze b 1\n",
    ],
)
def test_a_tenth_of_a_second_for_a_move_is_worth_90_ms_whoever_gives_it(sent: str) -> None:
    search = FakeSearch()
    in_process(f"name\n{sent}", search=search, options=NO_BOOK)
    assert search.runs[0][2].maximum_s == pytest.approx(0.09)


@pytest.mark.parametrize("increment", ["0.02", "0.05", "0.1", "1"])
def test_an_increment_is_spent_whatever_the_overhead(increment: str) -> None:
    """A clock that lives on its increment shows hardly more than that when the move begins."""
    search = FakeSearch()
    sent = f"kata-time_settings fischer 0 {increment}\ntime_left b {increment} 0\ngenmove\n"
    in_process(sent, search=search, options=NO_BOOK)
    # The first move weighs less than later ones, which get what it leaves.
    assert 0.5 * float(increment) < search.runs[0][2].optimum_s < float(increment)


def test_errors_of_the_program_are_not_taken_for_errors_of_the_user() -> None:
    search = FakeSearch()
    search.error = KeyError("a bug")
    with pytest.raises(KeyError):
        in_process("genmove\n", search=search, options=NO_BOOK)


def test_a_command_may_go_on_without_a_search_that_failed() -> None:
    def careful(call: Any) -> Steps[str]:
        try:
            found = yield SearchRequest(call.session.position, Limits(depth=1))
        except KeyError as error:
            return f"without it: {error}"
        return f"found {found.move}"

    def forced(session: Session, output: Output) -> GtpDialect:
        dialect = GtpDialect(session, output)
        dialect.table = {**COMMANDS, "name": replace(COMMANDS["name"], how=Answer(careful))}
        return dialect

    search = FakeSearch()
    assert replies(in_process("name\n", search=search, forced=forced)) == ["= found 19"]
    search.error = KeyError("a bug")
    assert replies(in_process("name\nversion\n", search=search, forced=forced)) == [
        "= without it: 'a bug'",
        f"= {__version__}",
    ]


def test_the_reader_is_held_back_while_too_much_waits() -> None:
    inbox = Inbox()
    line = LineArrived(InputLine("x" * 60_000, 60_000), time.monotonic())
    most = HELD_BYTES // line.cost_bytes + 2
    taken = []

    def fill() -> None:
        for _ in range(most + 10):
            inbox.put(line)
            taken.append(1)

    thread = threading.Thread(target=fill, daemon=True)
    thread.start()
    while len(taken) < most - 2:
        time.sleep(0.001)
    time.sleep(0.02)
    assert len(taken) < most + 5
    # Other events than lines never block: the end of a search must get through, whatever is waiting.
    inbox.put(InputEnded())
    for _ in range(most + 10):
        while not isinstance(inbox.get(30), LineArrived):
            pass
        inbox.release(line)
    thread.join(30)
    assert not thread.is_alive()


def test_what_a_move_would_wait_for_is_made_ready_when_there_is_time() -> None:
    search = FakeSearch()
    with LiveSession(search) as live:
        assert not search.prepared
        live.send("name")
        live.wait_for("othello-bot")
        live.send("protocol_version")
        live.wait_for("2")
        assert search.prepared


def test_a_command_waits_its_turn_and_ends_nothing_unless_its_dialect_says_so() -> None:
    answer: Answer[DialectAdapter] = Answer(lambda job: "")
    assert not any((answer.overtakes, answer.stops, answer.ends_on_input, answer.quits))
