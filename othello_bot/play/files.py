"""Games of the terminal in files: GGF, SGF or PGN by the name's ending, a transcript under any other."""

from __future__ import annotations

import os
from pathlib import Path

from othello_bot.errors import FormatError, InputError
from othello_bot.files import read_at_most, whole_file
from othello_bot.formats import ggf, pgn, sgf
from othello_bot.formats.detect import read_games
from othello_bot.formats.record import LARGEST_FILE_BYTES, GameRecord
from othello_bot.rules import Game, Position


class PlaceError(InputError):
    """A path at which no file can be written."""


def save_game(game: Game, black: str, white: str, path: Path, comment: str = "") -> None:
    """Write the game with the players' names and a comment; the file is whole or not there.

    Raise OSError where that fails.
    """
    record = GameRecord(game, black=black, white=white, comment=comment)
    writers = {".ggf": ggf.write_game, ".sgf": sgf.write_game, ".pgn": pgn.write_game}
    text = writers.get(path.suffix.lower(), _transcript)(record)
    with whole_file(path) as file:
        file.write((text if text.endswith("\n") else text + "\n").encode())


def check_place(path: Path) -> None:
    """Raise PlaceError where no game could be saved, so that nobody learns it after the game."""
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise PlaceError("place to save", str(path), "a file in a folder that exists and can be written to")


def load_game(path: Path) -> Game:
    """Return the first game of a file of any known format.

    Raise OSError where the file cannot be read, FormatError where it is no game.
    """
    content = read_at_most(path, LARGEST_FILE_BYTES, "game file")
    # Old files are Latin-1, and nothing but the players' names can tell the difference.
    record = next(read_games(content.decode("latin-1")), None)
    if record is None:
        raise FormatError("game file", str(path), "a game in GGF, SGF, PGN or as a transcript")
    return record.game


def _transcript(record: GameRecord) -> str:
    """Return the game as a line of moves, with the board before them where it is not the usual start."""
    start = record.game.start
    moves = record.game.transcript() + (f" # {record.comment}" if record.comment else "")
    return moves if start == Position.start() else f"{start.to_string()} {moves}"
