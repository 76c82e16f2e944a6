"""Reads the settings of a match and of its engines, given as words on the command line or as tables of a TOML file."""

from __future__ import annotations

import importlib
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from othello_bot import strategies
from othello_bot.arena.config import (
    BUILT_IN,
    INNER,
    OWN_DIALECTS,
    EngineConfig,
    IllegalRule,
    MatchConfig,
    MatchFormat,
    OpeningConfig,
    OpeningOrder,
    PlayerDialect,
    PlayerKind,
    PlayLimits,
    ResignRule,
    Rules,
)
from othello_bot.arena.errors import ConfigError, MissingExtra
from othello_bot.arena.openings import digest
from othello_bot.arena.sprt import Sprt, SprtModel
from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError, InputError, brief, parsed
from othello_bot.base.notation import NotationError, parse_boolean, parse_decimal, parse_duration, parse_integer
from othello_bot.engine import Value, find_option
from othello_bot.formats.reading import text_of_file
from othello_bot.protocol.conversation_gtp import Passes

Settings = Mapping[str, Any]
"""Name to value: texts and numbers; `option` is a mapping itself, `init` a list of lines."""

LARGEST_FILE_BYTES: Final = 1 << 20
LONGEST_TEXT: Final = 1 << 12
"""Most characters of a setting of an engine: as many as a path may have; a command line is split in quadratic time."""
MOST_DOTS: Final = 40

ChoiceT = TypeVar("ChoiceT", bound=Enum)

Reader = Callable[[str, object], Any]
"""Returns the value of a setting of some name, given as text or, in a TOML file, as a number; raises ConfigError."""


def integer_setting(name: str, value: object, low: int = 0, high: int | None = None) -> int:
    """Return an integer within `low` .. `high`; see `Reader`."""
    return parsed(lambda text: parse_integer(text, low, high), str(value), ConfigError, name)


def decimal_setting(name: str, value: object, low: float | None = None, high: float | None = None) -> float:
    """Return a number within `low` .. `high`; see `Reader`."""
    text = value if isinstance(value, str) else repr(value)
    return parsed(lambda text: parse_decimal(text, low, high), text, ConfigError, name)


def _decimal(low: float, high: float) -> Reader:
    return partial(decimal_setting, low=low, high=high)


def _seconds(low_s: float, high_s: float) -> Reader:
    """Return the reader of a time in seconds, as a number or in words."""

    def read(name: str, value: object) -> float:
        if not isinstance(value, str):
            return decimal_setting(name, value, low_s, high_s)
        return parsed(lambda text: parse_duration(text, "seconds", low_s, high_s), value, ConfigError, name)

    return read


def _text(name: str, value: object) -> str:
    return str(value)


def _choice(kind: type[ChoiceT]) -> Callable[[str, object], ChoiceT]:
    """Return the reader of a member of an enum."""

    def read(name: str, value: object) -> ChoiceT:
        word = _option_text(value).lower()
        try:
            return kind(word)
        except ValueError:
            raise ConfigError(name, word, ", ".join(choice.value for choice in kind)) from None

    return read


def _switch(name: str, value: object) -> bool:
    try:
        return parse_boolean(_option_text(value))
    except NotationError as error:
        raise ConfigError(name, error.value, "on or off") from None


def _limit(name: str, value: object) -> int | None:
    """Return the value of a limit that is an option of the engine, None for `auto`."""
    limit = parsed(find_option(name).read, value, ConfigError, name)
    assert limit is None or isinstance(limit, int)
    return limit


def existing_folder(name: str, value: object) -> str:
    """Return the name of a folder, or an empty one; raise ConfigError if there is no such folder."""
    try:
        if not str(value) or Path(str(value)).is_dir():
            return str(value)
    except OSError:  # a name that is too long, or a folder that may not be looked into
        pass
    raise ConfigError(name, str(value), "a folder that exists")


def _rule(name: str, value: object) -> ResignRule:
    return ResignRule.parse(str(value), name)


def _lines(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise ConfigError(name, str(value), "a line, or a list of lines")
    return tuple(map(str, value))


def _option_text(value: object) -> str:
    """Return a value as engines write it; TOML has true and false."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its name, its meaning for the help, its reader (None: it is read together with others), its field.

    `field`: of the part of the configuration that it belongs to, by default of the setting's name. `metavar`: what stands
    for the value on the command line, empty for a switch.
    """

    name: str
    meaning: str
    read: Reader | None = None
    field: str = ""
    metavar: str = ""


def _read(table: Iterable[Setting], settings: Settings, part: type) -> dict[str, Any]:
    """Return the fields of a part of the configuration that the settings name."""
    own = {field.name for field in fields(part)}
    return {
        field: setting.read(setting.name, settings[setting.name])
        for setting in table
        if setting.read and (field := setting.field or setting.name) in own and settings.get(setting.name) is not None
    }


_FORMS: Final = f"who meets whom: {', '.join(MatchFormat)}; for two engines {MatchFormat.PAIR}"
_SOURCES: Final = f"{BUILT_IN} (default), book (the shipped one), random, start, or a file: games, OBF, or a book"
_PLIES: Final = "plies of random openings (8) and of book openings (all); longer openings of games are cut to this"
_RESIGN: Final = "an engine loses after scores of -DISCS or worse on MOVES of its moves in a row, like 40/3"
_AGREE: Final = (
    "end a game when both engines report the same winner by DISCS on MOVES of their moves in a row, like 20/4"
)
_SPEED: Final = "divide all times by X, the speed of this machine relative to the one they are meant for (1)"
_STAGES: Final = "in a swiss match, how often everyone plays (enough to find a winner)"

MATCH_SETTINGS: Final = (
    Setting("format", _FORMS, _choice(MatchFormat), metavar="FORM"),
    Setting("rounds", "openings for each pair of engines, two games per opening (50)", integer_setting, metavar="N"),
    Setting("openings", _SOURCES, _text, "source", "SOURCE"),
    Setting("opening_plies", _PLIES, integer_setting, "plies", "N"),
    Setting(
        "order", f"order of the openings: {', '.join(OpeningOrder)} (random)", _choice(OpeningOrder), metavar="ORDER"
    ),
    Setting("seed", "seed of every random choice (1)", integer_setting, metavar="N"),
    Setting("resign", _RESIGN, _rule, metavar="DISCS/MOVES"),
    Setting("agree", _AGREE, _rule, metavar="DISCS/MOVES"),
    Setting(
        "adjudicate", "let our solver end games at N empty squares (0: never)", integer_setting, "solve_empties", "N"
    ),
    Setting("concurrency", "games at once (1), at most as many as cores", integer_setting, metavar="N"),
    Setting("cluster", "play on the Dask cluster with this scheduler, like tcp://host:8786", _text, metavar="ADDRESS"),
    Setting("seeds", "in a gauntlet, the first N engines play all others (1)", integer_setting, metavar="N"),
    Setting("stages", _STAGES, integer_setting, metavar="N"),
    Setting("affinity", "give each game cores of its own, one for each thread of an engine", _switch),
    Setting("speed", _SPEED, _decimal(0.01, 100), metavar="X"),
    Setting(
        "traffic", "write every line of every engine, with its time, to files in this folder", _text, metavar="FOLDER"
    ),
    Setting("event", "name of the match in reports and exported games", _text, metavar="TEXT"),
)
"""The settings of a match that have one value; those of the command line take precedence over the file."""

MATCH_KEYS: Final = frozenset({"engine", "each", "sprt", "tune", *(setting.name for setting in MATCH_SETTINGS)})
"""The keys at the top of a file; `engine` is an array of tables, `each`, `sprt` and `tune` are tables."""

_PROTO: Final = (
    "protocol of a process: gtp (default of cmd=), nboard, native (default of self), json, or botzone[-simple]"
)
_PASSES: Final = "whether a GTP engine is told of forced passes: on, off, or learn (default: until it refuses one)"
_MARGIN: Final = "seconds by which it may exceed its time without losing, in the whole game (0.1)"
_MEMORY: Final = "most MiB of memory for a process and its child processes; with more, it loses the game"
_ILLEGAL: Final = "lose: an illegal move loses the game (default); retry: it is asked again, three times at most"

ENGINE_SETTINGS: Final = (
    Setting("player", "engine (this one, inside the arena), self (this one as a process), or a strategy like iago:3"),
    Setting("cmd", "command line of a process"),
    Setting("proto", _PROTO),
    Setting("passes", _PASSES, _choice(Passes)),
    Setting("name", "name in tables and files"),
    Setting("dir", "folder in which a process runs", existing_folder, "folder"),
    Setting(
        "tc",
        "game clock: [MOVES/]SECONDS[+INCREMENT], minutes as in 1:30 or 5 min, or inf",
        lambda name, value: parsed(TimeControl.parse, str(value), ConfigError, "time control"),
        "control",
    ),
    Setting("st", "seconds per move", _seconds(0.001, 1e6), "move_time_s"),
    Setting("depth", "plies", _limit),
    Setting("nodes", "positions per move", _limit),
    Setting("level", "playing level", _limit),
    Setting("strength", "playing strength of this engine, by name or number; needs no limits"),
    Setting("margin", _MARGIN, _seconds(0, 3600), "margin_s"),
    Setting("restart", "on: restart it for every game; off: only after a failure (off)", _switch),
    Setting("start", "seconds it has for its first answer (10)", _seconds(0.1, 3600), "start_s"),
    Setting(
        "timeout",
        "seconds for a move when no clock runs (600)",
        _seconds(0.1, 1e6),
        "timeout_s",
    ),
    Setting("memory", _MEMORY, partial(integer_setting, low=1), "memory_mib"),
    Setting("illegal", _ILLEGAL, _choice(IllegalRule)),
    Setting("init", "a line sent to a process after its start; may be repeated", _lines),
    Setting("option", "option.NAME=VALUE sets an option of the engine; may be repeated"),
)
"""All settings of an engine, in the order of the help."""

ENGINE_KEYS: Final = tuple(setting.name for setting in ENGINE_SETTINGS)


def settings_of_words(words: Sequence[str]) -> dict[str, Any]:
    """Return the settings given by words like `cmd="edax -gtp"`, `option.threads=2` and the bare `iago:3`."""
    settings: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name.split(":")[0] in strategies.names():
            # A strategy's own settings may hold an equals sign: mini-othello:4:end=12.
            _set(settings, "player", word)
        elif name.startswith("option."):
            options = settings.setdefault("option", {})
            if not isinstance(options, dict):
                raise ConfigError("engine setting option", options, "option.NAME=VALUE")
            options[name.removeprefix("option.")] = value
        elif name == "init":
            settings.setdefault("init", []).append(value)
        else:
            _set(settings, name, value)
    return settings


def _set(settings: dict[str, Any], name: str, value: str) -> None:
    if name in settings:
        raise ConfigError(f"engine setting {name}", value, f"it once, and it is {brief(str(settings[name]))} already")
    settings[name] = value


def with_options(own: object, options: Sequence[tuple[str, Value]]) -> object:
    """Return the settings of an engine with options of the command line, where it is this engine; its own settings win.

    Limits of a move are settings of the arena, which passes them to the engine.
    """
    if not isinstance(own, Mapping) or own.get("player") not in (PlayerKind.ENGINE.value, PlayerKind.SELF.value):
        return own
    common: dict[str, Any] = {}
    for name, value in options:
        if value is None:
            continue
        if name in ("level", "depth", "nodes"):
            common[name] = value
        elif name == "move_time":
            assert isinstance(value, int)
            common["st"] = value / 1000
        else:
            common.setdefault("option", {})[name] = value
    return merged(common, own)


def merged(common: Settings, own: Settings) -> dict[str, Any]:
    """Return the common settings, overridden by those of one engine; options are merged one by one."""
    both = {**common, **own}
    if "option" in common and "option" in own:
        both["option"] = {**_table(common["option"]), **_table(own["option"])}
    if "init" in common and "init" in own:
        both["init"] = [*_lines("init", common["init"]), *_lines("init", own["init"])]
    return both


def engine_config(settings: Settings, taken: Iterable[str] = ()) -> EngineConfig:
    """Return the engine that settings describe; raise ConfigError for invalid ones.

    An engine without a name is called after its program, with a number where that name is `taken`.
    """
    for name in settings:
        if name not in ENGINE_KEYS:
            raise ConfigError("engine setting", name, ", ".join(ENGINE_KEYS))
        if isinstance(settings[name], str) and len(settings[name]) > LONGEST_TEXT:
            raise ConfigError(name, settings[name], f"at most {LONGEST_TEXT} characters")
    kind, command, strategy = _player(settings)
    limits = PlayLimits(**_read(ENGINE_SETTINGS, settings, PlayLimits))
    if kind is PlayerKind.STRATEGY:
        for name in ("nodes", "level", "strength", "option", "init", "proto", "passes", "dir", "illegal"):
            if name in settings:
                raise ConfigError(f"setting {name} of strategy", strategy, "tc, st or depth, and the spec itself")
        if limits.depth is not None:
            strategy = strategies.with_depth(strategy, limits.depth)
    elif limits == PlayLimits() and settings.get("tc") is None and "strength" not in settings:
        raise ConfigError("limits of engine", _shown(settings), "tc=, st=, depth=, nodes= or level=; tc=inf for none")
    options = tuple((str(name), _option_text(value)) for name, value in _table(settings.get("option", {})).items())
    if "strength" in settings:
        options = (*options, ("strength", str(settings["strength"])))
    if kind in (PlayerKind.ENGINE, PlayerKind.SELF):
        # The book is off unless asked for: openings are the arena's.
        options = (*options, *(() if "book" in dict(options) else (("book", "off"),)))
    dialect = _dialect(settings, kind)
    default_name = _default_name(kind, command, strategy, settings)
    config = EngineConfig(
        name=str(settings.get("name", "")).strip() or _unused_name(default_name, taken),
        kind=kind,
        command=command,
        strategy=strategy,
        dialect=dialect,
        options=options,
        limits=limits,
        **_read(ENGINE_SETTINGS, settings, EngineConfig),
    )
    if kind in (PlayerKind.ENGINE, PlayerKind.SELF):
        try:
            config.engine_options()
        except InputError as error:
            raise ConfigError(f"engine {error.what}", error.value, error.expected) from error
    return config


def _dialect(settings: Settings, kind: PlayerKind) -> PlayerDialect:
    """Return the protocol of a player; raise ConfigError for settings that do not fit it."""
    for name in ("proto", "memory"):
        if kind in INNER and name in settings:
            raise ConfigError(f"setting {name} of engine", _shown(settings), "it together with cmd= or self only")
    usual = PlayerDialect.GTP if kind is PlayerKind.PROCESS else PlayerDialect.NATIVE
    dialect = _choice(PlayerDialect)("proto", settings.get("proto", usual.value))
    if kind is PlayerKind.SELF and dialect not in OWN_DIALECTS:
        raise ConfigError("proto", dialect, ", ".join(OWN_DIALECTS))
    if "passes" in settings and dialect is not PlayerDialect.GTP:
        raise ConfigError("setting passes of engine", _shown(settings), "it together with proto=gtp only")
    return dialect


def _player(settings: Settings) -> tuple[PlayerKind, tuple[str, ...], str]:
    """Return how the engine runs, its command line, and its strategy."""
    command, player = settings.get("cmd"), str(settings.get("player", ""))
    if (command is None) == (not player):
        raise ConfigError("engine", _shown(settings), "either cmd=COMMAND, or engine, self or a strategy")
    if command is not None:
        words = tuple(map(str, command)) if isinstance(command, list) else tuple(split_command(str(command)))
        if not words or not words[0]:
            raise ConfigError("cmd", str(command), "a command line")
        return PlayerKind.PROCESS, words, ""
    if player in (PlayerKind.ENGINE.value, PlayerKind.SELF.value):
        return PlayerKind(player), (), ""
    try:
        strategies.make(player)
    except strategies.StrategyError as error:
        raise ConfigError("player", player, f"engine, self, or a strategy ({error})") from error
    return PlayerKind.STRATEGY, (), player


def _default_name(kind: PlayerKind, command: tuple[str, ...], strategy: str, settings: Settings) -> str:
    if kind is PlayerKind.STRATEGY:
        return strategy
    if "strength" in settings:
        return f"strength-{settings['strength']}"
    return (Path(command[0]).name or command[0]) if command else "othello-bot"


def _unused_name(name: str, taken: Iterable[str]) -> str:
    known = set(taken)
    number = 2
    unused = name
    while unused in known:
        unused, number = f"{name}-{number}", number + 1
    return unused


def split_command(text: str, name: str = "cmd") -> list[str]:
    """Return the words of a command line, as a shell splits them; raise ConfigError with the name of the setting for an
    open quotation.
    """
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ConfigError(name, text, f"a command line ({error})") from error


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ConfigError("option", str(value), "names with values, option.NAME=VALUE")
    return value


def _shown(settings: Settings) -> str:
    return " ".join(f"{name}={value}" for name, value in settings.items())


def read_toml(path: Path) -> dict[str, Any]:
    """Return the settings of a TOML file; raise ConfigError if it is invalid or has unknown keys."""
    return settings_of_toml(text_of_toml(path, "match file"), path.name)


def text_of_toml(path: Path, what: str) -> str:
    """Return the text of a TOML file; raise ConfigError, which calls it `what`, if it cannot be read."""
    try:
        return text_of_file(path, LARGEST_FILE_BYTES)
    except (FormatError, OSError) as error:
        raise ConfigError(what, str(path), f"a TOML file ({getattr(error, 'strerror', '') or error})") from error


def settings_of_toml(text: str, name: str) -> dict[str, Any]:
    """Return the settings of a TOML file's text; raise ConfigError if it is invalid or has unknown keys."""
    settings = tables_of_toml(text, name, "match file")
    for key in settings:
        if key not in MATCH_KEYS:
            raise ConfigError(f"setting in {name}", key, ", ".join(sorted(MATCH_KEYS)))
    for key, kind in (("engine", list), ("each", dict), ("sprt", dict), ("tune", dict)):
        if not isinstance(settings.get(key, kind()), kind):
            raise ConfigError(f"setting in {name}", key, "[[engine]] tables, one [each], one [sprt] and one [tune]")
    return settings


def tables_of_toml(text: str, name: str, what: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raise ConfigError, which calls it `what`, if it is invalid."""
    # Python 3.10 has no tomllib; the extra installs tomli instead.
    for module in ("tomllib", "tomli"):
        try:
            toml: Any = importlib.import_module(module)
            break
        except ImportError:
            continue
    else:
        raise MissingExtra("a TOML file", "tomli (or Python 3.11)")
    try:
        # A key of n parts takes time that grows as n^2.
        if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
            raise ValueError(f"more than {MOST_DOTS} dots in a line")
        if "\\u0000" in text or "\\U00000000" in text:
            raise ValueError("the character \\u0000, which no name of a file may have")
        tables: dict[str, Any] = toml.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(what, name, f"a TOML file ({error})") from error
    return tables


def match_config(settings: Mapping[str, Any]) -> MatchConfig:
    """Return the match that settings describe; raise ConfigError for invalid ones."""
    engines: list[EngineConfig] = []
    for own in settings.get("engine", ()):
        if not isinstance(own, Mapping):
            raise ConfigError("engine", str(own), "a table of settings")
        engines.append(engine_config(merged(settings.get("each", {}), own), [engine.name for engine in engines]))
    openings = OpeningConfig(**_read(MATCH_SETTINGS, settings, OpeningConfig))
    given = _read(MATCH_SETTINGS, settings, MatchConfig)
    return MatchConfig(
        tuple(engines),
        openings=replace(openings, digest=digest(openings.source)),
        rules=Rules(**_read(MATCH_SETTINGS, settings, Rules)),
        sprt=_sprt(settings["sprt"]) if settings.get("sprt") else None,
        **{"format": MatchFormat.PAIR if len(engines) == 2 else MatchFormat.ROUND_ROBIN, **given},
    )


def _sprt(settings: Mapping[str, Any]) -> Sprt:
    """Return the test given by settings like elo0=0 elo1=10."""
    values = dict(settings)
    model = _choice(SprtModel)("model", values.pop("model", SprtModel.NORMALISED.value))
    numbers = {
        name: decimal_setting(name, values.pop(name)) for name in ("elo0", "elo1", "alpha", "beta") if name in values
    }
    if values or not {"elo0", "elo1"} <= set(numbers):
        raise ConfigError("sprt", " ".join(map(str, settings)), "elo0=, elo1=, and if wanted alpha=, beta=, model=")
    return Sprt(**numbers, model=model)
