"""The terminal game: moves and commands, clocks, files."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot.base.notation import PASS
from othello_bot.engine import carried_out
from othello_bot.formats.reading import read_games
from othello_bot.formats.writing import open_games
from othello_bot.play.adviser import Adviser
from othello_bot.play.players import parse_player
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.play.evening import ONE_MOVE_LEFT, Evening, Stopwatch


def test_two_people() -> None:
    evening = Evening("f5", "D6", " c3 ", "quit")
    assert evening.moves == "f5d6c3"
    assert evening.prompts == ["black> ", "white> ", "black> ", "white> "]
    assert evening.text.endswith("goodbye\n")
    assert f"[{evening.session.game.position.to_string()}]" in evening.text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("e3", "illegal move 'e3': expected d3 c4 f5 e6"),
        ("pass", "illegal move 'pass': expected d3 c4 f5 e6"),
        ("z9", "move 'z9': expected a move such as f5, or a command"),
        ("dance wildly", "move 'dance': expected a move"),
        ("f5 please", "expected moves (f5d6c3, passes as pa), got 'please'"),
        ("undo", "cannot undo 1: expected a move of yours before it"),
        ("undo x", "undo 'x': expected a number of moves"),
        ("undo 0", "expected a number of moves"),
        ("undo 1000", "undo '1000': expected a number of moves, 1 to 999"),
        ("redo", "cannot redo 1: expected an undo before it"),
        ("save", "save '': expected the name of a file"),
        ("load", "load '': expected the name of a file"),
        ("side left", "side 'left': expected black, white, both or none"),
        ("load /does/not/exist", "/does/not/exist: No such file"),
        ("save /does/not/exist/game.ggf", "/does/not/exist/game.ggf: No such file"),
    ],
)
def test_a_line_that_cannot_be_obeyed_changes_nothing(line: str, message: str) -> None:
    evening = Evening(line, "moves", "quit")
    assert message in evening.text
    assert "d3 c4 f5 e6" in evening.text
    assert evening.moves == ""


def test_a_person_against_a_strategy() -> None:
    evening = Evening("f5", "quit", white="weighted")
    assert evening.session.game.ply == 2
    assert "white (weighted) plays" in evening.text
    assert evening.prompts == ["black> ", "black> "]


def test_two_strategies_play_to_the_end_without_a_line() -> None:
    evening = Evening(black="weighted", white="random")
    assert evening.session.game.is_over and evening.prompts == []
    score = evening.session.game.final_score
    assert ("the game is over: a draw" if not score else f"wins by {abs(score)};") in evening.text


def test_passes_are_played_for_the_player() -> None:
    must_pass = Position.parse("-XXXXXXO" + "O" * 56 + " X")
    evening = Evening("a1", game=Game(must_pass))
    assert "black has no legal move and passes" in evening.text
    assert evening.session.game.moves == (PASS, 0)
    assert evening.prompts == ["white> ", "over> "]
    assert "white wins by 64; black 0, white 64\n" in evening.text


def test_a_finished_game_can_be_saved_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "end.ggf"
    evening = Evening("a1", f"save {path}", "a1", "resign", "suggest", "undo", "a1", "quit", game=Game(ONE_MOVE_LEFT))
    assert evening.prompts == ["black> ", *["over> "] * 5, "black> ", "over> "]
    assert open_games(path).read(0).game.is_over
    assert evening.text.count("the game is over: white wins by 48") == 2
    assert evening.text.count("expected review, transcript, undo, new, save, load or quit") == 3
    assert "resigns" not in evening.text and evening.text.endswith("goodbye\n")


def test_resigning_ends_the_game_until_it_is_taken_back() -> None:
    evening = Evening("f5", "resign", "d6", "undo", "d6", "quit")
    assert evening.prompts == ["black> ", "white> ", "over> ", "over> ", "white> ", "black> "]
    assert evening.moves == "f5d6" and "white resigns: black wins" in evening.text
    assert Evening("f5", "resign", "undo 2", "d3", "quit").moves == "d3"
    assert Evening("resign", "undo", "f5", "quit").moves == "f5", "before the first move too"


def test_undo_and_redo_between_people() -> None:
    evening = Evening("f5", "d6", "undo", "undo", "redo", "quit")
    assert evening.moves == "f5"
    assert Evening("f5", "d6", "undo 2", "quit").moves == ""
    assert Evening("f5", "d6", "undo 3", "quit").moves == "f5d6"
    assert Evening("f5", "undo", "d3", "redo", "quit").moves == "d3", "another move forgets what was taken back"


def test_undo_against_a_strategy_takes_back_its_answer_too() -> None:
    evening = Evening("f5", "undo", "quit", white="weighted")
    assert evening.moves == "" and evening.prompts == ["black> "] * 3
    again = Evening("f5", "undo", "redo", "quit", white="weighted")
    assert again.session.game.ply == 2
    as_white = Evening("undo", "quit", black="weighted")
    assert "cannot undo" in as_white.text and as_white.session.game.ply == 1


def test_suggestions_list_the_points_of_every_move() -> None:
    evening = Evening("suggest", "hint", "quit")
    for move in ("d3", "c4", "f5", "e6"):
        assert evening.text.count(f"{move}  +6 points") == 2


def test_other_advisers_name_a_move() -> None:
    engine = parse_player("weighted").make(0)
    assert engine is not None
    with engine:
        assert carried_out(Adviser(engine).suggest(Game()), engine.answer) == ["d3"]
        must_pass = Game(Position.parse("-XXXXXXO" + "O" * 56 + " X"))
        assert carried_out(Adviser(engine).suggest(must_pass), engine.answer) == ["pass"]


def test_clocks_count_and_forfeit() -> None:
    watch = Stopwatch()
    evening = Evening(watch.then(10, "f5"), watch.then(61, "d6"), clock=(60, 2), now_s=watch)
    assert evening.prompts == ["black 1:00> ", "white 1:00> ", "over> "]
    assert "white has no time left and forfeits: black wins" in evening.text
    assert evening.moves == "f5"
    assert "] 0:52 1:00 ()" in evening.text, "the board shows both clocks"


def test_a_game_lost_on_time_goes_on_with_new_clocks() -> None:
    watch = Stopwatch()
    lines = (watch.then(61, "f5"), watch.then(100, "undo"), watch.then(59, "f5"), "quit")
    evening = Evening(*lines, clock=(60, 0), now_s=watch)
    assert evening.prompts == ["black 1:00> ", "over> ", "black 1:00> ", "white 1:00> "]
    assert evening.moves == "f5" and evening.text.count("forfeits") == 1
    assert "the clocks start again" in evening.text


def test_a_resignation_that_is_taken_back_costs_no_time() -> None:
    watch = Stopwatch()
    lines = ("resign", watch.then(100, "undo"), watch.then(1, "f5"), "quit")
    assert Evening(*lines, clock=(60, 0), now_s=watch).moves == "f5"


def test_the_clock_runs_between_commands() -> None:
    watch = Stopwatch()
    lines: list[str | Callable[[], str]] = [watch.then(20, "moves"), watch.then(41, "help"), "f5", "quit"]
    evening = Evening(*lines, clock=(60, 0), now_s=watch)
    assert evening.prompts == ["black 1:00> ", "black 0:40> ", "over> ", "over> "], "time is up at the second command"
    assert "black has no time left and forfeits: white wins" in evening.text
    assert evening.moves == ""


def test_taking_back_costs_time() -> None:
    watch = Stopwatch()
    evening = Evening(watch.then(5, "f5"), watch.then(20, "undo"), "quit", clock=(60, 0), now_s=watch)
    assert evening.prompts == ["black 1:00> ", "white 1:00> ", "black 0:55> "]


@pytest.mark.parametrize("name", ["game.ggf", "game.sgf", "game.pgn", "game.txt"])
def test_save_and_load(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    evening = Evening("f5", "d6", "c3", f"save {path}", "d3", f"load {path}", "quit")
    assert f"saved in {path}" in evening.text and "\n3 moves, white to move" in evening.text
    assert evening.moves == "f5d6c3"
    assert [item.name for item in tmp_path.iterdir()] == [name]
    record = next(read_games(path.read_text()))
    assert record.black == ("" if name.endswith("txt") else "human")
    assert name.endswith("txt") or record.date == time.strftime("%Y-%m-%d")
