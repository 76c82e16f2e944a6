"""Lines: cleaning, splitting, the reader's thread, the only writer."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base import descriptors
from othello_bot.protocol.wire import (
    KEPT_OF_OVERLONG_BYTES,
    MAX_LINE_BYTES,
    InputLine,
    LineReader,
    LineSplitter,
    LineWriter,
    claim_stdout,
    clean,
    strip_comment,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        (b"play b f5", "play b f5"),
        (b"play\tb\tf5\r", "play  b  f5"),
        (b"  name  ", "name"),
        (b"\xef\xbb\xbfname", "name"),
        (b"na\x00me\x07\x1b", "name"),
        (b"n\x00a\x00m\x00e\x00", "name"),
        (b"\x7f\x80", "\udc80"),
        ("l\u2028e\x85e".encode(), "lee"),
        ("loadsgf Zürich.sgf".encode(), "loadsgf Zürich.sgf"),
        (b"", ""),
        (b" \t\r", ""),
    ],
)
def test_cleaning(raw: bytes, cleaned: str) -> None:
    assert clean(raw) == cleaned


@given(st.binary())
def test_a_cleaned_line_has_nothing_that_could_end_or_bend_it(raw: bytes) -> None:
    text = clean(raw)
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in text)
    assert len(text.splitlines()) <= 1
    assert clean(text) == text


@given(st.text(alphabet=st.characters(min_codepoint=33, exclude_characters="\ufeff\u2028\u2029", codec="utf-8")))
def test_printable_text_stays_as_it_is(text: str) -> None:
    kept = "".join(c for c in text if not 0x7F <= ord(c) < 0xA0).strip()
    assert clean(text.encode()) == kept


def test_file_names_that_are_not_utf_8_survive() -> None:
    assert os.fsencode(clean(b"loadsgf \xe9t\xe9.sgf")) == b"loadsgf \xe9t\xe9.sgf"


@pytest.mark.parametrize(
    ("line", "rest"), [("name # who", "name"), ("# all", ""), ("name", "name"), ("a#b#c", "a"), ("", "")]
)
def test_comments(line: str, rest: str) -> None:
    assert strip_comment(line) == rest


@given(st.lists(st.binary(max_size=12)).map(b"\n".join), st.integers(1, 9))
def test_splitting_does_not_depend_on_the_pieces(stream: bytes, size: int) -> None:
    *ended, rest = stream.split(b"\n")
    expected = [InputLine(clean(part), len(part)) for part in ended]
    if rest:
        expected.append(InputLine(clean(rest), len(rest), complete=False))
    splitter = LineSplitter()
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert [line for piece in pieces for line in splitter.feed(piece)] + splitter.finish() == expected


def test_half_a_line_at_the_end_is_a_line() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"name\nvers") == [InputLine("name", 4)]
    assert splitter.feed(b"ion") == []
    assert splitter.finish() == [InputLine("version", 7, complete=False)]
    assert splitter.finish() == []


def test_a_line_of_the_greatest_length_is_taken_and_one_more_byte_is_not() -> None:
    splitter = LineSplitter(max_bytes=300)
    longest, longer = splitter.feed(b"x" * 300 + b"\n" + b"y" * 301 + b"\n")
    assert (longest.overlong, longest.text) == (False, "x" * 300)
    assert (longer.overlong, longer.length) == (True, 301)
    assert longer.text == "y" * KEPT_OF_OVERLONG_BYTES


def test_a_line_of_ten_megabytes_is_not_stored() -> None:
    splitter = LineSplitter()
    piece = b"x" * 65_536
    tracemalloc.start()
    try:
        assert splitter.feed(b"17 play ") == []
        for _ in range(160):
            assert splitter.feed(piece) == []
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    (line,) = splitter.feed(b"\n")
    assert line.overlong
    assert line.length == 8 + 160 * 65_536
    assert line.text.startswith("17 play x")
    assert peak < 6 * MAX_LINE_BYTES
    assert splitter.feed(b"name\n") == [InputLine("name", 4)]


class Collected:
    """What a reader has called back with."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.ends: list[BaseException | None] = []
        self.ended = threading.Event()

    def line(self, line: InputLine) -> None:
        self.lines.append(line.text)

    def end(self, error: BaseException | None) -> None:
        self.ends.append(error)
        self.ended.set()


def test_reader_calls_back_in_order_and_once_at_the_end() -> None:
    source, sink = os.pipe()
    seen = Collected()
    reader = LineReader(source, seen.line, seen.end)
    reader.start()
    os.write(sink, b"name\nversion\nqu")
    os.write(sink, b"it")
    os.close(sink)
    assert reader.join(10)
    os.close(source)
    assert seen.lines == ["name", "version", "quit"]
    assert seen.ends == [None]


def test_reader_hands_on_what_went_wrong() -> None:
    source, sink = os.pipe()
    seen = Collected()

    def fail(line: InputLine) -> None:
        raise ArithmeticError(line.text)

    reader = LineReader(source, fail, seen.end)
    reader.start()
    os.write(sink, b"name\nversion\n")
    assert seen.ended.wait(60)
    assert [str(error) for error in seen.ends] == ["name"]
    assert isinstance(seen.ends[0], ArithmeticError)
    reader.join(10)
    os.close(sink)
    os.close(source)


def test_reader_waits_on_a_descriptor_that_does_not_block() -> None:
    source, sink = os.pipe()
    os.set_blocking(source, False)
    seen = Collected()
    reader = LineReader(source, seen.line, seen.end)
    reader.start()
    assert not reader.join(0.02)
    os.write(sink, b"name\n")
    os.close(sink)
    assert reader.join(10)
    os.close(source)
    assert (seen.lines, seen.ends) == (["name"], [None])


def test_a_terminal_that_is_gone_is_the_end_of_input() -> None:
    pty = pytest.importorskip("pty")
    controller, terminal = pty.openpty()
    seen = Collected()
    reader = LineReader(controller, seen.line, seen.end)
    reader.start()
    os.write(terminal, b"name\n")
    os.close(terminal)
    assert reader.join(10)
    os.close(controller)
    assert seen.ends == [None]


def test_writer_writes_at_once_and_whole() -> None:
    source, sink = os.pipe()
    writer = LineWriter(sink)
    assert writer.line("= f5")
    assert os.read(source, 100) == b"= f5\n"
    assert writer.write("=1 a\nb\n\n")
    assert os.read(source, 100) == b"=1 a\nb\n\n"
    os.close(sink)
    os.close(source)


def test_writer_escapes_what_is_not_text() -> None:
    source, sink = os.pipe()
    LineWriter(sink).line("? unknown " + clean(b"\xff\xfe"))
    assert os.read(source, 100) == b"? unknown \\udcff\\udcfe\n"
    os.close(sink)
    os.close(source)


def test_writer_reports_a_closed_reader_once_and_goes_on_in_silence() -> None:
    source, sink = os.pipe()
    os.close(source)
    problems: list[OSError] = []
    writer = LineWriter(sink, problems.append)
    assert not writer.line("= f5")
    assert not writer.line("= d6")
    assert writer.closed
    assert [problem.errno for problem in problems] == [errno.EPIPE]
    os.close(sink)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_writer_survives_a_full_disk() -> None:
    problems: list[OSError] = []
    with open("/dev/full", "wb", buffering=0) as full:
        writer = LineWriter(full.fileno(), problems.append)
        assert not writer.line("= f5")
    assert [problem.errno for problem in problems] == [errno.ENOSPC]


def test_writers_of_several_threads_never_mix() -> None:
    source, sink = os.pipe()
    # A pipe that blocks and is far smaller than what is written: partial writes do happen.
    writer = LineWriter(sink)
    texts = {letter * 5_000 for letter in "abcd"}
    threads = [threading.Thread(target=lambda t=text: [writer.line(t) for _ in range(20)]) for text in texts]
    seen = Collected()
    reader = LineReader(source, seen.line, seen.end)
    reader.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    os.close(sink)
    assert reader.join(10)
    os.close(source)
    assert len(seen.lines) == 80
    assert set(seen.lines) == texts


def test_writer_waits_on_a_descriptor_that_does_not_block() -> None:
    source, sink = os.pipe()
    os.set_blocking(sink, False)
    writer = LineWriter(sink)
    text = "x" * 300_000
    thread = threading.Thread(target=writer.line, args=(text,))
    thread.start()
    received = b""
    while not received.endswith(b"\n"):
        received += os.read(source, 65_536)
    thread.join(10)
    assert received == text.encode() + b"\n"
    os.close(sink)
    os.close(source)


@pytest.mark.process
def test_claimed_stdout_is_for_the_writer_alone() -> None:
    program = (
        "import os, sys\n"
        "from othello_bot.protocol.wire import LineWriter, claim_stdout\n"
        "writer = LineWriter(claim_stdout())\n"
        "print('stray print')\n"
        "os.system('echo stray child')\n"
        "writer.line('= reply')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert done.stdout == "= reply\n"
    assert "stray print" in done.stderr
    assert "stray child" in done.stderr


def test_claimed_stdout_is_the_old_one_and_stdout_becomes_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "_moved", {})
    before = os.dup(1)
    try:
        private = claim_stdout()
        assert os.path.sameopenfile(private, before) and private not in (1, 2)
        assert os.path.sameopenfile(1, 2)
        os.close(private)
    finally:
        os.dup2(before, 1)
        os.close(before)


def test_a_writer_knows_that_nobody_reads() -> None:
    source, sink = os.pipe()
    writer = LineWriter(sink)
    assert not writer.reader_is_gone()
    os.close(source)
    assert writer.reader_is_gone()
    writer.line("lost")
    os.close(sink)
    assert writer.reader_is_gone()
