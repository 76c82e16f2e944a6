"""Interrupting a search: every searcher checks at each board whether to continue.

The textbook's searchers are plain functions of depth and evaluation that know nothing about sessions. So the
interruption is not passed through all of them; it is set once around the call, for the calling thread:

>>> with interruptible(lambda: True):
...     check_interruption()
Traceback (most recent call last):
    ...
othello_bot.strategies.interruption.Interrupted
>>> check_interruption()  # no interruption set: nothing happens
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Interrupted(Exception):
    """A search was told to stop before it had found its move."""


class _Watch(threading.local):
    """The interruption of each thread's searches."""

    should_stop: Callable[[], bool] | None = None


_watch = _Watch()


@contextmanager
def interruptible(should_stop: Callable[[], bool]) -> Iterator[None]:
    """Let the searches that this thread starts in the block check `should_stop`, which may read other threads' state."""
    before = _watch.should_stop
    _watch.should_stop = should_stop
    try:
        yield
    finally:
        _watch.should_stop = before


def check_interruption() -> None:
    """Raise Interrupted if the search should end."""
    should_stop = _watch.should_stop
    if should_stop is not None and should_stop():
        raise Interrupted
