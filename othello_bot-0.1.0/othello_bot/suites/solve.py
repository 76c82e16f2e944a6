"""`othello-bot solve FILE`: solve endgame positions and compare the scores with those in the file."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from othello_bot.base.errors import FormatError, UserError
from othello_bot.base.notation import integer, move_name
from othello_bot.base.output import guarded, report
from othello_bot.engine import (
    FULL_WIDTH,
    MAXIMUM_DEPTH,
    SELECTIVITIES,
    Limits,
    Options,
    Search,
    SearchRequest,
    SearchResult,
    add_option_arguments,
    options_of,
)
from othello_bot.formats import obf
from othello_bot.formats.reading import problems_of_file

DEFAULTS: Final = Options(hash=256)
"""Default size of the table; the figures in docs/development/performance.md were measured with it."""

EXACT: Final = Limits(depth=MAXIMUM_DEPTH, selectivity=SELECTIVITIES[FULL_WIDTH])

OPTION_NAMES: Final = ("hash", "threads", "level", "selectivity", "evaluation", "evaluation_file")


@dataclass(frozen=True, slots=True)
class Solved:
    """One position of a file with its solution; `right` is None if the file holds no score."""

    number: int
    problem: obf.Problem
    result: SearchResult
    right: bool | None

    def verdict(self) -> str:
        """Return right, WRONG (with the file's score), or - if the file holds no score."""
        if self.right is None:
            return "-"
        return "right" if self.right else f"WRONG, expected {_expected(self.problem)}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="positions (OBF, boards), or games, whose last positions are solved",
    )
    parser.add_argument("--wld", action="store_true", help="find only the winner, not the margin, which is faster")
    parser.add_argument(
        "--first", type=integer(1), default=1, metavar="N", help="number of the first position to solve"
    )
    parser.add_argument("--count", type=integer(1), metavar="N", help="number of positions to solve")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    add_option_arguments(parser, OPTION_NAMES, DEFAULTS)


@guarded("solve")
def run(args: argparse.Namespace) -> int:
    """Solve the positions; return 0 if all scores are right, 1 if one is wrong or there is none, 2 for a bad file."""
    options = options_of(args, DEFAULTS)
    problems = list(_problems(args.files))
    search = Search(options.hash, options.threads)
    search.set_evaluation(options.evaluation, options.evaluation_file)
    if not problems:
        report(f"no position in {', '.join(map(str, args.files))}", "solve")
        return 1
    chosen = problems[args.first - 1 :][: args.count]
    limits = _limits(args, options)
    solved = []
    if not args.json:
        sys.stdout.write(_HEAD)
    for done, (number, problem) in enumerate(chosen):
        _show_progress(done, len(chosen))
        solved.append(solve(search, number, problem, limits))
        if not args.json:
            _clear_progress()
            sys.stdout.write(_row(solved[-1], args.wld))
            sys.stdout.flush()
    _clear_progress()
    sys.stdout.write(_as_json(solved, args.wld, options) if args.json else _total(solved))
    return 1 if any(entry.right is False for entry in solved) else 0


def _limits(args: argparse.Namespace, options: Options) -> Limits:
    """Return the limits of each search: to the end of the game, unless a level is given."""
    if options.level is not None:
        return Limits(level=options.level, selectivity=options.selectivity, wld=args.wld)
    selectivity = EXACT.selectivity if options.selectivity is None else options.selectivity
    return replace(EXACT, selectivity=selectivity, wld=args.wld)


def solve(search: Search, number: int, problem: obf.Problem, limits: Limits = EXACT) -> Solved:
    """Solve one position with an empty table, so that its nodes do not depend on earlier positions."""
    search.clear()
    search.arm()
    began = time.perf_counter()
    result = search.answer(SearchRequest(problem.position, limits))
    if not result.lines:
        result = SearchResult((), 0, time.perf_counter() - began)
    move = result.move if result.lines else None
    return Solved(number, problem, result, is_right(problem, _score(problem, result), move, limits.wld))


def _problems(files: list[Path]) -> Iterator[tuple[int, obf.Problem]]:
    number = 0
    for file in files:
        try:
            for problem in problems_of_file(file):
                number += 1
                yield number, problem
        except FormatError as error:
            raise UserError(f"{file}: {error}") from error


def _score(problem: obf.Problem, result: SearchResult) -> int:
    return result.score if result.lines else problem.position.score()


def is_right(problem: obf.Problem, score: int, move: int | None, wld: bool = False) -> bool | None:
    """Return whether a score in discs, the mover's view, and a move agree with the file; None if it holds no score.

    `move`: None where nothing can be played; if the file names all best moves, it must be one of them. `wld`: only the
    score's sign counts.
    """
    expected = problem.best_score
    if expected is None:
        return None
    if wld:
        return _sign(score) == _sign(expected)
    return score == expected and (not problem.best_moves or move in problem.best_moves)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _expected(problem: obf.Problem) -> str:
    moves = " or ".join(move_name(move) for move in problem.best_moves)
    return f"{moves} {problem.best_score:+d}".strip()


_HEAD = f"{'#':>4} {'empties':>7} {'best':>4} {'score':>6} {'nodes':>15} {'seconds':>9} {'Mnodes/s':>9}  verdict\n"


def _row(entry: Solved, wld: bool) -> str:
    result = entry.result
    score = _score(entry.problem, result)
    shown = ("loss", "draw", "win")[_sign(score) + 1] if wld else f"{score:+d}"
    best = move_name(result.move) if result.lines else "-"
    return (
        f"{entry.number:>4} {entry.problem.position.empties:>7} {best:>4} {shown:>6} {result.nodes:>15,}"
        f" {result.time_s:>9.3f} {result.rate / 1e6:>9.1f}  {entry.verdict()}\n"
    )


def _total(solved: list[Solved]) -> str:
    nodes, seconds = _sum(solved, lambda r: r.nodes), _sum(solved, lambda r: r.time_s)
    judged = [entry for entry in solved if entry.right is not None]
    right = sum(1 for entry in judged if entry.right)
    return (
        f"{'all':>4} {'':>7} {'':>4} {'':>6} {int(nodes):>15,} {seconds:>9.3f} {nodes / max(seconds, 1e-9) / 1e6:>9.1f}"
        f"  {right} of {len(judged)} right\n"
    )


def _sum(solved: list[Solved], value: Callable[[SearchResult], float]) -> float:
    return sum(value(entry.result) for entry in solved)


def _as_json(solved: list[Solved], wld: bool, options: Options) -> str:
    positions = [
        {
            "number": entry.number,
            "board": entry.problem.position.to_string(),
            "empties": entry.problem.position.empties,
            "best": move_name(entry.result.move) if entry.result.lines else None,
            "line": [move_name(move) for move in entry.result.pv] if entry.result.lines else [],
            "score": _sign(_score(entry.problem, entry.result)) if wld else _score(entry.problem, entry.result),
            "nodes": entry.result.nodes,
            "seconds": round(entry.result.time_s, 6),
            "expected": entry.problem.best_score,
            "right": entry.right,
        }
        for entry in solved
    ]
    total = {
        "positions": len(solved),
        "nodes": int(_sum(solved, lambda r: r.nodes)),
        "seconds": round(_sum(solved, lambda r: r.time_s), 6),
        "right": sum(1 for entry in solved if entry.right),
    }
    content = {"threads": options.threads, "hash_mib": options.hash, "wld": wld, "positions": positions, "total": total}
    return json.dumps(content, indent=1) + "\n"


def _show_progress(done: int, total: int) -> None:
    """Show a progress bar on stderr if it is a terminal."""
    if sys.stderr.isatty():
        filled = 30 * done // max(total, 1)
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done} of {total} solved ")
        sys.stderr.flush()


def _clear_progress() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
