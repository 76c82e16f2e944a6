"""Lines that a session and a game at the terminal both understand: resigning, levels, strengths and clocks."""

from __future__ import annotations

from pathlib import Path

from othello_bot.formats.writing import open_games
from tests.session.harness import in_process, replies


def test_a_resignation_ends_the_game_until_it_is_taken_back() -> None:
    answers = replies(in_process("f5\nresign\nresign\nscore\nfinal_score\nd6\ngo\nhint\nundo\nd6\ntranscript\n"))
    assert answers[1] == "= white resigns: black wins" and answers[3] == "= white resigns: black wins; black 4, white 1"
    assert answers[4] == "? cannot score: white resigns: black wins"
    assert [answer[:16] for answer in (answers[2], *answers[5:8])] == ["? after the game"] * 4
    assert answers[8:] == ["=", "=", "= f5d6"]


def test_a_resigned_game_is_saved_as_one(tmp_path: Path) -> None:
    path = tmp_path / "a.ggf"
    in_process(f"f5\nresign\nsave {path}\n")
    record = open_games(path).read(0)
    assert (record.ending, record.result) == ("resignation", 64)
    in_process(f"f5\nresign\nnew\nd3\nsave {path} overwrite\n")
    assert open_games(path).read(0).ending != "resignation"


def test_words_alone_tell_and_with_a_value_set() -> None:
    lines = "level\nlevel 12\nlevel\nstrength novice\nstrength\nlevel 3\nstrength\nlevel 99\nlevel\nclock 5 3\nclock\n"
    answers = replies(in_process(lines))
    assert answers[0] == "= auto (level 21)" and answers[2] == "= 12" and answers[4] == "= novice"
    assert answers[6] == "= champion", "a level is one of full strength"
    assert answers[7].startswith("? option level '99': expected 0 to 60") and answers[8] == "= 3"
    assert answers[10] == "= black 300.000 white 300.000"


def test_a_strength_chosen_by_name_is_not_held_back_by_an_earlier_level() -> None:
    lines = "level 5\nstrength champion\nlevel\nlevel 5\nstrength novice\nlevel\nclock 5\nstrength champion\nlevel\n"
    answers = replies(in_process(lines + "level 7\nsetoption depth 3\nlevel\ngetoption level\n"))
    assert [answers[place] for place in (2, 5, 8, 11, 12)] == [
        "= auto (level 21)",
        "= auto (strength novice)",
        "= auto (by the clock)",
        "= 7 (level 7, depth 3)",
        "= 7",
    ]


def test_words_of_the_terminal_game_and_mistyped_words_are_answered_with_what_may_be_meant() -> None:
    answers = replies(in_process("side black\nBlack engine\nundoo\nlevle 5\nhash 12\n"))
    assert [answer.partition("'")[0] for answer in answers] == ["? unknown command: "] * 5
    assert all("`othello-bot play` has seats" in answer for answer in answers[:2])
    assert ["did you mean undo?" in answers[2], "did you mean level?" in answers[3]] == [True, True]
    assert answers[4].endswith("did you mean setoption hash?")
