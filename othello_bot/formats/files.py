"""Game files: what a name's ending says about the format, and every game that a file holds.

GGF, SGF and PGN are read and written, and so are transcripts, one game a line. The games of a WTHOR base (.wtb) are
read, with the names of the players (.jou) and tournaments (.trn) that lie beside it.
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

ENDINGS: Final = (".ggf", ".sgf", ".pgn", ".txt", ".wtb")
"""The endings that say what a file is; a game under any other is written as a transcript."""

_WRITERS: Final[dict[str, Callable[[GameRecord], str]]] = {
    ".ggf": ggf.write_game,
    ".sgf": sgf.write_game,
    ".pgn": pgn.write_game,
}
_READ_ONLY: Final = (".wtb", ".jou", ".trn")
_SHOWN_MOVES: Final = 6


class FileTaken(InputError):
    """A file of that name is there already and was left as it is."""

    def __init__(self, path: Path, expected: str = "another name") -> None:
        super().__init__("existing file", path.name, expected)


@dataclass(frozen=True, slots=True)
class GameFile:
    """The games of a file: one title each, which names players, result and first moves, and the games themselves."""

    titles: tuple[str, ...]
    read: Callable[[int], GameRecord]
    """Return the game with an index into `titles`; raise FormatError where the file has an illegal move."""


def user_path(text: str) -> Path:
    """Return the path that a person typed: `~` is the home folder, and quotes around it are left out."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)  # there is no such user: a file of that very name is meant


def write_game(record: GameRecord, path: Path, *, ending: str = "", overwrite: bool = False) -> None:
    """Write a game in the format that `ending`, or else that of `path`, names; the file is whole or as it was.

    Raise FileTaken where a file is there already and `overwrite` is false, InputError for a format that is only read,
    OSError where writing fails.
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
    """Return the games of a file of any known format, of which there is at least one.

    Raise OSError where the file cannot be read, FormatError where it holds no game.
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
    # Without the moves: to check those of a whole base takes longer than a person likes to wait.
    titles = tuple(_title(game.heading(players, tournaments)) for game in games)
    return GameFile(titles, lambda index: games[index].record(players, tournaments))


def _names_beside(path: Path, ending: str, read: Callable[[bytes], list[str]]) -> Sequence[str]:
    """Return the names in the one file with this ending in the folder of `path`; none where there is not one."""
    found = [other for other in path.parent.iterdir() if other.suffix.lower() == ending]
    if len(found) != 1:
        return ()
    try:
        return read(read_at_most(found[0], LARGEST_FILE_BYTES, "file of names"))
    except (OSError, FormatError):
        return ()  # the games are there all the same, only nameless


def _decoded(content: bytes) -> str:
    """Return the text of a file: UTF-8, or Latin-1 as old files are, where only names can tell the difference."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _title(record: GameRecord) -> str:
    """Return a game in one line: players, discs, date, event and the first moves."""
    result = record.known_result
    parts = [f"{record.black or '?'} - {record.white or '?'}"]
    if result is not None:
        parts.append(f"{32 + result / 2:g}-{32 - result / 2:g}")
    parts += [text for text in (record.date, record.event) if text]
    moves = record.game.transcript()[: 2 * _SHOWN_MOVES]
    return "  ".join([*parts, moves] if moves else parts)


def _transcript(record: GameRecord) -> str:
    """Return the game as a line of moves, the board before them where it is not the usual start, a comment behind."""
    start = record.game.start
    moves = record.game.transcript() + (f" # {record.comment}" if record.comment else "")
    return moves if start == Position.start() else f"{start.to_string()} {moves}"
