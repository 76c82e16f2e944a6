"""GoGui's window, its analyse menu and its drawings, read as strictly as GoGui 1.6 reads them."""

from __future__ import annotations

import pytest

from othello_bot.base.notation import Color
from othello_bot.dialects.gtp import COMMANDS
from othello_bot.protocol.gtp import parse_reply
from othello_bot.rules import Game, Position
from tests.daemon.test_process import PipedEngine
from tests.protocol import gogui_reader
from tests.session.harness import in_process

BLACK_MUST_PASS = "d3c3e6d2d1e1b2c1"
FINISHED = "d3c3f5f4f3d2d1e3b3"
NO_BOOK = "setoption book off\n"


def texts(sent: str) -> list[str]:
    """Return the texts of the replies as GoGui reads them; raise an error for a refusal."""
    found = []
    for reply in in_process(sent).split("\n\n")[:-1]:
        assert reply.startswith("="), reply
        found.append(gogui_reader.reads(f"{reply}\n\n"))
    return found


def shown(position: Position) -> dict[str, str]:
    """Return the board as GoGui must read it."""
    cells = position.to_string()[:64].replace("-", ".")
    return {f"{letter}{row + 1}": cells[8 * row + at] for row in range(8) for at, letter in enumerate("ABCDEFGH")}


# -- the window -------------------------------------------------------------------------------------------------------

ANSWERS_OF_SEVERAL_LINES = """
setoption depth 3
play f5d6
gogui-rules_board
showboard
list_commands
help
help undo
options
hint 3
stats
analyze
search ---------------------------OX------XO---------------------------X -64 64 3 100
kata-search_analyze b
gogui-analyze_commands
gogui-settings
gogui-outcomes
gogui-move_values
clocks
"""


@pytest.mark.parametrize("numbered", [False, True])
def test_every_answer_is_read_whole(numbered: bool) -> None:
    commands = ANSWERS_OF_SEVERAL_LINES.strip().split("\n")
    sent = "".join(f"{number} {line}\n" if numbered else f"{line}\n" for number, line in enumerate(commands))
    framed = [f"{reply}\n\n" for reply in in_process(sent).split("\n\n")[:-1]]
    found = [gogui_reader.reads(reply) for reply in framed]
    assert found == [parse_reply(reply[:-2].split("\n")).text for reply in framed]
    assert found[:2] == ["", ""] and found[2].count("\n") == 7
    assert found[3].startswith("\n")  # a drawn board keeps its first row in its column
    assert all("\n" in text for text in found[2:-1])


def test_the_rules_are_learned_from_the_engine() -> None:
    asked = "gogui-rules_game_id\ngogui-rules_board_size\ngogui-rules_legal_moves\ntime_settings 0 1 0\n"
    assert texts(asked) == ["Othello", "8", "D3 C4 F5 E6", ""]
    asked = f"play {BLACK_MUST_PASS}\ngogui-rules_legal_moves\ngogui-rules_side_to_move\n"
    assert texts(asked)[1:] == ["pass", "black"]
    assert texts("play f5\ngogui-rules_captured_count\n")[1] == "1 4"
    assert not [reply for reply in texts("gogui-interrupt\ngogui-title\n") if "\n" in reply]


def test_after_the_end_there_is_no_legal_move_and_a_result() -> None:
    asked = f"play {FINISHED}\ngogui-rules_legal_moves\ngenmove w\ngenmove b\ngogui-rules_final_result\nundo\n"
    assert texts(asked)[1:] == ["", "pass", "pass", "Black wins by 64 points. Final score is B 13 and W 0.", ""]
    assert texts("gogui-rules_final_result\n") == ["The game is not over. Discs: B 2 and W 2."]


@pytest.mark.parametrize("transcript", ["", "f5", "f5d6c3", BLACK_MUST_PASS, FINISHED])
def test_the_board_is_read_from_its_highest_row(transcript: str) -> None:
    played = f"play {transcript}\n" if transcript else ""
    text = texts(f"{played}gogui-rules_board\n")[-1]
    assert gogui_reader.board(text) == shown(Game.from_transcript(transcript).position)


@pytest.mark.process
def test_a_game_in_the_window() -> None:
    """GoGui runs two processes: one plays Black here, the other knows the rules; moves come from both sides."""
    program, ruler = PipedEngine("--option", "depth=1"), PipedEngine()

    def ask(talk: PipedEngine, command: str) -> str:
        reply = talk.ask(command)
        assert reply.startswith("="), (command, reply)
        return gogui_reader.reads(f"{reply}\n\n" if len(reply) > 1 else "=\n\n")

    for command in ("boardsize 8", "clear_board", "time_settings 60 0 0"):
        ask(program, command)
    ask(ruler, "clear_board")
    game = Game()
    while legal := ask(ruler, "gogui-rules_legal_moves"):
        color = game.position.color
        assert ask(ruler, "gogui-rules_side_to_move") == color.name.lower()
        if color is Color.BLACK:
            ask(program, "time_left b 60 0")
            move = ask(program, "genmove b")
            assert move.upper() in legal.upper().split()
        else:
            move = legal.split()[0]
            ask(program, f"play W {move}")
            if game.ply == 9:  # taken back, and played again
                ask(program, "gg-undo 2")
                ask(program, f"gogui-play_sequence B {game.transcript(passes=True)[-2:]} W {move}")
        ask(ruler, f"play {color.letter.upper()} {move.upper()}")
        game = Game.from_transcript(game.transcript(passes=True) + ("pa" if move.lower() == "pass" else move.lower()))
        assert gogui_reader.board(ask(ruler, "gogui-rules_board")) == shown(game.position)
    assert game.is_over
    assert "wins by" in (result := ask(ruler, "gogui-rules_final_result")) or result.startswith("Draw.")
    assert ask(program, "transcript") == game.transcript(passes=True)
    for talk in (program, ruler):
        assert talk.end() == 0


# -- the analyse menu -------------------------------------------------------------------------------------------------


def test_the_menu_offers_commands_that_exist_and_answer() -> None:
    menu = gogui_reader.analyze_commands(texts("gogui-analyze_commands\n")[0])
    assert {command.split()[0] for _, command in menu.values()} <= set(COMMANDS)
    kinds = {kind for kind, _ in menu.values()}
    assert {"param", "gfx", "dboard"} <= kinds
    commands = [command for _, command in menu.values()]
    # "stats" has something to tell after the searches before it in the menu.
    assert len(texts("setoption depth 2\nplay f5\n" + "".join(f"{command}\n" for command in commands))) == len(menu) + 2


def test_the_dialog_of_settings_shows_and_sets_options() -> None:
    before = gogui_reader.parameters(texts("gogui-settings\n")[0])
    assert list(before) == ["strength", "level", "threads", "book", "ponder", "live_graphics"]
    assert before["level"] == (["list", "auto", *map(str, range(61))], "auto")
    assert before["strength"][0][:2] == ["list", "beginner"] and before["strength"][1] == "champion"
    assert before["threads"] == (["string"], "1")
    assert before["ponder"] == (["bool"], "0")
    sent = "gogui-settings level 9\ngogui-settings threads 2\ngogui-settings book 0\ngogui-settings ponder 1\n"
    sent += "gogui-settings strength beginner\n"
    *_, after, level, book = texts(f"{sent}gogui-settings\ngetoption level\ngetoption book\n")
    assert {key: value for key, (_, value) in gogui_reader.parameters(after).items()} == {
        "strength": "beginner",
        "level": "9",
        "threads": "2",
        "book": "0",
        "ponder": "1",
        "live_graphics": "1",
    }
    assert (level, book) == ("9", "off")


@pytest.mark.parametrize(
    ("setting", "refusal"),
    [
        ("threads 999", "option threads '999': expected 1 to 256"),
        ("hash 5", "expected one of strength, level, threads, book, ponder, live_graphics"),
        ("level 1 2", "takes 1 to 2 arguments, got 3"),
    ],
)
def test_a_setting_that_is_refused_changes_nothing(setting: str, refusal: str) -> None:
    before, answer, after = in_process(f"options\ngogui-settings {setting}\noptions\n").split("\n\n")[:-1]
    assert answer.startswith("? ") and refusal in answer
    assert before == after


def test_values_stand_on_the_squares_of_the_legal_moves() -> None:
    values, hint = texts("setoption depth 4\ngogui-move_values\nhint 64\n")[1:]
    drawn = gogui_reader.graphics(values)
    moves = {line.split()[1].upper(): line.split()[2] for line in hint.split("\n") if line[0].isdigit()}
    assert dict(zip(drawn["LABEL"][::2], drawn["LABEL"][1::2], strict=True)) == moves
    best = hint.split()[2]
    assert sorted(drawn["COLOR"][1:]) == sorted(move for move, score in moves.items() if score == best)
    assert drawn["TEXT"][:1] == ["Black"]


@pytest.mark.parametrize(("colour", "sign"), [("X", 1), ("O", -1)])
def test_numbers_are_black_where_black_wins(colour: str, sign: int) -> None:
    # The mover takes everything with c1, and White's and Black's view of that differ.
    other = "O" if colour == "X" else "X"
    board = f"{colour}{other}{'-' * 62} {colour}"
    numbers = gogui_reader.number_board(texts(f"setposition {board}\ngogui-outcomes\n")[1])
    assert numbers.pop("C1") == sign
    assert set(numbers.values()) == {0}


def test_the_expected_line_is_drawn_as_discs() -> None:
    drawn = gogui_reader.graphics(texts("setoption depth 4\nplay f5\ngogui-expected_line\n")[2])
    assert drawn["VAR"][::2] == ["W", "B", "W", "B"]
    assert drawn["TEXT"][:2] == ["White", drawn["VAR"][1]]


@pytest.mark.parametrize(
    ("transcript", "text"), [(BLACK_MUST_PASS, "TEXT pass"), (FINISHED, "TEXT the game is over")], ids=["pass", "over"]
)
def test_without_a_legal_move_there_is_nothing_to_draw(transcript: str, text: str) -> None:
    asked = f"play {transcript}\ngogui-move_values\ngogui-expected_line\ngogui-outcomes\n"
    values, line, numbers = texts(asked)[1:]
    assert values == line == text
    assert set(gogui_reader.number_board(numbers).values()) == {0}


# -- drawings while the engine thinks ---------------------------------------------------------------------------------


def drawings(sent: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, list[str]]]:
    """Return the drawings that GoGui shows while these commands run."""
    texts(sent)
    return [gogui_reader.graphics(drawing) for drawing in gogui_reader.live_graphics(capsys.readouterr().err)]


def test_a_search_for_a_move_is_drawn_while_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    found = drawings(f"{NO_BOOK}setoption depth 4\ngogui-analyze_commands\ngenmove b\n", capsys)
    assert [len(drawing["VAR"]) // 2 for drawing in found] == [1, 2, 3, 4]
    assert all(drawing["TEXT"][0] == "Black" for drawing in found)


def test_a_search_for_values_is_drawn_while_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    found = drawings("setoption depth 3\ngogui-analyze_commands\nplay f5\ngogui-move_values\n", capsys)
    assert [len(drawing["LABEL"]) // 2 for drawing in found] == [3, 3, 3]


@pytest.mark.parametrize("asked", ["", "gogui-analyze_commands\nsetoption live_graphics off\n"])
def test_nothing_is_drawn_for_others_or_where_it_is_not_wanted(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    texts(f"{NO_BOOK}setoption depth 3\n{asked}genmove b\nhint 3\n")
    assert capsys.readouterr().err == ""


def test_positions_that_are_not_on_the_board_are_not_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    search = "search ---------------------------OX------XO---------------------------X -64 64 3 100"
    found = drawings(f"setoption depth 3\ngogui-analyze_commands\nplay f5d6c3\nanalyze\n{search}\nhint\n", capsys)
    # Only the hint is about the position on the board.
    assert found and all(drawing["TEXT"][0] == "White" for drawing in found)
