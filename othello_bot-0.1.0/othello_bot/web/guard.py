"""What the server accepts: whose requests, how much and how fast.

A page of another site can send requests to this machine; its Origin gives it away. A name of another site that is made
to lead to this machine (DNS rebinding) stands in the Host.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from othello_bot.base.errors import InputError

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


def host_name(text: str) -> str:
    """Return a name of this server, in small letters and as browsers send it: a host, with a port where one follows it.

    Raise InputError for any other text, such as a whole address.
    """
    try:
        parts = urlsplit(f"//{text}")
        name, port = parts.hostname or "", parts.port
        if ":" not in name:
            name = name.encode("idna").decode()
    except ValueError:  # UnicodeError too
        name, port = "", None
    if (
        not (_is_address(name) or re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", name))
        or parts.netloc != text
        or "@" in text
    ):
        raise InputError(
            "name", text, "a host as in the browser's address, for example othello.example.org or othello:8443"
        )
    shown = f"[{name}]" if ":" in name else name
    return shown if port is None else f"{shown}:{port}"


class Guard:
    """The names under which the server may be asked: those of this machine, and further `names` that the user gave.

    A further name may come with this server's port, with the one it was given with, or with none, as behind a proxy,
    whose browsers may come by HTTPS. If the server listens to other machines (`public`), each numeric address is
    accepted, with any port, as a container's may be published elsewhere: only names can be made to lead elsewhere.
    Raise InputError for a name that is none.
    """

    def __init__(self, port: int, names: Iterable[str] = (), *, public: bool = False) -> None:
        self._port = port
        given = [host_name(name) for name in names]
        bare = {re.sub(r":\d+$", "", name) for name in given}
        self._given = frozenset([*given, *bare, *(f"{name}:{port}" for name in bare)])
        self._public = public

    def refusal(self, hosts: Sequence[str], origins: Sequence[str]) -> str:
        """Return why a request with these Host and Origin headers is refused; "" if it is not."""
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return f"Host {_short(hosts)}: expected 127.0.0.1:{self._port}, or a name that --name gives"
        if len(origins) > 1 or (origins and not self._is_own_origin(origins[0].lower(), hosts[0].lower())):
            return f"Origin {_short(origins)}: expected that of this page, or of a name that --name gives"
        return ""

    def _is_own_origin(self, origin: str, host: str) -> bool:
        """Return whether an Origin is that of this page. A given name may stand there alone: proxies change the Host."""
        scheme, _, name = origin.partition("://")
        return origin == f"http://{host}" or (scheme in ("http", "https") and name in self._given)

    def _is_ours(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        if host.lower() in self._given:
            return True
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if (port != self._port and not self._public) or parts.netloc != host or "@" in host:
            return False
        shown = f"[{name}]" if ":" in name else name
        return shown.lower() in LOOPBACK or (self._public and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _short(values: Sequence[str]) -> str:
    return ", ".join(values)[:60] or "missing"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of the server.

    message_bytes      longest message of a tab
    upload_bytes       longest upload: a WTHOR base of 100,000 games and its names
    messages_per_s     messages of a tab that are read in a second in the long run; more wait unread
    burst              messages of a tab that are read at once
    tabs               tabs at a time
    connections        connections at a time, those of the tabs included
    idle_s             seconds after which a connection ends that has not sent its request
    ping_s             seconds between two pings of a tab; one that answers none is gone
    unsent             replies that may wait for a tab that does not read; then it is closed
    move_s             longest time in seconds of a move without a clock
    uploads            uploads that are read at a time; more are refused
    upload_s           longest time in seconds in which an upload is read
    """

    message_bytes: int = 1 << 16
    upload_bytes: int = 24 << 20
    messages_per_s: float = 100.0
    burst: int = 200
    tabs: int = 32
    connections: int = 128
    idle_s: float = 20.0
    ping_s: float = 20.0
    unsent: int = 512
    move_s: float = 10.0
    uploads: int = 2
    upload_s: float = 30.0


class Pace:
    """A bucket of tokens, one a message: full at first, refilled at a steady rate."""

    def __init__(self, per_s: float, burst: int, now_s: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = float(burst)
        self._at_s = now_s

    def wait_s(self, now_s: float) -> float:
        """Count a message; return for how many seconds no further one should be read."""
        self._tokens = min(self._burst, self._tokens + (now_s - self._at_s) * self._per_s) - 1
        self._at_s = now_s
        return max(0.0, -self._tokens / self._per_s)
