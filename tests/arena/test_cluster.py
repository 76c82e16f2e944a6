"""Matches on a real Dask cluster of two worker processes, one of which dies in the middle."""

from __future__ import annotations

import os
import signal

import pytest

from othello_bot.arena.errors import ArenaError, MissingExtra
from othello_bot.arena.match import Match
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.store import Store
from tests.arena.builders import Silent, match, mock_spec

distributed = pytest.importorskip("distributed")

from othello_bot.arena.cluster import ClusterBackend  # noqa: E402 - it is of no use without distributed

OPENINGS = RandomOpenings(8, 1)


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as running:
        running.wait_for_workers(2)
        yield running


class Killer(Silent):
    """Kills a worker of the cluster, and whatever it is playing, after the third game."""

    def __init__(self, cluster) -> None:
        super().__init__()
        self.workers = [info["pid"] for info in pids(cluster)]
        self.killed = None

    def game(self, result) -> None:
        super().game(result)
        if len(self.seen) == 3:
            self.killed = self.workers[0]
            os.kill(self.killed, signal.SIGKILL)


def pids(cluster):
    with distributed.Client(cluster, set_as_default=False) as client:
        return [{"pid": pid} for pid in client.run(os.getpid).values()]


def test_a_worker_that_dies_in_mid_match_loses_no_game_and_counts_none_twice(cluster, tmp_path):
    # The mock takes its time, so that the worker dies in the middle of a game.
    config = match("random name=A", mock_spec("--move-delay", "0.002", settings="st=30 name=B"), rounds=6)
    killer = Killer(cluster)
    with Store(tmp_path / "matches.db") as store:
        backend = ClusterBackend(cluster.scheduler_address)
        try:
            assert backend.slots == 2
            going = Match(config, OPENINGS, store, backend)
            going.run(killer)
        finally:
            backend.close()
        assert killer.killed is not None
        found = sorted((result.task.pair, result.task.leg) for result in store.results(going.stored.id))
        assert found == [(pair, leg) for pair in range(6) for leg in range(2)]
        assert going.tally.games == len(killer.seen) == 12
        assert sum(going.tally.meetings[0, 1].pairs) == 6
        assert set(going.tally.endings) == {"board"}
        assert len({result.id for result in killer.seen}) == 12


def test_an_engine_that_cannot_be_used_ends_the_match(cluster, tmp_path):
    with Store(tmp_path / "matches.db") as store:
        backend = ClusterBackend(cluster.scheduler_address, slots=1)
        try:
            going = Match(match("random", "cmd=/no/such/program st=1"), OPENINGS, store, backend)
            with pytest.raises(ArenaError, match="/no/such/program"):
                going.run(Silent())
        finally:
            backend.close()


def test_without_dask_there_is_a_sentence_that_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(MissingExtra, match="--cluster needs dask and distributed; install it with: pip install"):
        ClusterBackend("tcp://127.0.0.1:1")
