"""Files that a command is about to write: none may be its store or an input, and what exists needs a permission.

One function checks the outputs of every command before its work. Files are the same if their device and number are, so
links do not hide them; of files that do not exist yet, the folder and the name count. Pipes, devices and /dev/null hold
nothing that could be lost.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from othello_bot.base.descriptors import is_descriptor, is_special, status
from othello_bot.base.errors import InputError

COMPANIONS: Final = ("", "-wal", "-shm", "-journal")
"""Endings of the files in which SQLite keeps a database."""


class FileTaken(InputError):
    """A file of that name exists already and was not changed."""

    def __init__(self, path: Path, expected: str = "another name") -> None:
        super().__init__("existing file", path.name, expected)


def database(*paths: Path | None) -> list[Path]:
    """Return the files in which SQLite keeps databases."""
    found = [path for path in paths if path is not None]
    # SQLite follows links before it names the others.
    places = dict.fromkeys(place for path in found for place in (path, Path(os.path.realpath(path))))
    return [place.with_name(place.name + ending) for place in places for ending in COMPANIONS if place.name]


def check_outputs(outputs: Mapping[str, Path | Iterable[Path] | None], **kept: Iterable[Path | None]) -> None:
    """Raise InputError if an output of a command would destroy another of its files.

    `outputs` has their paths by option, such as ``--html``, or by metavar; None where there is none. `kept` are the other
    files by what they are to the command, in the singular: `store`, `input`, which may be "-" for standard input.
    """
    seen: dict[object, str] = {}
    for what, paths in kept.items():
        for path in paths:
            if path is not None and (file := _identity(path)) is not None:
                seen.setdefault(file, f"the {what.replace('_', ' ')} {path}")
    for option, given in outputs.items():
        for path in [given] if isinstance(given, Path) else given or ():
            file = _identity(path)
            own = f"that of {option}"
            if file is not None and seen.setdefault(file, own) != own:
                raise InputError(option, str(path), f"a file of its own, not {seen[file]}")


def refuse_taken(path: Path, *, overwrite: bool, is_own: Callable[[Path], bool] | None = None, word: str = "") -> None:
    """Raise FileTaken if a file exists and may not be replaced, neither with the word to `overwrite` nor as our own.

    `is_own` tells by what a file holds that the same work wrote it. `word` is what would permit it.
    """
    if overwrite or not path.is_file() or is_special(path) or (is_own is not None and is_own(path)):
        return
    raise FileTaken(path, f"another name, or {word}" if word else "another name")


def refuse_binary(path: Path) -> None:
    """Raise InputError if lines cannot be added to a file because it holds no text, such as a database."""
    try:
        if not path.is_file() or is_special(path):
            return
        with open(path, "rb") as file:
            beginning = file.read(_BEGINNING_BYTES)
    except OSError:
        return  # whoever opens it for writing says what is wrong
    if b"\0" in beginning:
        raise InputError("file to add to", str(path), "a file of text, or a new name")


_BEGINNING_BYTES: Final = 512

OVERWRITE: Final = "--overwrite"
"""The option that permits a command to replace files."""


def _identity(path: Path) -> object | None:
    """Return what all names of a file have in common, also before it is made; None for what holds nothing to lose."""
    try:
        found = os.fstat(0) if os.fspath(path) == "-" else status(path)
    except OSError:
        if is_descriptor(path):
            return None
        place = os.path.realpath(path)
        folder, name = os.path.split(place)
        try:
            at = os.stat(folder)
        except OSError:
            return place
        return at.st_dev, at.st_ino, name
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
