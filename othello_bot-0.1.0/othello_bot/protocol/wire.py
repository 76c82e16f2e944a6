"""Lines over file descriptors: cleaning, splitting with bounded memory, a reader thread, the only writer.

Only a ``LineWriter`` writes to the standard output of an engine, and only a ``LineReader`` reads its standard input.
Both use raw descriptors without Python's buffers, so nothing is delayed and nothing is left to flush (or to fail) when
the interpreter ends.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from othello_bot.base import descriptors, posix

MAX_LINE_BYTES: Final = 65_536
"""Limit of a line in bytes: the longest sensible one, a game with comments, has a few thousand. Longer lines are not
stored.
"""

KEPT_OF_OVERLONG_BYTES: Final = 256
"""Bytes kept of the beginning of an overlong line: enough for the id and the command, which the error names."""

READ_BYTES: Final = 65_536

# C0 and C1 controls, DEL, the byte order mark that Windows shells send first, and Unicode's line separators. A tab
# becomes two spaces, which separate columns in pasted lines; everything else stays.
_CLEANING: Final = {
    **dict.fromkeys(range(0x20)),
    **dict.fromkeys(range(0x7F, 0xA0)),
    **dict.fromkeys((0xFEFF, 0x2028, 0x2029)),
    0x09: "  ",
}


def clean(raw: bytes | str) -> str:
    """Return one line in the form for parsers: decoded, tabs as spaces, control characters removed, ends stripped.

    Bytes that are not UTF-8 become lone surrogates (PEP 383), so a file name in another encoding still names its file;
    ``LineWriter`` escapes them.
    """
    text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
    return text.translate(_CLEANING).strip()


def strip_comment(text: str) -> str:
    """Return the line without ``#`` and the text after it (GTP 2, section 3.1)."""
    return text.partition("#")[0].rstrip()


@dataclass(frozen=True, slots=True)
class InputLine:
    """One input line.

    Attributes:
        text: the cleaned line; of an overlong line only the beginning.
        length: bytes that arrived, without the line feed.
        overlong: the line exceeded the reader's limit; answer ``text``, but do not execute it.
        complete: false if the input ended before the line feed.
    """

    text: str
    length: int
    overlong: bool = False
    complete: bool = True


class LineSplitter:
    """Splits a stream of bytes into lines; holds at most ``max_bytes`` of an unfinished one, however long it is."""

    def __init__(self, max_bytes: int = MAX_LINE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._held = bytearray()
        self._length = 0

    def feed(self, data: bytes) -> list[InputLine]:
        """Return the lines that ``data`` completes, in order."""
        *ended, rest = data.split(b"\n")
        lines = []
        for part in ended:
            self._hold(part)
            lines.append(self._take(complete=True))
        self._hold(rest)
        return lines

    @property
    def beginning(self) -> str:
        """What has come of the next line."""
        return clean(bytes(self._held[:KEPT_OF_OVERLONG_BYTES]))

    def finish(self) -> list[InputLine]:
        """Return the incomplete line at the end of input, if there is one."""
        return [self._take(complete=False)] if self._length else []

    def _hold(self, part: bytes) -> None:
        self._length += len(part)
        space = self._max_bytes - len(self._held)
        if space > 0:
            self._held += part[:space]
        if self._length > self._max_bytes:
            del self._held[KEPT_OF_OVERLONG_BYTES:]

    def _take(self, *, complete: bool) -> InputLine:
        overlong = self._length > self._max_bytes
        kept = bytes(self._held[:KEPT_OF_OVERLONG_BYTES] if overlong else self._held)
        line = InputLine(clean(kept), self._length, overlong, complete)
        self._held.clear()
        self._length = 0
        return line


class LineReader:
    """Reads a descriptor in its own daemon thread and calls back for each line, so that a line can overtake.

    ``on_line`` is called in the reader's thread, in the order of arrival; while it blocks, nothing more is read, which
    slows down a controller that sends faster than it is answered. ``on_end`` is called once, last: with None at the end
    of input, or with the exception that ended reading (including one that ``on_line`` raised). The owner must report
    it; it is never swallowed here.
    """

    def __init__(
        self,
        fd: int,
        on_line: Callable[[InputLine], None],
        on_end: Callable[[BaseException | None], None],
        max_bytes: int = MAX_LINE_BYTES,
        name: str = "line reader",
    ) -> None:
        self._fd = fd
        self._on_line = on_line
        self._on_end = on_end
        self._splitter = LineSplitter(max_bytes)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def beginning(self) -> str:
        """What has come of a line whose end has not."""
        return self._splitter.beginning

    def start(self) -> None:
        """Start reading. Raise MemoryError if the system gives no thread."""
        try:
            self._thread.start()
        except RuntimeError as error:
            raise MemoryError("no memory for the thread that reads the input") from error

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the input has ended; return whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        problem: BaseException | None = None
        try:
            while data := read_some(self._fd):
                for line in self._splitter.feed(data):
                    self._on_line(line)
            for line in self._splitter.finish():
                self._on_line(line)
        except BaseException as error:  # noqa: BLE001 - handed to on_end: a thread has nobody else to raise to
            problem = error
        self._on_end(problem)


def read_some(fd: int) -> bytes:
    """Block until the descriptor has data and return it; ``b""`` at the end of input.

    A terminal whose other side is gone counts as ended. Wait for a non-blocking descriptor (inherited from the parent).
    Raise OSError for any other failure.
    """
    while True:
        try:
            return os.read(fd, READ_BYTES)
        except BlockingIOError:
            posix.wait_readable(fd)
        except OSError as error:
            if error.errno in (errno.EIO, errno.EPIPE, errno.ECONNRESET):
                return b""
            raise


class LineWriter:
    """The only writer: whole texts, at once, from any thread.

    If the other side is gone (or the disk under a redirected output is full), ``on_closed`` is called once with the
    error, from the thread that wrote, and later output is dropped silently: that event ends the session, not an
    exception in the middle of a search.
    """

    def __init__(self, fd: int, on_closed: Callable[[OSError], None] | None = None) -> None:
        self._fd = fd
        self._on_closed = on_closed
        self._lock = threading.Lock()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether writing has failed."""
        return self._closed

    def reader_is_gone(self) -> bool:
        """Return whether output can no longer be read: the other end of a pipe or socket is closed.

        Return False for a file or a terminal, or if the system cannot tell.
        """
        if self._closed:
            return True
        return posix.has_lost_reader(self._fd)

    def line(self, text: str) -> bool:
        """Write one line; the line feed is added. Return whether it was written."""
        return self.write(text + "\n")

    def write(self, text: str) -> bool:
        """Write ``text`` unchanged, in one piece with respect to other threads. Return whether it was written."""
        data = memoryview(text.encode("utf-8", "backslashreplace"))
        with self._lock:
            if self._closed:
                return False
            try:
                self._send(data)
                return True
            except OSError as error:
                self._closed = True
                problem = error
        # Called without the lock, because the owner may write a last message.
        if self._on_closed is not None:
            self._on_closed(problem)
        return False

    def _send(self, data: memoryview) -> None:
        while data:
            try:
                data = data[os.write(self._fd, data) :]
            except BlockingIOError:
                posix.wait_writable(self._fd)


def claim_stdout() -> int:
    """Return a private descriptor for the standard output and redirect all other output to stderr.

    After this call, a stray ``print``, in Python or in C, cannot be mistaken for a reply. A file that is written to
    /dev/stdout still goes to the standard output.
    """
    sys.stdout.flush()
    private = descriptors.moved(1)
    os.dup2(2, 1)
    return private


def stdin_with_end() -> Callable[[], None]:
    """Put a pipe in the place of the standard input, and return a function that ends what can be read there.

    For those who read in a thread of their own, which nothing else would wake. What arrives later is dropped.
    """
    source, nowhere = os.dup(0), os.open(os.devnull, os.O_WRONLY)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)

    def end() -> None:
        os.dup2(nowhere, writing)  # the number stays valid for the thread

    def copy() -> None:
        try:
            while data := read_some(source):
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(writing, rest) :]
        finally:
            end()

    threading.Thread(target=copy, name="stdin copier", daemon=True).start()
    return end


MOST_WAITING_LINES: Final = 10_000
"""Most unread lines; an engine that writes more is blocked."""


class Mailbox:
    """Lines on their way from the reader's thread to the caller: bounded, and safe to use after closing."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lines: deque[tuple[InputLine, float]] = deque()
        self._ended = False
        self._discarding = False

    def put(self, line: InputLine) -> None:
        """Add a line (called in the reader's thread); block while there are too many."""
        at = time.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: self._discarding or len(self._lines) < MOST_WAITING_LINES)
            if self._discarding:
                return
            self._lines.append((line, at))
            self._changed.notify_all()

    def end(self) -> None:
        """Note the end of the stream."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def discard(self) -> None:
        """Drop all lines from now on, so that blocked threads continue and can end."""
        with self._changed:
            self._discarding = True
            self._lines.clear()
            self._changed.notify_all()

    def take(self) -> tuple[InputLine, float] | None:
        """Return the next line, or None if there is none now."""
        with self._changed:
            if not self._lines:
                return None
            self._changed.notify_all()
            return self._lines.popleft()

    @property
    def ended(self) -> bool:
        """Whether the stream has ended (lines may still wait)."""
        return self._ended

    def wait(self, timeout_s: float) -> None:
        """Block until there is a line or the end, at most for the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._lines) or self._ended, timeout_s)
