"""Measure the steps of strength: each against the next lower, and some against the textbook players as fixed points.

    scripts/measure strength-ladder                play all of docs/development/strength.md; the same command resumes
    scripts/measure strength-ladder --steps 1 2 3  only the games of these steps
    scripts/measure strength-ladder --rounds 20    fewer games
    scripts/measure strength-ladder --write        play nothing, put the stored games into docs/development/strength.md
    scripts/measure strength-ladder --looks 30     play nothing, estimate the rating that the moves of each person look like
    scripts/measure strength-ladder --variety 200  what variety costs: 200 games against each of two weak opponents

Games are kept in a store of the arena (--store). A step whose definition changes is played again, the others are not.
Rows of docs/development/strength.md are kept where the store has fewer games, unless one of their steps has changed or
they were played in another way.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from _setup.enter import ROOT
from _strength.ladder import (
    CHAMPION_LEVEL,
    Players,
    Score,
    in_words,
    published,
    step_words,
    steps_of,
    tables,
)
from _strength.variety import DOORS, OPPONENTS, report

from othello_bot.arena.config import EngineConfig, MatchConfig, OpeningConfig
from othello_bot.arena.display import display_of
from othello_bot.arena.match import play
from othello_bot.arena.openings import START, load
from othello_bot.arena.settings import engine_config, settings_of_words
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import StoredGame
from othello_bot.arena.tally import Tally
from othello_bot.base.notation import Color, integer
from othello_bot.engine.people import PeopleModel
from othello_bot.engine.strength import CHAMPION, STEPS
from othello_bot.engine.variety import FOR_PEOPLE
from othello_bot.policy import name as model_name
from othello_bot.rules import Game

DOCUMENT = ROOT / "docs" / "development" / "strength.md"
PLACE = re.compile(r"(?<=<!-- ladder: begin -->\n).*(?=<!-- ladder: end -->)", re.DOTALL)

ROUNDS = ((8, 200), (10, 100), (21, 50))
"""Openings, two games each, by the level of a step: deep ones are slow."""

DIFFERENT_SEEDS = 30
"""Games in which the opponent always plays the same."""

AS_PEOPLE_PLAY = ("option.book=on", f"option.variety={FOR_PEOPLE}")
"""Settings of the steps with a level: `play` and the page have them by default."""

AS_PEOPLE_SINCE = "2026-11-27"
"""Rows of earlier days were played from balanced openings, without book: fewer games replace them."""

LEAST_GAMES = 60
"""Fewest games that replace such a row."""

FIXED = (
    ("random", (1,)),
    ("difference", (1, 2, 3)),
    ("weighted", (1, 3, 4, 5)),
    ("engine level=1", (10, 12, 14)),
)
"""The fixed points, and the steps that play against each."""


@dataclass(frozen=True)
class StrengthPairing:
    """Two players, as the arena's command line describes them, and the number of openings they play."""

    first: str
    second: str
    rounds: int

    @property
    def players(self) -> Players:
        """Both descriptions."""
        return self.first, self.second

    def config(self) -> MatchConfig:
        """Return the match; a step with a new definition makes a new one."""
        event = f"strength ladder {digest(self)}"
        if self.as_people_play:
            players = player(self.first, *AS_PEOPLE_PLAY), player(self.second, *AS_PEOPLE_PLAY)
            return MatchConfig(
                players, rounds=self.rounds, openings=OpeningConfig(START), event=f"{event} as people play"
            )
        return MatchConfig((player(self.first), player(self.second)), rounds=self.rounds, event=event)

    @property
    def as_people_play(self) -> bool:
        """Whether the first is a step with book and variety: it plays another step as people meet it, from the start."""
        steps = [step for _, step in steps_of(self.players)]
        return len(steps) == 2 and steps[0].person is None


def player(words: str, *settings: str) -> EngineConfig:
    """Return the engine of a description, with more settings; textbook players need no limits."""
    return engine_config(settings_of_words([*words.split(), f"name={words}", *settings]))


def digest(pairing: StrengthPairing) -> str:
    """Return a few letters that change with the definitions of a pairing's steps."""
    steps = [step for _, step in steps_of(pairing.players)]
    model = model_name() if any(step.person is not None for step in steps) else ""
    return hashlib.sha256(f"{steps!r}{model}".encode()).hexdigest()[:8]


def rounds_of(number: int) -> int:
    """Return the number of openings that a step plays."""
    step = STEPS[number - 1]
    plies = 1 if step.person is not None else step.level or CHAMPION_LEVEL
    return next(rounds for most, rounds in ROUNDS if plies <= most)


def pairings(steps: Sequence[int], rounds: int | None) -> Iterator[StrengthPairing]:
    """Yield the pairings of these steps with the next lower ones and with the fixed points."""
    for number in steps:
        if number > 1:
            yield StrengthPairing(step_words(number), step_words(number - 1), rounds or rounds_of(number))
    for fixed, against in FIXED:
        for number in against:
            if number in steps and number <= CHAMPION:
                yield StrengthPairing(step_words(number), fixed, rounds or rounds_of(number))


def every() -> Iterator[StrengthPairing]:
    """Yield the pairings of docs/development/strength.md in its order."""
    return pairings(range(1, CHAMPION + 1), None)


def played(store: MatchStore, wanted: Sequence[StrengthPairing]) -> dict[Players, Score]:
    """Return what the store has of the pairings."""
    matches = {match.key: match for match in store.matches()}
    found = {}
    for pairing in wanted:
        match = matches.get(pairing.config().key)
        if match is not None:
            tally = Tally(2)
            tally.add_all(store.results(match.id))
            if (0, 1) in tally.meetings:
                day = datetime.fromtimestamp(match.created, timezone.utc).strftime("%Y-%m-%d")
                found[pairing.players] = Score.of(tally.meetings[0, 1], day)
    return found


def looks(path: Path, wanted: Sequence[StrengthPairing], count: int) -> Iterator[str]:
    """Yield the rating that the moves of each person look like, from this many games at most, without their openings."""
    people_model = PeopleModel()
    found: dict[int, list[tuple[Game, Color]]] = {}
    with MatchStore(path, create=False) as store:
        matches = {match.key: match.id for match in store.matches()}
        for pairing in wanted:
            if (match := matches.get(pairing.config().key)) is not None:
                games = list(itertools.islice(store.games(match), count))
                for slot, words in enumerate(pairing.players):
                    for number, step in steps_of([words]):
                        if step.person is not None:
                            found.setdefault(number, []).extend(after_opening(game, slot) for game in games)
    for number, played in sorted(found.items()):
        single = [people_model.rating([game]).rating for game in played[:count]]
        yield (
            f"{step_words(number)}, {in_words(STEPS[number - 1])}: {len(single)} games look like "
            f"{people_model.rating(played[:count])}, one alone like {sum(single) / len(single):.0f} on average"
        )


def after_opening(stored: StoredGame, slot: int) -> tuple[Game, Color]:
    """Return a stored game from the end of its opening on, and the colour of a player."""
    whole = Game.from_transcript(stored.moves)
    game = Game(whole.position_at(stored.opening_plies))
    for move in whole.moves[stored.opening_plies :]:
        game.play(move)
    return game, Color.BLACK if stored.result.black == slot else Color.WHITE


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=integer(1), nargs="+", default=list(range(1, CHAMPION + 1)), metavar="N")
    parser.add_argument("--rounds", type=integer(1), metavar="N", help="openings of each pairing, two games each")
    parser.add_argument("--store", type=Path, default=Path("strength.db"), metavar="FILE", help="strength.db")
    parser.add_argument("--report", action="store_true", help="play nothing, show what was played")
    parser.add_argument(
        "--looks", type=integer(1), metavar="N", help="play nothing, rate people by N of their stored games"
    )
    parser.add_argument(
        "--variety", type=integer(1), metavar="N", help="judge the first moves of N games with variety and without it"
    )
    parser.add_argument("--door", choices=DOORS, action="append", help="with --variety: only this one; may be repeated")
    parser.add_argument("--write", action="store_true", help="play nothing, write the tables of the page")
    return parser.parse_args()


def main() -> int:
    """Play what is left, then show the table."""
    args = arguments()
    wanted = list(pairings(args.steps, args.rounds))
    if args.variety:
        for line in report(args.variety, DIFFERENT_SEEDS, args.door or DOORS, OPPONENTS):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        return 0
    if args.looks:
        for line in looks(args.store, wanted, args.looks):
            sys.stdout.write(f"{line}\n")
        return 0
    if not (args.report or args.write):
        for pairing in wanted:
            config = pairing.config()
            display = display_of("scripts/measure strength-ladder", "quiet", 1)
            play(config, load(config.openings, config.seed), args.store, display)
    with MatchStore(args.store, create=not args.write) as store:
        found = played(store, wanted)
    if not args.write:
        sys.stdout.write(tables(found))
        return 0
    document = DOCUMENT.read_text(encoding="utf-8")
    shown = PLACE.search(document)
    kept = published(shown[0]) if shown else {}
    before = {pairing.players for pairing in every() if pairing.as_people_play}
    newer = {
        key: score
        for key, score in found.items()
        if key not in kept
        or score.games >= kept[key].games
        or (key in before and kept[key].day < AS_PEOPLE_SINCE and score.games >= LEAST_GAMES)
    }
    merged = kept | newer
    ordered = {pairing.players: merged[pairing.players] for pairing in every() if pairing.players in merged}
    DOCUMENT.write_text(PLACE.sub(lambda _: f"\n{tables(ordered)}\n", document), encoding="utf-8")
    return 0
