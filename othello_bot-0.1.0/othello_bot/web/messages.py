"""The messages of a tab as JSON text in, checked values out. docs/development/page.md lists them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from othello_bot.base.clocks import ClockState
from othello_bot.base.errors import InputError
from othello_bot.base.notation import integer_of, number_of
from othello_bot.engine import CHAMPION, MAXIMUM_LEVEL, MEAN_RATING
from othello_bot.rules import Game, Position

LARGEST_ID: Final = 2**31
HIGHEST_RATING: Final = 9999
LARGEST_SECONDS: Final = 1e6
LONGEST_MOVES: Final = 512
"""Characters of a game's moves; a game needs half of it."""
LONGEST_NAME: Final = 80
MOST_PLAYED: Final = 5000
MOST_ON_PAGE: Final = 50
"""Games of a base: the last that can be listed, and those of one reply."""


class MessageError(InputError):
    """An invalid message; the message says what would be accepted."""


@dataclass(frozen=True, slots=True)
class Question:
    """Base of all messages: `id` is repeated in the replies, `game` is the game so far."""

    id: int
    game: Game


@dataclass(frozen=True, slots=True)
class AskMove(Question):
    """Choose a move: the engine at a `strength`, or a textbook `strategy`; `seed` is that of the whole game."""

    strength: int
    strategy: str
    seed: int
    clock: ClockState | None


@dataclass(frozen=True, slots=True)
class AskValues(Question):
    """Search all legal moves, to the end of a level, or without end."""

    level: int
    infinite: bool


@dataclass(frozen=True, slots=True)
class AskReview(Question):
    """Judge the moves of the game from `first_ply` (0 is the first) on, at a level."""

    first_ply: int
    level: int


@dataclass(frozen=True, slots=True)
class AskOpening(Question):
    """Name the opening, and the book's moves in the position."""


@dataclass(frozen=True, slots=True)
class AskPeople(Question):
    """Tell what people of a rating play in the position."""

    rating: int


PLAYED_FILTERS: Final = ("years", "rating", "player", "color", "opponent", "event", "result", "between")
"""The filters of played games, those of `explore` but for a list of programs, which is a file of the server's."""


@dataclass(frozen=True, slots=True)
class AskPlayed(Question):
    """Tell what was played in the position, in games that `filters` choose, and some games from the index `first` on."""

    filters: dict[str, str]
    order: str
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class AskText(Question):
    """Write the game in a format, with what is known about it."""

    format: str
    black: str
    white: str
    ending: str
    loser: str
    date: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End the work for the message `id`."""

    id: int


def parse(text: str | bytes) -> Question | Stop:
    """Return the message that a text holds; raise MessageError, FormatError, IllegalMove or PositionError."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError("message", _short(text), "a JSON object in UTF-8") from None
    if not isinstance(content, dict):
        raise MessageError("message", _short(text), "a JSON object")
    fields = _Fields(content)
    kind = fields.text("do", 20)
    if kind not in _PARSERS:
        raise MessageError("do", kind, f"one of {', '.join(_PARSERS)}")
    return _PARSERS[kind](fields)


def id_of(text: str | bytes) -> int | None:
    """Return the id of a message that may be invalid, for the error's reply; None without one."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    number = content.get("id") if isinstance(content, dict) else None
    return integer_of(number, 0, LARGEST_ID)


class _Fields:
    """The fields of a message with checks of type and range."""

    def __init__(self, content: dict[str, Any]) -> None:
        self._content = content

    def whole(self, name: str, lowest: int, highest: int, default: int | None = None) -> int:
        """Return a whole number."""
        value = self._content.get(name, default)
        number = integer_of(value, lowest, highest)
        if number is None:
            raise MessageError(name, _short(value), f"a whole number from {lowest} to {highest}")
        return number

    def seconds(self, name: str, content: dict[str, Any]) -> float:
        """Return a number of seconds in an inner object."""
        value = content.get(name, 0)
        seconds = number_of(value, 0, LARGEST_SECONDS)
        if seconds is None:
            raise MessageError(name, _short(value), f"seconds from 0 to {LARGEST_SECONDS:.0f}")
        return seconds

    def text(self, name: str, longest: int, default: str = "") -> str:
        """Return a text without control characters."""
        value = self._content.get(name, default)
        if not isinstance(value, str) or len(value) > longest or not (value.isprintable() or not value):
            raise MessageError(name, _short(value), f"a text of at most {longest} printable characters")
        return value

    def switch(self, name: str) -> bool:
        """Return a truth value, false if absent."""
        value = self._content.get(name, False)
        if not isinstance(value, bool):
            raise MessageError(name, _short(value), "true or false")
        return value

    def game(self) -> Game:
        """Return the game: `start` is a board with a side to move, or empty for the usual start."""
        start = self.text("start", 80)
        game = Game(Position.parse(start) if start else None)
        game.play_transcript(self.text("moves", LONGEST_MOVES))
        return game

    def clock(self) -> ClockState | None:
        """Return the clock of the side to move."""
        value = self._content.get("clock")
        if value is None:
            return None
        if not isinstance(value, dict):
            raise MessageError("clock", _short(value), "an object with left_s and increment_s, or null")
        return ClockState(self.seconds("left_s", value), self.seconds("increment_s", value))

    def id(self) -> int:
        """Return the number of the message."""
        return self.whole("id", 0, LARGEST_ID)

    def level(self) -> int:
        """Return a level of the engine."""
        return self.whole("level", 0, MAXIMUM_LEVEL)


def _move(fields: _Fields) -> AskMove:
    return AskMove(
        fields.id(),
        fields.game(),
        fields.whole("strength", 1, CHAMPION, CHAMPION),
        fields.text("strategy", LONGEST_NAME),
        fields.whole("seed", 0, 2**31 - 1, 0),
        fields.clock(),
    )


def _values(fields: _Fields) -> AskValues:
    return AskValues(fields.id(), fields.game(), fields.level(), fields.switch("infinite"))


def _review(fields: _Fields) -> AskReview:
    game = fields.game()
    return AskReview(fields.id(), game, fields.whole("first_ply", 0, game.ply, 0), fields.level())


def _opening(fields: _Fields) -> AskOpening:
    return AskOpening(fields.id(), fields.game())


def _people(fields: _Fields) -> AskPeople:
    return AskPeople(fields.id(), fields.game(), fields.whole("rating", 1, HIGHEST_RATING, MEAN_RATING))


def _played(fields: _Fields) -> AskPlayed:
    given = {name: fields.text(name, LONGEST_NAME) for name in PLAYED_FILTERS}
    filters = {name: value for name, value in given.items() if value}
    order = fields.text("order", LONGEST_NAME, "newest")
    first, count = fields.whole("first", 0, MOST_PLAYED, 0), fields.whole("count", 0, MOST_ON_PAGE, 0)
    return AskPlayed(fields.id(), fields.game(), filters, order, first, count)


def _text(fields: _Fields) -> AskText:
    names = (fields.text(name, LONGEST_NAME) for name in ("format", "black", "white", "ending", "loser", "date"))
    return AskText(fields.id(), fields.game(), *names)


def _stop(fields: _Fields) -> Stop:
    return Stop(fields.id())


_PARSERS: Final[dict[str, Callable[[_Fields], Question | Stop]]] = {
    "move": _move,
    "values": _values,
    "review": _review,
    "opening": _opening,
    "people": _people,
    "played": _played,
    "text": _text,
    "stop": _stop,
}


_CONTAINERS: Final[dict[type, str]] = {list: "an array", dict: "an object"}


def _short(value: object) -> str:
    """Return a value for an error message, cut to a readable length; of an array or an object only what it is."""
    # An array may be nested as deep as the parser goes, which is too deep to be written.
    text = value if isinstance(value, str) else _CONTAINERS.get(type(value)) or repr(value)
    return text if len(text) <= 60 else text[:60] + "..."
