"""Tasks in this process, in a pool and on a Dask cluster: the same results from all of them."""

from __future__ import annotations

import math
import multiprocessing

import distributed
import pytest

from othello_bot.cluster import Workers

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
