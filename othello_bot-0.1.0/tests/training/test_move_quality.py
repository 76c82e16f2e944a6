"""Judging moves and scores of searches against the exact scores of all moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import parse_move
from othello_bot.engine import Limits, Search, SearchRequest, SearchResult
from othello_bot.formats import obf
from othello_bot.training.measuring import judge
from tests.training.running import train

POSITION = "-XXXXX--O-XXOO--OOXXXO--OXOOOX--OXOOXXX-OOOXXX----OX-X-------X-- O"


class ScriptedSearch:
    """Plays the moves it is given, each with a score."""

    def __init__(self, answers: list[tuple[str, int]]) -> None:
        self.answers = answers
        self.cleared = 0

    def clear(self) -> None:
        self.cleared += 1

    def answer(self, request: SearchRequest) -> SearchResult:
        move, score = self.answers.pop(0)
        square = parse_move(move)
        return SearchResult((EvaluatedMove(square, score, (square,), 1, 73, False),), nodes=1, time_s=0.0)


LINE = f"{POSITION}; g4:-4; e8:-6; d8:-6; g3:-8; e7:-10; h5:-10; g6:-10; g7:-16; b2:-16; g8:-24;"


@pytest.mark.parametrize(
    ("move", "loss", "among_two"), [("g4", 0, True), ("e8", 2, True), ("d8", 2, True), ("g3", 4, False)]
)
def test_a_move_is_compared_with_the_best_one(move: str, loss: int, among_two: bool) -> None:
    problem = obf.parse_line(LINE)
    assert problem is not None
    search = ScriptedSearch([(move, -1)])
    [one] = judge(search, [problem], Limits(depth=1))  # type: ignore[arg-type]
    assert (one.exact, one.reported, one.loss, one.among_two) == (-4, -1, loss, among_two)
    assert search.cleared == 1


def test_every_legal_move_needs_a_score() -> None:
    problem = obf.parse_line(f"{POSITION}; g4:-4; e8:-6;")
    assert problem is not None
    with pytest.raises(ValueError, match="position 1: 8 legal moves have no score"):
        judge(Search(1), [problem], Limits(depth=1))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.obf"
    file.write_text(f"% a comment\n{LINE}\n{LINE}\n")
    assert train(["evaluate", "--moves", "--depth", "3", str(file)]) == 0
    text = capsys.readouterr().out
    assert f"{file}: 2 positions" in text and "best_move_percent" in text and "exact minus reported" in text
    assert train(["evaluate", "--moves", "--depth", "3", "--json", str(file)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["best_move_percent"] in (0.0, 100.0) and answer["bins"][0]["positions"] == 2
    assert train(["evaluate", "--moves", "--nodes", "500", "--json", str(file)]) == 0
    assert 500 < json.loads(capsys.readouterr().out)["nodes"] < 1500


def test_the_command_refuses_a_file_without_the_scores_of_all_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lone.obf"
    file.write_text(f"{POSITION}; -4;\n")
    assert train(["evaluate", "--moves", str(file)]) == 2
    told = capsys.readouterr().err.removeprefix("othello-bot train evaluate: ")
    assert told.startswith("position 1: 10 legal moves have no score: 'b2 g3 g4")
