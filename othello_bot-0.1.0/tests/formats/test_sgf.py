"""SGF: what programs write, what we write, and invalid text."""

from __future__ import annotations

import pytest

from othello_bot.base.errors import FormatError
from othello_bot.formats import sgf
from othello_bot.formats.record import MoveNote
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.formats.samples import EDAX_SGF, first_game


def test_sgf_with_square_names() -> None:
    record = first_game(sgf, EDAX_SGF)
    assert record.game == Game.from_transcript("f5d6c3")
    assert (record.black, record.white, record.place, record.result) == ("A]B", "C", "Edax", 12.0)


@pytest.mark.parametrize(
    ("points", "moves"),
    [("fd dc cf", "f5d6c3"), ("fe df cc", "f5d6c3"), ("FD Dc cF", "f5d6c3")],
    ids=["row a is rank 8", "row a is rank 1", "capital letters"],
)
def test_sgf_with_go_points(points: str, moves: str) -> None:
    nodes = "".join(f";{color}[{point}]" for color, point in zip("BWB", points.split(), strict=True))
    assert first_game(sgf, f"(;FF[4]GM[1]SZ[8]{nodes})").game == Game.from_transcript(moves)


@pytest.mark.parametrize("nodes", ["AB[dd][ee]AW[de][ed]PL[B];B[fd]", "AB[de][ed]AW[dd][ee]PL[B];B[fe]"])
def test_sgf_with_go_points_of_the_start(nodes: str) -> None:
    game = first_game(sgf, f"(;GM[2]{nodes})").game
    assert (game.start, game.transcript()) == (Position.start(), "f5")


@pytest.mark.parametrize("word", ["", "tt", "PA", "pass", "--"])
def test_passes_of_sgf(word: str) -> None:
    start = Position.parse("XO" + "-" * 61 + "X" + " O")
    text = f"(;GM[2]AB[a1][h8]AW[b1]PL[W];W[{word}];B[c1])"
    assert first_game(sgf, text).game == Game.from_transcript(f"{start.to_string()} pa c1")


SAVED_BY_GOGUI = """(;FF[4]CA[UTF-8]AP[GoGui:1.6.0]SZ[8]
KM[6.5]DT[2026-11-23]
;B[df]PL[W];W[cf]PL[B];B[ec]PL[W];W[dg]PL[B];B[dh]PL[W];W[eh]PL[B];B[bg]PL[W];
W[ch]PL[B];B[]PL[W];W[dc]PL[B])
"""
"""A game that GoGui 1.6.0 saved; after c1 Black had to pass."""


def test_sgf_that_gogui_saved() -> None:
    record = first_game(sgf, SAVED_BY_GOGUI)
    assert record.game.transcript(passes=True) == Game.from_transcript("d3c3e6d2d1e1b2c1pad6").transcript(passes=True)


def test_only_the_main_line_of_sgf_counts() -> None:
    text = "(;GM[2];B[f5](;W[d6](;B[c3])(;B[c4]))(;W[f4];C[a ) in a comment \\] too]))(;GM[2];B[d3])"
    assert [record.game.transcript() for record in sgf.FORMAT.records(text)] == ["f5d6c3", "d3"]


def test_sgf_rectangles_and_old_names() -> None:
    game = first_game(sgf, "(;GaMe[2]SiZe[8]AddBlack[a1:b2]AddWhite[c1][d1:d1]PLayer[Black];Black[e1])").game
    assert game.position.to_string().startswith("XXXXX---XX------")


def test_comments_and_clocks_of_moves_are_kept() -> None:
    text = "(;GM[2]C[an [old\\] game];B[f5]BL[296.5]C[sharp\\\n er];W[d6]WL[299]KO[](;B[c3])(;B[c4]))"
    record = first_game(sgf, text)
    assert record.comment == "an [old] game"
    assert record.notes == {0: MoveNote(left_s=296.5, comment="sharp er"), 1: MoveNote(left_s=299.0)}
    assert record.left_out == {"variations", "other properties"}
    again = first_game(sgf, sgf.write_game(record))
    assert (again.comment, again.notes) == (record.comment, record.notes)


@pytest.mark.parametrize(
    ("result", "score", "ending"),
    [
        ("W+Forfeit", -64.0, "left"),
        ("B+12", 12.0, ""),
        ("W+4", -4.0, ""),
        ("0", 0.0, ""),
        ("Draw", 0.0, ""),
        ("B+", None, ""),
        ("B+R", 64.0, "resignation"),
        ("W+T", -64.0, "time"),
        ("W+Time", -64.0, "time"),
        ("?", None, ""),
        ("Void", None, ""),
        ("", None, ""),
    ],
)
def test_results_of_sgf(result: str, score: float | None, ending: str) -> None:
    record = first_game(sgf, f"(;GM[2]RE[{result}];B[f5])")
    assert (record.result, record.ending, record.left_out) == (score, ending, set())


@pytest.mark.parametrize("result", ["+14.00:r", "14", "Black", "B+many", "B+1e9", "黒中押し勝ち"])
def test_a_result_that_sgf_does_not_know_is_left_out_with_a_word(result: str) -> None:
    record = first_game(sgf, f"(;GM[2]RE[{result}];B[f5])")
    assert (record.result, record.ending, record.left_out) == (None, "", {"unreadable details"})


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ("(;GM[3])", "3", 5),
        ("(;GM[2]SZ[10])", "10", 10),
        ("(;GM[2];B[z9])", "z9", 10),
        ("(;GM[2];B[f5];W[a1])", "a1", 16),
        ("(;GM[2];B[ff];W[aa])", "f3", 10),
        ("(;GM[2];B[f5];AB[a1])", "AB", 17),
        ("(;GM[2];B[f5]PL[B])", "B", 16),
        ("(;GM[2]AB[a1]AW[a1])", "a1", 5),
        ("(;GM[2];B[f5]", "", 13),
        ("(;GM[2];B[f5", "[f5", 9),
        ("(;[f5])", "[f5]", 2),
        ("(" * 100_000, "", 100_000),
        ("(;" + "C[x]" * 10_000, "C", 20_002),
    ],
)
def test_nonsense_in_sgf(text: str, value: str, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        first_game(sgf, text)
    assert (caught.value.value, caught.value.place) == (value, place)


def test_empty_trees_are_no_games() -> None:
    """Each would cost as much as a game, so that a text of them would take many times longer than one of games."""
    assert list(sgf.FORMAT.games("()" * 1000 + "( )(\n)")) == []
    [found] = sgf.FORMAT.games("()()(;GM[2];B[f5])()")
    assert found.number == 1 and found.checked().game.transcript() == "f5"
