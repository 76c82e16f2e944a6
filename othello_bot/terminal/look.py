"""Look: what a terminal can show, detected from its environment."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TextIO

_UNABLE: Final = ("dumb", "unknown", "")
"""Values of TERM of terminals without control sequences."""


class Colors(Enum):
    """The number of colours."""

    NONE = "none"
    SIXTEEN = "16"
    MANY = "256"
    TRUE = "true"


@dataclass(frozen=True, slots=True)
class Look:
    """The abilities of a terminal: colours, characters beyond ASCII, and overwriting."""

    colors: Colors = Colors.NONE
    signs: bool = True
    rewrites: bool = False


def look_of(stream: TextIO, environment: Mapping[str, str] | None = None, color: str = "auto") -> Look:
    """Return what the terminal behind `stream` can show; no colours if the library that draws them is missing.

    `color` is "always" or "never" if the user has decided, else "auto": colours on a terminal, unless the variable
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
    """Return the number of colours that the environment promises, as most programs read it."""
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return Colors.TRUE
    kind = environment.get("TERM", "").lower()
    if "256color" in kind or kind.endswith(("-kitty", "-direct", "-ghostty")):
        return Colors.MANY
    return Colors.SIXTEEN
