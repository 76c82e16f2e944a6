"""Commands to GGS, the Generic Game Server, as typed values whose text is the line to send.

Sources: the server's list of commands (https://www.skatgame.net/mburo/ggsa/cmds) and its ``EXE_Service``. Commands to
the Othello service are messages to ``/os``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from othello_bot.base.visible import visible
from othello_bot.protocol.ggs_values import GameClock, MatchType, PlayedMove

LONGEST_TELL: Final = 200
"""Most characters of a message to a person: longer ones are cut."""

SETTINGS: Final = ("vt100 -", "bell -t -tc -tg -n -nc -ng -ni -nn", "verbose -news -faq -help -ack")
"""What a program asks of the central server: no colours, no bells, no texts for people."""

OTHELLO_SETTINGS: Final = ("client -", "trust +", "request +", "stored +")
"""What it asks of the Othello service: boards as text, times as both players tell them, and notices."""

_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Login:
    """The first line: who connects."""

    name: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return self.name


@dataclass(frozen=True, slots=True)
class Password:
    """The second line. Its representation and `logged` hide the secret."""

    secret: str = field(repr=False)

    def __str__(self) -> str:
        """Return the line, without its end."""
        return self.secret


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the central server, one of SETTINGS."""

    text: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return self.text


@dataclass(frozen=True, slots=True)
class OthelloSetting:
    """A setting of the Othello service, one of OTHELLO_SETTINGS."""

    text: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os {self.text}"


@dataclass(frozen=True, slots=True)
class Rated:
    """``rated``: whether new matches count for ratings."""

    on: bool

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os rated {'+' if self.on else '-'}"


@dataclass(frozen=True, slots=True)
class Open:
    """``open N``: accept requests while fewer than N matches are played. It also keeps the connection alive."""

    matches: int

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os open {self.matches}"


@dataclass(frozen=True, slots=True)
class Continue:
    """``continue``: ask for all stored matches whose opponents are there."""

    def __str__(self) -> str:
        """Return the line, without its end."""
        return "tell /os continue"


@dataclass(frozen=True, slots=True)
class Ask:
    """``ask TYPE CLOCK [NAME]``: propose a match, to anybody without a name."""

    type: MatchType
    clock: GameClock
    opponent: str = ""

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os ask {self.type} {self.clock} {self.opponent}".rstrip()


@dataclass(frozen=True, slots=True)
class Accept:
    """``accept .8``: begin the match of a request."""

    request: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os accept {self.request}"


@dataclass(frozen=True, slots=True)
class Decline:
    """``decline .8``: refuse a request."""

    request: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os decline {self.request}"


@dataclass(frozen=True, slots=True)
class Play:
    """``play .5.0 f5/1.25/3.47``: a move in a game."""

    game: str
    played: PlayedMove

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os play {self.game} {self.played}"


@dataclass(frozen=True, slots=True)
class Abort:
    """``abort .5``: agree to end a match without a result."""

    match: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os abort {self.match}"


@dataclass(frozen=True, slots=True)
class Moves:
    """``moves .5``: show the boards of a match again, with all moves; the answer is a ``join``."""

    match: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os moves {self.match}"


@dataclass(frozen=True, slots=True)
class AskStored:
    """``stored``: list our stored matches."""

    def __str__(self) -> str:
        """Return the line, without its end."""
        return "tell /os stored"


@dataclass(frozen=True, slots=True)
class AskHistory:
    """``history``: list our last rated matches."""

    def __str__(self) -> str:
        """Return the line, without its end."""
        return "tell /os history"


@dataclass(frozen=True, slots=True)
class Look:
    """``look .1234``: show a match of the archive, its games in GGF."""

    match: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os look {self.match}"


@dataclass(frozen=True, slots=True)
class Tell:
    """A message to a person, in one visible line of at most LONGEST_TELL characters."""

    name: str
    text: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        text = _SPACE.sub(" ", self.text).strip().replace("\\", "/")
        return f"tell {self.name} {visible(text, LONGEST_TELL)}"


@dataclass(frozen=True, slots=True)
class Who:
    """``who``: list those who are connected."""

    def __str__(self) -> str:
        """Return the line, without its end."""
        return "who"


@dataclass(frozen=True, slots=True)
class Finger:
    """``finger NAME`` at the Othello service: settings and ratings of a player."""

    name: str

    def __str__(self) -> str:
        """Return the line, without its end."""
        return f"tell /os finger {self.name}"


@dataclass(frozen=True, slots=True)
class Quit:
    """``quit``: leave the server."""

    def __str__(self) -> str:
        """Return the line, without its end."""
        return "quit"


Command: TypeAlias = (
    Login
    | Password
    | Setting
    | OthelloSetting
    | Rated
    | Open
    | Continue
    | Ask
    | Accept
    | Decline
    | Play
    | Abort
    | Moves
    | AskStored
    | AskHistory
    | Look
    | Tell
    | Who
    | Finger
    | Quit
)


def logged(command: Command) -> str:
    """Return the line of a command as a log may show it: that of a password is hidden."""
    return "(password)" if isinstance(command, Password) else str(command)
