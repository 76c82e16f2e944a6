"""The positions for measuring an evaluation, read from OBF files.

Uses only the standard library, so that measuring needs no extra.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from othello_bot.formats import obf


@dataclass(frozen=True)
class Measured:
    """Positions (mover, opponent) in which the mover has a move, with their exact scores in discs, mover's view."""

    positions: tuple[tuple[int, int], ...]
    scores: tuple[int, ...]


def read(path: Path) -> Measured:
    """Return the positions of an OBF file that have an exact score.

    Replace a position with a forced pass by the one after it. Raise FormatError for an invalid line, OSError if the
    file cannot be read.
    """
    positions, scores = [], []
    with open(path, encoding="ascii") as file:
        for problem in obf.read(file):
            position, score = problem.position, problem.best_score
            if score is None or position.is_over:
                continue
            passes = position.must_pass
            positions.append((position.opponent, position.mover) if passes else (position.mover, position.opponent))
            scores.append(-score if passes else score)
    return Measured(tuple(positions), tuple(scores))


def default_files() -> list[Path]:
    """Return the measuring files of this package, and those in shared/data beside the checkout, if there are any."""
    folders = (Path(__file__).parent, Path(__file__).resolve().parents[3] / "shared" / "data")
    return [file for folder in folders for file in sorted(folder.glob("*.obf"))]
