"""The policy, declared in a TOML file: what the client accepts, offers and says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color, NotationError, integer_of, number_of
from othello_bot.protocol.ggs import MatchRequest
from othello_bot.protocol.ggs_commands import GgsCommand, ask
from othello_bot.protocol.ggs_values import MatchType, parse_clock, parse_login, parse_match_type, parse_time

KINDS: Final = ("8", "s8", "8r", "s8r")
"""Kinds of matches: plain or synchro, from the usual start or a random one."""

RATED: Final = {"any": None, "rated": True, "unrated": False}
COLORS: Final = {"any": None, "black": Color.BLACK, "white": Color.WHITE}

T = TypeVar("T")


class PolicyError(InputError):
    """A policy that cannot be used; the message names the setting and what it may be."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Which requests are accepted.

    Attributes:
        types: kinds of matches, of KINDS.
        discs: fewest and most discs of a random start.
        clock_s: least and most time for the game of either player, in seconds.
        increment_s: least and most increment.
        rating: lowest and highest rating of the opponent.
        rated: whether matches count for ratings; None for any.
        color: the colour that we play in a match that is not synchro; None for any.
        only: if not empty, nobody else may play.
        never: who may not play.
        matches: most matches at once.
        breaks: a person who left or aborted this many matches within a day has to wait.
        abort_plies: up to this many moves we agree to abort a match.
    """

    types: tuple[str, ...] = KINDS
    discs: tuple[int, int] = (4, 32)
    clock_s: tuple[float, float] = (60.0, 3600.0)
    increment_s: tuple[float, float] = (0.0, 60.0)
    rating: tuple[float, float] = (0.0, 5000.0)
    rated: bool | None = None
    color: Color | None = None
    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    matches: int = 1
    breaks: int = 3
    abort_plies: int = 4


@dataclass(frozen=True, slots=True)
class Offer:
    """A match that we propose whenever we are free, once in `every_s` seconds."""

    type: MatchType
    clock: TimeControl
    opponent: str = ""
    every_s: float = 600.0

    @property
    def command(self) -> GgsCommand:
        """The command that proposes it."""
        return ask(self.type, self.clock, self.opponent)


@dataclass(frozen=True, slots=True)
class Talk:
    """What we say: `help` to anybody who speaks to us; with `scores`, each move is sent with its score, for all to see."""

    help: str = "I am a program. Say score to hear what I think of our game, or propose: tell /os ask s8r18 5:00//2:00"
    scores: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """The whole policy."""

    accept: Acceptance = Acceptance()
    offers: tuple[Offer, ...] = ()
    talk: Talk = Talk()


def kind_of(match_type: MatchType) -> str:
    """Return the kind of a type of match, one of KINDS if its board has 8 rows."""
    return f"{'s' if match_type.synchro else ''}{match_type.size}{'' if match_type.random_discs is None else 'r'}"


def objection(request: MatchRequest, accept: Acceptance, breaks: int) -> str:
    """Return why a request is declined, in words for the challenger; "" if it is accepted.

    `breaks` counts the matches that the challenger has left or aborted within a day.
    """
    kind, name = request.type, request.challenger
    if kind.size != 8 or kind.komi or kind.anti:
        return "I play only 8x8 Othello without komi, and no anti games"
    if name in accept.never or (accept.only and name not in accept.only):
        return "I do not play everybody"
    if breaks >= accept.breaks:
        return "you left or aborted too many games: please ask again tomorrow"
    for refusal, wrong in _conditions(request, accept):
        if wrong:
            return refusal
    return ""


def _conditions(request: MatchRequest, accept: Acceptance) -> Sequence[tuple[str, bool]]:
    """Return the conditions of a match between us, each with whether the request violates it."""
    kind, clocks = request.type, (request.clock, request.own_clock or request.clock)
    discs = kind.random_discs
    ours = None if kind.color is None or kind.synchro else kind.color.opponent
    lowest, highest = accept.rating
    least_s, most_s = accept.clock_s
    return (
        (f"I play these types of matches: {', '.join(accept.types)}", kind_of(kind) not in accept.types),
        (
            f"I play random starts of {accept.discs[0]} to {accept.discs[1]} discs",
            bool(discs) and not accept.discs[0] <= (discs or 0) <= accept.discs[1],
        ),
        ("I play clocks without a number of moves", not all(clock.moves is None for clock in clocks)),
        (
            f"I play games of {_minutes(least_s)} to {_minutes(most_s)} minutes for each side",
            not all(least_s <= clock.main_s <= most_s for clock in clocks),
        ),
        (
            f"I play increments of {accept.increment_s[0]:g} to {accept.increment_s[1]:g} seconds",
            not all(accept.increment_s[0] <= clock.increment_s <= accept.increment_s[1] for clock in clocks),
        ),
        (f"I play opponents rated {lowest:g} to {highest:g}", not lowest <= request.rating <= highest),
        (f"I play {'rated' if accept.rated else 'unrated'} games", accept.rated not in (None, request.rated)),
        (f"I play {'white' if accept.color else 'black'}", ours is not None and accept.color not in (None, ours)),
    )


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.3g}"


def read_policy(settings: Mapping[str, Any]) -> Policy:
    """Return the policy of a TOML file's tables; raise PolicyError for an unknown setting or a value out of range."""
    _known(settings, ("accept", "offer", "talk"), "")
    accept = _table(settings.get("accept", {}), "accept")
    _known(accept, _ACCEPT, "accept.")
    talk = _table(settings.get("talk", {}), "talk")
    _known(talk, [one.name for one in fields(Talk)], "talk.")
    offers = settings.get("offer", [])
    if not isinstance(offers, list):
        raise PolicyError("offer", offers, "[[offer]] tables")
    names = {"clock": "clock_s", "increment": "increment_s"}
    chosen = {names.get(name, name): _ACCEPT[name](value, f"accept.{name}") for name, value in accept.items()}
    said = {name: (_text if name == "help" else _flag)(value, f"talk.{name}") for name, value in talk.items()}
    return Policy(Acceptance(**chosen), tuple(map(_offer, offers)), Talk(**said))  # type: ignore[arg-type]


def _offer(value: object) -> Offer:
    table = _table(value, "offer")
    _known(table, ("type", "clock", "opponent", "every"), "offer.")
    kind = _parsed(parse_match_type, table.get("type"), "offer.type", "8, s8 or s8r18")
    if kind_of(kind) not in KINDS or kind.komi or kind.anti:
        raise PolicyError("offer.type", str(kind), "8x8 without komi or anti")
    clock = _parsed(parse_clock, table.get("clock"), "offer.clock", "5:00//2:00")
    opponent = table.get("opponent", "")
    if opponent:
        opponent = _parsed(parse_login, opponent, "offer.opponent", "a login")
    every_s = _parsed(parse_time, table.get("every", "10:00"), "offer.every", "10:00")
    if every_s < 10:
        raise PolicyError("offer.every", table["every"], "10 seconds or more")
    return Offer(kind, clock, str(opponent), every_s)


def _parsed(parse: Callable[[str], T], value: object, name: str, example: str) -> T:
    """Return a value that is written as text; raise PolicyError."""
    try:
        return parse(_text(value, name))
    except NotationError as error:
        raise PolicyError(name, value, f"{error.expected}, such as {example}") from None


def _known(table: Mapping[str, Any], names: Sequence[str] | Mapping[str, Any], where: str) -> None:
    for name in table:
        if name not in names:
            raise PolicyError("setting", f"{where}{name}", f"one of {', '.join(f'{where}{one}' for one in names)}")


def _table(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PolicyError(name, value, "a table of settings")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        raise PolicyError(name, value, "a text of at most 200 characters")
    return value.strip()


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise PolicyError(name, value, "true or false")
    return value


def _count(value: object, name: str) -> int:
    count = integer_of(value, 0, 1000)
    if count is None:
        raise PolicyError(name, value, "a whole number from 0 to 1000")
    return count


def _matches(value: object, name: str) -> int:
    if _count(value, name) not in range(1, 11):
        raise PolicyError(name, value, "1 to 10")
    return _count(value, name)


def _texts(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise PolicyError(name, value, "a list of texts")
    return tuple(_text(one, name) for one in value)


def _logins(value: object, name: str) -> tuple[str, ...]:
    return tuple(_parsed(parse_login, one, name, "a login") for one in _texts(value, name))


def _kinds(value: object, name: str) -> tuple[str, ...]:
    chosen = _texts(value, name)
    if not chosen or not set(chosen) <= set(KINDS):
        raise PolicyError(name, ", ".join(chosen), f"some of {', '.join(KINDS)}")
    return chosen


def _pair(value: object, name: str) -> tuple[Any, Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise PolicyError(name, value, "the least and the most")
    return value[0], value[1]


def _range(value: object, name: str) -> tuple[float, float]:
    low, high = map(number_of, _pair(value, name))
    if low is None or high is None or low > high:
        raise PolicyError(name, value, "two numbers, the least first")
    return low, high


def _counts(value: object, name: str) -> tuple[int, int]:
    low, high = (_count(one, name) for one in _pair(value, name))
    if low > high:
        raise PolicyError(name, value, "the least first")
    return low, high


def _times(value: object, name: str) -> tuple[float, float]:
    low, high = (_parsed(parse_time, one, name, "5:00") for one in _pair(value, name))
    if not 0 <= low <= high:
        raise PolicyError(name, value, "the least first")
    return low, high


def _one_of(choices: Mapping[str, T]) -> Callable[[object, str], T]:
    def read(value: object, name: str) -> T:
        if not isinstance(value, str) or value not in choices:
            raise PolicyError(name, value, f"one of {', '.join(choices)}")
        return choices[value]

    return read


_ACCEPT: Final[Mapping[str, Callable[[object, str], object]]] = {
    "types": _kinds,
    "discs": _counts,
    "clock": _times,
    "increment": _times,
    "rating": _range,
    "rated": _one_of(RATED),
    "color": _one_of(COLORS),
    "only": _logins,
    "never": _logins,
    "matches": _matches,
    "breaks": _count,
    "abort_plies": _count,
}
"""The settings of [accept], each with what reads its value."""
