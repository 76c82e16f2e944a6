"""The shipped weights: packed, unpacked once, mapped from the cache folder; and what may go wrong there."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from othello_bot.base.errors import DamagedInstallation
from othello_bot.evaluation import WeightsError, weights
from othello_bot.rules import Position

COMMAND = [sys.executable, "-m", "othello_bot", "--gtp", "--hash", "1"]
TALK = "name\ngenmove b\nquit\n"
START = Position.start()
CANNOT_KEEP = "othello-bot: the evaluation is unpacked at each start, because it cannot be kept: "


@pytest.fixture(scope="module")
def packed() -> bytes:
    """Return the content of a packed file as that which is shipped, but mostly of zeros, which are unpacked at once."""
    parts = weights.split(weights.unpacked().read_bytes())
    reduced = bytes(parts.reduced[:20_000])
    return weights.pack(weights.to_bytes(list(parts.stage_of_empties), reduced.ljust(len(parts.reduced), b"\0")))


@pytest.fixture
def shipped(packed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ship that packed file; return its place."""
    place = tmp_path / "shipped.packed"
    place.write_bytes(packed)
    monkeypatch.setattr(weights, "PACKED_FILE", place)
    return place


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache; return the folder of the unpacked files, which is not there yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "othello-bot" / "evaluation"


@pytest.fixture
def kept(packed: bytes, shipped: Path, folder: Path) -> Path:
    """Return an unpacked file in the cache."""
    folder.mkdir(parents=True)
    place = folder / f"{weights.name()}.weights"
    place.write_bytes(weights.unpack(packed, "packed"))
    place.chmod(0o444)
    return place


def session(*wrapper: str, limits: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
    """Hold a short session in a new process."""
    command = [*wrapper, *COMMAND, "--level", "1", "--book", "off"]
    return subprocess.run(command, input=TALK, capture_output=True, text=True, check=False, preexec_fn=limits)


def put(path: Path, content: bytes | bytearray) -> None:
    """Put a file with this content in place of another one, which may be read-only."""
    path.unlink()
    path.write_bytes(content)


def plays(ended: subprocess.CompletedProcess[str]) -> bool:
    """Return whether a session answered all commands."""
    return ended.returncode == 0 and ended.stdout.startswith("= othello-bot\n\n= ") and ended.stdout.count("=") == 3


@pytest.mark.slow
def test_packing_and_unpacking_give_the_same_file(packed: bytes) -> None:
    content = weights.unpack(packed, "small")
    assert weights.pack(content) == packed and len(packed) < len(content) / 100
    with pytest.raises(WeightsError, match="checksum"):
        weights.pack(content[:-1] + b"\1")


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 7, 8, 13, 15, 20, 40, 48, 60, 3000, 4000, -40, -1])
def test_a_changed_byte_is_found(packed: bytes, place: int) -> None:
    changed = bytearray(packed)
    changed[place] ^= 1
    with pytest.raises(WeightsError, match=r"^packed: "):
        weights.unpack(bytes(changed), "packed")


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 8, 47, 48, 60, 4000, -1])
def test_a_truncated_file_is_found(packed: bytes, size: int) -> None:
    with pytest.raises(WeightsError, match=r"^packed: "):
        weights.unpack(packed[:size], "packed")


@pytest.mark.slow
def test_the_first_use_unpacks_and_later_ones_map(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = weights.content()
    [path] = folder.iterdir()
    assert path.name == f"{weights.name()}.weights" and path.read_bytes() == data[:]
    written_ns = path.stat().st_mtime_ns
    assert weights.unpacked() == path and weights.content()[:] == data[:]
    assert path.stat().st_mtime_ns == written_ns
    assert capsys.readouterr().err == ""
    found = weights.from_bytes(data, proven=True).evaluate(START.mover, START.opponent)
    assert found == weights.load(path).evaluate(START.mover, START.opponent)


@pytest.mark.slow
def test_a_browser_keeps_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are memory."""
    whole = weights.content()[:]
    for path in folder.iterdir():
        path.unlink()
    monkeypatch.setattr("othello_bot.base.posix.HAS_PROCESSES", False)
    assert weights.content() == whole and not list(folder.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 31, 5_000_000, -1])
def test_a_truncated_unpacked_file_is_replaced(kept: Path, size: int) -> None:
    path, whole = kept, kept.read_bytes()
    put(path, whole[:size])
    assert weights.content()[:] == path.read_bytes() == whole


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 31, 33, 40, 50, 200, 4_000_000, -1])
def test_a_changed_byte_of_the_unpacked_file_is_mended(
    kept: Path, place: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever the damage is, the next start plays with the right weights, and says nothing."""
    path, whole = kept, kept.read_bytes()
    changed = bytearray(whole)
    changed[place] ^= 0x80
    put(path, changed)
    assert weights.content()[:] == whole
    assert weights.unpacked().read_bytes() == whole
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_damaged_file_that_cannot_be_replaced_is_not_used(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, whole = kept, kept.read_bytes()
    path.unlink()
    path.mkdir()
    assert weights.content()[:] == whole and path.is_dir()
    assert capsys.readouterr().err.startswith(f"{CANNOT_KEEP}{path}: ")


@pytest.mark.slow
def test_a_link_or_a_pipe_in_its_place_is_replaced(kept: Path, tmp_path: Path) -> None:
    path, whole = kept, kept.read_bytes()
    mine = tmp_path / "mine"
    mine.write_bytes(b"mine")
    makers: list[Callable[[], object]] = [
        lambda: path.symlink_to(mine),
        lambda: path.symlink_to(path),
        lambda: os.mkfifo(path),
    ]
    for make in makers:
        path.unlink()
        make()
        assert weights.content()[:] == whole
        assert path.is_file() and not path.is_symlink() and mine.read_bytes() == b"mine"


@pytest.mark.slow
def test_a_file_that_may_not_be_read_is_replaced(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new file can be read, whatever the permissions of the old one were."""
    path, whole = kept, kept.read_bytes()
    path.chmod(0)

    def refuse(place: Path) -> BinaryIO:
        if not place.stat().st_mode & 0o400:
            raise PermissionError(errno.EACCES, "Permission denied", str(place))
        return open(place, "rb")

    monkeypatch.setattr(weights, "open_regular", refuse)  # root may read every file
    assert weights.content()[:] == whole
    assert path.stat().st_mode & 0o777 == 0o444


@pytest.mark.slow
def test_what_cannot_be_removed_beside_it_does_no_harm(
    shipped: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir(parents=True)
    for number in range(6):
        (folder / f"{number}").mkdir()
    weights.content()
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_files_of_other_versions_are_not_taken_and_few_are_kept(shipped: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(6):
        old = folder / f"{number:032x}.weights"
        old.write_bytes(b"old")
        os.utime(old, (number, number))
    path = weights.unpacked()
    assert path.stat().st_size > 1 << 20
    kept = {file.name for file in folder.iterdir()}
    assert kept == {path.name, f"{5:032x}.weights", f"{4:032x}.weights"} and len(kept) == weights.KEPT


@pytest.mark.process
def test_first_starts_at_once_all_play_and_leave_one_file(folder: Path) -> None:
    started = [
        subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in started:
        said, wrong = process.communicate("name\nquit\n")
        assert (process.returncode, said, wrong) == (0, "= othello-bot\n\n=\n\n", "")
    assert [path.name for path in folder.iterdir()] == [f"{weights.name()}.weights"]


@pytest.mark.process
def test_without_a_folder_to_keep_it_the_engine_plays(folder: Path) -> None:
    folder.parent.parent.write_text("a file in the folder's place")
    ended = session()
    assert plays(ended)
    assert ended.stderr.startswith(CANNOT_KEEP) and ended.stderr.count("\n") == 1


@pytest.mark.process
def test_where_files_may_not_grow_the_engine_plays(folder: Path) -> None:
    ended = session(limits=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
    assert plays(ended)
    assert ended.stderr.startswith(CANNOT_KEEP) and ended.stderr.count("\n") == 1
    assert list(folder.iterdir()) == []


@pytest.mark.process
@pytest.mark.parametrize(("options", "reason"), [("size=4m", "No space left"), ("ro", "Read-only")])
def test_on_a_full_or_read_only_disk_the_engine_plays(folder: Path, options: str, reason: str) -> None:
    disk = folder.parent.parent
    disk.mkdir()
    mounting = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs -o "$0" none "$1"']
    if shutil.which("unshare") is None or subprocess.run([*mounting, options, disk], check=False).returncode != 0:
        pytest.skip("no disk can be mounted here")
    mounting[-1] += ' && shift && exec "$@"'
    ended = session(*mounting, options, str(disk))
    assert plays(ended)
    assert ended.stderr.startswith(CANNOT_KEEP) and reason in ended.stderr and ended.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_user_without_a_home_folder_is_told(
    shipped: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert len(weights.content()) > 1 << 20
    assert capsys.readouterr().err == f"{CANNOT_KEEP}the user has no home folder\n"


def test_a_damaged_installation_is_told_in_one_line(
    folder: Path, tmp_path: Path, packed: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "evaluation.packed"
    monkeypatch.setattr(weights, "PACKED_FILE", file)
    damaged = packed[:1000] + b"????" + packed[1004:]
    for content, reason in ((None, "No such file"), (b"", "not packed weights"), (damaged, "damaged")):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(DamagedInstallation, match=f"{file}: .*{reason}.*; install the program again"):
            weights.content()
    assert not folder.exists()


@pytest.mark.process
def test_the_command_ends_with_one_line_if_the_installation_is_damaged(folder: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from othello_bot.evaluation import weights; from pathlib import Path;"
        f"weights.PACKED_FILE = Path({str(tmp_path / 'none.packed')!r});"
        "from othello_bot.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    for words in ([], ["bench"]):
        command = [sys.executable, "-c", script, *words]
        ended = subprocess.run(command, input="", capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout) == (1, "")
        assert ended.stderr.count("\n") == 1 and "none.packed: No such file or directory; install" in ended.stderr
