"""Measure the arena's promises and print a table: errors in many short games, overhead, memory, kills.

Run it on an idle machine: ``scripts/measure arena --write`` puts the table into docs/development/arena-results.md. On
two cores the short games (1,000 games of 10 ms a move) take four minutes, the memory (10,000 games) three, the kills
(100) three; ``--games 20 --memory-games 300 --kills 5`` is a trial of half a minute. 0 skips a figure. The exit code is
1 if a promise was not kept.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

import psutil
from _setup.enter import ROOT

from othello_bot.arena.backends import LocalBackend
from othello_bot.arena.config import MatchConfig, OpeningConfig
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.games import GameResult
from othello_bot.arena.match import Match
from othello_bot.arena.openings import load
from othello_bot.arena.settings import engine_config, settings_of_words
from othello_bot.arena.store import MatchStore
from othello_bot.base.notation import integer

DOCUMENT = ROOT / "docs" / "development" / "arena-results.md"

PLACE = re.compile(r"(?<=<!-- figures: begin -->\n).*(?=<!-- figures: end -->)", re.DOTALL)
"""The place of the table in the document."""

SAMPLES = 10
"""Interval of the memory samples."""

FLAT_MIB = 3.0
"""Growth of a process's memory that is allowed between a tenth of the games and all: the store's cache fills slowly."""

MOST_OVERHEAD_MS = 1.0


@dataclass(frozen=True)
class PromiseRow:
    """A line of the table, and whether the promise was kept."""

    what: str
    promised: str
    measured: str
    kept: bool

    def __str__(self) -> str:
        return f"| {self.what} | {self.promised} | {self.measured}{'' if self.kept else ' **not kept**'} |"


def resident_mib(process: psutil.Process) -> float:
    """Return the memory of a process in MiB; 0 if it has ended."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return float(process.memory_info().rss) / 2**20
    return 0.0


@dataclass
class Watcher:
    """Samples the memory of the arena, its workers and the engines at regular intervals, and the largest overhead."""

    backend: LocalBackend
    total: int
    games: int = 0
    worst_ms: float = 0.0
    processor_s: float = 0.0
    """Processor time of the arena and its workers until the last sample."""
    samples: list[tuple[int, tuple[float, float, float]]] = field(default_factory=list)
    """Games, and the MiB of the arena, of the largest worker and of the largest engine."""

    def begin(self, match: Match) -> None:
        """Note the beginning of the match."""

    def game(self, result: GameResult) -> None:
        """Take a sample if one is due."""
        self.games += 1
        self.worst_ms = max(self.worst_ms, result.overhead_ms)
        if self.games % max(1, self.total // SAMPLES) == 0 or self.games == self.total:
            self.sample()

    def sample(self) -> None:
        """Measure all processes."""
        workers = [psutil.Process(pid) for pid in self.backend.worker_pids]
        engines = [child for worker in workers for child in worker.children()]
        sizes = [max(map(resident_mib, some), default=0.0) for some in ([psutil.Process()], workers, engines)]
        self.samples.append((self.games, (sizes[0], sizes[1], sizes[2])))
        self.processor_s = time.process_time() + sum(sum(worker.cpu_times()[:2]) for worker in workers)
        shown = ", ".join(f"{size:.1f}" for size in sizes)
        print(
            f"  {self.games} of {self.total} games; arena, worker and engine {shown} MiB", file=sys.stderr, flush=True
        )

    def look(self) -> None:
        """Do nothing while time passes."""


def play(words: list[str], games: int, concurrency: int, openings: OpeningConfig) -> tuple[Match, Watcher, float]:
    """Play a match; return it, the samples, and its seconds."""
    engines = tuple(engine_config(settings_of_words(own.split())) for own in words)
    config = MatchConfig(engines=engines, rounds=(games + 1) // 2, concurrency=concurrency, openings=openings)
    backend = LocalBackend(concurrency)
    watcher = Watcher(backend, 2 * config.rounds)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, MatchStore(Path(folder) / "matches.db") as store:
        try:
            match = Match(config, load(config.openings, config.seed), store, backend)
            match.run(watcher)
        finally:
            seconds = time.monotonic() - began
            backend.close()
    return match, watcher, seconds


def short_games(games: int, concurrency: int) -> list[PromiseRow]:
    """Return the rows for many games at 10 ms a move between two processes."""
    before_s = time.process_time()
    own = "self st=0.01 option.hash=16"
    match, watcher, seconds = play([f"{own} name=one", f"{own} name=two"], games, concurrency, OpeningConfig())
    tally = match.tally
    endings = ", ".join(f"{count} {ending.value}" for ending, count in tally.endings.most_common())
    # An error of the arena itself would have ended the match; so count only games lost otherwise than by play.
    failed = sum(count for ending, count in tally.endings.items() if ending.is_failure)
    moves = sum(engine.moves for engine in tally.engines)
    outside_s = seconds * concurrency - sum(engine.seconds for engine in tally.engines)
    overhead = tally.overhead_ms
    return [
        PromiseRow(
            f"{tally.games} games at 10 ms a move, two processes each",
            "no arena-side error",
            f"none; {failed} games lost otherwise than by play ({endings}); {seconds:.0f} s",
            tally.games == match.total and not failed,
        ),
        PromiseRow(
            "wall time between an engine's answer and the next engine's request, with all that the arena does"
            " for a move, in these games",
            f"at most {MOST_OVERHEAD_MS:g} ms a move",
            f"{overhead.mean:.3f} ms; worst game {watcher.worst_ms:.3f} ms",
            overhead.mean <= MOST_OVERHEAD_MS,
        ),
        PromiseRow(
            "processor time of the arena and its workers in these games, starts, openings and store included",
            "-",
            f"{1000 * (watcher.processor_s - before_s) / moves:.3f} ms a move",
            True,
        ),
        PromiseRow(
            "all wall time of these games outside of the engines' thinking, starts, openings and store included",
            "-",
            f"{1000 * outside_s / moves:.3f} ms a move",
            True,
        ),
    ]


def memory(games: int, concurrency: int) -> list[PromiseRow]:
    """Return the row for the memory in a long match, with this engine inside the workers and as a process."""
    words = ["engine depth=1 option.hash=1 name=inside", "self depth=1 option.hash=1 name=process"]
    match, watcher, seconds = play(words, games, concurrency, OpeningConfig("random"))
    (first, sizes), (last, sizes_then) = watcher.samples[0], watcher.samples[-1]
    names = ("arena", "largest worker", "largest engine")
    grown = [f"{name} {a:.1f} and {b:.1f}" for name, a, b in zip(names, sizes, sizes_then, strict=True)]
    return [
        PromiseRow(
            f"memory in a match of {match.tally.games} games",
            "flat",
            f"MiB after {first} and {last} games: {', '.join(grown)}; {seconds:.0f} s",
            all(then - size <= FLAT_MIB for size, then in zip(sizes, sizes_then, strict=True)),
        )
    ]


def kills(number: int) -> list[PromiseRow]:
    """Return the row for kills, from the script that performs them."""
    began = time.monotonic()
    words = [sys.executable, str(ROOT / "scripts" / "measure"), "arena-kills", "--kills", str(number)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        said = ""
        for line in process.stdout or ():
            said = line.strip()
            print(f"  {said}", file=sys.stderr, flush=True)
    kept = process.returncode == 0
    measured = f"{said or 'nothing said'}; {time.monotonic() - began:.0f} s"
    return [PromiseRow(f"`kill -9` at {number} random moments", "store never damaged", measured, kept)]


def machine() -> str:
    """Return system and processor, without the machine's own name."""
    kind = os.uname()
    return f"{kind.sysname} on {kind.machine}"


def main() -> int:
    """Measure and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Measures the arena.")
    parser.add_argument("--games", type=integer(1), default=1000, help="games at 10 ms a move")
    parser.add_argument("--memory-games", type=integer(0), default=10_000, help="games of the memory test")
    parser.add_argument("--kills", type=integer(0), default=100, help="kills at random moments")
    parser.add_argument("--concurrency", type=integer(1), default=2, help="games at once")
    parser.add_argument("--write", action="store_true", help="put the table into docs/development/arena-results.md")
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    rows: list[PromiseRow] = []
    try:
        if options.games:
            rows += short_games(options.games, options.concurrency)
        if options.memory_games:
            rows += memory(options.memory_games, options.concurrency)
        if options.kills:
            rows += kills(options.kills)
    except ArenaError as error:
        rows.append(PromiseRow("the match itself", "to go on", f"ended: {error}", False))
    head = (
        f"Measured on {datetime.now(timezone.utc):%Y-%m-%d}, {machine()}, {os.cpu_count()} cores,"
        f" {options.concurrency} games at once, load {load_before:.1f} at the start, one run:"
    )
    text = "\n".join([head, "", "| what | promised | measured |", "|---|---|---|", *map(str, rows), ""])
    print(text)
    if options.write:
        document = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(PLACE.sub(lambda _: text, document, count=1), encoding="utf-8")
    return 0 if all(row.kept for row in rows) else 1
