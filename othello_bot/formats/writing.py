"""Writing games in every format: one game as text, or a file of many games, which appears when it is complete."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol

from othello_bot.base.errors import InputError
from othello_bot.base.files import as_path, name_inside, packed, whole_file
from othello_bot.formats import ggf, obf, pgn, quest, sgf, transcripts
from othello_bot.formats.record import GameRecord
from othello_bot.formats.wthor_base import Base, PackedGame, pack_game

TEXT_WRITERS: Final[dict[str, Callable[[GameRecord], str]]] = {
    ".ggf": ggf.write_game,
    ".sgf": sgf.write_game,
    ".pgn": pgn.write_game,
    ".json": quest.write_game,
    ".obf": obf.write_game,
    ".txt": transcripts.write_game,
}
"""The writers of text formats by ending; a file with an unknown ending gets transcripts."""

WTHOR: Final = ".wtb"
ENDINGS: Final = (*TEXT_WRITERS, WTHOR)
YEAR: Final = "{year}"
"""What stands in a name for the year of the games."""

_NAMES_ENDINGS: Final = (".jou", ".trn")

Written = str | PackedGame
"""A game in the form of a file."""


class FileTaken(InputError):
    """A file of that name exists already and was not changed."""

    def __init__(self, path: Path, expected: str = "another name") -> None:
        super().__init__("existing file", path.name, expected)


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
    """Return a game in the form of a format; raise InputError if the format has no place for it, or if it is none."""
    if not isinstance(record, GameRecord):
        raise InputError("game to write", record, "a GameRecord")
    if ending == WTHOR:
        return pack_game(record)
    text = TEXT_WRITERS[ending](record)
    return text if text.endswith("\n") else text + "\n"


@contextlib.contextmanager
def game_sink(path: Path, *, ending: str = "", overwrite: bool = False) -> Iterator[GameSink]:
    """Open a file that gets games; it appears, or replaces the one there, at the end of the block.

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


def refuse_taken(path: Path, *, overwrite: bool) -> None:
    """Raise FileTaken if a file of this name exists and must not be replaced."""
    if path.is_file() and not overwrite:
        raise FileTaken(path)


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
        self._names_stem = "WTHOR" if YEAR in path.name else path.stem
        for ending in _NAMES_ENDINGS:
            refuse_taken(self._beside(ending), overwrite=overwrite)
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
        contents[self._beside(".jou")] = self._base.players()
        contents[self._beside(".trn")] = self._base.tournaments()
        for path, content in contents.items():
            with whole_file(path) as file:
                file.write(content)

    def _beside(self, ending: str) -> Path:
        return self._path.with_name(self._names_stem + (ending.upper() if self._path.suffix.isupper() else ending))
