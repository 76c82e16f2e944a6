"""`othello-bot puzzles GAMES... OUT`: endgames with one good move, solved exactly and rated by who would find it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from othello_bot.base.descriptors import is_standard_output
from othello_bot.base.errors import DamagedInstallation, FormatError, counted
from othello_bot.base.notation import argument_type, integer
from othello_bot.base.output import ProgressLine, guarded, report, write_to_stderr
from othello_bot.base.outputs import OVERWRITE, check_outputs, refuse_taken
from othello_bot.engine import FULL_WIDTH, MAXIMUM_DEPTH, SELECTIVITIES, Engine, Limits, Options
from othello_bot.formats import obf
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import GameRecord, Range
from othello_bot.formats.writing import game_sink, inputs_of, user_path
from othello_bot.policy import LEAST_RATING, MOST_RATING, shipped
from othello_bot.rules import Position

FEWEST_EMPTIES: Final = 7
"""With fewer empty squares, people count every line."""

MOST_EMPTIES: Final = 14
"""With more, few people could prove their choice."""

CLEARLY_BETTER_DISCS: Final = 4
"""Discs by which the best move is better than every other one, if it does not decide who wins."""

STEP_RATING: Final = 100
"""Width of a step of ratings: puzzles of one step count as equally hard when some are chosen."""


NO_DEPTH_RATING: Final = 1030
PLY_RATING: Final = 93
"""The rating by the depth of search, where people's model is missing: a line through 500 puzzles rated by the model
(correlation 0.51; docs/browser.md)."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with the exact scores of all moves; `rating`: half of the people who have it find the best one."""

    problem: obf.Problem
    rating: int

    @property
    def decides(self) -> bool:
        """Whether the best move wins and no other one does."""
        best, second, *_ = sorted(self.problem.scores.values(), reverse=True)
        return best > 0 >= second

    @property
    def is_lost(self) -> bool:
        """Whether even the best move loses."""
        return max(self.problem.scores.values()) < 0

    def line(self) -> str:
        """Return the puzzle as a line of OBF, with its rating in the comment."""
        return f"{obf.format_line(self.problem)} % rating {self.rating}\n"


class Maker:
    """Finds puzzles in positions; symmetric ones are the same."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._seen: set[tuple[int, int]] = set()
        self.lacks = ""
        """Why the puzzles are rated by the depth of search instead of by people's model; "" if they are not."""
        try:
            shipped()
        except DamagedInstallation as error:
            self.lacks = str(error)

    def puzzles(self, record: GameRecord, fewest: int, most: int) -> Iterator[Puzzle]:
        """Yield the puzzles among a game's positions with this many empty squares."""
        for ply in range(record.game.ply + 1):
            position = record.game.position_at(ply)
            if fewest <= position.empties <= most and len(position.legal_moves) > 1 and self._is_new(position):
                problem = self._solved(position)
                if _has_one_good_move(problem):
                    yield Puzzle(problem, self._rating(problem))

    def _is_new(self, position: Position) -> bool:
        canonical, _ = position.canonical()
        key = (canonical.mover, canonical.opponent)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new

    def _solved(self, position: Position) -> obf.Problem:
        limits = Limits(depth=MAXIMUM_DEPTH, selectivity=SELECTIVITIES[FULL_WIDTH], multi_pv=len(position.legal_moves))
        return obf.Problem(position, {line.move: line.discs for line in self._engine.search(position, limits).lines})

    def _rating(self, problem: obf.Problem) -> int:
        """Return the rating of the people of whom half find the best move, as the policy knows them."""
        [best] = problem.best_moves
        if self.lacks:
            return min(NO_DEPTH_RATING + PLY_RATING * self._depth(problem, best), MOST_RATING)
        low, high = LEAST_RATING, MOST_RATING
        while high - low > 10:
            middle = (low + high) // 2
            if self._engine.policy(problem.position, middle)[best] < 0.5:
                low = middle
            else:
                high = middle
        return round((low + high) / 20) * 10

    def _depth(self, problem: obf.Problem, best: int) -> int:
        """Return the depth in plies from which on a search, which knows nothing of the solution, plays the best move."""
        position = problem.position
        for depth in range(position.empties - 1, 0, -1):
            self._engine.clear()
            limits = Limits(depth=depth, selectivity=SELECTIVITIES[FULL_WIDTH])
            if self._engine.search(position, limits).lines[0].move != best:
                return depth + 1
        return 1


def _has_one_good_move(problem: obf.Problem) -> bool:
    """Return whether the best move alone wins, or is clearly better than every other one."""
    best, second, *_ = sorted(problem.scores.values(), reverse=True)
    return best > 0 >= second or best - second >= CLEARLY_BETTER_DISCS


def spread(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Return this many puzzles, or all if there are fewer: of each step of ratings alike.

    Those that decide a game come first, those of lost games last.
    """
    steps: dict[int, list[Puzzle]] = {}
    for puzzle in sorted(puzzles, key=lambda one: (not one.decides, one.is_lost)):
        steps.setdefault(puzzle.rating // STEP_RATING, []).append(puzzle)
    rounds = (
        steps[step][place]
        for place in range(max(map(len, steps.values()), default=0))
        for step in sorted(steps)
        if place < len(steps[step])
    )
    return [puzzle for puzzle, _ in zip(rounds, range(count), strict=False)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Find puzzles in games: endgames, solved exactly, whose best move alone wins or is at least"
        f" {CLEARLY_BETTER_DISCS} discs better than every other one. OUT is a file of positions (OBF) with the scores"
        " of all moves, the easiest first; the comment of each line has a rating: half of the players with that rating"
        " find the best move (docs/policy.md)."
    )
    parser.add_argument("files", nargs="+", metavar="GAMES", help="files of games or positions, of any format")
    parser.add_argument("out", metavar="OUT", help="file to write")
    parser.add_argument("--overwrite", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--count", type=integer(1), metavar="N", help="at most N puzzles, spread evenly over the ratings"
    )
    parser.add_argument(
        "--empties",
        type=argument_type(lambda text: Range.parse(text, 2, 24)),
        default=Range(FEWEST_EMPTIES, MOST_EMPTIES),
        metavar="A-B",
        help=f"numbers of empty squares, from 2 to 24; default: {FEWEST_EMPTIES} to {MOST_EMPTIES}",
    )


@guarded("puzzles", stopped="interrupted; {args.out} was not written")
def run(args: argparse.Namespace) -> int:
    """Make the puzzles; return 0, 1 if a game could not be read or there is no puzzle, 2 for wrong arguments."""
    found: list[Puzzle] = []
    games = failed = 0
    out = user_path(args.out)
    check_outputs({"OUT": out}, input=inputs_of(map(user_path, args.files)))
    refuse_taken(out, overwrite=args.overwrite, word=OVERWRITE)
    with Engine(Options(hash=16, threads=1)) as engine, ProgressLine(sys.stderr) as progress:
        maker = Maker(engine)
        if maker.lacks:
            report(f"rated by the depth of search: {maker.lacks}", "puzzles")
        for game in (game for file in args.files for game in games_of_file(user_path(file))):
            games += 1
            progress.show(f"{counted(games, 'game')}, {counted(len(found), 'puzzle')}")
            try:
                found += maker.puzzles(game.checked(), args.empties.low, args.empties.high)
            except FormatError as error:
                failed += 1
                progress.clear()
                report(error, "puzzles")
    chosen = spread(found, args.count or len(found))
    if not chosen:
        report(f"nothing to write to {out.name}: no puzzle in {counted(games, 'game')}", "puzzles")
        return 1
    with game_sink(out, ending=".obf", overwrite=args.overwrite) as sink:
        for puzzle in sorted(chosen, key=lambda one: one.rating):
            sink.add(puzzle.line())
    told = f"{counted(len(chosen), 'puzzle')} of {counted(games, 'game')}: {args.out}\n"
    write_to_stderr(told) if is_standard_output(out) else sys.stdout.write(told)
    return 1 if failed else 0
