"""Detect the dialect from the first line.

One process, no flag: NBoard opens with ``nboard 2``, Cassio with ``ENGINE-PROTOCOL init``, GTP with one of its verbs,
with or without an id. Every other line is taken for the native session, which is GTP with more commands, so a wrong
guess between these two is harmless.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from othello_bot.protocol.gtp import STANDARD_COMMANDS
from othello_bot.protocol.wire import strip_comment


class Dialect(Enum):
    """A line protocol; the value is its name on the command line (``--protocol``)."""

    NATIVE = "native"
    GTP = "gtp"
    NBOARD = "nboard"
    CASSIO = "cassio"


_NBOARD: Final = re.compile(r"nboard(\s.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_CASSIO: Final = re.compile(r"engine-protocol(\s.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_GTP_ID: Final = re.compile(r"[0-9]{1,20}\s+\S")


def detect(line: str) -> Dialect | None:
    """Return the dialect of a cleaned opening line; None if it is empty or a comment, and the next line decides.

    A prefix like ``gogui-`` or ``kata-`` counts as GTP, and so does any command with an id.
    """
    text = strip_comment(line)
    if not text:
        return None
    if _NBOARD.fullmatch(text):
        return Dialect.NBOARD
    if _CASSIO.fullmatch(text):
        return Dialect.CASSIO
    verb = text.split()[0].lower()
    if _GTP_ID.match(text) or verb in STANDARD_COMMANDS or verb.partition("-")[0] in ("gogui", "gomill", "kata", "lz"):
        return Dialect.GTP
    return Dialect.NATIVE
