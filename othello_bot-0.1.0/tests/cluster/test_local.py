"""The pool of local processes: jobs of dead workers are begun again, errors are raised here, nothing stays behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from othello_bot.cluster import MOST_DEATHS, LocalPool, TaskError, Workers

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]


class Counter:
    """A handler that answers with its process, the number of its jobs, and the job."""

    def __init__(self) -> None:
        self.jobs = 0

    def work(self, job: str, /) -> tuple[int, int, str]:
        self.jobs += 1
        if job == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if job == "fail":
            raise ValueError("no such job")
        if job == "unportable":
            raise Unportable("a", "b")
        if job.startswith("once:") and not Path(job[5:]).exists():
            Path(job[5:]).write_text("was here")
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid(), self.jobs, job

    def close(self) -> None:
        pass


class Unportable(Exception):
    """An error that cannot be unpickled."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


def test_a_worker_keeps_its_handler_between_jobs() -> None:
    pool: LocalPool[str, tuple[int, int, str]] = LocalPool(1, Counter)
    try:
        pool.start("a")
        [(job, first)] = pool.wait()
        pool.start("b")
        [(_, second)] = pool.wait()
    finally:
        pool.close()
    assert job == "a" and first[0] == second[0] != os.getpid() and (first[1], second[1]) == (1, 2)
    assert not multiprocessing.active_children()


def test_the_job_of_a_dead_worker_is_begun_again(tmp_path: Path) -> None:
    pool: LocalPool[str, tuple[int, int, str]] = LocalPool(1, Counter)
    ended: list[tuple[str, tuple[int, int, str]]] = []
    try:
        pool.start(job := f"once:{tmp_path / 'mark'}")
        while not ended:
            ended = pool.wait()
    finally:
        pool.close()
    assert ended[0][0] == job


def test_a_job_that_kills_every_worker_is_given_up() -> None:
    pool: LocalPool[str, tuple[int, int, str]] = LocalPool(1, Counter, "doing {}".format)
    try:
        with pytest.raises(TaskError, match=f"{MOST_DEATHS} workers died doing kill, the last with exit code -9"):
            pool.start("kill")
            while True:
                pool.wait()
    finally:
        pool.close()


@pytest.mark.parametrize(("job", "error"), [("fail", ValueError), ("unportable", TaskError)])
def test_the_error_of_a_job_is_raised_and_the_worker_goes_on(job: str, error: type[Exception]) -> None:
    pool: LocalPool[str, tuple[int, int, str]] = LocalPool(1, Counter)
    try:
        pool.start(job)
        with pytest.raises(error, match="no such job" if job == "fail" else "a and b"):
            pool.wait()
        pool.start("next")
        [(_, (_, jobs, _))] = pool.wait()
        assert jobs == 2
    finally:
        pool.close()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to see the processes of others")
def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    script = """
        import os, signal, sys, time
        from othello_bot.cluster import LocalPool
        from tests.cluster.test_local import Counter
        if __name__ == "__main__":
            pool = LocalPool(1, Counter)
            pool.start("a")
            pool.wait()
            print(pool.worker_pids[0], flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    file = tmp_path / "script.py"
    file.write_text(textwrap.dedent(script))
    run = subprocess.run(
        [sys.executable, str(file)], env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    worker = int(run.stdout)
    while True:
        try:
            state = Path(f"/proc/{worker}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            break
        if state in "ZX":
            break
        time.sleep(0.01)


class Poor(Counter):
    """A handler that cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("can't start new thread")


def test_a_worker_that_cannot_start_says_why() -> None:
    pool: LocalPool[str, tuple[int, int, str]] = LocalPool(1, Poor)
    try:
        pool.start("a")
        with pytest.raises(TaskError, match="a worker cannot start: can't start new thread"):
            pool.wait()
    finally:
        pool.close()


def test_no_cluster_is_an_error_that_names_the_address() -> None:
    with pytest.raises(TaskError, match="no Dask scheduler at nonsense://x:1: unknown address scheme"):
        Workers(cluster="nonsense://x:1")


def test_no_thread_is_left_of_a_cluster_that_cannot_be_reached() -> None:
    before = set(threading.enumerate())
    with pytest.raises(TaskError):
        Workers(cluster="nonsense://x:1")
    loops = {thread for thread in threading.enumerate() if thread.name == "IO loop"}
    assert loops <= before, "Dask's threads"
