"""Property tests run the same examples every time, without deadlines, because the machine may be busy.

`scripts/test --explore` sets OTHELLO_BOT_TESTS=explore: then every run uses new examples, ten times as many.
`scripts/mutate` sets OTHELLO_BOT_TESTS=mutants: then they try half as many, and shrink none.

A shell makes its background processes and their children ignore SIGINT. Tests send SIGINT to their processes, so the
suite restores its handling.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from othello_bot.base.files import cache_folder
from othello_bot.base.posix import available_cores

settings.register_profile(
    "suite", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", parent=settings.get_profile("suite"), derandomize=False, max_examples=500, print_blob=True
)
settings.register_profile(
    "mutants", parent=settings.get_profile("suite"), max_examples=25, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile(os.environ.get("OTHELLO_BOT_TESTS", "suite"))

# Tests of tables that rewrite themselves bring terminals of their own; the one behind the suite may be unable to.
if os.environ.get("TERM") in ("dumb", "unknown"):
    del os.environ["TERM"]

# Processes with a home folder of their own would each unpack the evaluation into it.
os.environ.setdefault("XDG_CACHE_HOME", str(cache_folder().parent))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW: Final = (
    "tests/arena/test_check.py",
    "tests/tools/test_mcp_server.py",
    "tests/batch/test_labels.py",
    "tests/strategies/",
    "tests/arena/test_sprt.py",
    "tests/terminal/test_session.py",
    "tests/daemon/test_process.py",
    "tests/arena/test_games.py",
    "tests/ggs/test_faults.py",
    "tests/arena/test_referees.py",
    "tests/kernel/test_extremes.py",
    "tests/house/",
    "tests/launcher/test_test_command.py",
    "tests/formats/test_steps.py",
    "tests/arena/test_ladder.py",
    "tests/arena/test_cluster.py",
    "tests/kernel/test_search.py",
    "tests/kernel/test_evaluation.py",
    "tests/explorer/test_building.py",
    "tests/training/test_policy.py",
    "tests/arena/test_command.py",
    "tests/tools/test_outputs.py",
    "tests/arena/test_tune.py",
    "tests/engine/test_forks.py",
    "tests/engine/test_python_page.py",
    "tests/dialects/test_nboard_reader.py",
    "tests/dialects/test_edax.py",
    "tests/arena/test_stops.py",
    # The first of these builds what others wait for; the second needs nothing of it.
    "tests/real/test_pythons.py",
    "tests/real/test_hostile_page.py",
    "tests/real/test_page_controls.py",
    "tests/real/test_pyodide.py",
    "tests/real/test_arm.py",
    "tests/real/test_page_alone.py",
    "tests/real/test_page_games.py",
    "tests/real/test_ways_in.py",
    "tests/real/test_page.py",
    "tests/real/test_page_upright.py",
    "tests/real/test_factor_fits.py",
    "tests/real/test_container.py",
)
"""What takes longest, files and folders of TOGETHER. They come first, so that no process ends the run alone with one."""

REAL: Final = Path(__file__).with_name("real")
"""The tests against other programs and those that take long."""

TOGETHER: Final = ("tests/house/", "tests/strategies/")
"""Folders whose files share what is expensive: parsed sources, the edge table. Each folder stays in one process."""


STARTS: Final = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn")
"""The events, as sys.audit() names them, of a new process."""

started: Final[list[str]] = []
"""The processes that the running test has started."""


def note_start(event: str, _: object) -> None:
    """Note a new process, except one by which a library looks at the machine while it is imported for the first time."""
    if event in STARTS:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
            frame = frame.f_back
        if frame is None:
            started.append(event)


sys.addaudithook(note_start)


def scope_of(nodeid: str) -> str:
    """Return what a test belongs to: its file, or its folder if that is one of TOGETHER."""
    return next((folder for folder in TOGETHER if nodeid.startswith(folder)), nodeid.partition("::")[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Keep the tests of a scope in one process where whole files are asked for."""
    if config.getvalue("dist") != "loadfile":
        return None
    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = scope_of
    return scheduler


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many processes `-n auto` means: one for each core, and two more where tests wait for others."""
    waiting = "not process" not in config.getoption("-m")
    return available_cores() + 2 * waiting


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no test against other programs where none of them will run."""
    return True if collection_path == REAL and config.getoption("-m") == "not real" else None


def pytest_collection() -> None:
    """Collect without the garbage collector: what collecting makes stays until the end."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage again, but look no more at what has been made so far."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slow tests first."""
    order = {name: place for place, name in enumerate(SLOW)}
    items.sort(key=lambda item: order.get(scope_of(item.nodeid), len(order)))


def pytest_runtest_setup() -> None:
    """Take back the width of a terminal, which readline, loaded by pytest, sets for child processes."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
        os.unsetenv(name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Refuse a test that starts a process without saying so: the fast run would wait for it."""
    started.clear()
    yield
    if started and not any(item.get_closest_marker(mark) for mark in ("process", "real")):
        pytest.fail(f"this test starts a process ({started[0]}): mark it with @pytest.mark.process")
