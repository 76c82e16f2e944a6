"""Passwords for commands: from a file, an environment variable, or a question; never on a command line or in a message."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from othello_bot.base.errors import InputError

LONGEST: Final = 200
"""Most characters of a password."""


def read_password(path: Path | None, variable: str, ask: Callable[[], str] | None = None) -> str | None:
    """Return the first line of a file, else the environment variable, else what `ask` returns; None without any.

    The variable is removed, so that no process started later inherits it. Raise InputError for a file that cannot be
    read and for a password that cannot be typed; the message does not repeat it.
    """
    if path is not None:
        try:
            with path.open("rb") as file:
                found = file.readline(4 * LONGEST + 2).decode("utf-8", "surrogateescape").rstrip("\r\n")
        except OSError as error:
            raise InputError("password file", str(path), f"a file that can be read ({error.strerror})") from None
    elif variable in os.environ:
        found = os.environ.pop(variable)
    elif ask is not None:
        found = ask()
    else:
        return None
    if not found or len(found) > LONGEST or not found.isprintable():
        raise InputError("password", "(hidden)", f"1 to {LONGEST} characters that can be printed, in UTF-8")
    return found


def others_can_read(path: Path) -> bool:
    """Return whether users other than the owner may read a file; False for a pipe. Raise OSError."""
    found = path.stat()
    return stat.S_ISREG(found.st_mode) and bool(found.st_mode & (stat.S_IRGRP | stat.S_IROTH))
