"""A session on a terminal: prompt, editing, history, completion, Ctrl-C, what the engine thinks, leaving."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_bot.formats.writing import open_games
from othello_bot.terminal.source import GREETING, PROMPT
from tests.terminal.screens import CTRL_C, CTRL_D, TAB, UP, Terminal

pytestmark = pytest.mark.process

ARGUMENTS = ("--option", "hash=1", "--option", "book=off")
ENDLESS = ("--option", "level=60")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    with Terminal(ARGUMENTS, tmp_path, lines=120) as opened:
        yield opened.prompt(PROMPT)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Terminal]:
    """Provide a session whose searches never end by themselves."""
    with Terminal([*ARGUMENTS, *ENDLESS], tmp_path, lines=60) as opened:
        yield opened.prompt(PROMPT)


def ask(terminal: Terminal, line: str) -> str:
    """Return the output between a typed line and the next prompt."""
    before = terminal.text.count(PROMPT.strip())
    terminal.send(f"{line}\r")
    terminal.wait_until(lambda screen: screen.line == PROMPT and screen.text.count(PROMPT.strip()) > before, line)
    return terminal.text.rpartition(f"{PROMPT}{line}\n")[2]


def test_the_greeting_and_the_first_board(terminal: Terminal) -> None:
    assert terminal.rows[0] == GREETING
    assert terminal.text.count("●") == 4 + 2 and "black to move" in terminal.text


def test_the_board_is_drawn_after_every_move_and_not_otherwise(terminal: Terminal) -> None:
    after = ask(terminal, "f5")
    assert "white to move" in after and "last move: black f5, 1 disc turned" in after
    assert "to move" not in ask(terminal, "name")
    assert "black to move" in ask(terminal, "undo")
    assert "black to move" in ask(terminal, "board")


@pytest.mark.parametrize("word", ["exit", "q", "quit"])
def test_words_that_leave(terminal: Terminal, word: str) -> None:
    terminal.send(f"{word}\r")
    assert terminal.end() == 0


def test_words_of_people_are_understood(terminal: Terminal) -> None:
    ask(terminal, "setoption depth 1")
    assert "showboard, board" in ask(terminal, "?")
    assert "\n= " in "\n" + ask(terminal, "go")
    assert "last move: black" in ask(terminal, "board")
    assert "= black 4, white 1" in ask(terminal, "score")
    assert "black to move" in ask(terminal, "new")


def test_a_mistyped_command_is_answered_with_what_may_have_been_meant(terminal: Terminal) -> None:
    assert "did you mean showboard?" in ask(terminal, "shwboard")
    assert "did you mean setoption depth?" in ask(terminal, "depth 5")
    assert "did you mean" not in ask(terminal, "opening")
    assert "? unknown command: 'xyzzy'" in ask(terminal, "xyzzy")


def test_a_resignation_is_drawn_and_taken_back(terminal: Terminal) -> None:
    assert "black resigns: white wins" in ask(terminal, "resign")
    assert "white wins; black 2, white 2" in ask(terminal, "score")
    assert "black resigns" in ask(terminal, "board")
    assert "after the game" in ask(terminal, "f5")
    ask(terminal, "undo")
    assert "black to move" in ask(terminal, "board")


def test_the_moves_of_a_hint_are_a_table_with_a_header(terminal: Terminal) -> None:
    ask(terminal, "level 3")
    ask(terminal, "f5")
    header, *moves = ask(terminal, "hint 3").split("\n")[1:5]
    assert header.split() == ["move", "score", "depth", "expected"]
    assert {line.split()[0] for line in moves} == {"d6", "f6", "f4"}


def test_completion_and_history(terminal: Terminal) -> None:
    terminal.send("protocol_v" + TAB)
    terminal.prompt(f"{PROMPT}protocol_version ")
    assert "= 2" in ask(terminal, "")
    terminal.send(UP)
    terminal.prompt(f"{PROMPT}protocol_version ")
    terminal.send("\x15getoption mov" + TAB)
    terminal.prompt(f"{PROMPT}getoption move_")
    terminal.send("\x15setoption evaluation h" + TAB)
    terminal.prompt(f"{PROMPT}setoption evaluation handmade ")


def test_a_tab_completes_names_of_files(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "my games").mkdir()
    (tmp_path / "my games" / "one.ggf").write_text("x")
    terminal.send("load ~/my" + TAB)
    terminal.prompt(f"{PROMPT}load ~/my games/")
    terminal.send(TAB)
    terminal.prompt(f"{PROMPT}load ~/my games/one.ggf")


# -- Ctrl-C -----------------------------------------------------------------------------------------------------------


def test_control_c_clears_the_line_and_twice_leaves(terminal: Terminal) -> None:
    terminal.send("undo 9")
    terminal.prompt(f"{PROMPT}undo 9")
    terminal.send(CTRL_C)
    terminal.prompt(PROMPT)
    assert "cannot undo" not in terminal.text and "undo 9^C" in terminal.text
    assert "= othello-bot" in ask(terminal, "name")
    terminal.send(CTRL_C)
    terminal.wait_for("Ctrl-C once more").prompt(PROMPT)
    assert "= othello-bot" in ask(terminal, "name"), "a line in between begins anew"
    terminal.send(CTRL_C)
    terminal.wait_until(lambda screen: screen.text.count("Ctrl-C once more") == 2 and screen.line == PROMPT)
    terminal.send(CTRL_C)
    assert terminal.end() == 0
    assert b"Traceback" not in terminal.raw


def test_control_c_ends_a_search_with_the_best_move_so_far(slow: Terminal) -> None:
    slow.send("go\r")
    slow.wait_for("depth ")
    slow.send(CTRL_C)
    slow.wait_for("last move: black").prompt(PROMPT)
    assert "Mn/s" not in slow.text and "kn/s" not in slow.text, "the line of the search is gone"
    assert "white to move" in slow.text and "= othello-bot" in ask(slow, "name")


def test_a_game_is_offered_to_be_saved_before_it_is_lost(terminal: Terminal, tmp_path: Path) -> None:
    ask(terminal, "f5d6")
    terminal.send(CTRL_C)
    terminal.wait_for("Ctrl-C once more").prompt(PROMPT)
    terminal.send(CTRL_C)
    terminal.wait_for("save the game first?")
    terminal.send("~/lost.ggf\r")
    assert terminal.end() == 0
    record = open_games(tmp_path / "lost.ggf").read(0)
    assert (record.game.transcript(), record.black, record.white) == ("f5d6", "human", "human")


@pytest.mark.parametrize("way", [CTRL_D, "quit\r"])
def test_every_way_out_offers_it_and_takes_no_for_an_answer(terminal: Terminal, tmp_path: Path, way: str) -> None:
    ask(terminal, "f5")
    terminal.send(way)
    terminal.wait_for("save the game first?")
    terminal.send("\r")
    assert terminal.end() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["othello-bot"], "the history alone"


def test_the_end_of_input_during_a_search_stops_it_and_offers_it_too(slow: Terminal) -> None:
    slow.send("go\r")
    slow.wait_for("depth ")
    slow.send(CTRL_D)
    slow.wait_for("save the game first?")
    slow.send("\r")
    assert slow.end() == 0


def test_nothing_is_asked_where_nothing_would_be_lost(terminal: Terminal, tmp_path: Path) -> None:
    ask(terminal, "f5")
    ask(terminal, "save ~/kept.sgf")
    terminal.send(CTRL_D)
    assert terminal.end() == 0
    assert (tmp_path / "kept.sgf").exists()


def test_another_dialect_is_understood_on_a_terminal_too(terminal: Terminal) -> None:
    """Some programs drive engines through a pseudo terminal; Ctrl-C ends one of those at once."""
    terminal.send("nboard 2\r")
    terminal.wait_for("set myname othellobot")
    terminal.send("ping 4\r")
    terminal.wait_for("pong 4")
    assert terminal.text.count(PROMPT.strip()) == 1
    terminal.send(CTRL_C)
    assert terminal.end() == 130
    assert b"Traceback" not in terminal.raw


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_file_is_replaced_only_after_a_yes(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("old")
    ask(terminal, "f5")
    terminal.send("save game.txt\r")
    terminal.wait_for("game.txt exists; replace it? [y/N]")
    terminal.send("n\r")
    terminal.wait_for("? cannot save file").prompt(PROMPT)
    assert path.read_text() == "old"
    terminal.send("save game.txt\r")
    terminal.wait_until(lambda screen: screen.text.count("replace it?") == 2)
    terminal.send("y\r")
    terminal.wait_until(lambda screen: screen.line == PROMPT and path.read_text().startswith("f5 # seed "))
    terminal.send(UP)
    terminal.prompt(f"{PROMPT}save game.txt")


def test_one_of_several_games_is_chosen_from_a_list(terminal: Terminal, tmp_path: Path) -> None:
    games = "".join(f"(;GM[Othello]PB[Ann{n}]PW[Bo]BO[8 {START} *]B[{move}];)" for n, move in enumerate(["D3", "C4"]))
    (tmp_path / "two.ggf").write_text(games)
    terminal.send("load two.ggf\r")
    terminal.wait_for("which game, 1 to 2? (Enter for none)")
    assert "    2  Ann1 - Bo  c4" in terminal.text
    terminal.send("ann1\r")
    terminal.wait_until(lambda screen: screen.text.count("which game") == 2)
    assert terminal.text.count("Ann1 - Bo") == 2 and terminal.text.count("Ann0 - Bo") == 1
    terminal.send("2\r")
    terminal.wait_for("last move: black c4")
    assert "black (Ann1)" in terminal.text
    terminal.send("load two.ggf\r")
    terminal.wait_until(lambda screen: screen.text.count("which game") == 3)
    terminal.send(CTRL_C)
    terminal.wait_for("? cannot load file: 2 games in")


START = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"


# -- what the engine thinks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["go", "hint 2", "analyze"])
def test_a_search_tells_on_one_line_what_it_thinks(slow: Terminal, command: str) -> None:
    if command == "analyze":
        ask(slow, "f5")
    slow.send(f"{command}\r")
    slow.wait_until(lambda screen: "n/s, " in screen.line and "depth " in screen.line, "the line of the search")
    assert sum("n/s, " in row for row in slow.rows) == 1
    assert len(slow.line) < 80
    if command == "analyze":
        assert slow.line.startswith("move 1 of 1: ")
    slow.send("stop")
    slow.wait_until(lambda screen: screen.line.endswith(" > stop"), "what is typed behind it")
    slow.send("\r")
    slow.wait_until(lambda screen: screen.line == PROMPT)
    assert "n/s" not in slow.text


def test_what_was_typed_while_the_engine_thought_stands_at_the_next_prompt(slow: Terminal) -> None:
    slow.send("go\r")
    slow.wait_for("depth ")
    slow.send("stop\rscore")
    slow.prompt(f"{PROMPT}score")
    assert "= black 4, white 1" in ask(slow, "")


def test_a_dumb_terminal_is_told_nothing_meanwhile(tmp_path: Path) -> None:
    with Terminal([*ARGUMENTS, "--option", "depth=8"], tmp_path, {"TERM": "dumb"}, lines=60) as terminal:
        terminal.prompt(PROMPT)
        ask(terminal, "go")
        assert b"n/s" not in terminal.raw and b"\x1b" not in terminal.raw and b"X" in terminal.raw


# -- help -------------------------------------------------------------------------------------------------------------


def test_help_fits_a_screen(tmp_path: Path) -> None:
    with Terminal(ARGUMENTS, tmp_path) as terminal:
        terminal.prompt(PROMPT)
        terminal.send("help\r")
        terminal.wait_for("lists those that programs use").prompt(PROMPT)
        assert terminal.rows[0].startswith("= a move such as f5")
