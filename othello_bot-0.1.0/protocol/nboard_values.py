"""NBoard 2: values in the messages of both directions and their text: moves with their times, depths, whole games.

The game of ``set game`` is in GGF (skatgame.net/mburo/ggsa/ggf): written for engines, read from controllers. What is
written has only the tags that engines read, including clocks; NBoard's own parser requires TY and the final ``;)`` and
refuses unknown tags. What is read must tell the position: the board and the moves. Everything else is a note, and one
that cannot be read is dropped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.base import notation
from othello_bot.base.boards import parse_board
from othello_bot.base.clocks import LONGEST_S, ClockState, ClockStates, TimeSettings, TimeSystem
from othello_bot.base.errors import ProtocolError, parsed
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import (
    LARGEST_DECIMAL,
    LONGEST_GAME,
    PASS,
    START,
    Board,
    Color,
    format_decimal,
    seconds_of,
)


class NBoardError(ProtocolError):
    """A known message with damaged arguments."""


def annotated(played: EvaluatedMove, time_digits: int = 2) -> str:
    """Return a move with its score and time, as far as they are known: ``F5/1.25/3.20``, ``F5//2.40``, ``F5`` or ``PA``.

    So GGF, NBoard and, in small letters, the Generic Game Server write it.
    """
    score = "" if played.score is None else format_decimal(played.score)
    time = "" if played.time_s is None else format_decimal(max(0.0, played.time_s), time_digits)
    return f"{move_text(played.move)}/{score}/{time}".rstrip("/")


def with_details(move: int, details: Sequence[str]) -> EvaluatedMove:
    """Return a move with the score and the seconds that follow it as texts.

    What is not a number, and a negative time, counts as unknown; whatever follows them is dropped.
    """
    score, time_s = map(read_detail, [*details, "", ""][:2])
    return EvaluatedMove(move, score, time_s=None if time_s is not None and time_s < 0 else time_s)


def parse_annotated(text: str) -> EvaluatedMove:
    """Return the move of ``F5/1.25/3.2``; also accept spaces for slashes (Edax) and letters after the move (``PASS``).

    Only the move must be readable. Raise NBoardError.
    """
    word, *details = text.split("/") if "/" in text else [*text.split(), ""]
    word = word.strip()
    if not re.fullmatch(r"[A-Za-z0-9]{2,8}|--|@@(@@)?", word):
        raise NBoardError(text, "a move like F5/1.25/3.2")
    return with_details(read_move(word[:2]), details)


@dataclass(frozen=True, slots=True)
class Depth:
    """The depth of a search: plies, or percent of a solve.

    NBoard takes every ``%`` for a probable solve, so a selective midgame search reports only its plies.

    Attributes:
        number: plies, or percent with ``solve``.
        solve: the number is the confidence of an endgame solve, 100 means proven.
        wld: only win, draw or loss was solved.
    """

    number: int
    solve: bool = False
    wld: bool = False

    @property
    def exact(self) -> bool:
        """Whether the score is proven to the disc."""
        return self.solve and self.number == 100 and not self.wld

    def __str__(self) -> str:
        """Return ``14``, ``98%``, ``100%`` or ``100%W``."""
        return f"{self.number}{'%' if self.solve else ''}{'W' if self.solve and self.wld else ''}"


def parse_depth(text: str) -> Depth:
    """Return the depth; any text may follow the number, and one that contains ``%`` marks a solve.

    ``14@73%`` is read as the 14 plies that its author meant. Raise NBoardError.
    """
    match = re.match(r"([0-9]{1,9})(.*)", text, re.ASCII | re.DOTALL)
    if match is None:
        raise NBoardError(text, "a depth that begins with an integer")
    solve = match[2].startswith("%")
    return Depth(int(match[1]), solve, solve and match[2].upper().startswith("%W"))


def split_verb(text: str) -> tuple[str, str]:
    """Return the first word and the rest."""
    words = text.split(maxsplit=1)
    return (words[0] if words else "", words[1].strip() if len(words) > 1 else "")


def first_words(text: str, count: int, usage: str) -> list[str]:
    """Return the first `count` words. Raise NBoardError, with the usage, if there are fewer."""
    words = text.split()
    if len(words) < count:
        raise NBoardError(text, usage)
    return words[:count]


def move_text(move: int) -> str:
    """Return ``F5`` or ``PA``."""
    return "PA" if move == PASS else notation.move_name(move).upper()


def read_move(text: str) -> int:
    """Return the move. Raise NBoardError."""
    return parsed(notation.parse_move, text, NBoardError)


def read_integer(text: str) -> int:
    """Return the integer. Raise NBoardError."""
    return parsed(notation.parse_integer, text, NBoardError)


# A Java program writes numbers in the language of the desktop: decimal commas, the digits, signs and direction marks of
# other scripts. It also writes all digits of a double.
_PLAIN: Final = str.maketrans({",": ".", "\u066b": ".", "\u2212": "-", **dict.fromkeys("\u061c\u200e\u200f")})
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?")


def read_number(text: str) -> float:
    """Return the number, which may have any digits and a decimal point or comma. Raise NBoardError."""
    plain = text.translate(_PLAIN)
    if not _NUMBER.fullmatch(plain) or abs(number := float(plain)) > LARGEST_DECIMAL:
        raise NBoardError(text, "a number")
    return number


def read_detail(text: str) -> float | None:
    """Return the number, None for text that is not one: a note that cannot be read never costs a game."""
    try:
        return read_number(text.strip())
    except NBoardError:
        return None


def read_evaluation(text: str) -> float:
    """Return the evaluation in discs, or NaN if an engine has none. Raise NBoardError."""
    return math.nan if text.lower() == "nan" else read_number(text)


def evaluation_text(evaluation: float) -> str:
    """Return the discs with two decimals, or ``NaN``."""
    return "NaN" if math.isnan(evaluation) else format_decimal(evaluation)


def one_word(name: str) -> str:
    """Return ``name`` in a form that NBoard can read: one word of letters and digits."""
    return re.sub(r"[^A-Za-z0-9]", "", name) or "engine"


# -- the game of `set game` -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SentGame:
    """The game that a controller has sent.

    Attributes:
        start: the board before the first move.
        moves: the moves with their players, in order. A pass may be omitted; only the rules can tell.
        clocks: the time controls of Black and White; None: no limit.
    """

    start: Board
    moves: tuple[tuple[Color, EvaluatedMove], ...]
    clocks: tuple[TimeSettings | None, TimeSettings | None] = (None, None)


_TAG: Final = re.compile(r"([A-Za-z]{1,16})\s*\[")
_VARIANT: Final = re.compile(r"[a-z]*(?P<size>\d{1,3})[a-z0-9]*", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(?:(?:(?:(\d{1,9})\.)?(\d{1,9}):)?(\d{1,9}):)?([^:]+)")
_CLOCK_TAGS: Final = {
    "TI": (Color.BLACK, Color.WHITE),
    **dict.fromkeys(("TB", "BT"), (Color.BLACK,)),
    **dict.fromkeys(("TW", "WT"), (Color.WHITE,)),
}
"""The clocks of both players or of one, whose tag NBoard's own server writes the other way round."""


def parse_game(text: str) -> SentGame:
    """Return the game of ``set game``. Raise NBoardError for a text that does not tell a position of 8x8 Othello.

    Whether the moves are legal is for the rules to say.
    """
    start = START
    moves: list[tuple[Color, EvaluatedMove]] = []
    clocks: dict[Color, TimeSettings] = {}
    for name, value in _tags(text):
        if name in ("B", "W"):
            moves.append((Color.BLACK if name == "B" else Color.WHITE, parse_annotated(value)))
            if len(moves) > LONGEST_GAME:
                raise NBoardError(text, f"at most {LONGEST_GAME} moves")
        elif name == "BO":
            start = _board(value)
        elif name in _CLOCK_TAGS:
            setting = _clock(value)
            clocks |= {} if setting is None else dict.fromkeys(_CLOCK_TAGS[name], setting)
        elif name == "GM" and value.lower() not in ("othello", "reversi"):
            raise NBoardError(value, "the game Othello")
        elif name == "TY":
            _check_variant(value)
    return SentGame(start, tuple(moves), (clocks.get(Color.BLACK), clocks.get(Color.WHITE)))


def _tags(text: str) -> Iterator[tuple[str, str]]:
    """Yield the tags: name in capitals, value. Raise NBoardError unless the text is one whole game."""
    end = text.rfind(")")
    if not text.startswith("(;") or end < 0:
        raise NBoardError(text, "a game in GGF, (;GM[Othello]...;)")
    place = 2
    games = 0
    while (found := _TAG.search(text, place, end)) is not None:
        name = found[1].upper()
        place = text.find("]", found.end(), end)
        games += name == "GM"
        if place < 0 or games > 1:
            raise NBoardError(text[found.start() : end], "one game, and a ] after each value")
        yield name, text[found.end() : place].strip()


def _board(text: str) -> Board:
    size, cells = split_verb(text)
    if size != "8":
        raise NBoardError(text, "a board of size 8")
    return parsed(parse_board, cells, NBoardError)


def _check_variant(text: str) -> None:
    """Raise NBoardError for another board or reversed Othello, like ``10``, ``8a`` or ``s8ar14`` of GGS."""
    variant = _VARIANT.fullmatch(text)
    if variant is not None and (int(variant["size"]) != 8 or "a" in text.lower()):
        raise NBoardError(text, "Othello on 8x8 squares")


def _clock(text: str) -> TimeSettings | None:
    """Return the time control of ``base/increment/grace``; None without a base that can be read."""
    base_s, increment_s = (_seconds(part) for part in [*text.split("/"), ""][:2])
    return TimeSettings(TimeSystem.FISCHER, base_s, increment_s) if base_s else None


def _seconds(text: str) -> float:
    """Return the seconds of ``[[days.]hours:]minutes:seconds``, 0 for anything else.

    GGS writes more after a comma (``05:00,0:1``); digits alone after it are a fraction.
    """
    whole, _, behind = text.partition(",")
    match = _CLOCK.fullmatch((text if behind.strip().isdigit() else whole).strip())
    rest_s = None if match is None else read_detail(match[4])
    if match is None or rest_s is None:
        return 0.0
    return min(max(0.0, seconds_of(*match.groups()[:3], "0") + rest_s), LONGEST_S)


def format_game(
    start: Board,
    moves: Sequence[int],
    clocks: ClockStates | None = None,
    names: tuple[str, str] = ("Black", "White"),
) -> str:
    """Return the GGF text for ``set game``: ``start``, then ``moves`` in alternating colours, including passes.

    GGF holds the clock at the start and the time of each move, in whole seconds and in fractions; both are chosen so
    that an engine that adds them up obtains the current ``clocks`` (black, white). No overtime is granted.
    """
    cells = " ".join(start.cells[row : row + 8] for row in range(0, 64, 8)).replace("X", "*")
    times: dict[int, float] = {}
    tags = ["GM[Othello]PC[NBoard]", f"PB[{one_word(names[0])}]PW[{one_word(names[1])}]RE[?]"]
    if clocks is not None:
        for color, tag, clock in zip(Color, ("TB", "TW"), clocks, strict=True):
            own = range(color ^ start.to_move, len(moves), 2)
            whole_s, over_s = _clock_at_start(clock, len(own))
            tags.append(f"{tag}[{_clock_text(whole_s)}/{_clock_text(int(clock.increment_s))}/0]")
            if own and over_s:
                times[own[-1]] = over_s
    tags.append(f"TY[8]BO[8 {cells} {'*' if start.to_move is Color.BLACK else 'O'}]")
    color = start.to_move
    for ply, move in enumerate(moves):
        tags.append(f"{color.letter.upper()}[{annotated(EvaluatedMove(move, time_s=times.get(ply)), 3)}]")
        color = color.opponent
    return f"(;{''.join(tags)};)"


def _clock_at_start(clock: ClockState, own_moves: int) -> tuple[int, float]:
    """Return the whole seconds at the start, and the seconds that one move must have used of them.

    At least a second, where a move can have used it up: a clock of 0 means none.
    """
    now_s = round(max(0.0, clock.remaining_s), 3) - own_moves * int(clock.increment_s)
    if not own_moves:
        return max(0, int(now_s)), 0.0
    whole_s = max(1, math.ceil(now_s))
    return whole_s, round(whole_s - now_s, 3)


def _clock_text(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"
