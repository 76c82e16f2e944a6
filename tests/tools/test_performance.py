"""scripts/measure performance: which positions --threads searches, what is refused, and Edax beside this program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import psutil
import pytest

if TYPE_CHECKING:
    from _performance.measures import Suite

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
BOARD = "-" * 19 + "X" + "-" * 7 + "XX" + "-" * 6 + "XO" + "-" * 27
AFTER_D3 = f"{BOARD} O; c3:+0;"


def performance(*words: str, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "measure"), "performance", *words]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120, check=False)


def test_threads_search_every_nth_position_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "three.obf"
    file.write_text(f"{AFTER_D3}\n" * 3, encoding="utf-8")
    words = ("--threads", "--positions", str(file), "--every", "2", "--plies", "3", "--repetitions", "1")
    ended = performance(*words)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "2 positions of three.obf, 3 plies at 73 %" in " ".join(ended.stdout.split())
    rows = [line.split("|")[1].strip() for line in ended.stdout.splitlines() if line.startswith("| ")]
    assert rows[-4:] == ["1", "2", "8", "32"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--threads", "--every", "2"], "--every needs --threads --positions FILE.obf"),
        (["--threads", "--plies", "9"], "--plies needs --threads --positions FILE.obf"),
        (["--positions", "some.obf"], "--positions needs --threads"),
        (["--beside", "old=othello-bot"], "--beside needs --whole"),
        (["--won", "1", "--edax", "lEdax"], "--edax writes the page: it is not for --threads or --won"),
        (["--edax", 'lEdax "'], "argument --edax: 'lEdax \"': expected a command"),
        (["--whole", "--beside", 'old="'], "argument --beside: 'old=\"': expected NAME=COMMAND"),
        (["--whole", "--long-repetitions", "0"], "argument --long-repetitions: '0': expected an integer of at least 1"),
        (["--won", "1", "--threads"], "argument --threads: not allowed with argument --won"),
        (["--won", "1", "--whole"], "--whole writes the page: it is not for --threads or --won"),
        (["--threads", "--output", "some.md"], "--output writes the page: it is not for --threads or --won"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(words: list[str], message: str) -> None:
    ended = performance(*words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.endswith(f"error: {message}\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "No such file or directory"),
        ("% nothing\n", "no positions"),
        ("what is this\n", "positions in OBF are accepted"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_one_line(tmp_path: Path, text: str | None, reason: str) -> None:
    file = tmp_path / "some.obf"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    ended = performance("--threads", "--positions", str(file))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"scripts/measure performance: {file}: ")
    assert reason in ended.stderr and ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("yardstick", "problems", "message"),
    [
        ("int main(void) { return 3; }", "", "ffo-40-59.obf: no positions"),
        ("int main(void) { return 3; }", f"{AFTER_D3}\n", "ffo-40-59.obf: expected problems up to #44"),
        ("int main(void) { return 3; }", f"{AFTER_D3}\n" * 20, "yardstick ended with 3: "),
        ("int main(void) { return 3 }", f"{AFTER_D3}\n" * 20, "cc ended with 1: "),
    ],
)
def test_what_the_page_needs_is_missing_or_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, yardstick: str, problems: str, message: str
) -> None:
    monkeypatch.setenv("CC", "")
    (tmp_path / "yardstick.c").write_text(yardstick, encoding="utf-8")
    (tmp_path / "ffo-40-59.obf").write_text(problems, encoding="utf-8")
    page = tmp_path / "page.md"
    words = ("--yardstick", str(tmp_path / "yardstick.c"), "--data", str(tmp_path), "--repetitions", "1")
    ended = performance(*words, "--output", str(page))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert message in ended.stderr and "Traceback" not in ended.stderr
    assert not page.exists()


def test_a_page_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere" / "page.md"):
        ended = performance("--output", str(place))
        assert (ended.returncode, ended.stdout) == (2, "")
        expected = f"--output {place}: expected a file in a folder that exists and can be written to"
        assert ended.stderr == f"scripts/measure performance: {expected}\n"


def test_no_control_character_reaches_a_terminal() -> None:
    ended = performance("--output", "/nowhere/\x1b[31mred")
    assert ended.stderr.startswith("scripts/measure performance: --output /nowhere/\\x1b[31mred: expected a file")


def test_control_c_ends_it_without_a_trace() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "measure"), "performance", "--won", "99"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while psutil.Process(process.pid).cpu_times().user < 2:  # it has long begun to search
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 130


def test_a_reader_that_closes_the_pipe_ends_it_silently(tmp_path: Path) -> None:
    file = tmp_path / "one.obf"
    file.write_text(f"{AFTER_D3}\n", encoding="utf-8")
    words = ("--threads", "--positions", str(file), "--plies", "3", "--repetitions", "1")
    reading, writing = os.pipe()
    os.close(reading)
    ended = performance(*words, stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


EDAX = """\
#!{python}
import sys
assert sys.argv[1:-1] == ["-h", "23", "-l", "60", "-n", "1", "-verbose", "1", "-solve"], sys.argv
assert open(sys.argv[-1]).read() == "{after_d3} C3:+0;\\n" * 2
print(" # | depth|score|       time   |  nodes (N)  |   N/s    | principal variation")
print("---+------+-----+--------------+-------------+----------+---------------------")
print("  1|    4   {score}        1:00.500          1234            C3 d3 PA b6 ")
print("  2|   22   +00       10:03.144      93176680   29636349 C3 A3 a2 G6 g5 G7 f8 ")
print("---+------+-----+--------------+-------------+----------+---------------------")
print("some.obf: 93177914 nodes in  1:03.644 (cpu =  1:03.500) (29320000 nodes/s).")
sys.exit({status})
"""
"""Prints what Edax 4.6 prints."""


@pytest.fixture
def edax(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from _performance import edax

    return edax


def fake_edax(folder: Path, score: str = "+00", status: int = 0) -> tuple[str, ...]:
    program = folder / "edax"
    after_d3 = AFTER_D3.partition(" c3")[0]
    program.write_text(
        EDAX.format(python=sys.executable, after_d3=after_d3, score=score, status=status), encoding="utf-8"
    )
    program.chmod(0o755)
    return str(program), "-h", "23"


def two_positions(folder: Path) -> Suite:
    from _performance.measures import Suite

    file = folder / "two.obf"
    file.write_text(f"{AFTER_D3}\n" * 2, encoding="utf-8")
    return Suite.read(file, 40, 41)


def test_the_time_and_nodes_of_edax(tmp_path: Path, edax: ModuleType) -> None:
    run = edax.solved_by_edax(fake_edax(tmp_path), two_positions(tmp_path))
    assert (run.seconds, run.nodes) == (pytest.approx(60.5 + 603.144), 1234 + 93176680)


def test_edax_must_solve_everything(tmp_path: Path, edax: ModuleType) -> None:
    from _performance.measures import WrongSolution
    from _performance.yardstick import PerformanceError

    suite = two_positions(tmp_path)
    with pytest.raises(WrongSolution, match=r"FFO #40: \+02 C3"):
        edax.solved_by_edax(fake_edax(tmp_path, "+02"), suite)
    for score, status, message in (("    ", 0, "cannot parse"), ("+00", 3, "ended with 3")):
        with pytest.raises(PerformanceError, match=message):
            edax.solved_by_edax(fake_edax(tmp_path, score, status), suite)
    with pytest.raises(PerformanceError, match="No such file"):
        edax.solved_by_edax((str(tmp_path / "none"),), suite)
