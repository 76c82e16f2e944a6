"""Which Host and Origin are this server's."""

from __future__ import annotations

import pytest

from othello_bot.web.guard import Guard, Pace


@pytest.mark.parametrize("host", ["127.0.0.1:80", "localhost:80", "LOCALHOST", "[::1]:80", "board.lan"])
def test_own_names(host: str) -> None:
    guard = Guard(80, ["board.lan"])
    assert guard.refusal([host], []) == "" == guard.refusal([host], [f"http://{host}"])


@pytest.mark.parametrize("host", ["", "a@127.0.0.1:80", "127.0.0.1:80/x", "127.0.0.1:81", "[::1", "10.0.0.1", "x:y"])
def test_other_names(host: str) -> None:
    assert Guard(80).refusal([host], [])
    assert Guard(80).refusal(["localhost", host], [])


def test_numeric_addresses_count_only_where_others_may_ask() -> None:
    assert Guard(80, public=True).refusal(["10.0.0.1"], []) == ""
    assert Guard(80, public=True).refusal(["evil.example"], [])


def test_messages_beyond_the_burst_wait() -> None:
    pace = Pace(per_s=10, burst=2, now_s=0)
    assert [pace.wait_s(0), pace.wait_s(0), pace.wait_s(0)] == [0, 0, pytest.approx(0.1)]
    assert pace.wait_s(10) == 0
