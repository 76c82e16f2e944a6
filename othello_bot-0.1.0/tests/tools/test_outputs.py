"""Every command that writes a file: none replaces its store, an input or a file of anybody else."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from othello_bot import cli
from tests.arena.builders import HereBackend

GAME = "f5d6c3d3c4f4c5b4\n"
MATCH = ("match", "--engine", "player=random", "name=one", "--engine", "player=random", "name=two", "--rounds", "1")
QUIET = (*MATCH, "--display", "quiet")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with games, a match, a book and a ladder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("games.txt", "more.txt"):
        Path(name).write_text(GAME)
    Path("note").write_text("somebody's note\n")
    Path("ladder").mkdir()
    for name in ("one", "two"):
        Path(f"ladder/{name}.toml").write_text('player = "random"\n')
    return tmp_path


@pytest.fixture(autouse=True, scope="module")
def here() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("othello_bot.arena.backends.LocalBackend", HereBackend)
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of a match."""
    store = tmp_path_factory.mktemp("played") / "S.db"
    assert cli.main([*QUIET, "--store", str(store)]) == 0
    return store


@pytest.fixture
def match(played: Path, folder: Path) -> Path:
    """Put the store into the folder."""
    return Path(shutil.copy(played, folder))


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of every file but the locks and logs of SQLite, and what the cache holds."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm")) and "cache" not in path.parts
    }


def refused(folder: Path, words: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Fail unless a command is refused, names the file and changes none."""
    before = contents(folder)
    try:
        code = cli.main(words)
    except SystemExit as end:
        code = int(str(end.code))
    error = capsys.readouterr().err
    assert code in (1, 2), (words, code)
    assert named in error and "Traceback" not in error
    assert contents(folder) == before, words


@dataclass(frozen=True)
class Case:
    """A command with its files; `{out}` is the file that must stay, of which `names` are other names."""

    words: str
    kept: str

    def __str__(self) -> str:
        return f"{' '.join(self.words.split()[:2])} {self.kept}"


STORE = [
    Case("match report S.db --html {out}", "S.db"),
    Case("match report --store S.db --html {out}", "S.db"),
    Case("match report S.db --overwrite --html {out}", "S.db"),
    Case("match export S.db --form csv --output {out}", "S.db"),
    Case("match export S.db --form csv --overwrite --output {out}", "S.db"),
    Case("match export S.db --form wthor --overwrite --output {out}", "S.db"),
]

INPUTS = [
    Case("convert games.txt {out} --overwrite", "games.txt"),
    Case("convert more.txt games.txt {out} --overwrite --format ggf", "games.txt"),
    Case("convert games.txt new.ggf --errors {out} --overwrite", "games.txt"),
    Case("puzzles games.txt {out} --overwrite", "games.txt"),
    Case("review games.txt --level 0 --overwrite --html {out}", "games.txt"),
    Case("review games.txt --level 0 --store {out}", "games.txt"),
    Case("book learn {out} games.txt", "games.txt"),
    Case("book merge {out} more.txt games.txt", "games.txt"),
    Case("book import {out} games.txt", "games.txt"),
    Case("match ladder ladder --page {out} --overwrite", "ladder/one.toml"),
    Case("match ladder ladder --store {out}", "ladder/one.toml"),
    Case("ggs --login ann --password-file note --log {out}", "note"),
    Case("ggs --login ann --password-file note --games {out}", "note"),
    Case("play --load games.txt --save {out} --book-file note", "note"),
    Case("train fit-scale --weights note --output {out} --overwrite games.txt", "games.txt"),
    Case("train policy --programs note --output {out} --overwrite games.txt", "games.txt"),
]

NAMES: tuple[Callable[[Path], str], ...] = (
    str,
    os.path.abspath,
    lambda path: _link(path),
    lambda path: _hard_link(path),
)


def _link(path: Path) -> str:
    name = "symbolic" + path.suffix
    Path(name).symlink_to(path.absolute())
    return name


def _hard_link(path: Path) -> str:
    name = "hard" + path.suffix
    Path(name).hardlink_to(path)
    return name


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES, ids=("name", "absolute", "symbolic", "hard"))
@pytest.mark.parametrize("case", STORE, ids=str)
def test_no_output_is_the_store(
    match: Path, case: Case, name: Callable[[Path], str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = name(Path(case.kept))
    refused(match.parent, case.words.format(out=out).split(), "a file of its own", capsys)
    with sqlite3.connect(match) as database:
        assert database.execute("SELECT COUNT(*) FROM game").fetchone() == (2,)


@pytest.mark.parametrize("case", INPUTS, ids=str)
def test_no_output_is_an_input(folder: Path, case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    for out in (case.kept, _link(Path(case.kept))):
        refused(folder, case.words.format(out=out).split(), "a file of its own", capsys)


@pytest.mark.parametrize(
    "words",
    (
        "match --store new.csv --games new.csv",
        "match --store new.csv --games new.csv-wal",
        "match tune --store new.csv --games new.csv",
        "match ladder ladder --page ladder/ladder.db",
        "match ladder ladder --page ladder/ladder.db-journal",
        "ggs --login ann --password-file note --games new --log new",
        "ggs --login ann --password-file note --games new.1 --log new",
        "convert games.txt new.ggf --errors new.ggf",
        "review games.txt --level 0 --store new.html --html new.html",
    ),
)
def test_two_files_that_do_not_exist_yet(folder: Path, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused(folder, words.split(), "a file of its own", capsys)


EXISTING = [
    Case("convert games.txt {out} --format ggf", "note"),
    Case("convert games.txt new.ggf --errors {out}", "note"),
    Case("puzzles games.txt {out}", "note"),
    Case("review games.txt --level 0 --html {out}", "note"),
    Case("match ladder ladder --page {out}", "note"),
    Case("play --load games.txt --save {out}", "note"),
    Case("train fit-scale --weights more.txt --output {out} games.txt", "note"),
    Case("book export openings.book {out}", "note"),
]


@pytest.mark.parametrize("case", EXISTING, ids=str)
def test_a_file_of_somebody_else_stays(folder: Path, case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    refused(folder, case.words.format(out="note").split(), "--overwrite", capsys)


@pytest.mark.slow
@pytest.mark.parametrize("words", ("report S.db --html {}", "export S.db --form ggf --output {}"))
def test_what_the_same_match_wrote_may_be_written_again(
    match: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def written(name: str, *more: str) -> int:
        return cli.main(["match", *words.format(name).split(), *more])

    assert written("mine") == 0
    first = Path("mine").read_bytes()
    assert written("mine") == 0 and Path("mine").read_bytes() == first
    refused(match.parent, ["match", *words.format("note").split()], "existing file 'note'", capsys)
    assert written("note", "--overwrite") == 0 and Path("note").read_bytes() == first
    Path("mine").write_bytes(first.replace(b"one", b"our"))  # the names and, in a page, all but the mark
    if "export" in words:
        refused(match.parent, ["match", *words.format("mine").split()], "existing file 'mine'", capsys)
    assert cli.main([*QUIET, "--seed", "2", "--store", "other.db"]) == 0
    other = ["match", *words.format("note").replace("S.db", "other.db").split()]
    refused(match.parent, other, "existing file 'note'", capsys)


@pytest.mark.slow
def test_the_games_of_a_match_go_on_in_their_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*QUIET, "--store", "S.db", "--games", "list.pgn"]
    assert cli.main(words) == 0
    first = Path("list.pgn").read_text()
    Path("list.pgn").write_text(first[:-20])  # as a killed arena leaves it
    assert cli.main([*words, "--rounds", "2"]) == 0
    assert Path("list.pgn").read_text().count("[Result") == 4
    Path("list.pgn").write_text('[Event "mine"]\n\n1. f5 *\n')
    refused(folder, [*words, "--rounds", "2"], "existing file 'list.pgn'", capsys)
    assert cli.main([*words, "--rounds", "2", "--overwrite"]) == 0
    assert Path("list.pgn").read_text().count("[Result") == 4


@pytest.mark.slow
def test_the_null_device_takes_everything(match: Path) -> None:
    for words in ("report S.db --html /dev/null", "export S.db --form csv --output /dev/null"):
        assert cli.main(["match", *words.split()]) == 0
    assert cli.main([*QUIET, "--store", "other.db", "--games", "null.csv"]) == 0
    Path("null.pgn").symlink_to("/dev/null")
    assert cli.main([*QUIET, "--store", "third.db", "--games", "null.pgn"]) == 0
    assert not Path("/dev/null").is_file()


def test_a_file_may_be_continued_where_that_is_meant(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert cli.main(["play", "--load", "games.txt", "--save", "games.txt", "--white", "human"]) == 0
    assert Path("games.txt").read_text().startswith(GAME.strip())
