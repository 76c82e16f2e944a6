"""`othello-bot review`: every output, what is refused, and that a second output needs no search."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from othello_bot.base import output as progress_line
from othello_bot.base.notation import parse_move
from othello_bot.cli import main
from othello_bot.review import command, text_report
from othello_bot.review.text_report import HEADS
from othello_bot.rules import Game
from tests.base.test_progress_line import TerminalText
from tests.rules.strategies import random_game

PGN = """[Event "Club <evening>"]
[Date "2026.11.20"]
[Black "Ada & Co"]
[White "Bertil"]

1. f5 d6 2. c3 d3 3. c4 f4 *
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.pgn").write_text(PGN)
    lines = [random_game(seed).transcript() for seed in (1, 2)]
    (tmp_path / "b.txt").write_text("\n".join([lines[0], "f5d6z9", lines[1], "f5f5"]) + "\n")
    return tmp_path


def reviewed(*words: object) -> int:
    return main(["review", "--level", "0", "--processes", "1", *map(str, words)])


def test_the_games_are_counted_while_they_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_line, "EVERY_S", 0.0)
    stderr = TerminalText()
    monkeypatch.setattr(sys, "stderr", stderr)
    reviewed("--json", folder / "b.txt")
    assert "\r1 game read\x1b[K" in stderr.getvalue()
    assert "\r\x1b[Kothello-bot review: " in stderr.getvalue()


def test_text_lists_the_moves_of_a_game_and_its_players(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reviewed(folder / "a.pgn") == 0
    output = capsys.readouterr().out
    assert output.startswith("Ada & Co - Bertil  Club <evening>  2026-11-20")
    assert re.search(r"^player +games +accuracy +rating +loss +opening", output, re.MULTILINE)
    assert re.search(r"^Bertil +1 ", output, re.MULTILINE)


def test_two_players_of_one_name_are_two(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = PGN.replace("Ada & Co", "Bertil")
    (folder / "c.pgn").write_text(f"{again}\n{PGN}")
    assert reviewed(folder / "c.pgn") == 0
    output = capsys.readouterr().out
    assert output.startswith("Bertil (black) - Bertil (white)  Club <evening>")
    games = dict(re.findall(r"^(Ada & Co|Bertil.*?) +(\d) +\d", output, re.MULTILINE))
    assert games == {"Ada & Co": "1", "Bertil": "1", "Bertil (black)": "1", "Bertil (white)": "1"}


def test_what_cannot_be_read_is_told_with_its_place_and_skipped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reviewed("--json", folder / "b.txt", folder / "none.sgf", folder / "a.pgn") == 1
    output = capsys.readouterr()
    assert len(output.out.splitlines()) == 3
    errors = output.err.splitlines()
    assert len(errors) == 3
    assert "b.txt, game 2 (line 2): " in errors[0] and "z9" in errors[0]
    assert "b.txt, game 4 (line 4): " in errors[1] and "f5" in errors[1]
    assert "none.sgf: No such file" in errors[2]


def test_json_has_an_object_for_each_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reviewed("--json", folder / "a.pgn") == 0
    [line] = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert (found["black"], found["white"], found["level"]) == ("Ada & Co", "Bertil", 0)
    assert Game.from_transcript(found["game"]).ply == len(found["moves"]) == 6
    for ply, move in enumerate(found["moves"], 1):
        assert move["ply"] == ply and move["phase"] == "opening"
        assert parse_move(move["line"][:2]) == parse_move(move["best"])
        assert (move["grade"] is None) == (move["loss"] == 0)
    for color in ("black", "white"):
        own = [move["loss"] for move in found["moves"] if move["color"] == color]
        total = found["players"][color]["total"]
        assert total["loss"] == sum(own)
        assert total["inaccuracies"] + total["mistakes"] + total["blunders"] == sum(map(bool, own))


def test_csv_has_a_row_for_each_player_of_each_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reviewed("--csv", folder / "a.pgn", folder / "b.txt") == 1
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["color"] for row in rows] == ["black", "white"] * 3
    assert list(rows[0]) == list(text_report.CSV_COLUMNS)
    assert (rows[0]["player"], rows[0]["opponent"], rows[0]["result"]) == ("Ada & Co", "Bertil", "")
    assert float(rows[2]["result"]) == -float(rows[3]["result"])
    for row in rows:
        assert int(row["loss"]) == sum(int(row[f"{phase}_loss"]) for phase in ("opening", "midgame", "endgame"))


def test_html_is_one_file_without_requests_and_with_escaped_names(folder: Path) -> None:
    page = folder / "out.html"
    assert reviewed("--html", page, folder / "a.pgn", folder / "b.txt") == 1
    text = page.read_text()
    assert "Ada &amp; Co" in text and "Club &lt;evening&gt;" in text and "Club <evening>" not in text
    requests = text.replace('xmlns="http://www.w3.org/2000/svg"', "")  # a name, which nobody fetches
    assert not re.search(r"https?:|src=|url\(|@import|<script|<link", requests)
    assert text.count("<article>") == text.count("</article>") == text.count('class="graph"') == 3
    assert text.count('class="board"') == text.count("<figure>") > 3
    assert "href=" not in text


def test_a_second_output_needs_no_search(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reviewed("--json", folder / "a.pgn") == 0
    first = capsys.readouterr().out
    monkeypatch.setattr(command, "review_missing", None)
    assert reviewed("--json", folder / "a.pgn") == 0
    assert capsys.readouterr().out == first


def test_a_store_may_be_named(folder: Path) -> None:
    store = folder / "mine.db"
    assert reviewed("--store", store, folder / "a.pgn") == 0
    assert store.exists() and not (folder / "cache").exists()


def test_without_a_game_there_is_nothing_to_print(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty.txt").write_text("\n")
    assert reviewed("--json", folder / "empty.txt") == 1
    output = capsys.readouterr()
    assert output.out == "" and "no game to review" in output.err


@pytest.mark.parametrize(
    "words", [("--level", "61"), ("--level", "x"), ("--processes", "0"), ("--json", "--csv"), ("--levels", "1")]
)
def test_wrong_options_are_refused(folder: Path, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        reviewed(*words, folder / "a.pgn")
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("database or disk is full", "the disk is full (database or disk is full)"),
        ("database is locked", "another program keeps it locked (database is locked)"),
        ("attempt to write a readonly database", "cannot be written"),
    ],
)
def test_a_store_that_cannot_be_used_now_is_not_called_something_else(
    message: str, told: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def connect(*_: object, **__: object) -> object:
        def execute(statement: str) -> None:
            raise sqlite3.OperationalError(message)

        return SimpleNamespace(execute=execute, close=lambda: None)

    monkeypatch.setattr("othello_bot.review.store.sqlite3.connect", connect)
    assert reviewed("--store", folder / "reviews.db", folder / "a.pgn") == 1
    error = capsys.readouterr().err
    assert "reviews.db: " in error and told in error and "store of reviews" not in error


def test_an_interruption_says_how_to_resume(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "review_missing", interrupt)
    assert reviewed(folder / "a.pgn") == 130
    assert "the same command resumes" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_tables_fit_the_terminal(
    columns: int, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert reviewed(folder / "a.pgn") == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= columns or " " not in line for line in lines)
    heads = " ".join(line for line in lines if line.startswith("player  ")).split()
    assert [head for head in heads if head != "player"] == list(HEADS[1:])
