"""Boards that are pasted at the prompt, row by row or in one line."""

from __future__ import annotations

import pytest

from tests.play.evening import Evening
from tests.session.harness import in_process, replies

BLACK = "------------------XO------XXX------OXX-----O-------------------- X"
WHITE = BLACK[:-1] + "O"
LETTERS = """\
  a b c d e f g h
1 . . . . . . . .
2 . . . . . . . .
3 . . X O . . . .
4 . . X X X . . .
5 . . . O X X . .
6 . . . O . . . .
7 . . . . . . . .
8 . . . . . . . .
"""
BARE = "--------\n--------\n--XO----\n--XXX---\n---OXX--\n---O----\n--------\n--------\n"
RULED = "  +---+---+---+---+---+---+---+---+\n" + "".join(
    f"{row} | {' | '.join(cells.replace('-', ' '))} |\n  +---+---+---+---+---+---+---+---+\n"
    for row, cells in enumerate(BARE.split(), 1)
)


@pytest.mark.parametrize(
    ("drawn", "position"),
    [
        (LETTERS, WHITE),
        (LETTERS + "  a b c d e f g h\nblack (X) to move, X 6  O 3\nopening: Tiger\n", BLACK),
        (LETTERS + "black to move\n", BLACK),
        (LETTERS.replace(" ", "  "), WHITE),
        (BARE, WHITE),
        (RULED, WHITE),
        (BARE.replace("-", "□").replace("X", "●").replace("O", "○"), WHITE),
        (BLACK + "\n", BLACK),
        ("[8 -------- -------- --*O---- --***--- ---O**-- ---O---- -------- -------- *]\n", BLACK),
    ],
)
def test_a_drawn_board_is_set_up(drawn: str, position: str) -> None:
    got = replies(in_process(f"{drawn}position\nf5d6\nname\n"))
    assert [one for one in got if one != "="] == [f"= {position}", got[-2], "= othello-bot"]
    assert "illegal move 'f5'" in got[-2], "the lines behind a board are commands"


def test_a_board_that_is_cut_off_is_told_once_and_costs_no_command() -> None:
    for cut in (LETTERS.splitlines()[:5], BARE.splitlines()[:3], ["abcdefgh"]):
        got = replies(in_process("\n".join([*cut, "name", "position"]) + "\n"))
        assert got[0] == "? drawn board: expected 8 rows of 8 squares"
        assert got[1:] == ["= othello-bot", "= ---------------------------OX------XO--------------------------- X"]


def test_squares_as_numbers_are_no_board() -> None:
    assert replies(in_process("37 43 18 19 26 29 20 21\nname\n")) == ["?37 unknown command: '43'", "= othello-bot"]


def test_a_board_behind_a_command_is_another_one() -> None:
    got = replies(in_process(f"{LETTERS}clear_board\nblack to move\nabcdefgh\nname\n"))
    assert got[:2] == ["=", "="] and got[-1] == "= othello-bot"
    assert got[2].startswith("? unknown command: 'black'") and got[3].startswith("? drawn board")


@pytest.mark.parametrize("side", ["", "black (X) to move, X 6  O 3\n"])
def test_a_board_pasted_in_a_game_is_played_on(side: str) -> None:
    evening = Evening(*f"{LETTERS}{side}".splitlines(), black="human", white="human")
    assert evening.session.game.position.to_string() == (BLACK if side else WHITE)
    assert "expected" not in evening.text
