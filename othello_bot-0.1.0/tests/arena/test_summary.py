"""The standing in words and numbers."""

from __future__ import annotations

import math

import pytest

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.report import estimate_text, failure_lines, meeting_lines, meetings_table, summary_lines
from othello_bot.arena.sprt import SequentialRun, Sprt
from othello_bot.arena.statistics import Estimate
from othello_bot.arena.stored import Result
from othello_bot.arena.tally import MOST_REASONS, Meeting, Tally
from othello_bot.base.notation import Color
from tests.arena.builders import met


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(12.34, 7.0, 17.0), "+12.3 (+7.0 to +17.0)"),
        (Estimate(300.0, 150.0, math.inf), "+300.0 (above +150.0)"),
        (Estimate(math.inf, 34.4, math.inf), "above +34.4"),
        (Estimate(-math.inf, -math.inf, -34.4), "below -34.4"),
        (Estimate(0.0, -math.inf, math.inf, "few openings"), "+0.0 (few openings)"),
        (Estimate(math.nan, -math.inf, math.inf), "- (no interval)"),
        (Estimate(0.0, 0.0, 0.0), "+0.0 (fixed)"),
    ],
)
def test_estimates(estimate: Estimate, text: str) -> None:
    assert estimate_text(estimate) == text


def lost_by_failures() -> Meeting:
    return met(0, 0, 2, [1, 0, 0, 0, 0])


def test_a_meeting_that_no_discs_decided_has_no_difference() -> None:
    lines = meeting_lines(("A", "B"), (0, 1), lost_by_failures(), SequentialRun(Sprt(0, 10)))
    assert lines[0] == "A against B: +0 =0 -2, 0 of 2 points (0.0 %)"
    assert "superior with 50.0 % probability" in lines[2]
    assert lines[3] == "  discs - a game, standard error -"
    assert lines[4].startswith("  SPRT 0 against 10 Elo (normalised): LLR ")


def result(id: int, ending: Ending = Ending.BOARD, loser: Color | None = None, detail: str = "") -> Result:
    points = 0.5 if loser is None else float(loser is Color.WHITE)
    discs = 0 if loser is None else None
    return Result(id, id, 0, id, 0, 1, points, discs, ending, loser, None, 0.1, 0.1, 20, 20, 0.1, detail)


def test_the_reason_of_every_failure_is_said() -> None:
    tally = Tally(2)
    tally.add(result(1))
    tally.add(result(2, Ending.REFUSAL, Color.WHITE, "refused 'play w pass': syntax error"))
    tally.add(result(3, Ending.REFUSAL, Color.WHITE, "refused 'play w pass': syntax error"))
    tally.add(result(4, Ending.TIME, Color.WHITE, "used 0.305 s of 0.100 s for move 12"))
    tally.add(result(5, Ending.TIME, Color.WHITE, "used 1.250 s of 0.100 s for move 7"))
    tally.add(result(6, Ending.CRASH, Color.BLACK, "crashed (exit code 3): no memory\n  stderr: as in old stores"))
    tally.add(result(7, Ending.RESIGNATION, Color.BLACK))
    told = [
        "A: crash: crashed (exit code 3): no memory",
        "B: 2 x refusal: refused 'play w pass': syntax error",
        "B: 2 x time: used 0.305 s of 0.100 s for move 12",
    ]
    assert failure_lines(("A", "B"), tally) == told
    lines = summary_lines(("A", "B"), tally)
    place = lines.index("games lost by failures:")
    assert lines[place + 1 : place + 4] == [f"  {line}" for line in told]
    assert "games lost by failures:" not in summary_lines(("A", "B"), Tally(2))


def test_reasons_without_end_are_counted_together() -> None:
    tally = Tally(2)
    for number in range(50):
        tally.add(result(number + 1, Ending.GARBAGE, Color.BLACK, f"printed {'x' * number}"))
    lines = failure_lines(("A", "B"), tally)
    assert len(lines) == MOST_REASONS + 1
    assert lines[0] == f"A: {50 - MOST_REASONS} x garbage: other reasons"


def test_a_tournament_has_one_row_for_each_two_engines() -> None:
    one = met(3, 1, 2, [0, 1, 0, 1, 1])
    one.discs.add(4.0)
    one.discs.add(8.0)
    table = meetings_table(("A", "B", "C"), {(1, 2): lost_by_failures(), (0, 1): one})
    assert [row[0] for row in table.rows] == ["A against B", "B against C"]
    assert table.rows[0][5:] == ("0 1 0 1 1", "+6.00", "2.00")
    assert table.rows[1][5:] == ("1 0 0 0 0", "-", "-")
    tally = Tally(3)
    tally.meetings = {(0, 1): one}
    text = "\n".join(summary_lines(("A", "B", "C"), tally))
    assert "points of the row against the column" in text
    assert "A against B" in text
