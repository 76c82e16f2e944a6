"""Which requests are this page's: by their Host and Origin, so that no other site reaches the engine.

A page of another site can send requests to this machine; its Origin gives it away. A name of another site that is made
to lead to this machine (DNS rebinding) stands in the Host.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


class Guard:
    """The names under which the server may be asked: those of this machine, and further `names` that the user gave.

    If it listens to other machines (`public`), each numeric address is accepted: only names can be made to lead
    elsewhere.
    """

    def __init__(self, port: int, names: Iterable[str] = (), *, public: bool = False) -> None:
        self._port = port
        self._names = frozenset(name.lower() for name in (*LOOPBACK, *names))
        self._public = public

    def refusal(self, hosts: Sequence[str], origins: Sequence[str]) -> str:
        """Return why a request with these Host and Origin headers is refused; "" if it is not."""
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return f"Host {_short(hosts)}: expected 127.0.0.1:{self._port}"
        if len(origins) > 1 or (origins and origins[0].lower() != f"http://{hosts[0].lower()}"):
            return f"Origin {_short(origins)}: expected that of this page"
        return ""

    def _is_ours(self, host: str) -> bool:
        """Return whether a Host header names this server with its port."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if port != self._port or parts.netloc != host or "@" in host:
            return False
        shown = f"[{name}]" if ":" in name else name
        return shown.lower() in self._names or (self._public and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _short(values: Sequence[str]) -> str:
    return ", ".join(values)[:60] or "missing"
