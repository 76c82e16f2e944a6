"""Tasks in this process, in a pool and on a Dask cluster: the same results from all of them."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time
from types import SimpleNamespace
from typing import Any, cast

import distributed
import pytest
from distributed.scheduler import KilledWorker

from othello_bot.cluster import ClusterPool, TaskError, Workers

NUMBERS = [(number,) for number in range(12)]
EXPECTED = {(number,): math.factorial(number) for number in range(12)}


@pytest.mark.parametrize("processes", [1, 2])
def test_local_results_come_with_their_arguments(processes: int) -> None:
    with Workers(processes) as workers:
        assert dict(workers.each(math.factorial, NUMBERS)) == EXPECTED


@pytest.mark.process
def test_a_cluster_gives_the_same() -> None:
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        Workers(cluster=cluster.scheduler_address) as workers,
    ):
        assert dict(workers.each(math.factorial, NUMBERS)) == EXPECTED


def length_and_worker(number: int, content: bytes) -> tuple[int, int]:
    return number + len(content), os.getpid()


@pytest.mark.process
def test_answers_that_die_with_their_worker_are_found_again(recwarn: pytest.WarningsRecorder) -> None:
    content = bytes(12 << 20)  # as large as weights
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        pool: ClusterPool[int, tuple[int, int]] = ClusterPool(cluster.scheduler_address, length_and_worker, [content])
        try:
            for number in range(3):
                pool.start(number)
            while sum(key.startswith("length_and_worker") for key in client.who_has()) < 3:
                time.sleep(0.01)
            ((address, first),) = client.run(os.getpid).items()
            os.kill(first, signal.SIGKILL)
            while address in client.nthreads():
                time.sleep(0.01)
            found: list[tuple[int, tuple[int, int]]] = []
            while len(found) < 3:
                found += pool.wait()
        finally:
            pool.close()
    assert sorted((number, length) for number, (length, _) in found) == [(n, n + len(content)) for n in range(3)]
    assert first not in {worker for _, (_, worker) in found}
    assert not [warning for warning in recwarn if "graph" in str(warning.message)]


@pytest.mark.process
def test_what_is_wrong_with_a_cluster_is_said(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    cluster = distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None, silence_logs=50)
    try:
        pool: ClusterPool[int, int] = ClusterPool(cluster.scheduler_address, math.factorial)
        assert pool.slots == pool.slots == 1
        assert capsys.readouterr().err.count("has no workers; waiting for one") == 1
        pool.start(3)
    finally:
        cluster.close()
    with pytest.raises(TaskError, match="ended or was restarted; run the same command again"):
        pool.wait(60)
    with pytest.raises(TaskError, match="ended or was restarted"):
        _ = pool.slots
    with pytest.raises(TaskError, match="ended or was restarted"):
        pool.start(3)
    pool.run_everywhere(os.getpid)
    caplog.clear()
    pool.close()
    assert not [record for record in caplog.records if record.name.startswith("distributed.client")]


def without_a_library() -> None:
    raise ModuleNotFoundError("No module named 'othello_bot'")


def dead_of_a_task() -> None:
    raise KilledWorker("a key", cast("Any", SimpleNamespace(address="tcp://1.2.3.4:5")), 3)


@pytest.mark.process
def test_errors_of_the_cluster_are_told_in_words() -> None:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, silence_logs=50
    ) as cluster:
        for task, words in (
            (without_a_library, "'othello_bot'; the scheduler and the workers need othello-bot"),
            (dead_of_a_task, "^4 workers died of the same task, the last at tcp://1.2.3.4:5"),
        ):
            with pytest.raises(TaskError, match=words), Workers(cluster=cluster.scheduler_address) as workers:
                list(workers.each(task, [()]))


@pytest.mark.parametrize("processes", [1, 2])
def test_the_error_of_a_task_is_raised_and_ends_the_processes(processes: int) -> None:
    with pytest.raises(ValueError, match="factorial"), Workers(processes) as workers:
        list(workers.each(math.factorial, [(3,), (-1,)]))
    assert not multiprocessing.active_children()


def test_arguments_are_made_as_they_are_needed() -> None:
    made = []

    def arguments() -> object:
        for number in range(100):
            made.append(number)
            yield (number,)

    with Workers(2) as workers:
        results = workers.each(math.factorial, arguments())  # type: ignore[arg-type]
        next(results)
        assert len(made) < 10
