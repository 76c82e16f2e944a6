"""Stores that this program did not write, or cannot write: one line says what is wrong, and nothing is lost."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_bot.arena.match import game_tasks
from othello_bot.arena.store import MatchStore, StoreError
from othello_bot.arena.stored import RESULT_COLUMNS
from othello_bot.cli import main
from tests.arena.builders import OPENING, match, random_game, report_of

REPORTS = (
    ["report"],
    ["report", "--failures", "--clocks"],
    ["export", "--form", "ggf"],
    ["export", "--form", "jsonl"],
    ["export", "--form", "csv"],
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a match of two games."""
    path = tmp_path_factory.mktemp("whole") / "matches.db"
    config = match("random name=A tc=60+1", "random name=B tc=60+1", rounds=1)
    with MatchStore(path) as store:
        stored = store.open_match(config, "here")
        for task in game_tasks(config):
            assert store.add(stored.id, report_of(task, OPENING, random_game(random.Random(task.leg), OPENING)))
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of that store."""
    return Path(shutil.copy(whole, tmp_path / "matches.db"))


def told(words: list[str], path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line with which a command refuses a store."""
    assert main(["match", words[0], str(path), *words[1:]]) in (1, 2)
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "matches.db" in error
    return error


HUGE = 2**63 - 1
WRONG: list[tuple[str, object]] = [
    *((column.name, b"\x00blob") for column in RESULT_COLUMNS if column.name not in ("id", "repeats")),
    *((name, "text") for name in ("pair", "leg", "round", "black", "white", "black_points", "discs", "loser", "stops")),
    *((name, "") for name in ("ending", "black_s", "start", "played", "identities", "began", "stops")),
    *((name, HUGE) for name in ("leg", "black", "white", "discs", "black_points", "ending", "moves", "played")),
    *((name, -1) for name in ("pair", "black", "white", "leg", "black_points")),
    *((name, 1e999) for name in ("black_points", "black_s", "overhead_ms", "began")),
    *((name, "[1, 2") for name in ("played", "identities", "stops")),
    *((name, "[" * 100_000) for name in ("played", "identities", "stops")),
    *((name, "{}") for name in ("identities",)),
    ("identities", '["one"]'),
    ("identities", "[1, 2]"),
    ("stops", '["x"]'),
    ("stops", "[NaN]"),
    ("stops", "[true]"),
    ("white", 1),
    ("white", 7),
    ("began", 1e15),
    ("start", "nonsense"),
    ("moves", "zz"),
    ("moves", "a1"),
    ("ending", "bored"),
    ("played", "[[1]]"),
    ("played", '[["0", 0, 0.5, null, null, "", null]]'),
    ("played", '[[500, 0, 0.5, null, null, "", null]]'),
    ("played", '[[-1, 0, 0.5, null, null, "", null]]'),
    ("played", '[[8, 7, 0.5, null, null, "", null]]'),
    ("played", '[[8, 0, Infinity, null, null, "", null]]'),
    ("played", '[[8, 0, "x", null, null, "", null]]'),
    ("played", '[[8, 0, 0.5, null, "x", 8, null]]'),
    ("played", '[{"ply": 8}]'),
]


@pytest.mark.slow
@pytest.mark.parametrize(("column", "value"), WRONG)
def test_a_value_of_the_wrong_type_is_named(
    column: str, value: object, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(path) as other:
        other.execute(f"UPDATE game SET {column} = ? WHERE id = 2", (value,))
    told(["export", "--form", "jsonl"], path, capsys)
    for words in REPORTS[:-2]:
        code = main(["match", words[0], str(path), *words[1:]])
        error = capsys.readouterr().err
        assert (code, error.count("\n")) in ((0, 0), (1, 1), (2, 1))
        assert not error or "game 2 cannot be read: " in error


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("key", "../../etc/passwd"),
        ("key", "a" * 64 + "\n"),
        ("key", ""),
        ("key", 5),
        ("key", b"\x00" * 64),
        ("config", "null"),
        ("config", "[]"),
        ("config", "{}"),
        ("config", "{"),
        ("config", "[" * 100_000),
        ("config", 17),
        ("config", b"{}"),
        ("config", '{"engines": "none"}'),
        ("config", '{"engines": [1, 2]}'),
        ("config", '{"engines": [], "rounds": 1e400}'),
        ("created", "yesterday"),
        ("created", 1e300),
        ("created", 1e999),
        ("created", -1e10),
        ("machine", b"\xff"),
    ],
)
def test_a_match_of_something_else_is_named(
    column: str, value: object, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(path) as other:
        other.execute(f"UPDATE match SET {column} = ?", (value,))
    for words in REPORTS:
        assert "match 1 cannot be read: " in told(words, path, capsys)


def test_text_that_is_no_text_is_named(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(path) as other:
        other.execute("UPDATE game SET detail = CAST(x'ff00fe' AS TEXT)")
    assert "detail" in told(["report"], path, capsys)


def test_claims_of_nobody_expire(path: Path) -> None:
    task = next(game_tasks(match()))
    for id, pid, seen in ((1, "text", "text"), (2, HUGE, 1e12), (3, -1, 1e12), (4, b"", 1e12), (5, 0, 1e12)):
        with sqlite3.connect(path) as other:
            other.execute("DELETE FROM game")
            other.execute("INSERT OR REPLACE INTO arena VALUES (?, ?, ?, ?)", (id, os.uname().nodename, pid, seen))
            other.execute("INSERT OR REPLACE INTO claim VALUES (1, 0, 0, ?)", (id,))
        with MatchStore(path) as store:
            assert store.claim(1, task)


@pytest.mark.parametrize("statement", ["DROP TABLE match", "DROP TABLE game", "ALTER TABLE game DROP COLUMN stops"])
def test_tables_that_lack_are_no_store(statement: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(path) as other:
        other.execute(statement)
    assert "not a store of matches (no such " in told(["report"], path, capsys)


def test_a_damaged_file_is_called_damaged(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    assert "the file is damaged (database disk image is malformed)" in told(["report"], path, capsys)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.mkdir(), "a folder, not a store of matches"),
        (os.mkfifo, "a pipe or device, not a store of matches"),
        (lambda path: path.symlink_to("/dev/zero"), "a pipe or device, not a store of matches"),
    ],
)
def test_what_is_no_regular_file_is_not_opened(
    make: object, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "matches.db"
    assert callable(make)
    make(path)
    assert reason in told(["report"], path, capsys)
    assert main(["match", "--engine", "random", "--engine", "random", "--store", str(path)]) == 1
    assert reason in capsys.readouterr().err


def test_a_store_that_may_only_be_read_is_reported_and_not_played(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("othello_bot.arena.store.os.access", lambda path, mode: False)
    before = [(item.name, item.stat().st_mtime_ns) for item in path.parent.iterdir()]
    assert main(["match", "report", str(path)]) == 0
    assert "2 games: 2 board" in capsys.readouterr().out
    assert [(item.name, item.stat().st_mtime_ns) for item in path.parent.iterdir()] == before
    (path.parent / "matches.db-wal").write_bytes(b"x")
    assert "must be writable" in told(["report"], path, capsys)


def test_a_store_in_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="its folder does not exist"):
        MatchStore(tmp_path / "none" / "matches.db")
    with pytest.raises(StoreError, match=r": File name too long$"):
        MatchStore(tmp_path / ("x" * 300))


@pytest.fixture
def full(path: Path) -> Iterator[MatchStore]:
    """Return a store whose file may not grow."""
    with MatchStore(path) as store:
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        yield store


def test_a_full_disk_is_called_full_and_the_games_stay(full: MatchStore, path: Path) -> None:
    tasks = list(game_tasks(match(rounds=50)))[2:]
    with pytest.raises(StoreError, match=r"matches\.db: the disk is full \(database or disk is full\)"):
        for task in tasks:
            full.add(1, report_of(task, OPENING, random_game(random.Random(task.pair), OPENING)))
    with MatchStore(path) as again:
        assert again.is_whole()
        assert len(list(again.games(1))) >= 2


def test_a_store_that_somebody_keeps_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello_bot.arena.store.BUSY_S", 0.01)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with MatchStore(path) as store, pytest.raises(StoreError, match="another program keeps it locked"):
            store.open_match(match(seed=5), "here")
    finally:
        other.close()
