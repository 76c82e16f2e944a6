"""SPSA: parameters that move, step by step, towards what wins, and the report of their course.

(J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", 1998.) In each
iteration all parameters are moved up or down by chance, two engines with opposite moves play some pairs of games, and
every parameter goes towards the winner. The gains are Spall's, for the iterations k = 0, 1, ...:

    c(k) = STEP / (k + 1)^gamma                  how far both engines are from the value
    a(k) = gain * ((A + 1) / (A + k + 1))^alpha  how far the value goes for a result of 1, in steps
    value += STEP * a(k) * (k + 1)^gamma * sign * result

`result` is what the first engine won minus what it lost, for each game: -1 to 1.
"""

from __future__ import annotations

import json
import math
import random
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

from othello_bot.arena.config import typed
from othello_bot.arena.errors import ConfigError
from othello_bot.arena.report import ReportTable, percent, signed
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import Result, StoredMatch
from othello_bot.base.errors import brief, counted
from othello_bot.base.notation import NotationError, parse_decimal, parse_integer

PAIRS: Final = 2
GAIN: Final = 0.25
ALPHA: Final = 0.602
GAMMA: Final = 0.101

LEAST_FOR_CONFIDENCE: Final = 10
"""Iterations from which on there is a confidence."""

FORM: Final = "NAME=START,MIN,MAX,STEP, and then ,int for whole numbers"
_BARS: Final = "▁▂▃▄▅▆▇█"
_TREND_COLUMNS: Final = 12


# -- what is tuned ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """An option that is tuned; `whole`: it takes whole numbers. `inline`: it stands as {NAME} in other settings."""

    name: str
    start: float
    low: float
    high: float
    step: float
    whole: bool = False
    inline: bool = False

    @classmethod
    def parse(cls, word: str) -> Parameter:
        """Return the parameter of a word like `width=1,0.5,2,0.1` or `plies=4,1,9,1,int`; raise ConfigError."""
        name, equals, text = word.rpartition("=")
        parts = [part.strip() for part in text.split(",")]
        whole = parts[4:] == ["int"]
        if not name or not equals or len(parts) != 4 + whole:
            raise ConfigError("parameter", word, FORM)
        try:
            numbers = [float(parse_integer(one)) if whole else parse_decimal(one) for one in parts[:4]]
        except NotationError as error:
            raise ConfigError(f"{error.value!r} in parameter", word, error.expected) from error
        start, low, high, step = numbers
        for part, fits, expected in (
            ("MIN and MAX", low < high, "the lesser one first"),
            ("START", low <= start <= high, f"{low:g} to {high:g}"),
            ("STEP", 0 < step <= high - low, f"more than 0, at most {high - low:g}"),
        ):
            if not fits:
                raise ConfigError(f"{part} of parameter", word, expected)
        return cls(name, start, low, high, step, whole)

    def text(self, value: float) -> str:
        """Return a value as the engine receives it: rounded to a thousandth of a step."""
        if self.whole:
            return str(math.floor(value + 0.5))
        digits = max(0, 3 - math.floor(math.log10(self.step)))
        text = f"{value:.{digits}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def clipped(self, value: float) -> float:
        """Return the nearest value within the range."""
        return min(max(value, self.low), self.high)


@dataclass(frozen=True, slots=True)
class Tuning:
    """How parameters are tuned; see the beginning of the module. `stability` is A; None for its default."""

    parameters: tuple[Parameter, ...]
    pairs: int = PAIRS
    gain: float = GAIN
    stability: float | None = None
    alpha: float = ALPHA
    gamma: float = GAMMA
    seed: int = 1

    @property
    def start(self) -> tuple[float, ...]:
        """The first values."""
        return tuple(one.start for one in self.parameters)

    def signs(self, iteration: int) -> tuple[int, ...]:
        """Return by chance for each parameter whether the first engine has more (1) or less (-1) of it."""
        rng = random.Random(f"{self.seed} {iteration}")
        return tuple(2 * rng.getrandbits(1) - 1 for _ in self.parameters)

    def reach(self, parameter: Parameter, iteration: int) -> float:
        """Return how far both engines are from the value: c(k), but enough to make whole numbers differ."""
        reach: float = parameter.step / (iteration + 1) ** self.gamma
        return max(reach, 0.5) if parameter.whole else reach

    def sides(self, iteration: int, values: Sequence[float]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the values of both engines in an iteration, as text."""
        signs = self.signs(iteration)
        return self._moved(iteration, values, signs), self._moved(iteration, values, [-sign for sign in signs])

    def _moved(self, iteration: int, values: Sequence[float], signs: Sequence[int]) -> tuple[str, ...]:
        return tuple(
            one.text(one.clipped(value + sign * self.reach(one, iteration)))
            for one, value, sign in zip(self.parameters, values, signs, strict=True)
        )

    def moves(self, iteration: int, result: float) -> tuple[float, ...]:
        """Return by how much each value goes up or down after an iteration with this result."""
        assert self.stability is not None
        size = self.gain * ((self.stability + 1) / (self.stability + iteration + 1)) ** self.alpha * result
        return tuple(
            size * one.step**2 / self.reach(one, iteration) * sign
            for one, sign in zip(self.parameters, self.signs(iteration), strict=True)
        )


class SpsaIteration(NamedTuple):
    """A finished iteration: the values before it, those of both engines, the first one's points, and values after it."""

    values: tuple[float, ...]
    plus: tuple[str, ...]
    minus: tuple[str, ...]
    points: float
    games: int
    after: tuple[float, ...]

    @property
    def result(self) -> float:
        """What the first engine won minus what it lost, for each game."""
        return 2 * self.points / self.games - 1


@dataclass(slots=True)
class SpsaWalk:
    """The way of the values so far. Add every game once, those of an iteration after those of the one before."""

    tuning: Tuning
    done: list[SpsaIteration] = field(default_factory=list)
    _points: float = 0.0
    _games: int = 0

    @property
    def values(self) -> tuple[float, ...]:
        """The present values."""
        return self.done[-1].after if self.done else self.tuning.start

    def add(self, result: Result) -> SpsaIteration | None:
        """Count a game; return the iteration that it ends."""
        self._points += result.black_points if result.black == 0 else 1 - result.black_points
        self._games += 1
        if self._games < 2 * self.tuning.pairs:
            return None
        number, values = len(self.done), self.values
        ended = SpsaIteration(values, *self.tuning.sides(number, values), self._points, self._games, values)
        moved = zip(self.tuning.parameters, values, self.tuning.moves(number, ended.result), strict=True)
        self.done.append(ended._replace(after=tuple(one.clipped(value + move) for one, value, move in moved)))
        self._points, self._games = 0.0, 0
        return self.done[-1]

    def confidences(self) -> list[float]:
        """Return for each parameter the confidence that it has not moved by chance; NaN without enough iterations.

        If it made no difference, its signs would be independent of the results, and their sum would have the variance
        of the squares. Nothing draws a value that has come to its optimum, so the first half of the way is tested, too,
        its first half and so on; the confidence allows for the number of tests (Bonferroni).
        """
        pulls: list[list[float]] = [[] for _ in self.tuning.parameters]
        for number, done in enumerate(self.done):
            for one, sign, own in zip(self.tuning.parameters, self.tuning.signs(number), pulls, strict=True):
                own.append(sign * self.tuning.reach(one, number) * done.result)
        return list(map(_confidence, pulls))


def _confidence(pulls: list[float]) -> float:
    """Return the confidence that the pulls of the iterations are not chance; see `SpsaWalk.confidences`."""
    errors = []
    while len(pulls) >= LEAST_FOR_CONFIDENCE:
        deviation = math.sqrt(math.fsum(pull * pull for pull in pulls))
        if deviation:
            errors.append(math.erfc(abs(math.fsum(pulls)) / deviation / math.sqrt(2)))
        pulls = pulls[: len(pulls) // 2]
    return max(0.0, 1 - len(errors) * min(errors)) if errors else math.nan


# -- what is told -----------------------------------------------------------------------------------------------------


def values_table(walk: SpsaWalk) -> ReportTable:
    """Return the table of the parameters: values, and the confidence that they have not moved by chance."""
    rows = []
    for place, (one, confidence) in enumerate(zip(walk.tuning.parameters, walk.confidences(), strict=True)):
        path = [one.start, *(done.after[place] for done in walk.done)]
        rows.append(
            (
                *(one.name, one.text(path[-1]), one.text(one.start), f"{one.text(one.low)}..{one.text(one.high)}"),
                signed(path[-1] - one.start, 3 if one.step < 1 else 1),
                "-" if math.isnan(confidence) else percent(confidence, 1),
                _trend(path),
            )
        )
    heads = ("parameter", "value", "start", "range", "moved", "confidence", "trend")
    return ReportTable("", heads, tuple(rows))


def _trend(path: Sequence[float]) -> str:
    """Return a picture of a way in a few characters, from its lowest value to its highest."""
    places = [round(number * (len(path) - 1) / (_TREND_COLUMNS - 1)) for number in range(_TREND_COLUMNS)]
    low, high = min(path), max(path)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((path[place] - low) * scale)] for place in places)


def values_words(walk: SpsaWalk) -> str:
    """Return the values as settings of an engine, to be pasted into a command line; those of placeholders as {NAME}=."""
    return " ".join(
        f"{{{one.name}}}={one.text(value)}" if one.inline else shlex.quote(f"option.{one.name}={one.text(value)}")
        for one, value in zip(walk.tuning.parameters, walk.values, strict=True)
    )


def tuning_lines(walk: SpsaWalk) -> list[str]:
    """Return how a tuning stands."""
    tuning = walk.tuning
    lines = [
        f"{counted(len(walk.done), 'iteration')} of {counted(2 * tuning.pairs, 'game')}, seed {tuning.seed};"
        f" gain {tuning.gain:g}, A {tuning.stability:g}, alpha {tuning.alpha:g}, gamma {tuning.gamma:g}",
        *values_table(walk).lines(),
        f"values: {values_words(walk)}",
    ]
    if not any(confidence >= 0.95 for confidence in walk.confidences()):
        lines.append(
            "No parameter has moved for more than chance (95 %): these values may be no better than the first ones."
        )
    return lines


def tuning_facts(walk: SpsaWalk) -> dict[str, Any]:
    """Return all that is known of a tuning, as JSON writes it."""
    parameters = []
    for place, (one, confidence) in enumerate(zip(walk.tuning.parameters, walk.confidences(), strict=True)):
        told = None if math.isnan(confidence) else confidence
        parameters.append({**asdict(one), "value": walk.values[place], "confidence": told})
    seed = walk.tuning.seed
    return {
        **asdict(walk.tuning),
        "parameters": parameters,
        "words": values_words(walk),
        "iterations": [{"seed": f"{seed} {number}", **one._asdict()} for number, one in enumerate(walk.done)],
    }


# -- the store -------------------------------------------------------------------------------------------------------

_Values = tuple[float, ...]
_Texts = tuple[str, ...]

TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS tuning (match INTEGER PRIMARY KEY REFERENCES match(id), settings TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS iteration (match INTEGER NOT NULL REFERENCES match(id), number INTEGER NOT NULL,"
    " seed TEXT NOT NULL, start TEXT NOT NULL, plus TEXT NOT NULL, minus TEXT NOT NULL, points REAL NOT NULL,"
    " games INTEGER NOT NULL, finish TEXT NOT NULL, PRIMARY KEY (match, number)) WITHOUT ROWID",
)
"""Tables beside those of matches. The values in them are JSON lists in the order of the parameters."""


@contextmanager
def _readable(store: MatchStore, match: int) -> Iterator[None]:
    """Raise StoreError for what this program has not written."""
    try:
        yield
    except (ConfigError, AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise store.database.error(f"the tuning of match {match} cannot be read: {brief(str(error))}") from error


def stored_tunings(store: MatchStore) -> dict[int, dict[str, Any]]:
    """Return the settings of the tunings in a store, by the ids of their matches."""
    if store.database.row("SELECT 1 FROM sqlite_master WHERE name = 'tuning'") is None:
        return {}
    found = {}
    for match, text in list(store.database.rows("SELECT match, settings FROM tuning ORDER BY match")):
        with _readable(store, match):
            found[match] = dict(json.loads(text))
            typed(Tuning, found[match]["tuning"])
    return found


def stored_walk(store: MatchStore, match: StoredMatch) -> SpsaWalk | None:
    """Return how a stored tuning went; None for a match that is not a tuning."""
    settings = stored_tunings(store).get(match.id)
    if settings is None:
        return None
    walk = SpsaWalk(typed(Tuning, settings["tuning"]))
    query = "SELECT start, plus, minus, points, games, finish FROM iteration WHERE match = ? ORDER BY number"
    for row in store.database.rows(query, (match.id,)):
        with _readable(store, match.id):
            lists = [json.loads(one) if isinstance(one, str) else one for one in row]
            one: SpsaIteration = SpsaIteration(*typed(tuple[_Values, _Texts, _Texts, float, int, _Values], lists))
            if {len(part) for part in (one.values, one.plus, one.minus, one.after)} != {len(walk.values)}:
                raise ValueError("an iteration of other parameters")
            walk.done.append(one)
    return walk
