"""Pasted transcripts: what belongs to a game, in all the shapes in which people paste one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.errors import FormatError
from othello_bot.base.notation import PASS, Color, square_name
from othello_bot.formats import pasted, transcripts
from othello_bot.formats.pasted import plain_text
from othello_bot.rules import Game, Position
from tests.formats.samples import passing_game
from tests.rules.strategies import games, random_game


def told(text: str) -> list[str]:
    """Return the transcript of each game of a text, or why it cannot be read."""
    return [
        found.record.game.transcript() if found.record else f"{found.line}: {found.error.reason if found.error else ''}"
        for found in transcripts.found_games(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f5 d6 c3 d3 c4 f4", ["f5d6c3d3c4f4"]),
        ("1. f5 d6\n2. c3 d3\n3. c4 f4", ["f5d6c3d3c4f4"]),
        ("1. f5 d6 2. c3 d3", ["f5d6c3d3"]),
        ("1 f5\n2 d6\n3 c3", ["f5d6c3"]),
        ("1\nf5\nd6\n2\nc3\nd3", ["f5d6c3d3"]),
        ("f5\nd6\nc3\nd3\nc4", ["f5d6c3d3c4"]),
        ("f5\n\nd6\n\nc3", ["f5d6c3"]),
        ("F5d6C3d3C4f4", ["f5d6c3d3c4f4"]),
        ("Ｆ５ ｄ６ Ｃ３", ["f5d6c3"]),
        ("1.f5,2.d6,3.c3", ["f5d6c3"]),
        ("f5\u200bd6\u00a0c3", ["f5d6c3"]),
        ("F5-D6–C3—D3", ["f5d6c3d3"]),
        ("(f5) [d6] `c3` *d3*", ["f5d6c3d3"]),
        ("Black: f5 White: d6 B: c3 w: d3", ["f5d6c3d3"]),
        ("● f5 ○ d6 ⚫️ c3", ["f5d6c3"]),
        ("| 1 | f5 | d6 |\n|---|----|----|\n| 2 | c3 | d3 |", ["f5d6c3d3"]),
        ("1\tf5\td6\n2\tc3\td3\n", ["f5d6c3d3"]),
        ("f5d6c3\nd3c4f4", ["f5d6c3d3c4f4"]),
    ],
)
def test_the_shapes_of_one_game(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f5d6c3\nf5f6e6\nd3c3c4", ["f5d6c3", "f5f6e6", "d3c3c4"]),
        ("1. f5d6c3\n2. f5f6e6\n3. c4c3", ["f5d6c3", "f5f6e6", "c4c3"]),
        ("f5d6c3d3\n\nc4c3", ["f5d6c3d3", "c4c3"]),
        ("f5\n\nd3", ["f5", "d3"]),
        ("f5 d6\nc3 d3\n\nf5 f6\ne6 f4", ["f5d6c3d3", "f5f6e6f4"]),
        ("Ann - Bo 34-30\n1. f5 d6\n2. c3 d3\nGame 2: Cy - Di\n1. f5 f6\n2. e6 f4", ["f5d6c3d3", "f5f6e6f4"]),
        ("f5 d6 # first\nf5 f6 % second", ["f5d6", "f5f6"]),
        ("", []),
        ("# nothing\n", []),
    ],
)
def test_the_games_of_a_text(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello\n", ["1: transcript 'hello': expected moves (f5d6c3, passes as pa)"]),
        ("f5d6\nf5a1\nf5f6", ["f5d6", "2: illegal move 'a1': expected f4 d6 f6", "f5f6"]),
        ("1. f5 d6\n2. c3 a1\n3. c4 f4\n\nf5f6", ["2: illegal move 'a1': expected ...", "f5f6"]),
        (
            "f5d6c3\ne3d3c4\nf4d3c5\nf5f6e6f4\nd3c5d6",
            [
                "f5d6c3",
                "2: illegal move 'e3': expected ...",
                "3: illegal move 'f4': expected ...",
                "f5f6e6f4",
                "d3c5d6",
            ],
        ),
        (
            "f5d6c9\ne3c4d3\nf5a1\nf5f6",
            [
                "1: transcript 'f5d6c9': expected",
                "2: illegal move 'e3': expected",
                "3: illegal move 'a1': expected",
                "f5f6",
            ],
        ),
        ("f5d6c9\nd3c5i3\nf5f6", ["1: transcript 'f5d6c9':", "2: transcript 'd3c5i3':", "f5f6"]),
        ("e3e4e5\nf5d6c9\nf5f6", ["1: illegal move 'e3':", "2: transcript 'f5d6c9':", "f5f6"]),
        ("f5\nd6\ne3\nc9\n\nf5f6", ["3: illegal move 'e3':", "f5f6"]),
        ("f5d6c3\nd3c4f4\ng8h8\n\nf5f6", ["3: illegal move 'g8': expected ...", "f5f6"]),
    ],
)
def test_one_bad_game_spoils_no_other(text: str, expected: list[str]) -> None:
    found = told(text)
    assert len(found) == len(expected)
    assert [one.split(" expected")[0] for one in found] == [one.split(" expected")[0] for one in expected]


def test_passes_are_written_or_omitted() -> None:
    game = passing_game()
    names = ["pass" if move == PASS else square_name(move) for move in game.moves]
    for text in (" ".join(names), " ".join(name for name in names if name != "pass"), " ".join(names).upper()):
        assert [found.checked().game for found in transcripts.found_games(text)] == [game]
    pairs = [" ".join(names[index : index + 2]) for index in range(0, len(names), 2)]
    numbered = "\n".join(f"{number}. {pair}" for number, pair in enumerate(pairs, 1))
    assert [found.checked().game for found in transcripts.found_games(numbered)] == [game]


def test_a_board_begins_a_game() -> None:
    text = "---------------------------OX------XO--------------------------- O\nf4 d3\nf5d6"
    assert told(text) == ["f4d3", "f5d6"]


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td>1.</td><td>f5</td><td>d6</td></tr><tr><td>2.</td><td>c3</td><td>d3</td></tr></table>",
        "<html><style>td { color: #f5f5f5 }</style><script>var a1 = 'b2 c3';</script><p>1. f5&nbsp;d6<br>2. c3 d3</p>",
        "<!DOCTYPE html>\n<body><!-- f5 f6 --><div>f5</div><div>d6</div><div>c3</div><div>d3</div></body>",
        "<p\nclass='a'>f5 d6</p>\n<p>c3 d3</p>",
    ],
)
def test_web_pages(page: str) -> None:
    assert told(page) == ["f5d6c3d3"]


def test_a_page_keeps_the_lines_of_its_source() -> None:
    page = "<p\n\nid=x>f5 d6<br>\n<!--\n\n--><p>f5a1</p>"
    assert plain_text(page).count("\n") == page.count("\n")
    assert told(page)[1].startswith("6: illegal move 'a1'")


def drawn(game: Game, separator: str, *, labels: bool) -> str:
    """Return a game as a diagram."""
    squares = [move for move in game.moves if move != PASS]
    numbers = {square: str(number) for number, square in enumerate(squares, 1)}
    rows = []
    for rank in range(8):
        cells = [numbers.get(8 * rank + file, "-") for file in range(8)]
        rows.append(separator.join([str(rank + 1), *cells] if labels else cells))
    return ("  a b c d e f g h\n" if labels else "") + "\n".join(rows)


@pytest.mark.parametrize("separator", [" ", "\t", " | "])
@pytest.mark.parametrize("labels", [False, True])
def test_diagrams(separator: str, labels: bool) -> None:
    for seed in range(5):
        game = random_game(seed)
        text = f"Ann - Bo\n{drawn(game, separator, labels=labels)}\n\nf5d6\n"
        assert [found.checked().game for found in transcripts.found_games(text)] == [game, Game.from_transcript("f5d6")]


def test_a_diagram_with_blank_cells_and_lines() -> None:
    line = "+--+--+--+--+--+--+--+--+"
    rows = ["|  " * 8 + "|"] * 8
    rows[4] = "|  |  |  |  |  | 1|  |  |"
    rows[5] = "|  |  |  | 2|  |  |  |  |"
    assert told("\n".join([line, *(f"{row}\n{line}" for row in rows)])) == ["f5d6"]


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ({37: 1, 43: 3}, "move 2 0 times"),
        ({37: 1, 43: 1}, "move 1 2 times"),
        ({37: 1, 27: 2}, "d4"),
        ({37: 1, 0: 2}, "illegal move 'a1'"),
    ],
)
def test_diagrams_that_are_no_game(numbers: dict[int, int], reason: str) -> None:
    rows = [" ".join(str(numbers.get(8 * rank + file, "-")) for file in range(8)) for rank in range(8)]
    found = pasted.read(rows)
    assert found is not None and found.rows == 8
    assert reason in str(found.result)


@given(st.lists(games(), max_size=4))
def test_one_a_line_and_several_lines(several: list[Game]) -> None:
    finished = [game for game in several if game.is_over]
    lines = "\n".join(game.transcript() for game in finished)
    assert [found.checked().game for found in transcripts.found_games(lines)] == finished


def sheet(game: Game) -> list[str]:
    """Return the rows of a score sheet with hash signs for the black discs of the start and brackets for the white."""
    numbers = {square: f"{number:02}" for number, square in enumerate((m for m in game.moves if m != PASS), 1)}
    numbers |= {28: "##", 35: "##", 27: "()", 36: "()"}
    return [" ".join(numbers.get(8 * rank + file, "..") for file in range(8)) for rank in range(8)]


def test_score_sheets_with_signs_on_the_squares_of_the_start() -> None:
    for seed in range(3):
        game = random_game(seed)
        assert [found.checked().game for found in transcripts.found_games("\n".join(sheet(game)))] == [game]


def test_score_sheets_of_applets() -> None:
    game = random_game(4)
    applet = '<HTML><APPLET CODE="Replay.class" WIDTH=300>\n<PARAM NAME="black" VALUE="Ann">\n{}</APPLET>\n'
    by_row = "".join(f'<PARAM NAME="row{number}" VALUE="{row}">\n' for number, row in enumerate(sheet(game), 1))
    in_one = "<param value='\n{}\n' name=sheet>\n".format("\n".join(sheet(game)))
    for text in (applet.format(by_row), applet.format(in_one), applet.format(by_row.replace('"', "'"))):
        assert [found.checked().game for found in transcripts.found_games(text)] == [game]
    moves = f'<PARAM NAME=moves VALUE="{game.transcript()}">\n'
    assert [found.checked().game for found in transcripts.found_games(applet.format(moves))] == [game]


def test_boards_stand_alone_or_before_moves() -> None:
    drawn = "= \n  a b c d e f g h\n" + "".join(f"{n} . . . . . . . . {n}\n" for n in range(1, 4))
    drawn += "4 . . . O X . . . 4\n5 . . . O X X . . 5\n6 . . . O . . . . 6\n7 . . . . . . . . 7\n8 . . . . . . . . 8\n"
    drawn += "  a b c d e f g h\nblack (X) to move, X 3  O 3\nopening: Perpendicular\n\n=\n"
    (alone,) = transcripts.found_games(drawn)
    start = Game.from_transcript("f5d6").position
    assert alone.checked().game == Game(start)
    (played,) = transcripts.found_games(drawn.replace("opening: Perpendicular\n\n=", "c3 d3"))
    assert played.checked().game.start == start and played.checked().game.transcript() == "c3d3"
    brackets = "[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- O]"
    (found,) = transcripts.found_games(brackets)
    assert found.checked().game.start == Position(Position.start().white, Position.start().black, Color.WHITE)
    first, second = transcripts.found_games(f"17 {start.to_string()}\n\n8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1\n")
    assert first.checked().game == Game(start) and second.checked().game.start.color is Color.WHITE


def test_a_board_in_signs_of_several_kinds_does_not_hide_the_games_behind_it() -> None:
    """Signs that no single drawing uses were an error of another kind, which ended the reading."""
    wrong, right = transcripts.found_games("12" + "X-O" * 20 + "--X\n\nf5d6\n")
    assert wrong.error is not None and "signs of one kind" in str(wrong.error) and wrong.line == 1
    assert right.checked().game.transcript() == "f5d6"
    with pytest.raises(FormatError, match="signs of one kind"):
        Game.from_transcript("12" + "X-O" * 20 + "--X f5")


LISTED = [
    "...........................wb......bw........................... b",
    "...................b......bbb......bww.......................... w",
    "..................wwww.....wwb.....bbw.......................... b",
    "..www.....bbww....bbbw.....bbb.....wbw.......................... b",
    ".wwwww....wwww..wbbwww...bbbww..bbbbbbw.bbbwww.wb.wwww...wwwww.. b",
]
"""Boards whose letters and dots look like addresses of the web."""


@pytest.mark.parametrize("form", ["{} {}", "7;{};{};some text;", '"7","{}","{}","c4 is best"', "7\t{}\t{}"])
def test_a_board_is_no_address(form: str) -> None:
    boards = [line.split() for line in LISTED]
    found = [one.checked().game for one in transcripts.found_games("\n".join(form.format(*one) for one in boards))]
    assert found == [Game(Position.parse(" ".join(one))) for one in boards]


def test_a_board_with_a_cell_too_few_or_too_many_is_told() -> None:
    short, right, long = LISTED[1][1:], LISTED[2], "." + LISTED[3]
    found = list(transcripts.found_games(f"{short}\n{right}\n{long}\n"))
    assert [one.line for one in found] == [1, 2, 3]
    assert [str(one.error).partition(":")[0] for one in found if one.error] == ["board '63 cells'", "board '65 cells'"]


def test_addresses_stand_beside_a_board() -> None:
    (found,) = transcripts.found_games(f"{LISTED[1]} see www.example.org/games/7")
    assert found.checked().game == Game(Position.parse(LISTED[1]))


def drawn_position(position: Position) -> str:
    cells = position.to_string()[:64].replace("-", ".")
    return "\n".join([" abcdefgh", *(f"{number + 1}{cells[8 * number :][:8]}" for number in range(8))])


def test_a_board_in_one_line_of_the_last_position_is_no_second_game() -> None:
    game = Game.from_transcript("f5d6c3d3c4")
    last, other = game.position.to_string(), Game.from_transcript("f5d6").position.to_string()
    text = f"f5d6c3d3c4\n{last}\nd3c3\n\n{last} # after five moves\n{other}\n{last}\n"
    assert told(text) == ["f5d6c3d3c4", "d3c3", "", "", ""]


def test_a_diagram_of_the_last_position_is_no_second_game() -> None:
    game = Game.from_transcript("f5d6c3d3c4")
    diagram = drawn_position(game.position)
    for text in (
        f"f5 d6 c3 d3 c4\n\n{diagram}\n",
        f"f5d6c3d3c4\n{diagram}\nWhite to move\n",
        f"f5d6c3\nd3c4\n{diagram}",
    ):
        assert told(text) == ["f5d6c3d3c4"]
    assert told(f"f5d6c3d3c4\n\n{diagram}\nf4 f6") == ["f5d6c3d3c4f4f6"]
    assert told(f"f5d6c3d3c4\n\n{diagram}\n\nf5f6e6f4") == ["f5d6c3d3c4", "f5f6e6f4"]
    assert told(f"f5d6c3d3\n\n{diagram}\n") == ["f5d6c3d3", ""]
    assert told(f"{drawn_position(Position.start())}\nf5d6") == ["f5d6"]
    finished = random_game(1)
    assert told(f"{finished.transcript()}\n\n{drawn(finished, ' ', labels=True)}\n") == [finished.transcript()]
