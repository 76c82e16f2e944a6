"""Remarks that mention moves, behind the moves of a line or before them; and what is read as moves all the same."""

from __future__ import annotations

import pytest

from othello_bot.formats.pasted import parse_pasted
from othello_bot.formats.reading import found_games
from tests.formats.test_pasted import the_game, told

HORSE = "f5d6c5f4d3e3g4g5e6c4g3f6"


@pytest.mark.parametrize(
    ("behind", "comment"),
    [
        (" (f4 also possible)", "f4 also possible"),
        (" (f4 also possible", "f4 also possible"),
        (" {f4 loses 4}", "f4 loses 4"),
        (" [f4 -4]", "f4 -4"),
        (" (f4)", "f4"),
        (" (c9)", "c9"),
        (" (d3 c4).", "d3 c4"),
        (" <f4 loses>", "f4 loses"),
        ("（f4も可）", "f4も可"),
        ("【f4も可】", "f4も可"),
        (" ; f4 loses 4", "f4 loses 4"),
        ("; f4, e3 lose", "f4, e3 lose"),
        ("; f4; e3 lose", "f4; e3 lose"),
        (" // f4 loses 4", "f4 loses 4"),
        ("※f4は悪い", "f4は悪い"),
        ("　※　f4 は悪い", "f4 は悪い"),
        (" - f4 loses 4", "f4 loses 4"),
        (" – f4 is better", "f4 is better"),
        (" — f4 も可", "f4 も可"),
        (" - 4-g5 variation", "4-g5 variation"),
        ("、f4は悪い", "f4は悪い"),
        (", f4 loses 4", "f4 loses 4"),
        (" -> f4 loses", "f4 loses"),
        (" => f4 loses", "f4 loses"),
        ("→f4 loses", "f4 loses"),
        (" ← f4 is better", "f4 is better"),
        (" <-- f4 is better", "f4 is better"),
        (": f4 loses", "f4 loses"),
        ("：f4は悪い", "f4は悪い"),
        (" = f4 loses 4", "f4 loses 4"),
        (", /* d3 Heath */", "d3 Heath"),
        (' "f4 loses"', "f4 loses"),
        (" “f4 loses”", "f4 loses"),
        (" „f4 loses“", "f4 loses"),
        (" ‘f4 loses’", "f4 loses"),
        (" « f4 loses »", "f4 loses"),
        (" /* f4 loses */", "f4 loses"),
        (" /* f4 */", "f4"),
        (" | f4 loses", "f4 loses"),
        ("\tf4 loses", "f4 loses"),
        ("\t-2\tf4 loses", "f4 loses"),
        ("   f4 loses", "f4 loses"),
        (" ; c9 loses", "c9 loses"),
        ("\t4-g5 variation", "4-g5 variation"),
        ("\tBack ship 9-e3 (Murray)", "Back ship 9-e3 (Murray)"),
    ],
)
def test_a_remark_behind_a_mark(behind: str, comment: str) -> None:
    for moves in ("f5d6c3", "f5 d6 c3", "1. f5 d6 2. c3"):
        is_pgn = moves.startswith("1.") and "{" in behind  # a note on the move
        is_column = behind.startswith("   ") and " " in moves  # only behind moves next to each other
        if not (is_pgn or is_column):
            game = the_game(moves + behind)
            assert (game.game.transcript(), game.comment) == ("f5d6c3", comment)


@pytest.mark.parametrize(
    "form",
    [
        "{0}\t{1}",
        '{0},"{1}"',
        "{0};{1}",
        "{0}   {1}",
        "12,{0},{1}",
        "| {0} | {1} |",
        '    "{0}", "{1}",',
        '    {{"{0}", "{1}"}},',
        "('{0}', '{1}'),",
        '{{ "{1}", "{0}" }},',
        "{1}\t{0}",
        '"{1}","{0}"',
        "{1};{0}",
        "{1}     {0}",
        "| 7 | {1} | {0} |",
    ],
)
@pytest.mark.parametrize("name", ["Horse, 12-f6 line", "12-f6 line of the Horse", "Horse f6 (d3)"])
def test_names_of_openings_that_mention_moves(form: str, name: str) -> None:
    game = the_game(form.format(HORSE.upper(), name))
    assert (game.game.transcript(), game.comment) == (HORSE, name)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("f5,d6,c3", "f5d6c3"),
        ("f5d6\tc3d3\tc4", "f5d6c3d3c4"),
        ("f5d6c3d3,c4f4", "f5d6c3d3c4f4"),
        ("f5 -> d6", "f5d6"),
        ("f5 -> d6 -> c3", "f5d6c3"),
        ("f5 - d6", "f5d6"),
        ("f5 - d6 - c3 Tiger", "f5d6c3"),
        ("f5d6 - c3d3 Tiger", "f5d6c3d3"),
        ("f5 d6 - c3 d3 Tiger", "f5d6c3d3"),
        ("f5 d6 - c3 - d3 - Tiger", "f5d6c3d3"),
        ("1. f5 - d6 2. c3 - d3 Tiger", "f5d6c3d3"),
        ("1. f5 d6 - 2. c3 Tiger", "f5d6c3"),
        ("f5-d6-c3 Tiger", "f5d6c3"),
        ("- f5\n- d6\n- c3 Tiger", "f5d6c3"),
        ("f5d6c3 - Anna 34 - 30 Ben", "f5d6c3"),
        ("f5 (d6) c3", "f5d6c3"),
        ("(f5) (d6) (c3)", "f5d6c3"),
        ("1. f5 (d6) 2. c3 (d3)", "f5d6c3d3"),
        ("1. f5 d6 2. c3", "f5d6c3"),
        ("f5\nd6\nc3\n", "f5d6c3"),
        ("+---+----+----+\n| 1 | f5 | d6 |\n+---+----+----+\n| 2 | c3 | d3 |\n+---+----+----+\n", "f5d6c3d3"),
        ("| # | Black | White |\n|---|---|---|\n| 1 | f5 | d6 |\n| 2 | c3 | d3 |\n", "f5d6c3d3"),
        ("f5d6c3; d3", "f5d6c3d3"),
        ("f5d6c3 // d3 // c4", "f5d6c3d3c4"),
        ("f5d6c3, 34-30", "f5d6c3"),
        ("f5 d6, black c3, white d3", "f5d6c3d3"),
        ("['f5', 'd6', 'c3']", "f5d6c3"),
        ('[["f5", "d6"], ["c3", "d3"]]', "f5d6c3d3"),
        ("f5,d6,c3,d3 Tiger", "f5d6c3d3"),
        ("f5;d6;c3;d3;Tiger", "f5d6c3d3"),
        ("f5d6\tc3d3\tTiger", "f5d6c3d3"),
        ("f5d6\tc3\tTiger", "f5d6c3"),
        ("f5d6c3d3,c4f4 Tiger", "f5d6c3d3c4f4"),
    ],
)
def test_what_is_read_as_moves(text: str, moves: str) -> None:
    assert the_game(text).game.transcript() == moves


@pytest.mark.parametrize(
    ("text", "moves", "comment"),
    [
        ("1. f5 d6 2. c3 (f4 loses) d3 3. c4", "f5d6c3d3c4", "f4 loses"),
        ("f5 d6 c3 {f4 d3 is better} d3 c4", "f5d6c3d3c4", "f4 d3 is better"),
        ("f5d6c3d3c4f4, 34-30, Anna vs Ben, a5 decided", "f5d6c3d3c4f4", "Anna vs Ben, a5 decided"),
        ("f5d6\tc3d3\tTiger, 4-g5", "f5d6c3d3", "Tiger, 4-g5"),
    ],
)
def test_remarks_between_and_behind_parts_of_a_game(text: str, moves: str, comment: str) -> None:
    game = the_game(text)
    assert (game.game.transcript(), game.comment) == (moves, comment)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("f5d6c3 ; c9", "c9"),
        ("f5d6c3\tc9", "c9"),
        ("f5d6 c9 ; f4 loses", "c9"),
        ("f5 d6 oops c3", "oops"),
        ("f5d6 - oops - c3", "oops"),
        ("f5, oops d6", "oops"),
        ("1. f5 d6, 2. c3 oops d3", "oops"),
        ("f5d6 oops c3 ; f4 loses", "oops"),
        ("f5;d6;c3 oops d3", "oops"),
    ],
)
def test_no_game_is_cut_short_by_a_mark(text: str, word: str) -> None:
    (found,) = told(text)
    assert isinstance(found, str) and f"'{word}'" in found


def test_a_row_of_a_table_with_a_remark() -> None:
    rows = "1\tf5\td6\tf6 is parallel\n2\tc3\td3\t\n3\tc4\tf4\tf6 is better\n"
    assert the_game(rows).game.transcript() == "f5d6c3d3c4f4"


@pytest.mark.parametrize("part", ["f4; ", "f4\t", "(f4 ", "f4) ", "f4, a ", '"f4 ', "f4->a ", "| f4 x ", "<", "※", "'"])
def test_long_lines_of_marks(part: str) -> None:
    assert len(parse_pasted("f5d6c3 " + part * 20_000).moves) <= 128


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ('{ "f5d6c5", "Cow d3" }, // e3 is book', "Cow d3 e3 is book"),
        ('{"f5d6c5", "Tiger"}, /* c4 */', "Tiger c4"),
        ('\t"f5d6c5",\t/* Cow, d3 */', "Cow, d3"),
        ('/* d3 Cow */ "f5d6c5",', "d3 Cow"),
        ('{"Cow", "f5d6c5"}, /* 12 */', "Cow"),
        ('add("f5d6c5", "Cow"); // d3', "add Cow d3"),
        ('f5d6c5 the "Cow", of course', 'the "Cow", of course'),
    ],
)
def test_the_signs_of_source_code_are_no_part_of_a_remark(line: str, comment: str) -> None:
    game = the_game(line)
    assert (game.game.transcript(), game.comment) == ("f5d6c5", comment)


@pytest.mark.parametrize("name", ["Tiger (c3)", "E6 Special", "Rose d3 Kobayashi", "F5", "C4-Tiger", "No 7 (e3)"])
@pytest.mark.parametrize("between", [": ", ":", " : "])
def test_a_name_that_mentions_a_square_before_a_colon(name: str, between: str) -> None:
    game = the_game(f"{name}{between}{HORSE}")
    assert game.game.transcript() == HORSE


@pytest.mark.parametrize("line", ["f5d6 note: c3d3c4f4", "f5 d6 c3 White: d3c4f4", "f5 d6 c3 then: d3c4f4"])
def test_a_colon_between_moves_cuts_no_game(line: str) -> None:
    found = list(found_games(line))
    assert len(found) == 1
    assert found[0].error is not None or found[0].checked().game.transcript() == "f5d6c3d3c4f4"


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("Tiger\tf5d6c3d3\tc4 line", "Tiger c4 line"),
        ("f5d6c3d3; c4 line", "c4 line"),
        ('{ "Tiger",   "f5d6c3d3" },        /* transposes to e3 */', "Tiger transposes to e3"),
    ],
)
def test_a_label_behind_a_square_ends_a_remark(line: str, comment: str) -> None:
    game = the_game(line)
    assert (game.game.transcript(), game.comment) == ("f5d6c3d3", comment)


BOARD = "...................b.......bb......bw..........................."


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"17;{BOARD[:51]}c{BOARD[52:]};w;odd", "cell 'c'"),
        (f"{BOARD[:50]} b", "50 cells"),
        (f"{BOARD}........ b", "72 cells"),
        (f"{BOARD}........... b", "75 cells"),
        (f"id,{BOARD[:30]}?{BOARD[31:]},b", "cell '?'"),
    ],
)
def test_no_damaged_board_is_left_out_in_silence(line: str, reason: str) -> None:
    found = list(found_games(f"{BOARD} b\n{line}\nf5d6c3\n"))
    assert len(found) == 3 and f"board '{reason}" in str(found[1].error).replace('"', "'")


@pytest.mark.parametrize(
    "line",
    ["Contents............................................xo", "-" * 64, "x" * 60, "f5d6c3d3c4" * 6, "www." + "o" * 50],
)
def test_other_long_words_are_no_boards(line: str) -> None:
    assert not any("cell" in str(found.error) for found in found_games(f"f5d6c3\n\n{line}\n") if found.error)
