"""The engine's options as command-line arguments, `--level 10 --threads 2`, generated from their declarations."""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from othello_bot.base.notation import argument_type
from othello_bot.base.outputs import database
from othello_bot.engine.options import OPTIONS, Option, OptionKind, Options, Value, find_option

SETTING = "--option"
"""The argument that sets any option by its name."""


SETTINGS = "engine_settings"
"""Attribute of the namespace that holds the given (option, value) pairs, in the order of the command line."""

SESSION_OPTIONS = ("ponder", "base_file", "log_file", "contempt", "live_graphics", "name")
"""Options that only a session uses: for the opponent's time, the controller's reports, its base of games and its log."""

PLAYING_OPTIONS = tuple(option.name for option in OPTIONS if option.name not in SESSION_OPTIONS)
"""Options of an engine that plays without a session."""

PLAYERS_OPTIONS = tuple(name for name in PLAYING_OPTIONS if name not in ("seed", "strategy", "strategy_depth"))
"""Options of the players of a game or a match, which has a seed of its own and names textbook players itself."""


def add_option_arguments(
    parser: argparse.ArgumentParser, names: Iterable[str] | None = None, base: Options | None = None
) -> None:
    """Declare a long argument for each option, or for those in `names`; help shows the defaults of `base`."""
    wanted = None if names is None else set(names)
    group = parser.add_argument_group("engine options")
    for option in OPTIONS:
        if wanted is None or option.name in wanted:
            is_switch = option.kind is OptionKind.BOOLEAN
            switch: dict[str, Any] = {"nargs": "?", "const": (option.name, True)} if is_switch else {}
            group.add_argument(
                argument(option.name),
                action="append",
                dest=SETTINGS,
                type=argument_type(functools.partial(_read, option)),
                metavar=_metavar(option),
                help=_help(option, base or Options()),
                **switch,
            )


def add_setting_argument(parser: argparse.ArgumentParser) -> None:
    """Declare `--option NAME=VALUE`, which accepts the names of `setoption`."""
    parser.add_argument(
        SETTING,
        action="append",
        dest=SETTINGS,
        type=argument_type(_read_setting),
        metavar="NAME=VALUE",
        help="set an option of the engine as setoption does; may be repeated",
    )


def argument(name: str) -> str:
    """Return the long argument of an option: `--move-time` for `move_time`."""
    return "--" + name.replace("_", "-")


def options_of(args: argparse.Namespace, base: Options | None = None) -> Options:
    """Return `base` (the defaults) with the given options; the last of several wins. Raise `OptionError`."""
    return replace(base or Options(), **dict(settings_of(args)))  # type: ignore[arg-type]  # read by the declarations


def settings_of(args: argparse.Namespace) -> list[tuple[str, Value]]:
    """Return the given options with their values, in order."""
    return list(getattr(args, SETTINGS, None) or ())


def named_values(action: argparse.Action) -> tuple[str, ...]:
    """Return the named values that an argument accepts; empty for `--option`."""
    name = action.option_strings[0] if action.dest == SETTINGS else SETTING
    return () if name == SETTING else find_option(name.lstrip("-")).named_values


def _read(option: Option, text: str) -> tuple[str, Value]:
    return option.name, option.read(text)


def _read_setting(text: str) -> tuple[str, Value]:
    name, _, value = text.partition("=")
    return _read(find_option(name), value)


def _metavar(option: Option) -> str:
    if option.kind is OptionKind.INTEGER:
        unit = {"%": "percent", "": "n"}.get(option.unit, option.unit)
        return "N" if " " in unit else unit.upper()
    return {OptionKind.BOOLEAN: "on|off", OptionKind.TEXT: "FILE"}.get(option.kind, "NAME")


def _help(option: Option, base: Options) -> str:
    default = base.text(option.name)
    text = f"{option.help} ({default})" if default and option.kind is not OptionKind.TEXT else option.help
    return text.replace("%", "%%")


def files_of(options: Options) -> list[Path]:
    """Return the files that options name and nothing else may overwrite: books, bases, the weights, and the log."""
    books = [Path(name) for name in (options.book_file or "").split(os.pathsep) if name]
    books += [Path(options.base_file)] if options.base_file else []
    return [*database(*books), *(Path(name) for name in (options.evaluation_file, options.log_file) if name)]
