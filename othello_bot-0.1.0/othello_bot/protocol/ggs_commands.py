"""Commands to GGS, the Generic Game Server, as the lines to send.

Sources: the server's list of commands (https://www.skatgame.net/mburo/ggsa/cmds) and its ``EXE_Service``. Commands to
the Othello service are messages to ``/os``.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import Final

from othello_bot.base.clocks import TimeControl
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.visible import visible
from othello_bot.protocol.ggs_values import MatchType, format_clock
from othello_bot.protocol.nboard_values import annotated

LONGEST_TELL: Final = 200
"""Most characters of a message to a person: longer ones are cut."""

SETTINGS: Final = ("vt100 -", "bell -t -tc -tg -n -nc -ng -ni -nn", "verbose -news -faq -help -ack")
"""What a program asks of the central server: no colours, no bells, no texts for people."""

OTHELLO_SETTINGS: Final = ("client -", "trust +", "request +", "stored +")
"""What it asks of the Othello service: boards as text, times as both players tell them, and notices."""

_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class GgsCommand:
    """A line to send: the login, a setting, or what a function of this module returns."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Password(GgsCommand):
    """The line after the login. Its representation and `logged` hide the secret."""

    text: str = field(repr=False)

    def hide(self, text: str) -> str:
        """Return a text, of one line or several, with MASK wherever it has the password.

        Case does not matter, nor line breaks within it, nor how letters outside ASCII were decoded or escaped. A very
        long line, which may have been cut within the password, loses its end.
        """
        secret = " ".join(self.text.split())
        if not secret:
            return text
        lines = _pattern_of(secret).sub(MASK, text).split("\n")
        return "\n".join(line if len(line) < CUT_COLUMNS else line[: -len(secret)] + MASK for line in lines)


MASK: Final = "****"
"""What stands for the password in a text that is shown or logged."""

CUT_COLUMNS: Final = 24_000
"""A line of this length or more may have been cut."""


@functools.lru_cache(maxsize=4)
def _pattern_of(secret: str) -> re.Pattern[str]:
    """Return what matches a password in any text that repeats it."""
    return re.compile(r"(?:\s*\n[|\s]*)?".join(map(_letter, secret)), re.IGNORECASE)


def _letter(letter: str) -> str:
    """Return a pattern for a character of a password, as it is or as a decoder or Python's `repr` may leave it."""
    if letter.isspace():
        return r"\s+"
    if not letter.isascii():
        return rf"(?:[^\x00-\x7f]+|(?:\\[xuU][0-9a-f]{{2,8}})+|{re.escape(letter.upper())})"
    return (r"\\+" if letter == "\\" else r"\\*" + letter) if letter in "\\'\"" else re.escape(letter)


QUIT: Final = GgsCommand("quit")
"""Leave the server."""


def logged(command: GgsCommand) -> str:
    """Return the line of a command as a log may show it: that of a password is hidden."""
    return "(password)" if isinstance(command, Password) else command.text


def tell(name: str, text: str) -> GgsCommand:
    """Return a message to a person, in one visible line of at most LONGEST_TELL characters."""
    text = _SPACE.sub(" ", text).strip().replace("\\", "/")
    return GgsCommand(f"tell {name} {visible(text, LONGEST_TELL)}")


# -- to the Othello service -------------------------------------------------------------------------------------------


def othello(text: str) -> GgsCommand:
    """Return a command of the Othello service, or one of OTHELLO_SETTINGS."""
    return GgsCommand(f"tell /os {text}")


CONTINUE: Final = othello("continue")
"""Ask for all stored matches whose opponents are there."""

ASK_STORED: Final = othello("stored")
"""List our stored matches."""

ASK_HISTORY: Final = othello("history")
"""List our last rated matches."""


def set_rated(on: bool) -> GgsCommand:
    """Return ``rated``: whether new matches count for ratings."""
    return othello(f"rated {'+' if on else '-'}")


def set_open(matches: int) -> GgsCommand:
    """Return ``open N``: accept requests while fewer than N matches are played. It also keeps the connection alive."""
    return othello(f"open {matches}")


def ask(kind: MatchType, clock: TimeControl, opponent: str = "") -> GgsCommand:
    """Return ``ask TYPE CLOCK [NAME]``: propose a match, to anybody without a name."""
    return othello(f"ask {kind} {format_clock(clock)} {opponent}".rstrip())


def accept(request: str) -> GgsCommand:
    """Return ``accept .8``: begin the match of a request."""
    return othello(f"accept {request}")


def decline(request: str) -> GgsCommand:
    """Return ``decline .8``: refuse a request."""
    return othello(f"decline {request}")


def play(game: str, played: EvaluatedMove) -> GgsCommand:
    """Return ``play .5.0 f5/1.25/3.47``: a move in a game."""
    return othello(f"play {game} {annotated(played).lower()}")


def abort(match: str) -> GgsCommand:
    """Return ``abort .5``: agree to end a match without a result."""
    return othello(f"abort {match}")


def ask_moves(match: str) -> GgsCommand:
    """Return ``moves .5``: show the boards of a match again, with all moves; the answer is a ``join``."""
    return othello(f"moves {match}")


def look(match: str) -> GgsCommand:
    """Return ``look .1234``: show a match of the archive, its games in GGF."""
    return othello(f"look {match}")
