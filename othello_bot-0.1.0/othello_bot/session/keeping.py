"""Load and save games for a person or a script; never replace anything without permission.

At a terminal, unclear cases become questions. In a pipe, the refusal names the word that would permit the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Protocol

from othello_bot.base.descriptors import is_own
from othello_bot.base.errors import InputError, counted, shown
from othello_bot.base.files import refuse_special
from othello_bot.base.notation import NotationError, OutOfRange, parse_integer
from othello_bot.base.output import words_of
from othello_bot.base.outputs import FileTaken, check_outputs
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import ending_of, open_games, user_path, write_game, written_files
from othello_bot.rules import Game

SHOWN_CHOICES: Final = 15
"""Choices listed at a time: on a screen of 24 lines they leave space for the question."""


class User(Protocol):
    """A user who can be asked."""

    def ask(self, question: str) -> str | None:
        """Return the answer to a question of one line; None if the user cancelled (Ctrl-C, Ctrl-D)."""

    def tell(self, text: str) -> None:
        """Show whole lines."""


YES: Final = ("y", "yes")
NO: Final = ("n", "no")


def agrees(person: User, question: str) -> bool:
    """Ask a yes-or-no question; an empty answer is no."""
    answer = person.ask(f"{question} [y/N] ")
    return (answer or "").strip().lower() in YES


def choose(person: User, what: str, titles: Sequence[str]) -> int | None:
    """Let a person choose one of `titles` by its number; return its index, None if none was chosen.

    Only a few are listed at a time. Any other answer is taken as a part of a title and lists the titles that contain
    it.
    """
    found = list(range(len(titles)))
    while True:
        for index in found[:SHOWN_CHOICES]:
            person.tell(f"{index + 1:5}  {titles[index]}")
        if len(found) > SHOWN_CHOICES:
            person.tell(f"       and {len(found) - SHOWN_CHOICES} more: part of a name lists those that have it")
        answer = (person.ask(f"which {what}, 1 to {len(titles)}? (Enter for none) ") or "").strip()
        if not answer:
            return None
        try:
            return parse_integer(answer, 1, len(titles)) - 1
        except OutOfRange as error:
            person.tell(f"{shown(answer)}: expected {error.expected}")
            found = []
        except NotationError:
            found = [index for index, title in enumerate(titles) if answer.lower() in title.lower()]
            if not found:
                person.tell(f"no {what} has {answer[:40]!r}")


OVERWRITE: Final = "overwrite"
"""The word after a file's name that allows a command to replace the file."""


class GameUnclear(InputError):
    """A file with several games, none of which was chosen."""


def load(name: str, number: int | None, person: User | None) -> GameRecord:
    """Return the game of a file; of several, the one with this number or the one that the person chooses.

    Raise OSError if the file cannot be read or may block, FormatError if it holds no game, GameUnclear if none was
    chosen.
    """
    path = user_path(name)
    games = open_games(path)
    count = len(games.titles)
    if number is None and count > 1:
        chosen = None if person is None else choose(person, "game", games.titles)
        if chosen is None:
            raise GameUnclear(f"{count} games in", str(path), f"the number of one, 1 to {count}, after the name")
        return games.read(chosen)
    if number is not None and not 1 <= number <= count:
        raise GameUnclear("game", number, f"1 to {count}")
    return games.read((number or 1) - 1)


def loaded(game: Game) -> str:
    """Return what a person is told about a game that is loaded: how many moves it has, and whose turn it is."""
    turn = "the game is over" if game.is_over else f"{game.position.color.name.lower()} to move"
    return f"{counted(game.ply, 'move')}, {turn}"


def save(
    record: GameRecord,
    name: str,
    person: User | None,
    *,
    overwrite: bool = False,
    ending: str = "",
    kept: Iterable[Path] = (),
) -> Path:
    """Save a game in the format of `ending`, or else of the name's own ending, and return the path.

    Raise InputError for a format that can only be read and for one of the files to be `kept`, which are in use, FileTaken
    if the file exists and neither `overwrite` nor the person allows replacing it, OSError if writing fails or may block.
    """
    path = user_path(name)
    if not is_own(path):
        refuse_special(path)
    check_outputs({"file to save in": written_files(path, ending_of(path, ending))}, file_in_use=kept)
    try:
        write_game(record, path, ending=ending, overwrite=overwrite)
    except FileTaken:
        if person is None:
            raise FileTaken(path, f"another name, or the word {OVERWRITE} after it") from None
        if not agrees(person, f"{path} exists; replace it?"):
            raise
        write_game(record, path, ending=ending, overwrite=True)
    return path


def offer_to_save(record: Callable[[], GameRecord], person: User) -> bool | None:
    """Ask whether to save a game that would be lost, until it is saved or abandoned.

    Return whether it was saved; None where the question was not answered (Ctrl-C, Ctrl-D).
    """
    while True:
        answer = person.ask("save the game first? a name such as game.ggf, or Enter for no: ")
        if answer is None:
            return None
        name = answer.strip()
        if not name or name.lower() in NO:
            return False
        name = name.removeprefix("save ").strip()
        if "/" not in name and not Path(name).suffix:
            # More likely a command, a move or a yes than a file.
            person.tell(f"file {shown(name)}: expected a name with an ending such as game.ggf, or Enter for no")
            continue
        try:
            _refuse_shells_sign(name)
            path = save(record(), name, person)
        except (OSError, InputError) as error:
            person.tell(words_of(error))
        else:
            person.tell(f"saved in {path}")
            return True


_QUOTED: Final = re.compile(r"""(["']).*?\1""")
_SHELLS_SIGN: Final = re.compile(r"(?:^|\s)([0-9&]?[<>]|\|)")
"""A word that begins as a redirection does at a shell; within a word, such a sign is part of a name."""


def _refuse_shells_sign(text: str) -> None:
    """Raise InputError if what a person typed redirects output, as at a shell, where a file's name is expected."""
    sign = _SHELLS_SIGN.search(_QUOTED.sub("", text))
    if sign:
        raise InputError("file to save in", text, f"the name alone, without {sign[1]}, or in quotes")


def split_overwrite(text: str) -> tuple[str, bool]:
    """Return the file's name in `NAME` or `NAME overwrite`, which may have spaces, and whether the word was present.

    Raise InputError for a word that begins with a shell's sign, such as `> log`, outside quotes.
    """
    _refuse_shells_sign(text)
    name, _, last = text.rpartition(" ")
    return (name.strip(), True) if name.strip() and last == OVERWRITE else (text, False)


LARGEST_NUMBER: Final = 999_999_999
"""Of a game in a file."""


def split_number(text: str) -> tuple[str, int | None]:
    """Return the file's name in `NAME` or `NAME NUMBER`, which may have spaces, and the number if there is one."""
    name, _, last = text.rpartition(" ")
    try:
        return (name.strip(), parse_integer(last, 0, LARGEST_NUMBER)) if name.strip() else (text, None)
    except NotationError:
        return text, None
