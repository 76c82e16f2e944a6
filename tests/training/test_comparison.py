"""`othello-bot train compare`: reports of fits side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot.evaluation import weights
from othello_bot.training import factor_step
from tests.training.made_up import QUICK, planted, tables
from tests.training.running import train


def test_fits_are_compared_by_what_their_reports_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample, held = planted("compared", 20), planted("held out", 10)
    fits = {
        channels: factor_step.fit_factors(
            weights.split(tables()),
            sample,
            held,
            replace(QUICK, epochs=1, channels=channels),
            tmp_path / f"of-{channels}.weights",
        )
        for channels in (4, 6)
    }
    picture = tmp_path / "curve.png"
    reports = [str(tmp_path / f"of-{channels}.json") for channels in fits]
    assert train(["compare", *reports, "--picture", str(picture)]) == 0
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[0] for row in rows] == ["of-4", "of-6"]
    for row, (channels, fitted) in zip(rows, fits.items(), strict=True):
        best = fitted.best
        found = [float(number) for number in row[1:]]
        expected = [len(sample) / 1e6, channels, fitted.curve[-1][0], best.weighted, best.all, best.close]
        assert found == pytest.approx(expected, abs=0.006)
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("content", ["", "[]", '{"positions": 5}', '{"positions": 5, "channels": 4, "held_out": {}}'])
def test_what_is_no_report_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    assert train(["compare", str(path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("othello-bot train compare: report ") and "expected a JSON file" in told
    assert told.count("\n") == 1
