"""The configuration of a match: frozen values, checked when they are made, and their form in the store.

The limits of an engine are written as in chess arenas: `tc=60+1` is a minute for the game and a second more
after each move, `tc=40/60+1` the same with another minute after every 40 moves, `tc=5/0.1` a tenth of a second for
each five moves, `tc=2:30` two minutes and a half; `st=0.1` is the time for each move. Times are in seconds.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from othello_bot.arena.errors import ConfigError
from othello_bot.arena.sprt import Sprt
from othello_bot.base.clocks import ClockState, PlayerClock, TimeControl, TimeSettings, TimeSystem
from othello_bot.base.errors import counted, shown
from othello_bot.base.notation import NotationError, parse_decimal, parse_integer
from othello_bot.engine import Options, available_cores, find_option
from othello_bot.protocol.conversation_gtp import Passes


class MatchFormat(str, Enum):
    """Who meets whom."""

    PAIR = "pair"
    """Two engines."""
    GAUNTLET = "gauntlet"
    """The first engine, or the first `seeds`, against all others."""
    ROUND_ROBIN = "round-robin"
    """All against all."""
    SWISS = "swiss"
    """In each stage, players with equal scores."""
    KNOCKOUT = "knockout"
    """In each stage, the winners of the last one."""

    __str__ = str.__str__


IN_STAGES: Final = (MatchFormat.SWISS, MatchFormat.KNOCKOUT)
"""The formats in which results decide who meets next."""


class OpeningOrder(str, Enum):
    """The order in which openings are played."""

    SEQUENTIAL = "sequential"
    RANDOM = "random"

    __str__ = str.__str__


class PlayerDialect(str, Enum):
    """The protocol of a process."""

    GTP = "gtp"
    NBOARD = "nboard"
    NATIVE = "native"
    JSON = "json"
    """A JSON object a turn."""
    BOTZONE = "botzone"
    BOTZONE_SIMPLE = "botzone-simple"

    __str__ = str.__str__


OWN_DIALECTS: Final = (PlayerDialect.GTP, PlayerDialect.NBOARD, PlayerDialect.NATIVE)
"""Those in which our own engine plays as a process."""


class IllegalRule(str, Enum):
    """What an illegal move does: it loses the game, or the engine is asked again."""

    LOSE = "lose"
    RETRY = "retry"

    __str__ = str.__str__


BUILT_IN: Final = "balanced"
"""The opening source that ships with the program."""


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """All limits of one engine's moves; the first one reached applies. Times in seconds, depth in plies."""

    control: TimeControl | None = None
    move_time_s: float | None = None
    depth: int | None = None
    nodes: int | None = None
    level: int | None = None

    def __str__(self) -> str:
        parts = [
            "" if self.control is None else f"tc={self.control}",
            "" if self.move_time_s is None else f"st={self.move_time_s:g}",
            "" if self.depth is None else f"depth={self.depth}",
            "" if self.nodes is None else f"nodes={self.nodes}",
            "" if self.level is None else f"level={self.level}",
        ]
        return " ".join(filter(None, parts)) or "no limit"

    def scaled(self, speed: float) -> PlayLimits:
        """Return the limits for a machine that is `speed` times as fast: all times are divided by it."""
        if speed == 1:
            return self
        control, move_time_s = self.control, self.move_time_s
        if control is not None:
            control = replace(control, main_s=control.main_s / speed, increment_s=control.increment_s / speed)
        return replace(self, control=control, move_time_s=None if move_time_s is None else move_time_s / speed)

    @property
    def settings(self) -> TimeSettings | None:
        """The time control for clocks and protocols (which announce as much of it as they can); None without one."""
        control, move_s = self.control, self.move_time_s
        if control is None:
            # One move per period is how every GTP engine can be given a time per move.
            return None if move_s is None else TimeSettings(TimeSystem.CANADIAN, 0.0, move_s, 1)
        return replace(control.settings, per_move_s=move_s)

    @property
    def clock(self) -> PlayerClock:
        """The engine's clock at the beginning of a game."""
        return PlayerClock.start(self.settings or TimeSettings())


A_DAY: Final = ClockState(86_400.0)
"""A clock that does not run, as protocols transmit it: both clocks are sent together."""


class PlayerKind(str, Enum):
    """How an engine runs; the value is its name in settings and in the store."""

    PROCESS = "process"
    ENGINE = "engine"
    """Our own engine inside the worker."""
    SELF = "self"
    """Our own engine as a separate process."""
    STRATEGY = "strategy"


INNER: Final = (PlayerKind.ENGINE, PlayerKind.STRATEGY)
"""The kinds that play inside the worker."""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """One engine of a match.

    command      program and arguments of a PROCESS
    strategy     the spec of a STRATEGY, like iago:3
    dialect      protocol of a PROCESS or SELF
    passes       whether a GTP engine is told of forced passes
    folder       where a process runs; empty for the arena's own folder
    options      (name, value) set at its start, by the engine's own names
    init         lines sent to a process after its start, before the options
    limits       what limits its moves
    margin_s     seconds of a game by which it may exceed its time without losing
    restart      true: restarted for every game; false: only after a failure
    start_s      seconds it has for its first answer
    timeout_s    seconds for a move when no clock runs
    memory_mib   resident memory of a process and of what it starts beyond which it loses; None for no limit
    illegal      what an illegal move does
    """

    name: str
    kind: PlayerKind
    command: tuple[str, ...] = ()
    strategy: str = ""
    dialect: PlayerDialect = PlayerDialect.GTP
    passes: Passes = Passes.LEARN
    folder: str = ""
    options: tuple[tuple[str, str], ...] = ()
    init: tuple[str, ...] = ()
    limits: PlayLimits = field(default_factory=PlayLimits)
    margin_s: float = 0.1
    restart: bool = False
    start_s: float = 10.0
    timeout_s: float = 600.0
    memory_mib: int | None = None
    illegal: IllegalRule = IllegalRule.LOSE

    @property
    def threads(self) -> int:
        """The threads that it is set to search with; 1 by default."""
        try:
            return parse_integer(dict(self.options).get("threads", "1"), 1)
        except NotationError:
            return 1

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The options as they are set, with those of its limits that are options: the only form of these limits.

        A time a move is an option of our own session; all others have a clock for it.
        """
        limits = self.limits
        named: dict[str, int | None] = {"depth": limits.depth, "nodes": limits.nodes, "level": limits.level}
        native = self.dialect is PlayerDialect.NATIVE and self.kind is not PlayerKind.ENGINE
        if native and limits.move_time_s is not None:
            named["move_time"] = max(1, round(1000 * limits.move_time_s))
        return (*self.options, *((name, str(value)) for name, value in named.items() if value is not None))

    def engine_options(self) -> Options:
        """Return the options of our own engine inside the worker. Raise OptionError."""
        given: dict[str, Any] = {find_option(name).name: text for name, text in self.settings}
        return Options(**given)


@dataclass(frozen=True, slots=True)
class OpeningConfig:
    """Where the openings come from: `source` is BUILT_IN, "random", "start", or the name of a file.

    `plies` is the length of random openings; longer ones of a file are cut to it. `digest` is that of its content.
    """

    source: str = BUILT_IN
    plies: int | None = None
    order: OpeningOrder = OpeningOrder.RANDOM
    digest: str = ""

    def __post_init__(self) -> None:
        if self.plies is not None and not 0 <= self.plies <= 50:
            raise ConfigError("plies of openings", self.plies, "0 to 50")


@dataclass(frozen=True, slots=True)
class ResignRule:
    """A side loses when its own score is `-discs` or worse on `moves` of its moves in a row."""

    discs: float
    moves: int

    @classmethod
    def parse(cls, text: str, name: str = "resign") -> ResignRule:
        """Return the rule given by a text like "40/3": 40 discs behind on 3 moves; raise ConfigError with `name`."""
        discs, slash, moves = text.partition("/")
        try:
            return cls(parse_decimal(discs), parse_integer(moves) if slash else 3)
        except NotationError as error:
            raise ConfigError(name, text, "DISCS/MOVES, like 40/3") from error

    def __post_init__(self) -> None:
        if not 0 < self.discs <= 64:
            raise ConfigError("resignation score", self.discs, "a number of discs above 0, at most 64")
        if not 1 <= self.moves <= 60:
            raise ConfigError("resignation moves", self.moves, "1 to 60")


@dataclass(frozen=True, slots=True)
class Rules:
    """How a game may end before its end: by resignation, and by our solver at `solve_empties` empties (0: never).

    `agree`: when both engines have reported the same winner by `agree.discs` on `agree.moves` of their moves in a row.
    """

    resign: ResignRule | None = None
    solve_empties: int = 0
    agree: ResignRule | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.solve_empties <= 24:
            raise ConfigError("empties to adjudicate at", self.solve_empties, "0 (never) to 24")


@dataclass(frozen=True, slots=True)
class MatchConfig:
    """A whole match. `rounds` is the number of opening pairs of each pairing; two games each, colours swapped.

    The fields from `concurrency` on may change when a match is resumed, and so may `rounds`, except in the formats in
    stages. Any other change makes it another match.
    """

    engines: tuple[EngineConfig, ...]
    format: MatchFormat = MatchFormat.PAIR
    rounds: int = 50
    openings: OpeningConfig = field(default_factory=OpeningConfig)
    rules: Rules = field(default_factory=Rules)
    sprt: Sprt | None = None
    seed: int = 1
    seeds: int = 1
    """In a gauntlet, how many of the first engines play all others."""
    stages: int | None = None
    """In a Swiss match, how often everyone plays."""
    event: str = ""
    concurrency: int = 1
    cluster: str = ""
    affinity: bool = False
    """Whether each game has cores of its own."""
    traffic: str = ""
    """The folder into which all lines of all engines are written; empty for none."""
    speed: float = 1.0
    """How fast this machine is; all times are divided by it."""

    def __post_init__(self) -> None:
        names = [engine.name for engine in self.engines]
        if len(names) < 2:
            raise ConfigError("engines", ", ".join(names) or "none", "at least two")
        for name in names:
            if names.count(name) > 1:
                raise ConfigError("engine name", name, "a different name for every engine (name=...)")
        if self.format is MatchFormat.PAIR and len(names) > 2:
            raise ConfigError("engines", ", ".join(names), "two; for more choose the format gauntlet or round-robin")
        if not 1 <= self.seeds < len(names) or (self.seeds > 1 and self.format is not MatchFormat.GAUNTLET):
            raise ConfigError("seeds", self.seeds, f"1 to {len(names) - 1} in a gauntlet, 1 in other formats")
        if self.stages is not None and not (self.format is MatchFormat.SWISS and 1 <= self.stages <= len(names) // 2):
            raise ConfigError("stages", self.stages, f"1 to {len(names) // 2}, in a swiss match of this many engines")
        if self.sprt is not None and len(names) > 2:
            raise ConfigError("sequential test", counted(len(names), "engine"), "two engines")
        if not 1 <= self.rounds <= 10_000_000:
            raise ConfigError("rounds", self.rounds, "1 to 10000000")
        if self.concurrency < 1:
            raise ConfigError("concurrency", self.concurrency, "1 or more")
        if not 0.01 <= self.speed <= 100:
            raise ConfigError("speed", self.speed, "0.01 to 100")
        for name in ("affinity", "traffic"):
            if self.cluster and getattr(self, name):
                raise ConfigError(name, "cluster", "a match on this machine, without --cluster")

    @property
    def key(self) -> str:
        """64 hexadecimal digits that identify the match; the same command gives the same key."""
        return hashlib.sha256(self.identity.encode()).hexdigest()

    @property
    def identity(self) -> str:
        """All settings that affect the games, as JSON."""
        content = as_json(self)
        for name in _OUTSIDE if self.format not in IN_STAGES else _OUTSIDE[1:]:
            del content[name]
        controls = (engine["limits"]["control"] or {} for engine in content["engines"])
        for part in (content, content["rules"], *content["engines"], *controls):
            for name, default in _LATER.items():
                if part.get(name, "") == default:
                    del part[name]
        return json.dumps(content, sort_keys=True)


_OUTSIDE: Final = ("rounds", "concurrency", "cluster", "affinity", "traffic", "speed")
"""The settings of a match that may change."""

_LATER: Final = {
    "seeds": 1,
    "stages": None,
    "agree": None,
    "passes": Passes.LEARN,
    "memory_mib": None,
    "illegal": IllegalRule.LOSE,
    "grace_s": 0.0,
}
"""Settings that a match's key leaves out at these values: every match had them before the settings existed."""


def as_json(config: MatchConfig) -> dict[str, Any]:
    """Return a configuration as plain values, which `from_json` reads back."""
    return asdict(config)


def from_json(content: Mapping[str, Any]) -> MatchConfig:
    """Return the configuration that `as_json` wrote, or that an earlier version wrote; raise as `typed` does."""
    config: MatchConfig = typed(MatchConfig, content)
    return config


def typed(kind: Any, content: Any) -> Any:
    """Return plain values as a value of a field's type: a dataclass, a tuple, an enum, a plain type, or None.

    Raise AttributeError, KeyError, OverflowError, TypeError or ValueError for other values.
    """
    if type(content) is kind and kind in (int, str):
        return content  # at once: a store has hundreds of thousands of them
    parts = get_args(kind)
    if get_origin(kind) is UnionType:
        (wanted,) = (part for part in parts if part is not NoneType)
        return None if content is None else typed(wanted, content)
    if get_origin(kind) is tuple:
        if parts[-1] is Ellipsis:
            return tuple(typed(parts[0], item) for item in content)
        return tuple(typed(part, item) for part, item in zip(parts, content, strict=True))
    if is_dataclass(kind):
        types = get_type_hints(kind)
        for name in content:
            if name not in types:
                raise ValueError(f"this version does not know the setting {shown(name)}")
        make: Any = kind
        return make(**{name: typed(types[name], item) for name, item in content.items()})
    if issubclass(kind, Enum):
        return kind(content)
    # A whole number is a float too, and stays as it was written: the match's key depends on it.
    if not isinstance(content, (int, float) if kind is float else kind) or isinstance(content, bool) != (kind is bool):
        raise TypeError(f"expected {kind.__name__}, got {shown(content)}")
    if kind is float and not math.isfinite(content):
        raise ValueError(f"expected a finite number, got {content}")
    return content


def check_cores(config: MatchConfig, forced: bool) -> None:
    """Raise ConfigError if more would run at once than there are cores, unless `forced`.

    The two engines of a game take turns, so a game needs the threads of the one that has more.
    """
    cores = available_cores()
    threads = max(engine.threads for engine in config.engines)
    if not forced and not config.cluster and config.concurrency * threads > cores:
        shown = f"{counted(config.concurrency, 'game')} of {threads} threads" if threads > 1 else config.concurrency
        raise ConfigError("concurrency", shown, f"at most as many as cores, {cores}; --force-concurrency overrules")
