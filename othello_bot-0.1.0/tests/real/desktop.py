"""A screen without a monitor, and a person's actions on it: Xvfb and xdotool."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable

PATIENCE_S = 120.0
"""Seconds after which a program that does nothing fails the test: far more than anything here takes."""


def wait_for(condition: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until the condition holds; fail with `what` if it never does."""
    assert holds_within(condition, patience_s), f"in vain waited {patience_s:g} s for {what}"


def holds_within(condition: Callable[[], object], patience_s: float) -> bool:
    """Return whether the condition holds before the patience ends."""
    deadline = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


class Desktop:
    """An X server of our own; a context manager that ends it and everything started on it."""

    def __init__(self) -> None:
        self._programs: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Desktop:
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
        self._server = subprocess.Popen(
            command, pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start"
        self._environment = {**os.environ, "DISPLAY": f":{number}"}
        return self

    def __exit__(self, *exception: object) -> None:
        for process in [*self._programs, self._server]:
            process.terminate()
            process.wait(PATIENCE_S)

    def start(self, *command: str, **variables: str) -> subprocess.Popen[bytes]:
        """Start a program on this screen."""
        environment = {**self._environment, **variables}
        program = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
        self._programs.append(program)
        return program

    def window(self, title: str) -> str:
        """Return the newest visible window whose title contains the regular expression, or an empty text."""
        found = self._do("search", "--onlyvisible", "--name", title).split()
        return found[-1] if found else ""

    def press(self, title: str, *keys: str) -> None:
        """Press keys in a window, which must appear; no window manager would give it the focus."""
        wait_for(lambda: self.window(title), f"the window {title!r}")
        self._do("windowfocus", "--sync", self.window(title))
        for key in keys:
            self._do("key", key)

    def press_until(self, title: str, keys: tuple[str, ...], condition: Callable[[], object], what: str) -> None:
        """Press keys in a window, and repeat them without effect: a new window takes a while to react."""
        for _ in range(20):
            self.press(title, *keys)
            if holds_within(condition, 3.0):
                return
        raise AssertionError(f"in vain pressed {keys} in {title!r}: no {what}")

    def enter(self, title: str, text: str) -> None:
        """Replace the text in a window's entry field."""
        self.press(title, "ctrl+a")
        self._do("type", "--delay", "40", text)

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self._environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        return done.stdout
