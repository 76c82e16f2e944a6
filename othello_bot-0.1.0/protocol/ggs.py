"""What GGS, the Generic Game Server, sends: its text cut into frames, and each frame read as typed messages.

A message is a line that tells what it is, and lines below it that begin with a bar. `READY` ends a frame. Text that
cannot be read becomes `Unknown`, and a board that cannot be read `Damaged`: nothing here raises.

Sources: a public recorded session (neural-reversi, crates/cli/tests/fixtures/ggs), the code of the server (Service/
GameLib), the comments of Chris Welty's ODK, and what the clients of Edax and Egaroucid read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from othello_bot.base.clocks import TimeControl
from othello_bot.base.notation import NotationError, parse_decimal
from othello_bot.protocol.ggs_values import (
    BoardText,
    Damaged,
    MatchType,
    parse_clock,
    parse_match_type,
    read_board,
)

SERVICE: Final = "/os"
LONGEST_LINE: Final = 1 << 15
"""Most bytes of a line that are read: a match of the archive is one line."""

MOST_LINES: Final = 2000
"""Most lines of a frame; a longer one ends there."""

_PROMPTS: Final = (": Enter login", ": Enter your password")
_WHOLE_PROMPTS: Final = (b": Enter login (yours, or one you'd like to use).", b": Enter your password.")
_ENDS: Final = ("READY", "ALERT")
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]{0,16}[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
_INTERPRET: Final = 255
"""The byte that begins a command of telnet."""

Frame: TypeAlias = tuple[str, ...]
"""The lines of one frame, without the READY that ends it."""


class FrameReader:
    """Cuts the bytes of the server into frames, however they arrive."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._lines: list[str] = []
        self._telnet = b""

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames that these bytes complete. A prompt is a frame of its own, and needs no line end."""
        frames: list[Frame] = []
        *lines, rest = self._without_telnet(data).split(b"\n")
        for line in lines:
            self._keep(line)
            self._take(bytes(self._pending), frames)
            self._pending.clear()
        self._keep(rest)
        if bytes(self._pending).lstrip(b"\r") in _WHOLE_PROMPTS:
            self._take(bytes(self._pending), frames)
            self._pending.clear()
        return frames

    def _keep(self, part: bytes) -> None:
        self._pending += part[: max(0, LONGEST_LINE - len(self._pending))]

    def _take(self, line: bytes, frames: list[Frame]) -> None:
        text = _ESCAPES.sub("", line.decode("utf-8", "replace")).rstrip()
        if text:
            is_end = text in _ENDS
            if not is_end:
                self._lines.append(text)
            if is_end or text.startswith(_PROMPTS) or len(self._lines) >= MOST_LINES:
                if self._lines:
                    frames.append(tuple(self._lines))
                self._lines = []

    def _without_telnet(self, data: bytes) -> bytes:
        """Return the text without commands of telnet, which may be cut; options are refused by silence."""
        if not self._telnet and _INTERPRET not in data:
            return data
        kept = bytearray()
        command = bytearray(self._telnet)
        for byte in data:
            if command:
                command.append(byte)
                if _is_complete(command):
                    command.clear()
            elif byte == _INTERPRET:
                command.append(byte)
            else:
                kept.append(byte)
        self._telnet = bytes(command)
        return bytes(kept)


def _is_complete(command: bytearray) -> bool:
    """Return whether a command of telnet has ended: two bytes, three for options, or a subnegotiation."""
    if command[1] == 250:
        return (len(command) > 3 and command[-2:] == b"\xff\xf0") or len(command) > LONGEST_LINE
    return len(command) == (3 if 251 <= command[1] <= 254 else 2)


@dataclass(frozen=True, slots=True)
class LoginPrompt:
    """The server asks for the login."""


@dataclass(frozen=True, slots=True)
class PasswordPrompt:
    """The server asks for the password."""


@dataclass(frozen=True, slots=True)
class ServiceChange:
    """The Othello service has come, or gone."""

    is_up: bool


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A proposed match, which is `offered` or withdrawn; `challenged` is "" for anybody.

    `rated` is also true for matches of a tournament. `clock` is that of the challenger, `own_clock` that of the other
    player. `stored` names the match that would go on.
    """

    id: str
    offered: bool
    challenger: str
    rating: float
    clock: TimeControl
    type: MatchType
    rated: bool
    challenged: str = ""
    own_clock: TimeControl | None = None
    stored: str = ""


@dataclass(frozen=True, slots=True)
class RequestGone:
    """A request that no longer counts and cannot be read further."""

    id: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match began between two players, the one who asked first."""

    id: str
    players: tuple[str, str]
    ratings: tuple[float, float]
    type: MatchType
    rated: bool


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match ended. `result` is in discs from the view of the first player, None without one.

    `left` names the player who left, and `stored` the match in the archive, from which it may go on. What cannot be
    read is empty, so that the end of a match is never missed.
    """

    id: str
    players: tuple[str, str]
    type: MatchType
    rated: bool
    result: float | None
    aborted: bool = False
    left: str = ""
    stored: str = ""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """One game of a synchro match ended; `result` is from the view of the first player, None without one."""

    id: str
    players: tuple[str, str]
    result: float | None


@dataclass(frozen=True, slots=True)
class Asking:
    """A player asks to `abort` a game or to `undo` a move."""

    what: str
    game: str
    player: str


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A player's flag fell; if he may, he plays on in the extension and loses by little at least."""

    game: str
    player: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The service refused a command. `about` is the game, or the name of the command."""

    about: str
    reason: str


@dataclass(frozen=True, slots=True)
class Said:
    """A message: to us, in a channel (".chat") or beside a game (".5")."""

    player: str
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """Archived matches of a player: those that were `stored`, or the history; each a number, two names and a type."""

    what: str
    player: str
    matches: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class StoredNotice:
    """A player is here with whom there is a stored match."""

    player: str


@dataclass(frozen=True, slots=True)
class Looked:
    """The answer to ``look``: the games of a match in GGF."""

    ggf: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any other text."""

    lines: tuple[str, ...]


Message: TypeAlias = (
    LoginPrompt
    | PasswordPrompt
    | ServiceChange
    | MatchRequest
    | RequestGone
    | MatchStarted
    | MatchEnded
    | GameEnded
    | Asking
    | TimedOut
    | Refused
    | Said
    | Listed
    | StoredNotice
    | Looked
    | BoardText
    | Damaged
    | Unknown
)

_HEAD: Final = re.compile(r":|/\w{1,8}:|\.\S{1,32} \S{1,16}: |[A-Za-z]\S{0,7}: ", re.ASCII)
_OPEN_TEXT: Final = re.compile(r": (?:help|who|finger)\b")
"""Answers of the central server whose lines have no bar."""


def parse_frame(frame: Sequence[str]) -> list[Message]:
    """Return the messages of a frame, in order."""
    return [_read(lines) for lines in _split(frame)]


def _split(frame: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of each message."""
    message: list[str] = []
    for line in frame:
        within = bool(message) and bool(_OPEN_TEXT.match(message[0])) and not line.startswith((":", "/os:"))
        if message and not line.startswith("|") and not within and (_HEAD.match(line) or not message):
            yield message
            message = []
        message.append(line)
    if message:
        yield message


def _read(lines: list[str]) -> Message:
    head = lines[0]
    if head.startswith(_PROMPTS):
        return LoginPrompt() if head.startswith(_PROMPTS[0]) else PasswordPrompt()
    if head.startswith(f"{SERVICE}:"):
        return _read_service(" ".join(head[len(SERVICE) + 1 :].split()), lines)
    if head.startswith((": + /os", ": - /os")):
        return ServiceChange(head[2] == "+")
    said = _SAID.fullmatch(head)
    if said is not None:
        text = " ".join((said[3], *(line[1:] for line in lines[1:] if line.startswith("|"))))
        return Said(said[2], text.strip(), said[1] or "")
    return Unknown(tuple(lines))


def _read_service(head: str, lines: list[str]) -> Message:
    """Return a message of the Othello service. `head` is its first line without its name."""
    words = head.split()
    if words[:1] in (["join"], ["update"]):
        return read_board(words, lines[1:])
    for pattern, make in _FORMS:
        match = pattern.fullmatch(head)
        if match is not None:
            try:
                return make(match, lines[1:])
            except NotationError:
                break
    ended = _MATCH_GONE.match(head)
    if ended is not None:
        return MatchEnded(ended[1], ("", ""), MatchType(), False, None)
    gone = _GONE.match(head)
    return RequestGone(gone[1]) if gone is not None else Unknown(tuple(lines))


def _request(match: re.Match[str], rest: list[str]) -> Message:
    clock = parse_clock(match["clock"])
    own = None if match["own"] is None else parse_clock(match["own"])
    challenged = "" if match["challenged"] in (None, "*") else match["challenged"]
    return MatchRequest(
        match["id"],
        match["sign"] == "+",
        match["challenger"],
        parse_decimal(match["rating"]),
        clock,
        parse_match_type(match["type"]),
        match["rated"] != "U",
        challenged,
        own,
        match["stored"] or "",
    )


def _started(match: re.Match[str], rest: list[str]) -> Message:
    ratings = (parse_decimal(match["rating"]), parse_decimal(match["rating2"]))
    kind = parse_match_type(match["type"])
    return MatchStarted(match["id"], (match["name"], match["name2"]), ratings, kind, match["rated"] != "U")


def _ended(match: re.Match[str], rest: list[str]) -> Message:
    result = None if match["result"] is None else parse_decimal(match["result"])
    return MatchEnded(
        match["id"],
        (match["name"], match["name2"]),
        parse_match_type(match["type"]),
        match["rated"] != "U",
        result,
        match["aborted"] is not None,
        match["left"] or "",
        match["stored"] or "",
    )


def _game_ended(match: re.Match[str], rest: list[str]) -> Message:
    number = re.fullmatch(_NUMBER, match["result"])
    return GameEnded(
        match["id"], (match["name"], match["name2"]), None if number is None else parse_decimal(match["result"])
    )


def _listed(match: re.Match[str], rest: list[str]) -> Message:
    rows = (_ROW.fullmatch(line) for line in rest)
    found = tuple((row["id"], row["name"], row["name2"], row["type"]) for row in rows if row is not None)
    return Listed(match[1], match[2], found)


_NUMBER: Final = r"[+-]?\d{1,6}(?:\.\d{1,6})?"
_ID: Final = r"\.\d{1,9}(?:\.\d)?"
_SAID: Final = re.compile(r"(?:(\.\S{1,32}) )?([A-Za-z]\S{0,15}): (.*)", re.ASCII)
_GONE: Final = re.compile(rf"- ({_ID})\b")
_MATCH_GONE: Final = re.compile(rf"- match ({_ID})\b")
_PAIR: Final = rf"(?P<rating>{_NUMBER}) (?P<name>\S+) (?P<rating2>{_NUMBER}) (?P<name2>\S+) (?P<type>\S+) (?P<rated>\S)"
_ROW: Final = re.compile(
    rf"\|\s*(?P<id>{_ID})\s+\d+ \w+ \d+ [\d:]+\s+(?:{_NUMBER}\s+)?(?P<name>\S+)\s+(?:{_NUMBER}\s+)?(?P<name2>\S+)\s+"
    rf"(?:{_NUMBER}\s+)?(?P<type>\S+)\s*"
)
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], list[str]], Message]], ...]] = (
    (
        re.compile(
            rf"(?P<sign>[+-]) (?P<id>{_ID}) (?P<rating>{_NUMBER}) (?P<challenger>\S+) (?P<clock>\S+) (?P<type>\S+) "
            rf"(?P<rated>[A-Z])(?: (?P<rating2>{_NUMBER}))?(?: (?P<challenged>[^\s.]\S*))?"
            rf"(?: (?P<own>[\d:,N]+/\S*))?(?: (?P<stored>{_ID}))?"
        ),
        _request,
    ),
    (re.compile(rf"\+ match (?P<id>{_ID}) {_PAIR}"), _started),
    (
        re.compile(
            rf"- match (?P<id>{_ID}) {_PAIR}(?: (?P<result>{_NUMBER})(?:\s?:\w)?)?(?: (?P<aborted>aborted))?"
            rf"(?: (?P<left>\S+) left)?(?: (?P<stored>{_ID}))?"
        ),
        _ended,
    ),
    (re.compile(rf"end (?P<id>{_ID}) \( (?P<name>\S+) vs\. (?P<name2>\S+) \) (?P<result>.*)"), _game_ended),
    (re.compile(rf"(abort|undo) ({_ID}) (\S+) is asking"), lambda match, rest: Asking(match[1], match[2], match[3])),
    (re.compile(rf"(?:fatal-)?timeout ({_ID}) (\S+)(?: .*)?"), lambda match, rest: TimedOut(match[1], match[2])),
    (re.compile(r"error (\S+) ?(.*)"), lambda match, rest: Refused(match[1], match[2])),
    (re.compile(r"(\w+)(?: [+-])? ERR:? ?(.*)"), lambda match, rest: Refused(match[1], match[2])),
    (re.compile(rf"({_ID}) [AOP] \S+ (\S+): ?(.*)"), lambda match, rest: Said(match[2], match[3], match[1])),
    (re.compile(r"(stored|history) \d+ (\S+)"), _listed),
    (re.compile(r"\+ (\S+) stored"), lambda match, rest: StoredNotice(match[1])),
    (re.compile(r"look"), lambda match, rest: Looked("\n".join(line[1:] for line in rest))),
)
