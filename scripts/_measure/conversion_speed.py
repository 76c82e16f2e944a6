"""Measure `othello-bot convert` on a WTHOR base of random games: made here, read, checked and written as SGF.

``scripts/measure conversion-speed --games 100000`` prints seconds, games per second and processor time, for one process
and for as many as there are cores. The base is kept in the cache folder.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _setup.enter import ROOT

from othello_bot.base.notation import integer


def main() -> int:
    """Make the base if it is missing, convert it and print the figures."""
    from othello_bot.base.files import cache_folder
    from othello_bot.engine import available_cores

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=integer(1), default=100_000, metavar="N", help="default 100000")
    parser.add_argument("--format", default="sgf", help="format to write; default sgf")
    arguments = parser.parse_args()
    base = cache_folder() / "conversion-speed" / f"games-{arguments.games}.wtb"
    if not base.exists():
        base.parent.mkdir(parents=True, exist_ok=True)
        write_base(base, arguments.games)
    for processes in sorted({1, available_cores()}):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / f"games.{arguments.format}"
            command = [sys.executable, "-m", "othello_bot", "convert", str(base), str(out)]
            began, processor_began = time.monotonic(), processor_seconds()
            subprocess.run([*command, "--processes", str(processes)], cwd=ROOT, check=True)
            seconds, processor = time.monotonic() - began, processor_seconds() - processor_began
            rate = f"{arguments.games / seconds:.0f} games/s, {processor:.1f} s of processor time"
            print(f"{processes} processes: {seconds:.1f} s, {rate}, {out.stat().st_size} bytes", flush=True)
    return 0


def processor_seconds() -> float:
    """Return the processor time of all programs that have run from here; on a busy machine, the clock says little."""
    times = os.times()
    return times.children_user + times.children_system


def write_base(path: Path, count: int) -> None:
    """Write a base of random games, each with two of a thousand players."""
    from othello_bot import kernel
    from othello_bot.formats.record import GameRecord
    from othello_bot.formats.writing import write_games
    from othello_bot.rules import Game, Position, squares_of

    rng = random.Random(1)
    start = Position.start()

    def game() -> GameRecord:
        """Return a random game."""
        mover, opponent = start.mover, start.opponent
        moves = []
        while True:
            legal = kernel.legal_moves(mover, opponent)
            if not legal:
                if not kernel.legal_moves(opponent, mover):
                    break
                mover, opponent = opponent, mover
                continue
            square = rng.choice(list(squares_of(legal)))
            flipped = kernel.flips(mover, opponent, square)
            mover, opponent = opponent ^ flipped, mover | flipped | 1 << square
            moves.append(square)
        played = Game()
        played.play_moves(moves)
        black, white = (f"Player {rng.randrange(1000)}" for _ in range(2))
        return GameRecord(played, black=black, white=white, event=f"Open {rng.randrange(50)}", date="2026")

    write_games((game() for _ in range(count)), path)
