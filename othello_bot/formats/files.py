"""Game files for people: a file's games with their titles, and one game saved in the format that a name stands for."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot.base.errors import FormatError
from othello_bot.base.files import as_path, open_regular, read_at_most
from othello_bot.base.notation import Color
from othello_bot.base.visible import visible
from othello_bot.formats import wthor
from othello_bot.formats.contents import files_beside
from othello_bot.formats.found import FoundGame
from othello_bot.formats.pieces import names_beside
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import LARGEST_FILE_BYTES, GameRecord
from othello_bot.formats.writing import write_games

MOST_TITLES: Final = 10_000
"""Most games of a file that a person may choose from."""

LARGEST_LISTED_BYTES: Final = 1 << 24
"""Largest file whose games are listed: a session answers nothing else meanwhile."""

_SHOWN_MOVES: Final = 6
_A_GAME: Final = "a game in GGF, SGF, PGN, JSON of Othello Quest, XOF, or as a transcript"


@dataclass(frozen=True, slots=True)
class GameFile:
    """The games of a file: a title for each, with players, result and first moves, and the games themselves."""

    titles: tuple[str, ...]
    read: Callable[[int], GameRecord]
    """Return the game with an index into `titles`; raise FormatError if it cannot be read."""


def user_path(text: str) -> Path:
    """Return the path that a user typed: `~` becomes the home folder, and quotes around the path are removed."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)  # no such user: take the name literally


def write_game(record: GameRecord, path: str | os.PathLike[str], *, ending: str = "", overwrite: bool = False) -> None:
    """Write a game in the format that `ending` names, or else the ending of `path`; the file is replaced as a whole.

    Raise FileTaken if the file exists and `overwrite` is false, InputError if the format has no place for the game,
    OSError if writing fails.
    """
    write_games([record], path, ending=ending, overwrite=overwrite)


def open_games(path: str | os.PathLike[str]) -> GameFile:
    """Return the games of a file of any known format; there is at least one.

    A game that cannot be read has the reason as its title. Raise OSError if the file cannot be read or is a pipe or a
    device, FormatError if it holds no game or is too large.
    """
    path = as_path(path)
    with open_regular(path) as file:
        size_bytes = os.fstat(file.fileno()).st_size
    if size_bytes > LARGEST_LISTED_BYTES:
        raise _too_large(path)
    if not size_bytes:  # files of the system, of which some have no end, tell no size
        raise FormatError("game file", str(path), _A_GAME)
    if path.suffix.lower() == ".wtb":
        return _open_wthor(path, read_at_most(path, LARGEST_FILE_BYTES, "game file"))
    found = []
    for game in itertools.islice(games_of_file(path), MOST_TITLES + 1):
        if game.offset > LARGEST_LISTED_BYTES:  # a compressed file is longer than its size tells
            raise _too_large(path)
        found.append(game)
    if len(found) > MOST_TITLES:
        raise FormatError("game file", str(path), f"at most {MOST_TITLES} games; othello-bot convert takes some out")
    readable = [game for game in found if game.record is not None]
    if not readable and len(found) == 1:
        found[0].checked()
    if not readable:
        raise FormatError("game file", str(path), _A_GAME)
    titles = tuple(_title_of(game) for game in found)
    return GameFile(titles, lambda index: found[index].checked())


def _too_large(path: Path) -> FormatError:
    expected = f"at most {LARGEST_LISTED_BYTES} bytes; othello-bot convert takes games out of large files"
    return FormatError("game file", str(path), expected)


def _title_of(game: FoundGame) -> str:
    """Return the title of a found game, or why it cannot be read."""
    if game.record is not None:
        return _title(game.record)
    return f"unreadable, {game.place.split('(')[-1].rstrip(')')}: {'' if game.error is None else game.error.reason}"


def _open_wthor(path: Path, content: bytes) -> GameFile:
    """Return the games of a WTHOR base."""
    games = tuple(wthor.stored_games(wthor.read_header(content), content[wthor.HEADER.size :], 0))
    if not games:
        raise FormatError("WTHOR file", str(path), "a game", 4)
    players = names_beside(path.name, files_beside(path.parent, ".jou"), wthor.read_players)
    tournaments = names_beside(path.name, files_beside(path.parent, ".trn"), wthor.read_tournaments)
    # Titles without moves: checking the moves of a whole base would take too long for an interactive user.
    titles = tuple(_title(game.heading(players, tournaments)) for game in games)
    return GameFile(titles, lambda index: games[index].record(players, tournaments))


def _title(record: GameRecord) -> str:
    """Return a one-line title of a game: players, discs, date, event and the first moves."""
    result = record.known_result
    parts = [f"{record.black or '?'} - {record.white or '?'}"]
    if result is not None:
        parts.append(f"{32 + result / 2:g}-{32 - result / 2:g}")
    elif record.winner is not None:
        parts.append("1-0" if record.winner is Color.BLACK else "0-1")
    parts += [text for text in (record.date, record.event) if text]
    moves = record.game.transcript()[: 2 * _SHOWN_MOVES]
    return visible("  ".join([*parts, moves] if moves else parts))
