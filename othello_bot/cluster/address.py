"""The address of a Dask scheduler: what is one, and whether others can reach it without a certificate."""

from __future__ import annotations

import functools
import ipaddress
import socket
import sys
from typing import Final

from othello_bot.base.errors import InputError

_ENCRYPTED: Final = ("tls", "wss")

_HOST_AND_PORT: Final = "host and port of a Dask scheduler, like tcp://127.0.0.1:8786 or tls://host:8786"


def split(address: str) -> tuple[str, str]:
    """Return scheme and host of an address like tcp://[::1]:8786; the scheme is tcp where none is written.

    Raise InputError for a text that names no host and port.
    """
    scheme, separator, place = address.partition("://")
    if not separator:
        scheme, place = "tcp", address
    if scheme == "inproc":
        return scheme, ""
    host, colon, port = place.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if bracketed:
        host = host[1:-1]
    good_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536
    if not (scheme and colon and host and good_port and host.isprintable()) or " " in host or "/" in host:
        raise InputError("cluster", address, _HOST_AND_PORT)
    if (":" in host) != bracketed:
        raise InputError("cluster", address, f"{_HOST_AND_PORT}; an IPv6 address stands in brackets, tcp://[::1]:8786")
    return scheme, host


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, reached by no other: localhost, 127.x.y.z or ::1, in any spelling."""
    name = host.lower().rstrip(".")
    try:
        number = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        try:
            # Short and hexadecimal forms, like 127.1; it ignores what follows a space.
            number = ipaddress.ip_address(socket.inet_aton(name.replace(" ", "?")))
        except (OSError, ValueError):
            return name == "localhost"
    mapped = number.ipv4_mapped if isinstance(number, ipaddress.IPv6Address) else None
    return (mapped or number).is_loopback


@functools.cache
def warn_of(address: str) -> None:
    """Warn on stderr, once, of an address that others can reach without a certificate.

    Whoever reaches a scheduler can run any code on its workers, and a scheduler's reply can run code here. Raise
    InputError for a text that names no host and port.
    """
    scheme, host = split(address)
    if scheme in (*_ENCRYPTED, "inproc") or is_loopback(host):
        return
    sys.stderr.write(
        f"othello-bot: warning: the cluster at {address} is neither on this machine nor reached by tls://;"
        " anybody who can connect to its scheduler can run any code on it (docs/arena-cookbook.md)\n"
    )
