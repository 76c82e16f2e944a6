"""Kill a match with SIGKILL at random moments, repeatedly, and check each time what is left.

``scripts/measure arena-kills --kills 100`` takes about three minutes. After every kill the store must be
intact, every game in it must be legal and unique, no earlier game may be missing, and no worker or engine may still be
running. The same command then continues the match. Of four kills one is timed from the start of the process, one from
the first words of the match, two from the end of a game.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from _setup.enter import ROOT

from othello_bot.arena.store import MatchStore
from othello_bot.base.notation import decimal, integer
from othello_bot.rules.game import Game, parse_moves
from othello_bot.rules.position import Position

ROUNDS = 100_000
"""More games than will ever be played."""

SURVIVAL_S = 10.0
"""Seconds that the processes of the match may take to notice its end and to exit."""


def command(store: Path, concurrency: int) -> list[str]:
    """Return the match: one player inside the workers, one as a process."""
    players = ["--engine", "random", "--engine", "self", "depth=1", "option.hash=1"]
    where = ["--store", str(store), "--concurrency", str(concurrency), "--force-concurrency"]
    return [sys.executable, "-m", "othello_bot", "match", *players, "--rounds", str(ROUNDS), *where]


def games(path: Path, known: dict[tuple[int, int], str]) -> dict[tuple[int, int], str]:
    """Return the moves of all games by pair and leg; raise AssertionError if the store is wrong.

    The games in `known` must still be there with the same moves.
    """
    if not path.exists():
        return {}
    with MatchStore(path) as store:
        assert store.is_whole(), "the store is damaged"
        found: dict[tuple[int, int], str] = {}
        for stored in store.matches():
            for game in store.games(stored.id):
                place = (game.result.task.pair, game.result.task.leg)
                assert place not in found, f"game {place} is there twice"
                found[place] = game.moves
                if known.get(place) == game.moves:
                    continue
                replay = Game(Position.parse(game.start))
                replay.play_moves(parse_moves(game.moves))
                assert replay.is_over, f"game {place} has no end"
                assert replay.final_score == game.result.discs, f"game {place} has another score"
        return found


def main() -> int:
    """Kill and check the match; return the exit status."""
    parser = argparse.ArgumentParser(description="Kill a match at random moments and check its store.")
    parser.add_argument("--kills", type=integer(0), default=100, help="how often")
    parser.add_argument("--concurrency", type=integer(1), default=2, help="games at once")
    parser.add_argument("--longest", type=decimal(0), default=1.5, help="latest kill, in seconds after that")
    parser.add_argument("--seed", type=integer(0), default=1, help="seed of the random moments")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    before: dict[tuple[int, int], str] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matches.db"
        for number in range(1, options.kills + 1):
            words = command(path, options.concurrency)
            with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                assert process.stdout is not None
                # The first line comes when the first games are handed out, then one comes for each game.
                for _ in range((0, 1, 2, 2)[number % 4]):
                    process.stdout.readline()
                time.sleep(rng.uniform(0.0, options.longest))
                started = psutil.Process(process.pid).children(recursive=True)
                process.send_signal(signal.SIGKILL)
                error = process.communicate()[1].decode()
            assert process.returncode == -signal.SIGKILL, f"the match ended by itself: {error}"
            _, alive = psutil.wait_procs(started, SURVIVAL_S)
            assert not alive, f"processes {alive} live on"
            after = games(path, before)
            gone = [place for place in before if after.get(place) != before[place]]
            assert not gone, f"games {gone} have changed or gone"
            print(f"kill {number} of {options.kills}: {len(after)} games, {len(after) - len(before)} new", flush=True)
            before = after
    # Games are played in the order of the schedule, so no more may be missing than run at the same time.
    missing = (max(pair for pair, _ in before) + 1) * 2 - len(before) if before else 0
    print(f"{options.kills} kills, {len(before)} games, store never damaged, no process left behind, gaps {missing}")
    # A match with hardly any games proves nothing.
    return 0 if missing <= 2 * options.concurrency + 1 and len(before) >= options.kills // 2 else 1
