"""Judging moves from made-up results: losses that a deeper search would reverse are not reported."""

from __future__ import annotations

import re
from pathlib import Path

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import parse_move
from othello_bot.engine import Limits, SearchResult
from othello_bot.review import JudgedMove, analysis_steps
from othello_bot.review.judgement import margin
from othello_bot.rules import Game
from tests.review.games import game_of


def made_up(move: str, score: int, depth: int = 6, selectivity: int = 100, exact: bool = False) -> EvaluatedMove:
    return EvaluatedMove(parse_move(move), score, (parse_move(move),), depth, selectivity, exact)


def judged_with(game: Game, *results: list[EvaluatedMove]) -> list[JudgedMove]:
    """Return the judgements from these results of the searches, in order."""
    searches = analysis_steps(game, Limits(level=6), lambda: False)
    next(searches)
    for lines in results:
        try:
            searches.send(SearchResult(tuple(lines), 1, 0.0))
        except StopIteration as end:
            return list(end.value)
    raise AssertionError("more searches were asked for")


def test_a_loss_within_the_error_of_the_search_is_not_told() -> None:
    line = made_up("c4", 2)
    allowed = margin(line, 59)
    assert allowed > 0
    for difference, loss in ((allowed, 0), (allowed + 1, allowed + 1)):
        played_line = made_up("f6", 2 - difference)
        [first, second] = judged_with(
            game_of("f5", "f6"), [made_up("f5", 0)], [made_up("d6", 2)], [made_up("d6", 2), played_line]
        )
        assert (first.loss, second.loss) == (0, loss)
        assert (second.score, second.best.move) == (2 - difference, parse_move("d6"))


def test_a_solved_loss_is_told_however_small() -> None:
    [_, second] = judged_with(
        game_of("f5", "f6"),
        [made_up("f5", 0)],
        [made_up("d6", 2, exact=True)],
        [made_up("d6", 2, exact=True), made_up("f6", 0, exact=True)],
    )
    assert second.loss == 2


def test_a_move_that_proves_as_good_as_the_best_is_the_best() -> None:
    [_, second] = judged_with(
        game_of("f5", "f6"), [made_up("f5", 0)], [made_up("d6", 2)], [made_up("f6", 3), made_up("d6", 2)]
    )
    assert (second.best.move, second.score, second.loss) == (parse_move("f6"), 3, 0)


def test_deeper_searches_are_believed_in_smaller_losses() -> None:
    margins = [margin(made_up("f5", 0, depth), 50) for depth in range(1, 25)]
    assert margins == sorted(margins, reverse=True) and margins[0] > margins[-1] > 0
    assert margins[-1] > margin(made_up("f5", 0, 20, 73), 20) >= margin(made_up("f5", 0, 20, 100, exact=True), 20) == 0


def test_no_margin_is_smaller_than_what_was_measured() -> None:
    """The page has 95 % of what a deeper search takes back in its fifth column, and the margin in its sixth."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "development" / "analysis.md").read_text(encoding="utf-8")
    row = r"^\| (depth |)(\d+)[^|]* \|.*\| ([+-]\d+) \| (\d+) \| \d+ \| [^|]+\|$"
    rows = re.findall(row, page, re.MULTILINE)
    assert len(rows) == 10
    for midgame, number, taken_back, shown in rows:
        line = made_up("f5", 0, int(number)) if midgame else made_up("f5", 0, 20, int(number))
        assert margin(line, 20) == int(shown) >= int(taken_back), number


def test_a_judged_move_reads_well() -> None:
    [_, second] = judged_with(
        game_of("f5", "f6"), [made_up("f5", 0)], [made_up("d6", 12)], [made_up("d6", 12), made_up("f6", -20)]
    )
    assert str(second) == "2. f6 -20, best d6 +12, loss 32"
