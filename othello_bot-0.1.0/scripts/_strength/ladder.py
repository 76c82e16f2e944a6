"""The tables of the ladder: written from measured scores, and read back, so that a part can be measured again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from othello_bot.arena.pentanomial import moments
from othello_bot.arena.ratings import ratings
from othello_bot.arena.statistics import QUANTILE_95, OpeningScore
from othello_bot.arena.tally import Meeting
from othello_bot.engine.strength import CHAMPION, NAMES, STEPS, StrengthStep
from othello_bot.policy import name as model_name

CHAMPION_LEVEL: Final = 21
"""The champion plays at the level that it has without a clock."""

_STEP: Final = re.compile(r"engine strength=(\d+)")

Players = tuple[str, str]
"""Two players, as the arena's command line describes them."""


@dataclass(frozen=True)
class Score:
    """The first player's score against the second.

    `mean`: points a game; `error`: half the 95 % interval of the mean; `day`: when the first game was played.
    """

    mean: float
    error: float
    games: int
    day: str

    @classmethod
    def of(cls, meeting: Meeting, day: str) -> Score:
        """Return the score of games; the unit of its error is the pair of games."""
        error = QUANTILE_95 * moments(meeting.pairs).standard_error
        return cls(meeting.points / meeting.games, error, meeting.games, day)

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} ± {100 * self.error:.1f} %"

    def points(self) -> OpeningScore:
        """Return the games and points, which are all that a rating depends on."""
        return OpeningScore(self.games, self.games * self.mean)


def step_words(number: int) -> str:
    """Return the description of a step."""
    return f"engine strength={number}"


def steps_of(players: Iterable[str]) -> Iterator[tuple[int, StrengthStep]]:
    """Yield the numbers and definitions of the steps among the players."""
    for words in players:
        if (number := _STEP.search(words)) and int(number[1]) <= CHAMPION:
            yield int(number[1]), STEPS[int(number[1]) - 1]


def in_words(step: StrengthStep) -> str:
    """Return what a step is."""
    if step.person is None:
        here = f", here at level {CHAMPION_LEVEL}" if step.level is None else f" at level {step.level}"
        return f"the engine{here}"
    person = step.person
    wider = f", width {person.width:g}" if person.width != 1 else ""
    return f"a person rated {person.rating}, look {person.look:g}{wider}"


def published(text: str) -> dict[Players, Score]:
    """Return the scores of tables that `tables` wrote, without those of steps that have changed since.

    A person changes with the model, too.
    """
    same_model = model_words() in text
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    steps = {int(row[0]): row[-1] for row in rows if len(row) == 7 and row[0].isdigit()}
    found = {}
    for row in rows:
        step, fixed = len(row) == 7, len(row) == 6
        if not row[0].isdigit() or row[3] == "-" or not (step or fixed):
            continue
        number = int(row[0])
        if number > CHAMPION:
            continue
        players = step_words(number), step_words(number - 1) if step else row[1]
        mean, error = (float(part) / 100 for part in row[3].removesuffix(" %").split(" ± "))
        if all(
            steps.get(one) == in_words(now) and (same_model or now.person is None) for one, now in steps_of(players)
        ):
            found[players] = Score(mean, error, int(row[4]), row[5])
    return found


def elos(scores: Mapping[Players, Score]) -> dict[str, float]:
    """Return the Elo of everybody whom results connect with `difference`, which has 0."""
    connected = {"difference"}
    while more := {
        name for players in scores for name in players if connected & set(players) and name not in connected
    }:
        connected |= more
    names = sorted(connected)
    results = {
        (names.index(first), names.index(second)): score.points()
        for (first, second), score in scores.items()
        if first in connected
    }
    if not results:
        return {}
    rated = {
        name: rating.elo for name, rating in zip(names, ratings(len(names), [results], intervals=False), strict=True)
    }
    return {name: elo - rated["difference"] for name, elo in rated.items()}


def model_words() -> str:
    """Return which model the people play by."""
    return f"the people play by the model {model_name()}"


def tables(scores: Mapping[Players, Score]) -> str:
    """Return the scores as Markdown: the steps, the highest first, and the fixed points."""
    rated = {name: f"{elo:+.0f}" for name, elo in elos(scores).items()}
    named = {number: name for name, number in NAMES}
    lines = [f"{sum(score.games for score in scores.values())} games; {model_words()}.", ""]
    lines += ["| step | name | Elo | score against the step below | games | day | what it is |", "|" + 7 * "---|"]
    for number in range(CHAMPION, 0, -1):
        words = step_words(number)
        if not any(words in players for players in scores):
            continue
        below = scores.get((words, step_words(number - 1)))
        cells = [str(number), named.get(number, ""), rated.get(words, "-")]
        cells += [str(below), str(below.games), below.day] if below else ["-", "-", "-"]
        lines.append(f"| {' | '.join([*cells, in_words(STEPS[number - 1])])} |")
    lines += ["", "| step | fixed point | its Elo | score of the step | games | day |", "|" + 6 * "---|"]
    for (step, fixed), score in scores.items():
        if not _STEP.search(fixed):
            number, _ = next(steps_of((step, fixed)))
            lines.append(f"| {number} | {fixed} | {rated.get(fixed, '-')} | {score} | {score.games} | {score.day} |")
    return "\n".join(lines) + "\n"
