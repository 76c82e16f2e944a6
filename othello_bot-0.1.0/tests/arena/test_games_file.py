"""`--games FILE` has each game as soon as it has ended; `export` writes every format of `convert`."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from othello_bot.arena.games import GameReport
from othello_bot.base import posix
from othello_bot.cli import main
from othello_bot.formats.reading import games_of_file
from tests.arena.builders import HereBackend

WORDS = ["match", "--engine", "random", "name=A", "--engine", "random", "name=B", "--display", "quiet"]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello_bot.arena.backends.LocalBackend", HereBackend)


@pytest.mark.parametrize("ending", ["ggf", "sgf", "pgn", "jsonl", "csv", "txt", "obf"])
def test_a_match_that_goes_on_has_all_its_games_in_the_file(ending: str, tmp_path: Path) -> None:
    store, games, whole = tmp_path / "a.db", tmp_path / f"games.{ending}", tmp_path / "whole"
    words = [*WORDS, "--store", str(store), "--games", str(games)]
    assert main([*words, "--rounds", "1"]) == 0
    first = games.read_bytes()
    assert main([*words, "--rounds", "3"]) == 0
    assert games.read_bytes().startswith(first)
    form = "transcript" if ending == "txt" else ending
    assert main(["match", "export", str(store), "--form", form, "--output", str(whole)]) == 0
    assert sorted(games.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())


def test_two_arenas_of_a_match_list_each_game_once(tmp_path: Path) -> None:
    """The one that begins first writes the games of both; where it is stopped, the other one goes on."""
    store, games, whole = tmp_path / "a.db", tmp_path / "games.ggf", tmp_path / "whole.ggf"
    words = [*WORDS, "--store", str(store), "--games", str(games), "--rounds"]
    assert main([*words, "1"]) == 0
    with posix.sole_holder(games):  # as another arena of this match
        before = games.read_bytes()
        assert main([*words, "2"]) == 0
        assert games.read_bytes() == before
    assert main([*words, "3"]) == 0
    assert main(["match", "export", str(store), "--form", "ggf", "--output", str(whole)]) == 0
    assert sorted(games.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())
    assert len(games.read_bytes().splitlines()) == 6


def test_an_arena_takes_over_the_list_of_one_that_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = tmp_path / "games.ggf"
    words = [*WORDS, "--store", str(tmp_path / "a.db"), "--games", str(games), "--rounds"]
    assert main([*words, "1"]) == 0
    other = contextlib.ExitStack()
    other.enter_context(posix.sole_holder(games))
    listed: list[int] = []
    play = HereBackend.wait

    def wait(backend: HereBackend, timeout_s: float) -> list[GameReport]:
        listed.append(len(games.read_bytes().splitlines()))
        if len(listed) == 3:
            other.close()
        return play(backend, timeout_s)

    monkeypatch.setattr(HereBackend, "wait", wait)
    assert main([*words, "3"]) == 0
    assert listed == [2, 2, 2, 5] and len(set(games.read_bytes().splitlines())) == 6


def test_a_file_of_something_else_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.ggf"
    games.write_text("precious")
    assert main([*WORDS, "--store", str(tmp_path / "a.db"), "--rounds", "1", "--games", str(games)]) == 2
    assert "existing file 'games.ggf': expected another name, or --overwrite" in capsys.readouterr().err
    assert games.read_text() == "precious"


def test_an_ending_without_a_format_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "--store", str(tmp_path / "a.db"), "--games", str(tmp_path / "games.doc")]) == 2
    assert "a name ending in .ggf, .sgf" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("form", "name"), [("wthor", "a.wtb"), ("quest", "a.json"), ("pgn", "a.pgn"), ("ggf", "a.ggf")]
)
def test_exported_games_are_read_again(form: str, name: str, tmp_path: Path) -> None:
    store, out = tmp_path / "a.db", tmp_path / name
    assert main([*WORDS, "--rounds", "2", "--store", str(store)]) == 0
    assert main(["match", "export", str(store), "--form", form, "--output", str(out)]) == 0
    games = [found.checked().game for found in games_of_file(str(out))]
    assert len(games) == 4 and all(game.is_over for game in games)


def test_a_base_needs_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "a.db"
    assert main([*WORDS, "--rounds", "1", "--store", str(store)]) == 0
    assert main(["match", "export", str(store), "--form", "wthor"]) == 2
    assert "output 'none'" in capsys.readouterr().err
