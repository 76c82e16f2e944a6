"""The engine's options as command-line arguments, `--level 10 --threads 2`, generated from their declarations."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

from othello_bot.engine.options import OPTIONS, Option, OptionError, Options, find_option

SETTINGS = "engine_settings"
"""Name in the namespace of the given (option, text) pairs, in the order of the command line."""


SESSION_OPTIONS = ("ponder", "log_file", "contempt", "live_graphics", "name")
"""Options that only a session uses: for the opponent's time, the controller's reports, and its log."""

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
    parser.set_defaults(**{SETTINGS: ()})
    for option in OPTIONS:
        if wanted is None or option.name in wanted:
            group.add_argument(
                argument(option.name),
                action=_Collect,
                type=_checked(option),
                const="on",
                nargs="?" if option.kind == "boolean" else None,
                metavar=_metavar(option),
                option_name=option.name,
                help=_help(option, base or Options()),
            )


def add_setting_argument(parser: argparse.ArgumentParser) -> None:
    """Declare `--option NAME=VALUE`, which accepts the names of `setoption`."""
    parser.add_argument(
        "--option",
        action=_Collect,
        metavar="NAME=VALUE",
        help="set an option of the engine as setoption does; may be repeated",
    )


def argument(name: str) -> str:
    """Return the long argument of an option: `--move-time` for `move_time`."""
    return "--" + name.replace("_", "-")


def options_of(args: argparse.Namespace, base: Options | None = None) -> Options:
    """Return `base` (the defaults) with the given options; the last of several wins. Raise `OptionError`."""
    options = base or Options()
    for name, text in settings_of(args):
        options = options.with_text(name, text)
    return options


def settings_of(args: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the given options with their texts, in order."""
    return list(getattr(args, SETTINGS, ()))


def named_values(action: argparse.Action) -> tuple[str, ...]:
    """Return the values with names that an argument declared here takes; none for arguments of others."""
    named = isinstance(action, _Collect) and action.option_name
    return find_option(named).named_values if named else ()


class _Collect(argparse.Action):
    """Append an option to the namespace; without an option's name the value is `NAME=VALUE`."""

    def __init__(self, option_strings: list[str], option_name: str = "", **details: object) -> None:
        self.option_name = option_name
        super().__init__(option_strings, **{**details, "dest": SETTINGS, "default": ()})  # type: ignore[arg-type]

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        name, text = self.option_name, str(values)
        if not name:
            name, _, text = text.partition("=")
        setattr(namespace, SETTINGS, (*settings_of(namespace), (name, text)))


def _checked(option: Option) -> Callable[[str], str]:
    """Return a type for argparse that refuses texts that the option does not accept."""

    def check(text: str) -> str:
        try:
            option.parse(text)
        except OptionError as error:
            raise argparse.ArgumentTypeError(f"{text!r}: expected {error.expected}") from None
        return text

    return check


def _metavar(option: Option) -> str:
    if option.kind == "integer":
        unit = {"%": "percent", "": "n"}.get(option.unit, option.unit)
        return "N" if " " in unit else unit.upper()
    return {"boolean": "on|off", "text": "FILE"}.get(option.kind, "NAME")


def _help(option: Option, base: Options) -> str:
    default = base.text(option.name)
    text = f"{option.help} ({default})" if default and option.kind != "text" else option.help
    return text.replace("%", "%%")
