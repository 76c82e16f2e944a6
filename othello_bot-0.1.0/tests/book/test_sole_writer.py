"""The one writer of a growing book: another one is refused and told who it is, and readers go on."""

from __future__ import annotations

import errno
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from othello_bot.book.entry import BookError, BookHeld, Entry
from othello_bot.book.opening import Library
from othello_bot.book.store import Store


@pytest.fixture
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse a second writer at once."""
    monkeypatch.setattr("othello_bot.book.store.WAIT_S", 0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return an empty book."""
    path = tmp_path / "my.book"
    Store(str(path), create=True).close()
    return path


def put(store: Store, one: int) -> None:
    with store.transaction():
        store.put((one, 0), Entry(one))


@pytest.mark.usefixtures("no_wait")
def test_a_second_writer_is_refused_and_told_who_the_first_is(path: Path) -> None:
    with Store(str(path)) as one, Store(str(path)) as other:
        with one.writing("`othello-bot book grow`"):
            put(one, 1)
            who = rf"`othello-bot book grow` \(process {os.getpid()} on .+, since \d+-\d\d-\d\d \d\d:\d\d UTC\)"
            with pytest.raises(BookHeld, match=rf"my\.book is being written by {who}: wait"), other.writing("a test"):
                pass
            with pytest.raises(BookHeld):
                put(other, 2)
            assert other.find((1, 0)) == Entry(1) and len(other) == 1
        put(other, 2)
        assert one.find((2, 0)) == Entry(2)


@pytest.mark.usefixtures("no_wait")
@pytest.mark.parametrize("names", ["", "INSERT INTO writer VALUES (x'ff')"])
def test_a_writer_that_left_no_name_is_another_process(path: Path, names: str) -> None:
    with closing(sqlite3.connect(f"{path}-writer", isolation_level=None)) as database, Store(str(path)) as store:
        database.executescript(f"DROP TABLE IF EXISTS writer; CREATE TABLE writer (who TEXT); {names}")
        database.execute("BEGIN IMMEDIATE")
        with pytest.raises(BookHeld, match="is being written by another process: wait"):
            put(store, 1)


@pytest.mark.usefixtures("no_wait")
def test_a_writer_may_write_within_its_writing(path: Path) -> None:
    with Store(str(path)) as one, Store(str(path)) as other:
        with one.writing("a test"):
            with one.writing("a test"):
                put(one, 1)
            with pytest.raises(BookHeld):
                put(other, 2)
        put(other, 2)


def test_a_writer_that_fails_or_is_closed_lets_go(path: Path) -> None:
    with Store(str(path)) as other:
        with Store(str(path)) as one, pytest.raises(KeyError), one.writing("a test"):
            raise KeyError
        put(other, 1)
        one = Store(str(path))
        with one.writing("a test"):
            one.close()
            put(other, 2)


@pytest.mark.usefixtures("no_wait")
def test_a_book_is_the_same_by_another_path(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.book"
    link.symlink_to(path)
    with Store(str(path)) as one, Store(str(link)) as other, one.writing("a test"), pytest.raises(BookHeld):
        put(other, 1)


def test_a_book_in_memory_has_no_other_writers() -> None:
    with Store(":memory:") as one, Store(":memory:") as other, one.writing("a test"), other.writing("a test"):
        put(one, 1)
        put(other, 2)


HOLDER = """
import sys
from othello_bot.book.store import Store

with Store(sys.argv[1]) as store, store.writing("a child"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.process
@pytest.mark.usefixtures("no_wait")
def test_a_killed_writer_holds_nothing(path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == b"held\n"
        with Store(str(path)) as store:
            with pytest.raises(BookHeld, match=rf"by a child \(process {child.pid} on "):
                put(store, 1)
            child.send_signal(signal.SIGKILL)
            child.wait()
            put(store, 1)


def test_of_many_at_once_one_writes(path: Path) -> None:
    held: list[int] = []
    refused: list[str] = []
    begin, end = threading.Barrier(8), threading.Barrier(8)

    def write(number: int) -> None:
        with Store(str(path)) as store:
            begin.wait(30)
            try:
                with store.writing(f"writer {number}"):
                    held.append(number)
                    end.wait(30)
            except BookHeld as error:
                refused.append(str(error))
                end.wait(30)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(held) == 1 and len(refused) == 7


def test_a_lock_file_that_is_none_is_named(path: Path) -> None:
    lock = Path(f"{path}-writer")
    lock.write_text("something else that is no database at all\n" * 100)
    with Store(str(path)) as store, pytest.raises(BookError, match=re.escape("my.book-writer")):
        put(store, 1)
    lock.unlink()
    with sqlite3.connect(lock) as database:
        database.execute("CREATE TABLE writer (who TEXT)")
        database.execute("INSERT INTO writer VALUES (x'ff')")
    with Store(str(path)) as store:
        put(store, 1)


def test_a_lock_file_that_cannot_be_used_is_a_failure_of_the_system(path: Path) -> None:
    lock = Path(f"{path}-writer")

    def refused(fault: str) -> None:
        with Store(str(path)) as store, pytest.raises(OSError, match=fault) as failed:
            put(store, 1)
        assert (failed.value.errno, failed.value.filename) == (errno.EIO, str(lock))

    lock.unlink()
    with sqlite3.connect(lock) as database:
        database.execute("CREATE TABLE writer (another)")
    refused("no such column")
    lock.unlink()
    lock.mkdir()
    refused("unable to open")


@pytest.mark.slow
@pytest.mark.usefixtures("no_wait")
def test_a_new_book_that_is_held_is_learned_into_later(tmp_path: Path) -> None:
    path = tmp_path / "new.book"
    library = Library(str(path))
    with Store(str(path), create=True) as other, other.writing("a test"), pytest.raises(BookHeld):
        library.learning()
    assert len(library.learning()) > 0
    library.close()
