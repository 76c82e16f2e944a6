"""Measure the opening book: how soon a large compact book is open and answers, and how long a book move takes.

    scripts/measure book-speed                      a million positions
    scripts/measure book-speed --positions 100000   fewer
    scripts/measure book-speed --games 20           games of the engine, for book moves

The large book is made of positions of random games, with invented scores, and kept in the cache folder; each way of
opening it is repeated. The growing book beside it, an SQLite database of the same positions, is what the times are
compared with. Book moves are timed at a GTP session, from the command to the reply, in games that both sides play from
the shipped book at `book_randomness` 50; `ping`, a command without any work, tells what the pipes cost.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from _setup.enter import ROOT

from othello_bot.base.notation import integer

if TYPE_CHECKING:
    from othello_bot.book import Entry, Key, Source
    from othello_bot.rules import Position

OPENINGS: Final = 200
ANSWERS: Final = 20_000


def main() -> int:
    """Make the books that are missing, measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=integer(1), default=1_000_000, metavar="N", help="default 1000000")
    parser.add_argument("--games", type=integer(1), default=100, metavar="N", help="games for book moves; default 100")
    arguments = parser.parse_args()
    compact, growing = made(arguments.positions)
    measure_files(compact, growing)
    measure_moves(arguments.games)
    return 0


def made(count: int) -> tuple[Path, Path]:
    """Return the compact and the growing book with this many positions; make them if they are missing."""
    from othello_bot.base.files import cache_folder
    from othello_bot.book import Store, write_compact

    folder = cache_folder() / "book-speed"
    compact, growing = folder / f"positions-{count}.book", folder / f"positions-{count}.growing"
    if not compact.exists():
        folder.mkdir(parents=True, exist_ok=True)
        growing.unlink(missing_ok=True)
        entries = sorted(invented(count), key=lambda pair: pair[0])
        with Store(str(growing), create=True) as store, store.transaction():
            for key, entry in entries:
                store.put(key, entry)
        write_compact(compact, entries, {})
    return compact, growing


def invented(count: int) -> Iterator[tuple[Key, Entry]]:
    """Yield different positions of random games, from 4 plies on, with an entry for each."""
    from othello_bot.book import Entry, Scored, key_of
    from othello_bot.rules import Position

    rng = random.Random(1)
    seen: set[Key] = set()
    while len(seen) < count:
        position = Position.start()
        while position.empties > 20 and len(seen) < count:
            legal = list(position.legal_moves)
            if not legal:
                break
            position = position.play(rng.choice(legal))
            key = key_of(position)
            if position.empties > 56 or key in seen or not position.legal_moves:
                continue
            seen.add(key)
            scores = sorted((rng.randint(-20, 20) for _ in range(min(3, len(legal)))), reverse=True)
            squares = sorted(Position(*key).legal_moves)
            found = tuple(Scored(move, score, 21, 73) for move, score in zip(squares, scores, strict=False))
            yield key, Entry(found[0].score, level=21, moves=found[:-1], leaf=found[-1])


def measure_files(compact: Path, growing: Path) -> None:
    """Print how long both files take to open and to answer."""
    from othello_bot.book import CompactBook, Store
    from othello_bot.rules import Position

    with CompactBook(compact) as book:
        keys = [key for key, _ in book.entries()]
    rng = random.Random(2)
    asked = [Position(*rng.choice(keys)).transform(rng.randrange(8)) for _ in range(ANSWERS)]
    sizes = [f"{path.stat().st_size / 2**20:.1f} MiB" for path in (compact, growing)]
    print(f"{len(keys)} positions; compact: {sizes[0]}, growing: {sizes[1]}")
    fast = measure_file("compact", lambda: CompactBook(compact), asked)
    slow = measure_file("growing", lambda: Store(str(growing)), asked)
    print(f"compact beside growing: {fast[0] / slow[0]:.2f} of the time to open, {fast[1] / slow[1]:.2f} to answer")


def measure_file(kind: str, opened: Callable[[], Source], asked: list[Position]) -> tuple[float, float]:
    """Print how long a file takes to open and to answer for each position; return the medians in seconds."""
    from othello_bot.book import Book

    opening = [clocked(lambda: opened().close()) for _ in range(OPENINGS)]
    book = Book([opened()])
    answers = [clocked(partial(book.lookup, position)) for position in asked]
    book.close()
    print(f"{kind}: open {told(opening, 1e3, 'ms')}; answer {told(answers, 1e6, 'us')}")
    return statistics.median(opening), statistics.median(answers)


def measure_moves(games: int) -> None:
    """Print how long a move from the shipped book takes in a GTP session."""
    from othello_bot.book import Book, Manner, shipped_book
    from othello_bot.protocol.client import Client
    from othello_bot.rules import Game

    book, manner, rng = Book([shipped_book()]), Manner(randomness=50), random.Random(3)
    moves: list[float] = []
    pings: list[float] = []
    command = [sys.executable, "-m", "othello_bot", "--gtp", "--book-randomness", str(manner.randomness), "--seed", "4"]
    with Client(command, cwd=ROOT) as engine:
        for _ in range(games):
            engine.new_game()
            game = Game()
            while book.choose(game.position, manner, rng) is not None:
                pings.append(engine.ping())
                best = engine.best_move()
                assert best.move is not None, "the engine does not resign"
                moves.append(best.time_s)
                game.play(best.move)
    print(f"book move: {told(moves, 1e3, 'ms')}; ping: {told(pings, 1e3, 'ms')}")


def clocked(action: Callable[[], object]) -> float:
    """Return how many seconds an action takes."""
    began_s = time.perf_counter()
    action()
    return time.perf_counter() - began_s


def told(seconds: list[float], scale: float, unit: str) -> str:
    """Return the median, the 99th percentile and the largest of some times."""
    ordered = sorted(seconds)
    numbers = (statistics.median(ordered), ordered[len(ordered) * 99 // 100], ordered[-1])
    middle, high, most = (f"{number * scale:.3g}" for number in numbers)
    return f"{middle} {unit} in the median, {high} in 99 of 100, {most} at most of {len(ordered)}"
