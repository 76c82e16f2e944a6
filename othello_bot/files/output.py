"""The output of a session: through the process's only writer, and into the traffic log."""

from __future__ import annotations

from othello_bot.files.traffic import TrafficLog
from protocol.wire import LineWriter


class Output:
    """Writes replies, and logs them while a log is open."""

    def __init__(self, writer: LineWriter, traffic: TrafficLog) -> None:
        self._writer = writer
        self._traffic = traffic

    def write(self, text: str) -> None:
        """Write a text unchanged and flush it."""
        self._writer.write(text)
        self._traffic.sent(text)

    def line(self, text: str) -> None:
        """Write one line; the line feed is added."""
        self.write(text + "\n")
