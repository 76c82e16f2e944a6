"""Completion by tab in a session: commands, moves, names and values of options, names of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from othello_bot.base.notation import move_name
from othello_bot.dialects.command_table import HOSTS, Declaration, known_words
from othello_bot.dialects.gtp import COMMANDS
from othello_bot.engine import OPTIONS, OptionError, find_option
from othello_bot.session import Session
from othello_bot.terminal.keyboard import complete_path, complete_word

_FILE_COMMANDS: Final = ("load", "save", "games", "loadsgf", "printsgf")
_OPTION_COMMANDS: Final = ("setoption", "getoption", "kata-set-param", "kata-get-param")
PLAYERS: Final = {
    "side": ("black", "white", "both", "none"),
    "black": ("human", "engine"),
    "white": ("human", "engine"),
}
"""What follows the commands of `play` about its players."""

_MOVER_COMMANDS: Final = ("genmove", "go", "reg_genmove")


def session_completion(
    session: Session, table: Mapping[str, Declaration] = COMMANDS
) -> Callable[[str, str], list[str]]:
    """Return the completions of the last word of a line typed in this session, whose commands are those of `table`."""

    def complete(before: str, text: str) -> list[str]:
        words = before.split()
        if not words:
            return complete_word([*known_words(table), *_moves(session)], text)
        command = words[0].lower()
        if command in _FILE_COMMANDS:
            return complete_path(before.lstrip()[len(command) :], text)
        if command in _OPTION_COMMANDS and len(words) > 1:
            return _values(words[1], before.lstrip()[len(command) :].lstrip()[len(words[1]) :], text)
        if len(words) == 1:
            return complete_word(_second_words(session, table, command), text)
        return complete_word([] if command in PLAYERS else _moves(session), text)

    return complete


def _second_words(session: Session, table: Mapping[str, Declaration], command: str) -> Iterable[str]:
    if command in ("help", "?", "known_command"):
        return (*table, HOSTS)
    if command in _OPTION_COMMANDS:
        return (option.name for option in OPTIONS)
    if command in ("level", "strength"):
        return find_option(command).named_values
    if command == "clock":
        return ("off",)
    if command in PLAYERS:
        return PLAYERS[command]
    if command in _MOVER_COMMANDS:
        return ("black", "white")
    return _moves(session) if command == "play" else ()


def _moves(session: Session) -> list[str]:
    return [move_name(move) for move in session.position.legal_moves]


def _values(name: str, before: str, text: str) -> list[str]:
    """Return the values that an option may be set to."""
    try:
        option = find_option(name)
    except OptionError:
        return []
    if option.name.endswith("_file"):
        return complete_path(before, text)
    return complete_word(option.named_values, text)
