"""Lines that the session understands, too: pasted openings, values told and set, who won, mistyped words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from othello_bot.base.notation import Color
from tests.play.evening import Evening, Stopwatch


@pytest.mark.slow
def test_the_lines_of_a_session_are_understood() -> None:
    evening = Evening("f5f4c3", "analyze 1", "policy", "eval", "book", "position", "stats", "quit")
    assert re.search(r"^3 b c3 \S+ best ", evening.text, re.MULTILINE)
    assert re.search(r"^[a-h][1-8] \d+\.\d %$", evening.text, re.MULTILINE)
    assert "-------------------------X--------XXX-------O--------------------- O" not in evening.text
    assert evening.session.game.position.to_string() in evening.text.split("\n")
    assert "nothing has been searched yet" in evening.text


def test_a_pasted_opening_is_played_or_refused_as_a_whole() -> None:
    assert Evening("f5d6c3", "quit").moves == "f5d6c3"
    assert Evening("F5 d6 c3", "quit").moves == "f5d6c3"
    refused = Evening("f5d6a1", "f5 please", "quit")
    assert refused.moves == "" and "illegal move 'a1'" in refused.text and "got 'please'" in refused.text
    evening = Evening("f5d6c3", "quit", white="weighted")
    assert evening.moves.startswith("f5d6c3") and evening.session.game.ply == 4, (
        "white answers at the end of the opening"
    )


def test_a_pasted_opening_is_on_the_clock_once() -> None:
    watch = Stopwatch()
    evening = Evening(watch.then(20, "f5d6c3"), "quit", clock=(60, 0), now_s=watch)
    assert evening.prompts == ["black 1:00> ", "white 1:00> "]


def test_a_word_alone_tells_the_value() -> None:
    evening = Evening("level", "level 5", "level", "strength", "setoption depth 2", "getoption depth", white="engine:3")
    assert [line for line in evening.text.split("\n") if line in ("3", "5", "champion", "2")] == [
        "3",
        "5",
        "champion",
        "2",
    ]
    assert "engine, level 5, depth 2" in evening.text
    evening = Evening("strength champion", "level", "getoption level", white="engine:3")
    assert "auto (level 21)\nauto\n" in evening.text
    evening = Evening("clock", "white", "quit", white="weighted")
    assert "no clock\nweighted\n" in evening.text
    evening = Evening("clock", "quit", clock=(60, 0), now_s=Stopwatch())
    assert "black 1:00, white 1:00\n" in evening.text


@pytest.mark.parametrize(("line", "player"), [("setoption level none", "engine:auto"), ("strength none", "champion")])
def test_a_level_or_strength_that_is_reset_has_its_usual_name(line: str, player: str) -> None:
    assert Evening(line, "quit", white="engine:3").session.seats.name(Color.WHITE).endswith(player)


def test_an_option_that_cannot_be_set_changes_nothing() -> None:
    evening = Evening("setoption depth x", "setoption dept 3", "level x", "getoption depth", "quit", white="engine:3")
    assert "depth 'x': expected " in evening.text and "level 'x': expected 0 to 60" in evening.text
    assert "did you mean depth?" in evening.text
    assert evening.session.seats.name(Color.WHITE) == "engine:3"


def test_a_mistyped_word_is_answered_with_what_may_have_been_meant() -> None:
    assert "expected a move such as f5, or a command, did you mean transcript?" in Evening("transcrpt", "quit").text


def test_who_won_is_told_by_the_score_too() -> None:
    evening = Evening("resign", "score", "undo", "score", "quit")
    assert "black resigns: white wins; black 2, white 2\n" in evening.text
    assert evening.text.count("black 2, white 2") == 2


def test_a_new_game_from_a_position() -> None:
    start = "---------------------------OX------XO--------------------------- O"
    evening = Evening(f"new {start}", "new nonsense", "quit")
    assert evening.session.game.position.to_string() == start


def test_moves_are_played_again_in_their_number() -> None:
    evening = Evening("f5d6c3", "undo 3", "redo 2", "redo 2", "redo", "quit")
    assert evening.moves == "f5d6c3" and "cannot redo 2: expected at most 1 move of yours" in evening.text


def test_the_commands_of_hosts_are_understood_too() -> None:
    start = "---------------------------OX------XO--------------------------- O"
    evening = Evening("play b f5", "play b d6", "play w d6", "play c3d3", "clear_board", "play f5d6", "quit")
    assert evening.moves == "f5d6" and "wrong color" in evening.text
    assert "othello-bot\n" in Evening("name", "quit").text
    assert "syntax error" in Evening("play", "quit").text
    evening = Evening("f5", f"setposition {start}", "setposition x", "final_score", "quit")
    assert evening.session.game.position.to_string() == start and "black 2, white 2" in evening.text


def test_time_settings_set_the_clocks() -> None:
    lines = (
        "time_settings 300 0 0",
        "clocks",
        "time_left b 20",
        "time_settings 60 2 0",
        "kata-time_settings fischer 90 1",
    )
    evening = Evening(*lines, "time_settings x", "kgs-time_settings none", "clock", "quit", now_s=Stopwatch())
    assert "black 5:00, white 5:00\n" in evening.text and "black 0:20, white 5:00\n" in evening.text
    assert evening.prompts[3:7] == ["black 0:20> ", "black 1:00> ", "black 1:30> ", "black 1:30> "]
    assert "expected a number, got 'x'" in evening.text and evening.text.endswith("no clock\ngoodbye\n")


def test_a_clock_told_for_one_side_is_none_of_the_other(tmp_path: Path) -> None:
    watch, path = Stopwatch(), tmp_path / "game.ggf"
    lines = ("time_left b 20 0", watch.then(5, "f5"), watch.then(500, "clock"), "d6", f"save {path}", "quit")
    evening = Evening(*lines, now_s=watch)
    assert evening.prompts == ["black> ", "black 0:20> ", "white> ", "white> ", "black 0:15> ", "black 0:15> "]
    assert "black 0:20, white none\n" in evening.text and "black 0:15, white none\n" in evening.text
    assert "]  0:" not in evening.text and "0:00" not in evening.text
    times_s = {ply: note.seconds for ply, note in evening.session.live.known.items()}
    assert times_s == {0: 5}, "a move without a clock has no time"


@pytest.mark.parametrize("side", ["b", "w"])
def test_an_engine_is_shown_as_it_is_limited(side: str) -> None:
    evening = Evening(f"time_left {side} 20 0", "quit", black="human", white="engine", now_s=Stopwatch())
    assert evening.session._title(Color.WHITE) == f"engine, {'by the clock' if side == 'w' else 'level 21'}"


@pytest.mark.parametrize("line", ["time_settings 60 5 0", "time_settings 0 5 0"])
def test_an_undecided_control_is_decided_for_both_sides(line: str) -> None:
    evening = Evening(line, "time_left w 4 0", "clock", "quit", now_s=Stopwatch())
    assert evening.text.endswith(f"black {'1:00' if '60' in line else '0:05.0'}, white 0:04.0\ngoodbye\n")
