"""Which Host and Origin are this server's."""

from __future__ import annotations

import pytest

from othello_bot.base.errors import InputError
from othello_bot.web.guard import Guard, Pace, host_name


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


@pytest.mark.parametrize(
    "host", ["localhost:9000", "127.0.0.1:9000", "192.168.1.20:9000", "[fd00::7]:9000", "10.0.0.1"]
)
def test_a_published_port_may_be_another_than_the_servers(host: str) -> None:
    """A container listens on 8064 and is asked at the port that its owner has published."""
    public = Guard(8064, public=True)
    assert public.refusal([host], []) == "" and public.refusal([host], [f"http://{host}"]) == ""
    assert public.refusal([host], ["http://evil.example:9000"]) and public.refusal([host], ["http://localhost:9001"])
    assert public.refusal(["evil.example:9000"], ["http://evil.example:9000"])
    assert Guard(8064).refusal([host], [])


@pytest.mark.parametrize(
    ("name", "host", "origin"),
    [
        ("othello.example.org", "othello.example.org", "https://othello.example.org"),
        ("othello.example.org", "OTHELLO.example.org", "http://othello.example.org"),
        ("othello.example.org", "othello.example.org:8064", "http://othello.example.org:8064"),
        ("othello.example.org:8443", "othello.example.org:8443", "https://othello.example.org:8443"),
        ("othello.example.org:8443", "othello.example.org", "https://othello.example.org:8443"),
        ("othello.example.org", "127.0.0.1:8064", "https://othello.example.org"),  # a proxy that changes the Host
        ("Bücher.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("[2001:DB8::1]:443", "[2001:db8::1]", "https://[2001:db8::1]"),
        ("localhost:8443", "localhost:8443", "https://localhost:8443"),
    ],
)
def test_a_given_name_needs_no_port_and_comes_by_https(name: str, host: str, origin: str) -> None:
    guard = Guard(8064, [name])
    assert guard.refusal([host], [origin]) == "" == guard.refusal([host], [])


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("othello.example.org", "https://evil.example"),
        ("othello.example.org", "https://othello.example.org.evil.example"),
        ("othello.example.org", "https://othello.example.org:8443"),
        ("othello.example.org", "null"),
        ("othello.example.org", "ftp://othello.example.org"),
        ("othello.example.org", "https://othello.example.org/"),
        ("othello.example.org", "http://127.0.0.1:8064"),
        ("othello.example.org:81", "http://othello.example.org:81"),
        ("evil.example", "https://othello.example.org"),
        ("127.0.0.1:8064", "https://127.0.0.1:8064"),
    ],
)
def test_another_origin_is_refused_behind_a_proxy_too(host: str, origin: str) -> None:
    assert Guard(8064, ["othello.example.org"]).refusal([host], [origin])


@pytest.mark.parametrize(
    "text", ["", "https://a.example", "a.example/", "a b", "a:x", "u@a.example", "*", "a..b", ":80"]
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="a host as in the browser's address"):
        host_name(text)


def test_messages_beyond_the_burst_wait() -> None:
    pace = Pace(per_s=10, burst=2, now_s=0)
    assert [pace.wait_s(0), pace.wait_s(0), pace.wait_s(0)] == [0, 0, pytest.approx(0.1)]
    assert pace.wait_s(10) == 0
