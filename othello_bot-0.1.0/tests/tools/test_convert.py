"""`othello-bot convert`: formats, filters, duplicates, failures, and what is never overwritten."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from othello_bot.base import output as progress_line
from othello_bot.base.errors import INTERRUPTED
from othello_bot.cli import main
from othello_bot.formats import reading
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import GameRecord, Range
from othello_bot.formats.writing import write_games
from othello_bot.rules import SYMMETRIES, Game, Position, transform_square
from othello_bot.tools import convert
from othello_bot.tools.conversion import SAME_MOVES, SAME_UNDER_SYMMETRY, GameFilter, key_of, result_word
from tests.base.test_progress_line import TerminalText
from tests.rules.strategies import random_game

ANN = GameRecord(random_game(1), black="Ann Åberg", white="Bo", date="1999-01-02")
BO = GameRecord(random_game(2), black="Bo", white="Cy", date="2005")
SHORT = GameRecord(Game.from_transcript("f5d6c3"), black="Cy", white="Ann Åberg", date="2001")
RECORDS = [ANN, BO, SHORT]


def converted(*words: str) -> int:
    """Return the exit code of a conversion in this process."""
    return main(["convert", *words, "--processes", "1"])


def games_in(path: Path) -> list[Game]:
    return [found.checked().game for found in games_of_file(path)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a file with RECORDS."""
    path = tmp_path / "in.ggf"
    write_games(RECORDS, path)
    return path


def test_a_file_becomes_another(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.pgn"
    assert converted(str(source), str(out)) == 0
    assert games_in(out) == [record.game for record in RECORDS]
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"{out}: 3 games read, 3 written, ")


def test_what_is_lost_is_said_once_a_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out, errors = tmp_path / "in.pgn", tmp_path / "out.ggf", tmp_path / "errors.txt"
    game = '[Annotator "x"]\n[Black "Ann"]\n\n1. f5 {[%clk 0:04:56] good} d6 $1 (1... f6) 0-1\n\n'
    source.write_text(game * 2 + '[White "Bo"]\n\n1. d3 *\n')
    assert converted(str(source), str(out), "--errors", str(errors)) == 0
    said = [
        "not read: annotation signs (2), other tags (2), variations (2)",
        "not stored in .ggf: times left (2), who won (2)",
    ]
    assert errors.read_text().splitlines() == said
    *lines, last = capsys.readouterr().err.splitlines()
    assert lines == [f"othello-bot convert: {line}" for line in said]
    assert last.startswith(f"{out}: 3 games read, 3 written, ")
    assert converted(str(source), str(out), "--overwrite", "--white", "bo") == 0
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_nothing_is_overwritten_without_being_told(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.sgf"
    out.write_text("old")
    assert converted(str(source), str(out)) == 2
    assert "existing file 'out.sgf': expected another name, or --overwrite" in capsys.readouterr().err
    assert out.read_text() == "old"
    assert converted(str(source), str(out), "--overwrite") == 0
    assert len(games_in(out)) == 3
    assert converted(str(source), str(source), "--overwrite", "--year", "1999") == 2
    assert "not the input" in capsys.readouterr().err and len(games_in(source)) == 3


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["--player", "aberg"], [ANN, SHORT]),
        (["--black", "ÅBERG"], [ANN]),
        (["--white", "ann"], [SHORT]),
        (["--year", "1999"], [ANN]),
        (["--year", "2000-2004"], [SHORT]),
        (["--year", "2001-"], [BO, SHORT]),
        (["--length", "3"], [SHORT]),
        (["--length", "4-"], [ANN, BO]),
        (["--result", "unknown"], [SHORT]),
        (["--result", "black", "--result", "white", "--result", "draw"], [ANN, BO]),
        (["--player", "bo", "--year", "2005"], [BO]),
    ],
)
def test_filters(words: list[str], kept: list[GameRecord], source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    assert converted(str(source), str(out), *words) == 0
    assert games_in(out) == [record.game for record in kept]


def test_a_filter_that_leaves_nothing(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.txt"
    assert converted(str(source), str(out), "--player", "nobody") == 1
    expected = "nothing to write to 'out.txt': expected a game in IN (3 games read, 0 written, 3 skipped)"
    assert expected in capsys.readouterr().err
    assert not out.exists()


def test_a_file_without_a_game_is_named(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty, comments, out = tmp_path / "empty.txt", tmp_path / "comments.txt", tmp_path / "out.txt"
    empty.write_text("")
    comments.write_text("# nothing\n")
    assert converted(str(empty), str(source), str(comments), str(out)) == 0
    told = capsys.readouterr().err
    for name in (empty, comments):
        assert f"{name}: no game: the file is empty or has only comments" in told
    assert str(source) + ":" not in told
    assert converted(str(empty), str(tmp_path / "other.txt")) == 1
    assert f"{empty}: no game" in capsys.readouterr().err


def test_duplicates(tmp_path: Path) -> None:
    one, other, out = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "out.txt"
    one.write_text("f5d6c3\n\nf5f6\n\nd3c5f6\n")
    other.write_text("f5f6\n\nc4e3f6\n")
    assert converted(str(one), str(other), str(out), "--overwrite") == 0
    assert len(games_in(out)) == 5
    assert converted(str(one), str(other), str(out), "--overwrite", "--unique") == 0
    assert [game.transcript() for game in games_in(out)] == ["f5d6c3", "f5f6", "d3c5f6", "c4e3f6"]
    assert converted(str(one), str(other), str(out), "--overwrite", "--unique", "symmetry") == 0
    assert [game.transcript() for game in games_in(out)] == ["f5d6c3", "f5f6"]


def test_keys_under_symmetry() -> None:
    game = random_game(3)
    start = Position.start()
    keys = set()
    for index in SYMMETRIES:
        image = Game(start.transform(index))
        image.play_moves(transform_square(move, index) for move in game.moves)
        keys.add(key_of(GameRecord(image), SAME_UNDER_SYMMETRY))
    assert len(keys) == 1
    assert key_of(GameRecord(random_game(4)), SAME_UNDER_SYMMETRY) not in keys
    assert key_of(GameRecord(game), SAME_MOVES) == bytes(game.moves)


def test_bad_games_are_reported_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out, errors = tmp_path / "in.txt", tmp_path / "out.wtb", tmp_path / "errors.txt"
    source.write_text(f"{ANN.game.transcript()}\n\nf5a1\n\nf5d6\n\n{BO.game.transcript()}\n")
    missing = tmp_path / "missing.txt"
    assert converted(str(missing), str(source), str(out), "--errors", str(errors)) == 1
    told = [
        f"{missing}: No such file or directory",
        f"{source}: game 2 (line 3): illegal move 'a1': expected f4 d6 f6",
        f"{source}: game 3 (line 5): game without a result 'f5d6': "
        "expected a finished game, or one whose result is known",
    ]
    assert errors.read_text().splitlines() == told
    said = capsys.readouterr().err.splitlines()
    assert said[:3] == [f"othello-bot convert: {line}" for line in told]
    assert said[3].startswith(f"{out}: 4 games read, 2 written, 3 failed, ")
    assert games_in(out) == [ANN.game, BO.game]


def test_many_messages_are_cut_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in.txt"
    source.write_text("f5d6\n" + "f5a1\n" * 60)
    assert converted(str(source), str(tmp_path / "out.txt")) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == convert.SHOWN_FAILURES + 2
    assert said[-2] == "othello-bot convert: ... and 10 more; --errors FILE keeps all"


def test_positions_with_so_many_empty_squares(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.obf"
    assert converted(str(source), str(out), "--empties", "20") == 1
    assert [found.checked().game.position.empties for found in games_of_file(out)] == [20, 20]
    assert "game 3 (line 3): game 'f5d6c3': expected one that reaches 20 empty squares" in capsys.readouterr().err
    assert converted(str(source), str(tmp_path / "out.sgf"), "--empties", "20") == 2
    assert "--empties 20: expected OUT to be a file of positions (.obf)" in capsys.readouterr().err


@pytest.mark.slow
def test_processes_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, one, two = tmp_path / "in.wtb", tmp_path / "one.sgf", tmp_path / "two.sgf"
    write_games([GameRecord(random_game(seed), date="2000") for seed in range(40)], source)
    data = bytearray(source.read_bytes())
    data[16 + 68 * 20 + 8] = 11
    source.write_bytes(data)
    monkeypatch.setattr(reading, "PIECE_BYTES", 68 * 32)
    assert converted(str(source), str(one), "--unique") == 1
    assert main(["convert", str(source), str(two), "--unique", "--processes", "2"]) == 1
    assert one.read_bytes() == two.read_bytes()
    assert len(games_in(two)) == 39


@pytest.mark.parametrize("text", ["", "x", "60-50", "-5", "12345"])
def test_ranges_that_are_none(text: str, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        converted(str(source), str(tmp_path / "out.txt"), f"--length={text}")
    assert f"{text!r}: expected a number from 0 to 9999, or a range" in capsys.readouterr().err


def test_ranges_and_results() -> None:
    assert [number in Range.parse("50-") for number in (49, 50, 9999)] == [False, True, True]
    assert [result_word(GameRecord(Game(), result=result)) for result in (2.0, -2.0, 0.0, None)] == [
        *("black", "white", "draw", "unknown")
    ]
    assert GameFilter().takes(SHORT)


def test_progress_and_messages_do_not_share_a_line(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_line, "EVERY_S", 0.0)
    stderr = TerminalText()
    monkeypatch.setattr(sys, "stderr", stderr)
    (tmp_path / "more.txt").write_text("f5d6\n\nf5 a1\n")
    converted(str(source), str(tmp_path / "more.txt"), str(tmp_path / "out.sgf"), "--processes", "1")
    assert "games read" in stderr.getvalue()
    assert "\r\x1b[Kothello-bot convert: " in stderr.getvalue()


def test_ctrl_c_writes_nothing(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("othello_bot.tools.conversion.convert_piece", interrupted)
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    out = tmp_path / "out.sgf"
    assert converted(str(source), str(out)) == INTERRUPTED
    assert stderr.getvalue() == f"othello-bot convert: interrupted; {out} was not written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["in.ggf"]


@pytest.mark.process
def test_pipes_at_both_ends() -> None:
    command = [sys.executable, "-m", "othello_bot", "convert", "/dev/stdin", "/dev/stdout", "--format", "pgn"]
    done = subprocess.run(command, input=b"f5 d6 c3", capture_output=True, check=True)
    assert done.stdout.endswith(b"\n\n1. f5 d6 2. c3 *\n")
    assert done.stderr.startswith(b"/dev/stdout: 1 game read, 1 written, ")
