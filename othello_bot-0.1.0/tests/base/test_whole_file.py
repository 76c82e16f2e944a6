"""Files that are replaced as a whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot.base.errors import FormatError
from othello_bot.base.files import read_at_most, refuse_special, whole_file, write_whole


def write(path: Path, content: bytes) -> None:
    with whole_file(path) as file:
        file.write(content)


def test_a_new_file_and_one_in_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    write(path, b"one")
    assert path.read_bytes() == b"one"
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    write(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [item.name for item in tmp_path.iterdir()] == ["game.sgf"]


@pytest.mark.parametrize("error", [ArithmeticError(), KeyboardInterrupt(), OSError(errno.ENOSPC, "disk full")])
def test_what_fails_leaves_all_as_it_was(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"old")
    with pytest.raises(type(error)), whole_file(path) as file:
        file.write(b"half")
        raise error
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["game.sgf"]


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "game.sgf"
    with pytest.raises(FileNotFoundError) as raised:
        write(path, b"one")
    assert raised.value.filename == str(path)
    with pytest.raises(OSError) as raised_too:
        write(tmp_path, b"a folder")
    assert raised_too.value.filename == str(tmp_path) and list(tmp_path.iterdir()) == []


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    file, link = tmp_path / "game.sgf", tmp_path / "link"
    link.symlink_to(file)
    for content in (b"one", b"two"):
        write(link, content)
        assert link.is_symlink() and file.read_bytes() == content


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"one")
    reader.join(10)
    assert read == [b"one"] and stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.process
def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys; from othello_bot.base.files import whole_file\n"
        "with whole_file(pathlib.Path(sys.argv[1])) as file: file.write(b'half'); file.flush(); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "game.sgf")], check=False)
    (left,) = tmp_path.iterdir()
    mine = left.with_name(left.name.replace(f"-{left.name.split('-')[3]}-", f"-{os.getpid()}-"))
    elsewhere = left.with_name(f".othello-bot-00000000-{left.name.split('-', 3)[3]}")
    others = [mine, elsewhere, tmp_path / "99999999-0", tmp_path / f"x{left.name}", tmp_path / f"{left.name}x"]
    for other in others:
        other.write_bytes(b"")
    write(tmp_path / "other.sgf", b"one")
    assert sorted(tmp_path.iterdir()) == sorted([*others, tmp_path / "other.sgf"])


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    for letter in ("x", "é", "嵐", "🙂"):
        name = letter * (251 // len(letter.encode())) + ".sgf"
        write(tmp_path / name, b"one")
        assert (tmp_path / name).read_bytes() == b"one"
    with pytest.raises(OSError) as raised:
        write(tmp_path / ("嵐" * 100), b"one")
    assert raised.value.errno == errno.ENAMETOOLONG


def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    actions: list[Callable[[], None]] = [lambda: write(one, b"one"), lambda: refuse_special(one)]
    for action in actions:
        with pytest.raises(OSError) as raised:
            action()
        assert raised.value.errno == errno.ELOOP and raised.value.filename == str(one)


def test_pipes_and_devices_are_told_from_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="not a file, but a pipe or a device"):
            refuse_special(path)
    (tmp_path / "link").symlink_to(tmp_path / "absent")
    for path in (tmp_path / "absent", tmp_path / "link", tmp_path):
        refuse_special(path)


def test_a_dash_is_no_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="standard output is /dev/stdout: '-'"):
        write(Path("-"), b"one")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_made_and_the_content_written(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "table"
    write_whole(path, b"one")
    assert path.read_bytes() == b"one"


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "book"
    path.write_bytes(b"12345")
    assert read_at_most(path, 5, "book file") == b"12345"
    with pytest.raises(FormatError, match=r"book file .*at most 4 bytes"):
        read_at_most(path, 4, "book file")
    with pytest.raises(FormatError):  # it has no end
        read_at_most(Path("/dev/zero"), 100, "book file")
