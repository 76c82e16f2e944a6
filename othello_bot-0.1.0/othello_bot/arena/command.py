"""`othello-bot match`: matches between engines. `match report` and `match export` are commands of their own."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.chess_words import check_words as check_words
from othello_bot.arena.config import (
    EngineConfig,
    MatchConfig,
    PlayerDialect,
    PlayerKind,
    check_cores,
)
from othello_bot.arena.display import display_of
from othello_bot.arena.errors import ConfigError, guarded
from othello_bot.arena.export import GamesFile
from othello_bot.arena.match import MatchDisplay, play
from othello_bot.arena.openings import Openings, load
from othello_bot.arena.settings import (
    ENGINE_SETTINGS,
    MATCH_SETTINGS,
    match_config,
    read_toml,
    settings_of_words,
    with_options,
)
from othello_bot.arena.store import DEFAULT_STORE
from othello_bot.base.errors import counted, did_you_mean
from othello_bot.base.notation import integer
from othello_bot.base.output import report
from othello_bot.base.outputs import check_outputs, database
from othello_bot.engine import PLAYERS_OPTIONS, add_option_arguments, settings_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command, each with one dash as well, as the chess arenas write them."""
    parser.description = (
        "Play a match between engines. Run the same command again to resume a match.\n"
        "`othello-bot match report STORE` prints its tables, `othello-bot match export STORE` writes its games."
    )
    parser.add_argument("action", nargs="*", help=argparse.SUPPRESS)
    add_match_arguments(parser)


def add_match_arguments(parser: argparse.ArgumentParser, without: Collection[str] = ()) -> None:
    """Declare the options of a match, except those that a command is `without`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    keys = "\n".join(f"  {setting.name:9} {setting.meaning}" for setting in ENGINE_SETTINGS)
    parser.epilog = f"settings of an engine (--engine WORD..., --each WORD...):\n{keys}\n"

    def option(name: str, **details: Any) -> None:
        if name not in without:
            parser.add_argument(f"--{name}", f"-{name}", **details)

    option("engine", nargs="+", action="append", default=[], metavar="WORD", help="an engine; repeat it for each one")
    option("each", nargs="+", action="extend", default=[], metavar="WORD", help="settings for all engines")
    option("config", type=Path, metavar="FILE", help="a TOML file with settings; options take precedence")
    for setting in MATCH_SETTINGS:
        value = {"metavar": setting.metavar} if setting.metavar else {"action": "store_true"}
        option(setting.name.replace("_", "-"), help=setting.meaning, **value)
    option("sprt", nargs="+", metavar="WORD", help="stop when decided: elo0=0 elo1=10 [alpha= beta= model=normalised]")
    option("force-concurrency", action="store_true", help="allow more games than cores")
    option("store", type=Path, metavar="FILE", help=f"where games are stored ({DEFAULT_STORE})")
    option("games", type=Path, metavar="FILE", help="also write each game to this file when it ends, like games.ggf")
    option("overwrite", action="store_true", help="let --games replace a file with anything but games of this match")
    option("display", choices=("auto", "live", "plain", "quiet"), default="auto", help="what to show meanwhile (auto)")
    option("every", type=integer(1), default=1, metavar="N", help="with plain lines: one for every N games (1)")
    add_option_arguments(parser, PLAYERS_OPTIONS)


@guarded("match", stopped="stopped; the same command resumes the match")
def run(args: argparse.Namespace) -> int:
    """Play; return 0, 1 for a failure, 2 for invalid settings, 130 after Ctrl-C."""
    if args.action:
        close = did_you_mean(args.action[0], ("report", "check", "ladder", "tune", "export"))
        raise ConfigError(
            "action", " ".join(args.action), f"report STORE, export STORE, or --engine for a match{close}"
        )
    check_match_outputs(args)
    config, openings = configuration(args)
    if openings.count is not None and openings.count < config.rounds:
        report(f"{counted(config.rounds, 'round')} of {counted(openings.count, 'opening')} repeat them", "match")
    for engine in config.engines:
        for name, reason in without_effect(engine).items():
            report(f"{engine.name}: option.{name} has no effect {reason}", "match")
    display: MatchDisplay = display_of("match", args.display, args.every)
    if args.games is not None:
        display = GamesFile(display, args.games, overwrite=args.overwrite)
    play(config, openings, args.store or Path(DEFAULT_STORE), display)
    return 0


def check_match_outputs(args: argparse.Namespace) -> None:
    """Raise InputError if the games or the store of a match would destroy another of its files."""
    store = args.store or Path(DEFAULT_STORE)
    inputs = [args.config, None if args.openings is None else Path(args.openings)]
    check_outputs({"--games": args.games}, store=database(store), input=inputs)
    check_outputs({"--store": store}, input=inputs[:1])


_UNSET: Final = ("", "0", "auto", "false", "no", "off")
"""Values of an option that ask for nothing."""


def without_effect(engine: EngineConfig) -> dict[str, str]:
    """Return the options of our own engine that are given and can have no effect in the arena, each with the reason."""
    if engine.kind not in (PlayerKind.ENGINE, PlayerKind.SELF):
        return {}
    reasons = {"contempt": "except with proto=nboard", "live_graphics": "except in GoGui"}
    if engine.kind is PlayerKind.SELF and engine.dialect is PlayerDialect.NBOARD:
        del reasons["contempt"]
    if engine.kind is PlayerKind.ENGINE:
        reasons["ponder"] = "in the arena's process; use self"
    elif engine.limits.control is None:
        reasons["ponder"] = "without a clock (tc=)"
    given = dict(engine.options)
    return {name: why for name, why in reasons.items() if given.get(name, "").lower() not in _UNSET}


def configuration(args: argparse.Namespace) -> tuple[MatchConfig, Openings]:
    """Return the match described by the arguments and the file that they name, with its openings; checked."""
    settings = given_settings(args)
    if "tune" in settings:
        raise ConfigError("setting", "tune", "it for `othello-bot match tune` only")
    config = match_config(settings)
    check_cores(config, args.force_concurrency)
    return config, load(config.openings, config.seed)


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings in the arguments and in the file that they name. Raise ConfigError if no engine is there."""
    settings: dict[str, Any] = {} if args.config is None else read_toml(args.config)
    if args.engine:
        settings["engine"] = [settings_of_words(words) for words in args.engine]
    settings["engine"] = [with_options(own, settings_of(args)) for own in settings.get("engine", ())]
    if args.each:
        settings["each"] = settings_of_words(args.each)
    if getattr(args, "sprt", None):
        settings["sprt"] = dict(_pair(word) for word in args.sprt)
    for setting in MATCH_SETTINGS:
        value = getattr(args, setting.name, None)
        if value not in (None, False):
            settings[setting.name] = value
    if not settings.get("engine"):
        raise ConfigError("engines", "none", "--engine engine level=1, and another for a match (see --help)")
    return settings


def _pair(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value
