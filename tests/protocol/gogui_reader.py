"""Readers as strict as GoGui 1.6 in the places where GoGui is strict.

Each names the place in GoGui's sources (github.com/Remi-Coulom/gogui, below src/net/sf/gogui) whose behaviour it
describes; none of their code is used.
"""

from __future__ import annotations


def reads(framed: str) -> str:
    """What GoGui takes as the text of a reply (gtp/GtpClient.java, readResponse and InputThread.mainLoop).

    A reply begins with its sign and ends with the first empty line. The text is what follows the first space of the
    whole reply, wherever that is, and what follows the sign where there is no space at all.
    """
    assert framed[:1] in ("=", "?"), f"GoGui drops a line without a sign: {framed!r}"
    assert framed.endswith("\n\n") and framed.index("\n\n") == len(framed) - 2, f"not one reply: {framed!r}"
    return framed[framed.find(" ") + 1 or 1 : -2]
