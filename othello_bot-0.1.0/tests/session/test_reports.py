"""Results of searches as lines of text, and as JSON."""

from __future__ import annotations

import math

import pytest

from othello_bot.base.evaluated import Bound, EvaluatedMove
from othello_bot.base.notation import PASS, Color
from othello_bot.book import BookMove
from othello_bot.engine import Ended, FreeTime, PonderedResult, SearchResult, TimeBudget
from othello_bot.review import JudgedMove
from othello_bot.rules import Position
from othello_bot.session import reports

BEST = EvaluatedMove(19, 4, (19, 18, PASS), 14, 73, exact=False)
NEXT = EvaluatedMove(26, -1, (26,), 14, 73, exact=False, bound=Bound.UPPER)
RESULT = SearchResult((BEST, NEXT), 1000, 0.5, stopped=True, ended=Ended.OPTIMUM)
KNOWN = BookMove(19, 3, depth=20, selectivity=87, loss=1, games=5)
BUDGET = TimeBudget(1.25, 3.75)
FREE_TIME = FreeTime(hits=2, misses=3, gained_s=1.5)


@pytest.mark.parametrize(
    ("score", "text"), [(2, "+2"), (-3, "-3"), (0, "0"), (-1.25, "-1.25"), (0.0, "+0.00"), (1.239, "+1.24")]
)
def test_scores_have_their_sign(score: float, text: str) -> None:
    assert reports.signed(score) == text


@pytest.mark.parametrize(
    ("board", "text"),
    [
        ("---------------------------OX------XO---------------------------", "black 2, white 2"),
        ("X" * 32 + "O" * 32, "a draw; black 32, white 32"),
        ("X" * 33 + "O" * 31, "black wins by 2; black 33, white 31"),
        ("X" * 20 + "O" * 44, "white wins by 24; black 20, white 44"),
        ("X" * 63 + "-", "black wins by 64; black 63, white 0, and 1 empty square counts for the winner"),
        ("O" * 62 + "--", "white wins by 64; black 0, white 62, and 2 empty squares count for the winner"),
    ],
)
def test_how_a_game_stands(board: str, text: str) -> None:
    assert reports.standing(Position.parse(f"{board} X")) == text
    assert reports.standing(Position.parse(f"{board} O")) == text


def test_hints_and_book_moves() -> None:
    assert reports.hint_lines(RESULT) == ["1 d3 +4 14@73% d3 c3 pass", "2 c4 -1 14@73% c4"]
    assert reports.known_text(KNOWN) == "+3 20@87% 5 games"


def test_a_judged_move() -> None:
    judged = JudgedMove(7, Color.WHITE, NEXT, BEST, 5)
    assert reports.judged_line(judged) == "7 w c4 -1 best d3 +4 loss 5 14@73%"
    assert reports.judged_line(judged, KNOWN) == "7 w c4 -1 best d3 +4 loss 5 14@73% book loss 1 20@87%"
    found = reports.judged_object(judged, KNOWN)
    assert (found["ply"], found["color"], found["move"], found["best"], found["best_score"], found["loss"]) == (
        *(7, "white", "c4", "d3", 4, 5),
    )
    book = {"score": 3, "loss": 1, "depth": 20, "selectivity": 87, "exact": False, "games": 5}
    assert found["book"] == book and "book" not in reports.judged_object(judged)


@pytest.mark.parametrize(
    ("bound", "depth", "expected"),
    [
        *((Bound.EXACT, 5, (4, 4)), (Bound.LOWER, 5, (4, 64)), (Bound.UPPER, 5, (-64, 4))),
        *((Bound.EXACT, 0, (-64, 64)), (Bound.EXACT, 1, (4, 4))),
    ],
)
def test_bounds(bound: Bound, depth: int, expected: tuple[int, int]) -> None:
    assert reports.bounds(EvaluatedMove(19, 4, (19,), depth, 73, False, bound)) == expected


def test_the_state_of_a_stateless_search() -> None:
    assert reports.bounds_line(RESULT) == (
        "move d3 depth 14@73% score +4 <= v <= +4 nodes 1000 time 0.500 pv d3 c3 pass"
    )


def test_statistics_of_a_search() -> None:
    hit = PonderedResult(RESULT, 2.5)
    assert reports.statistics(RESULT, BUDGET, hit, FREE_TIME) == [
        *("depth 14@73%", "score +4", "nodes 1000", "time 0.500 s", "rate 2000 nodes/s", "ended optimum"),
        *("pv d3 c3 pass", "planned 1.250 s, at most 3.750 s", "thought ahead 2.500 s"),
        "thinking ahead 2 of 5 replies, 1.500 s in all",
    ]
    unlimited = TimeBudget(math.inf, math.inf)
    assert reports.statistics(SearchResult((), 0, 0.0), unlimited, None, FreeTime()) == [
        *("depth 0@100%", "nodes 0", "time 0.000 s", "rate 0 nodes/s")
    ]


def test_statistics_of_a_search_as_json() -> None:
    result = SearchResult((BEST,), 1000, 0.12345678, ended=Ended.GOAL)
    hit = PonderedResult(result, 2.12345678)
    found = reports.statistics_object(result, TimeBudget(1.12345678, 3.12345678), hit, FREE_TIME)
    assert (found["move"], found["nodes"], found["time_s"], found["nodes_per_s"]) == ("d3", 1000, 0.123457, 8100)
    assert (found["stopped"], found["ended"], found["planned_s"], found["maximum_s"]) == (
        *(False, "goal", 1.123457, 3.123457),
    )
    assert (found["thought_ahead_s"], found["foreseen"], found["replies"]) == (2.123457, 2, 5)
    found = reports.statistics_object(SearchResult((), 0, 0.0), TimeBudget(math.inf, math.inf), None, FreeTime())
    assert "move" not in found and found["planned_s"] is found["maximum_s"] is found["thought_ahead_s"] is None
    assert found["replies"] == 0


def test_hints_as_json() -> None:
    first, second = reports.hint_objects(RESULT, "Tiger", {19: KNOWN})
    assert (first["rank"], first["move"], first["opening"], first["book"]["score"]) == (1, "d3", "Tiger", 3)
    assert (second["rank"], second["bound"], second["pv"]) == (2, "upper", ["c4"]) and "book" not in second
    over = Position.parse("X" * 63 + "O X")
    assert reports.no_hint_object(over) == {"game_over": True, "score": 62}
    to_pass = Position.parse("OX" + "-" * 62 + " X")
    assert reports.no_hint_object(to_pass) == {"rank": 1, "move": "pass"}
