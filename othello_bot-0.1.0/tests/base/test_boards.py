"""Boards as text, in rows of cells and in the drawings of programs and of people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.boards import LONGEST_BOARD, parse_board, split_board
from othello_bot.base.notation import START, Board, Color, NotationError


def test_the_longest_text_of_a_board() -> None:
    text = START.cells + " X"
    assert parse_board(text + " " * (LONGEST_BOARD - len(text))) == START
    for length in (LONGEST_BOARD + 1, 9000):
        with pytest.raises(NotationError, match="expected 64 cells"):
            parse_board(text + " " * (length - len(text)))


@pytest.mark.parametrize(
    ("text", "board", "rest"),
    [
        ("f5d6", None, "f5d6"),
        (str(START) + " f5d6", START, "f5d6"),
        (START.cells + "b f5", START, "f5"),
        (START.cells + "b3", START, "b3"),
        (START.cells + "\n0\nf5", START, "f5"),
        (START.cells + " white; c4", Board(START.cells, Color.WHITE), "c4"),
        (START.cells[2:] + " X f5", None, START.cells[2:] + " X f5"),
    ],
)
def test_a_board_before_moves(text: str, board: Board | None, rest: str) -> None:
    assert split_board(text) == (board, rest)


@pytest.mark.parametrize(
    "text",
    [
        str(START),
        START.cells,
        START.cells + "X",
        f"  {START.cells}\tx\r\n",
        START.cells.lower() + " *",
        START.cells.replace("X", "*").replace("-", "."),
        START.cells.replace("X", "b").replace("O", "w") + " black",
        START.cells.replace("O", "1").replace("X", "0").replace("-", ".") + "0",
        " ".join(START.cells) + " X",
        " ".join(START.cells[row : row + 8] for row in range(0, 64, 8)) + " X;",
    ],
)
def test_boards(text: str) -> None:
    assert parse_board(text) == START


@pytest.mark.parametrize(("side", "color"), [("1", Color.BLACK), ("2", Color.WHITE)])
def test_players_counted_from_1_beside_plus_for_empty(side: str, color: Color) -> None:
    assert parse_board(f"{START.cells.replace('-', '+')} {side}") == Board(START.cells, color)


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("", " O"),
        ("12;", ";w;some text;"),
        ("", ";w"),
        ('"12","', '","w","text"'),
        ("12\t", "\tw"),
        ("| 3 | ", " | w |"),
        ("White to move: ", ""),
        ("", " (W)"),
        ("w; ", ""),
        ("", " 2"),
    ],
)
def test_the_side_to_move_beside_a_row(before: str, behind: str) -> None:
    board, _ = split_board(START.cells + behind, before)
    assert board == Board(START.cells, Color.WHITE)


@pytest.mark.parametrize("side", ["O", "o", "W", "w", "1", "white", "White"])
def test_the_side_to_move_survives(side: str) -> None:
    assert parse_board(f"{START.cells} {side}").to_move is Color.WHITE


@pytest.mark.parametrize(
    "text", ["", "X", START.cells[1:], START.cells + "XX", START.cells + " Q", START.cells * 2, "-" * 65]
)
def test_what_is_no_board(text: str) -> None:
    with pytest.raises(NotationError):
        parse_board(text)


def test_a_board_is_checked_however_it_is_made() -> None:
    with pytest.raises(NotationError, match="64 cells"):
        Board("X" * 63 + "x", Color.BLACK)


@given(st.text(alphabet="XO-", min_size=64, max_size=64), st.sampled_from(Color))
def test_a_board_reads_back(cells: str, color: Color) -> None:
    board = Board(cells, color)
    assert parse_board(str(board)) == board


def test_a_cell_that_is_none_is_told_with_its_place() -> None:
    with pytest.raises(NotationError, match="at b1, cell 2 of the board"):
        parse_board("-?" + 62 * "-" + " X")


AFTER_F5 = Board("---------------------------OX------XXX--------------------------", Color.WHITE)
"""The position after f5."""


def rows(cells: str, separator: str = "") -> list[str]:
    return [separator.join(cells[row : row + 8]) for row in range(0, 64, 8)]


def signs(black: str, white: str, empty: str) -> str:
    return AFTER_F5.cells.translate(str.maketrans("XO-", black + white + empty))


def numbered(cells: str, separator: str = " ", *, upwards: bool = False) -> str:
    lines = [f"{number} {row} {number}" for number, row in enumerate(rows(cells, separator), 1)]
    return "\n".join(["  a b c d e f g h", *(lines[::-1] if upwards else lines), "  a b c d e f g h"])


def beside(cells: str, form: str, separator: str = "") -> str:
    return "\n".join(form.format(number, row) for number, row in enumerate(rows(cells, separator), 1))


LINE = "+---+---+---+---+---+---+---+---+\n"
DRAWINGS = {
    "brackets of GGS": f"[8 {' '.join(rows(signs('*', 'O', '-')))} O]",
    "a tag of GGF": f"BO[8 {' '.join(rows(signs('*', 'O', '-')))} O]",
    "FEN": "8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1",
    "this engine": numbered(signs("X", "O", ".")) + "\nwhite (O) to move, X 4  O 1",
    "its answer": "= \n" + numbered(signs("X", "O", ".")) + "\nwhite (O) to move, X 4  O 1\nopening: none\n",
    "Edax": numbered(signs("*", "O", "-"))
    .replace("  a b c d e f g h", "  A B C D E F G H")
    .replace("- 2\n", "- 2 O to move\n")
    .replace("- 4\n", "- 4 *: discs =  4    moves =  3\n")
    .replace("- 6\n", "- 6   empties = 59      ply =  2\n"),
    "OpenSpiel": "White (o) to play:\n" + numbered(signs("x", "o", "-")) + "\n",
    "rows in the middle of a log": f"| 2 move(s)\n{numbered(signs('*', 'O', '-'))}\n| O to move".replace("\n", "\n| "),
    "eight rows": "\n".join(rows(signs("X", "O", "."))),
    "eight rows and a side": "\n".join(rows(signs("@", "O", "."))) + "\nO",
    "cells apart": "\n".join(rows(signs("b", "w", "_"), " ")) + "\nwhite",
    "rows upwards": numbered(signs("X", "O", "."), upwards=True),
    "discs": "\n".join(rows(signs("●", "○", "・"))),
    "wide letters": "\n".join(rows(signs("Ｘ", "Ｏ", "＋"))),
    "pictures": "\n".join(rows(signs("⚫", "⚪", "🟩"))).replace("⚫", "⚫\ufe0f").replace("⚪", "⚪\ufe0f"),
    "hash signs": "\n".join(rows(signs("#", "O", "."), " ")),
    "nought for white": "\n".join(rows(signs("X", "0", "-"))),
    "digits": "\n".join(rows(signs("1", "2", "0"), " ")),
    "digits, 2 empty": "\n".join(rows(signs("0", "1", "2"), ",")),
    "digits in one row": signs("1", "2", "0"),
    "an array": "[" + "\n ".join(f"[{row}]" for row in rows(signs("1", "m", "0"), "  ")).replace(" m", "-1") + "]",
    "an array of floats": "\n".join(rows(signs("1", "m", "0"), ". ")).replace("m", "-1").replace("\n", ".\n") + ".",
    "lists": "[" + ",\n".join(str(list(row)) for row in rows(signs("B", "W", "."))) + "]",
    "numbers on one side": "\n".join(f"{n}|{row}" for n, row in enumerate(rows(signs("X", "O", "."), " "), 1)),
    "a ruled head": "  abcdefgh\n  --------\n"
    + "\n".join(f"{number}|{row}|{number}" for number, row in enumerate(rows(signs("X", "O", "-")), 1)),
    "a table": LINE + "".join(f"| {row} |\n{LINE}" for row in rows(signs("X", "O", " "), " | ")),
    "a table with numbers": LINE
    + "".join(f"{n} | {row} |\n{LINE}" for n, row in enumerate(rows(signs("*", "O", " "), " | "), 1)),
    "cells of a spreadsheet": "\n".join(rows(signs("X", "O", " "), "\t")),
    "blank squares": numbered(signs("X", "O", " ")),
    "numbers from 0": "  0 1 2 3 4 5 6 7\n"
    + "\n".join(f"{number} {row}" for number, row in enumerate(rows(signs("B", "W", "."), " "))),
    "empty rows between": "\n\n".join(rows(signs("X", "O", "."), " ")),
    "marked moves": "\n".join(rows(signs("X", "O", ".")[:18] + "*" + signs("X", "O", ".")[19:])),
    "side before": "Side to move: White\n" + "\n".join(rows(signs("X", "O", "."))),
    "numbers that touch": " abcdefgh\n" + beside(signs("x", "o", "."), "{0}{1}"),
    "numbers that touch, behind": beside(signs("x", "o", "."), "{1}{0}") + "\nabcdefgh\n",
    "numbers that touch on both sides": beside(signs("●", "○", "・"), "{0}{1}{0}"),
    "numbers that touch, upwards": "\n".join(beside(signs("X", "O", "-"), "{0}{1}").splitlines()[::-1]),
    "numbers that touch digits": beside(signs("1", "2", "0"), "{0}{1}"),
    "numbers with a sign that touch": beside(signs("X", "O", "."), "{0}:{1}"),
    "numbers that touch cells apart": beside(signs("X", "O", "."), "{0}{1}", " "),
    "plus in one row": signs("X", "O", "+") + " 2",
    "plus in rows": "\n".join(rows(signs("X", "O", "+"))) + "\n2",
    "side in Japanese": "\n".join(rows(signs("●", "○", "＋"))) + "\n白番",
}


@pytest.mark.parametrize("text", DRAWINGS.values(), ids=DRAWINGS)
def test_drawings(text: str) -> None:
    assert parse_board(text) == AFTER_F5


def test_a_drawn_border_takes_no_cell() -> None:
    cells = "X------O" * 8
    assert parse_board("\n".join(f"|{row}|" for row in rows(cells.replace("-", " "), "|"))).cells == cells


@pytest.mark.parametrize(
    ("side", "color"),
    [
        ("Black to move", Color.BLACK),
        ("It is X's turn", Color.BLACK),
        ("White's turn (O)", Color.WHITE),
        ("turn: O", Color.WHITE),
        ("Player to move: black", Color.BLACK),
        ("(X)", Color.BLACK),
        ("黒の手番", Color.BLACK),
        ("Black: 4  White: 1", Color.WHITE),
        ("1 moves", Color.WHITE),
        ("", Color.WHITE),
    ],
)
def test_the_side_to_move_beside_a_drawing(side: str, color: Color) -> None:
    board = "\n".join(rows(signs("X", "O", "."), " "))
    assert parse_board(f"{board}\n{side}").to_move is color
    assert parse_board(f"{side}\n{board}").to_move is color


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(rows(START.cells)[:7]),
        "\n".join([*rows(START.cells)[:7], "-------"]),
        "\n".join(rows(signs("X", "%", "&"))),
        "\n".join(["1 2 3 4 5 6 7 8"] * 8),
        "  a b c d e f g h\n" * 8,
    ],
)
def test_what_is_no_drawing(text: str) -> None:
    with pytest.raises(NotationError):
        parse_board(text)


@given(st.text(alphabet="XO.", min_size=64, max_size=64), st.sampled_from(Color))
def test_a_drawing_reads_back(cells: str, color: Color) -> None:
    board = parse_board(f"{numbered(cells)}\n{color.name.lower()} to move")
    assert board == Board(cells.replace(".", "-"), color)


@given(st.text(alphabet="XO.-|+12 8abcdefgh\n#●", max_size=400))
def test_any_drawing_is_read_or_refused(text: str) -> None:
    try:
        parse_board(text)
    except NotationError as error:
        assert len(str(error)) < 300
