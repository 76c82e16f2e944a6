"""Edax's console as text: the commands that scripts send, and what they look for in the replies."""

from __future__ import annotations

import pytest

from othello_bot.base.evaluated import Bound, ChosenBy, EvaluatedMove
from othello_bot.base.notation import PASS, START, Board, Color, parse_transcript
from othello_bot.protocol import edax
from othello_bot.protocol.edax import (
    Diagram,
    EdaxError,
    Hint,
    Mode,
    Move,
    Nothing,
    Play,
    Set,
    SetBoard,
    UnknownCommand,
    Word,
)
from othello_bot.protocol.wire import clean

F5, D6, C3 = parse_transcript("f5d6c3")
WHITE_TO_MOVE = Board(START.cells, Color.WHITE)
ROWS = [START.cells[row : row + 8] for row in range(0, 64, 8)]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("f5", Move(F5, "f5")),
        ("F5", Move(F5, "F5")),
        ("PS", Move(PASS, "PS")),
        ("pa", Move(PASS, "pa")),
        ("pass", Move(PASS, "pass")),
        ("play f5d6 C3", Play((F5, D6, C3))),
        ("PLAY F5", Play((F5,))),
        ("play", Play(())),
        ("mode 1", Mode(1)),
        ("m", Mode(3)),
        ("hint", Hint(1)),
        ("hint 0", Hint(1)),
        ("hint 1000", Hint(1000)),
        ("i", Word("init")),
        ("Init\r", Word("init")),
        ("u", Word("undo")),
        ("exit", Word("quit")),
        ("?", Word("help")),
        ("verbose 0", edax.Verbose(0)),
        ("set verbose 1", edax.Verbose(1)),
        ("set mode = 2", Mode(2)),
        ("level 5", Set("level", "5", "level 5")),
        ("l 5", Set("l", "5", "l 5")),
        ("set level = 5", Set("level", "5", "set level = 5")),
        ("set level=5", Set("level", "5", "set level=5")),
        ("book off", Set("book-usage", "off", "book off")),
        ("move-time 1:05", Set("move-time", "1:05", "move-time 1:05")),
        ("quit now", Word("quit")),
        ("f5 d6", Set("f5", "d6", "f5 d6")),
        ("", Nothing()),
        ("# a comment", Nothing()),
    ],
)
def test_commands(line: str, command: edax.Command) -> None:
    assert edax.parse_command(clean(line)) == command


@pytest.mark.parametrize(
    ("text", "board"),
    [
        (f"{START.cells} X", START),
        ("/".join(ROWS).replace("X", "*").replace("-", ".") + " w", WHITE_TO_MOVE),
        (START.cells.replace("X", "b").replace("O", "w"), START),
        (START.cells[:-1] + "X", Board(START.cells[:-1] + "X", Color.WHITE)),
    ],
)
def test_boards(text: str, board: Board) -> None:
    assert edax.parse_command(f"setboard {text}") == SetBoard(board)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("setboard", r"found 0 squares"),
        ("setboard ---OX", r"found 5 squares"),
        (f"setboard {START.cells[1:]} X", r"found 63 squares"),
        (f"setboard {START.cells}{START.cells}", r"found 64 squares"),
        ("play f5z9", "moves"),
        ("mode 4", "an integer from 0 to 3, got '4'"),
        ("mode x", "an integer from 0 to 3, got 'x'"),
        ("hint -1", "an integer from 0"),
        ("verbose 99", "an integer from 0 to 4"),
        ("set", 'Unknown command/Illegal move: "set "'),
    ],
)
def test_damaged_commands(line: str, what: str) -> None:
    with pytest.raises(EdaxError, match=what):
        edax.parse_command(line)


def test_an_unknown_command_is_shown_as_a_word_and_the_rest() -> None:
    assert str(UnknownCommand("e3", "d3")) == 'Unknown command/Illegal move: "e3 ": expected d3'
    assert str(UnknownCommand("a\x1b[2J b")).startswith('Unknown command/Illegal move: "a\\x1b[2J b"')


def test_the_board() -> None:
    """The position after f5d6c3 from the usual start, in the columns that scripts read."""
    cells = "".join(["--------", "--------", "--X-----", "---XX---", "---OXX--", "---O----", "--------", "--------"])
    legal = (frozenset(parse_transcript("b5b6c7")), frozenset(parse_transcript("c4d3e3f4")))
    drawn = str(Diagram(Board(cells, Color.WHITE), legal, START, (F5, D6, C3), (3.958, 3661.0)))
    assert drawn.split("\n") == [
        "",
        "  A B C D E F G H            BLACK            A  B  C  D  E  F  G  H",
        "1 - - - - - - - - 1         0:03.958       1 |  |  |  |  |  |  |  |  | 1",
        "2 - - - - - - - - 2    5 discs   3 moves   2 |  |  |  |  |  |  |  |  | 2",
        "3 - - * . . - - - 3                        3 |  |  | 3|  |  |  |  |  | 3",
        "4 - - . * * . - - 4  ply  4 (57 empties)   4 |  |  |  |()|##|  |  |  | 4",
        "5 - - - O * * - - 5    White's turn (O)    5 |  |  |  |##|()| 1|  |  | 5",
        "6 - - - O - - - - 6                        6 |  |  |  | 2|  |  |  |  | 6",
        "7 - - - - - - - - 7    2 discs   4 moves   7 |  |  |  |  |  |  |  |  | 7",
        "8 - - - - - - - - 8      1:01:01.000       8 |  |  |  |  |  |  |  |  | 8",
        "  A B C D E F G H            WHITE            A  B  C  D  E  F  G  H",
        "",
    ]


@pytest.mark.parametrize(("discs", "result"), [("X", "Black won"), ("O", "White won"), ("XO", "draw")])
def test_a_finished_game_says_who_won(discs: str, result: str) -> None:
    cells = (discs * 64)[:64]
    drawn = str(Diagram(Board(cells, Color.BLACK), (frozenset(), frozenset()), START, (), (0, 0))).split("\n")
    assert "Game over" in drawn[5] and result in drawn[6]
    assert len({len(line) for line in drawn[2:-3]}) == 1


def test_the_rows_of_the_table_have_their_columns() -> None:
    rows = [
        edax.row(EvaluatedMove(F5, 4, (F5, D6, C3), 5, time_s=0.003, nodes=799), Color.BLACK),
        edax.row(
            EvaluatedMove(F5, -1, (F5, PASS, C3), 18, 73, bound=Bound.UPPER, time_s=75.5, nodes=2_000_000), Color.WHITE
        ),
        edax.row(EvaluatedMove(D6, 1, source=ChosenBy.BOOK), Color.BLACK),
    ]
    assert rows == [
        "    5   +04        0:00.003           799     266333 f5 D6 c3\n",
        "18@73% <-01        1:15.500       2000000      26490 F5 ps C3\n",
        "book    +1                                          d6\n",
    ]
    assert {row.index(move) for row, move in zip(rows[:2], ("f5", "F5"), strict=True)} == {53}


def test_moves_as_scripts_look_for_them() -> None:
    assert str(edax.Played(True, D6)) == "\nEdax plays D6\n"
    assert str(edax.Played(True, PASS)) == "\nEdax plays PS\n"
    assert str(edax.Played(False, F5)) == "\nYou play F5\n"


@pytest.mark.parametrize("number", range(4))
def test_modes(number: int) -> None:
    plays = {0: (False, True), 1: (True, False), 2: (True, True), 3: (False, False)}
    assert tuple(Mode(number).plays(color) for color in Color) == plays[number]


def test_help_lists_every_command() -> None:
    listed = {line.split()[0].strip(",") for line in edax.help_text().splitlines()}
    assert set(edax.WORDS) | {"play", "setboard", "mode", "hint", "verbose"} <= listed
