"""Measure batches, `Position` and labels beside other ways, and print the tables of docs/python/batches.md.

Legal moves stand beside a plain loop in C, compiled here with the flags of the kernel's variant; random play beside
rust-reversi and OpenSpiel, as far as they are installed, and a plain loop in Python. What is compared takes turns,
--repetitions times; the best rate of each counts, because other work on the machine can only lower it.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from othello_bot import batch, kernel
from othello_bot.base.errors import counted
from othello_bot.base.notation import PASS, integer
from othello_bot.batch.games import END
from othello_bot.batch.labels import HASH_MIB
from othello_bot.engine import FULL_WIDTH
from othello_bot.evaluation import shipped
from othello_bot.rules import Game, Position, empties_of
from tests import oracle

FLAGS = {
    "baseline": ("-march=x86-64",),
    "x86-64-v3": ("-march=x86-64-v3",),
    "x86-64-v4": ("-march=x86-64-v4", "-mprefer-vector-width=256"),
    "native": ("-march=native",),
}
LOOP = """
#include <stddef.h>
#include <stdint.h>
static inline uint64_t line(uint64_t p, uint64_t o, int s) {
    uint64_t u = o & p << s, d = o & p >> s;
    for (int i = 0; i < 5; i++) u |= o & u << s, d |= o & d >> s;
    return u << s | d >> s;
}
void plain(const uint64_t *p, const uint64_t *o, uint64_t *moves, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t inner = o[i] & 0x7e7e7e7e7e7e7e7eULL;
        moves[i] = (line(p[i], inner, 1) | line(p[i], o[i], 8) | line(p[i], inner, 7) | line(p[i], inner, 9))
            & ~(p[i] | o[i]);
    }
}
"""


def positions_with(empties: int, count: int, seed: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return this many different positions of random games, some of which must pass; a few are over."""
    games = batch.random_games(2 * count, seed)
    played = batch.replay(games)
    discs = batch.encode(played.mover.reshape(-1), played.opponent.reshape(-1)).sum(axis=(1, 2, 3))
    there = np.flatnonzero(discs == 64 - empties)
    found = batch.unique(played.mover.reshape(-1)[there], played.opponent.reshape(-1)[there])
    chosen = np.sort(found.first)[:count]
    return played.mover.reshape(-1)[there][chosen], played.opponent.reshape(-1)[there][chosen]


def plain_loop(folder: str) -> Callable[[Any, Any, Any], None]:
    """Compile the plain loop and return a function of mover, opponent and the result."""
    source, library = Path(folder, "plain.c"), Path(folder, "plain.so")
    source.write_text(LOOP, encoding="utf-8")
    flags = FLAGS.get(kernel.VARIANT, ())
    subprocess.run(["cc", "-O3", *flags, "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).plain

    def call(mover: Any, opponent: Any, moves: Any) -> None:
        function(*(ctypes.c_void_p(array.ctypes.data) for array in (mover, opponent, moves)), len(mover))

    function.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t]
    function.restype = None
    return call


def best_rates(repetitions: int, *works: Callable[[], int]) -> list[float]:
    """Do each work in turn, `repetitions` times; return the highest number of things in a second of one core of each."""
    best = [0.0] * len(works)
    for _ in range(repetitions):
        for index, work in enumerate(works):
            began_s = time.process_time()
            count = work()
            best[index] = max(best[index], count / (time.process_time() - began_s))
    return best


def positions_of(games: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return all positions of the games."""
    played = batch.replay(games)
    there = np.arange(games.shape[1]) < played.lengths[:, None]
    return played.mover[:, :-1][there], played.opponent[:, :-1][there]


def masks(repetitions: int, size: int) -> None:
    """Print the rate of legal moves beside the plain loop's, of `size` positions at a time."""
    mover, opponent = (array[:size].copy() for array in positions_of(batch.random_games(size // 55 + 1, 1)))
    times = max(1, 3_000_000 // len(mover))
    plain_moves = np.empty_like(mover)
    with tempfile.TemporaryDirectory() as folder:
        plain = plain_loop(folder)

        def in_c() -> int:
            for _ in range(times):
                plain(mover, opponent, plain_moves)
            return times * len(mover)

        def ours() -> int:
            for _ in range(times):
                batch.legal_moves(mover, opponent)
            return times * len(mover)

        in_c_rate, our_rate = best_rates(repetitions, in_c, ours)
    assert np.array_equal(plain_moves, batch.legal_moves(mover, opponent))
    print(
        f"legal moves, {len(mover):,} positions a call: {our_rate / 1e6:,.0f} M/s, {our_rate / in_c_rate:.2f} of a"
        f" plain loop in C ({in_c_rate / 1e6:,.0f} M/s)"
    )


def functions(repetitions: int) -> None:
    """Print the rate of each function of `batch`."""
    games = batch.random_games(4000, 2)
    plies = int((games != END).sum())
    mover, opponent = positions_of(games)
    squares = games[games != END]
    works: dict[str, Callable[[], Any]] = {
        "replay": lambda: batch.replay(games),
        "random_games": lambda: batch.random_games(len(games), 3),
        "flips": lambda: batch.flips(mover, opponent, squares),
        "play": lambda: batch.play(mover, opponent, squares),
        "is_over": lambda: batch.is_over(mover, opponent),
        "final_scores": lambda: batch.final_scores(mover, opponent),
        "canonical": lambda: batch.canonical(mover, opponent),
        "transform": lambda: batch.transform(mover, opponent, 5),
        "evaluate": lambda: batch.evaluate(mover, opponent),
        "policy": lambda: batch.policy(mover, opponent, 1500),
        "unique": lambda: batch.unique(mover, opponent),
        "encode": lambda: batch.encode(mover, opponent),
        "tokens": lambda: batch.tokens(games),
    }
    print("| function | million positions a second |\n|---|---|")
    for name, work in works.items():
        (rate,) = best_rates(repetitions, lambda work=work: (work(), plies)[1])  # type: ignore[misc]
        print(f"| `{name}` | {rate / 1e6:.1f} |")


def play_positions(games: int) -> int:
    """Play random games with `Position`; return the number of moves."""
    rng, moves, start = random.Random(1).random, 0, Position.start()
    for _ in range(games):
        position = start
        while True:
            if legal := position.legal_moves:
                position = position.play(legal[int(rng() * len(legal))])
                moves += 1
            elif position.must_pass:
                position = position.play(PASS)
            else:
                break
    return moves


def play_games(games: int) -> int:
    """Play random games with `Game`; return the number of moves."""
    rng, moves = random.Random(1).random, 0
    for _ in range(games):
        game = Game()
        while True:
            if legal := game.position.legal_moves:
                game.play(legal[int(rng() * len(legal))])
                moves += 1
            elif game.position.must_pass:
                game.play(PASS)
            else:
                break
    return moves


def play_rust(board: Any, games: int) -> int:
    """Play random games with rust-reversi; return the number of moves."""
    rng, moves = random.Random(1).random, 0
    for _ in range(games):
        position = board()
        while True:
            if legal := position.get_legal_moves_vec():
                position.do_move(legal[int(rng() * len(legal))])
                moves += 1
            elif not position.is_game_over():
                position.do_pass()
            else:
                break
    return moves


def play_openspiel(game: Any, games: int) -> int:
    """Play random games with OpenSpiel; return the number of moves."""
    rng, moves = random.Random(1).random, 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            action = legal[int(rng() * len(legal))]
            state.apply_action(action)
            moves += action != PASS
    return moves


def play_plainly(games: int) -> int:
    """Play random games with a plain loop over cells and directions; return the number of moves."""
    rng, moves = random.Random(1).random, 0
    for _ in range(games):
        board, mover, other = oracle.start_board(), "X", "O"
        while True:
            if not (legal := oracle.all_moves(board, mover)):
                mover, other = other, mover
                if not (legal := oracle.all_moves(board, mover)):
                    break
            cell = list(legal)[int(rng() * len(legal))]
            oracle.play(board, cell, legal[cell], mover)
            mover, other = other, mover
            moves += 1
    return moves


def play_batch(games: int) -> int:
    """Play random games in one call, and replay them; return the number of moves."""
    return int(batch.replay(batch.random_games(games, 1)).lengths.sum())


def random_play(repetitions: int) -> None:
    """Print the rates of random play from Python, each beside the others in turn."""
    works = {
        "`batch.random_games` and `batch.replay`": lambda: play_batch(10_000),
        "a loop over `Position`": lambda: play_positions(500),
        "a loop over `Game`": lambda: play_games(500),
        "a loop over cells and directions in Python": lambda: play_plainly(2),
    }
    try:
        board = importlib.import_module("rust_reversi").Board
        works["a loop over rust-reversi's `Board`"] = lambda: play_rust(board, 500)
    except ImportError:
        print("rust-reversi is not installed: pip install rust-reversi", file=sys.stderr)
    try:
        game = importlib.import_module("pyspiel").load_game("othello")
        works["a loop over OpenSpiel's `State`"] = lambda: play_openspiel(game, 100)
    except ImportError:
        print("OpenSpiel is not installed: pip install 'othello-bot[openspiel]'", file=sys.stderr)
    rates = best_rates(repetitions, *works.values())
    print("| random games | moves a second |\n|---|---|")
    for name, rate in sorted(zip(works, rates, strict=True), key=lambda row: -row[1]):
        print(f"| {name} | {rate:,.0f} |")


def labels(repetitions: int) -> None:
    """Print the rates of exact labels with ten empty squares, on one core."""
    mover, opponent = positions_with(10, 2000, 4)
    searcher = kernel.Searcher(HASH_MIB, 1)
    searcher.set_weights(shipped())

    def in_kernel() -> int:
        searcher.clear()
        for own, other in zip(mover.tolist(), opponent.tolist(), strict=True):
            if searcher.begin(own, other):
                searcher.iterate(empties_of(own, other), FULL_WIDTH, scores_alone=True)
        return len(mover)

    alone, with_moves, in_kernel_rate = best_rates(
        repetitions,
        lambda: len(batch.label(mover, opponent).score),
        lambda: len(batch.label(mover, opponent, moves=True).score),
        in_kernel,
    )
    print(f"exact labels, 10 empties: {alone:,.0f} a second, {alone / in_kernel_rate:.2f} of the kernel's own rate;")
    print(f"with the scores of all moves {with_moves:,.0f} a second")


def one_label() -> None:
    """Print the cost of a call with one position beside that of its search by the kernel."""
    mover, opponent = positions_with(10, 1, 4)
    own, other = int(mover[0]), int(opponent[0])
    searcher = kernel.Searcher(1, 1)
    searcher.set_weights(shipped())

    def clear() -> None:
        searcher.clear(64)

    def search() -> None:
        clear()
        searcher.begin(own, other)
        searcher.iterate(10, FULL_WIDTH, scores_alone=True)

    call, searching, clearing = map(fastest_s, (lambda: batch.label(mover, opponent), search, clear))
    more = call - searching + clearing
    print(f"a call with one position: {1e6 * call:.1f} µs, {1e6 * more:.1f} µs more than its search")


def fastest_s(work: Callable[[], object]) -> float:
    """Return the seconds of the fastest of many runs."""
    times = []
    for _ in range(2000):
        began_s = time.perf_counter()
        work()
        times.append(time.perf_counter() - began_s)
    return min(times)


def labels_of_processes(processes: int) -> None:
    """Print the rate of exact labels with all moves that this many processes have together, their start included."""
    mover, opponent = positions_with(10, 20_000, 5)
    began_s = time.perf_counter()
    batch.label(mover, opponent, moves=True, processes=processes)
    rate = len(mover) / (time.perf_counter() - began_s)
    load = f"; load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"all moves, {counted(processes, 'process', 'processes')}: {rate:,.0f} a second by the clock{load}")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=integer(1), default=7, metavar="N", help="default 7")
    parser.add_argument("--labels", action="store_true", help="measure the labels alone")
    parser.add_argument("--processes", type=integer(1), default=2, metavar="N", help="that share labels; default 2")
    args = parser.parse_args()
    print(f"kernel: {kernel.VARIANT}")
    if not args.labels:
        for size in (1000, 100_000, 1_000_000):
            masks(args.repetitions, size)
        random_play(args.repetitions)
        functions(args.repetitions)
    labels(args.repetitions)
    one_label()
    labels_of_processes(args.processes)
    return 0
