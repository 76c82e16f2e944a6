"""Positions as planes and games as tokens, as other libraries and networks lay them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS
from othello_bot.batch.arrays import Bitboards, checked, checked_positions
from othello_bot.batch.games import END

_CENTRE: Final = (27, 28, 35, 36)

_PLAYABLE: Final = [square for square in range(64) if square not in _CENTRE]


def _cells(bits: Bitboards) -> npt.NDArray[np.uint8]:
    """Return the bits of bitboards as cells, rank by rank from a1: uint8 [positions, 8, 8]."""
    octets = bits.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, bitorder="little").reshape(-1, 8, 8)


def _last(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.uint8]:
    return np.stack((_cells(movers), _cells(opponents)), axis=-1)


def _ours(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.int8]:
    return _last(movers, opponents).view(np.int8)


def _pgx(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.bool_]:
    return _last(movers, opponents).view(np.bool_)


def _openspiel(movers: Bitboards, opponents: Bitboards) -> npt.NDArray[np.float32]:
    planes = np.stack((_cells(~(movers | opponents)), _cells(movers), _cells(opponents)), axis=1)
    return planes.astype(np.float32)


LAYOUTS: Final[dict[str, Callable[[Bitboards, Bitboards], npt.NDArray[Any]]]] = {
    "ours": _ours,
    "pgx": _pgx,
    "openspiel": _openspiel,
}
"""The layouts that `encode` knows."""


def encode(mover: Bitboards, opponent: Bitboards, layout: str = "ours") -> npt.NDArray[Any]:
    """Return positions as planes of the board, from the mover's view.

    "ours": int8 [positions, 8, 8, 2], the mover's discs and the opponent's; "pgx": the same as bool; "openspiel":
    float32 [positions, 3, 8, 8], the empty squares, the mover's discs and the opponent's. The first axis of the board
    is the rank, the second the file. Raise InputError for another layout.
    """
    movers, opponents = checked_positions(mover, opponent)
    if layout not in LAYOUTS:
        raise InputError("layout", layout, f"one of {', '.join(LAYOUTS)}")
    return LAYOUTS[layout](movers, opponents)


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
