"""A process that tries faults in a copy of the checkout, forked for each.

Started in the copy, with the copy on PYTHONPATH, it reads JSON objects, one a line, and answers each with one:

- ``{"measure": [files], "tests": [arguments]}``: runs the tests once; the seconds that each test computed, the tests
  that run each line of the files ("" for importing), those that fail, and the modules imported from elsewhere.
- ``{"modules": [names]}``: imports modules ahead, which all copies share.
- ``{"collect": [arguments]}``: collects tests; from then on only requests of the last kind with a "path" are taken.
- ``{"tests": [ids], "timeout_s": s, "test_timeout_s": s}``: runs tests until one fails; what found the fault: its id,
  "collection", "hangs" or "". All tests together may compute for the first number of seconds; each may compute or wait
  for the second. With ``{"path": path, "before": text, "after": text}`` beside it, the fault is put into the imported
  module; null where that cannot be done.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import math
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TextIO

import psutil
import pytest
from _pytest.main import pytest_runtestloop

sys.path[0] = str(Path(__file__).resolve().parents[1])
from _mutants.swapping import NotSwappableError, functions_by_file, swap  # noqa: E402 - found from the folder above

OPTIONS = (
    *("-q", "-n", "0", "--no-header", "-W", "ignore"),
    *("-p", "no:cacheprovider", "-p", "no:unraisableexception", "-p", "no:hypothesispytest"),
)
COLLECTION = "collection"
HANGS = "hangs"

MOST_MEMORY_BYTES = 4 << 30
"""What a test may allocate: a fault in a loop's condition otherwise takes all memory of the machine."""

TrialAnswer = dict[str, object]


class ChosenTests:
    """A plugin of pytest: runs the chosen tests in order, and stores the first failure.

    A test that computes for too long ends the process. Each test writes a space, so that its process is seen to go on.
    """

    def __init__(self, request: dict[str, Any], signs: int) -> None:
        self._places = {test: place for place, test in enumerate(request["tests"])}
        self._timeout_s = request["test_timeout_s"]
        self._signs = signs
        self.failed = ""

    def pytest_runtest_logstart(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, self._timeout_s)
        os.write(self._signs, b" ")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self._places]
        items[:] = sorted(chosen, key=lambda item: self._places[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


class Measuring:
    """A plugin of pytest: measures which tests run which lines, and the processor time of each and of its processes."""

    def __init__(self, coverage: Any) -> None:
        self._coverage = coverage
        self._began_s = 0.0
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._coverage.switch_context(nodeid)
        self._began_s = processor_s()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.seconds[nodeid] = processor_s() - self._began_s


def processor_s() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    return sum(os.times()[:4])


class Serving:
    """A plugin of pytest: answers requests instead of running the collected tests."""

    def __init__(self, requests: TextIO, answers: TextIO) -> None:
        self._requests = requests
        self._answers = answers

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        functions = functions_by_file()
        gc.collect()
        gc.freeze()
        print("{}", file=self._answers, flush=True)
        for line in self._requests:
            request = json.loads(line)
            work = functools.partial(self._tried, session, functions.get(request["path"], []), request)
            answer = in_a_child(work, request)
            print(json.dumps(answer), file=self._answers, flush=True)
        return True

    def _tried(
        self, session: pytest.Session, functions: list[FunctionType], request: dict[str, Any], signs: int
    ) -> TrialAnswer:
        try:
            swap(functions, request["path"], request["before"], request["after"])
        except NotSwappableError:
            return {"found_by": None}
        chosen = ChosenTests(request, signs)
        session.config.pluginmanager.register(chosen)
        chosen.pytest_collection_modifyitems(session.items)
        session.testscollected = len(session.items)
        with contextlib.suppress(session.Interrupted, session.Failed):
            pytest_runtestloop(session)
        return {"found_by": chosen.failed}


def measured(files: list[str], arguments: list[str]) -> TrialAnswer:
    """Run all tests and return the measurements."""
    import coverage

    measuring = coverage.Coverage(data_file=None, include=[str(Path(file).resolve()) for file in files])
    plugin = Measuring(measuring)
    measuring.start()
    status = pytest.main([*OPTIONS, *arguments], [plugin])
    measuring.stop()
    data = measuring.get_data()
    lines = {file: data.contexts_by_lineno(str(Path(file).resolve())) for file in files}
    tree = str(Path.cwd())
    elsewhere = [
        name
        for name, module in list(sys.modules.items())
        if (path := getattr(module, "__file__", None)) is not None and not path.startswith(tree)
    ]
    return {
        "status": int(status),
        "seconds": plugin.seconds,
        "failed": plugin.failed,
        "lines": {file: {str(line): ids for line, ids in by_line.items()} for file, by_line in lines.items()},
        "modules": [name for name in elsewhere if not name.startswith(("__", "coverage", "pytest", "_pytest"))],
    }


def tried(request: dict[str, Any], signs: int) -> TrialAnswer:
    """Import everything, run tests until one fails and return the failure."""
    plugin = ChosenTests(request, signs)
    files = list(dict.fromkeys(test.split("::")[0] for test in request["tests"]))
    status = pytest.main([*OPTIONS, "-x", *files], [plugin])
    return {"found_by": plugin.failed or ("" if status in (0, 5) else COLLECTION)}


def in_a_child(work: Callable[[int], TrialAnswer], request: dict[str, Any]) -> TrialAnswer:
    """Do the work in a forked process, with the descriptor for its signs of life; return its answer, or that it hangs:
    it computes or waits too long.
    """
    timeout_s, test_timeout_s = request.get("timeout_s"), request.get("test_timeout_s", math.inf)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        if timeout_s is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(timeout_s) + 1, int(timeout_s) + 1))
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
        # What a fault was compiled to must not be taken for the module's own.
        sys.dont_write_bytecode = timeout_s is not None
        answer = work(writer)
        with os.fdopen(writer, "w") as stream:
            json.dump(answer, stream)
        os._exit(0)
    os.close(writer)
    text, idle_s = b"", 0
    while idle_s < test_timeout_s:
        if select.select([reader], [], [], 1.0)[0]:
            part = os.read(reader, 1 << 20)
            if not part:
                break
            text, idle_s = text + part, 0
        elif is_idle(child):
            idle_s += 1
    os.close(reader)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(text) if text.strip() else {"found_by": HANGS}


def is_idle(process: int) -> bool:
    """Return whether a process and those that it started only wait. One that waits for a busy processor is not idle."""
    try:
        family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
        return not any(one.status() in (psutil.STATUS_RUNNING, psutil.STATUS_STOPPED) for one in family)
    except psutil.NoSuchProcess:
        return False


def answer_to(request: dict[str, Any]) -> TrialAnswer:
    """Execute the request of a line."""
    if "modules" in request:
        for name in request["modules"]:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        gc.collect()
        gc.freeze()
        return {}
    if "measure" in request:
        return in_a_child(lambda _: measured(request["measure"], request["tests"]), {})
    return in_a_child(functools.partial(tried, request), request)


def main() -> None:
    """Answer line by line until the input ends; discard the output of tests."""
    sys.path[0] = os.getcwd()
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    for line in requests:
        request = json.loads(line)
        if "collect" in request:
            pytest.main([*OPTIONS, "-x", *request["collect"]], [Serving(requests, answers)])
            return
        print(json.dumps(answer_to(request)), file=answers, flush=True)


if __name__ == "__main__":
    main()
