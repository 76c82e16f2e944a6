"""Tasks in this process, in a pool and on a Dask cluster: the same results from all of them."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time

import distributed
import pytest

from othello_bot.cluster import ClusterPool, Workers

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
