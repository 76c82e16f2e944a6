"""Writing games in every format: one game as text, or a file of many, which appears when it is complete.

For people, a file's games are listed with their titles, and one game is saved in the format that a file's name stands
for.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.files import as_path, name_inside, open_regular, packed, read_at_most, whole_file
from othello_bot.base.notation import Color
from othello_bot.base.outputs import refuse_taken
from othello_bot.base.visible import visible
from othello_bot.formats import wthor
from othello_bot.formats.contents import files_beside
from othello_bot.formats.found import FoundGame
from othello_bot.formats.reading import games_of_file, names_beside
from othello_bot.formats.record import LARGEST_FILE_BYTES, GameRecord
from othello_bot.formats.table import WRITTEN
from othello_bot.formats.wthor import Base, PackedGame

WTHOR: Final = ".wtb"
ENDINGS: Final = tuple(WRITTEN)
YEAR: Final = "{year}"
"""What stands in a name for the year of the games."""

_NAMES_ENDINGS: Final = (".jou", ".trn")

Written = str | PackedGame
"""A game in the form of a file."""


class GameSink(Protocol):
    """A file of games that is being written."""

    def add(self, game: Written) -> None:
        """Add a game that `form_game` returned for the same ending; raise InputError if it has no place."""


def ending_of(path: Path, ending: str = "") -> str:
    """Return the ending that tells the format of a file to write: `ending`, or that of its name, or .txt.

    The ending of a compression is not one of these. Raise InputError for a file of names, which is written with its
    base, and for a compressed base.
    """
    ending = (ending or name_inside(path).suffix).lower()
    if ending == WTHOR and name_inside(path) != path:
        raise InputError("file to save in", path.name, f"{WTHOR} without compression: its names are in files beside it")
    if ending in _NAMES_ENDINGS:
        raise InputError("file to save in", path.name, f"a name ending in {', '.join(ENDINGS)}")
    return ending if ending in ENDINGS else ".txt"


def form_game(record: GameRecord, ending: str) -> Written:
    """Return a game in the form of a format; raise InputError if the format has no place for it, or if it is not one."""
    if not isinstance(record, GameRecord):
        raise InputError("game to write", record, "a GameRecord")
    game = WRITTEN[ending].written(record)
    return game + "\n" if isinstance(game, str) and not game.endswith("\n") else game


@contextlib.contextmanager
def game_sink(path: Path, *, ending: str = "", overwrite: bool = False) -> Iterator[GameSink]:
    """Open a file for games; it appears, or replaces an existing one, at the end of the block.

    A WTHOR base gets files of players and tournaments beside it. Raise FileTaken if a file of these names exists and
    `overwrite` is false, InputError for a format or games that have no place there, OSError if writing fails.
    """
    if ending_of(path, ending) == WTHOR:
        sink = _WthorSink(path, overwrite)
        yield sink
        sink.write()
        return
    refuse_taken(path, overwrite=overwrite)
    with whole_file(path) as file, packed(file, path) as packing:
        yield _TextSink(packing.write, ending_of(path, ending) == ".pgn")


def write_games(
    records: Iterable[GameRecord], path: str | os.PathLike[str], *, ending: str = "", overwrite: bool = False
) -> None:
    """Write games to a file in the format that `ending` names, or else the ending of `path`, as game_sink() does."""
    place = as_path(path)
    if not isinstance(records, Iterable):
        raise InputError("games to write", records, "several GameRecords; write_game writes one")
    with game_sink(place, ending=ending, overwrite=overwrite) as sink:
        for record in records:
            sink.add(form_game(record, ending_of(place, ending)))


def inputs_of(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that reading some files of games reads: they, and the names that belong to a WTHOR base."""
    for path in paths:
        yield path
        if path.suffix.lower() == ".wtb":
            for ending in (".jou", ".trn"):
                for name in files_beside(path.parent, ending):
                    if Path(name).stem.lower() in (path.stem.lower(), "wthor"):
                        yield path.with_name(name)


def written_files(path: Path, ending: str) -> list[Path]:
    """Return the files that a sink for this format writes: a WTHOR base is several.

    With YEAR in the name, those of all years count that exist.
    """
    if ending != WTHOR:
        return [path]
    years = re.compile(re.escape(path.name).replace(re.escape(YEAR), r"\d+"), re.ASCII)
    bases = [path] if YEAR not in path.name else [one for one in _listed(path.parent) if years.fullmatch(one.name)]
    return [*bases, *(_beside(path, ending) for ending in _NAMES_ENDINGS)]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []  # the writer will tell


def _beside(path: Path, ending: str) -> Path:
    """Return the file of names that is written beside a base."""
    stem = "WTHOR" if YEAR in path.name else path.stem
    return path.with_name(stem + (ending.upper() if path.suffix.isupper() else ending))


class _TextSink:
    """Writes games as text, one after the other; those of PGN have an empty line between them."""

    def __init__(self, write: Callable[[bytes], object], spaced: bool) -> None:
        self._write = write
        self._spaced = spaced
        self._began = False

    def add(self, game: Written) -> None:
        """Write a game."""
        if not isinstance(game, str):
            raise InputError("game", game, "a text")
        self._write((("\n" if self._spaced and self._began else "") + game).encode("utf-8", "replace"))
        self._began = True


class _WthorSink:
    """Collects the games of a base and writes its files."""

    def __init__(self, path: Path, overwrite: bool) -> None:
        self._path = path
        self._overwrite = overwrite
        self._base = Base()
        for ending in _NAMES_ENDINGS:
            refuse_taken(_beside(path, ending), overwrite=overwrite)
        if YEAR not in path.name:
            refuse_taken(path, overwrite=overwrite)

    def add(self, game: Written) -> None:
        """Add a game; raise InputError if it is of another year than the others, or has one name too many."""
        if not isinstance(game, PackedGame):
            raise InputError("game", game, "a packed game")
        years = {game.year, *self._base.years}
        if len(years) > 1 and YEAR not in self._path.name:
            first = min(years - {game.year})
            expected = f"games of {first or 'unknown year'} only, or {YEAR} in the name of the file to write"
            raise InputError("year", game.year or "unknown", expected)
        self._base.add(game)

    def write(self) -> None:
        """Write all files."""
        contents = {
            self._path.with_name(self._path.name.replace(YEAR, str(year))): self._base.games(year)
            for year in self._base.years or [0]
        }
        for path in contents:
            refuse_taken(path, overwrite=self._overwrite)
        contents[_beside(self._path, ".jou")] = self._base.players()
        contents[_beside(self._path, ".trn")] = self._base.tournaments()
        for path, content in contents.items():
            with whole_file(path) as file:
                file.write(content)


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
    if not size_bytes:  # files of the system tell no size, and some have no end
        raise FormatError("game file", str(path), _A_GAME)
    if path.suffix.lower() == ".wtb":
        return _open_wthor(path, read_at_most(path, LARGEST_FILE_BYTES, "game file"))
    found = []
    for game in itertools.islice(games_of_file(path), MOST_TITLES + 1):
        if game.offset > LARGEST_LISTED_BYTES:  # a compressed file holds more than its size tells
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
