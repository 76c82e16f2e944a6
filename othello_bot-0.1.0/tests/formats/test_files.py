"""Game files by their endings: writing, refusals, several games in a file, WTHOR bases."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.outputs import FileTaken
from othello_bot.formats import writing
from othello_bot.formats.record import GameRecord, MoveNote
from othello_bot.formats.writing import open_games, user_path, write_game
from othello_bot.rules import Game
from tests.formats.samples import names_file, wthor_file

RECORD = GameRecord(
    Game.from_transcript("f5d6c3"),
    black="Ann",
    white="Bo",
    date="2026-11-20",
    clock=TimeControl(300, 2),
    notes={0: MoveNote(None, 1.5)},
)


@pytest.mark.parametrize("ending", [".ggf", ".sgf", ".pgn", ".GGF"])
def test_players_date_and_clocks_are_kept(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"game{ending}"
    write_game(RECORD, path)
    again = open_games(path).read(0)
    assert (again.game, again.black, again.white) == (RECORD.game, "Ann", "Bo")
    assert (again.date, again.clock) == ("2026-11-20", TimeControl(300, 2))
    assert again.notes == (RECORD.notes if ending != ".sgf" else {})


def test_the_dates_and_clocks_that_programs_expect(tmp_path: Path) -> None:
    for name in ("a.ggf", "a.sgf", "a.pgn", "a.txt"):
        write_game(RECORD, tmp_path / name)
    assert (
        "DT[2026.11.20]" in (tmp_path / "a.ggf").read_text() and "TI[05:00/00:02]" in (tmp_path / "a.ggf").read_text()
    )
    assert "TM[300]OT[2 fischer]" in (tmp_path / "a.sgf").read_text()
    assert '[Date "2026.11.20"]' in (tmp_path / "a.pgn").read_text()
    assert (tmp_path / "a.txt").read_text() == "f5d6c3\n"


def test_nothing_is_replaced_without_being_told_to(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("old")
    with pytest.raises(FileTaken, match=r"existing file 'game.txt': expected another name"):
        write_game(RECORD, path)
    assert path.read_text() == "old"
    write_game(RECORD, path, overwrite=True)
    assert path.read_text() == "f5d6c3\n"


@pytest.mark.parametrize("name", ["WTHOR.JOU", "wthor.trn"])
def test_names_are_only_written_with_their_games(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a name ending in .ggf, .sgf, .pgn, .json, .obf, .txt, .wtb"):
        write_game(RECORD, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_the_home_folder_and_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert user_path("~/a game.ggf") == Path("/home/ann/a game.ggf")
    assert user_path('"~/a game.ggf"') == Path("/home/ann/a game.ggf")
    assert user_path("~nobody-of-that-name/x") == Path("~nobody-of-that-name/x")
    assert user_path("a~b") == Path("a~b")


def test_a_base_with_its_names(tmp_path: Path) -> None:
    games = [Game.from_transcript("f5d6c3"), Game.from_transcript("f5f6e6f4")]
    path = tmp_path / "WTH_1987.wtb"
    path.write_bytes(wthor_file(games))
    (tmp_path / "WTHOR.JOU").write_bytes(names_file(["Ann", "Bo", "Cy"], 20))
    found = open_games(path)
    assert len(found.titles) == 2 and found.titles[0] == "Cy - Ann  62-2  1987"
    assert found.read(1).game == games[1]
    (tmp_path / "WTHOR.JOU").write_bytes(b"broken")
    assert open_games(path).titles[0].startswith("? - ?")


def test_titles_tell_games_apart(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5d6c3d3c4f4f6\n\nc4c3\n")
    assert open_games(path).titles == ("? - ?  f5d6c3d3c4f4", "? - ?  c4c3")
    path.write_text('[Black "Ann"]\n\n1. f5 d6 0-1\n')
    assert open_games(path).titles == ("Ann - ?  0-1  f5d6",)


@pytest.mark.parametrize("content", [b"", b"# nothing\n"])
def test_a_file_without_a_game(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "none.ggf"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="expected a game in GGF, SGF, PGN, JSON"):
        open_games(path)


def test_a_compressed_file_that_grows_beyond_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small file may unpack to any length, and whoever asked waits for it."""
    path = tmp_path / "games.txt.gz"
    path.write_bytes(gzip.compress(b"f5d6\n\n" * 1000))
    assert len(open_games(path).titles) == 1000
    monkeypatch.setattr(writing, "LARGEST_LISTED_BYTES", 3000)
    with pytest.raises(FormatError, match="at most 3000 bytes"):
        open_games(path)
