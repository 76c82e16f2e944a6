"""Reads the settings of a match, given in a TOML file or on the command line."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.config import (
    BUILT_IN,
    FORMATS,
    EngineConfig,
    MatchConfig,
    OpeningConfig,
    ResignRule,
    Rules,
)
from othello_bot.arena.engine_settings import engine_config, merged
from othello_bot.arena.errors import ConfigError, MissingExtra
from othello_bot.arena.openings import digest
from othello_bot.arena.sprt import Sprt

KEYS: Final = frozenset(
    {
        "engine",
        "each",
        "format",
        "rounds",
        "openings",
        "opening_plies",
        "order",
        "seed",
        "resign",
        "adjudicate",
        "sprt",
        "event",
        "concurrency",
        "cluster",
    }
)
"""The keys at the top of a file; `engine` is an array of tables, `each` and `sprt` are tables."""

DEFAULT_ROUNDS: Final = 50


def read_toml(path: Path) -> dict[str, Any]:
    """Return the settings of a TOML file; raise ConfigError if it is invalid or has unknown keys."""
    # Python 3.10 has no tomllib; the extra installs tomli instead.
    for name in ("tomllib", "tomli"):
        try:
            toml: Any = importlib.import_module(name)
            break
        except ImportError:
            continue
    else:
        raise MissingExtra("a TOML file", "tomli (or Python 3.11)")
    try:
        settings: dict[str, Any] = toml.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError("match file", str(path), f"a TOML file ({error})") from error
    for key in settings:
        if key not in KEYS:
            raise ConfigError(f"setting in {path.name}", key, ", ".join(sorted(KEYS)))
    for key, kind in (("engine", list), ("each", dict), ("sprt", dict)):
        if not isinstance(settings.get(key, kind()), kind):
            raise ConfigError(f"setting in {path.name}", key, "[[engine]] tables, one [each] and one [sprt]")
    return settings


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
        format=str(settings.get("format", FORMATS[0] if len(engines) == 2 else FORMATS[2])),
        rounds=_integer("rounds", settings.get("rounds", DEFAULT_ROUNDS)),
        openings=OpeningConfig(
            source,
            None if plies is None else _integer("opening_plies", plies),
            str(settings.get("order", "random")),
            digest(source),
        ),
        rules=Rules(
            None if "resign" not in settings else resign_rule(str(settings["resign"])),
            _integer("adjudicate", settings.get("adjudicate", 0)),
        ),
        sprt=_sprt(settings["sprt"]) if settings.get("sprt") else None,
        seed=_integer("seed", settings.get("seed", 1)),
        event=str(settings.get("event", "")),
        concurrency=_integer("concurrency", settings.get("concurrency", 1)),
        cluster=str(settings.get("cluster", "")),
    )


def resign_rule(text: str) -> ResignRule:
    """Return the rule given by a text like "40/3": 40 discs behind on 3 moves."""
    discs, slash, moves = text.partition("/")
    try:
        return ResignRule(float(discs), int(moves) if slash else 3)
    except ValueError as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError("resign", text, "DISCS/MOVES, like 40/3") from error


def _sprt(settings: Mapping[str, Any]) -> Sprt:
    """Return the test given by settings like elo0=0 elo1=10."""
    values = dict(settings)
    model = str(values.pop("model", Sprt(0, 1).model))
    numbers = {name: _decimal(name, values.pop(name)) for name in ("elo0", "elo1", "alpha", "beta") if name in values}
    if values or not {"elo0", "elo1"} <= set(numbers):
        raise ConfigError("sprt", " ".join(map(str, settings)), "elo0=, elo1=, and if wanted alpha=, beta=, model=")
    return Sprt(**numbers, model=model)


def _integer(name: str, value: object) -> int:
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ConfigError(name, text, "a whole number, 0 or more")
    return int(text)


def _decimal(name: str, value: object) -> float:
    try:
        return float(str(value))
    except ValueError as error:
        raise ConfigError(name, str(value), "a number") from error
