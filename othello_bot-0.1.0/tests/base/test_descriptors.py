"""Names of open descriptors, such as /dev/stdout: what stands in a file before and after stays."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_bot.base.descriptors import is_descriptor, is_special, refuse_for_database
from othello_bot.base.files import open_to_append, sync, whole_file, write_whole

pytestmark = pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="this system has no /dev/fd")


@pytest.fixture(params=(os.O_APPEND, 0), ids=("append", "plain"))
def log(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[int, Path]]:
    """Yield a file with a line, open for writing behind it, as a shell opens it for `>>` and for the loop of a `>`."""
    path = tmp_path / "log"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | request.param)
    os.write(descriptor, b"before\n")
    yield descriptor, path
    os.close(descriptor)


def names_of(descriptor: int, folder: Path) -> list[Path]:
    link, second = folder / "link", folder / "second"
    link.symlink_to(f"/dev/fd/{descriptor}")
    second.symlink_to("link")
    names = [f"/dev/fd/{descriptor}"]
    if os.path.isdir("/proc/self/fd"):
        names += [
            f"/proc/{process}/fd/{descriptor}"
            for process in ("self", os.getpid(), "thread-self", f"self/task/{threading.get_native_id()}")
        ]
    return [*map(Path, names), link, second]


def test_each_name_is_written_through_the_descriptor(tmp_path: Path, log: tuple[int, Path]) -> None:
    descriptor, path = log
    names = names_of(descriptor, tmp_path)
    for name in names:
        assert is_descriptor(name) and is_special(name)
        with whole_file(name) as file:
            file.write(b"one\n")
        os.write(descriptor, b"between\n")
        with open_to_append(name) as added:
            added.write(b"two\n")
            sync(added)
    os.write(descriptor, b"after\n")
    assert path.read_bytes() == b"before\n" + b"one\nbetween\ntwo\n" * len(names) + b"after\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link", "log", "second"]


def test_other_names_are_files(tmp_path: Path) -> None:
    for path in (tmp_path / "1", tmp_path, Path("/dev/null"), Path("1"), Path("/dev/fd"), Path("/proc/self/fd/x")):
        assert not is_descriptor(path)
    write_whole(tmp_path / "1", b"content")
    assert (tmp_path / "1").read_bytes() == b"content"


def test_a_deleted_file_gets_no_new_name(tmp_path: Path, log: tuple[int, Path]) -> None:
    descriptor, path = log
    path.unlink()
    with whole_file(Path(f"/dev/fd/{descriptor}")) as file:
        file.write(b"one\n")
    assert not list(tmp_path.iterdir()) and os.fstat(descriptor).st_size == len(b"before\none\n")


def test_what_fails_adds_nothing(log: tuple[int, Path]) -> None:
    descriptor, path = log
    with pytest.raises(ArithmeticError), whole_file(Path(f"/dev/fd/{descriptor}")) as file:
        file.write(b"half")
        raise ArithmeticError
    assert path.read_bytes() == b"before\n"


def test_a_writer_may_seek_in_its_own_file(log: tuple[int, Path]) -> None:
    descriptor, path = log
    with whole_file(Path(f"/dev/fd/{descriptor}")) as file:
        file.write(b"?ne\n")
        file.seek(0)
        file.write(b"o")
    assert path.read_bytes() == b"before\none\n"


def test_a_pipe_and_a_socket_are_written_at_once() -> None:
    import socket

    read, write = os.pipe()
    os.set_blocking(write, False)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.extend(iter(lambda: os.read(read, 1 << 16), b"")))
    reader.start()
    with whole_file(Path(f"/dev/fd/{write}")) as file:
        file.write(b"x" * 1_000_000)
    os.close(write)
    reader.join(20)
    os.close(read)
    assert len(b"".join(got)) == 1_000_000
    ours, theirs = socket.socketpair()
    with ours, theirs:
        write_whole(Path(f"/dev/fd/{ours.fileno()}"), b"one")
        assert theirs.recv(10) == b"one"


@pytest.mark.parametrize("writer", (lambda path: write_whole(path, b"x"), lambda path: open_to_append(path)))
def test_a_descriptor_that_cannot_be_written(tmp_path: Path, writer: object) -> None:
    (tmp_path / "input").write_bytes(b"content")
    reading = os.open(tmp_path / "input", os.O_RDONLY)
    closed = Path(f"/dev/fd/{os.sysconf('SC_OPEN_MAX') - 1}")
    for path in (Path(f"/dev/fd/{reading}"), closed):
        with pytest.raises(OSError, match=str(path)) as raised:
            writer(path)  # type: ignore[operator]
        assert raised.value.errno == errno.EBADF
    os.close(reading)
    assert (tmp_path / "input").read_bytes() == b"content" and len(list(tmp_path.iterdir())) == 1


def test_no_database_at_a_descriptor(tmp_path: Path, log: tuple[int, Path]) -> None:
    for name in (f"/dev/fd/{log[0]}", "-"):
        with pytest.raises(OSError, match="not the name of a file"):
            refuse_for_database(name)
    refuse_for_database(tmp_path / "new.db")


LOOP = """
printf 'f5d6c3d3c4\\n' > a.txt; printf 'f5f6e6f4\\n' > b.txt; printf 'd3c5d6\\n' > c.txt
for f in a b c; do "$0" -m othello_bot convert $f.txt /dev/stdout --format pgn; done > all.pgn 2> err.txt
echo 'first line, written earlier' > log.ggf
"$0" -m othello_bot convert a.txt /dev/stdout --format ggf >> log.ggf 2>> err.txt
"$0" -m othello_bot convert a.txt /proc/self/fd/7 --format ggf 7>> log.ggf 2>> err.txt
"$0" -m othello_bot convert missing.txt a.txt /dev/null --errors /dev/stderr 2>> err.txt
echo last >> log.ggf
"""


@pytest.mark.process
def test_a_loop_of_a_shell_keeps_all_games(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    subprocess.run(["/bin/sh", "-c", LOOP, sys.executable], cwd=tmp_path, env=environment, check=True, timeout=300)
    assert (tmp_path / "all.pgn").read_text().count("[Result") == 3
    lines = (tmp_path / "log.ggf").read_text().splitlines()
    assert [line[:5] for line in lines] == ["first", "(;GM[", "(;GM[", "last"]
    errors = (tmp_path / "err.txt").read_text()
    assert errors.count("/dev/stdout: 1 game read") == 4 and "missing.txt" in errors
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "a.txt",
        "all.pgn",
        "b.txt",
        "c.txt",
        "err.txt",
        "log.ggf",
    ]
