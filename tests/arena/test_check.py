"""`match check`: every fault of the mock engines is found and named; a good engine passes."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from othello_bot.arena.checks import CHECKS, CheckFinding, CheckVerdict, findings
from othello_bot.arena.probe import ProbeSettings
from othello_bot.cli import main
from othello_bot.protocol.detect import Dialect
from tests.mocks import mock

pytestmark = pytest.mark.process

OWN = (sys.executable, "-m", "othello_bot", "--hash", "1")

FAULTS = [
    ("--crash-on-start", "start", "crashed (exit code 3); its stderr: no weights found"),
    ("--start-delay 60", "start", "silent for 1 s"),
    ("--deaf", "start", "silent for 1 s"),
    ("--crash-at 3", "game", "crashed (exit code 3); its stderr: assertion failed: the corner is a lie"),
    ("--die-at 3", "game", "crashed by SIGKILL"),
    ("--exit-at 3", "game", "ended by itself (exit code 0)"),
    ("--stall-at 3", "game", "silent for 1 s"),
    ("--garbage-at 3", "game", "without meaning, the first: '[31m%%%"),
    ("--nonsense-at 3", "game", "the best one"),
    ("--mute-at 3", "game", "closed its output without ending"),
    ("--endless-at 3", "game", "printed a line of 1000000 bytes"),
    ("--binary-at 3", "game", "crashed (exit code 3); its stderr: [1mcore \\xff\\xfe"),
    ("--illegal-at 3", "game", "move 3 was a1 after "),
    ("--move-delay 1.5", "move clock", "it used ... of 1.000 s for move 1"),
    ("--ignore-quit", "quit", "it goes on and ends by"),
    ("--ignore-quit", "end of input", "it goes on and ends by terminate"),
    ("--ignore-terminate", "terminate", "it goes on"),
    ("--banner", "stdout", "Mock Engine, all rights reversed"),
    ("--noise 2", "stdout", "thinking about thinking 0 | thinking about thinking 1"),
    ("--flood-stderr 700", "stderr", "bytes on stderr"),
    ("--last-words 700", "stderr", "bytes on stderr"),
    ("--leave-child", "children", "processes that remain: "),
    ("--always-illegal", "game", "move 1 was a1 from the start"),
    ("--hog-at 3", "memory", "MiB are resident"),
]
"""Flags of a mock, the check that finds the fault, and what is told, with dots for what differs each time."""

FAULTS_OF_GTP = [
    ("--refuse-at 3", "game", "refused 'genmove b': out of ideas"),
    ("--no-list", "name", "? unknown command"),
    ("--no-list", "commands", "a list without name, version, list_commands"),
    ("--quirks glued", "framing", "'=2'"),
    ("--quirks unended", "start", "no empty line has ended its reply: '= Mock'"),
    ("--quirks passing", "told passes", "? syntax error"),
]

FAULTS_OF_CASSIO = [
    ("--refuse-at 3", "game", "refused: midgame-search cannot parse position."),
    ("--illegal-at 1", "moves", "the move a1"),
    ("--illegal-at 1", "solve", "the move b1"),
    ("--quirks crossed", "solve", "+41 <= v <= +40"),
]


def found(command: tuple[str, ...], dialect: Dialect, *only: str, **limits_s: Any) -> dict[str, CheckFinding]:
    """Return the findings by check."""
    settings = ProbeSettings(command, dialect, start_s=120, reply_s=60, move_s=60, memory_mib=250)
    return {finding.name: finding for finding in findings(replace(settings, **limits_s), only)}


@pytest.mark.parametrize(
    ("dialect", "flags", "check", "told"),
    [
        *(("gtp", *fault) for fault in [*FAULTS, *FAULTS_OF_GTP]),
        *(("cassio", *fault) for fault in FAULTS_OF_CASSIO),
        *(
            (dialect, *fault)
            for dialect in ("nboard", "cassio")
            for fault in FAULTS
            if fault[1] in ("quit", "stdout", "children", "memory")
        ),
        *(("nboard", *fault) for fault in FAULTS if fault[0] in ("--crash-at 3", "--nonsense-at 3", "--illegal-at 3")),
    ],
)
def test_every_fault_of_the_mocks_is_found_and_named(
    dialect: str, flags: str, check: str, told: str, tmp_path: Path
) -> None:
    words = flags.split()
    if "--leave-child" in words:
        words += ["--child-file", str(tmp_path / "child")]
    limits_s = {}  # short ones where the fault is that nothing comes: a busy machine does not change that
    if told.startswith("silent"):
        limits_s = {"start_s" if check == "start" else "move_s": 1.0}
    elif told.startswith(("it goes on", "no empty line")):
        limits_s = {"reply_s": 1.0}
    finding = found(tuple(mock(dialect, *words)), Dialect(dialect), check, **limits_s)[check]
    assert finding.verdict is CheckVerdict.FAILED
    assert re.search(".*".join(map(re.escape, told.split(" ... "))), finding.came)
    assert finding.right
    assert check == "start" or finding.sent or told.startswith("Mock")


@pytest.mark.parametrize("dialect", ["gtp", "nboard", "cassio"])
def test_a_mock_without_a_fault_passes(dialect: str) -> None:
    results = found(tuple(mock(dialect)), Dialect(dialect))
    assert [finding for finding in results.values() if finding.verdict is CheckVerdict.FAILED] == []
    assert list(results) == [check.name for check in CHECKS[Dialect(dialect)]]
    skipped = [finding.name for finding in results.values() if finding.verdict is CheckVerdict.SKIPPED]
    assert skipped == {"gtp": ["implied passes"], "nboard": ["undo", "period", "move clock"]}.get(dialect, [])


def test_a_program_is_told_its_clock_before_each_move(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert found(tuple(mock("gtp", "--log", str(log))), Dialect.GTP, "next game")["next game"].came == ""
    lines = log.read_text().splitlines()
    asked = [place for place, line in enumerate(lines) if line.startswith("genmove")]
    assert len(asked) == 10 + 7
    for place in asked:
        assert any(line.startswith(f"time_left {lines[place][-1]} ") for line in lines[place - 2 : place])


@pytest.mark.parametrize("dialect", [Dialect.GTP, Dialect.NATIVE, Dialect.NBOARD, Dialect.CASSIO])
def test_this_engine_passes_in_each_dialect(dialect: Dialect) -> None:
    left_out = {"game", "next game", "game clock", "increment", "period", "move clock"}
    if dialect is not Dialect.GTP:
        left_out |= {"terminate", "children", "stderr"}  # of the process, whatever it speaks
    quick = [check.name for check in CHECKS[dialect] if check.name not in left_out]
    results = found((*OWN, "--level", "10"), dialect, *quick)
    assert [finding for finding in results.values() if finding.verdict is CheckVerdict.FAILED] == []


def test_a_program_that_does_not_exist_fails_one_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "check", "--proto", "nboard", "no-such-engine"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("failed  start")
    assert "no-such-engine: No such file or directory" in lines[1]
    assert len(lines) == 6  # the others are only counted: they would push the reason off the screen
    assert lines[3] == "skipped all others: it did not start"
    assert lines[-1] == f"0 passed, 1 failed, {len(CHECKS[Dialect.NBOARD]) - 1} skipped"


def test_the_result_as_json_and_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    words = mock("gtp", "--quirks", "glued")
    assert main(["match", "check", "--json", "--only", "framing", "--only", "ids", "--start", "60", *words]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["passed"], told["failed"], told["skipped"]) == (1, 2, 0)
    assert told["protocol"] == "gtp"
    failed, _ = [check for check in told["checks"] if check["verdict"] == "failed"]
    assert failed["name"] == "framing"
    assert failed["sent"][-1] == "protocol_version"
    assert failed["came"] == "'=2'"
    assert failed["right"] == "a space between = or ? and the text"


def test_a_row_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--row", "a|b", "--only", "framing", "--start", "60", *mock("gtp", "--quirks", "glued")]
    assert main(["match", "check", *words]) == 1
    assert capsys.readouterr().out == "| a\\|b | gtp | 1 | framing | none |\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "match check: COMMAND: expected a program and its arguments"),
        (["python3 'x.py"], "COMMAND 'python3 'x.py': expected a command line (No closing quotation)"),
        (["--dir", "/no/such", "true"], "--dir '/no/such': expected a folder that exists"),
        (["--only", "castling", "true"], "check 'castling': expected start, name"),
    ],
)
def test_invalid_arguments(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "check", *words]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["-1", "nan", "1000001"])
def test_a_time_out_of_range(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["match", "check", "--reply", seconds, "true"])
    assert f"--reply: '{seconds}': expected a time " in capsys.readouterr().err


@pytest.mark.parametrize("words", [[f"{sys.executable} -m othello_bot"], ["--", f"'{sys.executable}' -m othello_bot"]])
def test_a_quoted_command_is_split_as_arenas_do(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "check", "--only", "start", *words]) == 0
    assert "1 passed" in capsys.readouterr().out


def test_one_form_of_the_result_is_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["match", "check", "--row", "a", "--json", "true"])
    assert "--json: not allowed with argument --row" in capsys.readouterr().err
