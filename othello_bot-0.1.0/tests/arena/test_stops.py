"""A stopped arena: the game in progress is played again, three times at most, and told with its stops."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot.arena import engine_host
from othello_bot.arena.adjudication import Ending
from othello_bot.arena.config import EngineConfig
from othello_bot.arena.engine_host import EngineHost
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.export import export
from othello_bot.arena.heartbeat import Heartbeat, Stopped, stops_text
from othello_bot.arena.match import game_tasks
from othello_bot.arena.report import report_lines
from othello_bot.arena.store import MatchStore
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.engine import Limits, SearchResult, Steps
from othello_bot.rules import Game, Position
from tests.arena.builders import OPENING, job, match, random_game, report_of
from tests.arena.test_games import ScriptedPlayer
from tests.mocks import mock

ROOT = Path(__file__).resolve().parents[2]


class Clock:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_heartbeat_that_is_a_second_late_is_a_stop() -> None:
    clock = Clock()
    heartbeat = Heartbeat(clock)
    for pause_s in (0.1, 0.1, 0.9, 1.0, 0.1):
        clock.now += pause_s
        heartbeat.check()
    assert heartbeat.stopped_s == 0
    for pause_s, stopped_s in ((2.5, 2.5), (0.1, 2.5), (1.5, 4.0)):
        clock.now += pause_s
        with pytest.raises(Stopped):
            heartbeat.check()
        assert heartbeat.stopped_s == pytest.approx(stopped_s)


def test_a_heartbeat_without_memory_for_its_thread_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    with pytest.raises(ArenaError, match="cannot start a thread: can't start new thread"), Heartbeat():
        pass


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[float]], tuple[EngineHost, list[EngineConfig]]]:
    """Return a maker of hosts whose players think for so many seconds in one move of each game.

    All that passes on the clock of the arena passes on that of the players as well.
    """

    def make(thoughts: list[float]) -> tuple[EngineHost, list[EngineConfig]]:
        clock = Clock()
        ended = []

        class Slow(ScriptedPlayer):
            def new_game(self, game: Game, seed: str) -> None:
                self.to_think_s = thoughts.pop(0) if thoughts and self.config.name == "slow" else 0.0

            def choose(
                self, place: Position | Game, limits: Limits, on_report: Callable[[SearchResult], None] | None = None
            ) -> Steps[EvaluatedMove]:
                thought_s, self.to_think_s = self.to_think_s, 0.0
                clock.now += thought_s
                return replace((yield from super().choose(place, limits)), time_s=thought_s)

            def close(self) -> None:
                ended.append(self.config)

        monkeypatch.setattr(engine_host, "make_player", Slow)
        return EngineHost(clock), ended

    return make


HostMaker = Callable[[list[float]], tuple[EngineHost, list[EngineConfig]]]
GAME = job("random name=slow st=0.5", "random name=quick st=0.5")


def test_a_game_in_which_the_arena_was_stopped_is_played_again_with_engines_started_anew(played: HostMaker) -> None:
    host, ended = played([60.0])
    report = host.play(GAME)
    assert (report.outcome.ending, report.stops) == (Ending.BOARD, (60.0,))
    assert {config.name for config in ended} == {"slow", "quick"}


def test_an_engine_that_takes_long_to_be_made_is_no_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()

    class Large(ScriptedPlayer):
        def start(self) -> None:
            clock.now += 5.0

    monkeypatch.setattr(engine_host, "make_player", Large)
    assert EngineHost(clock).play(GAME).stops == ()


def test_whoever_is_late_on_a_busy_machine_loses_as_ever(played: HostMaker) -> None:
    host, _ = played([0.9])
    report = host.play(GAME)
    assert (report.outcome.ending, report.stops) == (Ending.TIME, ())


def test_a_game_is_played_again_three_times_at_most(played: HostMaker) -> None:
    host, _ = played([2.0, 3.0, 4.0])
    report = host.play(GAME)
    assert (report.outcome.ending, report.stops) == (Ending.BOARD, (2.0, 3.0, 4.0))
    host, _ = played([2.0, 3.0, 4.0, 5.0, 6.0])
    report = host.play(GAME)
    assert (report.outcome.ending, report.stops) == (Ending.TIME, (2.0, 3.0, 4.0, 5.0))


@pytest.mark.parametrize(
    ("stops", "text"),
    [
        ((12.34,), "played again after a stop of 12.3 s of the arena"),
        ((2.0, 3.0, 4.0), "played again after stops of 2.0, 3.0 and 4.0 s of the arena"),
        (
            (2.0, 3.0, 4.0, 5.0),
            "played 3 times again and counted in spite of stops of 2.0, 3.0, 4.0 and 5.0 s of the arena",
        ),
    ],
)
def test_stops_in_words(stops: tuple[float, ...], text: str) -> None:
    assert stops_text(stops) == text


def test_the_store_keeps_the_stops_and_the_report_tells_them(tmp_path: Path) -> None:
    config = match(rounds=1)
    first, second = (
        report_of(task, OPENING, random_game(random.Random(task.leg), OPENING)) for task in game_tasks(config)
    )
    with MatchStore(tmp_path / "matches.db") as store:
        stored = store.open_match(config, "here")
        store.add(stored.id, first)
        store.add(stored.id, replace(second, stops=(12.3456,)))
    with MatchStore(tmp_path / "matches.db") as store:
        assert [result.stops for result in store.results(stored.id)] == [(), (12.346,)]
        told = report_lines(store, stored)
        at = told.index("games played again:")
        assert told[at + 1] == "  B - A (opening 1): played again after a stop of 12.3 s of the arena"
        assert ['"stops": [12.346]' in line for line in export([(store, stored)], "jsonl")] == [False, True]


@pytest.mark.process
@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_a_suspended_arena_plays_the_interrupted_games_again(tmp_path: Path, concurrency: str) -> None:
    store, log = tmp_path / "matches.db", tmp_path / "log"
    slow = shlex.join(mock("gtp", "--move-delay", "0.3", "--log", str(log)))
    words = ["--engine", f"cmd={slow}", "st=60", "start=120", "name=slow", "--engine", "random", "--rounds", "1"]
    words += ["--openings", "random", "--opening-plies", "50", "--concurrency", concurrency, "--force-concurrency"]
    command = [sys.executable, "-m", "othello_bot", "match", *words, "--store", str(store)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as arena:
        try:
            wait_for(lambda: log.exists() and log.read_text().count("genmove") >= int(concurrency))
            os.killpg(arena.pid, signal.SIGSTOP)
            time.sleep(1.5)  # what is tested: a stop of more than a second
            os.killpg(arena.pid, signal.SIGCONT)
            out, err = arena.communicate(timeout=120)
        finally:
            arena.kill()
    assert (arena.returncode, err) == (0, "")
    with MatchStore(store) as opened:
        results = list(opened.results(1))
    assert [result.ending for result in results] == [Ending.BOARD] * 2
    stops = [stop_s for result in results for stop_s in result.stops]
    assert stops and min(stops) > 1
    told = " ".join(out.split())
    assert re.search(r"game \d of 2: .*?, played again after a stop of \d+\.\d s of the arena", told)
    assert "games played again:" in told


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.01)
