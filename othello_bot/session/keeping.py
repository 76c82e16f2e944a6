"""Loading and saving games for a person or a script: nothing is replaced without being told to.

At a terminal a question is asked where something is open; in a pipe the refusal names the word that settles it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from othello_bot.errors import InputError
from othello_bot.formats.files import FileTaken, open_games, user_path, write_game
from othello_bot.formats.record import GameRecord
from othello_bot.session.person import NO, YES, Person, agrees, choose

OVERWRITE: Final = "overwrite"
"""The word after a file's name that lets a command replace the file."""


class GameUnclear(InputError):
    """A file with several games of which none was chosen."""


def load(name: str, number: int | None, person: Person | None) -> GameRecord:
    """Return the game of a file; of several the one with this number, or the one that the person chooses.

    Raise OSError where the file cannot be read, FormatError where it holds no game, GameUnclear where none was chosen.
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


def save(record: GameRecord, name: str, person: Person | None, *, overwrite: bool = False, ending: str = "") -> Path:
    """Save a game in the format that `ending`, or else the name's own ending, says, and return the path.

    Raise FileTaken where a file is there already and neither `overwrite` nor the person allows to replace it,
    InputError for a format that is only read, OSError where writing fails.
    """
    path = user_path(name)
    try:
        write_game(record, path, ending=ending, overwrite=overwrite)
    except FileTaken:
        if person is None:
            raise FileTaken(path, f"another name, or the word {OVERWRITE} after it") from None
        if not agrees(person, f"{path} exists; replace it?"):
            raise
        write_game(record, path, ending=ending, overwrite=True)
    return path


def offer_to_save(record: Callable[[], GameRecord], person: Person) -> bool:
    """Ask whether to save a game that would be lost, until it is saved or given up; return whether it was saved."""
    while True:
        answer = person.ask("save the game first? a name such as game.ggf, or Enter for no: ")
        name = (answer or "").strip()
        if not name or name.lower() in NO:
            return False
        if name.lower() in YES:
            person.tell("in which file? a name is needed")
            continue
        try:
            path = save(record(), name, person)
        except (OSError, InputError) as error:
            person.tell(reason(error))
        else:
            person.tell(f"saved in {path}")
            return True


def split_overwrite(text: str) -> tuple[str, bool]:
    """Return the file's name of `NAME` or `NAME overwrite`, which may have spaces, and whether the word was there."""
    name, _, last = text.rpartition(" ")
    return (name.strip(), True) if name.strip() and last == OVERWRITE else (text, False)


def split_number(text: str) -> tuple[str, int | None]:
    """Return the file's name of `NAME` or `NAME NUMBER`, which may have spaces, and the number where there is one."""
    name, _, last = text.rpartition(" ")
    if name.strip() and last.isascii() and last.isdigit() and len(last) < 10:
        return name.strip(), int(last)
    return text, None


def reason(error: OSError | InputError) -> str:
    """Return in one line why a file could not be used."""
    if isinstance(error, InputError):
        return str(error)
    text = error.strerror or str(error)
    return f"{error.filename}: {text}" if error.filename else text
