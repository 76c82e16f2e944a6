"""`othello-bot doctor`: the report, and a self test that can fail."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from othello_bot import kernel
from othello_bot.base.files import DATA_FOLDER
from othello_bot.base.version import __version__
from othello_bot.cli import main
from othello_bot.evaluation import weights
from othello_bot.tools import doctor


@pytest.mark.process
def test_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("OTHELLO_BOT_SOMETHING", "7")
    (tmp_path / "othello-bot").mkdir()
    (tmp_path / "othello-bot" / "kept.txt").touch()
    assert main(["doctor", "--no-test"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"othello-bot {__version__}"
    for beginning in ("kernel ", "python ", "folder ", "processor ", "memory ", "release ", "sqlite "):
        assert sum(line.startswith(beginning) for line in lines) == 1
    names = {path.name for path in DATA_FOLDER.iterdir() if path.is_file()}
    assert {line.split()[1].rstrip(",") for line in lines if line.startswith("file ")} == names
    assert f"cache {tmp_path}/othello-bot: kept.txt" in lines
    assert any("OTHELLO_BOT_SOMETHING=7" in line for line in lines if line.startswith("environment "))
    assert not any(line.startswith("test ") for line in lines)


@pytest.mark.process
def test_where_the_program_is(tmp_path: Path) -> None:
    assert doctor.place(tmp_path) == f"folder {tmp_path}"
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    assert doctor.place(tmp_path) == f"folder {tmp_path}, commit unknown"
    (tmp_path / "file").touch()
    subprocess.run([*git, "add", "file"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message=first"], check=True)
    assert re.fullmatch(r"folder .*, commit [0-9a-f]{7,}", doctor.place(tmp_path))
    (tmp_path / "file").write_text("changed")
    assert doctor.place(tmp_path).endswith("-dirty")


def test_the_rules_and_the_solver_are_right_here() -> None:
    assert (doctor.rules_test(), doctor.solver_test()) == ("", "")


def test_wrong_rules_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "perft", lambda mover, opponent, depth: 7)
    assert doctor.rules_test() == "perft 9 is 7, not 3005288"


def test_a_wrong_solver_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    transcript, score = doctor.SOLVED[-1]
    monkeypatch.setattr(doctor, "SOLVED", ((transcript, score + 2),))
    assert doctor.solver_test() == f"{transcript} is {score:+d}, not {score + 2:+d}"


@pytest.mark.slow
def test_a_damaged_evaluation_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert doctor.evaluation_test() == ""
    damaged = bytearray(weights.PACKED_FILE.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file = tmp_path / "evaluation.packed"
    file.write_bytes(damaged)
    monkeypatch.setattr(weights, "PACKED_FILE", file)
    assert doctor.evaluation_test().startswith(f"{file}: ") and "damaged" in doctor.evaluation_test()


def test_a_failure_is_told_by_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.self_test({"first": lambda: "", "second": lambda: "it is broken"}) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("test first: ok, ")
    assert said[1].startswith("test second: FAILED: it is broken, ")


@pytest.mark.parametrize(("nodes", "problem"), [(4711, ""), (4712, "Bench is 4712, not 4711")])
def test_the_signature_is_that_of_this_version(
    nodes: int, problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("othello_bot.suites.bench.signature", lambda: nodes)
    monkeypatch.setattr("othello_bot.suites.bench.SIGNATURE", 4711)
    assert doctor.signature_test() == problem
    assert capsys.readouterr().out == f"Bench: {nodes}\n"
