"""Compressed files: their endings, reading them, writing them."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

_MODULES: Final = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
"""The modules that compress, imported when a file needs one."""


def opener_of(path: Path) -> Callable[..., Any] | None:
    """Return the function that opens a file compressed as its ending says; None for another ending."""
    module = _MODULES.get(path.suffix.lower())
    return None if module is None else importlib.import_module(module).open


def name_inside(path: Path) -> Path:
    """Return the path without the ending of its compression, which stands for the content."""
    return path.with_suffix("") if path.suffix.lower() in _MODULES else path


@contextlib.contextmanager
def packed(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """Yield a file that compresses into an open one as the ending of `path` says, or the open one itself."""
    opener = opener_of(path)
    if opener is None:
        yield file
    elif path.suffix.lower() == ".gz":
        import gzip

        # With a name of its own: the file's name would be that of a temporary one.
        with gzip.GzipFile(path.stem, "wb", fileobj=file) as packing:
            yield packing  # type: ignore[misc]
    else:
        with opener(file, "wb") as packing:
            yield packing
