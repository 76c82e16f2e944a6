"""Interrupting a search: every searcher asks at each board whether it should go on.

The textbook's searchers are plain functions that know depth, evaluation and nothing of sessions. So what may interrupt
them is not handed through all of them; it is said once around the call, for the thread that makes it:

>>> with interruptible(lambda: True):
...     check_interruption()
Traceback (most recent call last):
    ...
othello_bot.strategies.interruption.Interrupted
>>> check_interruption()  # nobody wants to interrupt: nothing happens
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Interrupted(Exception):
    """A search was told to end before it had found its move."""


class _Watch(threading.local):
    """What the searches of a thread ask."""

    should_stop: Callable[[], bool] | None = None


_watch = _Watch()


@contextmanager
def interruptible(should_stop: Callable[[], bool]) -> Iterator[None]:
    """Let the searches that this thread begins in the block ask `should_stop`, which may look at other threads."""
    before = _watch.should_stop
    _watch.should_stop = should_stop
    try:
        yield
    finally:
        _watch.should_stop = before


def check_interruption() -> None:
    """Raise Interrupted where the search should end."""
    should_stop = _watch.should_stop
    if should_stop is not None and should_stop():
        raise Interrupted
