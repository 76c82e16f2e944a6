"""Edax beside this program: it solves the same positions, with one task."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass

from othello_bot.base.notation import parse_move
from othello_bot.formats import obf
from othello_bot.suites.solve import is_right

from .measures import Suite, WrongSolution
from .yardstick import PerformanceError, output_of

SOLVE = ("-l", "60", "-n", "1", "-verbose", "1")

_ROW = re.compile(
    r" *(?P<number>\d+)\| *\d+ +(?P<score>[+-]\d+) +(?P<minutes>\d+):(?P<seconds>\d\d\.\d{3})"
    r" +(?P<nodes>\d+)(?: +\d+)? +(?P<move>[a-h][1-8])\b",
    re.IGNORECASE,
)
"""A solved position as Edax 4.6 prints it: ``  1|   20   +38        0:00.557      21000788   37703390 a2 B1 c1``.

The columns: number, depth, score, time, nodes, nodes a second (absent within a millisecond), moves.
"""


@dataclass(frozen=True)
class EdaxRun:
    """The time in seconds and the nodes of all positions of a suite."""

    seconds: float
    nodes: int


def solved_by_edax(command: tuple[str, ...], suite: Suite) -> EdaxRun:
    """Let Edax solve all positions exactly, each with an empty table.

    Raise WrongSolution if a score or move is wrong, PerformanceError if the program fails.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".obf", encoding="utf-8") as file:
        file.writelines(f"{obf.format_line(problem)}\n" for _, problem in suite.problems)
        file.flush()
        output = output_of((*command, *SOLVE, "-solve", file.name))
    rows = [row for line in output.splitlines() if (row := _ROW.match(line))]
    if len(rows) != len(suite.problems):
        raise PerformanceError(f"{command[0]}: cannot parse its output:\n{output}")
    for row, (number, problem) in zip(rows, suite.problems, strict=True):
        if not is_right(problem, int(row["score"]), parse_move(row["move"])):
            raise WrongSolution(f"{command[0]}: FFO #{number}: {row['score']} {row['move']}")
    return EdaxRun(
        sum(60 * int(row["minutes"]) + float(row["seconds"]) for row in rows), sum(int(row["nodes"]) for row in rows)
    )
