"""What a match asks of its machine, and tells of it: cores, speed, stalls, latency; and the record of its traffic."""

from __future__ import annotations

import gzip
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot.arena.config import MatchConfig, PlayLimits
from othello_bot.arena.engine_host import EngineHost, GameWorker
from othello_bot.arena.errors import ArenaError, ConfigError
from othello_bot.arena.games import GameTask, machine
from othello_bot.arena.heartbeat import PERIOD_S, Heartbeat
from othello_bot.arena.match import Match, game_job
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.report import closing_lines
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import Result
from othello_bot.arena.tally import Tally
from othello_bot.arena.traffic import Traffic
from othello_bot.base import posix
from othello_bot.base.clocks import TimeControl
from othello_bot.cli import main
from tests.arena.builders import Silent, SimulatedBackend, job, match, mock_spec

needs_cores = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system binds no processes")


# -- cores ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the locks of cores away from those of matches that are played on this machine."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)


@pytest.mark.process
@needs_cores
@pytest.mark.usefixtures("locks")
def test_each_game_has_a_core_that_no_other_one_has() -> None:
    cores = os.sched_getaffinity(0)
    worker = GameWorker(1)
    try:
        (own,) = os.sched_getaffinity(0)
        child = [sys.executable, "-c", "import os; print(*os.sched_getaffinity(0))"]
        assert subprocess.run(child, capture_output=True, text=True, check=True).stdout.split() == [str(own)]
        # Another worker finds all cores but this one.
        program = (
            "import os; from othello_bot.base import posix\n"
            f"os.sched_setaffinity(0, {cores})\n"
            f"with posix.own_cores({len(cores) - 1}) as bound: print(bound, *sorted(os.sched_getaffinity(0)))\n"
            f"with posix.own_cores({len(cores)}) as bound: print(bound)\n"
        )
        other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        first, second = other.stdout.splitlines()
        assert first.split() == ["True", *(str(core) for core in sorted(cores - {own}))] or len(cores) == 1
        assert second == "False"
    finally:
        worker.close()
    assert os.sched_getaffinity(0) == cores


@needs_cores
@pytest.mark.usefixtures("locks")
def test_cores_that_others_have_end_the_match_with_a_message() -> None:
    with posix.own_cores(1) as bound:
        assert bound
        with pytest.raises(ArenaError, match="other arenas have left fewer than 2 cores"):
            GameWorker(2)


@pytest.mark.process
@needs_cores
@pytest.mark.usefixtures("locks")
def test_a_match_with_a_core_for_each_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--engine", "random", "--engine", "iago:1", "--rounds", "1", "--affinity"]
    assert main(["match", *words, "--store", str(tmp_path / "m.db")]) == 0
    assert "2 games: 2 board" in capsys.readouterr().out


# -- speed ------------------------------------------------------------------------------------------------------------


def test_all_times_are_divided_by_the_speed() -> None:
    limits = PlayLimits(TimeControl(60.0, 1.0, 40), 0.5, depth=8)
    assert limits.scaled(2) == PlayLimits(TimeControl(30.0, 0.5, 40), 0.25, depth=8)
    assert PlayLimits(nodes=100).scaled(1.3) == PlayLimits(nodes=100)
    assert machine(1.3) == f"{machine()} at speed 1.3"


def test_a_match_has_the_same_key_on_machines_of_all_speeds(tmp_path: Path) -> None:
    given: list[float | None] = []

    class NotedBackend(SimulatedBackend):
        def start(self, job: object) -> None:
            given.append(job.black.limits.move_time_s)  # type: ignore[attr-defined]
            super().start(job)  # type: ignore[arg-type]

    for rounds, speed in ((1, 1.0), (2, 1.25)):
        config = match("engine st=0.5 name=A", "engine st=0.5 name=B", rounds=rounds, speed=speed)
        with MatchStore(tmp_path / "m.db") as store:
            Match(config, RandomOpenings(8, 1), store, NotedBackend(lambda job: None)).run(Silent())
            assert len(store.matches()) == 1
    assert given == [0.5, 0.5, 0.4, 0.4]


@pytest.mark.parametrize("settings", [{"speed": 0.001}, {"affinity": True, "cluster": "tcp://h:1"}])
def test_settings_that_make_no_sense(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        replace(match(), **settings)  # type: ignore[arg-type]


def test_what_does_not_change_the_games_does_not_change_the_key() -> None:
    config = match()
    assert replace(config, affinity=True, traffic="folder", speed=2.0).key == config.key
    other = MatchConfig((replace(config.engines[0], memory_mib=100), config.engines[1]))
    assert other.key != config.key


# -- stalls and latency -----------------------------------------------------------------------------------------------


def ticking(*moments: float) -> Callable[[], float]:
    """Return a clock that shows these moments."""
    return iter(moments).__next__


def test_a_late_beat_is_a_stall_and_a_very_late_one_a_stop() -> None:
    heartbeat = Heartbeat(ticking(0.0, 0.1, 0.2, 0.75, 0.85, 0.95, 3.0))
    for _ in range(6):
        heartbeat.tick()
    assert heartbeat.stalls == [pytest.approx(0.55 - PERIOD_S)]
    assert heartbeat.stopped_s == pytest.approx(2.05)
    assert heartbeat.late_s == pytest.approx(0.55 - PERIOD_S + 2.05 - PERIOD_S)


def test_a_look_between_two_beats_does_not_hide_that_the_next_one_is_late() -> None:
    heartbeat = Heartbeat(ticking(0.0, 0.02, 0.18, 0.2, 0.35))
    assert [round(heartbeat.tick(), 6) for _ in range(4)] == [0, 0.08, 0.08, 0.15]


def test_the_report_tells_of_latency_stalls_and_mended_moves(store: MatchStore) -> None:
    tally = Tally(2)
    played = Match(match(rounds=2), RandomOpenings(8, 1), store, SimulatedBackend(lambda job: None))
    played.run(Silent())
    results: list[Result] = list(store.results(played.stored.id))
    told = {"stalls": (0.25, 0.5), "latencies_s": (0.001, None), "retries": (2, 0)}
    tally.add_all([replace(results[0], **told), *results[1:]])  # type: ignore[arg-type]
    lines = closing_lines(("A", "B"), tally)
    assert "latency in ms, of an answer without a search: A 1.00" in lines
    assert "illegal moves after which an engine was asked again: A 2" in lines
    assert "the machine stalled 2 times for 0.8 s in all, 0.50 s at most, in 1 game" in lines


def test_stalls_latency_and_mended_moves_are_kept(host: EngineHost, store: MatchStore) -> None:
    told = replace(host.play(job("random", "iago:1")), stalls=(0.2504,), latencies_s=(0.001, None), retries=(1, 0))
    stored = store.open_match(match(), "here")
    store.add(stored.id, told)
    (result,) = store.results(stored.id)
    assert (result.stalls, result.latencies_s, result.retries) == ((0.25,), (0.001, None), (1, 0))


# -- traffic ----------------------------------------------------------------------------------------------------------


def lines_of(path: Path) -> list[str]:
    """Return the lines of a record, which must be whole."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def test_a_record_is_named_after_its_pair_and_tells_its_round_and_game(tmp_path: Path) -> None:
    config = match(traffic=str(tmp_path))
    played = game_job(config, RandomOpenings(8, 1), GameTask(1, 1, 2, 1, 0))
    assert Path(played.traffic).name == f"{config.key[:8]}-00002-2.txt.gz"
    EngineHost().play(played)
    assert lines_of(Path(played.traffic))[0].startswith("# game 3.2: B (b) - A (w), 20")


@pytest.mark.process
def test_every_line_of_every_engine_is_written_with_its_time(tmp_path: Path) -> None:
    folder = tmp_path / "traffic"
    noisy = mock_spec("--noise", "1", "--flood-stderr", "2", "--crash-at", "3", dialect="gtp")
    words = ["--engine", *shlex.split(noisy), "name=A\x1b[31m", "--engine", *shlex.split(mock_spec(dialect="nboard"))]
    command = ["match", *words, "name=$<b>", "--rounds", "1", "--traffic", str(folder), "--store", str(tmp_path / "m")]
    assert main([*command, "--display", "quiet"]) == 0
    first, second = sorted(folder.iterdir())
    assert re.fullmatch(r"[0-9a-f]{8}-00001-1\.txt\.gz", first.name) and second.name.endswith("-00001-2.txt.gz")
    title, *lines = lines_of(first)
    assert title.startswith("# game 1.1: A\\x1b[31m (b) - $<b> (w), 20")
    times = [float(line.split()[0]) for line in lines]
    assert min(times) >= 0 and max(times) < 600
    told = [line.split(maxsplit=1)[1] for line in lines]
    assert told.index("b > name") < told.index("b < = Mock")
    assert "w > nboard 2" in told and "b < thinking about thinking 0" in told
    assert "b ! chatter 1 " + "z" * 100 in told and "b ! assertion failed: the corner is a lie" in told
    # The second game has other engines, since the first one crashed, and the same for the other.
    assert any(line.startswith("w > name") for line in (line.split(maxsplit=1)[1] for line in lines_of(second)[1:]))


def test_a_record_is_whole_after_every_line(tmp_path: Path) -> None:
    path = tmp_path / "a" / "game.txt.gz"
    with Traffic(path, "one") as traffic:
        for number in range(50):
            traffic.of("b")("<", f"line {number} \x1b[2J")
            assert lines_of(path)[-1].endswith(f" b < line {number} \\x1b[2J")
    traffic.of("b")("<", "between games")
    # A game that is played again goes on in the same file.
    with Traffic(path, "two") as traffic:
        traffic.of("w")(">", "")
    told = lines_of(path)
    assert (len(told), told[0], told[51]) == (53, "# one", "# two")
    assert re.fullmatch(r" +\d\.\d{6} w >", told[52])


def test_a_folder_that_cannot_be_written_ends_the_match(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ArenaError, match="traffic of a game"):
        Traffic(tmp_path / "file" / "game.gz", "one")


@pytest.mark.process
def test_a_killed_match_leaves_whole_records(tmp_path: Path) -> None:
    folder = tmp_path / "traffic"
    log = tmp_path / "log"
    stalling = shlex.split(mock_spec("--stall-at", "4", "--log", str(log), settings="tc=inf"))
    command = [sys.executable, "-m", "othello_bot", "match", "--engine", *stalling, "name=A", "--engine", "random"]
    arena = subprocess.Popen(
        [*command, "--traffic", str(folder), "--store", str(tmp_path / "m.db")], stdout=subprocess.DEVNULL
    )
    try:
        while not log.exists() or log.read_text().count("genmove") < 4:
            assert arena.poll() is None
            time.sleep(0.01)
    finally:
        arena.kill()
        arena.wait()
    (path,) = folder.iterdir()
    title, *lines = lines_of(path)
    assert title.startswith("# game 1.1: A (b) - random (w)")
    assert lines[-1].endswith("b > genmove b")
