"""`othello-bot book`: each action from its command line to what it prints and leaves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_bot.book.store import Store
from othello_bot.book_growing.maintenance import faults
from othello_bot.cli import main
from tests.book.books import key, lines

LINE = "f5d6c3d3c4f4f6g5"


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = main(["book", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return a book with the Tiger."""
    path = tmp_path / "small.book"
    with Store(str(path), create=True) as store:
        lines("f5d6c3d3c4", "f5f6").save(store)
    return path


@pytest.mark.slow
def test_a_book_grows_from_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "new.book"
    code, out, err = run(capsys, "grow", path, "--level", "0", "--positions", "200", "--threads", "2", "--hash", "1")
    assert code == 0 and re.match(r"20[0-9] positions, 20[0-9] of them new; ", out)
    assert "positions" in err
    with Store(str(path)) as store:
        count = len(store)
        assert 200 <= count < 210 and faults(store) == []
        assert "Tiger" in store.names().values()
    assert run(capsys, "check", path)[:2] == (0, f"{count} positions, no fault\n")
    assert run(capsys, "grow", path, "--level", "0", "--time", "0s")[0] == 0
    code, out, _ = run(capsys, "stats", path)
    assert code == 0 and out.startswith(f"positions          {count}\n") and "grade" in out


def test_games_are_learned_and_bad_ones_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text(f"{LINE}\nf5f5\n{LINE[:-2]}\n")
    path = tmp_path / "new.book"
    code, out, err = run(capsys, "learn", path, games, "--level", "0", "--hash", "1", "--least", "2")
    assert code == 0 and out.endswith("2 games learned, 1 skipped\n")
    assert "games.txt, game 2 (line 2): " in err
    with Store(str(path)) as store:
        assert store.find(key(LINE)) is None
        entry = store.find(key(LINE[:-2]))
        assert entry is not None
        start = store.find(key(""))
        assert start is not None and start.moves[0].games == 2


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        (b"hello\n", (), "nothing to learn; "),
        (b"# nothing\n", (), "nothing to learn; "),
        (LINE.encode(), ("--least", "2"), "nothing to learn (1 games, --least 2); "),
    ],
)
def test_games_that_teach_nothing_leave_no_book(
    content: bytes, options: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    games, path = tmp_path / "games.txt", tmp_path / "new.book"
    games.write_bytes(content)
    code, out, err = run(capsys, "learn", path, games, *options)
    assert (code, out) == (1, "") and said in err
    assert not path.exists()


@pytest.mark.slow
def test_a_position_is_shown_as_a_table(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    code, out, _ = run(capsys, "show", "f5", small)
    assert code == 0
    head, columns, first, *_ = out.splitlines()
    assert head.startswith("score +0, proven -64 to +64, level 3, games 0 won")
    assert columns.split() == ["move", "score", "depth", "lines", "games"]
    assert first.split()[:2] == ["d6", "+0"] and first.endswith("Perpendicular")
    assert "opening: Tiger" in run(capsys, "show", "f5d6c3d3c4", small)[1]
    assert run(capsys, "show", "f5d6c3d3c4f4", small)[1].endswith("the book does not have this position\n")
    assert "score" in run(capsys, "show", "f5")[1]


def test_searching_again_and_what_is_missing(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    assert run(capsys, "deepen", small, "--level", "1", "--hash", "1")[1].startswith("7 positions, 0 of them new; 0 ")
    assert " 0 searches" not in run(capsys, "deepen", small, "--level", "4", "--hash", "1")[1]
    assert run(capsys, "fix", small, "--hash", "22")[1].startswith("7 positions, 0 of them new; 0 searches")
    assert run(capsys, "check", small)[0] == 0


def test_merging_and_pruning(capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path) -> None:
    new = tmp_path / "merged.book"
    assert run(capsys, "merge", new, small)[:2] == (0, "7 positions added\n")
    assert run(capsys, "prune", new, "--positions", "4")[:2] == (0, "3 positions removed, 4 left\n")
    assert run(capsys, "check", new)[0] == 0


def test_exporting_and_importing(capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path) -> None:
    for name in ("a.dat", "a.egbk3", "a.book"):
        assert run(capsys, "export", small, tmp_path / name)[:2] == (0, "7 positions written\n")
        imported = tmp_path / f"from {name}"
        assert run(capsys, "import", imported, tmp_path / name)[1] == "7 positions added, 7 in the book\n"
    assert run(capsys, "check", tmp_path / "a.book")[:2] == (0, "7 positions, no fault\n")


def test_a_damaged_book_is_named(capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.book"
    run(capsys, "export", small, out)
    content = bytearray(out.read_bytes())
    content[-1] ^= 1
    out.write_bytes(content)
    code, printed, _ = run(capsys, "check", out)
    assert code == 1 and "block of the book 0: expected the checksum" in printed


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["show", "f5", "absent"], "absent: No such file or directory"),
        (["show", "f5f5"], "illegal move"),
        (["check", "other"], "expected a book of othello-bot"),
        (["import", "new", "other"], "expected a book of othello-bot"),
        (["export", "small.book", "a.txt"], "ends in one of .book, .dat, .egbk3"),
        (["deepen", "absent"], "absent: No such file or directory"),
        (["learn", "new", "absent"], "absent: No such file or directory"),
    ],
)
def test_what_is_refused(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str], small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small.parent)
    (small.parent / "other").write_text("c4 0\n")
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "") and why in err and err.startswith("othello-bot book ")


def test_a_compact_book_is_not_grown(capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path) -> None:
    run(capsys, "export", small, tmp_path / "a.book")
    code, _, err = run(capsys, "grow", tmp_path / "a.book", "--time", "0s")
    assert code == 2 and "expected a growing book: `othello-bot book import NEW FILE`" in err


@pytest.mark.parametrize("time", ["", "x", "2h1", "90", "1h2d"])
def test_times_that_are_none(time: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["book", "grow", "/nowhere/new", "--time", time])
    assert ended.value.code == 2 and "expected a time like 1:30" in capsys.readouterr().err


def test_the_highest_level_is_accepted_and_a_higher_one_refused(
    capsys: pytest.CaptureFixture[str], small: Path
) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "deepen", small, "--level", "61")
    assert "'61': expected an integer from 0 to 60" in capsys.readouterr().err
    assert run(capsys, "grow", small, "--level", "60", "--time", "0s")[0] == 0


def test_growing_goes_on_until_its_time_is_up(capsys: pytest.CaptureFixture[str], small: Path) -> None:
    code, out, _ = run(capsys, "grow", small, "--level", "0", "--time", "1h", "--positions", "30", "--hash", "1")
    assert code == 0 and re.match(r"3[0-9] positions", out)


def test_the_grade_tells_its_lines(capsys: pytest.CaptureFixture[str], small: Path, tmp_path: Path) -> None:
    assert re.search(r"grade +F \(0 of [1-9]\d* lines near", run(capsys, "stats", small)[1])
    Store(str(tmp_path / "empty.book"), create=True).close()
    assert "F (no lines near" in run(capsys, "stats", tmp_path / "empty.book")[1]


WRITING = {
    "grow": ["--time", "0s"],
    "learn": ["games.txt"],
    "deepen": [],
    "fix": [],
    "merge": ["third.book"],
    "prune": ["--positions", "2"],
    "import": ["third.book"],
}
READING = {"check": [], "stats": [], "export": ["out.book"]}
"""The commands of a book, with the arguments after its name."""


@pytest.fixture
def held(small: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let another command write the small book, and return it."""
    monkeypatch.chdir(small.parent)
    monkeypatch.setattr("othello_bot.book.store.WAIT_S", 0.0)
    Path("games.txt").write_text("f5d6c3\n")
    for name in ("other.book", "third.book"):
        with Store(name, create=True) as book:
            lines("f5f4").save(book)
    with Store(str(small)) as store, store.writing("`othello-bot book grow`"):
        yield small


@pytest.mark.parametrize("kind", WRITING)
def test_a_book_that_grows_is_not_written_by_another_command(
    kind: str, capsys: pytest.CaptureFixture[str], held: Path
) -> None:
    code, out, err = run(capsys, kind, held, *WRITING[kind])
    assert (code, out) == (2, "")
    who = rf"`othello-bot book grow` \(process {os.getpid()} on .+, since .+ UTC\)"
    assert re.fullmatch(
        rf"othello-bot book {kind}: the book .*small\.book is being written by {who}: wait until that has ended, or"
        r" stop it, which loses nothing; the book can be read meanwhile\n",
        err,
    )
    with Store(str(held)) as store:
        assert len(store) == 7


@pytest.mark.parametrize("kind", READING)
def test_a_book_that_grows_can_be_read(kind: str, capsys: pytest.CaptureFixture[str], held: Path) -> None:
    code, out, _ = run(capsys, kind, held, *READING[kind])
    assert code == 0 and "7" in out
    assert run(capsys, "show", "f5", held)[0] == 0


def test_a_book_can_be_added_to_another_while_it_grows(capsys: pytest.CaptureFixture[str], held: Path) -> None:
    assert run(capsys, "merge", "new.book", held)[:2] == (0, "7 positions added\n")


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITING)
def test_a_command_that_has_written_lets_others_write(
    kind: str, capsys: pytest.CaptureFixture[str], held: Path
) -> None:
    assert run(capsys, kind, "other.book", *WRITING[kind])[0] == 0
    with Store("other.book") as store, store.transaction():
        store.put_name(key("f5"), "Only")
