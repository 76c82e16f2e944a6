"""Analysis streams: arguments, report lines, win rates, and what GoGui is told."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, START, Color, NotationError, parse_square
from othello_bot.protocol import gogui
from othello_bot.protocol.analysis import (
    AnalyzeRequest,
    InfoStyle,
    Restriction,
    format_info,
    parse_analyze,
    parse_info,
    win_rate,
)
from othello_bot.protocol.gtp import GtpError

F5, D6, C3 = (parse_square(name) for name in ("f5", "d6", "c3"))
B, W = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("arguments", "request_"),
    [
        ("", AnalyzeRequest()),
        ("b", AnalyzeRequest(B)),
        ("10", AnalyzeRequest(None, 10)),
        ("w 50", AnalyzeRequest(W, 50)),
        ("W interval 50", AnalyzeRequest(W, 50)),
        ("interval 0", AnalyzeRequest(None, 1)),
        ("0.5", AnalyzeRequest(None, 1)),
        ("b 10 minmoves 2 maxmoves 5", AnalyzeRequest(B, 10, 2, 5)),
        ("maxMoves 5", AnalyzeRequest(None, 100, 0, 5)),
        ("maxmoves 1", AnalyzeRequest(None, 100, 0, 1)),
        ("avoid b f5,D6 3", AnalyzeRequest(avoid=(Restriction(B, (F5, D6)),))),
        ("allow w c3 1 allow b pass 2", AnalyzeRequest(allow=(Restriction(W, (C3,)), Restriction(B, (PASS,))))),
        ("rootInfo true ownership true pvVisits false", AnalyzeRequest(root_info=True)),
    ],
)
def test_requests(arguments: str, request_: AnalyzeRequest) -> None:
    assert parse_analyze(arguments.split()) == request_


@pytest.mark.parametrize(
    "arguments",
    [
        "green",
        "b b",
        "-5",
        "interval",
        "interval x",
        "maxmoves 0",
        "minmoves -1",
        "avoid b f5",
        "avoid b z9 1",
        "avoid b f5 0",
        "rootInfo perhaps",
        "speed 9",
    ],
)
def test_requests_that_mean_nothing(arguments: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: |^expected an? (integer|number) (from|of) "):
        parse_analyze(arguments.split())


def test_the_win_rate_is_the_stated_logistic() -> None:
    assert win_rate(0) == 0.5
    assert math.isclose(win_rate(8), 1 / (1 + math.exp(-1)))
    assert math.isclose(win_rate(8) + win_rate(-8), 1)
    assert [win_rate(score, exact=True) for score in (-2, 0, 2)] == [0.0, 0.5, 1.0]


@given(st.floats(-64, 64), st.floats(-64, 64))
def test_more_discs_never_mean_a_lower_win_rate(one: float, other: float) -> None:
    assert (win_rate(one) <= win_rate(other)) or one > other
    assert 0 < win_rate(one) < 1


REPORT = [
    EvaluatedMove(F5, 2.0, (F5, D6, C3), nodes=1000),
    EvaluatedMove(D6, -4.0, (D6,), nodes=500, exact=True),
]


def test_katago_reports() -> None:
    line = format_info(REPORT, InfoStyle.KATAGO, root_info=True)
    first, second = line.split(" info ")
    assert first.startswith("info move f5 visits 1000 utility 0.124353 winrate 0.562177 scoreMean 2.00 ")
    assert "scoreLead 2.00" in first
    assert first.endswith("order 0 pv f5 d6 c3")
    assert "winrate 0.000000" in second
    assert "scoreLead -4.00" in second
    assert " rootInfo visits 1500 utility " in second


def test_leelas_reports_are_integers() -> None:
    assert format_info(REPORT, InfoStyle.LEELA) == (
        "info move f5 visits 1000 winrate 5622 prior 5000 lcb 5622 order 0 pv f5 d6 c3 "
        "info move d6 visits 500 winrate 0 prior 5000 lcb 0 order 1 pv d6"
    )


def test_sabakis_reports_have_decimal_points() -> None:
    line = format_info(REPORT[:1], InfoStyle.SABAKI)
    assert "winrate 0.562177 scoreLead 2.00 prior 1.000000" in line


def test_no_moves_no_report() -> None:
    assert format_info([], InfoStyle.KATAGO, root_info=True) == ""


MOVES = st.builds(
    EvaluatedMove,
    st.integers(0, PASS),
    st.integers(-6400, 6400).map(lambda hundredths: hundredths / 100),
    st.lists(st.integers(0, PASS), min_size=1, max_size=8).map(tuple),
    nodes=st.integers(0, 10**15),
)


@given(st.lists(MOVES, max_size=4), st.sampled_from((InfoStyle.KATAGO, InfoStyle.SABAKI)), st.booleans())
def test_a_report_reads_back(moves: list[EvaluatedMove], style: InfoStyle, root_info: bool) -> None:
    assert parse_info(format_info(moves, style, root_info=root_info)) == tuple(moves)


@given(st.lists(MOVES, max_size=4))
def test_leelas_report_reads_back_but_for_the_score(moves: list[EvaluatedMove]) -> None:
    read = parse_info(format_info(moves, InfoStyle.LEELA))
    assert [(one.move, one.nodes, one.pv) for one in read] == [(one.move, one.nodes, one.pv) for one in moves]
    assert all(one.score is not None and -64 <= one.score <= 64 for one in read)


def test_the_best_move_comes_first_in_whatever_order_they_are_told() -> None:
    line = "info move d6 order 1 scoreLead 1 info move f5 order 0 scoreLead 2"
    assert [move.move for move in parse_info(line)] == [F5, D6]


@given(st.floats(-60, 60))
def test_the_score_of_a_win_rate_is_the_score_it_came_from(score: float) -> None:
    (read,) = parse_info(format_info([EvaluatedMove(F5, score)], InfoStyle.LEELA))
    # Leela's ten thousandths are coarse where a game is decided.
    assert read.score is not None and math.isclose(read.score, score, abs_tol=0.1 + 0.001 * math.exp(abs(score) / 8))


def test_katagos_own_words_are_understood() -> None:
    line = (
        "info move E4 visits 487 utility -0.04 winrate 0.480018 scoreMean -0.61 scoreStdev 24.7 scoreLead -0.611848 "
        "scoreSelfplay -0.51 prior 0.22 lcb 0.47 utilityLcb -0.04 order 0 pv E4 E3 F3 pvVisits 487 12 3 "
        "rootInfo visits 500 winrate 0.5 ownership 0.1 0.2"
    )
    (info,) = parse_info(line)
    assert (info.nodes, info.score, info.pv) == (487, -0.611848, tuple(map(parse_square, ("e4", "e3", "f3"))))


@pytest.mark.parametrize("line", ["", "hello", "= ok", "rootInfo visits 3"])
def test_what_is_no_report(line: str) -> None:
    assert parse_info(line) == ()


@pytest.mark.parametrize("line", ["info", "info visits 3", "info move z9", "info move f5 visits x"])
def test_damaged_reports(line: str) -> None:
    with pytest.raises(NotationError):
        parse_info(line)


def test_gogui_sees_row_8_first() -> None:
    rows = gogui.rules_board(START).split("\n")
    assert len(rows) == 8
    assert rows[3] == ". . . X O . . ."  # row 5: d5 black, e5 white
    assert rows[4] == ". . . O X . . ."  # row 4: d4 white, e4 black
    assert {row for at, row in enumerate(rows) if at not in (3, 4)} == {". . . . . . . ."}


def test_gogui_sees_the_end_only_by_an_empty_list() -> None:
    assert gogui.rules_legal_moves([parse_square(name) for name in ("d3", "c4", "f5", "e6")]) == "D3 C4 F5 E6"
    assert gogui.rules_legal_moves([PASS]) == "pass"
    assert gogui.rules_legal_moves([]) == ""


def test_gogui_words() -> None:
    assert gogui.GAME_ID == "Othello"
    assert gogui.BOARD_SIZE == "8"
    assert [gogui.rules_side_to_move(color) for color in Color] == ["black", "white"]
    assert gogui.rules_final_result(30, 34, -4) == "White wins by 4 points. Final score is B 30 and W 34."
    assert gogui.rules_final_result(13, 0, 64) == "Black wins by 64 points. Final score is B 13 and W 0."
    assert gogui.rules_final_result(3, 3, None) == "The game is not over. Discs: B 3 and W 3."
    assert gogui.rules_final_result(32, 32, 0) == "Draw. Final score is B 32 and W 32."


def test_gogui_analyze_commands() -> None:
    listed = gogui.analyze_commands(
        [
            gogui.AnalyzeCommand(gogui.AnalyzeType.NUMBERS, "Scores of the moves", "othello-scores"),
            gogui.AnalyzeCommand(gogui.AnalyzeType.STRING, "Evaluation", "eval"),
        ]
    )
    assert listed == "dboard/Scores of the moves/othello-scores\nstring/Evaluation/eval"


@pytest.mark.parametrize(
    ("value", "choices", "line"),
    [
        (True, (), "[bool] Name 1"),
        (False, (), "[bool] Name 0"),
        (5, (), "[string] Name 5"),
        ("b", ("a", "b"), "[list/a/b] Name b"),
    ],
)
def test_a_parameter_of_gogui_says_how_it_is_set(value: bool | int | str, choices: tuple[str, ...], line: str) -> None:
    assert gogui.parameter("Name", value, choices) == line


def test_gogui_pictures() -> None:
    numbers = gogui.number_board([square / 10 for square in range(64)]).split("\n")
    assert len(numbers) == 8 and numbers[0].split()[0] == "5.60"
    assert numbers[-1].split() == ["0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70"]
    assert gogui.labels([(F5, "+2"), (PASS, "-1 1")]) == "F5 +2 pass -11"
    assert gogui.variation([F5, PASS, D6], B) == "B F5 W pass B D6"
    assert gogui.live_graphics("VAR b f5\nTEXT x") == "gogui-gfx:\nVAR b f5\nTEXT x\n\n"
