"""Insert a fault into functions that are already imported, by exchanging their code."""

from __future__ import annotations

import functools
import gc
import inspect
import os
from collections.abc import Iterator
from types import CodeType, FunctionType


class NotSwappableError(Exception):
    """The fault is in code that only importing the module runs."""


def functions_by_file() -> dict[str, list[FunctionType]]:
    """Return all functions there are by the file that they come from, however it was reached."""
    functions: dict[str, list[FunctionType]] = {}
    real = functools.cache(os.path.realpath)
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            functions.setdefault(real(one.__code__.co_filename), []).append(one)
    return functions


def swap(functions: list[FunctionType], path: str, before: str, after: str) -> None:
    """Exchange the code of a module's functions in which two texts of it differ; raise NotSwappableError."""
    old_module, new_module = compile(before, path, "exec"), compile(after, path, "exec")
    for old, new in _differing(old_module, new_module):
        using = [function for function in functions if _place(function.__code__) == _place(old)]
        if not using or old.co_freevars != new.co_freevars or _count(old_module, _place(old)) != 1:
            raise NotSwappableError
        for function in using:
            function.__code__ = new


def _differing(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield the functions that differ, including nested ones, with the functions around them."""
    if old == new:
        return
    if old.co_flags & inspect.CO_OPTIMIZED:
        yield old, new
        return
    if _shell(old) != _shell(new):
        raise NotSwappableError
    for one, other in zip(_nested(old), _nested(new), strict=True):
        yield from _differing(one, other)


def _place(code: CodeType) -> tuple[str, int]:
    """Return what tells a function from the others of its module, lambdas on one line aside."""
    return code.co_name, code.co_firstlineno


def _count(code: CodeType, place: tuple[str, int]) -> int:
    return (_place(code) == place) + sum(_count(nested, place) for nested in _nested(code))


def _nested(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _shell(code: CodeType) -> CodeType:
    """Return the code of a module or a class without that of the functions in it."""
    constants = tuple(one.co_name if isinstance(one, CodeType) else one for one in code.co_consts)
    # Where a function ends in its line is a part of the table of lines.
    return code.replace(co_consts=constants, co_linetable=b"")
