"""All text formats of games: what is written is read, and the format of a text is detected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError
from othello_bot.formats import ggf, pgn, reading, sgf
from othello_bot.formats.record import EndedBy, GameRecord, MoveNote
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.formats.samples import EDAX_SGF, GGS_GAME, START_BOARD, WIPE_OUT, first_game
from tests.rules.strategies import games, games_from_anywhere


# A game takes long to make and to read four times, so that half the examples have to do.
@settings(max_examples=settings().max_examples // 2)
@given(
    games_from_anywhere() | games(),
    st.text(max_size=20),
    st.none() | st.floats(-64, 64).map(lambda score: round(score, 2)),
    st.floats(0, 1000).map(lambda seconds: round(seconds, 3)),
)
def test_what_is_written_is_read(game: Game, name: str, score: float | None, seconds: float) -> None:
    notes = {ply: MoveNote(score, seconds) for ply in range(0, game.ply, 3)}
    clock = TimeControl(300, 2)
    record = GameRecord(game, black=name, white="w", clock=clock, notes=notes, black_rating=1500.5, ending=EndedBy.TIME)
    for write, form in (
        (ggf.write_game, ggf),
        (pgn.write_game, pgn),
        (sgf.write_game, sgf),
        (lambda record: sgf.write_game(record, go_points=True), sgf),
    ):
        text = write(record)
        again = first_game(form, text)
        if game.start != Position.from_colors(0, 0, game.start.color):
            assert again.game == game
        assert (again.white, again.black_rating) == ("w", 1500.5)
        assert again.clock is not None and again.clock.main_s == 300
        if form is not sgf:
            assert again.notes == notes
        if game.is_over:
            assert (again.known_result or 0) * game.final_score >= 0
        else:
            assert again.result is None
        assert [found.game for found in reading.read_games(text)] == [again.game]


@pytest.mark.parametrize("form", [ggf, sgf, pgn])
def test_a_comment_on_the_game_is_kept(form: ModuleType) -> None:
    record = GameRecord(Game.from_transcript("f5d6c3"), comment="seed 4711 (drawn)")
    assert first_game(form, form.write_game(record)).comment == "seed 4711 (drawn)"
    record.comment = "}] ;) [a"
    assert first_game(form, form.write_game(record)).game.transcript() == "f5d6c3"


@pytest.mark.parametrize("form", [ggf, sgf, pgn])
def test_all_digits_of_large_numbers_are_written(form: ModuleType) -> None:
    record = GameRecord(Game.from_transcript("f5"), black_rating=2700.1234, clock=TimeControl(3_100_000, 0))
    again = first_game(form, form.write_game(record))
    assert (again.black_rating, again.clock) == (2700.1234, TimeControl(3_100_000, 0))


def test_a_comment_on_a_move_is_none_on_the_game() -> None:
    assert first_game(ggf, "(;GM[Othello]B[f5]CO[good move]W[d6];)").comment == ""


def test_the_written_forms() -> None:
    record = GameRecord(Game.from_transcript(WIPE_OUT), black="A", white="B", notes={0: MoveNote(0.5, 1.25)})
    assert ggf.write_game(record) == (
        f"(;GM[Othello]PC[?]DT[?]PB[A]PW[B]TY[8]RE[+64.00]BO[{START_BOARD}]"
        "B[F5/0.50/1.250]W[D6]B[C5]W[F4]B[E3]W[F6]B[G5]W[E6]B[E7];)"
    )
    assert sgf.write_game(record) == (
        "(;FF[4]GM[2]AP[othello-bot]SZ[8]PB[A]PW[B]RE[B+64]AB[e4][d5]AW[d4][e5]PL[B]"
        ";B[f5];W[d6];B[c5];W[f4];B[e3];W[f6];B[g5];W[e6];B[e7])"
    )
    header, moves = pgn.write_game(record).split("\n\n")
    assert header.splitlines()[4:] == ['[Black "A"]', '[White "B"]', '[Result "1-0"]', '[Variant "Othello"]']
    assert moves == "1. f5 {+0.50 1.250s} d6 2. c5 f4 3. e3 f6 4. g5 e6 5. e7 1-0\n"


READERS: list[Callable[[str], Iterator[GameRecord]]] = [
    ggf.FORMAT.records,
    sgf.FORMAT.records,
    pgn.FORMAT.records,
    reading.read_games,
]


@given(st.sampled_from([GGS_GAME, EDAX_SGF, "1. f5 d6 2. c3 *"]), st.data())
def test_a_damaged_game_is_read_or_refused(text: str, data: st.DataObject) -> None:
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    damaged = text[:first] + data.draw(st.text(max_size=3)) + text[last:]
    for reader in READERS:
        try:
            list(reader(damaged))
        except FormatError as error:
            assert 0 <= error.place <= len(damaged)


@pytest.mark.parametrize(
    ("text", "transcripts"),
    [
        (GGS_GAME, ["d3c5d6"]),
        (f"2 {GGS_GAME}{GGS_GAME}", ["d3c5d6"] * 2),
        (EDAX_SGF, ["f5d6c3"]),
        ("1. f5 d6 2. c3 *", ["f5d6c3"]),
        ("1. f5 d6\n2. c3 d3\n", ["f5d6c3d3"]),
        ("# openings\nf5d6c3\n\nF5 F6 % diagonal\n", ["f5d6c3", "f5f6"]),
        ("1. f5 d6 2. c3", ["f5d6c3"]),
        ("", []),
    ],
)
def test_the_format_is_found_out(text: str, transcripts: list[str]) -> None:
    assert [record.game.transcript() for record in reading.read_games(text)] == transcripts
