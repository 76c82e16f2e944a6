"""Which leaves are within reach, at which level they are searched, and what other programs' books may say."""

from __future__ import annotations

import struct

import pytest

from othello_bot.base.notation import PASS
from othello_bot.book import BookError, Scored
from othello_bot.book_growing.exchange import checked_move, checked_score, count_in_header, position_at
from othello_bot.book_growing.expansion import DISC_PLIES, Levels, Place, Reach, arrival
from othello_bot.book_growing.graph import UNPROVEN, scored
from othello_bot.rules import Position

START = Position.start()
TO_PASS = Position.parse("X" * 62 + "O- O")


@pytest.mark.parametrize(
    ("line_loss", "loss", "ply", "covered"),
    [(12, 6, 40, True), (13, 6, 40, False), (12, 7, 40, False), (12, 6, 41, False), (0, 0, 0, True)],
)
def test_the_limits_are_within_reach(line_loss: int, loss: int, ply: int, covered: bool) -> None:
    assert Reach().covers(Place(0.0, line_loss), loss, ply) is covered


def test_the_first_plies_have_a_level_of_their_own() -> None:
    levels = Levels(late=5, early=7)
    assert [levels.at(60 - ply) for ply in (0, 14, 15, 60)] == [7, 7, 5, 5]
    assert (Levels().late, Levels().early, DISC_PLIES) == (21, 21, 2.0)


def test_the_search_that_adds_a_position() -> None:
    levels = Levels(late=5, early=7, early_plies=1)
    task = arrival((START.mover, START.opponent), levels)
    assert (task.level, task.new, task.passing) == (7, True, None)
    task = arrival((TO_PASS.mover, TO_PASS.opponent), levels)
    assert (task.level, task.new, task.passing) == (5, True, (TO_PASS.mover, TO_PASS.opponent))
    assert task.key != task.passing


@pytest.mark.parametrize(("level", "depth"), [(-5, 1), (0, 1), (6, 6), (60, 60), (99, 60)])
def test_scores_of_other_programs_are_never_proven(level: int, depth: int) -> None:
    assert scored(19, 4, level, 60) == Scored(19, 4, depth, UNPROVEN)
    assert UNPROVEN == 99


def test_selective_levels_stay_selective() -> None:
    assert scored(19, 4, 21, 60).selectivity == 73


@pytest.mark.parametrize(("score", "fits"), [(64, True), (-64, True), (65, False), (-65, False)])
def test_scores_are_possible(score: int, fits: bool) -> None:
    if fits:
        assert checked_score(score, 7) == score
    else:
        with pytest.raises(BookError, match=r"expected a number from -64 to 64 \(at offset 7\)"):
            checked_score(score, 7)


@pytest.mark.parametrize(
    ("move", "legal"), [(19, True), (44, True), (0, False), (-1, False), (63, False), (PASS, False)]
)
def test_moves_are_legal(move: int, legal: bool) -> None:
    if legal:
        assert checked_move(move, START, 7) == move
    else:
        with pytest.raises(BookError, match=r"expected a legal move \(at offset 7\)"):
            checked_move(move, START, 7)


@pytest.mark.parametrize("move", [0, 63])
def test_a_move_to_the_first_or_last_square_is_legal_too(move: int) -> None:
    beside, middle = (1, 2) if move == 0 else (62, 61)
    assert checked_move(move, Position(1 << middle, 1 << beside), 7) == move


def test_a_pass_is_legal_where_it_is_forced() -> None:
    assert checked_move(PASS, TO_PASS, 7) == PASS
    with pytest.raises(BookError):
        checked_move(63, TO_PASS, 7)


def test_headers_and_positions() -> None:
    header = struct.Struct("<2sBi")
    assert count_in_header(header.pack(b"AB", 3, 17) + b"more", "Program", header, b"AB", 3) == 17
    for data, why in (
        (b"AC", "Program book .*: expected a file that begins with b'AB'"),
        (b"AB", "length of the Program book 2: expected at least 7 bytes"),
        (header.pack(b"AB", 4, 17), r"version of the Program book 4: expected 3, but \(at offset 2\)"),
    ):
        with pytest.raises(BookError, match=why):
            count_in_header(data, "Program", header, b"AB", 3, ", but")
    assert position_at(b"?" + struct.pack("<QQ", 1, 2), 1) == Position(1, 2)
    with pytest.raises(BookError, match=r"position of the book .*at offset 1"):
        position_at(b"?" + struct.pack("<QQ", 1, 1), 1)
