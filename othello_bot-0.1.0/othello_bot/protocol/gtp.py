"""The GTP 2 grammar (Gunnar Farnebäck, gtp2-spec draft 2, 2002) with the practice of Othello programs.

One line in, one ``Command`` out; a result in, one framed reply out. For a controller, ``ReplyReader`` assembles an
engine's lines to replies. Output is strict, input is tolerant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from othello_bot.base import notation
from othello_bot.base.errors import ProtocolError, shown
from othello_bot.base.notation import PASS, Color, NotationError, OutOfRange
from othello_bot.base.visible import visible
from othello_bot.protocol.wire import InputLine, strip_comment

# Standard error texts: GTP 2, and what Edax and gogui-twogtp expect for the rest.
UNKNOWN_COMMAND: Final = "unknown command"
SYNTAX_ERROR: Final = "syntax error"
UNACCEPTABLE_SIZE: Final = "unacceptable size"
CANNOT_LOAD_FILE: Final = "cannot load file"
CANNOT_SAVE_FILE: Final = "cannot save file"
CANNOT_SCORE: Final = "cannot score"

PROTOCOL_VERSION: Final = "2"
"""Exactly ``2``: GoGui expects an integer and rejects ``2.0``."""

INTERRUPT_COMMENT: Final = "# interrupt"
"""The comment line with which GoGui asks a busy engine to stop."""

_STANDARD_VERBS: Final = """
    protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo
    fixed_handicap place_free_handicap set_free_handicap time_settings time_left final_score final_status_list
    loadsgf reg_genmove showboard list_games set_game cputime
"""

STANDARD_COMMANDS: Final = frozenset(_STANDARD_VERBS.split())
"""The verbs of the specification, and others that Othello hosts send."""

_T = TypeVar("_T")

_ID: Final = re.compile(r"[0-9]{1,20}")


class GtpError(ProtocolError):
    """A refused command; ``message`` is the text of the ``?`` reply.

    Attributes:
        message: a standard error text, usually followed by the reason.
        id: the command's id if it could be read.
    """

    def __init__(self, message: str, offending: str = "", expected: str = "", identity: str | None = None) -> None:
        super().__init__(offending, expected)
        self.message = message
        self.id = identity
        self.args = (message,)


def error_text(standard: str, reason: str = "") -> str:
    """Return ``standard: reason``, or the standard text alone without a reason."""
    return f"{standard}: {reason}" if reason else standard


def syntax_error(error: ProtocolError | str) -> GtpError:
    """Return the GTP error for an unreadable argument; a number out of range is not a syntax error."""
    if isinstance(error, OutOfRange):
        return GtpError(str(error), error.value, error.expected)
    if isinstance(error, str):
        return GtpError(error_text(SYNTAX_ERROR, error))
    return GtpError(error_text(SYNTAX_ERROR, str(error)), error.value, error.expected)


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        name: the verb in lower case.
        arguments: the words after it, as written.
        id: the digits before it, exactly as written, or None; a reply repeats them.
        text: everything after the verb in one piece, for arguments with spaces (file names, games).
    """

    name: str
    arguments: tuple[str, ...] = ()
    id: str | None = None
    text: str = ""

    def expect(self, least: int, most: int | None = None, usage: str = "") -> tuple[str, ...]:
        """Return the arguments if there are ``least`` to ``most`` of them (exactly ``least`` without ``most``).

        Raise GtpError ``syntax error``; never ``unknown command``, which has another meaning.
        """
        most = least if most is None else most
        if least <= len(self.arguments) <= most:
            return self.arguments
        wanted = "no" if not most else f"{least}" if least == most else f"{least} to {most}"
        reason = f"{self.name} takes {wanted} argument{'' if wanted == '1' else 's'}, got {len(self.arguments)}"
        raise syntax_error(f"{reason} (usage: {usage})" if usage else reason)


def parse(line: str) -> Command | None:
    """Return the command of a cleaned line, or None for one without an answer: an empty line, white space, a comment.

    Raise GtpError for an id without a command.
    """
    words = strip_comment(line).split(maxsplit=1)
    identity = None
    if words and _ID.fullmatch(words[0]):
        identity = words[0]
        words = words[1].split(maxsplit=1) if len(words) > 1 else []
        if not words:
            raise GtpError(error_text(SYNTAX_ERROR, "an id without a command"), line, "a command", identity)
    if not words:
        return None
    text = words[1] if len(words) > 1 else ""
    return Command(words[0].lower(), tuple(text.split()), identity, text)


def parse_line(line: InputLine) -> Command | None:
    """Return the command of an input line, as ``parse`` does. Raise GtpError also for an overlong line."""
    if not line.overlong:
        return parse(line.text)
    head = line.text.split(maxsplit=1)
    identity = head[0] if head and _ID.fullmatch(head[0]) else None
    reason = f"a line of {line.length} bytes is too long"
    raise GtpError(error_text(SYNTAX_ERROR, reason), line.text, "a shorter line", identity)


def is_interrupt(line: str) -> bool:
    """Return whether the line is GoGui's ``# interrupt``."""
    return line.split() == INTERRUPT_COMMENT.split()


# -- replies ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply: success or failure, the id it answers, and its text without framing (lines separated by a line feed)."""

    ok: bool
    text: str = ""
    id: str | None = None


def format_reply(reply: Reply) -> str:
    """Return the reply with sign, id and closing empty line.

    The text never contains an empty line (which would end the reply); its lines are made visible. A text that begins
    with a line feed begins on the second line, as a drawn board should.
    """
    first, *rest = [_body_line(line) for line in reply.text.split("\n")]
    lines = [first.lstrip(), *(line for line in rest if line)]
    if lines == [""] and reply.id is None:
        return ("=" if reply.ok else "?") + "\n\n"
    return _head(reply.ok, reply.id) + "\n".join([*lines, "", ""])


def success(text: str = "", identity: str | None = None) -> str:
    """Return a framed success reply."""
    return format_reply(Reply(True, text, identity))


def failure(message: str, identity: str | None = None) -> str:
    """Return a framed failure reply."""
    return format_reply(Reply(False, message, identity))


def open_stream(identity: str | None = None) -> str:
    """Return the first line of a reply whose lines follow individually (``lz-analyze``); ``close_stream`` ends it."""
    return _head(True, identity) + "\n"


def stream_line(text: str) -> str:
    """Return one line of an open reply, with its line feed; an empty text for an empty line, which would end the reply."""
    body = _body_line(text.replace("\n", " "))
    return body + "\n" if body else ""


def close_stream() -> str:
    """Return the end of an open reply."""
    return "\n"


def _head(ok: bool, identity: str | None) -> str:
    """Return sign and id followed by a space, even if the text begins on the next line or is empty.

    GoGui 1.6 takes as the text what follows the first space of the whole reply (``GtpClient.readResponse``): without
    this space it loses the first word or row, and takes an id for the text. The only reply without it is a bare ``=``,
    which neural-reversi's match runner compares as a whole.
    """
    return f"{'=' if ok else '?'}{identity or ''} "


def _body_line(line: str) -> str:
    return visible(line).rstrip()


class ReplyReader:
    """Assembles an engine's lines to replies in the form that a controller needs (as GoGui does).

    Outside a reply, every line that does not begin with ``=`` or ``?`` is noise: it is returned as such, and a tolerant
    controller ignores it. A space between sign and id, as Edax writes it, is accepted if an id is expected.
    """

    def __init__(self) -> None:
        self._lines: list[str] | None = None

    @property
    def inside(self) -> bool:
        """Whether a reply has begun and not yet ended."""
        return self._lines is not None

    def begin(self, line: str) -> bool:
        """Process a line outside of a reply; return whether it begins one."""
        if line[:1] in ("=", "?"):
            self._lines = [line]
            return True
        return False

    def feed(self, line: str) -> Reply | None:
        """Process a line and return the reply that it completes, if any."""
        if self._lines is None:
            self.begin(line)
            return None
        if line.strip():
            self._lines.append(line)
            return None
        reply, self._lines = parse_reply(self._lines), None
        return reply


def parse_reply(lines: Sequence[str]) -> Reply:
    """Return the reply in these lines (without the closing empty one). Raise GtpError."""
    if not lines or lines[0][:1] not in ("=", "?"):
        raise GtpError("invalid reply", lines[0] if lines else "", "a line that begins with = or ?")
    head = lines[0][1:]
    digits = _ID.match(head)
    # "=12 d6" has an id; "= 12" is the text 12; "=d6" (seen in the wild) is a text.
    identity = digits.group() if digits and (digits.end() == len(head) or head[digits.end()].isspace()) else None
    first = head[len(identity) :] if identity else head
    return Reply(lines[0][0] == "=", "\n".join([first.strip(), *(line.rstrip() for line in lines[1:])]), identity)


# -- arguments --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play:
    """The moves of a ``play`` command, for a colour or for the side to move (``color`` None), all or nothing."""

    color: Color | None
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ColoredMove:
    """One move with its colour, as ``gogui-play_sequence`` and ``set_position`` list them."""

    color: Color
    move: int


def parse_color(text: str) -> Color:
    """Return the colour. Raise GtpError."""
    return _or_syntax_error(notation.parse_color, text)


def parse_vertex(text: str) -> int:
    """Return the move: ``F5``, ``f5``, ``pass``, ``PA``, ``ps`` or ``--``. Raise GtpError."""
    return _or_syntax_error(notation.parse_move, text)


def parse_play(arguments: Sequence[str]) -> Play:
    """Return the moves in ``play``'s arguments: ``[colour] move`` or ``[colour] transcript``.

    A colour alone is a pass (Sabaki sends that). Raise GtpError.
    """
    if not arguments:
        raise syntax_error("play takes a colour and a move, got nothing")
    color = notation.parse_color(arguments[0]) if notation.is_color(arguments[0]) else None
    words = arguments[1:] if color is not None else arguments
    if not words:
        return Play(color, (PASS,))
    if len(words) == 1 and notation.is_move(words[0]):
        return Play(color, (notation.parse_move(words[0]),))
    moves = _or_syntax_error(notation.parse_transcript, " ".join(words))
    if not moves:
        raise syntax_error(f"expected moves, got {shown(' '.join(words))}")
    return Play(color, moves)


def parse_optional_color(arguments: Sequence[str]) -> Color | None:
    """Return the colour of ``genmove [colour]``, None without one. Raise GtpError."""
    if len(arguments) > 1:
        raise syntax_error(f"expected at most a colour, got {len(arguments)} arguments")
    return parse_color(arguments[0]) if arguments else None


def parse_colored_moves(arguments: Sequence[str]) -> tuple[ColoredMove, ...]:
    """Return the moves of ``gogui-play_sequence b f5 w d6 ...`` or ``set_position``. Raise GtpError."""
    if len(arguments) % 2:
        raise syntax_error(f"expected pairs of colour and move, got {len(arguments)} arguments")
    pairs = zip(arguments[::2], arguments[1::2], strict=True)
    return tuple(ColoredMove(parse_color(color), parse_vertex(move)) for color, move in pairs)


def parse_integer(text: str, low: int | None = None, high: int | None = None) -> int:
    """Return the integer within the range. Raise GtpError."""
    return _or_syntax_error(lambda word: notation.parse_integer(word, low, high), text)


def parse_decimal(text: str, low: float | None = None, high: float | None = None) -> float:
    """Return the number within the range. Raise GtpError."""
    return _or_syntax_error(lambda word: notation.parse_decimal(word, low, high), text)


def parse_boolean(text: str) -> bool:
    """Return the value of ``true`` or ``false`` (also on, off, yes, no, 1, 0). Raise GtpError."""
    return _or_syntax_error(notation.parse_boolean, text)


def format_score(black_score: int) -> str:
    """Return ``final_score``'s text, ``B+12``, ``W+4`` or ``0``, from the score in discs from black's view."""
    return "0" if not black_score else f"{'B' if black_score > 0 else 'W'}+{abs(black_score)}"


def _or_syntax_error(parser: Callable[[str], _T], text: str) -> _T:
    try:
        return parser(text)
    except NotationError as error:
        raise syntax_error(error) from None
