"""The configuration of a match: plain frozen values, checked as they are made and against each other."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any, Final

from othello_bot.arena.errors import ConfigError
from othello_bot.arena.sprt import Sprt
from othello_bot.arena.time_control import PlayLimits

FORMATS: Final = ("pair", "gauntlet", "round-robin")
"""Who meets whom: two engines; the first engine all others; everyone everyone."""

ORDERS: Final = ("sequential", "random")

DIALECTS: Final = ("gtp", "nboard", "native")
"""What a process may speak: GTP, NBoard 2, or our own session."""

PASSES: Final = ("learn", "on", "off")
"""Whether a GTP engine is told of forced passes: until it refuses one, always, or never."""

BUILT_IN: Final = "balanced"
"""The opening source that ships with the program."""


class PlayerKind(Enum):
    """How an engine runs; the value is how it is written."""

    PROCESS = "process"
    ENGINE = "engine"
    """Our own engine inside of the worker."""
    SELF = "self"
    """Our own engine as a process of its own."""
    STRATEGY = "strategy"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """One engine of a match.

    command      program and arguments of a PROCESS
    strategy     the spec of a STRATEGY, like iago:3
    dialect      what a PROCESS, or our own engine as one, speaks, one of DIALECTS
    passes       whether it is told of forced passes, one of PASSES
    folder       where a process runs; empty is where the arena runs
    options      (name, value) set when it starts, by the engine's own names
    init         lines sent to a process after its start, before the options
    limits       what limits its moves
    margin_s     seconds that it may exceed its time by, unpunished
    restart      true: a fresh start for every game; else only after a failure
    start_s      seconds until its first answer
    timeout_s    seconds for a move where no clock runs
    """

    name: str
    kind: PlayerKind
    command: tuple[str, ...] = ()
    strategy: str = ""
    dialect: str = "gtp"
    passes: str = PASSES[0]
    folder: str = ""
    options: tuple[tuple[str, str], ...] = ()
    init: tuple[str, ...] = ()
    limits: PlayLimits = field(default_factory=PlayLimits)
    margin_s: float = 0.1
    restart: bool = False
    start_s: float = 10.0
    timeout_s: float = 600.0

    @property
    def threads(self) -> int:
        """The threads that it was told to search with; 1 where nothing was said."""
        text = dict(self.options).get("threads", "1")
        return int(text) if text.isascii() and text.isdigit() else 1


@dataclass(frozen=True, slots=True)
class OpeningConfig:
    """Where the openings come from: `source` is BUILT_IN, "random", "start", or the name of a file.

    `plies` cuts longer openings, and is the length of random ones. `digest` is that of the file's content.
    """

    source: str = BUILT_IN
    plies: int | None = None
    order: str = "random"
    digest: str = ""

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise ConfigError("order of openings", self.order, " or ".join(ORDERS))
        if self.plies is not None and not 0 <= self.plies <= 50:
            raise ConfigError("plies of openings", self.plies, "0 to 50")


@dataclass(frozen=True, slots=True)
class ResignRule:
    """A side whose own score is `-discs` or worse for `moves` of its moves in a row has lost."""

    discs: float
    moves: int

    def __post_init__(self) -> None:
        if not 0 < self.discs <= 64:
            raise ConfigError("resignation score", self.discs, "a number of discs above 0, at most 64")
        if not 1 <= self.moves <= 60:
            raise ConfigError("resignation moves", self.moves, "1 to 60")


@dataclass(frozen=True, slots=True)
class Rules:
    """How a game may end before its end: by resignation, and by our solver at `solve_empties` empties (0: never)."""

    resign: ResignRule | None = None
    solve_empties: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.solve_empties <= 24:
            raise ConfigError("empties to adjudicate at", self.solve_empties, "0 (never) to 24")


@dataclass(frozen=True, slots=True)
class MatchConfig:
    """A whole match. `rounds` is the number of opening pairs of each pairing; two games each, colours swapped.

    `rounds`, `concurrency` and `cluster` may change between a match and its resumption, everything else makes it
    another match.
    """

    engines: tuple[EngineConfig, ...]
    format: str = "pair"
    rounds: int = 50
    openings: OpeningConfig = field(default_factory=OpeningConfig)
    rules: Rules = field(default_factory=Rules)
    sprt: Sprt | None = None
    seed: int = 1
    event: str = ""
    concurrency: int = 1
    cluster: str = ""

    def __post_init__(self) -> None:
        names = [engine.name for engine in self.engines]
        if len(names) < 2:
            raise ConfigError("engines", ", ".join(names) or "none", "at least two")
        for name in names:
            if names.count(name) > 1:
                raise ConfigError("engine name", name, "a name of its own for every engine (name=...)")
        if self.format not in FORMATS:
            raise ConfigError("format", self.format, ", ".join(FORMATS))
        if self.format == "pair" and len(names) > 2:
            raise ConfigError("engines", ", ".join(names), "two; for more choose the format gauntlet or round-robin")
        if self.sprt is not None and len(names) > 2:
            raise ConfigError("sequential test", f"{len(names)} engines", "two engines")
        if not 1 <= self.rounds <= 10_000_000:
            raise ConfigError("rounds", self.rounds, "1 to 10000000")
        if self.concurrency < 1:
            raise ConfigError("concurrency", self.concurrency, "1 or more")

    @property
    def key(self) -> str:
        """What makes this match this match: equal for a command and its repetition, as 64 hexadecimal digits."""
        return hashlib.sha256(self.identity.encode()).hexdigest()

    @property
    def identity(self) -> str:
        """Everything that matters for the games, as JSON."""
        content = as_json(self)
        for name in ("rounds", "concurrency", "cluster"):
            del content[name]
        for engine in content["engines"]:
            # A later setting: what says nothing of it is the match that it was.
            if engine["passes"] == PASSES[0]:
                del engine["passes"]
        return json.dumps(content, sort_keys=True)


def as_json(config: MatchConfig) -> dict[str, Any]:
    """Return the configuration as plain values, for the store."""
    content = asdict(config)
    for engine in content["engines"]:
        engine["kind"] = engine["kind"].value
    return content


def check_cores(config: MatchConfig, forced: bool) -> None:
    """Raise ConfigError where more would run at once than there are cores, unless `forced`.

    Two engines of a game take turns, so a game needs the threads of the one that has more.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = max(engine.threads for engine in config.engines)
    if not forced and not config.cluster and config.concurrency * threads > cores:
        shown = f"{config.concurrency} games of {threads} threads" if threads > 1 else config.concurrency
        raise ConfigError("concurrency", shown, f"at most as many as cores, {cores}; --force-concurrency overrules")
