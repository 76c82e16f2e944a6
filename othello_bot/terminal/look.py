"""Look: what a terminal can show, found out from its environment."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TextIO

_UNABLE: Final = ("dumb", "unknown", "")
"""Values of TERM of terminals that know no control sequences."""


class Colors(Enum):
    """How many colours there are."""

    NONE = "none"
    SIXTEEN = "16"
    MANY = "256"
    TRUE = "true"


@dataclass(frozen=True, slots=True)
class Look:
    """What can be shown: colours, signs beyond ASCII, and whether what is written can be written over."""

    colors: Colors = Colors.NONE
    signs: bool = True
    rewrites: bool = False


def look_of(stream: TextIO, environment: Mapping[str, str] | None = None, color: str = "auto") -> Look:
    """Return what the terminal behind `stream` can show; in no colours where the library that draws them is missing.

    `color` is "always" or "never" where somebody has decided, else "auto": colours on a terminal, unless the variable
    NO_COLOR is set.
    """
    environment = os.environ if environment is None else environment
    encoding = (getattr(stream, "encoding", None) or "").lower()
    terminal = stream.isatty() and environment.get("TERM", "").lower() not in _UNABLE
    signs = encoding.startswith("utf")
    wanted = color == "always" or (color == "auto" and terminal and not environment.get("NO_COLOR"))
    if not wanted or importlib.util.find_spec("rich") is None:
        return Look(Colors.NONE, signs, terminal)
    return Look(_colors(environment), signs, terminal)


def _colors(environment: Mapping[str, str]) -> Colors:
    """Return how many colours the environment promises, as most programs read it."""
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return Colors.TRUE
    kind = environment.get("TERM", "").lower()
    if "256color" in kind or kind.endswith(("-kitty", "-direct", "-ghostty")):
        return Colors.MANY
    return Colors.SIXTEEN


def width_of_terminal() -> int:
    """Return the columns of the terminal; 80 where they are not known."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
