"""othello-bot train evaluate: the figures, their form, and how it handles unusable files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from othello_bot import kernel
from othello_bot.rules.position import Position
from othello_bot.training import boards, measuring
from othello_bot.training.arguments import measuring_keys
from othello_bot.training.boards import PositionStore
from tests.training.running import train

CLOSE = "OOOOOOO-OOOOOOXXOOXOOXXXOOXXOOXXOXOOOOXXOOOXXXXX-OXXXXXXOXXXXX-- X; +4;\n"
FAR = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOXXXXXX-- O; -60;\n"


def write(path: Path, *lines: str) -> Path:
    path.write_text("% a comment\n" + "".join(lines))
    return path


def test_figures_are_those_of_the_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "two.obf", CLOSE, FAR)
    assert train(["evaluate", str(path), "--weights", "handmade", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    expected = []
    for line, score in ((CLOSE, 4), (FAR, -60)):
        position = Position.parse(line.split(";")[0])
        passes = position.must_pass
        pair = (position.opponent, position.mover) if passes else (position.mover, position.opponent)
        expected.append(abs(max(min(kernel.handmade_value(*pair), 64), -64) - (-score if passes else score)))
    assert figures["positions"] == 2
    assert figures["static_mae"] == pytest.approx(sum(expected) / 2, abs=1e-3)
    assert figures["static_mae_close"] == pytest.approx(expected[0], abs=1e-3)
    # Four or fewer empties: a search of depth 8 sees the end.
    assert 0 <= figures["depth8_winner"] <= 1


def test_every_file_has_its_line_and_what_cannot_be_measured_is_null(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [write(tmp_path / "far.obf", FAR), write(tmp_path / "close.obf", CLOSE)]
    assert train(["evaluate", *map(str, paths), "--json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["file"] == str(paths[0]) and first["static_mae_close"] is None
    assert second["static_mae_close"] == second["static_mae"]


def test_files_are_read_as_everywhere(tmp_path: Path) -> None:
    plain, packed, wide = (tmp_path / name for name in ("plain.obf", "packed.obf.gz", "wide.obf"))
    write(plain, CLOSE, FAR)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    wide.write_text(plain.read_text(), encoding="utf-16")
    assert measuring.read(plain) == measuring.read(packed) == measuring.read(wide)


def test_text_names_every_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(["evaluate", str(write(tmp_path / "one.obf", CLOSE))]) == 0
    text = capsys.readouterr().out
    names = ("static_mae ", "static_mae_close", "depth8_mae", "depth8_winner", "depth8_points")
    assert all(name in text for name in names)


def test_a_draw_is_right_only_where_the_search_says_so() -> None:
    position = Position.parse(CLOSE.split(";")[0])
    measured = measuring.Measured(((position.mover, position.opponent),), (0,))
    found = measuring.measure(None, measured)
    assert found.depth8_winner == float(found.depth8_mae == 0)
    assert found.depth8_points == (1 + found.depth8_winner) / 2


@pytest.mark.parametrize(("exact", "winner", "points"), [(-22, 1, 1), (0, 0, 0.5), (22, 0, 0)])
def test_points_are_those_of_a_match(exact: int, winner: float, points: float) -> None:
    """The search sees the end, a loss by 22 discs, whatever the score that it is measured by."""
    position = Position.parse(CLOSE.split(";")[0])
    found = measuring.measure(None, measuring.Measured(((position.mover, position.opponent),), (exact,)))
    assert (found.depth8_winner, found.depth8_points) == (winner, points)


@pytest.mark.parametrize("content", [None, b"nonsense X; +2;\n", b"X" * 64 + b"\n-" * 3, b"\xe8\xb2\x00\xff" * 9])
def test_unusable_files_end_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    path = tmp_path / "input.obf"
    if content is not None:
        path.write_bytes(content)
    assert train(["evaluate", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1


@pytest.mark.parametrize("way", [[], ["--moves"], ["--reported", "--processes", "1"]])
def test_a_file_without_scores_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], way: list[str]) -> None:
    path = tmp_path / "none.obf"
    path.write_text("")
    assert train(["evaluate", *way, str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "none.obf" in captured.err and captured.err.count("\n") == 1


def test_unusable_weights_end_with_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "w").write_bytes(b"x" * 100)
    assert train(["evaluate", str(write(tmp_path / "one.obf", CLOSE)), "--weights", str(tmp_path / "w")]) == 2
    assert "not a file of weights" in capsys.readouterr().err


@pytest.mark.slow
def test_measuring_files_have_scores_and_moves(tmp_path: Path) -> None:
    files = [path for path in measuring.default_files(tmp_path) if path.name.startswith("exact")]
    assert {f"exact-{empties}.obf" for empties in (12, 16, 20, 24, 28)} <= {path.name for path in files}
    for path in files:
        measured = measuring.read(path)
        assert len(measured.positions) == len(measured.scores) > 300
        assert all(abs(score) <= 64 for score in measured.scores)


def test_files_that_a_user_puts_into_measuring_are_left_out_of_fits(tmp_path: Path) -> None:
    (tmp_path / "measuring").mkdir()
    mine = write(tmp_path / "measuring" / "mine.obf", CLOSE)
    assert mine in measuring.default_files(tmp_path)
    left_out = measuring_keys(PositionStore(tmp_path))
    assert boards.keys(*np.array(measuring.read(mine).positions, np.uint64).T)[0] in left_out
