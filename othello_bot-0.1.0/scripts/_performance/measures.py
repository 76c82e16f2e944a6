"""The measurements: each function does the work once and returns its cost."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from othello_bot import kernel
from othello_bot.engine import SearchRequest
from othello_bot.engine.deepening import Search
from othello_bot.engine.limits import Limits
from othello_bot.evaluation import shipped
from othello_bot.formats import obf
from othello_bot.kernel import Searcher
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from othello_bot.suites.solve import Solved, solve

from .yardstick import PerformanceError, output_of

PERFT_DEPTH = 10
PERFT_LEAVES = 24571284
LEAF_DEPTH = 5
"""Depth in plies of the full trees whose leaves are timed: 20 000 to 800 000 leaves each, from midgames()."""
MIDGAME_DEPTH = 7
"""Depth in plies of the full-width search whose nodes are timed: transpositions are negligible up to this depth."""

THREADS_DEPTH = 23
THREADS_HARD_DEPTH = 21
"""Depths in plies of the midgame searches by one and more threads, the second that of the hard positions: such a search
takes about 0.1 s.
"""
HARD_STEP = 20
"""Every this many of the hard positions are searched by one and more threads."""


class WrongSolution(PerformanceError):
    """A score or a move differs from the file's: no speed makes up for that."""


@dataclass(frozen=True)
class Suite:
    """Numbered problems of the FFO endgame test, in order."""

    problems: tuple[tuple[int, obf.Problem], ...]

    @classmethod
    def read(cls, file: Path, first: int, last: int, begins: int = 40) -> Suite:
        """Return problems `first` to `last` of a file whose first one has the number `begins`; raise PerformanceError
        if it lacks one.
        """
        if not file.is_file():
            raise PerformanceError(f"no positions at {file}: name their folder with --data")
        chosen = list(enumerate(problems_of(file), begins))[first - begins : last - begins + 1]
        if len(chosen) != last - first + 1:
            raise PerformanceError(f"{file}: expected problems up to #{last}")
        return cls(tuple(chosen))


@dataclass(frozen=True)
class Solutions:
    """The solutions of a suite. Raises WrongSolution if a score or move is wrong."""

    solved: tuple[Solved, ...]

    def __post_init__(self) -> None:
        for entry in self.solved:
            if not entry.right:
                raise WrongSolution(f"FFO #{entry.number}: {entry.verdict()}")

    @property
    def seconds(self) -> float:
        """Total time of all positions in seconds."""
        return sum(entry.result.time_s for entry in self.solved)

    @property
    def nodes(self) -> int:
        """Total nodes of all positions."""
        return sum(entry.result.nodes for entry in self.solved)


def perft_s() -> float:
    """Return the seconds of perft 10 from the start."""
    start = Position.start()
    began = time.perf_counter()
    leaves = kernel.perft(start.mover, start.opponent, PERFT_DEPTH)
    seconds = time.perf_counter() - began
    if leaves != PERFT_LEAVES:
        raise PerformanceError(f"perft {PERFT_DEPTH}: {leaves} leaves, not {PERFT_LEAVES}")
    return seconds


def solutions(suite: Suite, threads: int, hash_mib: int) -> Solutions:
    """Solve all positions of the suite exactly, each with an empty table."""
    search = Search(hash_mib, threads)
    return Solutions(tuple(solve(search, number, problem) for number, problem in suite.problems))


def bench_rates() -> tuple[int, dict[str, float]]:
    """Return the signature, and the nodes a second of each part of the game, of `othello-bot bench`."""
    output = output_of((sys.executable, "-m", "othello_bot", "bench"))
    rates = {
        part: float(rate) * 1e6 for part, rate in re.findall(r"^(\w+): ([\d.]+) million nodes", output, re.MULTILINE)
    }
    signature = re.search(r"^Bench: (\d+)$", output, re.MULTILINE)
    if signature is None or not rates:
        raise PerformanceError(f"cannot parse the output of othello-bot bench:\n{output}")
    return int(signature[1]), rates


def leaf_s(positions: Sequence[Position]) -> float:
    """Return the seconds for one leaf of a full tree without pruning: its move, the update of the indices, the
    evaluation.

    The time includes the nodes above the leaves, about one for every nine leaves.
    """
    searcher = Searcher(1)
    searcher.set_weights(shipped())
    leaves, seconds = 0, 0.0
    for position in positions:
        searcher.sum_leaves(position.mover, position.opponent, LEAF_DEPTH)  # prepare the leaves' tables once
        began = time.perf_counter()
        leaves += searcher.sum_leaves(position.mover, position.opponent, LEAF_DEPTH)[0]
        seconds += time.perf_counter() - began
    return seconds / leaves


def midgame_node_s(positions: Sequence[Position]) -> float:
    """Return the seconds for one node of a full-width midgame search: moves, index update, evaluation, ordering."""
    searcher = Searcher(16)
    searcher.set_weights(shipped())
    nodes, seconds = 0, 0.0
    for position in positions:
        searcher.clear()
        searcher.begin(position.mover, position.opponent)
        began = time.perf_counter()
        searcher.iterate(MIDGAME_DEPTH, 5)
        seconds += time.perf_counter() - began
        nodes += searcher.nodes
    return seconds / nodes


def weights_load_s() -> float:
    """Return the seconds for loading the shipped weights, unpacked before, in a new process."""
    return _first_time_s("weights.shipped()")


def weights_read_s() -> float:
    """Return the seconds for only reading the file of the shipped weights into memory, in a new process."""
    return _first_time_s("weights.unpacked().read_bytes()")


def _first_time_s(expression: str) -> float:
    clock = "time.perf_counter()"
    imports = "import time; from othello_bot.evaluation import weights"
    script = f"{imports}; t = {clock}; {expression}; print({clock} - t)"
    return float(output_of((sys.executable, "-c", script)))


def start_up_s() -> float:
    """Return the seconds from starting a session's process to its first reply."""
    return _first_output_s([sys.executable, "-m", "othello_bot"], "name\nquit\n")


def python_start_s() -> float:
    """Return the seconds until a Python that does nothing else has printed something: the minimum for a Python program."""
    return _first_output_s([sys.executable, "-I", "-c", "print()"], "")


def _first_output_s(command: list[str], text: str) -> float:
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(text)
        process.stdin.close()
        process.stdout.readline()
        seconds = time.perf_counter() - began
        process.stdout.read()
    if process.returncode != 0:
        raise PerformanceError(f"{' '.join(command)} ended with {process.returncode}")
    return seconds


@dataclass(frozen=True)
class ThreadsRun:
    """A midgame search of the same positions by some threads."""

    threads: int
    seconds: float
    nodes: int
    idle_s: tuple[float, ...]
    """Seconds that each thread was without work."""


def threads_run(positions: Sequence[tuple[Position, int]], threads: int) -> ThreadsRun:
    """Search the positions, each to its depth in plies, at 73 %, with an empty table."""
    search = Search(64, 1)
    search._searcher.set_threads(threads)  # the engine would start no more than there are cores
    nodes, seconds, idle_s = 0, 0.0, [0.0] * threads
    for position, depth in positions:
        search.clear()
        began = time.perf_counter()
        nodes += search.answer(SearchRequest(position, Limits(depth=depth, selectivity=73))).nodes
        seconds += time.perf_counter() - began
        idle_s = [before + now for before, now in zip(idle_s, search.idle_s, strict=True)]
    return ThreadsRun(threads, seconds, nodes, tuple(idle_s))


def apart_s(positions: Sequence[tuple[Position, int]]) -> float:
    """Return the seconds in which two searches at once, which share nothing, each search all the positions."""
    with ThreadPoolExecutor(2) as pool:
        return max(run.seconds for run in pool.map(threads_run, [positions] * 2, [1] * 2))


def for_threads(hard: Path) -> list[tuple[Position, int]]:
    """Return what threads_run searches, with depths: one game and, if the file exists, every HARD_STEP-th of it."""
    of_a_game = [(position, THREADS_DEPTH) for position in midgames() if position.empties > THREADS_DEPTH]
    if not hard.exists():
        return of_a_game
    return of_a_game + every_of(hard, HARD_STEP, THREADS_HARD_DEPTH)


def every_of(file: Path, step: int, depth: int) -> list[tuple[Position, int]]:
    """Return every `step`-th position of an OBF file, each with the same depth in plies; raise PerformanceError."""
    return [(problem.position, depth) for problem in problems_of(file)[::step]]


def problems_of(file: Path) -> list[obf.Problem]:
    """Return the problems of an OBF file; raise PerformanceError if there are none or it cannot be read."""
    try:
        problems = list(obf.read(file.read_text(encoding="utf-8").splitlines()))
    except OSError as error:
        raise PerformanceError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise PerformanceError(f"{file}: {error}; positions in OBF are accepted") from None
    if not problems:
        raise PerformanceError(f"{file}: no positions")
    return problems


def midgames() -> Iterator[Position]:
    """Return positions along one game, from the opening to 20 empties."""
    moves = "f5d6c4d3c5f4e3f3c2f6d7c6e6b5b4b6c7c3g5e7g6a3d8c8g4g3d2e2b3d1f1c1f2a4h3e1b1b2a7a5"
    for plies in range(8, len(moves) // 2 + 1, 4):
        yield Game.from_transcript(moves[: 2 * plies]).position
