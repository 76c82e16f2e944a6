"""`othello-bot match tune`: finds better values for options of an engine by games against itself.

A tuning is a match whose engines change with each iteration (see `spsa`). The values of an iteration follow from the
games before it alone, so that a tuning that was stopped goes on as if it had not been, and several arenas may share it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.adjudication import Failure
from othello_bot.arena.command import add_match_arguments, check_match_outputs, given_settings
from othello_bot.arena.command import check_words as check_words
from othello_bot.arena.config import EngineConfig, MatchConfig, check_cores
from othello_bot.arena.display import MatchWords, display_of, game_line
from othello_bot.arena.errors import ArenaError, ConfigError, guarded
from othello_bot.arena.export import GamesFile
from othello_bot.arena.games import GameJob, GameTask
from othello_bot.arena.match import Backend, Match, MatchDisplay, play
from othello_bot.arena.openings import Openings, load
from othello_bot.arena.players import make_player
from othello_bot.arena.report import ReportTable, closing_lines
from othello_bot.arena.settings import decimal_setting, engine_config, integer_setting, match_config, merged
from othello_bot.arena.spsa import (
    ALPHA,
    FORM,
    GAIN,
    GAMMA,
    PAIRS,
    TABLES,
    Parameter,
    SpsaWalk,
    Tuning,
    stored_tunings,
    tuning_lines,
    values_table,
)
from othello_bot.arena.store import DEFAULT_STORE, MatchStore
from othello_bot.arena.stored import Result
from othello_bot.base.errors import brief, counted

ITERATIONS: Final = 1000
STABILITY: Final = 0.1
"""The default of A, as a share of the iterations."""

_MOST_DIFFERENCES: Final = 4
"""Settings that an error names."""

_WITHOUT: Final = ("format", "rounds", "sprt", "seeds", "stages")
"""The settings of a match that a tuning does not have."""


# -- playing ---------------------------------------------------------------------------------------------------------


class TuningMatch(Match):
    """A tuning in progress: a match whose engines change with each iteration. `walk` is how far it has come."""

    def __init__(
        self,
        config: MatchConfig,
        openings: Openings,
        store: MatchStore,
        backend: Backend,
        tuning: Tuning,
        engine: Mapping[str, Any],
    ) -> None:
        super().__init__(config, openings, store, backend)
        self.stages = config.rounds // tuning.pairs
        self.walk = SpsaWalk(tuning)
        self._engine = engine
        settings = json.dumps(_settings(config, tuning))
        with store.database.writing():
            for statement in TABLES:
                store.database.execute(statement)
            store.database.execute("INSERT OR IGNORE INTO tuning VALUES (?, ?)", (self.stored.id, settings))

    def tasks_of(self, stage: int) -> Iterator[GameTask] | None:
        """Return the games of an iteration; None until the one before it has ended."""
        if len(self.walk.done) < stage:
            return None
        first = stage * self.walk.tuning.pairs
        pairs = range(first, first + self.walk.tuning.pairs)
        return (GameTask(pair, leg, pair, leg, 1 - leg) for pair in pairs for leg in (0, 1))

    def job(self, task: GameTask) -> GameJob:
        """Return a game between the engines of its iteration."""
        tuning = self.walk.tuning
        sides = zip(tuning.sides(task.pair // tuning.pairs, self.walk.values), "+-", strict=True)
        engines = [side_of(self._engine, tuning, texts, sign) for texts, sign in sides]
        black, white = (
            replace(engines[slot], limits=engines[slot].limits.scaled(self.config.speed))
            for slot in (task.black, task.white)
        )
        return replace(super().job(task), black=black, white=white)

    def note(self, result: Result) -> None:
        """Count a game, and store the iteration that it ends."""
        super().note(result)
        ended = self.walk.add(result)
        if ended is None:
            return
        number = len(self.walk.done) - 1
        parts = [ended.values, ended.plus, ended.minus]
        row = (
            *(self.stored.id, number, f"{self.walk.tuning.seed} {number}", *map(json.dumps, parts)),
            *(ended.points, ended.games, json.dumps(ended.after)),
        )
        with self.store.database.writing():
            self.store.database.execute("INSERT OR IGNORE INTO iteration VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def _settings(config: MatchConfig, tuning: Tuning) -> dict[str, Any]:
    """Return all that makes a tuning this one, as JSON has it."""
    content: dict[str, Any] = json.loads(json.dumps({"match": json.loads(config.identity), "tuning": asdict(tuning)}))
    return content


def resumed(store: MatchStore, config: MatchConfig, tuning: Tuning) -> Tuning:
    """Return a tuning with its A: that of the same tuning in the store, or the default.

    Raise ConfigError if the store has another tuning of the same event: this is more often a mistake than intended.
    """
    stability = STABILITY * config.rounds / tuning.pairs
    for known in stored_tunings(store).values():
        if known["match"].get("event") != config.event:
            continue
        if tuning.stability is None:
            stability = known["tuning"]["stability"]
        wanted = _settings(config, replace(tuning, stability=tuning.stability or stability))
        if differences := _differences(known, wanted):
            told = "; ".join(differences[:_MOST_DIFFERENCES])
            begun = f"the settings that it has in this store ({told}), another --store, or an --event of its own"
            raise ConfigError("tuning", config.event or tuning.parameters[0].name, begun)
    return tuning if tuning.stability is not None else replace(tuning, stability=stability)


def _differences(known: object, wanted: object, place: str = "") -> list[str]:
    """Return in words where two settings differ."""
    if isinstance(known, dict) and isinstance(wanted, dict):
        names = dict.fromkeys([*known, *wanted])
        parts = [(f"{place}.{name}".lstrip("."), known.get(name), wanted.get(name)) for name in names]
    elif isinstance(known, list) and isinstance(wanted, list) and len(known) == len(wanted):
        parts = [(f"{place}.{number}", *both) for number, both in enumerate(zip(known, wanted, strict=True))]
    else:
        return [] if known == wanted else [f"{place} is {brief(json.dumps(known))} there"]
    return [words for name, one, other in parts for words in _differences(one, other, name)]


# -- the engines ------------------------------------------------------------------------------------------------------


def side_of(engine: Mapping[str, Any], tuning: Tuning, texts: Sequence[str], sign: str) -> EngineConfig:
    """Return the engine of some settings with values for the parameters; raise ConfigError for invalid ones."""
    given = list(zip(tuning.parameters, texts, strict=True))
    filled = _filled(engine, {f"{{{one.name}}}": text for one, text in given if one.inline})
    options = {one.name: text for one, text in given if not one.inline}
    config = engine_config(merged(filled, {"option": options} if options else {}))
    return replace(config, name=f"{config.name}{sign}")


def _filled(content: Any, texts: Mapping[str, str]) -> Any:
    """Return settings with values instead of placeholders."""
    if isinstance(content, Mapping):
        return {name: _filled(part, texts) for name, part in content.items()}
    if isinstance(content, list):
        return [_filled(part, texts) for part in content]
    if isinstance(content, str):
        for placeholder, text in texts.items():
            content = content.replace(placeholder, text)
    return content


def _samples(tuning: Tuning) -> list[tuple[str, ...]]:
    """Return values to try: the first, least and greatest ones, and those of a version, which may be fractions."""
    values = (tuning.start, [one.low for one in tuning.parameters], [one.high for one in tuning.parameters])
    texts = [tuple(one.text(value) for one, value in zip(tuning.parameters, some, strict=True)) for some in values]
    # One of the second iteration, whose steps are not round numbers.
    return list(dict.fromkeys([*texts, tuning.sides(1, tuning.start)[0]]))


def check_engine(engine: Mapping[str, Any], tuning: Tuning) -> None:
    """Raise ArenaError if the engine does not start with values of each kind that it will receive."""
    for texts in _samples(tuning):
        player = make_player(side_of(engine, tuning, texts, ""))
        try:
            player.start()
        except (ArenaError, Failure) as error:
            told = ", ".join(f"{one.name}={text}" for one, text in zip(tuning.parameters, texts, strict=True))
            hint = f"cmd= may have {{{tuning.parameters[0].name}}} instead of an option"
            raise ArenaError(f"the engine does not take {told}: {error} ({hint})") from error
        finally:
            player.close()


# -- what is told -----------------------------------------------------------------------------------------------------


class TuningWords(MatchWords):
    """What displays say of a tuning."""

    def lines(self, match: Match, result: Result, every: int) -> list[str]:
        """Return a line about a failure, and one about an iteration; one per `every` iterations."""
        assert isinstance(match, TuningMatch)
        walk, lines = match.walk, []
        if result.ending.is_failure and every == 1:
            lines.append(game_line(match, result))
        if walk.done and result.pair // walk.tuning.pairs < len(walk.done) and len(walk.done) % every == 0:
            values = zip(walk.tuning.parameters, walk.values, strict=True)
            told = " ".join(f"{one.name}={one.text(value)}" for one, value in values)
            last = walk.done[-1]
            lines.append(
                f"iteration {len(walk.done)} of {match.stages}: {last.points:g} of {last.games} points; {told}"
            )
        return lines

    def table(self, match: Match) -> ReportTable:
        """Return the parameters."""
        assert isinstance(match, TuningMatch)
        return values_table(match.walk)

    def below(self, match: Match) -> list[str]:
        """Return how many iterations there were."""
        assert isinstance(match, TuningMatch)
        return [f"iteration {len(match.walk.done)} of {match.stages}"]

    def final(self, match: Match) -> list[str]:
        """Return the parameters, the values to be pasted, and failures."""
        assert isinstance(match, TuningMatch)
        return [*tuning_lines(match.walk), *closing_lines(match.stored.shown_names, match.tally)]


# -- the command ------------------------------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Tune options of an engine by SPSA: in each iteration, two versions of it play against each other.\n"
        "Run the same command again to resume; `othello-bot match report STORE` shows its state."
    )
    add_match_arguments(parser, _WITHOUT)
    parser.add_argument("--tune", nargs="+", action="extend", default=[], metavar="PARAMETER", help=FORM)
    told = f"how often the values are changed ({ITERATIONS}); may be raised later"
    parser.add_argument("--iterations", metavar="N", help=told)
    parser.add_argument("--pairs", metavar="N", help=f"pairs of games in an iteration ({PAIRS})")
    parser.add_argument("--gain", metavar="X", help=f"steps that a value moves if all games are won at first ({GAIN})")
    parser.add_argument("--stability", metavar="A", help="Spall's A (a tenth of the iterations)")
    parser.add_argument("--alpha", metavar="X", help=f"how fast the gain falls ({ALPHA})")
    parser.add_argument("--gamma", metavar="X", help=f"how fast the steps between both engines fall ({GAMMA})")


_NUMBERS: Final[Mapping[str, Callable[[str, object], float]]] = {
    "iterations": partial(integer_setting, low=1, high=1_000_000),
    "pairs": partial(integer_setting, low=1, high=10_000),
    "gain": partial(decimal_setting, low=0.0001, high=1000),
    "stability": partial(decimal_setting, low=0, high=1_000_000),
    "alpha": partial(decimal_setting, low=0, high=1),
    "gamma": partial(decimal_setting, low=0, high=1),
}
"""The readers of a tuning's numbers."""


@guarded("match tune", stopped="stopped; the same command resumes the tuning")
def run(args: argparse.Namespace) -> int:
    """Tune; return 0, 1 for a failure, 2 for invalid settings, 130 after Ctrl-C."""
    check_match_outputs(args)
    config, tuning, engine = configuration(args)
    check_cores(config, args.force_concurrency)
    display: MatchDisplay = display_of("match tune", args.display, args.every, TuningWords())
    if args.games is not None:
        display = GamesFile(display, args.games, overwrite=args.overwrite)

    def make(config: MatchConfig, openings: Openings, store: MatchStore, backend: Backend) -> Match:
        begun = resumed(store, config, tuning)
        if not config.cluster:
            check_engine(engine, tuning)
        return TuningMatch(config, openings, store, backend, begun, engine)

    openings = load(config.openings, config.seed)
    play(config, openings, args.store or Path(DEFAULT_STORE), display, make=make)
    return 0


def configuration(args: argparse.Namespace) -> tuple[MatchConfig, Tuning, dict[str, Any]]:
    """Return the match, the tuning, and the settings of the engine; checked."""
    settings = given_settings(args)
    given = dict(settings.pop("tune", {}))
    for name in settings:
        if name in _WITHOUT:
            raise ConfigError("setting", name, "it for matches only, not for a tuning")
    words = [*_words_of(given.pop("parameters", {})), *args.tune]
    given.update({name: getattr(args, name) for name in _NUMBERS if getattr(args, name) is not None})
    if unknown := [name for name in given if name not in _NUMBERS]:
        raise ConfigError("setting of [tune]", unknown[0], ", ".join(("parameters", *_NUMBERS)))
    numbers: dict[str, Any] = {name: _NUMBERS[name](name, value) for name, value in given.items()}
    if len(settings["engine"]) != 1 or not isinstance(settings["engine"][0], Mapping):
        raise ConfigError("engines", counted(len(settings["engine"]), "engine"), "one, which plays against itself")
    engine = merged(settings.pop("each", {}), settings["engine"][0])
    parameters = {one.name: one for one in map(Parameter.parse, words)}
    if not parameters:
        raise ConfigError("parameters", "none", f"--tune {FORM}")
    found = [replace(one, inline=_filled(engine, {f"{{{name}}}": ""}) != engine) for name, one in parameters.items()]
    for one in found:
        if not one.inline and one.name in dict(engine.get("option", {})):
            raise ConfigError("option", one.name, "it as a parameter, or as an option of the engine, not both")
    iterations, pairs = numbers.pop("iterations", ITERATIONS), numbers.pop("pairs", PAIRS)
    tuning = Tuning(tuple(found), pairs, **numbers)
    for texts in _samples(tuning):
        side_of(engine, tuning, texts, "")
    # The match knows the engine without the options that change.
    alone = replace(tuning, parameters=tuple(one for one in found if one.inline))
    sides = [side_of(engine, alone, [one.text(one.start) for one in alone.parameters], sign) for sign in "+-"]
    nobody = [{"player": "random", "name": sign} for sign in "+-"]
    config = match_config({**settings, "engine": nobody, "rounds": iterations * pairs})
    return replace(config, engines=tuple(sides)), replace(tuning, seed=config.seed), engine


def _words_of(parameters: object) -> list[str]:
    """Return the parameters of a file as words of the command line."""
    if not isinstance(parameters, Mapping):
        raise ConfigError("setting parameters of [tune]", str(parameters), 'a table, like x = "1,0,2,0.1" in it')
    return [
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in parameters.items()
    ]
