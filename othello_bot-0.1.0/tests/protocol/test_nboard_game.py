"""The game of `set game`: what a controller writes is read back, and a note that cannot be read costs nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.clocks import ClockState, TimeSettings, TimeSystem
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, START, Board, Color, parse_square
from othello_bot.protocol.nboard_values import NBoardError, SentGame, format_game, parse_game

F5, D6 = (parse_square(name) for name in ("f5", "d6"))
BOARD = "8 ---------------------------O*------*O--------------------------- *"
MOVES = ((Color.BLACK, EvaluatedMove(F5, None, time_s=2.768)), (Color.WHITE, EvaluatedMove(D6, 0.0, time_s=0.1)))


def sent(tags: str = "", moves: str = "B[F5//2.768]W[D6/0.00/0.1]") -> str:
    """Return a game as NBoard sends it."""
    return f"(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]{tags}TY[8]BO[{BOARD}]{moves};)"


@given(
    st.lists(st.integers(0, PASS), max_size=60),
    st.sampled_from(Color),
    st.none() | st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)),
)
def test_a_game_reads_back(moves: list[int], first: Color, clocks_s: tuple[int, int] | None) -> None:
    clocks = None if clocks_s is None else (ClockState(clocks_s[0]), ClockState(clocks_s[1]))
    game = parse_game(format_game(Board(START.cells, first), moves, clocks))
    assert game.start == Board(START.cells, first)
    assert [played.move for _, played in game.moves] == moves
    assert [color for color, _ in game.moves] == [Color(first ^ ply % 2) for ply in range(len(moves))]
    assert [clock and clock.main_s for clock in game.clocks] == list(clocks_s or (None, None))


@pytest.mark.parametrize(
    "tags",
    [
        "DT[2022-01-17 12:52:30 GMT]",
        "DT[1071516798]RB[2574,5]RW[very good]RE[won]RE[0,00:t]RE[]",
        "CO[B[F5] was good]ZZ[unknown tag]X[1]CO[:-)]PB[an ] in a name]PW[K\u00e4the \u5c71\u7530 \udcff ;)]",
        "  EV[ ]\u00a0RO [ 3 ] KB[-]KW[\u221e]KM[NaN]",
        "TI[a while]TI[]TI[5 min]TI[-3:00]TI[1:2:3:4:5]TI[12:a]TB[//]TW[/]",
    ],
)
def test_a_note_that_cannot_be_read_costs_nothing(tags: str) -> None:
    assert parse_game(sent(tags)) == SentGame(START, MOVES)


@pytest.mark.parametrize(
    ("tags", "black", "white"),
    [
        ("TI[5:00]", (300, 0), (300, 0)),
        ("TI[300]", (300, 0), (300, 0)),
        ("TI[4:32,5//2:00]", (272.5, 0), (272.5, 0)),
        ("TI[\u0664:\u0663\u0662\u066b\u0665]", (272.5, 0), (272.5, 0)),
        ("TB[01:00:00/00:10/02:00]TW[30/5,5]", (3600, 10), (30, 5.5)),
        ("TI[1.00:00:01]TW[0:59.999]", (86401, 0), (59.999, 0)),
        ("TI[05:00,0:1/00:10,1:0//02:00,0:1]", (300, 10), (300, 10)),
        ("TI[9999:00:00/x]", (9999 * 3600, 0), (9999 * 3600, 0)),
        ("TI[0]TB[7]", (7, 0), None),
        ("BT[00:00:02/00:00:00/00:00:00]WT[00:00:03/00:00:01/00:00:00]", (2, 0), (3, 1)),
    ],
)
def test_clocks(tags: str, black: tuple[float, float] | None, white: tuple[float, float] | None) -> None:
    expected = [own and TimeSettings(TimeSystem.FISCHER, *own) for own in (black, white)]
    assert parse_game(sent(tags)) == SentGame(START, MOVES, (expected[0], expected[1]))


@pytest.mark.parametrize(
    "moves", ["B[F5//2,768]W[D6/0,00/0,1]", "B[ f5 //2.768]w[D6 0.00 0.1]", "b[F5//2.768] W [d6/0/.1]"]
)
def test_moves_in_other_spellings(moves: str) -> None:
    assert parse_game(sent("", moves)) == SentGame(START, MOVES)


@pytest.mark.parametrize("variant", ["8", "s8", "8k", "s8r14", "", "the usual", "\u0668"])
def test_variants_that_are_this_game(variant: str) -> None:
    assert parse_game(sent(f"TY[{variant}]")) == SentGame(START, MOVES)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "a game in GGF"),
        ("bad", "a game in GGF"),
        ("(;GM[Othello]", "a game in GGF"),
        (sent()[:-2], "a game in GGF"),
        ("(;GM[Othello]PB[(a)]B[F5", "one game"),
        (sent() + sent(), "one game"),
        (sent().replace("Othello", "Go"), "the game Othello"),
        (sent("TY[8a]"), "8x8"),
        (sent("TY[s8ar14]"), "8x8"),
        (sent("TY[10]"), "8x8"),
        (sent("TY[88]"), "8x8"),
        (sent().replace("BO[8", "BO[10"), "size 8"),
        (sent().replace(BOARD, ""), "size 8"),
        (sent().replace("O*------", "Q*------"), "X, O or -"),
        (sent().replace("--- *]", "- *]"), "64 cells"),
        (sent("", "B[F5]W[z9]"), "a move"),
        (sent("", "B[F5]W[]"), "a move"),
    ],
)
def test_what_does_not_tell_a_position_is_refused(text: str, what: str) -> None:
    with pytest.raises(NBoardError, match=what):
        parse_game(text)
