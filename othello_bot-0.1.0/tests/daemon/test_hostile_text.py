"""Names, events, comments and file names that would control a terminal: no command shows them raw."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.games import GameTask
from othello_bot.arena.store import MatchStore
from othello_bot.base.notation import Color
from othello_bot.base.visible import visible
from othello_bot.cli import main
from tests.arena.builders import OPENING, match, random_game, report_of
from tests.session.harness import COMMAND, in_process

HOSTILE = "\x1b]52;c;cHJpdmF0ZQ==\x07\x1b[2J\x9b2J\u202eann\u200b\rb"
SEEN = "\\x1b]52;c;cHJpdmF0ZQ==\\x07\\x1b[2J\\x9b2J\\u202eann\\u200b b"

PGN = f'[Event "=1+1 {HOSTILE}"]\n[Black "{HOSTILE}"]\n[White "@w [red]"]\n\n1. f5 d6 2. c3 {{{HOSTILE}}} *\n'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "a\x1b[2Jname\n.pgn"
    path.write_text(PGN, encoding="utf-8", newline="")
    return path


def harmless(text: str) -> str:
    """Return a text that has only characters with a picture, and line feeds."""
    assert all(line.isprintable() for line in text.split("\n")), text
    return text


def shown(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Return what a command shows, on both streams."""
    main(list(map(str, words)))
    said = capsys.readouterr()
    harmless(said.err)
    return harmless(said.out)


REVIEW = ("review", "--level", "0", "--processes", "1")


def test_a_review_in_every_form(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, *REVIEW, game)
    assert f"{SEEN} - @w [red]" in text
    assert "a\\x1b[2Jname .pgn, game 1 (line 1)" in text
    assert json.loads(shown(capsys, *REVIEW, "--json", game))["white"] == "@w [red]"
    rows = list(csv.DictReader(shown(capsys, *REVIEW, "--csv", game).splitlines()))
    assert [row["player"] for row in rows] == [SEEN, "'@w [red]"]
    assert rows[0]["event"].startswith("'=1+1 ")
    shown(capsys, *REVIEW, "--html", tmp_path / "page.html", game)
    assert SEEN in harmless((tmp_path / "page.html").read_text(encoding="utf-8"))


def test_columns_of_a_review_line_up_with_wide_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.pgn").write_text('[Black "五十嵐"]\n[White "bo"]\n\n1. f5 d6 2. c3 *\n', encoding="utf-8")
    lines = shown(capsys, *REVIEW, tmp_path / "a.pgn").splitlines()
    assert next(line for line in lines if line.startswith("五十嵐  ")).startswith("五十嵐      1")
    assert next(line for line in lines if line.startswith("bo  ")).startswith("bo          1")


def test_a_session_about_a_file(game: Path) -> None:
    link = game.with_name("link.pgn")
    link.symlink_to(game)
    said = harmless(in_process(f"games {link}\nload {link}\nshowboard\nprintsgf\nload no\x1b[2J\u202e.pgn\nx\u202ey\n"))
    assert f"= 1 {SEEN} - @w [red]  =1+1 {SEEN}" in said
    assert "? unknown command: 'x\\u202ey'" in said


def test_games_in_every_format_that_is_written(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in ("pgn", "sgf", "ggf", "json", "txt"):
        out = tmp_path / f"out.{ending}"
        shown(capsys, "convert", game, out)
        harmless(out.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "words",
    [
        ["convert", "no\x1b[2J.pgn", "out.pgn"],
        ["review", "no\x1b[2J.pgn"],
        ["solve", "no\x1b[2J.obf"],
        ["play", "--load", "no\u202e\udce9.pgn"],
        ["book", "show", "no\x1b[2J"],
        ["match", "report", "no\x1b[2J.db"],
        ["match", "--engine", "no\x1b[2J"],
        ["help", "no\x1b[2J"],
        ["no\x1b[2J"],
        ["--no\x1b[2J"],
        ["play", "--black", "no\x1b[2J"],
        ["web", "--port", "no\x1b[2J"],
    ],
)
def test_errors_about_words_of_the_command_line(
    words: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with contextlib.suppress(SystemExit):
        main(list(words))
    hostile = next(visible(word) for word in words if visible(word) != word)
    assert hostile in harmless(capsys.readouterr().err)


@pytest.mark.process
def test_a_file_name_that_is_not_utf_8(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.pgn"
    Path(os.fsdecode(path)).write_text(PGN, encoding="utf-8", newline="")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONIOENCODING": "utf-8"}
    words = [os.fsencode(word) for word in (*COMMAND, *REVIEW, "--html", str(tmp_path / "page.html"))]
    done = subprocess.run([*words, path], capture_output=True, env=environment, check=True)
    assert "caf\\xe9.pgn, game 1" in harmless(done.stdout.decode())
    assert "caf\\xe9.pgn, game 1" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_match_of_engines_with_hostile_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "matches.db"
    game = random_game(random.Random(1), OPENING)
    report = report_of(
        GameTask(0, 0, 0, 0, 1),
        OPENING,
        game,
        ending=Ending.CRASH,
        loser=Color.BLACK,
        discs=None,
        detail=HOSTILE,
        last_words=(HOSTILE,),
        identities=(f"={HOSTILE}", "b"),
        machine=HOSTILE,
    )
    with MatchStore(path) as store:
        names = (f"random name='{HOSTILE}'", "random name='=b [red]'")
        stored = store.open_match(match(*names, event=f"=cmd {HOSTILE}"), HOSTILE)
        store.add(stored.id, report)
    assert SEEN in shown(capsys, "match", "report", "--failures", path)
    for form in ("ggf", "pgn", "transcript", "jsonl", "csv"):
        shown(capsys, "match", "export", "--form", form, path)
