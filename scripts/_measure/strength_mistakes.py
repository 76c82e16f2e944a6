"""Measure the mistakes of the steps: what is refuted only beyond their sight, and the corners they throw away.

    scripts/measure strength-mistakes             judge games that scripts/measure strength-ladder has stored
    scripts/measure strength-mistakes --write     the same, and put the rows into docs/strength.md
    scripts/measure strength-mistakes --steps 4   the same for some steps; --write keeps the rows of the others

A search that looks --depth plies ahead, and to the end of the game from --exact empty squares on, judges every move of
a step that had a choice. docs/strength.md defines what is counted.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from _setup.enter import ROOT

from othello_bot.arena.games import StoredGame, StoredMatch
from othello_bot.arena.store import Store
from othello_bot.base.notation import PASS
from othello_bot.engine import Limits, Search
from othello_bot.engine.amateur import CORNERS, Amateur
from othello_bot.engine.strength import CHAMPION, NAMES, STEPS
from othello_bot.rules import Position, parse_moves, squares_of

DOCUMENT = ROOT / "docs" / "strength.md"
PLACE = re.compile(r"(?<=<!-- mistakes: begin -->\n).*(?=<!-- mistakes: end -->)", re.DOTALL)

ROW = re.compile(r"^\| (\d+) \|.*\|$", re.MULTILINE)


@dataclass
class Counts:
    """What one step did in moves with a choice; losses in discs."""

    games: int = 0
    moves: int = 0
    lost: float = 0.0
    lost_beyond: float = 0.0
    corners: int = 0


class Judge:
    """The deep search."""

    def __init__(self, depth: int, exact: int) -> None:
        """Set the search: `depth`: plies from the judged position; `exact`: empty squares from which the game is
        solved.
        """
        self._depth = depth
        self._exact = exact
        self._search = Search(64)

    def best(self, position: Position) -> int:
        """Return the best move."""
        return self._run(position, self._depth)[0]

    def value_of(self, position: Position, move: int) -> float:
        """Return the value of a move to the player who makes it, in discs."""
        after = position.play(move)
        return -float(after.score()) if after.is_over else -self._run(after, self._depth - 1)[1]

    def _run(self, position: Position, depth: int) -> tuple[int, float]:
        if position.must_pass:
            return PASS, -self._run(position.play(PASS), depth)[1]
        limits = Limits(depth=60, selectivity=100) if position.empties <= self._exact else Limits(depth=depth)
        found = self._search.run(position.mover, position.opponent, limits)
        return found.move, float(found.score)


def gives_a_corner(position: Position, move: int) -> bool:
    """Say whether a move lets the opponent take a corner that he could not take before, with none in return."""
    before = Position(position.opponent, position.mover).legal_bits
    after = position.play(move)
    opened = squares_of(after.legal_bits & CORNERS & ~before)
    return any(not after.play(corner).legal_bits & CORNERS for corner in opened)


def judge(position: Position, played: int, careful: Amateur | None, by: Judge, counts: Counts, discs: float) -> None:
    """Count one move. `careful` misses and misjudges nothing; None for a level of the engine."""
    moves = {played, by.best(position)} | ({careful.choose(position)} if careful is not None else set())
    values = {move: by.value_of(position, move) for move in moves}
    loss = max(values.values()) - values[played]
    counts.moves += 1
    counts.lost += loss
    if careful is not None:
        in_sight = max(0.0, values[careful.choose(position)] - values[played])
        counts.lost_beyond += loss - in_sight
    if loss >= discs and gives_a_corner(position, played):
        counts.corners += not all(gives_a_corner(position, move) for move in position.legal_moves)


def sides(match: StoredMatch, game: StoredGame) -> Iterator[tuple[int, int]]:
    """Yield the colours that steps played in a game, with their numbers."""
    for color, slot in enumerate((game.result.black, game.result.white)):
        if number := re.fullmatch(r"engine strength=(\d+)", match.names[slot]):
            yield color, int(number[1])


def decisions(game: StoredGame) -> Iterator[tuple[Position, int]]:
    """Yield the positions after the opening in which the mover had a choice, with the move that was played."""
    position = Position.parse(game.start)
    for ply, move in enumerate(parse_moves(game.moves)):
        if move != PASS and position.must_pass:
            position = position.play(PASS)
        if ply >= game.opening_plies and len(position.legal_moves) > 1:
            yield position, move
        position = position.play(move)


def count(store: Store, args: argparse.Namespace) -> dict[int, Counts]:
    """Return what the first games of each step hold, the newest matches first."""
    by = Judge(args.depth, args.exact)
    found = {number: Counts() for number in args.steps}
    for match in sorted(store.matches(), key=lambda match: -match.id):
        for game in store.games(match.id):
            for color, number in sides(match, game):
                counts = found.get(number)
                if counts is None or counts.games >= args.games:
                    continue
                counts.games += 1
                faculties = STEPS[number - 1].faculties
                careful = None if faculties is None else Amateur(replace(faculties, inattention=0, misjudgement=0), 0)
                for position, move in decisions(game):
                    if position.color == color:
                        judge(position, move, careful, by, counts, args.discs)
    return found


def rows(found: dict[int, Counts]) -> dict[int, str]:
    """Return a row of Markdown for each step."""
    named = {number: name for name, number in NAMES}
    day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    lines = {}
    for number, counts in found.items():
        if counts.moves:
            person = STEPS[number - 1].faculties is not None and counts.lost
            beyond = f"{100 * counts.lost_beyond / counts.lost:.0f} %" if person else "-"
            lines[number] = (
                f"| {number} | {named.get(number, '')} | {counts.games} | {counts.moves} |"
                f" {counts.lost / counts.moves:.2f} | {beyond} | {100 * counts.corners / counts.moves:.1f} | {day} |"
            )
    return lines


def table(lines: dict[int, str], args: argparse.Namespace) -> str:
    """Return the rows as a table."""
    heading = (
        f"Up to {args.games} games of each step, judged {args.depth} plies deep and exactly from {args.exact} empty"
        " squares on."
    )
    columns = ["step", "name", "games", "moves", "discs lost a move", "of them beyond sight"]
    columns += ["corners thrown away in 100 moves", "day"]
    return "\n".join(
        [heading, "", f"| {' | '.join(columns)} |", "|" + len(columns) * "---|", *(lines[n] for n in sorted(lines))]
    )


def main() -> int:
    """Judge and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=Path("strength.db"), metavar="FILE", help="strength.db")
    parser.add_argument("--steps", type=int, nargs="+", default=list(range(1, CHAMPION + 1)), metavar="N")
    parser.add_argument("--games", type=int, default=30, metavar="N", help="games of each step (30)")
    parser.add_argument("--depth", type=int, default=8, metavar="N", help="plies (8)")
    parser.add_argument("--exact", type=int, default=12, metavar="N", help="empty squares (12)")
    parser.add_argument("--discs", type=float, default=6.0, metavar="N", help="least loss with a corner (6)")
    parser.add_argument("--write", action="store_true", help="put the rows into docs/strength.md")
    args = parser.parse_args()
    with Store(args.store, create=False) as store:
        judged = rows(count(store, args))
    if not args.write:
        print(table(judged, args))
        return 0
    document = DOCUMENT.read_text(encoding="utf-8")
    shown = PLACE.search(document)
    kept = {int(row[1]): row[0] for row in ROW.finditer(shown[0])} if shown else {}
    DOCUMENT.write_text(PLACE.sub(lambda _: f"\n{table(kept | judged, args)}\n\n", document), encoding="utf-8")
    return 0
