"""othello-bot train evaluate --reported: what searches report beside exact scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from othello_bot.cluster import Workers
from othello_bot.evaluation import weights
from othello_bot.training import measuring
from othello_bot.training.scale import JUDGED, Way, pairs
from tests.kernel.positions import minimax
from tests.training.running import train

LINES = (
    "OOOOOOO-OOOOOOXXOOXOOXXXOOXXOOXXOXOOOOXXOOOXXXXX-OXXXXXXOXXXXX-- X; +4;\n",
    "-XXXXX--O-XXOO--OOXXXO--OXOOOX--OXOOXXX-OOOXXX----OX-X-------X-- O; -4;\n",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two.obf"
    path.write_text("".join(LINES))
    return path


def test_static_values_and_searches_stand_beside_the_exact_scores(file: Path) -> None:
    measured = measuring.read(file)
    late = file.with_name("late.obf")
    late.write_text(LINES[0])
    with Workers(1) as workers:
        static = pairs(workers, weights.unpacked().read_bytes(), JUDGED[0], measured)
        solved = pairs(workers, None, Way("to the end", 60, 5), measuring.read(late))
    function = weights.shipped()
    assert [reported for reported, _ in static] == [function.evaluate(*position) for position in measured.positions]
    assert [exact for _, exact in static] == list(measured.scores)
    assert solved == [(minimax(*measured.positions[0], {}), 4)]


@pytest.mark.slow
def test_the_command_prints_every_way_and_tells_by_its_status_whether_a_bin_is_off(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(["evaluate", "--reported", "--processes", "1", str(file)]) == 0
    text = capsys.readouterr().out
    assert all(f"{file}, {way.name}: 2 positions" in text for way in JUDGED) and "(few)" in text
    many = file.with_name("many.obf")
    true = minimax(*measuring.read(file).positions[0], {})
    for wrong in (true + 10, true):
        many.write_text(LINES[0].replace("+4", f"{wrong:+d}") * 100)
        status = train(["evaluate", "--reported", "--processes", "1", "--json", str(many)])
        found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert status == any(way["off"] for way in found)
        deep = found[-1]
        assert [len(deep["off"]), deep["bins"][0]["positions"], deep["bias"][0]] == [wrong != true, 100, wrong - true]
