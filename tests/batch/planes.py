"""The rules once more, obvious, but for many boards at once: cells with a border, and steps in eight directions.

A board is int8 [10, 10]: 1 the mover's disc, -1 the opponent's, 0 empty or border. Nothing of othello_bot is used here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Boards = npt.NDArray[np.int8]
DIRECTIONS = [(rank, file) for rank in (-1, 0, 1) for file in (-1, 0, 1) if rank or file]


def start_boards(count: int) -> Boards:
    """Return the usual start, Black to move, so many times."""
    boards = np.zeros((count, 10, 10), np.int8)
    boards[:, 4, 5] = boards[:, 5, 4] = 1
    boards[:, 4, 4] = boards[:, 5, 5] = -1
    return boards


def bits(cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    """Return bitboards of cells without the border, [boards, 8, 8]."""
    powers = np.array([1 << square for square in range(64)], np.uint64)
    boards: npt.NDArray[np.uint64] = (cells.reshape(-1, 64) * powers).sum(axis=1, dtype=np.uint64)
    return boards


def inner(boards: Boards, rank: int = 0, file: int = 0) -> Boards:
    """Return what lies so many ranks and files from each square; 0 beyond the board."""
    far = np.zeros_like(boards[:, 1:9, 1:9])
    ranks, files = slice(max(0, -rank), 8 - max(0, rank)), slice(max(0, -file), 8 - max(0, file))
    whole = boards[:, 1:9, 1:9]
    far[:, ranks, files] = whole[:, max(0, rank) : 8 + min(0, rank), max(0, file) : 8 + min(0, file)]
    return far


def legal(boards: Boards) -> npt.NDArray[np.bool_]:
    """Return where the mover may play, [boards, 8, 8]."""
    found = np.zeros((len(boards), 8, 8), np.bool_)
    for rank, file in DIRECTIONS:
        run = inner(boards, rank, file) == -1
        for steps in range(2, 8):
            reached = inner(boards, steps * rank, steps * file)
            found |= run & (reached == 1)
            run &= reached == -1
    found &= inner(boards) == 0
    return found


def play(boards: Boards, squares: npt.NDArray[np.intp]) -> Boards:
    """Return the boards after a legal move each, from the view of the next player to move."""
    after = boards.copy()
    rows = np.arange(len(boards))
    ranks, files = squares // 8 + 1, squares % 8 + 1
    for rank, file in DIRECTIONS:
        running, length = np.ones(len(boards), np.bool_), np.zeros(len(boards), np.intp)
        for steps in range(1, 8):
            at = boards[rows, np.clip(ranks + steps * rank, 0, 9), np.clip(files + steps * file, 0, 9)]
            length[running & (at == 1)] = steps - 1
            running &= at == -1
        for steps in range(1, 7):
            turned = length >= steps
            after[rows[turned], (ranks + steps * rank)[turned], (files + steps * file)[turned]] = 1
    after[rows, ranks, files] = 1
    turned_round: Boards = -after
    return turned_round


def games(transcripts: npt.NDArray[np.uint8]) -> Iterator[tuple[npt.NDArray[np.intp], Boards, npt.NDArray[np.bool_]]]:
    """Yield, move by move, the games that go on, their boards before the move, and who had to pass before it; the last
    yield has all games with their boards behind the last move.
    """
    boards = start_boards(len(transcripts))
    for column in range(transcripts.shape[1]):
        going = np.flatnonzero(transcripts[:, column] != 255)
        passing: npt.NDArray[np.bool_] = np.logical_not(legal(boards[going]).any(axis=(1, 2)))
        boards[going[passing]] *= -1
        yield going, boards[going], passing
        boards[going] = play(boards[going], transcripts[going, column].astype(np.intp))
    yield np.arange(len(transcripts)), boards, np.zeros(len(transcripts), np.bool_)
