"""Compare exact labels with a separate plain solver, and print how many results differ: docs/python/labels.md.

The solver is alpha-beta in C on a board of 100 cells, without tables, evaluation or any code of the engine; it is
compiled here. Every legal move of every position is solved on its own, so score, best moves and the scores of all moves
are compared. The positions are those of random games with --empties empty squares.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from othello_bot import batch
from othello_bot.base.notation import PASS, integer
from othello_bot.batch.labels import OVER, UNSCORED

SOLVER = """
#include <stdint.h>
#include <string.h>
static const int STEPS[8] = {-11, -10, -9, -1, 1, 9, 10, 11};

/* Plays at a cell for `own`; returns how many discs turned, whose cells are in turned; 0: illegal, nothing changed. */
static int play(char *board, int cell, char own, int *turned) {
    char other = own == 'X' ? 'O' : 'X';
    int count = 0;
    for (int d = 0; d < 8; d++) {
        int at = cell + STEPS[d], first = count;
        while (board[at] == other) turned[count++] = at, at += STEPS[d];
        if (board[at] != own) count = first;
    }
    for (int i = 0; i < count; i++) board[turned[i]] = own;
    if (count) board[cell] = own;
    return count;
}

static int final_score(const char *board, char own) {
    int mine = 0, theirs = 0;
    for (int cell = 11; cell < 89; cell++) {
        mine += board[cell] == own;
        theirs += board[cell] != own && (board[cell] == 'X' || board[cell] == 'O');
    }
    return mine > theirs ? 64 - 2 * theirs : mine < theirs ? 2 * mine - 64 : 0;
}

static int solve(char *board, char own, const int *empties, int count, int alpha, int beta, int passed) {
    char other = own == 'X' ? 'O' : 'X';
    int best = -65, turned[64];
    for (int i = 0; i < count && alpha < beta; i++) {
        if (board[empties[i]] != '.') continue;
        int turns = play(board, empties[i], own, turned);
        if (!turns) continue;
        int score = -solve(board, other, empties, count, -beta, -alpha, 0);
        board[empties[i]] = '.';
        for (int j = 0; j < turns; j++) board[turned[j]] = other;
        if (score > best) best = score;
        if (best > alpha) alpha = best;
    }
    if (best > -65) return best;
    return passed ? final_score(board, own) : -solve(board, other, empties, count, -beta, -alpha, 1);
}

/* Writes the score of each move from the mover's view, -128 where there is none, and of the position itself. */
void solve_moves(const uint64_t *mover, const uint64_t *opponent, int8_t *moves, int8_t *scores, long positions) {
    for (long n = 0; n < positions; n++) {
        char board[100];
        int empties[64], count = 0, turned[64];
        memset(board, '#', 100);
        for (int square = 0; square < 64; square++) {
            int cell = 11 + square % 8 + 10 * (square / 8);
            board[cell] = mover[n] >> square & 1 ? 'X' : opponent[n] >> square & 1 ? 'O' : '.';
            if (board[cell] == '.') empties[count++] = cell;
        }
        scores[n] = -65;
        for (int square = 0; square < 64; square++) {
            int cell = 11 + square % 8 + 10 * (square / 8), turns;
            int8_t *score = &moves[64 * n + square];
            *score = -128;
            if (board[cell] != '.' || !(turns = play(board, cell, 'X', turned))) continue;
            *score = -solve(board, 'O', empties, count, -64, 64, 0);
            board[cell] = '.';
            for (int j = 0; j < turns; j++) board[turned[j]] = 'O';
            if (*score > scores[n]) scores[n] = *score;
        }
        if (scores[n] == -65) scores[n] = -solve(board, 'O', empties, count, -64, 64, 1);
    }
}
"""


def plain_solver(folder: str) -> Callable[[Any, Any], tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]]:
    """Compile the plain solver and return a function of mover and opponent: scores of all moves, and scores."""
    source, library = Path(folder, "plain.c"), Path(folder, "plain.so")
    source.write_text(SOLVER, encoding="utf-8")
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).solve_moves
    function.argtypes, function.restype = [ctypes.c_void_p] * 4 + [ctypes.c_long], None

    def solve(mover: Any, opponent: Any) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        moves, scores = np.empty((len(mover), 64), np.int8), np.empty(len(mover), np.int8)
        function(*(array.ctypes.data for array in (mover, opponent, moves, scores)), len(mover))
        return moves, scores

    return solve


def positions_with(empties: int, count: int, seed: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return this many different positions of random games, some of which must pass; a few are over."""
    games = batch.random_games(2 * count, seed)
    played = batch.replay(games)
    discs = batch.encode(played.mover.reshape(-1), played.opponent.reshape(-1)).sum(axis=(1, 2, 3))
    there = np.flatnonzero(discs == 64 - empties)
    found = batch.unique(played.mover.reshape(-1)[there], played.opponent.reshape(-1)[there])
    chosen = np.sort(found.first)[:count]
    return played.mover.reshape(-1)[there][chosen], played.opponent.reshape(-1)[there][chosen]


def differing(labels: batch.Labels, moves: npt.NDArray[np.int8], scores: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """Return which positions have a label that the plain solver contradicts."""
    assert labels.move_scores is not None and labels.best_moves is not None
    can_move = (moves != UNSCORED).any(axis=1)
    is_best = (moves == scores[:, None]) & can_move[:, None]
    attained = np.take_along_axis(is_best, np.minimum(labels.best, 63).astype(np.intp)[:, None], axis=1)[:, 0]
    best_moves = np.packbits(is_best, axis=1, bitorder="little").view("<u8").reshape(-1)
    right = (labels.score == scores) & (labels.wld == np.sign(scores)) & (labels.move_scores == moves).all(axis=1)
    right &= (labels.best_moves == best_moves) & np.where(
        can_move, attained, (labels.best == PASS) | (labels.best == OVER)
    )
    wrong: npt.NDArray[np.bool_] = ~right
    return wrong


def main() -> int:
    """Compare and print; return 0 if nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=integer(1), default=10_000, metavar="N", help="default 10000")
    parser.add_argument("--empties", type=integer(1), default=10, metavar="N", help="default 10")
    parser.add_argument("--seed", type=integer(0), default=1, metavar="N", help="of the random games; default 1")
    args = parser.parse_args()
    mover, opponent = positions_with(args.empties, args.positions, args.seed)
    began_s = time.process_time()
    labels = batch.label(mover, opponent, moves=True)
    labelled_s = time.process_time() - began_s
    with tempfile.TemporaryDirectory() as folder:
        solve = plain_solver(folder)
        began_s = time.process_time()
        moves, scores = solve(mover, opponent)
        solved_s = time.process_time() - began_s
    wrong = differing(labels, moves, scores)
    print(
        f"{len(mover):,} positions with {args.empties} empties, {int((moves != UNSCORED).sum()):,} moves:"
        f" {int(wrong.sum())} differ ({labelled_s:.1f} s by labels, {solved_s:.1f} s by the plain solver)"
    )
    for index in np.flatnonzero(wrong)[:10]:
        print(f"  mover {int(mover[index]):#018x} opponent {int(opponent[index]):#018x}")
    return int(wrong.any())
