"""`othello-bot explore`: what it prints, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from othello_bot.arena import openings
from othello_bot.arena.config import OpeningConfig
from othello_bot.book import key_of, open_book
from othello_bot.cli import main
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import write_games
from othello_bot.rules import Game
from tests.explorer.games import SHORT, built, made_up


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("base") / "games.base"
    built(path, made_up(40)).close()
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["explore", *words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_it_prints_an_object_for_each_move(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = map(json.loads, said(capsys, base, "--json", "--people", "1500").splitlines())
    assert found["move"] == "f5" and found["symmetric"] == ["d3", "c4", "e6"]
    assert found["won"] + found["drawn"] + found["lost"] <= found["games"] == 36
    assert {"mean_discs", "mean_rating", "first_year", "last_year", "opening"} <= found.keys()
    assert (found["value"], found["value_source"], found["probability"]) == (0, "book", 1.0)
    found = json.loads(said(capsys, base, "f5", "--json", "--level", "1").splitlines()[0])
    assert found["value_source"] == "search"


def test_it_prints_a_table_for_people(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, base, "f5").splitlines()
    assert told[0].startswith("36 games, ")
    assert told[2].split() == [
        "move",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "discs",
        "years",
        "value",
        "rating",
        "opening",
    ]
    assert {line.split()[0] for line in told[3:]} <= {"d6", "f6", "f4"}


def test_filters_of_the_command_line_leave_games_out(
    base: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    every = json.loads(said(capsys, base, "--json"))["games"]
    programs = tmp_path / "programs"
    programs.write_text("# programs\nedax\nLogistello\n")
    for words in (
        ["--years", "2000-2010"],
        ["--player", "aberg", "--color", "black"],
        ["--result", "draw", "--result", "black"],
    ):
        assert 0 < json.loads(said(capsys, base, "--json", *words))["games"] < every
    people, programs_alone, both = (
        json.loads(said(capsys, base, "--json", "--programs", str(programs), *words))["games"]
        for words in ([], ["--between", "programs"], ["--between", "both"])
    )
    assert people + programs_alone + both == every


def test_games_come_a_page_at_a_time(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [said(capsys, base, "f5d6", "--games", "--count", "2", "--page", page, "--json") for page in "12"]
    numbers = [json.loads(line)["game"] for page in pages for line in page.splitlines()]
    assert len(set(numbers)) == len(numbers) == 4
    assert len(said(capsys, base, "f5d6", "--games", "--move", "c3").splitlines()) > 1
    assert said(capsys, base, "f5d6", "--games", "--page", "99") == "no more games\n"
    nobody = ("--games", "--player", "nobody")
    assert said(capsys, base, *nobody) == "no game of the base that fits the filters reaches this position\n"
    assert said(capsys, base, *nobody, "--json") == ""


def test_a_novelty_is_told_with_those_who_had_gone_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(tmp_path / "b", [GameRecord(Game.from_transcript(SHORT[:12]), black="Rose", white="Tom")]).close()
    write_games([GameRecord(Game.from_transcript(SHORT))], tmp_path / "new.txt")
    told = said(capsys, str(tmp_path / "b"), "--novelty", str(tmp_path / "new.txt")).splitlines()
    assert told[0] == "game 1: new with move 7, c5; 1 game had come so far"
    assert "Rose - Tom" in told[1]


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("diagonal", "f5f6"),
        ("f5 F6", "f5f6"),
        ("Perpendicular", "f5d6"),
        ("  perpendi", "f5d6"),
        ("peasant", "f5f6e6f4g6"),
    ],
)
def test_an_opening_may_be_asked_for_by_its_name(
    base: str, capsys: pytest.CaptureFixture[str], name: str, moves: str
) -> None:
    told = said(capsys, base, name)
    assert told == said(capsys, base, moves)
    assert told.startswith(("opening: ", "no game"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a1"], "illegal move 'a1'"),
        (["tigre"], "or the name of an opening (Tiger), did you mean Tiger?"),
        (["rose-x"], "or the name of an opening (Tiger), did you mean Rose?"),
        (["qq"], "moves 'qq': expected moves (f5d6c3, passes as pa), or the name of an opening (Tiger)"),
        (["bill"], "opening 'bill': expected one of Rose-Bill, Central Rose-Bill (Dead Draw)"),
        (["f5z9"], "transcript 'z9'"),
        (["f5", "--games", "--move", "f5"], "illegal move 'f5'"),
        (["--color", "black"], "the name of a player"),
        (["--between", "people"], "a list of the programs"),
        (["--programs", "/no/such/file"], "No such file"),
        (["--games", "--count", "1000", "--page", "100"], "at most 10000"),
    ],
)
def test_wrong_arguments_are_one_sentence(
    base: str, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    told = said(capsys, base, *words, code=2)
    assert message in told
    assert len(told.splitlines()) == 1


def test_names_from_files_cannot_reach_the_terminal_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = GameRecord(
        Game.from_transcript("f5d6"), black="\x1b[31mRed\x07", white="a\nb", event="\x9b2J", date="\x1b]0;"
    )
    built(tmp_path / "b", [record]).close()
    for words in ([], ["--json"], ["--games"], ["--games", "--json"]):
        told = said(capsys, str(tmp_path / "b"), *words)
        assert told.isascii() and all(char.isprintable() or char == "\n" for char in told)


def test_a_base_is_no_input_of_itself(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "build", base, base]) == 2
    assert "file of its own" in capsys.readouterr().err


def test_lines_are_openings_of_a_match_and_a_base_teaches_a_book(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [GameRecord(Game.from_transcript(moves), result=2.0) for moves in ("f5d6c3", "f5d6c4", "f5f6")]
    built(tmp_path / "b", games).close()
    lines = tmp_path / "openings.txt"
    lines.write_text(said(capsys, str(tmp_path / "b"), "--lines", "2"))
    assert lines.read_text() == "f5d6\n"
    assert openings.load(OpeningConfig(str(lines)), 1).of_round(0).moves == (37, 43)
    book = tmp_path / "my.book"
    words = ["learn", str(book), str(tmp_path / "b"), "--least", "2", "--level", "1"]
    assert main(["book", *words]) == 0
    with open_book(book) as learned:
        entry = learned.find(key_of(Game.from_transcript("f5").position))
        assert entry is not None and entry.lost == 3
