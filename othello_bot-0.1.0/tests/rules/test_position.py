"""Position: its values, its texts, its moves and its symmetries."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.notation import PASS, Color, NotationError, parse_move, parse_square, square_name
from othello_bot.rules.position import (
    SYMMETRIES,
    IllegalMove,
    Position,
    PositionError,
    empties_of,
    inverse_symmetry,
    squares_of,
    transform_bits,
    transform_square,
)
from tests.rules.strategies import any_positions, positions

START = "---------------------------OX------XO---------------------------"
PASSES = Position.parse("OX------" + "-" * 56 + "O")
"""White on a1, Black on b1: White takes c1, Black has no move."""


@pytest.mark.parametrize("number", [-1, 65, 1000])
def test_numbers_that_are_no_move(number: int) -> None:
    with pytest.raises(NotationError):
        transform_square(number, 1)


def test_the_start() -> None:
    start = Position.start()
    assert start.to_string() == f"{START} X"
    assert start.color is Color.BLACK
    assert start.empties == 60
    assert [square_name(square) for square in start.legal_moves] == ["d3", "c4", "f5", "e6"]
    assert (start.score(), start.is_over, start.must_pass) == (0, False, False)
    assert start.disc_at(parse_square("d4")) is Color.WHITE
    assert start.disc_at(parse_square("e4")) is Color.BLACK
    assert start.disc_at(0) is None


def test_black_or_white_to_move() -> None:
    assert Position.parse(START) == Position.parse(str(Position.start())) == Position.start()
    position = Position.parse(f"{START} O")
    assert position == Position(Position.start().opponent, Position.start().mover, Color.WHITE)
    assert (position.black, position.white) == (Position.start().black, Position.start().white)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", ""),
        ("Z" + START[1:], "Z"),
        (f"{START} X X", "XX"),
        ("X" * 100_000, "X" * 100_000),
    ],
)
def test_texts_that_are_no_position(text: str, value: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.parse(text)
    assert caught.value.value == value
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(("mover", "opponent"), [(1, 1), (-1, 0), (0, 1 << 64)])
def test_bitboards_that_are_no_position(mover: int, opponent: int) -> None:
    with pytest.raises(PositionError):
        Position(mover, opponent)


def test_a_position_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Position.start().mover = 0  # type: ignore[misc]

    with pytest.raises(AttributeError):
        Position.start().__init__(0, 0)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        object.__setattr__(Position.start(), "color", Color.WHITE)
    assert Position.start().to_string() == f"{START} X"


class Named(Position):
    """A position with more attributes, which are set before it is made."""

    def __init__(self, name: str, mover: int, opponent: int) -> None:
        super().__init__(mover, opponent, Color.WHITE)
        self.name = name


@dataclasses.dataclass(frozen=True)
class Weighted(Position):
    """A dataclass of a position and a number."""

    weight: float = 0.5


@pytest.mark.parametrize("position", [Position.start(), Named("a", 1, 6), Weighted(1, 6, Color.WHITE, 0.25)])
def test_copies_and_pickles_are_equal(position: Position) -> None:
    for twin in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin == position and hash(twin) == hash(position) and type(twin) is type(position)
        assert twin.to_string() == position.to_string()
        assert getattr(twin, "__dict__", None) == getattr(position, "__dict__", None)
        with pytest.raises(dataclasses.FrozenInstanceError):
            twin.mover = 0  # type: ignore[misc]


def test_a_derived_position() -> None:
    named = Named("a", 1, 6)
    assert (named.name, named.color, named.empties) == ("a", Color.WHITE, 61)
    assert named != Position(1, 6, Color.WHITE)
    assert type(named.play(PASS if named.must_pass else named.legal_moves[0])) is Position
    with pytest.raises(PositionError):
        Weighted(1, 1, Color.BLACK, 0.5)


def test_positions_are_keys() -> None:
    start = Position.start()
    other_side = dataclasses.replace(start, color=Color.WHITE)
    assert len({start, Position.parse(START), other_side}) == 2
    assert len({hash(start.play(move)) for move in start.legal_moves}) == 4


def test_a_position_in_a_match_statement() -> None:
    match Position.start():
        case Position(mover, opponent, Color.BLACK):
            assert (mover, opponent) == (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
        case _:
            raise AssertionError
    match Position.start():
        case Position(color=color):
            assert color is Color.BLACK


@pytest.mark.parametrize("color", [None, 0, True, "black"])
def test_what_is_no_color(color: object) -> None:
    with pytest.raises(PositionError, match=r"expected Color\.BLACK or Color\.WHITE"):
        Position(1, 2, color)  # type: ignore[arg-type]


@pytest.mark.parametrize("bits", [None, 1.0, "1", 1 << 70, -(1 << 70)])
def test_what_is_no_bitboard(bits: object) -> None:
    with pytest.raises(PositionError, match="expected a number of 64 bits"):
        Position(0, bits)  # type: ignore[arg-type]


def test_the_edges_of_a_bitboard() -> None:
    full = (1 << 64) - 1
    assert (Position(full, 0).empties, Position(0, full).empties, Position(0, 0).empties) == (0, 0, 64)
    assert Position(1 << 63, 1).disc_at(63) is Color.BLACK
    with pytest.raises(PositionError, match="expected no square with discs of both players"):
        Position(full, 1 << 63)


def test_bitboards_of_the_colours() -> None:
    white = Position.from_colors(1, 2, Color.WHITE)
    assert (white.mover, white.opponent, white.black, white.white) == (2, 1, 1, 2)
    assert Position.from_colors(1, 2) == Position(1, 2, Color.BLACK)


def test_a_move() -> None:
    after = Position.start().play(parse_move("f5"))
    assert after.to_string() == "---------------------------OX------XXX-------------------------- O"


@pytest.mark.parametrize("move", [*set(range(64)) - {19, 26, 37, 44}, PASS, -1, 65, 1 << 70])
def test_moves_that_the_start_forbids(move: int) -> None:
    with pytest.raises(IllegalMove) as caught:
        Position.start().play(move)
    assert caught.value.move == move
    assert caught.value.expected == "d3 c4 f5 e6"


def test_a_pass() -> None:
    to_pass = dataclasses.replace(PASSES, mover=PASSES.opponent, opponent=PASSES.mover, color=Color.BLACK)
    assert to_pass.must_pass and not to_pass.is_over and to_pass.legal_moves == ()
    assert to_pass.play(PASS) == PASSES
    with pytest.raises(IllegalMove, match="expected pass"):
        to_pass.play(0)


def test_the_end() -> None:
    over = PASSES.play(2)
    assert over.is_over and not over.must_pass
    assert (over.color, over.score(), over.black_score()) == (Color.BLACK, -64, -64)
    for move in (PASS, 3):
        with pytest.raises(IllegalMove, match="the game is over"):
            over.play(move)


def test_a_drawn_board() -> None:
    drawn = str(Position.start()).splitlines()
    assert drawn[0] == "  a b c d e f g h"
    assert drawn[4] == "4 . . . O X . . . 4"
    assert drawn[-1] == "black (X) to move, X 2  O 2"
    assert [line[0] + line[-1] for line in drawn[1:9]] == [2 * str(row) for row in range(1, 9)]
    assert str(Position.start().play("f5")).splitlines()[4:7] == [
        *("4 . . . O X . . . 4", "5 . . . X X X . . 5", "6 . . . . . . . . 6")
    ]
    assert str(PASSES).splitlines()[-1] == "white (O) to move, X 1  O 1"
    assert "game over" in str(PASSES.play(2))


@given(any_positions())
def test_a_string_is_read_back(position: Position) -> None:
    assert Position.parse(position.to_string()) == position
    assert Position.parse(position.to_string().lower()) == position
    assert eval(repr(position)) == position


@given(positions())
def test_a_move_keeps_the_discs_and_adds_one(position: Position) -> None:
    before = position.mover | position.opponent
    for move in position.legal_moves:
        after = position.play(move)
        assert after.mover | after.opponent == before | 1 << move
        assert after.mover & ~position.opponent == 0
        assert after.color is position.color.opponent
        assert after.empties == position.empties - 1
        assert empties_of(after.mover, after.opponent) == after.empties


@given(any_positions())
def test_a_score_is_opposite_for_the_two_players(position: Position) -> None:
    other = Position(position.opponent, position.mover, position.color.opponent)
    assert position.score() == -other.score()
    assert position.black_score() == other.black_score()


@given(positions(), st.sampled_from(SYMMETRIES))
def test_symmetry_and_moves_commute(position: Position, index: int) -> None:
    image = position.transform(index)
    assert sorted(image.legal_moves) == sorted(transform_square(move, index) for move in position.legal_moves)
    for move in position.legal_moves:
        assert image.play(transform_square(move, index)) == position.play(move).transform(index)


@given(any_positions(), st.sampled_from(SYMMETRIES))
def test_a_symmetry_moves_each_square_and_can_be_undone(position: Position, index: int) -> None:
    image = position.transform(index)
    assert image.transform(inverse_symmetry(index)) == position
    assert set(squares_of(image.mover)) == {transform_square(square, index) for square in squares_of(position.mover)}


def test_the_symmetries_are_the_eight_of_the_square() -> None:
    corner_and_neighbour = {(transform_square(0, index), transform_square(1, index)) for index in SYMMETRIES}
    assert corner_and_neighbour == {(0, 1), (0, 8), (7, 6), (7, 15), (56, 57), (56, 48), (63, 62), (63, 55)}
    assert all(transform_square(PASS, index) == PASS for index in SYMMETRIES)
    assert transform_bits(0x8000000000000001, 5) == 1 << 7 | 1 << 56


def test_the_canonical_position_is_the_smallest_image_with_the_lowest_index() -> None:
    for text in (f"{START} X", "X" + "-" * 62 + "O O", "XO" + "-" * 62 + " X", "-" * 19 + "XXO" + "-" * 42 + " O"):
        position = Position.parse(text)
        canonical, index = position.canonical()
        images = position.symmetries()
        assert (canonical.mover, canonical.opponent) == min((image.mover, image.opponent) for image in images)
        assert index == images.index(canonical) and canonical.color is position.color


@given(any_positions(), st.sampled_from(SYMMETRIES))
def test_all_images_have_one_canonical_position(position: Position, index: int) -> None:
    canonical, way = position.canonical()
    assert position.transform(way) == canonical
    assert position.transform(index).canonical()[0] == canonical
    assert canonical in position.symmetries()


@given(any_positions())
def test_the_canonical_images_after_each_move(position: Position) -> None:
    afters = {move: position.play(move).canonical()[0] for move in position.legal_moves}
    assert list(position.canonical_afters().items()) == [
        (move, (after.mover, after.opponent)) for move, after in afters.items()
    ]
