"""`othello-bot doctor`: the report, and a self test that can fail."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

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
    [used] = (line for line in lines if line.startswith("kernel "))
    assert used.endswith(f"this processor can run: {', '.join(kernel.RUNNABLE)})")
    assert f"cache {tmp_path}/othello-bot: kept.txt" in lines
    assert any("OTHELLO_BOT_SOMETHING=7" in line for line in lines if line.startswith("environment "))
    assert not any(line.startswith("test ") for line in lines)


@pytest.mark.process
def test_where_the_program_is(tmp_path: Path) -> None:
    assert doctor.commit(tmp_path) == ""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    assert doctor.commit(tmp_path) == "unknown"
    (tmp_path / "file").touch()
    subprocess.run([*git, "add", "file"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message=first"], check=True)
    assert re.fullmatch(r"[0-9a-f]{7,}", doctor.commit(tmp_path))
    (tmp_path / "file").write_text("changed")
    assert doctor.commit(tmp_path).endswith("-dirty")


@pytest.mark.process
def test_the_report_for_programs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor, "TESTS", {"first": lambda: "", "second": signature_and_trouble})
    assert main(["doctor", "--json"]) == 1
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["tests"] == {"first": "", "second": "it is broken"} and captured.err == "Bench: 7\n"
    assert found["othello-bot"] == __version__ and found["book"] > 30_000
    assert found["kernel"]["variant"] in found["kernel"]["built"]
    assert main(["doctor", "--json", "--no-test"]) == 0
    assert "tests" not in json.loads(capsys.readouterr().out)


def signature_and_trouble() -> str:
    print("Bench: 7")
    return "it is broken"


@pytest.mark.process
def test_passwords_are_not_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A report is pasted where everybody reads it."""
    for name in ("OTHELLO_BOT_GGS_PASSWORD", "OTHELLO_BOT_WEB_PASSWORD"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("OTHELLO_BOT_SOMETHING", "a\x1b[31m")
    for words in ((), ("--json",)):
        assert main(["doctor", "--no-test", *words]) == 0
        said = capsys.readouterr().out
        assert "OTHELLO_BOT_GGS_PASSWORD" in said and "secret" not in said and "\x1b" not in said


def healthy() -> dict[str, Any]:
    return {
        "kernel": {"variant": "x86-64-v3", "runnable": ["x86-64-v3", "baseline"]},
        "cores": {"usable": 4, "machine": 4, "busy": 0.5},
        "memory_mib": 4000,
        "cache": {"folder": "/home/ann/.cache/othello-bot", "writable": True},
        "book": 30_188,
        "environment": {},
        "command": {"words": ["/opt/othello-bot"], "on_path": "/usr/bin/othello-bot"},
    }


@pytest.mark.parametrize(
    ("subject", "value", "told"),
    [
        ("kernel", {"variant": "baseline", "runnable": ["x86-64-v4"]}, "x86-64-v4 was not built"),
        ("kernel", {"variant": "native", "runnable": ["x86-64-v4"]}, None),
        ("cores", {"usable": 1, "machine": 4, "busy": 0.5}, "this process may use 1 of 4 cores"),
        ("cores", {"usable": 4, "machine": 4, "busy": 9.0}, "the machine is busy: 9.0 processes want 4 cores"),
        ("memory_mib", 100, "only 100 MiB of memory are free"),
        ("memory_mib", None, None),
        ("cache", {"folder": "/none", "writable": False}, "/none cannot be written"),
        ("book", "no such file", "the shipped book cannot be read: no such file"),
        ("command", {"words": ["/opt/othello-bot"], "on_path": None}, "type /opt/othello-bot"),
        ("command", {"words": ["/opt/othello bot"], "on_path": "/bin/othello-bot"}, "there is a space in the path"),
    ],
)
def test_what_makes_it_slow_weak_or_hard_to_find_is_said(subject: str, value: Any, told: str | None) -> None:
    assert list(doctor.notes(healthy())) == []
    found = list(doctor.notes(healthy() | {subject: value}))
    assert len(found) == bool(told) and (told or "") in "".join(found)


def test_a_variant_that_was_asked_for_is_named() -> None:
    kernel_used = {"variant": "baseline", "runnable": ["x86-64-v3"]}
    [note] = doctor.notes(healthy() | {"kernel": kernel_used, "environment": {"OTHELLO_BOT_ARCH": "baseline"}})
    assert note.endswith("OTHELLO_BOT_ARCH asks for it")


def test_the_libraries_that_an_extra_lacks_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    present = {"numpy", "tornado"}

    def version(name: str) -> str:
        if name not in present:
            raise metadata.PackageNotFoundError(name)
        return "1"

    requirements = [
        "typing-extensions>=4.4",
        'numpy>=1.26; extra == "arena"',
        'rich>=13.7; extra == "arena"',
        'tomli>=2; python_version < "3.11" and extra == "arena"',
        'later>=2; python_version >= "3.99" and extra == "arena"',
        'tornado>=6.5.10; extra == "web"',
        'mypy>=1.11; extra == "dev"',
    ]
    monkeypatch.setattr(metadata, "requires", lambda name: requirements)
    monkeypatch.setattr(metadata, "version", version)
    older = ["tomli"] if sys.version_info < (3, 11) else []
    assert doctor.extras() == {"arena": ["rich", *older], "web": []}


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
