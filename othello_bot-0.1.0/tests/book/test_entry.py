"""Entries: their best moves, their keys and the images of their moves."""

from __future__ import annotations

from othello_bot.book.entry import Entry, Scored, key_of, representative, stabilizer
from othello_bot.rules.position import Position

GOOD, DEEP, BAD = Scored(19, 4, 10, 73), Scored(26, 4, 12, 73), Scored(37, -2, 20, 73)


def test_the_best_move_of_an_entry() -> None:
    assert Entry(7).best_score == 7
    assert Entry(7, moves=(BAD, GOOD)).best_score == 4
    assert Entry(7, moves=(BAD,), leaf=GOOD).best_score == 4
    assert Entry(7, moves=(GOOD,), leaf=BAD).best_score == 4
    assert Entry(7, leaf=BAD).best_score == -2


def test_moves_in_the_order_of_their_worth() -> None:
    assert Entry(4, moves=(BAD, GOOD), leaf=DEEP).scored == (DEEP, GOOD, BAD)
    assert Entry(4, moves=(GOOD, DEEP)).scored == (DEEP, GOOD)
    other = DEEP._replace(move=20)
    assert Entry(4, moves=(DEEP, other)).scored == (other, DEEP)
    assert Entry(4).scored == ()


def test_a_score_between_equal_bounds_is_proven() -> None:
    assert Entry(4, 4, 4).exact and not Entry(4, 3, 4).exact and not Entry(4).exact


def test_what_an_entry_is_without_more() -> None:
    assert Entry(4) == Entry(4, -64, 64, 0, 0, 0, 0, (), None)
    assert GOOD.games == 0


def test_the_start_is_left_as_it_is_by_four_symmetries() -> None:
    canonical, _ = Position.start().canonical()
    symmetries = stabilizer(canonical)
    assert len(symmetries) == 4 and symmetries[0] == 0
    assert {representative(move, symmetries) for move in canonical.legal_moves} == {min(canonical.legal_moves)}
    assert representative(37, (0,)) == 37
    after = Position.start().play("f5")
    assert stabilizer(after.canonical()[0]) == (0,)
    assert key_of(after) == key_of(Position.start().play("d3"))
