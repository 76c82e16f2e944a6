"""What a browser may send, how much and how fast: every bound of the server in one value."""

from __future__ import annotations

from dataclasses import dataclass


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
