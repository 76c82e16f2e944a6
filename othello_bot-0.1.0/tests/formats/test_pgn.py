"""PGN: what programs write, and invalid text."""

from __future__ import annotations

import pytest

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import PASS, Color, square_name
from othello_bot.formats import pgn
from othello_bot.formats.record import MoveNote
from othello_bot.rules.game import Game
from tests.formats.samples import first_game, passing_game


def test_pgn_of_edax() -> None:
    text = (
        '[Event "?"]\n[Site "local"]\n[Date "2020.1.1"]\n[Round "?"]\n[Black "Edax"]\n[White "A \\"B\\""]\n'
        '[Result "1-0"]\n\n1. f5 d6 2. c3 d3 3. c4 1-0\n'
    )
    record = first_game(pgn, text)
    assert record.game == Game.from_transcript("f5d6c3d3c4")
    assert (record.black, record.white, record.place, record.event) == ("Edax", 'A "B"', "local", "")
    assert (record.result, record.winner) == (None, Color.BLACK)


def test_pgn_of_playok() -> None:
    game = passing_game()
    moves = " ".join("--" if move == PASS else square_name(move) for move in game.moves)
    tags = '[Site "PlayOK"]\n[Black "a"]\n[BlackElo "1500"]\n[White "b"]\n[Result "0-1"]'
    record = first_game(pgn, f"{tags}\n\n{moves} 0-1")
    assert (record.game, record.black_rating) == (game, 1500.0)
    assert record.known_result == game.final_score


def test_pgn_of_a_tournament_base() -> None:
    first_text = '[Event "Open - 1977"]\n[Result "34-30"]\n1. F5 D6\n3. C3 F3\n5. F4 D3\n\n'
    first, second = pgn.FORMAT.records(f'{first_text}[Event "Next"]\n\n1. F5 F6\n38-26\n')
    assert (first.game.transcript(), first.result) == ("f5d6c3f3f4d3", 4.0)
    assert (second.game.transcript(), second.event, second.result) == ("f5f6", "Next", 12.0)


def test_pgn_of_an_arena() -> None:
    text = '[TimeControl "60+0.5"]\n\n1. f5 {+2.00/14 1.2s} d6! {book} (1... f4 2. e3) 2. c3 {3s} $1 ; rest *\n*'
    record = first_game(pgn, text)
    assert record.game.transcript() == "f5d6c3"
    assert record.clock == TimeControl(60, 0.5)
    assert record.notes == {
        0: MoveNote(2.0, 1.2),
        1: MoveNote(comment="book"),
        2: MoveNote(None, 3.0, comment="rest *"),
    }
    assert record.result is None
    assert record.left_out == {"variations", "annotation signs"}


def test_times_as_chess_servers_write_them_are_kept() -> None:
    text = "1. f5 {[%emt 0:00:12]} d6 {[%clk 0:04:56.5] a good move} 2. c3 {+2.00/14 [%clk 1:00:01]} d3 { 3 s }\n*"
    record = first_game(pgn, text)
    notes = {
        0: MoveNote(None, 12.0),
        1: MoveNote(left_s=296.5, comment="a good move"),
        2: MoveNote(2.0, left_s=3601.0),
        3: MoveNote(None, 3.0),
    }
    assert record.notes == notes
    written = pgn.write_game(record)
    assert "{[%clk 0:04:56.500]} {a good move}" in written
    assert first_game(pgn, written).notes == notes


@pytest.mark.parametrize(
    ("tags", "end", "result", "winner", "ending"),
    [
        ("", "0-1", None, Color.WHITE, ""),
        ('[Result "1-0"]', "*", None, Color.BLACK, ""),
        ('[Result "40-24"]', "1-0", 16.0, None, ""),
        ('[Result "0-1"]', "20-44", -24.0, None, ""),
        ("", "1/2-1/2", 0.0, None, ""),
        ("", "*", None, None, ""),
        ('[Termination "Ann won on time"]', "0-1", -64.0, None, "time"),
        ('[Termination "normal"]', "1-0", None, Color.BLACK, ""),
    ],
)
def test_a_result_without_discs_is_no_wipe_out(
    tags: str, end: str, result: float | None, winner: Color | None, ending: str
) -> None:
    record = first_game(pgn, f"{tags}\n\n1. f5 d6 {end}")
    assert (record.result, record.winner, record.ending) == (result, winner, ending)
    again = first_game(pgn, pgn.write_game(record))
    assert again.known_winner == record.known_winner


@pytest.mark.parametrize("variant", ["Anti Reversi", "6x6", "Chess960"])
def test_other_variants_are_refused(variant: str) -> None:
    with pytest.raises(FormatError, match="expected Othello on 8x8"):
        first_game(pgn, f'[Variant "{variant}"]\n\n1. f5')
    assert first_game(pgn, '[Variant "Reversi 8x8"]\n\n1. f5').game.ply == 1


@pytest.mark.parametrize(
    ("tags", "date", "time_of_day", "written"),
    [
        ('[Date "????.??.??"]', "", "", '[Date "????.??.??"]'),
        ('[Date "2003.??.??"]', "2003", "", '[Date "2003.??.??"]'),
        ('[Date "2003.12.15"]\n[Time "12:33:18"]', "2003-12-15", "12:33:18", '[Time "12:33:18"]'),
        ('[UTCDate "2003.12.15"]\n[UTCTime "12:33:18"]', "2003-12-15", "12:33:18 UTC", '[Date "2003.12.15"]'),
        ('[Date "2003.13.45"]', "2003.13.45", "", '[Date "2003.13.45"]'),
    ],
)
def test_dates_of_pgn(tags: str, date: str, time_of_day: str, written: str) -> None:
    record = first_game(pgn, f"{tags}\n\n1. f5")
    assert (record.date, record.time_of_day) == (date, time_of_day)
    assert written in pgn.write_game(record)


@pytest.mark.parametrize("fen", ["8/8/8/3pPp2/3Pp3/8/8/8 w - - 0 1", "-" * 27 + "OX------XOX" + "-" * 26 + " O"])
def test_pgn_with_a_start(fen: str) -> None:
    record = first_game(pgn, f'[FEN "{fen}"]\n\n1. d6')
    assert record.game.start.color is Color.WHITE
    assert record.game.transcript() == "d6"


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ("1. e4 e5", "e4", 3),
        ("1. f5 hello", "hello", 6),
        ("1. f5 ) d6", ")", 7),
        ('[FEN "9"]', "9", 6),
        ('[Black "no end', '[Black "no end', 0),
        ("1. f5 {no end", "{no end", 6),
    ],
)
def test_nonsense_in_pgn(text: str, value: str, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        first_game(pgn, text)
    assert (caught.value.value, caught.value.place) == (value, place)
