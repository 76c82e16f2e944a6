"""`othello-bot match ladder FOLDER`: a running rating list of engines, until it is stopped.

Each TOML file of the folder is a player; `ladder.toml`, if there is one, has settings for all. Two players meet in a
match of their own, which has no end; all matches are in one store, so that a stopped ladder can be resumed.

New players come first. A player meets the anchors, whose ratings are known, and its neighbours in the list; of these,
the one that it has met least often. All others play in turn.
"""

from __future__ import annotations

import argparse
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.adjudication import Ending, Failure
from othello_bot.arena.backends import LocalBackend
from othello_bot.arena.config import EngineConfig, MatchConfig, check_cores
from othello_bot.arena.display import result_text, write_lines
from othello_bot.arena.errors import ArenaError, ConfigError, guarded
from othello_bot.arena.games import GameJob, GameReport, GameTask, machine
from othello_bot.arena.match import WAIT_S, game_job
from othello_bot.arena.openings import Openings, load
from othello_bot.arena.page import game_data, is_page_of, ladder_html
from othello_bot.arena.players import make_player
from othello_bot.arena.report import APART, moved, places, rated
from othello_bot.arena.settings import (
    MATCH_KEYS,
    engine_config,
    match_config,
    merged,
    settings_of_toml,
    tables_of_toml,
    text_of_toml,
)
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import NAME_COLUMNS, StoredMatch
from othello_bot.arena.tally import Tally
from othello_bot.base.descriptors import refuse_dash
from othello_bot.base.errors import InputError, counted
from othello_bot.base.files import whole_file
from othello_bot.base.notation import Color, parse_decimal
from othello_bot.base.output import report
from othello_bot.base.outputs import OVERWRITE, check_outputs, database, refuse_taken
from othello_bot.base.visible import visible

SETTINGS_FILE: Final = "ladder.toml"
PAGE: Final = "index.html"
STORE: Final = "ladder.db"

NEW_GAMES: Final = 40
"""A player with fewer games is new."""

NEIGHBOURS: Final = 4
"""The number of players with the nearest ratings who are a player's opponents, beside the anchors."""

MOST_MISSED: Final = 4
"""A player that fails to start in this many games in a row is left out: a single failure may be the machine's fault."""

LATEST: Final = 30
"""Games on the page."""

LOOK_S: Final = 2.0
"""Seconds between two looks at the folder."""

_SETTINGS: Final = MATCH_KEYS - {"engine", "format", "rounds", "sprt", "tune", "seeds", "stages", "cluster"}
_ENDLESS_ROUNDS: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class LadderPlayer:
    """An engine of the folder, with its rating if that is known."""

    config: EngineConfig
    anchor: float | None


# -- the folder -------------------------------------------------------------------------------------------------------


class Roster:
    """The players that the files of a folder describe. `tell` is called once for each invalid file."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        """Read the folder; raise ConfigError if it or its ladder.toml is invalid."""
        if not folder.is_dir():
            raise ConfigError("folder", str(folder), "a folder with one TOML file for each player")
        self.players: dict[Path, LadderPlayer] = {}
        self._folder = folder
        self._tell = tell
        self._marks: dict[Path, object] | None = None
        self._unfit: dict[Path, object] = {}
        self._told: set[tuple[Path, object]] = set()
        self.common, self.openings, self._each = self._settings()
        self.look()

    def look(self) -> bool:
        """Read files that were added, changed or removed; return whether that changes players or settings."""
        paths = sorted(path for path in self._folder.iterdir() if path.suffix == ".toml")
        marks = {path: _mark(path) for path in paths if not path.name.startswith(".")}
        if marks == self._marks:
            return False
        self._marks = marks
        before = (self.players, self.common)
        try:
            self.common, self.openings, self._each = self._settings()
        except InputError as error:
            self._tell_of(self._folder / SETTINGS_FILE, f"is invalid, and the settings stay as they were: {error}")
        self.players, names = {}, set[str]()
        for path, mark in marks.items():
            if path.name == SETTINGS_FILE or self._unfit.get(path) == mark:
                continue
            try:
                player = self._read(path)
                if player.config.name in names:
                    raise ConfigError("name", player.config.name, "a name that no other file has")
            except InputError as error:
                self._tell_of(path, f"is left out: {error}")
                continue
            names.add(player.config.name)
            self.players[path] = player
        return before != (self.players, self.common)

    def leave_out(self, name: str, why: str) -> None:
        """Leave a player out until its file changes."""
        for path, player in list(self.players.items()):
            if player.config.name == name:
                del self.players[path]
                self._unfit[path] = (self._marks or {}).get(path)
                self._tell_of(path, f"is left out until it changes: {why}")

    def _tell_of(self, path: Path, words: str) -> None:
        key = (path, (self._marks or {}).get(path))
        if key not in self._told:
            self._told.add(key)
            self._tell(f"{path.name} {words}")

    def _settings(self) -> tuple[MatchConfig, Openings, dict[str, Any]]:
        """Return the settings of all matches, their openings, and the settings of all engines."""
        path = self._folder / SETTINGS_FILE
        settings = settings_of_toml(text_of_toml(path, "ladder's file"), path.name) if path.exists() else {}
        for name in settings:
            if name not in _SETTINGS:
                raise ConfigError(f"setting in {SETTINGS_FILE}", name, ", ".join(sorted(_SETTINGS)))
        each = settings.pop("each", {})
        # A match needs engines: these give place to the players.
        anybody = [{"player": "random", "name": name} for name in ("one", "two")]
        config = match_config({**settings, "engine": anybody, "rounds": _ENDLESS_ROUNDS})
        return config, load(config.openings, config.seed), each

    def _read(self, path: Path) -> LadderPlayer:
        """Return the player of a file; raise InputError if it is not a player's."""
        settings = tables_of_toml(text_of_toml(path, "player's file"), path.name, "player's file")
        anchor = settings.pop("anchor", None)
        config = engine_config(merged(self._each, {"name": path.stem, **settings}))
        check_cores(replace(self.common, engines=(config, replace(config, name=f"{config.name}'"))), forced=False)
        try:
            return LadderPlayer(config, None if anchor is None else parse_decimal(str(anchor), -10_000, 10_000))
        except InputError as error:
            raise ConfigError("anchor", str(anchor), "a rating from -10000 to 10000") from error


def _mark(path: Path) -> object:
    """Return a value that changes when a file does; empty if the file cannot be read."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


# -- the games --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Pairing:
    """Two players: their match, in the store once they have met, and their games that are played or in progress."""

    slots: tuple[int, int]
    config: MatchConfig
    number: int
    first_opening: int
    stored: StoredMatch | None = None
    last_id: int = 0
    taken: set[tuple[int, int]] = field(default_factory=set)
    whole: int = 0
    """The number of pairs of games taken, from the first one on."""

    @property
    def is_half(self) -> bool:
        """Whether a pair of games lacks its other game."""
        return len(self.taken) % 2 == 1

    def next_task(self) -> GameTask:
        """Take and return the first game that is left."""
        while True:
            for leg in (0, 1):
                if (self.whole, leg) not in self.taken:
                    self.taken.add((self.whole, leg))
                    return GameTask(self.whole, leg, self.first_opening + self.whole, leg, 1 - leg)
            self.whole += 1


class Ladder:
    """A ladder in progress. `step` is one turn of its loop; the caller closes the store and the backend."""

    def __init__(
        self, roster: Roster, store: MatchStore, backend: LocalBackend, page: Path, tell: Callable[[str], None]
    ) -> None:
        self._roster, self._store, self._backend, self._page, self._tell = roster, store, backend, page, tell
        self._flying: list[tuple[GameJob, StoredMatch]] = []
        self._missed = Counter[str]()
        """By name of a player, the games in a row in which it has not started."""
        self._looked = time.monotonic()
        self._begin()

    def _begin(self) -> None:
        """Count the games of the players that there are now."""
        players = sorted(self._roster.players.values(), key=lambda player: player.config.name)
        self.names = [visible(player.config.name, NAME_COLUMNS) for player in players]
        self.tally = Tally(len(players))
        self._anchors = {slot: one.anchor for slot, one in enumerate(players) if one.anchor is not None}
        self._played_last = [0] * len(players)
        self._latest: deque[Mapping[str, Any]] = deque(maxlen=LATEST)
        stored = {match.key: match for match in self._store.matches()}
        self._pairings: dict[tuple[int, int], _Pairing] = {}
        for number, (first, second) in enumerate(combinations(range(len(players)), 2)):
            config = replace(self._roster.common, engines=(players[first].config, players[second].config))
            # Each pairing begins elsewhere: otherwise, the few games of a new player would all have the same openings.
            opening = int(config.key[:8], 16) % (self._roster.openings.count or _ENDLESS_ROUNDS)
            one = _Pairing((first, second), config, number, opening, stored.get(config.key))
            # Games of players that have left are stored, too, when they end.
            one.taken |= {(job.task.pair, job.task.leg) for job, match in self._flying if match == one.stored}
            self._pairings[first, second] = one
        self._count(tell=False)
        self._write_page()
        if len(players) < 2:
            self._tell(f"{counted(len(players), 'player')}: a ladder needs two or more")

    def step(self) -> None:
        """Look at the folder, hand out games, and store and count those that have ended."""
        if time.monotonic() - self._looked >= LOOK_S:
            self._looked = time.monotonic()
            if self._roster.look():
                self._begin()
        while len(self._flying) < self._backend.slots and (pairing := self.next_pairing()) is not None:
            self._start(pairing)
        if not self._flying:
            time.sleep(WAIT_S)
        absent: dict[str, str] = {}
        for job, answer in self._backend.answers(WAIT_S) if self._flying else ():
            at = next(place for place, (flying, _) in enumerate(self._flying) if flying is job)
            _, match = self._flying.pop(at)
            if isinstance(answer, str):
                self._leave_out(job, answer)
            else:
                self._store.add(match.id, answer)
                absent |= self._absent(job, answer)
        if self._count(tell=True):
            self._write_page()
        for name, why in absent.items():
            self._roster.leave_out(name, why)
        if absent:
            self._begin()
        self._store.show_life()

    def next_pairing(self) -> _Pairing | None:
        """Return whose game is next; None if there are not two players."""
        half = next((one for one in self._pairings.values() if one.is_half), None)
        if half is not None or not self._pairings:
            return half
        games = [sum(len(one.taken) for one in self._of(slot)) for slot in range(len(self.names))]
        slot = min(
            range(len(games)), key=lambda slot: (min(games[slot], NEW_GAMES), self._played_last[slot], games[slot])
        )
        known = [place for place, number in zip(self.places, games, strict=True) if number]
        middle = sum(known) / len(known) if known else 0.0
        elo = [place if number else middle for place, number in zip(self.places, games, strict=True)]

        def away(one: _Pairing) -> float:
            return abs(elo[one.slots[0]] - elo[one.slots[1]])

        near = sorted(self._of(slot), key=away)
        known_ones = [one for one in near[NEIGHBOURS:] if {*one.slots} & {*self._anchors} - {slot}]
        return min([*near[:NEIGHBOURS], *known_ones], key=lambda one: (len(one.taken), away(one)))

    def _of(self, slot: int) -> list[_Pairing]:
        return [one for one in self._pairings.values() if slot in one.slots]

    def _start(self, pairing: _Pairing) -> None:
        if pairing.stored is None:
            pairing.stored = self._store.open_match(pairing.config, machine())
        task = pairing.next_task()
        # What another ladder on the same store has claimed stays taken here.
        if self._store.claim(pairing.stored.id, task):
            turn = max(self._played_last) + 1
            for slot in pairing.slots:
                self._played_last[slot] = turn
            job = game_job(pairing.config, self._roster.openings, task)
            self._flying.append((job, pairing.stored))
            self._backend.start(job)

    def _absent(self, job: GameJob, report: GameReport) -> dict[str, str]:
        """Return the name of a player that has missed too many games, with the reason."""
        outcome = report.outcome
        for color, config in ((Color.BLACK, job.black), (Color.WHITE, job.white)):
            if outcome.ending is not Ending.NO_START or outcome.loser is not color:
                self._missed[config.name] = 0
                continue
            self._missed[config.name] += 1
            if self._missed[config.name] >= MOST_MISSED:
                del self._missed[config.name]
                return {config.name: f"it did not start in {MOST_MISSED} games in a row: {outcome.detail}"}
        return {}

    def _leave_out(self, job: GameJob, why: str) -> None:
        """Leave out the players that made a game impossible; raise ArenaError if neither did."""
        faults = {config.name: _fault(config, job) for config in (job.black, job.white)}
        if not any(faults.values()):
            raise ArenaError(why)
        for name, fault in faults.items():
            if fault:
                self._roster.leave_out(name, fault)
        self._begin()

    def _count(self, tell: bool) -> int:
        """Count the games that have come into the store, from any ladder; return their number."""
        found = []
        for one in self._pairings.values():
            if one.stored is not None:
                results = list(self._store.results(one.stored.id, one.last_id))
                one.taken |= {(result.pair, result.leg) for result in results}
                one.last_id = max([one.last_id, *(result.id for result in results)])
                found += [(one, result) for result in results]
        for one, result in sorted(found, key=lambda item: item[1].id):
            self.tally.add(moved(result, one.slots, one.number * APART))
            for slot in one.slots:
                self._played_last[slot] = max(self._played_last[slot], result.id)
            if tell:
                names = [self.names[slot] for slot in one.slots]
                self._tell(f"game {self.tally.games}: {result_text(names, result)}")
        for one, result in sorted(found, key=lambda item: item[1].id)[-LATEST:]:
            assert one.stored is not None
            self._latest.appendleft(game_data(one.stored, self._store.game(one.stored.id, result.id)))
        self.places = places(len(self.names), self.tally, self._anchors)
        return len(found)

    def _write_page(self) -> None:
        with whole_file(self._page) as file:
            keys = [one.stored.key for one in self._pairings.values() if one.stored is not None]
            parts = ladder_html(
                self.names,
                self.tally,
                rated(len(self.names), self.tally, self._anchors),
                self._anchors,
                list(self._latest),
                keys,
            )
            file.writelines(part.encode("utf-8", "replace") for part in parts)


def _fault(config: EngineConfig, job: GameJob) -> str:
    """Return why an engine cannot play at all; empty if it can, or fails in a way that loses it the game."""
    player = make_player(config)
    try:
        player.start()
        player.new_game(job.opening.game(), job.seed)
    except ArenaError as error:
        return str(error)
    except Failure:
        pass
    finally:
        player.close()
    return ""


def _stored_keys(place: Path) -> list[str]:
    """Return the keys of the matches in a store, none if there is no store. Raise StoreError."""
    if not place.exists():
        return []
    with MatchStore(place, create=False) as store:
        return [match.key for match in store.matches()]


# -- the command ------------------------------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Keep playing games between the engines of a folder, new ones first, and keep a page of their ratings up to date."
        " Ctrl-C or SIGTERM stops it; the same command resumes."
    )
    told = f"a folder with one TOML file of engine settings for each player, and {SETTINGS_FILE} for all"
    parser.add_argument("folder", type=Path, metavar="FOLDER", help=told)
    parser.add_argument("--store", type=Path, metavar="FILE", help=f"where games are stored (FOLDER/{STORE})")
    parser.add_argument("--page", type=Path, metavar="FILE", help=f"where the page is written (FOLDER/{PAGE})")
    parser.add_argument(
        "--overwrite", action="store_true", help="let --page replace a file that is no page of this ladder"
    )


@guarded("match ladder", stopped="stopped; the same command resumes")
def run(args: argparse.Namespace) -> int:
    """Play until a signal; return 0 then, 1 for a failure, 2 for an invalid folder."""
    folder: Path = args.folder
    roster = Roster(folder, lambda words: report(words, "match ladder"))
    told_to_stop: list[int] = []

    def stop(number: int, frame: object) -> None:
        # The second signal does not wait for the end of a step.
        told_to_stop.append(number)
        signal.signal(number, signal.default_int_handler)

    place, page = args.store or folder / STORE, args.page or folder / PAGE
    players = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    check_outputs({"--store": place}, input=players)
    check_outputs({"--page": page}, store=database(place), input=players)
    refuse_dash(page)
    refuse_taken(
        page, overwrite=args.overwrite, is_own=lambda path: is_page_of(path, _stored_keys(place)), word=OVERWRITE
    )
    with MatchStore(place) as store:
        backend = LocalBackend(roster.common.concurrency)
        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            ladder = Ladder(roster, store, backend, page, lambda words: write_lines([words]))
            while not told_to_stop:
                ladder.step()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            backend.close()
    report("stopped; the same command resumes", "match ladder")
    return 0
