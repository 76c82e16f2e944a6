"""How people play: what they see and miss, what they think of it, and that nothing of this comes by chance."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.notation import PASS, parse_square
from othello_bot.engine.amateur import CORNERS, WIN, Amateur, difficulty, lots
from othello_bot.engine.strength import STEPS, Faculties
from othello_bot.evaluation import shipped
from othello_bot.kernel import handmade_value as advice
from othello_bot.rules import Game, Position
from tests.rules.strategies import positions, random_game

CLEAR = Faculties(1, greed=1.0)
"""Sees everything one ply ahead and takes the most discs."""

PEOPLE = [step.faculties for step in STEPS if step.faculties is not None]


def bits(*squares: str) -> int:
    return sum(1 << parse_square(square) for square in squares)


def random_position(seed: int, plies: int) -> Position:
    return random_game(seed, plies).position


def discs_after(position: Position, move: int) -> int:
    """Return the disc difference after a move, from the view of its player."""
    after = position.play(move)
    return after.opponent.bit_count() - after.mover.bit_count()


def naive(position: Position, plies: int, faculties: Faculties) -> float:
    """Plain minimax with the values of a person who misses and misjudges nothing."""
    if position.is_over:
        discs = position.mover.bit_count() - position.opponent.bit_count()
        return discs + math.copysign(WIN, discs) if discs else 0.0
    if position.must_pass:
        return -naive(position.play(PASS), plies, faculties)
    if plies == 0:
        known = faculties.greed * (position.mover.bit_count() - position.opponent.bit_count())
        known += faculties.advice * advice(position.mover, position.opponent)
        learned = shipped().evaluate(position.mover, position.opponent)
        return (1 - faculties.training) * known + faculties.training * learned
    return max(-naive(position.play(move), plies - 1, faculties) for move in position.legal_moves)


@pytest.mark.parametrize("seed", range(12))
def test_a_greedy_person_who_sees_one_ply_takes_the_most_discs(seed: int) -> None:
    position = random_position(seed, 8 + 3 * seed)
    if not position.legal_moves:
        return
    chosen = Amateur(CLEAR, seed).choose(position)
    assert discs_after(position, chosen) == max(discs_after(position, move) for move in position.legal_moves)


@pytest.mark.parametrize(
    "faculties",
    [
        replace(CLEAR, sight=2),
        replace(CLEAR, sight=3),
        Faculties(2, advice=1.0, training=0.4),
        Faculties(2, greed=1.0, training=0.4),
        Faculties(3, training=1.0),
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_further_sight_is_minimax(faculties: Faculties, seed: int) -> None:
    position = random_position(seed, 6 + 9 * seed)
    chosen = Amateur(faculties, 0).choose(position)
    values = {move: -naive(position.play(move), faculties.sight - 1, faculties) for move in position.legal_moves}
    assert chosen == PASS if not values else values[chosen] == pytest.approx(max(values.values()))


@pytest.mark.parametrize("seed", range(6))
def test_who_counts_to_the_end_makes_no_mistake_there(seed: int) -> None:
    game = random_game(seed)
    position = next(game.position_at(ply) for ply in range(game.ply) if game.position_at(ply).empties <= 6)
    careless = Faculties(1, greed=1.0, misjudgement=30.0, counting=6)
    chosen = Amateur(careless, seed).choose(position)
    values = {move: -naive(position.play(move), 60, CLEAR) for move in position.legal_moves}
    assert chosen == PASS if not values else values[chosen] == max(values.values())


def test_training_changes_what_a_person_likes() -> None:
    places = [random_position(seed, 20) for seed in range(30)]
    chosen = [
        [Amateur(Faculties(2, advice=1.0, training=training), 0).choose(position) for position in places]
        for training in (0.0, 0.5, 1.0)
    ]
    agreeing = [sum(map(int.__eq__, one, chosen[2])) for one in chosen]
    assert agreeing[0] < agreeing[1] < agreeing[2]


LEAVING = Game.from_transcript("e6f6f5d6c5b6e7d8c4e3f7c6d7g5c7f8g4b5f3c8e8b4").position
"""A position where some moves leave a corner."""


def test_who_finds_only_moves_that_leave_a_corner_looks_again() -> None:
    position = Game.from_transcript("c4e3f2c5d6e2f3g1d1g3e6c3b6e1b2a7g4f4h2f7d2h3b4c1").position
    keeping = [move for move in position.legal_moves if not position.play(move).legal_bits & CORNERS]
    assert len(keeping) == 1 and len(position.legal_moves) == 7
    for sight, corners, sometimes in ((1, 50.0, True), (2, 50.0, False), (2, 0.0, True)):
        absent = Faculties(sight, inattention=1.0, greed=1.0, corners=corners)
        assert any(Amateur(absent, seed).choose(position) != keeping[0] for seed in range(100)) == sometimes


def test_where_each_move_leaves_a_corner_no_second_one_is_left() -> None:
    moves = "e6f6g6f4e3g7c4h6h8b4c3g8f8d2g3g5b3e7f5h2d3d6c6a2e8b6c2b1a3d8c8b2e2a4c7c5b5f7b7f2d7"
    position = Game.from_transcript(moves).position
    left = {move: (position.play(move).legal_bits & CORNERS).bit_count() for move in position.legal_moves}
    assert sorted(left.values()) == [1, 1, 2, 2]
    for corners, chosen in ((28.0, 1), (0.0, 2)):
        assert left[Amateur(Faculties(2, greed=1.0, corners=corners), 0).choose(position)] == chosen


def test_where_no_corner_is_left_nobody_looks_again() -> None:
    every = [random_position(seed, 10) for seed in range(60)]
    places = [one for one in every if not any(one.play(move).legal_bits & CORNERS for move in one.legal_moves)]
    absent, attentive = (Amateur(Faculties(2, inattention, greed=1.0, corners=5.0), 1) for inattention in (1.0, 0.0))
    assert sum(absent.choose(position) != attentive.choose(position) for position in places) > 5


def test_an_error_never_favours_a_move_that_leaves_a_corner_in_sight() -> None:
    leaving = {parse_square(square) for square in ("g7", "b8", "g8")}
    assert leaving == {move for move in LEAVING.legal_moves if LEAVING.play(move).legal_bits & CORNERS}
    left = [
        sum(
            Amateur(Faculties(sight, greed=1.0, misjudgement=1000.0), seed).choose(LEAVING) in leaving
            for seed in range(200)
        )
        for sight in (1, 2)
    ]
    assert left[0] > 20 and left[1] == 0


def test_short_lines_and_many_discs_are_easier_to_see() -> None:
    short = difficulty(parse_square("b1"), bits("c2"))
    long = difficulty(parse_square("b1"), bits("c2", "d3", "e4", "f5", "g6"))
    many = difficulty(parse_square("d3"), bits("d4", "e4", "c4", "d5"))
    assert 0 < many < short < long <= 1


def test_corners_are_looked_for_and_only_a_long_line_hides_them() -> None:
    assert difficulty(parse_square("a1"), bits("b2")) == 0
    distant = difficulty(parse_square("a1"), bits("b2", "c3", "d4", "e5", "f6", "g7"))
    assert 0.4 < distant < difficulty(parse_square("b1"), bits("c2", "d3", "e4", "f5", "g6"))


def test_what_is_missed_is_the_same_each_time_and_differs_by_seed() -> None:
    absent = Faculties(1, inattention=1.0, greed=1.0, misjudgement=3.0)
    places = [position for seed in range(30) if (position := random_position(seed, 24)).legal_moves]
    one, again, other = ([Amateur(absent, seed).choose(position) for position in places] for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_inattention_misses_moves_that_attention_sees() -> None:
    places = [position for seed in range(60) if len((position := random_position(seed, 24)).legal_moves) > 3]
    clear = [Amateur(CLEAR, 0).choose(position) for position in places]
    missed = [
        sum(
            Amateur(replace(CLEAR, inattention=inattention), 7).choose(position) != seen
            for position, seen in zip(places, clear, strict=True)
        )
        for inattention in (0.0, 0.3, 1.0)
    ]
    assert missed[0] == 0 < missed[1] < missed[2] < len(places)


def test_lots_are_spread_evenly() -> None:
    rng = random.Random(4)
    drawn = b"".join(lots(1, rng.getrandbits(64), rng.getrandbits(64), 64) for _ in range(500))
    assert abs(sum(drawn) / len(drawn) - 127.5) < 2
    assert len({lots(seed, 1, 2, 8) for seed in range(100)}) == 100


def test_told_to_stop_he_plays_the_best_of_what_he_has_looked_at() -> None:
    position = Position.start()
    assert Amateur(Faculties(3, greed=1.0), 0).choose(position, lambda: True) == position.legal_moves[0]


@given(positions(), st.integers(0, 2**63 - 1), st.sampled_from(PEOPLE))
def test_every_person_plays_a_legal_move(position: Position, seed: int, faculties: Faculties) -> None:
    chosen = Amateur(faculties, seed).choose(position)
    assert chosen in position.legal_moves if position.legal_moves else chosen == PASS
