"""Matches on a real Dask cluster of two worker processes, one of which dies in the middle."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.match import Match
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import Result
from othello_bot.base.files import write_whole
from othello_bot.evaluation import weights
from tests.arena.builders import Silent, match, mock_spec

pytest.importorskip("distributed")

import distributed

from othello_bot.arena.backends import ClusterBackend

pytestmark = pytest.mark.process

OPENINGS = RandomOpenings(8, 1)


@pytest.fixture(scope="module")
def cluster() -> Iterator[distributed.LocalCluster]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as running:
        running.wait_for_workers(2)
        yield running


def workers_of(cluster: distributed.LocalCluster) -> list[int]:
    """Return the processes of both workers, when one that was killed has been replaced."""
    cluster.wait_for_workers(2)
    with distributed.Client(cluster, set_as_default=False) as client:
        return list(client.run(os.getpid).values())


class Killer(Silent):
    """Kills a worker of the cluster, with the game it is playing, after the third game."""

    def __init__(self, cluster: distributed.LocalCluster) -> None:
        super().__init__()
        self.workers = workers_of(cluster)
        self.killed: int | None = None

    def game(self, result: Result) -> None:
        super().game(result)
        if len(self.seen) == 3:
            self.killed = self.workers[0]
            os.kill(self.killed, signal.SIGKILL)


def test_a_worker_that_dies_in_mid_match_loses_no_game_and_counts_none_twice(
    cluster: distributed.LocalCluster, tmp_path: Path
) -> None:
    # The mock takes its time, so that the worker dies in the middle of a game.
    config = match("random name=A", mock_spec("--move-delay", "0.002", settings="st=30 name=B"), rounds=5)
    killer = Killer(cluster)
    with MatchStore(tmp_path / "matches.db") as store:
        backend = ClusterBackend(cluster.scheduler_address)
        try:
            assert backend.slots == 2
            going = Match(config, OPENINGS, store, backend)
            going.run(killer)
        finally:
            backend.close()
        assert killer.killed is not None
        found = sorted((result.task.pair, result.task.leg) for result in store.results(going.stored.id))
        assert found == [(pair, leg) for pair in range(5) for leg in range(2)]
        assert going.tally.games == len(killer.seen) == 10
        assert sum(going.tally.meetings[0, 1].pairs) == 5
        assert set(going.tally.endings) == {Ending.BOARD}
        assert len({result.id for result in killer.seen}) == 10


def processes_of(cluster: distributed.LocalCluster) -> list[int]:
    """Return the processes that the workers of the cluster have started."""
    children = [
        task.read_text() for pid in workers_of(cluster) for task in Path(f"/proc/{pid}/task").glob("*/children")
    ]
    return [int(word) for text in children for word in text.split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to see the processes of others")
def test_no_engine_stays_behind_on_the_cluster(cluster: distributed.LocalCluster, tmp_path: Path) -> None:
    before = len(processes_of(cluster))
    with MatchStore(tmp_path / "matches.db") as store:
        backend = ClusterBackend(cluster.scheduler_address)
        during = []

        class CountedProcesses(Silent):
            def game(self, result: Result) -> None:
                during.append(len(processes_of(cluster)))

        config = match("random name=A", mock_spec(settings="st=30 name=B"), rounds=1)
        try:
            Match(config, OPENINGS, store, backend).run(CountedProcesses())
        finally:
            backend.close()
    assert max(during) > before
    assert len(processes_of(cluster)) == before


def test_an_engine_that_cannot_be_used_ends_the_match(cluster: distributed.LocalCluster, tmp_path: Path) -> None:
    with MatchStore(tmp_path / "matches.db") as store:
        backend = ClusterBackend(cluster.scheduler_address, slots=1)
        try:
            going = Match(match("random", "cmd=/no/such/program st=1"), OPENINGS, store, backend)
            with pytest.raises(ArenaError, match="/no/such/program"):
                going.run(Silent())
        finally:
            backend.close()


def test_a_worker_is_given_the_files_that_it_lacks(cluster: distributed.LocalCluster, tmp_path: Path) -> None:
    file = tmp_path / "of the arena" / "new.weights"
    write_whole(file, weights.unpacked().read_bytes())
    playing = match(f"engine depth=1 name=A 'option.evaluation_file={file}'", "random name=B", rounds=2)
    with MatchStore(tmp_path / "matches.db") as store:
        backend = ClusterBackend(cluster.scheduler_address, files=[file])
        file.unlink()  # on other machines it never was
        try:
            going = Match(playing, OPENINGS, store, backend)
            going.run(Silent())
        finally:
            backend.close()
    assert set(going.tally.endings) == {Ending.BOARD} and going.tally.games == 4
    assert file.read_bytes() == weights.unpacked().read_bytes()


class Stopper(Silent):
    """Stops all workers of the cluster for more than a second, in the middle of a game."""

    def __init__(self, cluster: distributed.LocalCluster, log: Path) -> None:
        super().__init__()
        self.workers = workers_of(cluster)
        self.log = log

    def look(self) -> None:
        if self.workers and self.log.exists() and "genmove" in self.log.read_text():
            for number in (signal.SIGSTOP, signal.SIGCONT):
                for worker in self.workers:
                    os.kill(worker, number)
                time.sleep(1.5)  # what is tested: a stop of more than a second
            self.workers.clear()


def test_a_suspended_worker_plays_its_game_again(cluster: distributed.LocalCluster, tmp_path: Path) -> None:
    log = tmp_path / "log"
    slow = mock_spec("--move-delay", "0.5", "--log", str(log), settings="st=60 name=B")
    with MatchStore(tmp_path / "matches.db") as store:
        backend = ClusterBackend(cluster.scheduler_address)
        try:
            going = Match(match("random name=A", slow, rounds=1), RandomOpenings(48, 1), store, backend)
            going.run(Stopper(cluster, log))
        finally:
            backend.close()
        results = list(store.results(going.stored.id))
    assert [result.ending for result in results] == [Ending.BOARD] * 2
    stops = [stop_s for result in results for stop_s in result.stops]
    assert stops and min(stops) > 1


def test_without_dask_there_is_a_sentence_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ArenaError, match=r"--cluster needs dask.distributed; install it with: .*pip install -e "):
        ClusterBackend("tcp://127.0.0.1:1")


class EndedPool:
    """A pool whose games have ended: the next answers, or an error."""

    def __init__(self) -> None:
        self.ended: list[object] | Exception = []

    def wait(self, timeout_s: float) -> list[tuple[str, object]]:
        if isinstance(self.ended, Exception):
            raise self.ended
        return [("a job", answer) for answer in self.ended]


def test_games_are_reported_as_they_end() -> None:
    backend = ClusterBackend.__new__(ClusterBackend)
    pool = EndedPool()
    backend._pool = cast("Any", pool)
    assert backend.wait(0.0) == []
    pool.ended = first, second = [object(), object()]
    assert [id(report) for report in backend.wait(0.0)] == [id(first), id(second)]
    pool.ended = KeyError("lost")
    with pytest.raises(ArenaError, match=r"^a game failed on the cluster: 'lost'$"):
        backend.wait(0.0)
    pool.ended = [first, "cannot start"]
    with pytest.raises(ArenaError, match=r"^cannot start$"):
        backend.wait(0.0)
