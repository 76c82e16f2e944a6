"""Game files: the format that a name's ending stands for, and all games of a file.

GGF, SGF, PGN and transcripts (one game a line) are read and written. The games of a WTHOR base (.wtb) are read, with
the names of the players (.jou) and tournaments (.trn) from the files beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot.errors import FormatError, InputError
from othello_bot.files import read_at_most, whole_file
from othello_bot.formats import ggf, pgn, sgf, wthor
from othello_bot.formats.detect import read_games
from othello_bot.formats.record import LARGEST_FILE_BYTES, GameRecord
from othello_bot.rules import Position

_WRITERS: Final[dict[str, Callable[[GameRecord], str]]] = {
    ".ggf": ggf.write_game,
    ".sgf": sgf.write_game,
    ".pgn": pgn.write_game,
}
"""Writers by ending; a file with any other ending gets a transcript."""

_READ_ONLY: Final = (".wtb", ".jou", ".trn")
_SHOWN_MOVES: Final = 6


class FileTaken(InputError):
    """A file of that name exists already and was not changed."""

    def __init__(self, path: Path, expected: str = "another name") -> None:
        super().__init__("existing file", path.name, expected)


@dataclass(frozen=True, slots=True)
class GameFile:
    """The games of a file: a title for each, with players, result and first moves, and the games themselves."""

    titles: tuple[str, ...]
    read: Callable[[int], GameRecord]
    """Return the game with an index into `titles`; raise FormatError if it has an illegal move."""


def user_path(text: str) -> Path:
    """Return the path that a user typed: `~` becomes the home folder, and quotes around the path are removed."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)  # no such user: take the name literally


def write_game(record: GameRecord, path: Path, *, ending: str = "", overwrite: bool = False) -> None:
    """Write a game in the format that `ending` names, or else the ending of `path`; the file is replaced as a whole.

    Raise FileTaken if the file exists and `overwrite` is false, InputError for a format that can only be read, OSError
    if writing fails.
    """
    ending = ending or path.suffix.lower()
    if ending in _READ_ONLY:
        raise InputError("file to save in", path.name, "a name ending in .ggf, .sgf, .pgn or .txt")
    if path.is_file() and not overwrite:
        raise FileTaken(path)
    text = _WRITERS.get(ending, _transcript)(record)
    with whole_file(path) as file:
        file.write((text if text.endswith("\n") else text + "\n").encode())


def open_games(path: Path) -> GameFile:
    """Return the games of a file of any known format; there is at least one.

    Raise OSError if the file cannot be read, FormatError if it holds no game.
    """
    content = read_at_most(path, LARGEST_FILE_BYTES, "game file")
    if path.suffix.lower() == ".wtb":
        return _open_wthor(path, content)
    records = tuple(read_games(_decoded(content)))
    if not records:
        raise FormatError("game file", str(path), "a game in GGF, SGF, PGN or as a transcript")
    return GameFile(tuple(map(_title, records)), records.__getitem__)


def _open_wthor(path: Path, content: bytes) -> GameFile:
    """Return the games of a WTHOR base."""
    games = tuple(wthor.read_games(content))
    if not games:
        raise FormatError("WTHOR file", str(path), "a game", 4)
    players = _names_beside(path, ".jou", wthor.read_players)
    tournaments = _names_beside(path, ".trn", wthor.read_tournaments)
    # Titles without moves: checking the moves of a whole base would take too long for an interactive user.
    titles = tuple(_title(game.heading(players, tournaments)) for game in games)
    return GameFile(titles, lambda index: games[index].record(players, tournaments))


def _names_beside(path: Path, ending: str, read: Callable[[bytes], list[str]]) -> Sequence[str]:
    """Return the names in the only file with this ending in the folder of `path`; none if there is not exactly one."""
    found = [other for other in path.parent.iterdir() if other.suffix.lower() == ending]
    if len(found) != 1:
        return ()
    try:
        return read(read_at_most(found[0], LARGEST_FILE_BYTES, "file of names"))
    except (OSError, FormatError):
        return ()  # the games are usable without names


def _decoded(content: bytes) -> str:
    """Return the text of a file: UTF-8, or else Latin-1 as in old files; the difference affects only names."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _title(record: GameRecord) -> str:
    """Return a one-line title of a game: players, discs, date, event and the first moves."""
    result = record.known_result
    parts = [f"{record.black or '?'} - {record.white or '?'}"]
    if result is not None:
        parts.append(f"{32 + result / 2:g}-{32 - result / 2:g}")
    parts += [text for text in (record.date, record.event) if text]
    moves = record.game.transcript()[: 2 * _SHOWN_MOVES]
    return "  ".join([*parts, moves] if moves else parts)


def _transcript(record: GameRecord) -> str:
    """Return the game as a line of moves, preceded by the board unless it is the usual start, followed by a comment."""
    start = record.game.start
    moves = record.game.transcript() + (f" # {record.comment}" if record.comment else "")
    return moves if start == Position.start() else f"{start.to_string()} {moves}"
