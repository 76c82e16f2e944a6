"""Measure batches and `Position` beside plain loops and rust-reversi, and print tables for docs/python/batches.md.

Legal moves stand beside a plain loop in C, compiled here with the flags of the kernel's variant; random play from a
loop in Python beside rust-reversi, if it is installed. What is compared takes turns, --repetitions times; the best
rate of each counts, because other work on the machine can only lower it.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
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
from othello_bot.base.notation import PASS
from othello_bot.batch.games import END
from othello_bot.rules import Game, Position

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
    """Do each work in turn, `repetitions` times; return the highest number of things a second of each."""
    best = [0.0] * len(works)
    for _ in range(repetitions):
        for index, work in enumerate(works):
            began_s = time.perf_counter()
            count = work()
            best[index] = max(best[index], count / (time.perf_counter() - began_s))
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


def random_play(repetitions: int) -> None:
    """Print the rates of random play from a loop in Python."""
    works = [lambda: play_positions(1000), lambda: play_games(1000)]
    try:
        board = importlib.import_module("rust_reversi").Board
        works.append(lambda: play_rust(board, 1000))
    except ImportError:
        print("rust-reversi is not installed: pip install rust-reversi", file=sys.stderr)
    rates = best_rates(repetitions, *works)
    for name, rate in zip(("Position", "Game", "rust-reversi"), rates, strict=False):
        ratio = f", {rate / rates[-1]:.2f} of rust-reversi's" if len(rates) == 3 else ""
        print(f"random play, {name}: {rate:,.0f} moves a second{ratio}")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7, metavar="N", help="default 7")
    args = parser.parse_args()
    print(f"kernel: {kernel.VARIANT}")
    for size in (1000, 100_000, 1_000_000):
        masks(args.repetitions, size)
    random_play(args.repetitions)
    functions(args.repetitions)
    return 0
