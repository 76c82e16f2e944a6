"""Run sessions for the tests: in this process, or as a real one, with the same interface."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from othello_bot.book.book import Book
from othello_bot.daemon.process import PipeSource
from othello_bot.dialects.choice import AnyDialect
from othello_bot.engine.deepening import Search
from othello_bot.engine.engine import Engine
from othello_bot.engine.options import Options
from othello_bot.protocol.wire import InputLine, LineSplitter, LineWriter
from othello_bot.session import Output
from othello_bot.session.inbox import Inbox, InputEnded, LineArrived
from othello_bot.session.jobs import Answer, DialectAdapter, Job
from othello_bot.session.loop import CommandLoop
from othello_bot.session.session import Session

COMMAND = [sys.executable, "-m", "othello_bot"]
SMALL = Options().with_value("hash", "1")
TIMEOUT_S = 60.0
"""Seconds after which a test gives up on a process: far more than anything here takes, on the slowest machine."""


Forced = Callable[[Session, Output], DialectAdapter]
"""Makes the dialect of a session that does not detect it."""


def in_process(data: bytes | str, **settings: Any) -> str:
    """Return the output of a session for this input, run to its end in this process; see `run_in_process`."""
    return run_in_process(data, **settings).text


@dataclass(frozen=True)
class EndedSession:
    """A session that was run to its end: its output, and its state."""

    text: str
    session: Session
    dialect: DialectAdapter | None


def run_in_process(
    data: bytes | str,
    *,
    search: Search | None = None,
    options: Options = SMALL,
    book: Book | None = None,
    forced: Forced | None = None,
) -> EndedSession:
    """Run a session over this input to its end in this process."""
    raw = data.encode() if isinstance(data, str) else data
    splitter = LineSplitter()
    inbox = Inbox()
    for line in [*splitter.feed(raw), *splitter.finish()]:
        inbox.put(LineArrived(line, time.monotonic()))
    inbox.put(InputEnded())
    writer = CollectingWriter()
    with Engine(options, search=search, book=book) as engine:
        session = Session(engine)
        try:
            output = Output(writer, session.traffic)
            dialect = AnyDialect(session, output, None if forced is None else forced(session, output))
            CommandLoop(lambda: engine, dialect, inbox, PipeSource(inbox, writer)).run()
        finally:
            session.traffic.close()
    return EndedSession(writer.text, session, dialect.chosen)


class CollectingWriter(LineWriter):
    """A writer that collects its output."""

    def __init__(self) -> None:
        super().__init__(-1)
        self.text = ""
        self.changed = threading.Condition()

    def reader_is_gone(self) -> bool:
        return False

    def write(self, text: str) -> bool:
        with self.changed:
            self.text += text
            self.changed.notify_all()
        return True


class LiveSession:
    """A session in a thread of this process, which a test drives line by line. A context manager."""

    def __init__(self, search: Search, options: Options = SMALL, forced: Forced | None = None) -> None:
        self.inbox = Inbox()
        self.writer = CollectingWriter()
        self.engine = Engine(options, search=search)
        self.session = Session(self.engine)
        output = Output(self.writer, self.session.traffic)
        dialect = AnyDialect(self.session, output, None if forced is None else forced(self.session, output))
        self._loop = CommandLoop(lambda: self.engine, dialect, self.inbox, PipeSource(self.inbox, self.writer))
        self._thread = threading.Thread(target=self._loop.run, name="session under test", daemon=True)

    def __enter__(self) -> LiveSession:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.inbox.put(InputEnded())
        self._thread.join(TIMEOUT_S)
        self.engine.close()
        self.session.traffic.close()
        assert not self._thread.is_alive()

    def send(self, *lines: str) -> None:
        for line in lines:
            self.inbox.put(LineArrived(InputLine(line, len(line)), time.monotonic()))

    def expect(self, text: str) -> None:
        """Wait until the whole output is `text`."""
        with self.writer.changed:
            self.writer.changed.wait_for(lambda: len(self.writer.text) >= len(text), TIMEOUT_S)
            assert self.writer.text == text

    def wait_for(self, part: str) -> None:
        """Wait until the output contains `part`."""
        with self.writer.changed:
            assert self.writer.changed.wait_for(lambda: part in self.writer.text, TIMEOUT_S), self.writer.text


def real_process(data: bytes | str, arguments: Sequence[str] = ()) -> str:
    """Return the real program's output for this input; it must exit by itself, with code 0 and nothing on stderr."""
    raw = data.encode() if isinstance(data, str) else data
    done = subprocess.run(
        [*COMMAND, "--option", "hash=1", *arguments], input=raw, capture_output=True, timeout=TIMEOUT_S, check=False
    )
    assert done.stderr == b"", done.stderr.decode()
    assert done.returncode == 0
    return done.stdout.decode()


def replies(text: str) -> list[str]:
    """Return the GTP replies in a session's output, without the empty lines that end them and the space after a bare
    head.
    """
    assert text == "" or text.endswith("\n\n"), f"the output does not end with a complete reply: {text[-80:]!r}"
    found = text.split("\n\n")[:-1]
    for reply in found:
        assert reply[:1] in ("=", "?"), f"not a reply: {reply!r}"
    return [_without_spaces_at_line_ends(reply) for reply in found]


def _without_spaces_at_line_ends(reply: str) -> str:
    # Documented examples cannot show them; tests/protocol/test_gtp_grammar.py holds every byte of the framing.
    return "\n".join(line.rstrip(" ") for line in reply.split("\n"))


def matches(expected: str, reply: str) -> bool:
    """Return whether a reply is the expected one, in which `...` matches anything."""
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, reply, re.DOTALL) is not None


def dialogue(text: str) -> list[tuple[str, str]]:
    """Return the (command, reply) pairs of a documented example."""
    pairs: list[tuple[str, list[str]]] = []
    for line in text.strip("\n").split("\n"):
        if line.startswith("> "):
            pairs.append((line[2:], []))
        else:
            pairs[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in pairs]


def check_dialogue(text: str, run: Iterable[str] | None = None) -> None:
    """Send the commands of an example to a new session and compare the replies."""
    pairs = dialogue(text)
    answers = replies(in_process("".join(f"{command}\n" for command, _ in pairs)))
    assert len(answers) == len(pairs)
    for (command, expected), answer in zip(pairs, answers, strict=True):
        assert matches(expected, answer), f"{command}: expected {expected!r}, got {answer!r}"


def job_of(asked_at_s: float) -> Job[Any]:
    """Return the job of a line that arrived at this moment."""
    return Job(DialectAdapter(), None, Answer(lambda job: ""), asked_at_s)
