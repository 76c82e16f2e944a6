"""Forks: a child process has a copy of everything but the threads, and locks that these held stay held in it.

Whatever owns a thread, a lock or a connection registers here, and mends itself in a child before anything else runs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar, overload
from weakref import WeakSet

T = TypeVar("T")


class Forkable(Protocol):
    """An object that a fork leaves unusable in the child until it has mended itself."""

    def after_fork(self) -> None:
        """Become usable again in a child process; wait for nothing."""


_registered: WeakSet[Any] = WeakSet()


def mend_after_forks(owner: Forkable) -> None:
    """Call `owner.after_fork` in each child process, as long as the object lives."""
    _registered.add(owner)


def _mend_all() -> None:
    for owner in list(_registered):
        owner.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mend_all)


class lazy_property(Generic[T]):  # noqa: N801 - a decorator, named as the library's own
    """A property that is computed when it is first read, and then kept; a decorator for methods.

    Before Python 3.12, that of `functools` holds a lock meanwhile, which a fork would leave held in the child. Threads
    may compute the same value twice here.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy_property[T] | T:
        if instance is None:
            return self
        value: T = self._function(instance)
        vars(instance)[self._function.__name__] = value
        return value
