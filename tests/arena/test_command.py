"""The command itself, as a process: matches, resume after a kill, reports, exports, errors."""

from __future__ import annotations

import argparse
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TypeAlias

import pytest

from othello_bot.arena import command
from othello_bot.arena.store import MatchStore
from othello_bot.cli import main
from tests.mocks import mock

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "othello_bot", "match"]

PlayedMatch: TypeAlias = tuple[Path, list[str], str]


def run(*words: object) -> str:
    """Run the command as a process and return what it printed."""
    done = subprocess.run([*COMMAND, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedMatch:
    """Return a store with a finished match, its command, and the command's output."""
    store = tmp_path_factory.mktemp("played") / "matches.db"
    words = ["-engine", "random", "name=A", "-engine", "random", "name=B", "-rounds", "3", "-openings", "random"]
    shown = run(*words, "-store", store, "-concurrency", "2", "-force-concurrency")
    return store, words, shown


@pytest.mark.process
def test_a_match_in_one_command_and_the_same_again(played: PlayedMatch) -> None:
    store, words, shown = played
    assert len(re.findall(r"^game \d of 6: ", shown, re.MULTILINE)) == 6
    assert "6 games: 6 board" in shown
    again = run(*words, "--store", store)
    assert "6 games, 6 of them played before" in again
    assert "game 1" not in again
    # The tables are those of the first time.
    assert again.split("\n\n", 1)[1] == shown.split("\n\n", 1)[1]


@pytest.mark.slow
def test_a_report_and_exports(played: PlayedMatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, _, shown = played
    assert main(["match", "report", str(store)]) == 0
    assert shown.split("\n\n", 1)[1].strip() in capsys.readouterr().out
    assert main(["match", "export", str(store), "--form", "ggf"]) == 0
    assert capsys.readouterr().out.count("(;GM[Othello]") == 6
    assert main(["match", "export", str(store), "--form", "csv", "--output", str(tmp_path / "games.csv")]) == 0
    assert (tmp_path / "games.csv").read_text().count("\n") == 7


def test_errors_are_one_clear_line(
    played: PlayedMatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    empty = Path("empty.db")
    MatchStore(empty).close()
    for words, code, told in (
        (["export", played[0], "--form", "csv", "--output", tmp_path], 1, f"export: {tmp_path}: Is a directory"),
        (["report", played[0], "--match", "xyz"], 2, "match 'xyz': expected a match of this store"),
        (["report", empty], 2, "store 'empty.db': expected one with a match"),
        (["--engine", "random"], 2, "at least two"),
        (["--engine", "random", "--engine", "nosuch"], 2, "engine, self, or a strategy"),
        (["report", tmp_path / "none.db"], 1, "there is no such store"),
        (["export", tmp_path / "none.db", "--form", "ggf"], 1, "there is no such store"),
        (["analyse", tmp_path / "none.db"], 2, "report STORE, export STORE"),
        (["--engine", "random", "--engine", "cmd=edax", "--store", tmp_path / "a.db"], 2, "tc=inf for none"),
    ):
        assert main(["match", *map(str, words)]) == code
        error = capsys.readouterr().err
        assert re.match("othello-bot match( report| export)?: ", error)
        assert error.count("\n") == 1
        assert told in error


@pytest.mark.parametrize(
    ("action", "own", "not_own"),
    [("report", "--pictures", "--form"), ("export", "--form", "--pictures"), ("", "--rounds", "--pictures")],
)
def test_each_command_has_its_own_help(action: str, own: str, not_own: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["match", *action.split(), "--help"])
    text = capsys.readouterr().out
    assert ended.value.code == 0
    assert text.startswith(f"usage: othello-bot match {action}".rstrip())
    assert own in text and not_own not in text


def test_options_of_the_engine_are_those_of_every_player_that_is_this_engine() -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    words = ["--engine", "engine", "--engine", "self", "level=3", "option.hash=2", "--engine", "random", "st=1"]
    args = parser.parse_args([*words, "--level", "5", "--hash", "8", "--threads", "1", "--nodes", "0"])
    first, second, third = command.configuration(args)[0].engines
    assert (first.limits.level, dict(first.options)["hash"], dict(first.options)["threads"]) == (5, "8", "1")
    assert (second.limits.level, dict(second.options)["hash"], dict(second.options)["threads"]) == (3, "2", "1")
    assert third.options == () and third.limits.level is None
    limited = parser.parse_args(["--engine", "engine", "--engine", "engine", "--move-time", "250"])
    assert [engine.limits.move_time_s for engine in command.configuration(limited)[0].engines] == [0.25, 0.25]


@pytest.mark.slow
def test_an_engine_that_does_not_exist_is_an_error_of_the_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--engine", "random", "--engine", "cmd=/no/such", "st=1", "--store", str(tmp_path / "a.db")]
    assert main(["match", *words]) == 1
    told = capsys.readouterr()
    assert "cannot start /no/such" in told.err
    # No games, no tables.
    assert told.out.count("\n") == 1


def held_match(store: Path, gate: Path) -> list[str]:
    """Return the command of a match that waits in its second game until `gate` exists."""
    held = shlex.join(mock("gtp", "--hold-at", "40", "--gate", str(gate)))
    words = ["--engine", f"cmd={held}", "tc=inf", "start=120", "name=held", "--engine", "random", "--rounds", "3"]
    return [*COMMAND, *words, "--openings", "random", "--store", str(store)]


def wait_for_games(store: Path, games: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if store.exists():
            with MatchStore(store) as opened:
                if opened.matches() and len(list(opened.results(1))) >= games:
                    return
        time.sleep(0.01)
    raise AssertionError(f"{games} games did not come")


@pytest.mark.process
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_match_that_was_ended_in_the_middle_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    store, gate = tmp_path / "matches.db", tmp_path / "gate"
    command = held_match(store, gate)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        wait_for_games(store, 1)
        process.send_signal(how)
        error = process.communicate()[1]
    if how is signal.SIGINT:
        assert process.returncode == 130
        assert b"the same command resumes the match" in error
        assert b"Traceback" not in error
    with MatchStore(store) as opened:
        assert opened.is_whole()
        before = [(result.task.pair, result.task.leg, result.id) for result in opened.results(1)]
    assert len(before) == 1
    gate.touch()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert "6 games, 1 of them played before" in done.stdout
    with MatchStore(store) as opened:
        after = [(result.task.pair, result.task.leg, result.id) for result in opened.results(1)]
    assert after[:1] == before
    assert sorted(game[:2] for game in after) == [(pair, leg) for pair in range(3) for leg in range(2)]
