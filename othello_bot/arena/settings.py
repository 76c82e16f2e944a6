"""Reads the settings of a match and of its engines, given as words on the command line or as tables of a TOML file."""

from __future__ import annotations

import importlib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeVar

from othello_bot import strategies
from othello_bot.arena.config import (
    BUILT_IN,
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
    TimeControl,
)
from othello_bot.arena.errors import ConfigError, MissingExtra
from othello_bot.arena.openings import digest
from othello_bot.arena.sprt import Sprt, SprtModel
from othello_bot.base.errors import FormatError, InputError, brief, parsed
from othello_bot.base.notation import NotationError, parse_boolean, parse_decimal, parse_integer
from othello_bot.engine import Value, find_option
from othello_bot.formats.reading import text_of_file
from othello_bot.protocol.conversation_gtp import Passes

Settings = Mapping[str, Any]
"""Name to value: texts and numbers; `option` is a mapping itself, `init` a list of lines."""

ENGINE_KEYS: Final = {
    "player": "engine (this one, inside the arena), self (this one as a process), or a strategy like iago:3",
    "cmd": "command line of a process",
    "proto": "protocol of a process: gtp (default of cmd=), nboard, native (default of self), json, or botzone[-simple]",
    "passes": "whether a GTP engine is told of forced passes: on, off, or learn (default: until it refuses one)",
    "name": "name in tables and files",
    "dir": "folder in which a process runs",
    "tc": "game clock: [MOVES/]SECONDS[+INCREMENT], minutes as in 1:30, or inf",
    "st": "seconds per move",
    "depth": "plies",
    "nodes": "positions per move",
    "level": "playing level",
    "strength": "playing strength of this engine, by name or number; needs no limits",
    "margin": "seconds by which it may exceed its time without losing, in the whole game (0.1)",
    "restart": "on: restart it for every game; off: only after a failure (off)",
    "start": "seconds it has for its first answer (10)",
    "timeout": "seconds for a move when no clock runs (600)",
    "memory": "most MiB of memory for a process and its child processes; with more, it loses the game",
    "illegal": "lose: an illegal move loses the game (default); retry: it is asked again, three times at most",
    "init": "a line sent to a process after its start; may be repeated",
    "option": "option.NAME=VALUE sets an option of the engine; may be repeated",
}
"""All settings of an engine with their meanings, for the help."""

MATCH_VALUES: Final = (
    "format",
    "rounds",
    "openings",
    "opening_plies",
    "order",
    "seed",
    "resign",
    "agree",
    "adjudicate",
    "seeds",
    "stages",
    "event",
    "concurrency",
    "cluster",
    "affinity",
    "traffic",
    "speed",
)
"""The settings of a match that have one value; those of the command line take precedence over the file."""

MATCH_KEYS: Final = frozenset({"engine", "each", "sprt", "tune", *MATCH_VALUES})
"""The keys at the top of a file; `engine` is an array of tables, `each`, `sprt` and `tune` are tables."""

LARGEST_FILE_BYTES: Final = 1 << 20
LONGEST_TEXT: Final = 1 << 12
"""Most characters of a setting of an engine: as many as a path may have; a command line is split in quadratic time."""
MOST_DOTS: Final = 40

DEFAULT_ROUNDS: Final = 50

ChoiceT = TypeVar("ChoiceT", bound=Enum)


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
        both["init"] = [*_lines(common["init"]), *_lines(own["init"])]
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
    limits = _limits(settings)
    if kind is PlayerKind.STRATEGY:
        for name in ("nodes", "level", "strength", "option", "init", "proto", "passes", "dir", "illegal"):
            if name in settings:
                raise ConfigError(f"setting {name} of strategy", strategy, "tc, st or depth, and the spec itself")
        if limits.depth is not None:
            strategy = strategies.with_depth(strategy, limits.depth)
    elif limits == PlayLimits() and str(settings.get("tc", "")).strip() != "inf" and "strength" not in settings:
        raise ConfigError("limits of engine", _shown(settings), "tc=, st=, depth=, nodes= or level=; tc=inf for none")
    options = tuple((str(name), _option_text(value)) for name, value in _table(settings.get("option", {})).items())
    if "strength" in settings:
        options = (*options, ("strength", str(settings["strength"])))
    if kind in (PlayerKind.ENGINE, PlayerKind.SELF):
        # The book is off unless asked for: openings are the arena's.
        options = (*options, *(() if "book" in dict(options) else (("book", "off"),)))
    dialect = _dialect(settings, kind)
    folder = str(settings.get("dir", ""))
    if folder and not _is_folder(folder):
        raise ConfigError("dir", folder, "a folder that exists")
    default_name = _default_name(kind, command, strategy, settings)
    config = EngineConfig(
        name=str(settings.get("name", "")).strip() or _unused_name(default_name, taken),
        kind=kind,
        command=command,
        strategy=strategy,
        dialect=dialect,
        passes=_choice(settings, "passes", Passes.LEARN),
        folder=folder,
        options=options,
        init=tuple(_lines(settings.get("init", []))),
        limits=limits,
        margin_s=decimal_setting("margin", settings.get("margin", 0.1), 0, 3600),
        restart=_switch(settings, "restart"),
        start_s=decimal_setting("start", settings.get("start", 10), 0.1, 3600),
        timeout_s=decimal_setting("timeout", settings.get("timeout", 600), 0.1, 1e6),
        memory_mib=integer_setting("memory", settings["memory"], 1) if "memory" in settings else None,
        illegal=_choice(settings, "illegal", IllegalRule.LOSE),
    )
    if kind in (PlayerKind.ENGINE, PlayerKind.SELF):
        try:
            config.engine_options()
        except InputError as error:
            raise ConfigError(f"engine {error.what}", error.value, error.expected) from error
    return config


def _is_folder(text: str) -> bool:
    try:
        return Path(text).is_dir()
    except OSError:  # a name that is too long, or a folder that may not be looked into
        return False


def _dialect(settings: Settings, kind: PlayerKind) -> PlayerDialect:
    """Return the protocol of a player; raise ConfigError for settings that do not fit it."""
    for name in ("proto", "memory"):
        if kind not in (PlayerKind.PROCESS, PlayerKind.SELF) and name in settings:
            raise ConfigError(f"setting {name} of engine", _shown(settings), "it together with cmd= or self only")
    dialect = _choice(settings, "proto", PlayerDialect.GTP if kind is PlayerKind.PROCESS else PlayerDialect.NATIVE)
    if kind is PlayerKind.SELF and dialect not in OWN_DIALECTS:
        raise ConfigError("proto", dialect, ", ".join(OWN_DIALECTS))
    if "passes" in settings and dialect is not PlayerDialect.GTP:
        raise ConfigError("setting passes of engine", _shown(settings), "it together with proto=gtp only")
    return dialect


def _choice(settings: Settings, name: str, absent: ChoiceT) -> ChoiceT:
    """Return the member of an enum that a setting names, `absent` if there is no setting; raise ConfigError."""
    word = _option_text(settings.get(name, absent.value)).lower()
    try:
        return type(absent)(word)
    except ValueError:
        raise ConfigError(name, word, ", ".join(choice.value for choice in type(absent))) from None


def _switch(settings: Settings, name: str) -> bool:
    try:
        return parse_boolean(_option_text(settings.get(name, "off")))
    except NotationError as error:
        raise ConfigError(name, error.value, "on or off") from None


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


def _limits(settings: Settings) -> PlayLimits:
    return PlayLimits(
        control=TimeControl.parse(str(settings["tc"])) if "tc" in settings else None,
        move_time_s=decimal_setting("st", settings["st"], 0.001, 1e6) if "st" in settings else None,
        depth=_limit(settings, "depth"),
        nodes=_limit(settings, "nodes"),
        level=_limit(settings, "level"),
    )


def _limit(settings: Settings, name: str) -> int | None:
    """Return the value of a limit that is an option of the engine, None if it is absent or `auto`."""
    value = parsed(find_option(name).read, settings.get(name), ConfigError, name)
    assert value is None or isinstance(value, int)
    return value


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


def split_command(text: str) -> list[str]:
    """Return the words of a command line, as a shell splits them; raise ConfigError for an open quotation."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ConfigError("cmd", text, f"a command line ({error})") from error


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ConfigError("option", str(value), "names with values, option.NAME=VALUE")
    return value


def _lines(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise ConfigError("init", str(value), "a line, or a list of lines")
    return [str(line) for line in value]


def _option_text(value: object) -> str:
    """Return a value as engines write it; TOML has true and false."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


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
    source = str(settings.get("openings", BUILT_IN))
    plies = settings.get("opening_plies")
    return MatchConfig(
        engines=tuple(engines),
        format=_choice(settings, "format", MatchFormat.PAIR if len(engines) == 2 else MatchFormat.ROUND_ROBIN),
        rounds=integer_setting("rounds", settings.get("rounds", DEFAULT_ROUNDS)),
        openings=OpeningConfig(
            source,
            None if plies is None else integer_setting("opening_plies", plies),
            _choice(settings, "order", OpeningOrder.RANDOM),
            digest(source),
        ),
        rules=Rules(
            None if "resign" not in settings else ResignRule.parse(str(settings["resign"])),
            integer_setting("adjudicate", settings.get("adjudicate", 0)),
            None if "agree" not in settings else ResignRule.parse(str(settings["agree"]), "agree"),
        ),
        sprt=_sprt(settings["sprt"]) if settings.get("sprt") else None,
        seed=integer_setting("seed", settings.get("seed", 1)),
        seeds=integer_setting("seeds", settings.get("seeds", 1)),
        stages=integer_setting("stages", settings["stages"]) if "stages" in settings else None,
        event=str(settings.get("event", "")),
        concurrency=integer_setting("concurrency", settings.get("concurrency", 1)),
        cluster=str(settings.get("cluster", "")),
        affinity=_switch(settings, "affinity"),
        traffic=str(settings.get("traffic", "")),
        speed=decimal_setting("speed", settings.get("speed", 1), 0.01, 100),
    )


def _sprt(settings: Mapping[str, Any]) -> Sprt:
    """Return the test given by settings like elo0=0 elo1=10."""
    values = dict(settings)
    model = _choice(values, "model", SprtModel.NORMALISED)
    values.pop("model", None)
    numbers = {
        name: decimal_setting(name, values.pop(name)) for name in ("elo0", "elo1", "alpha", "beta") if name in values
    }
    if values or not {"elo0", "elo1"} <= set(numbers):
        raise ConfigError("sprt", " ".join(map(str, settings)), "elo0=, elo1=, and if wanted alpha=, beta=, model=")
    return Sprt(**numbers, model=model)


def integer_setting(name: str, value: object, low: int = 0, high: int | None = None) -> int:
    """Return an integer within `low` .. `high`, given as text or, in a TOML file, as a number. Raise ConfigError."""
    return parsed(lambda text: parse_integer(text, low, high), str(value), ConfigError, name)


def decimal_setting(name: str, value: object, low: float | None = None, high: float | None = None) -> float:
    """Return a number given as text or, in a TOML file, as a number. Raise ConfigError."""
    text = value if isinstance(value, str) else repr(value)
    return parsed(lambda text: parse_decimal(text, low, high), text, ConfigError, name)
