"""Whole games: transcripts to positions and to tokens, random games, and the positions of files."""

from __future__ import annotations

import importlib
import zipfile
import zlib
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from othello_bot import kernel
from othello_bot.base.errors import InputError, UserError
from othello_bot.base.notation import LONGEST_GAME, PASS, Color
from othello_bot.base.version import missing
from othello_bot.batch.arrays import Bitboards, checked, checked_integer, checked_positions, in_parts
from othello_bot.formats.reading import games_of_file
from othello_bot.rules import Position

END: Final = 255
"""What follows the last move of a transcript in a row that is longer."""

MOST_GAMES: Final = 1 << 40


class Replay(NamedTuple):
    """The positions of games, a row for each game.

    Column i of `mover`, `opponent` and `color` (0: Black to move, 1: White) is the position in which move i of the
    transcript is played, column `lengths` the one after the last move; later columns are 0. `passed` marks moves before
    which the transcript omits a pass. `scores` counts discs from Black's view at the last position, with the empty
    squares for the winner; `over` says whether neither player has a move there. `illegal` is the column of the first
    illegal move, at which the game ends, or -1.
    """

    mover: Bitboards
    opponent: Bitboards
    color: npt.NDArray[np.uint8]
    passed: npt.NDArray[np.bool_]
    lengths: npt.NDArray[np.int16]
    scores: npt.NDArray[np.int8]
    over: npt.NDArray[np.bool_]
    illegal: npt.NDArray[np.int16]


def replay(
    transcripts: npt.NDArray[np.uint8],
    *,
    start: Position | None = None,
    errors: Literal["raise", "mark"] = "raise",
    threads: int = 1,
) -> Replay:
    """Return all positions of games.

    A transcript is a row of moves, uint8; 255 ends one that is shorter. Passes may be left out or written as 64, also
    behind the end of a game. All games begin at `start` (None: the usual one). An illegal move raises InputError, or
    ends its game where `errors` is "mark".
    """
    moves = checked("transcripts", transcripts, np.uint8, 2)
    if moves.shape[1] > LONGEST_GAME:
        raise InputError("transcripts, shape", moves.shape, f"at most {LONGEST_GAME} columns")
    if not isinstance(errors, str) or errors not in ("raise", "mark"):
        raise InputError("errors", errors, "raise or mark")
    first = Position.start() if start is None else start
    if not isinstance(first, Position):
        raise InputError("start", start, "a Position, or None for the usual one")
    games, width = moves.shape
    mover, opponent = np.zeros((games, width + 1), np.uint64), np.zeros((games, width + 1), np.uint64)
    color, passed = np.zeros((games, width + 1), np.uint8), np.zeros((games, width), np.uint8)
    lengths, illegal = np.zeros(games, np.int16), np.zeros(games, np.int16)
    mover[:, 0], opponent[:, 0], color[:, 0] = first.mover, first.opponent, int(first.color)
    arrays = mover, opponent, color, passed, lengths, illegal
    in_parts(threads, games, lambda part: kernel.fill_replayed(moves[part], *(array[part] for array in arrays)))
    if errors == "raise" and (illegal >= 0).any():
        game = int(np.argmax(illegal >= 0))
        ply = int(illegal[game])
        raise InputError(f"game {game}, move {ply}", int(moves[game, ply]), _legal(mover, opponent, game, ply))
    rows = np.arange(games)
    last_mover, last_opponent, last_color = mover[rows, lengths], opponent[rows, lengths], color[rows, lengths]
    over, scores = np.empty(games, np.uint8), np.empty(games, np.int8)
    kernel.fill_over(last_mover, last_opponent, over)
    kernel.fill_final_scores(last_mover, last_opponent, scores)
    scores[last_color == Color.WHITE] *= -1
    return Replay(mover, opponent, color, passed.view(np.bool_), lengths, scores, over.view(np.bool_), illegal)


def _legal(mover: Bitboards, opponent: Bitboards, game: int, ply: int) -> str:
    """Return which moves would have been legal, by their numbers."""
    position = Position(int(mover[game, ply]), int(opponent[game, ply]))
    if position.must_pass:
        position = position.play(PASS)
    squares = ", ".join(map(str, position.legal_moves))
    return f"one of {squares}" if squares else f"{END}, the game is over"


def random_games(count: int, seed: int, *, threads: int = 1) -> npt.NDArray[np.uint8]:
    """Return the transcripts of random games, uint8 [count, 60]: moves without passes, then 255.

    Every legal move is equally likely. Game i of a seed is the same whatever the count.
    """
    count = checked_integer("count", count, 0, MOST_GAMES)
    seed = checked_integer("seed", seed, 0, (1 << 64) - 1)
    transcripts = np.full((count, 60), END, np.uint8)
    in_parts(threads, count, lambda part: kernel.fill_random_games(seed, part.start, transcripts[part]))
    return transcripts


_CENTRE: Final = (27, 28, 35, 36)

_PLAYABLE: Final = [square for square in range(64) if square not in _CENTRE]


def _othello_gpt() -> npt.NDArray[np.uint8]:
    """Return the token of each move, 255 for a square that no move can name, and 0 for pass and end."""
    table = np.full(256, 255, np.uint8)
    for token, transposed in enumerate(_PLAYABLE, 1):
        table[transposed >> 3 | (transposed & 7) << 3] = token
    table[[PASS, END]] = 0
    return table


_OTHELLO_GPT: Final = _othello_gpt()


def tokens(transcripts: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return games as the tokens of Othello-GPT (K. Li and others, 2023), uint8 in the shape of the transcripts.

    A move is 1 to 60: the squares without the four in the centre, file by file (a1, a2, ... h8). Passes are left out,
    and 0 follows the last move. Raise InputError for anything but moves, 64 and 255, whether legal or not.
    """
    moves = checked("transcripts", transcripts, np.uint8, 2)
    table = _OTHELLO_GPT[moves]
    ended = np.logical_or.accumulate(moves == END, axis=1)
    offending = (table == 255) & ~ended
    if offending.any():
        game, ply = (int(number) for number in np.argwhere(offending)[0])
        raise InputError(
            f"game {game}, move {ply}", int(moves[game, ply]), "a square from 0 to 63 outside the centre, 64 or 255"
        )
    table[ended] = 0
    gaps = table == 0
    return np.take_along_axis(table, np.argsort(gaps, axis=1, kind="stable"), axis=1)


# -- positions of files ------------------------------------------------------------------------------------------------


def read_positions(path: Path) -> tuple[Bitboards, Bitboards]:
    """Return mover and opponent of the positions of a file; raise what `label_file` raises."""
    if path.suffix == ".npz":
        return checked_positions(*_arrays(path))
    if path.suffix == ".parquet":
        arrow, parquet = pyarrow_part(""), pyarrow_part("parquet")
        try:
            with open(path, "rb") as file:  # the library's own errors have no reason
                table = parquet.read_table(file)
        except arrow.ArrowException:
            raise InputError("file", path.name, "a Parquet file, whole") from None
        if not {"mover", "opponent"} <= set(table.column_names):
            raise InputError(f"columns of {path.name}", ", ".join(table.column_names), "mover and opponent")
        return checked_positions(*(_column(table, name, path.name) for name in ("mover", "opponent")))
    positions = [
        (position.mover, position.opponent)
        for found in games_of_file(path)
        for game in (found.checked().game,)
        for position in map(game.position_at, range(game.ply + 1))
    ]
    both = np.array(positions, np.uint64).reshape(-1, 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


def _arrays(path: Path) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the arrays `mover` and `opponent` of an .npz file; raise InputError for another file."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            if {"mover", "opponent"} <= set(arrays.files):
                return arrays["mover"], arrays["opponent"]
            found = ", ".join(arrays.files)
    except (zipfile.BadZipFile, zlib.error, EOFError, AttributeError, TypeError, ValueError):
        raise InputError("file", path.name, "an .npz archive of NumPy arrays, whole and without objects") from None
    raise InputError(f"arrays of {path.name}", found, "mover and opponent")


def _column(table: Any, name: str, file: str) -> npt.NDArray[Any]:
    """Return a column of a pyarrow table; raise InputError unless it has a uint64 in every row."""
    column = table.column(name)
    if str(column.type) != "uint64":
        hint = (
            "; numpy.asarray(column).view(numpy.uint64) reads int64 as bitboards" if str(column.type) == "int64" else ""
        )
        raise InputError(f"column {name} of {file}, type", str(column.type), f"uint64{hint}")
    if column.null_count:
        raise InputError(f"empty cells in column {name} of {file}", column.null_count, "none: a uint64 in every row")
    return np.ascontiguousarray(column.to_numpy())


def pyarrow_part(part: str) -> Any:
    """Return pyarrow or a part of it; raise UserError where it is not installed."""
    try:
        return importlib.import_module(f"pyarrow.{part}".rstrip("."))
    except ImportError:
        raise UserError(missing("Parquet", "pyarrow", "parquet")) from None
