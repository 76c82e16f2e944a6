"""`othello-bot match` plays matches between engines; `match report` and `match export` present stored ones."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.config import BUILT_IN, FORMATS, ORDERS, MatchConfig, check_cores
from othello_bot.arena.display import display_of, write
from othello_bot.arena.engine_settings import KEYS, settings_of_words
from othello_bot.arena.errors import ArenaError, ConfigError
from othello_bot.arena.export import FORMS, export
from othello_bot.arena.games import StoredMatch
from othello_bot.arena.match import play
from othello_bot.arena.match_settings import match_config, read_toml
from othello_bot.arena.openings import Openings, load
from othello_bot.arena.report import failure_records, report_lines
from othello_bot.arena.store import Store
from othello_bot.errors import InputError
from othello_bot.files import whole_file

DEFAULT_STORE: Final = "othello-matches.db"

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it."""

ACTIONS: Final = ("report", "export")

_SETTINGS: Final = (
    "format",
    "rounds",
    "openings",
    "opening_plies",
    "order",
    "seed",
    "resign",
    "adjudicate",
    "event",
    "concurrency",
    "cluster",
)
"""Options of the command line that take precedence over the file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command, each with one dash as well, as the chess arenas write them."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Play a match between engines, or present one: `match report STORE` prints tables and writes pictures,\n"
        "`match export STORE --form FORM` writes the games. Run the same command again to resume a match."
    )
    keys = "\n".join(f"  {name:8} {meaning}" for name, meaning in KEYS.items())
    parser.epilog = f"settings of an engine (--engine WORD..., --each WORD...):\n{keys}\n"
    parser.add_argument("action", nargs="*", metavar="report|export STORE", help="present a store instead of playing")

    def option(name: str, **details: Any) -> None:
        parser.add_argument(f"--{name}", f"-{name}", **details)

    option("engine", nargs="+", action="append", default=[], metavar="WORD", help="an engine; give it once per engine")
    option("each", nargs="+", action="extend", default=[], metavar="WORD", help="settings for all engines")
    option("config", type=Path, metavar="FILE", help="a TOML file with settings; options take precedence")
    option("format", metavar="FORM", help=f"who meets whom: {', '.join(FORMATS)}; for two engines {FORMATS[0]}")
    option("rounds", metavar="N", help="openings for each pair of engines, two games per opening (50)")
    option("openings", metavar="SOURCE", help=f"{BUILT_IN} (default), random, start, or a file of games or OBF")
    option("opening-plies", metavar="N", help="length of random openings (8); longer ones of a file are cut to it")
    option("order", metavar="ORDER", help=f"of the openings: {', '.join(ORDERS)} (random)")
    option("seed", metavar="N", help="start of every random choice (1)")
    option("sprt", nargs="+", metavar="WORD", help="stop when decided: elo0=0 elo1=10 [alpha= beta= model=normalised]")
    option("resign", metavar="DISCS/MOVES", help="an engine loses at own scores of -DISCS on MOVES moves, like 40/3")
    option("adjudicate", metavar="N", help="let our solver end games at N empty squares (0: never)")
    option("concurrency", metavar="N", help="games at once (1), at most as many as cores")
    option("force-concurrency", action="store_true", help="allow more games than cores")
    option("cluster", metavar="ADDRESS", help="play on the Dask cluster with this scheduler, like tcp://host:8786")
    option("event", metavar="TEXT", help="name of the match in reports and exported games")
    option("store", type=Path, metavar="FILE", help=f"where games are stored ({DEFAULT_STORE})")
    option("display", choices=("auto", "live", "plain", "quiet"), default="auto", help="shown while playing (auto)")
    option("every", type=int, default=1, metavar="N", help="plain lines: one per N games (1)")
    option("match", metavar="KEY", help="report, export: only matches whose key starts with this")
    option("pictures", type=Path, metavar="FOLDER", help="report: write pictures into this folder")
    option("failures", action="store_true", help="report: list the games that ended in a failure, with the last words")
    option("form", choices=tuple(FORMS), help="export: the format")
    option("output", type=Path, metavar="FILE", help="export: the file to write (standard output)")


def run(args: argparse.Namespace) -> int:
    """Run the command; return 0, 1 for a failure, 2 for invalid settings, 130 after Ctrl-C."""
    try:
        if args.action:
            return _look(args)
        return _play(args)
    except KeyboardInterrupt:
        sys.stderr.write("othello-bot match: stopped; the same command resumes the match\n")
        return INTERRUPTED
    except InputError as error:
        sys.stderr.write(f"othello-bot match: {error}\n")
        return 2
    except BrokenPipeError:
        raise  # the reader has closed its end: the command line handles that
    except (ArenaError, OSError, sqlite3.Error) as error:
        sys.stderr.write(f"othello-bot match: {error}\n")
        return 1


def configuration(args: argparse.Namespace) -> tuple[MatchConfig, Openings]:
    """Return the match described by the arguments and the file that they name, with its openings; checked."""
    settings: dict[str, Any] = {} if args.config is None else read_toml(args.config)
    if args.engine:
        settings["engine"] = [settings_of_words(words) for words in args.engine]
    if args.each:
        settings["each"] = settings_of_words(args.each)
    if args.sprt:
        settings["sprt"] = dict(_pair(word) for word in args.sprt)
    for name in _SETTINGS:
        if getattr(args, name) is not None:
            settings[name] = getattr(args, name)
    if not settings.get("engine"):
        raise ConfigError("engines", "none", "two or more: --engine engine level=1 --engine iago:3 (see --help)")
    config = match_config(settings)
    check_cores(config, args.force_concurrency)
    return config, load(config.openings, config.seed)


def _play(args: argparse.Namespace) -> int:
    config, openings = configuration(args)
    if openings.count is not None and openings.count < config.rounds:
        sys.stderr.write(f"othello-bot match: {config.rounds} rounds of {openings.count} openings repeat them\n")
    play(config, openings, args.store or Path(DEFAULT_STORE), display_of("othello-bot match", args.display, args.every))
    return 0


def _look(args: argparse.Namespace) -> int:
    action, *rest = args.action
    if action not in ACTIONS or len(rest) > 1:
        raise ConfigError("action", " ".join(args.action), "report STORE, export STORE, or --engine for a match")
    path = Path(rest[0]) if rest else args.store or Path(DEFAULT_STORE)
    with Store(path, create=False) as store:
        matches = [match for match in store.matches() if match.key.startswith(args.match or "")]
        if not matches:
            raise ConfigError("match", args.match or str(path), "a match of this store")
        if action == "export":
            return _export(args, store, matches)
        for match in matches:
            write("\n".join([*report_lines(store, match), "", ""]))
            for line in failure_records(store, match) if args.failures else ():
                write(f"{line}\n")
            if args.pictures is not None:
                from othello_bot.arena.pictures import write_pictures

                for picture in write_pictures(store, match, args.pictures):
                    write(f"{picture}\n")
    return 0


def _export(args: argparse.Namespace, store: Store, matches: Sequence[StoredMatch]) -> int:
    if args.form is None:
        raise ConfigError("form", "none", ", ".join(FORMS))
    if args.output is None:
        for match in matches:
            for text in export(store, match, args.form):
                write(text)
        return 0
    with whole_file(args.output) as file:
        for match in matches:
            file.writelines(text.encode() for text in export(store, match, args.form))
    return 0


def _pair(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value
