"""Measure bases of games, and print the tables of docs/development/explorer.md.

`games` makes games by the policy; `build` makes a base, and beside it a table of SQLite with one row a position and an
index, from the same games; `ask` asks both; `check` compares a base with a loop over all games in Python; `theory` solves
positions whose scores WTHOR files tell. Times are those of this process and its children on the processor, so that other
work on the machine counts little.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import sqlite3
import statistics
import sys
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from othello_bot import kernel, policy
from othello_bot.base.errors import counted
from othello_bot.base.files import write_whole
from othello_bot.base.notation import Color, integer
from othello_bot.cluster import Workers
from othello_bot.engine import Engine, Limits, Options
from othello_bot.explorer import RESULTS, BaseGame, Builder, GameBase, Selection, read_players, read_ratings
from othello_bot.formats import wthor
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import GameRecord, Range
from othello_bot.rules import Position, squares_of

ROUNDS: Final = 200
"""Questions of a kind; their median is printed."""


def used_s() -> float:
    """Return the seconds of processors that this process and its ended children have used."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def records(files: list[Path]) -> Iterator[GameRecord]:
    """Yield the games of files that can be read."""
    return (found.record for path in files for found in games_of_file(path) if found.record is not None)


def plain_build(path: Path, files: list[Path]) -> int:
    """Make the plain table: a row for each position of each game, and an index; return the number of rows."""
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE position (key INTEGER, move INTEGER, game INTEGER)")
    database.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, year INTEGER, result INTEGER)")

    def rows() -> Iterator[tuple[int, int, int]]:
        for number, record in enumerate(records(files)):
            database.execute(
                "INSERT INTO game VALUES (?, ?, ?)", (number, int(record.date[:4] or 0), int(record.known_result or 0))
            )
            for key, code in postings(record):
                yield key - (1 << 64) if key >> 63 else key, code, number

    database.executemany("INSERT INTO position VALUES (?, ?, ?)", rows())
    database.execute("CREATE INDEX by_key ON position (key)")
    database.commit()
    (count,) = database.execute("SELECT COUNT(*) FROM position").fetchone()
    database.close()
    return int(count)


def postings(record: GameRecord) -> Iterator[tuple[int, int]]:
    """Yield the key of each position of a game, and the code of what follows."""
    game = record.game
    size = 2 * game.ply + 2
    keys, numbers = memoryview(bytearray(8 * size)).cast("Q"), memoryview(bytearray(4 * size)).cast("I")
    start = game.start
    moves = bytes(move for move in game.moves if move < 64)
    stop = kernel.fill_postings(start.mover, start.opponent, start.color is Color.WHITE, moves, 0, keys, numbers, 0)
    for place in range(stop):
        yield keys[place], numbers[place] >> 24


_PLAIN: Final = (
    "SELECT move, COUNT(*), SUM(result > 0), SUM(result = 0), SUM(result < 0), AVG(result), MIN(year), MAX(year)"
    " FROM position JOIN game ON game = id WHERE key = ? GROUP BY move"
)


def median_ms(ask: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median time of a question in milliseconds of the processor."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        ask()
        times.append(time.process_time() - began)
    return 1000 * statistics.median(times)


def build(args: argparse.Namespace) -> None:
    """Print what building costs."""
    began_s, wall_s = used_s(), time.monotonic()
    programs = None if args.programs is None else read_players(args.programs)
    ratings = None if args.ratings is None else read_ratings(args.ratings)
    with Builder(args.base, programs=programs, ratings=ratings) as builder, Workers(args.processes) as workers:
        builder.add(args.files, workers)
        totals = builder.totals
    base_s = used_s() - began_s
    wall_s = time.monotonic() - wall_s
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = args.base.stat().st_size / 1e6
    games = sqlite3.connect(args.base).execute("SELECT SUM(pgsize) FROM dbstat WHERE name = 'game'").fetchone()[0] / 1e6
    print(f"{totals.added} games: {base_s:.1f} s of the processor, {wall_s:.1f} s, {memory:.0f} MiB")
    print(f"{size:.1f} MB, of which {games:.1f} MB are the games")
    if args.plain is not None:
        args.plain.unlink(missing_ok=True)
        began_s = used_s()
        rows = plain_build(args.plain, args.files)
        plain_s = used_s() - began_s
        print(f"plain SQLite: {rows} rows, {plain_s:.1f} s of the processor, {args.plain.stat().st_size / 1e6:.1f} MB")
        print(f"ratio: {plain_s / base_s:.1f}")


def ask(args: argparse.Namespace) -> None:
    """Print how long answers take."""
    began_s = time.process_time()
    with GameBase(args.base) as base:
        base.explore(Position.start())
        print(f"first answer: {1000 * (time.process_time() - began_s):.1f} ms")
        began_s = time.process_time()
        base.explore(Position.start(), Selection(years=Range(1990, 1999)))
        print(f"first answer with a filter: {1000 * (time.process_time() - began_s):.1f} ms")
        rng = random.Random(1)
        whole = [base.game(rng.randrange(1, len(base) + 1)).game() for _ in range(ROUNDS)]
        for ply in (0, 1, 4, 10, 20, 40, 58):
            places = iter([game.position_at(min(ply, game.ply)) for game in whole])
            without = median_ms(lambda: base.explore(next(places)))  # noqa: B023 - asked at once
            numbers = iter(range(ROUNDS))
            places = iter([game.position_at(min(ply, game.ply)) for game in whole])
            with_filter = median_ms(
                lambda: base.explore(next(places), Selection(years=Range(1977 + next(numbers) % 40, 2030), player="1"))  # noqa: B023
            )
            print(f"after {ply} plies: {without:.2f} ms, with another filter each time {with_filter:.2f} ms")
        if args.plain is not None:
            start = Position.start()
            key = kernel.position_key(start.mover, start.opponent)
            key -= (1 << 64) if key >> 63 else 0
            database = sqlite3.connect(args.plain)
            plain = median_ms(lambda: database.execute(_PLAIN, (key,)).fetchall(), 5)
            ours = median_ms(lambda: base.explore(start))
            print(f"the start position: plain SQLite {plain:.1f} ms, a base {ours:.3f} ms, ratio {plain / ours:.0f}")


def check(args: argparse.Namespace) -> None:
    """Compare the counts of random positions, under every filter, with a loop over all games; raise AssertionError if one
    differs. The base needs a list of programs.
    """
    rng = random.Random(args.seed)
    with GameBase(args.base) as base:
        cases = _cases(base)
        wanted: dict[int, Position] = {}
        while len(wanted) < args.positions:
            game = base.game(rng.randrange(1, len(base) + 1)).game()
            ply = min(int(rng.expovariate(0.06)), game.ply)
            position = game.position_at(ply)
            wanted[kernel.position_key(position.mover, position.opponent)] = position
        counts: dict[tuple[int, int], Counter[str]] = {
            (case, key): Counter() for case in range(len(cases)) for key in wanted
        }
        taken = Counter[int]()
        for kept in base.all_games():
            fitting = [case for case, (_, takes) in enumerate(cases) if takes(kept)]
            taken.update(fitting)
            for key, code in postings(kept.record()):
                if key in wanted:
                    result = None if kept.result is None else -kept.result if code & 128 else kept.result
                    ends = "unknown" if result is None else "won" if result > 0 else "drawn" if result == 0 else "lost"
                    for case in fitting:
                        counts[case, key].update(("games", ends))
        for case, (selection, _) in enumerate(cases):
            for key, position in wanted.items():
                found = base.explore(position, selection).counts
                slow = counts[case, key]
                names = "games", "won", "drawn", "lost"
                assert [getattr(found, name) for name in names] == [slow[name] for name in names], (selection, position)
            print(
                f"{counted(len(wanted), 'position')}, {counted(taken[case], 'game')}: equal under {_shown(selection)}"
            )


Takes = Callable[[BaseGame], bool]


def _cases(base: GameBase) -> list[tuple[Selection, Takes]]:
    """Return every filter, with what says in plain Python whether a game fits."""
    pairs, events = Counter[tuple[str, str]](), Counter[str]()
    for game in base.all_games():
        pairs[game.black, game.white] += 1
        events[game.event] += 1
    ((one, other), _), *_ = pairs.most_common(1)
    event = next(name for name, _ in events.most_common(2) if name)
    programs = base.programs
    assert programs is not None, "the base has no list of programs"

    def year(game: BaseGame) -> int:
        return int(game.date[:4] or 0)

    def rated(game: BaseGame) -> bool:
        return all(rating is not None and 1500 <= rating <= 2200 for rating in (game.black_rating, game.white_rating))

    def count(game: BaseGame) -> int:
        names = game.black, game.white
        return sum(
            programs.has(name, int(name.removeprefix("player ")) if name[-1:].isdecimal() else 0) for name in names
        )

    def ends(game: BaseGame) -> str:
        return (
            "unknown" if game.result is None else "draw" if not game.result else "black" if game.result > 0 else "white"
        )

    return [
        (Selection(), lambda game: True),
        (Selection(years=Range(1985, 2000)), lambda game: 1985 <= year(game) <= 2000),
        (Selection(rating=Range(1500, 2200)), rated),
        (Selection(player=one), lambda game: one in (game.black, game.white)),
        (Selection(player=one, color=Color.BLACK), lambda game: game.black == one),
        (Selection(player=one, color=Color.WHITE), lambda game: game.white == one),
        (Selection(player=one, opponent=other), lambda game: {game.black, game.white} == {one, other}),
        (
            Selection(player=one, opponent=other, color=Color.WHITE),
            lambda game: (game.white, game.black) == (one, other),
        ),
        (Selection(event=event), lambda game: game.event == event),
        *(
            (Selection(results=frozenset((result,))), lambda game, result=result: ends(game) == result)
            for result in RESULTS
        ),
        (Selection(results=frozenset(("black", "draw"))), lambda game: ends(game) in ("black", "draw")),
        (Selection(between="people", programs=programs), lambda game: count(game) == 0),
        (Selection(between="both", programs=programs), lambda game: count(game) == 1),
        (Selection(between="programs", programs=programs), lambda game: count(game) == 2),
        (
            Selection(years=Range(1985, 1995), player=one, results=frozenset(("white",)), rating=Range(1500, 2200)),
            lambda game: (
                1985 <= year(game) <= 1995 and one in (game.black, game.white) and ends(game) == "white" and rated(game)
            ),
        ),
    ]


def _shown(selection: Selection) -> str:
    values = ((name, value) for name, value in vars(selection).items() if value and name != "programs")
    return ", ".join(f"{name} {value}" for name, value in values) or "no filter"


def games(args: argparse.Namespace) -> None:
    """Write WTHOR files of games by the policy, half of them from the first moves of real ones; existing files stay.

    The policy plays as people of 800 to 1800 do, for POLICY_PLIES; the rest is at random, which is faster: such positions
    come once anyway. Players and event are those of a real game.
    """
    real = [game for path in args.files for game in wthor.read_games(path.read_bytes())]
    args.folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, args.games, FILE_GAMES):
        year = 1977 + first // FILE_GAMES
        path = args.folder / f"made_{year}.wtb"
        if path.exists():
            continue
        rng = random.Random(f"{args.seed} {year}")
        count = min(FILE_GAMES, args.games - first)
        header = wthor.HEADER.pack(20, 26, 1, 1, count, 0, year, 8, 0, 0)
        rows = (_made_game(rng, rng.choice(real), bool(number % 2)) for number in range(count))
        write_whole(path, header + b"".join(rows))
        print(f"{path}: {counted(count, 'game')}", flush=True)


FILE_GAMES: Final = 20_000
POLICY_PLIES: Final = 20


@lru_cache(1 << 18)
def _shares(mover: int, opponent: int, last: int, rating: int) -> tuple[list[int], list[float]]:
    """Return the legal moves, and the sums of their probabilities up to each."""
    chances = policy.shipped().probabilities(mover, opponent, last, rating)
    return list(squares_of(kernel.legal_moves(mover, opponent))), list(itertools.accumulate(chances))


def _made_game(rng: random.Random, real: wthor.WthorGame, has_opening: bool) -> bytes:
    """Return a game by the policy as a WTHOR file has it, from the start or from 4 to 24 moves of a real game."""
    ratings = rng.randrange(800, 1801, 200), rng.randrange(800, 1801, 200)
    begun = (wthor.moves_of(real.squares) or b"")[: rng.randint(4, 24)] if has_opening else b""
    start = Position.start()
    plies, mover, opponent, _ = kernel.replay(start.mover, start.opponent, begun)
    is_white, moves = len(plies) % 2, bytearray(begun)
    while legal := kernel.legal_moves(mover, opponent) or -1:
        if legal < 0:
            if not kernel.legal_moves(opponent, mover):
                break
            mover, opponent, is_white = opponent, mover, 1 - is_white
            continue
        if len(moves) < POLICY_PLIES:
            squares, totals = _shares(mover, opponent, moves[-1] if moves else policy.NO_MOVE, ratings[is_white])
            square = squares[min(bisect_right(totals, rng.random() * totals[-1]), len(totals) - 1)]
        else:
            for _ in range(int(rng.random() * legal.bit_count())):
                legal &= legal - 1
            square = (legal & -legal).bit_length() - 1
        flipped = kernel.flips(mover, opponent, square)
        mover, opponent, is_white = opponent & ~flipped, mover | flipped | 1 << square, 1 - is_white
        moves.append(square)
    score = kernel.final_score(mover, opponent)
    discs = 32 + (-score if is_white else score) // 2
    return wthor.GAME.pack(
        real.tournament, real.black, real.white, discs, discs, bytes(moves).translate(_CODES).ljust(60, b"\0")
    )


_CODES: Final = bytes(10 * (square // 8 + 1) + square % 8 + 1 if square < 64 else 0 for square in range(256))


def theory(args: argparse.Namespace) -> None:
    """Solve positions of games whose score with best play the files tell, and print how many were wrong, by year.

    `--results FILE` keeps what was solved, so that the same command goes on.
    """
    rng = random.Random(args.seed)
    told = [record for record in records(args.files) if record.best_play is not None]
    rng.shuffle(told)
    solved: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    known: dict[str, float] = {}
    if args.results is not None and args.results.exists():
        known = {line["moves"]: line["score"] for line in map(json.loads, args.results.read_text().splitlines())}
    ends_s = time.monotonic() + args.seconds
    with Engine(Options(hash=256, threads=1, book=False)) as engine:
        for record in told:
            best = record.best_play
            game = record.game
            assert best is not None
            places = [ply for ply in range(game.ply + 1) if game.position_at(ply).empties == best.empties]
            if not places or game.position_at(places[-1]).must_pass:
                continue
            moves = game.transcript()
            score = known.get(moves)
            if score is None:
                if time.monotonic() > ends_s:
                    break
                score = _solved(engine, game.position_at(places[-1]), best.result)
                if args.results is not None:
                    with args.results.open("a") as file:
                        file.write(json.dumps({"moves": moves, "told": best.result, "score": score}) + "\n")
            solved[record.date] += 1
            if score != best.result:
                wrong[record.date] += 1
                print(f"{record.date} {moves}: told {best.result:+g}, solved {score:+g}", file=sys.stderr)
            if sum(solved.values()) >= args.games:
                break
    print(f"{sum(solved.values())} solved, {sum(wrong.values())} wrong")
    for year in sorted(solved):
        print(f"{year}: {wrong[year]} of {solved[year]}")


def _solved(engine: Engine, position: Position, told: float) -> float:
    """Return Black's exact score. What is told is proved or refuted by a narrow window first, which is faster."""
    sign = 1 if position.color is Color.BLACK else -1
    expected = int(sign * told)
    low, high = max(-64, expected - 2), min(64, expected + 2)
    for alpha, beta in ((low, high), (-64, 64)):
        found = engine.search(position, Limits(depth=60, selectivity=100, alpha=alpha, beta=beta)).best
        assert found.score is not None
        if found.exact and (beta - alpha == 128 or found.score == expected):
            return sign * found.score
    raise AssertionError(f"{position.to_string()} was not solved")


def main() -> int:
    """Run the part that the command line names; return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)

    def part(run: Callable[[argparse.Namespace], None], *, base: bool, files: bool) -> argparse.ArgumentParser:
        declared = parts.add_parser(run.__name__, help=run.__doc__)
        declared.set_defaults(run=run)
        if base:
            declared.add_argument("base", type=Path)
        if files:
            declared.add_argument("files", type=Path, nargs="+")
        return declared

    making = part(build, base=True, files=True)
    making.add_argument("--processes", type=integer(1), default=os.cpu_count())
    making.add_argument("--programs", type=Path, help="the list of programs, for `check`")
    making.add_argument("--ratings", type=Path, help="ratings of players, for `check`")
    making.add_argument("--plain", type=Path, help="make the plain table there")
    part(ask, base=True, files=False).add_argument("--plain", type=Path, help="the plain table to ask too")
    checking = part(check, base=True, files=False)
    checking.add_argument("--positions", type=integer(1), default=1000)
    checking.add_argument("--seed", type=integer(0), default=1)
    solving = part(theory, base=False, files=True)
    solving.add_argument("--games", type=integer(1), default=2000)
    solving.add_argument("--seconds", type=integer(1), default=10**6)
    solving.add_argument("--seed", type=integer(0), default=1)
    solving.add_argument("--results", type=Path, help="keep what was solved in this file, and go on from it")
    making_games = parts.add_parser("games", help="write WTHOR files of games by the policy")
    making_games.set_defaults(run=games)
    making_games.add_argument("folder", type=Path)
    making_games.add_argument("files", type=Path, nargs="+", help="the WTHOR files of real games")
    making_games.add_argument("--games", type=integer(1), default=1_000_000)
    making_games.add_argument("--seed", type=integer(0), default=1)
    args = parser.parse_args()
    args.run(args)
    return 0
