"""The progress of a growing book as a line, and the statistics of a book as lines."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from othello_bot.book import Entry
from othello_bot.book_growing import showing
from othello_bot.book_growing.growing import GrowthProgress
from othello_bot.book_growing.showing import PLAIN_EVERY_S, GrowthDisplay


class Clock:
    """A clock that a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = self.processor_s = 0.0
        clocks = SimpleNamespace(monotonic=lambda: self.now_s, process_time=lambda: self.processor_s)
        monkeypatch.setattr(showing, "time", clocks)


def test_a_line_every_half_minute(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock(monkeypatch)
    written = []
    with GrowthDisplay() as display:
        for now_s in (0.0, PLAIN_EVERY_S - 0.1, PLAIN_EVERY_S, PLAIN_EVERY_S + 1, 2 * PLAIN_EVERY_S):
            clock.now_s = now_s
            display.show(GrowthProgress(0, 0, 7, 0, None))
            written.append(capsys.readouterr().err)
    line = "7 positions, 0 of them new; 0 searches\n"
    assert written == [line, "", line, "", line]


def test_what_the_line_says(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    display, elsewhere = GrowthDisplay(), GrowthDisplay(here=False)
    clock.now_s, clock.processor_s = 10.0, 2.0
    rate = "2.50 s a search (0.50 s of processor time)"
    assert display.line(GrowthProgress(4, 2, 9, 5, Entry(3))) == (
        f"9 positions, 2 of them new; 4 searches, {rate}; 5 leaves within reach; start +3"
    )
    assert elsewhere.line(GrowthProgress(4, 2, 9, 0, None)) == "9 positions, 2 of them new; 4 searches, 2.50 s a search"


def test_the_first_score_of_the_start_is_told_once_it_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch)
    display = GrowthDisplay()
    display.show(GrowthProgress(0, 0, 1, 0, None))
    display.show(GrowthProgress(0, 0, 1, 0, Entry(2)))
    display.show(GrowthProgress(0, 0, 1, 0, Entry(-1)))
    assert display.line(GrowthProgress(0, 0, 1, 0, Entry(2))).endswith("start +2")
    assert display.line(GrowthProgress(0, 0, 1, 0, Entry(-1))).endswith("start -1, +2 before")
