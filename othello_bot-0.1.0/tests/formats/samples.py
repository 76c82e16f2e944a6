"""Games as files hold them, for the tests of the formats."""

from __future__ import annotations

import struct
from types import ModuleType

from othello_bot.base.notation import PASS
from othello_bot.formats.record import GameRecord
from othello_bot.rules.game import Game
from tests.rules.strategies import random_game

START_BOARD = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
GGS_GAME = (
    "(;GM[Othello]PC[GGS/os]DT[2004.09.18_05:54:38.MDT]PB[Saio1200]PW[Saio3000]RB[2197.01]RW[2198.72]"
    f"TI[05:00//02:00]TY[8]RE[-12.00:t]BO[{START_BOARD}]B[d3//0.01]W[c5/-1.25/0.5]B[D6/0.00];)"
)
WIPE_OUT = "f5d6c5f4e3f6g5e6e7"


def first_game(form: ModuleType, text: str) -> GameRecord:
    """Return the first game of a text in a format."""
    record: GameRecord = next(form.FORMAT.records(text))
    return record


def passing_game() -> Game:
    """Return a finished game that has passes."""
    return next(game for seed in range(100) if PASS in (game := random_game(seed)).moves)


EDAX_SGF = (
    "(;FF[4]GM[2]AP[edax:4.6]PC[Edax]DT[2020-1-1]PB[A\\]B]PW[C]SZ[8]AB[d5][e4]AW[d4][e5]PL[B]RE[B+12]B[f5];W[d6];B[c3])"
)


def wthor_file(games: list[Game], *, count: int | None = None, size: int = 8) -> bytes:
    """Return a .wtb file of finished games from the usual start."""
    header = struct.pack("<4BIHHBBBB", 20, 24, 5, 31, len(games) if count is None else count, 0, 1987, size, 0, 22, 0)
    records = []
    for game in games:
        moves = bytes(10 * (move // 8 + 1) + move % 8 + 1 for move in game.moves if move != PASS)
        discs = 32 + game.final_score // 2
        records.append(struct.pack("<HHHBB60s", 1, 2, 0, discs, 33, moves))
    return header + b"".join(records)


def names_file(names: list[str], size: int) -> bytes:
    """Return a .jou or .trn file."""
    header = struct.pack("<4BIHHBBBB", 20, 24, 5, 31, 0, len(names), 0, 0, 0, 0, 0)
    return header + b"".join(name.encode("latin-1").ljust(size, b"\0") for name in names)
