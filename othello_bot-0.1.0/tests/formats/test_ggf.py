"""GGF: what programs write, what we write, and invalid text."""

from __future__ import annotations

import pytest

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import PASS, parse_move
from othello_bot.formats import ggf
from othello_bot.formats.record import MoveNote
from othello_bot.rules.position import Position
from tests.formats.samples import GGS_GAME, START_BOARD, first_game, passing_game


def test_a_game_of_the_server() -> None:
    record = first_game(ggf, GGS_GAME)
    assert record.game.transcript() == "d3c5d6"
    assert (record.black, record.white, record.place) == ("Saio1200", "Saio3000", "GGS/os")
    assert (record.black_rating, record.white_rating) == (2197.01, 2198.72)
    assert (record.result, record.ending, record.date) == (-12.0, "time", "2004-09-18")
    assert record.time_of_day == "05:54:38 MDT"
    assert "]DT[2004.09.18_05:54:38.MDT]" in ggf.write_game(record)
    assert record.clock == TimeControl(300, 0, grace_s=120)
    assert record.notes == {0: MoveNote(None, 0.01), 1: MoveNote(-1.25, 0.5), 2: MoveNote(0.0, None)}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"1 {GGS_GAME}", 1),
        (f"2 {GGS_GAME}{GGS_GAME}\n1 {GGS_GAME}\n", 3),
        (f"{GGS_GAME}\r\n\r\n{GGS_GAME}", 2),
        (GGS_GAME.replace("]", "] \n"), 1),
        (GGS_GAME.replace(";)", ")"), 1),
        ("no game here", 0),
    ],
)
def test_several_games_and_their_numbers(text: str, count: int) -> None:
    records = list(ggf.FORMAT.records(text))
    assert [record.game.transcript() for record in records] == ["d3c5d6"] * count


def test_clocks_of_each_player() -> None:
    record = first_game(ggf, "(;GM[Othello]TI[15:00]TB[01:00:00/00:10/02:00]TY[8]B[f5];)")
    assert record.black_clock == TimeControl(3600, 10, grace_s=120)
    assert record.white_clock is None and record.clock == TimeControl(900)
    server = first_game(ggf, "(;GM[Othello]BT[00:00:02/00:00:00/00:00:00]WT[00:00:03//]TY[8]B[f5];)")
    assert (server.black_clock, server.white_clock) == (TimeControl(2), TimeControl(3))
    assert server.left_out == set()


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("05:00//02:00", TimeControl(300, 0, grace_s=120)),
        ("00:30", TimeControl(30)),
        ("30", TimeControl(30)),
        ("1:30:05/2/", TimeControl(5405, 2, grace_s=0)),
        ("00:56,1:0//02:00,1:0", TimeControl(56, 0, grace_s=120)),
        ("0:00.25", TimeControl(0.25)),
    ],
)
def test_clock_texts(text: str, clock: TimeControl) -> None:
    assert ggf.parse_clock(text) == clock
    assert ggf.parse_clock(ggf.format_clock(clock)) == clock


@pytest.mark.parametrize("text", ["", "/", "//02:00", "five minutes", "-1:00", "1:2:3:4", "inf", "nan", "1" * 400])
def test_texts_that_are_no_clock(text: str) -> None:
    with pytest.raises(FormatError):
        ggf.parse_clock(text)


@pytest.mark.parametrize(
    ("text", "note", "written"),
    [
        ("F5", MoveNote(), "F5"),
        ("f5/1.25", MoveNote(1.25), "F5/1.25"),
        ("F5//2.449", MoveNote(None, 2.449), "F5//2.449"),
        ("F5/-3/2", MoveNote(-3, 2), "F5/-3.00/2.000"),
        ("F5/NaN/1", MoveNote(None, 1), "F5//1.000"),
        ("F5/", MoveNote(), "F5"),
    ],
)
def test_moves_with_score_and_time(text: str, note: MoveNote, written: str) -> None:
    assert ggf.parse_annotated_move(text) == (parse_move("f5"), note)
    assert ggf.format_annotated_move(parse_move("f5"), note) == written


def test_a_set_up_start_with_white_to_move() -> None:
    record = first_game(ggf, "(;GM[Othello]BO[8 " + "-" * 27 + "O*------***" + "-" * 26 + " O]W[d6]B[c3];)")
    assert record.game.start == Position.start().play(parse_move("f5"))
    assert record.game.transcript() == "d6c3"


@pytest.mark.parametrize("kind", ["8", "8b", "8w", "8k", "8r18", "s8r20", "8kr20", "S8", "?", "", "Othello"])
def test_kinds_of_this_game(kind: str) -> None:
    assert first_game(ggf, f"(;GM[Othello]TY[{kind}]B[f5];)").game.ply == 1


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("8a", "game type '8a': expected Othello; a stands for reversed Othello, where fewer discs win"),
        ("s8r20a", "game type 's8r20a': expected Othello; a stands for reversed Othello, where fewer discs win"),
        ("10", "board size '10': expected 8"),
        ("s6r14", "board size '6': expected 8"),
        ("88", "board size '88': expected 8"),
        ("8z", "game type '8z': expected Othello on 8x8, such as 8, s8r18 or 8k"),
        ("anti", "game type 'anti': expected Othello on 8x8, such as 8, s8r18 or 8k"),
    ],
)
def test_other_games_are_refused_with_the_reason(kind: str, reason: str) -> None:
    """Also where the moves would be legal."""
    with pytest.raises(FormatError) as caught:
        first_game(ggf, f"(;GM[Othello]BO[{START_BOARD}]TY[{kind}]B[f5];)")
    assert caught.value.reason == reason


@pytest.mark.parametrize("space", [" ", "  ", "\n", "\t", ""])
def test_the_space_in_a_board_is_free(space: str) -> None:
    board = START_BOARD.replace(" ", space)
    assert first_game(ggf, f"(;GM[Othello]BO[{space}{board}{space}]B[f5];)").game.start == Position.start()


def test_komi_is_left_out_and_a_comment_on_a_move_is_kept() -> None:
    record = first_game(ggf, "(;GM[Othello]TY[8k]KM[-3.133]KB[B3/2.00/27.23]B[f5]CO[good  move]CO[so]W[d6];)")
    assert record.left_out == {"komi"}
    assert record.notes == {0: MoveNote(comment="good move so")}
    assert "B[F5]CO[good move so]W[D6]" in ggf.write_game(record)


@pytest.mark.parametrize(
    ("tags", "result", "note"),
    [
        ("RE[many]RB[1e999]B[f5/x/y]", None, None),
        ("RE[+2,00]RB[1500,5]B[f5/0,50/2,768]", 2.0, MoveNote(0.5, 2.768)),
        ("RE[+2.00:z]TI[soon]B[f5//2.7680000000000002]", 2.0, MoveNote(None, 2.7680000000000002)),
        ("RE[?]DT[then]B[f5/NaN/]", None, None),
        ("TB[soon]B[f5/1/-1]", None, MoveNote(1.0)),
    ],
)
def test_details_that_cannot_be_read_cost_no_game(tags: str, result: float | None, note: MoveNote | None) -> None:
    record = first_game(ggf, f"(;GM[Othello]{tags}W[d6];)")
    assert record.game.transcript() == "f5d6"
    assert record.result == result
    assert record.notes == ({} if note is None else {0: note})
    assert record.left_out == ({"unreadable details"} if "many" in tags or "soon" in tags else set())


def test_passes_written_omitted_and_at_the_end() -> None:
    game = passing_game()
    before = game.moves.index(PASS)
    colors = [game.position_at(ply).color.letter.upper() for ply in range(game.ply)]
    written = [f"{color}[{ggf.format_annotated_move(move)}]" for color, move in zip(colors, game.moves, strict=True)]
    omitted = [tag for tag in written if "PA" not in tag]
    for tags in (written, omitted, [*written, "B[PA]", "W[PA]"], [*omitted, "W[pa//0.1]"]):
        assert first_game(ggf, f"(;GM[Othello]{''.join(tags)};)").game == game
    # A host asks for a move after a pass that ends the game text: the pass must count.
    waiting = first_game(ggf, f"(;GM[Othello]{''.join(written[: before + 1])};)").game
    assert waiting.moves == game.moves[: before + 1]


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ("(;GM[Go];)", "Go", 5),
        ("(;GM[Othello]B[f5]W[a1];)", "a1", 20),
        ("(;GM[Othello]B[f5]B[d6];)", "d6", 20),
        ("(;GM[Othello]B[f5]W[PA];)", "pass", 20),
        ("(;GM[Othello]B[f5", "B[f5", 13),
        ("(;GM[Othello]B[f5]", "", 18),
        ("(;GM[Othello]BO[10 *];)", "10", 16),
        ("(;GM[Othello]BO[8 ?];)", "?", 16),
        ("(;" + "C[x]" * 10_000, "C", 2050),
    ],
)
def test_nonsense_in_ggf(text: str, value: str, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        first_game(ggf, text)
    assert (caught.value.value, caught.value.place) == (value, place)
