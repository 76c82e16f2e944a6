"""A plugin of pytest for Pyodide: a test that meets what Python in a browser does not have is left out, and says what."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any, Final

import pytest

LACKING: Final = {
    "threads": r"can't start new thread|no thread can be started|cannot start a thread",
    "waiting for an event loop": r"WebAssembly stack switching not supported",
    "processes": r"emscripten does not support processes|has no attribute 'fork'",
    "libraries": r"No module named '(distributed|numpy|tornado)'",
    "a part of the standard library": r"No module named '_?(sqlite3|resource|fcntl|termios|curses|readline|ssl)'",
    "the checkout": r"No module named '_strength'|No such file .*(checkout|site-packages)/(setup\.py|scripts|othello_bot/)",
}
"""What is lacking, and how an error tells it."""


def lacking(error: BaseException | None) -> str | None:
    """Return what of Pyodide an error, or one that caused it, misses; None if it is another error."""
    while error is not None:
        for name, pattern in LACKING.items():
            if re.search(pattern, str(error)):
                return name
        error = error.__cause__ or error.__context__
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    why = lacking(call.excinfo.value) if call.excinfo else None
    if why is not None:
        report.outcome = "skipped"
        report.longrepr = ("", 0, f"without {why}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    why = lacking(report.call.excinfo.value) if getattr(report, "call", None) and report.call.excinfo else None
    if why is not None:
        report.outcome = "skipped"
        report.longrepr = ("", 0, f"without {why}")
    return report
