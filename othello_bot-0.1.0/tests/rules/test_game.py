"""Game: moves, undo and redo, passes, and transcripts that count whole or not at all."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.notation import PASS, Color, NotationError, parse_move
from othello_bot.rules.game import CannotRedo, CannotUndo, Game, position_of
from othello_bot.rules.position import IllegalMove, Position
from tests.rules.strategies import games, games_from_anywhere

WIPE_OUT = "f5d6c5f4e3f6g5e6e7"
"""A short game: after nine moves White has no disc left."""


def test_a_new_game() -> None:
    game = Game()
    assert (game.ply, game.moves, game.final_score, game.is_over) == (0, (), 0, False)
    assert game.position == game.start == Position.start()
    assert game.transcript() == ""


def test_a_short_game() -> None:
    game = Game.from_transcript(WIPE_OUT)
    assert (game.is_over, game.final_score, game.ply) == (True, 64, 9)
    with pytest.raises(IllegalMove, match="over"):
        game.play(parse_move("a1"))
    assert game.play_transcript("papa") == ()


def test_a_start_before_the_moves() -> None:
    game = Game.from_transcript("---------------------------OX------XXX-------------------------- O d6 C3")
    assert game.start.to_string().endswith("O")
    assert game.transcript() == "d6c3"
    assert game == eval(repr(game))


def test_passes_are_inserted_or_written() -> None:
    complete = Game()
    while not complete.is_over and PASS not in complete.moves:
        complete.play((complete.position.legal_moves or (PASS,))[0])
    complete.play(complete.position.legal_moves[0])
    assert PASS in complete.moves
    for passes in (True, False):
        assert Game.from_transcript(complete.transcript(passes=passes)) == complete
    assert "pa" in complete.transcript(passes=True) and "pa" not in complete.transcript()


@pytest.mark.parametrize("text", ["f5d6a1", "f5pa", "f5f5", "f5d6xx", "f5d", "f5d6c3d3c4 nonsense"])
def test_a_bad_transcript_changes_nothing(text: str) -> None:
    game = Game.from_transcript("f5d6")
    game.undo()
    before = (game.moves, game.position, game.redoable)
    with pytest.raises((IllegalMove, FormatError)):
        game.play_transcript(text)
    assert (game.moves, game.position, game.redoable) == before


def test_undo_and_redo() -> None:
    game = Game.from_transcript("f5d6c3")
    assert game.undo(2) == game.position == Position.start().play(parse_move("f5"))
    assert [*game.redoable] == [parse_move("d6"), parse_move("c3")]
    game.play(parse_move("d6"))
    assert [*game.redoable] == [parse_move("c3")]
    game.redo()
    assert game.transcript() == "f5d6c3"
    game.undo(3)
    game.play(parse_move("c4"))
    assert game.redoable == ()


@pytest.mark.parametrize(
    ("count", "expected"), [(-1, "0 or more moves"), (4, "at most 3 moves"), (10**9, "at most 3 moves")]
)
def test_more_than_can_be_undone(count: int, expected: str) -> None:
    game = Game.from_transcript("f5d6c3")
    with pytest.raises(CannotUndo, match=f"cannot undo {count}: expected {expected}"):
        game.undo(count)
    assert game.transcript() == "f5d6c3"


@pytest.mark.parametrize(("count", "expected"), [(-1, "0 or more moves"), (2, "at most 1 move$")])
def test_more_than_can_be_redone(count: int, expected: str) -> None:
    game = Game.from_transcript("f5d6c3")
    game.undo()
    with pytest.raises(CannotRedo, match=f"cannot redo {count}: expected {expected}"):
        game.redo(count)
    assert (game.transcript(), game.redoable) == ("f5d6", (parse_move("c3"),))


def test_nothing_to_take_back_or_to_play_again() -> None:
    with pytest.raises(CannotUndo, match="cannot undo 1: expected a move before it"):
        Game().undo()
    with pytest.raises(CannotRedo, match="cannot redo 1: expected an undo before it"):
        Game().redo()


@given(games_from_anywhere(), st.data())
def test_undo_then_redo_is_nothing(game: Game, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, game.ply))
    position, moves = game.position, game.moves
    assert game.undo(count) == game.position_at(game.ply)
    assert (game.ply, game.moves) == (len(moves) - count, moves[: len(moves) - count])
    assert game.redo(count) == position
    assert (game.moves, game.redoable) == (moves, ())


@given(games())
def test_a_transcript_is_read_back(game: Game) -> None:
    assert Game.from_transcript(game.transcript(passes=True)) == game
    again = Game.from_transcript(game.transcript())
    # A pass at the very end is not inserted before a move follows it.
    assert again.moves == game.moves[: again.ply] and set(game.moves[again.ply :]) <= {PASS}


@given(games_from_anywhere())
def test_a_game_from_a_set_up_board_is_read_back(game: Game) -> None:
    text = f"{game.start.to_string()} {game.transcript(passes=True)}"
    assert Game.from_transcript(text) == game


@pytest.mark.parametrize("move", ["f5", "F5", " f5 ", 37])
def test_a_move_is_played_by_its_name_or_number(move: int | str) -> None:
    game = Game()
    assert game.play(move) == Position.start().play(move) == game.position
    assert game.moves == (37,)


@pytest.mark.parametrize("move", ["z9", "", None, 3.5, (4, 5)])
def test_what_names_no_move_is_refused_with_what_was_expected(move: object) -> None:
    game = Game()
    with pytest.raises(NotationError, match=r"expected a move \(a"):
        game.play(move)  # type: ignore[arg-type]
    assert game.moves == ()


def test_moves_by_number_are_played_all_or_none() -> None:
    game = Game()
    assert game.play_moves([37, 43]) == (37, 43) and game.moves == (37, 43)
    for bad in (-1, 65, 1000, 0):
        with pytest.raises(IllegalMove) as caught:
            game.play_moves([18, bad, 19])
        assert (caught.value.move, caught.value.index) == (bad, 1)
        assert caught.value.position == game.position.play(18)
    assert game.moves == (37, 43)
    with pytest.raises(IllegalMove) as caught:
        game.play_moves([0, 65])
    assert (caught.value.move, caught.value.index, caught.value.position) == (0, 0, game.position)
    assert game.play_moves([]) == () and game.ply == 2


def test_a_single_illegal_move_has_the_index_0() -> None:
    with pytest.raises(IllegalMove) as caught:
        Game().play(PASS)
    assert (caught.value.index, caught.value.value, caught.value.position) == (0, "pass", Position.start())
    with pytest.raises(IllegalMove) as caught:
        Position.start().play(65)
    assert caught.value.value == 65
    for move, name in ((0, "a1"), (63, "h8"), (-1, -1)):
        with pytest.raises(IllegalMove) as caught:
            Position.start().play(move)
        assert caught.value.value == name


def test_what_is_no_move_in_a_transcript_is_told_in_part() -> None:
    with pytest.raises(FormatError) as caught:
        Game.from_transcript("f5d6" + "x" * 100)
    assert (caught.value.value, caught.value.place) == ("x" * 8, 4)


def test_several_moves_that_are_not_all_moves_are_refused() -> None:
    game = Game()
    with pytest.raises(NotationError):
        game.play_moves([37, None])  # type: ignore[list-item]
    assert game.play_moves(bytes([37, 43])) == (37, 43)


def test_moves_in_one_call_are_redone_as_far_as_they_are_the_same() -> None:
    game = Game.from_transcript("f5d6c3d3c4")
    game.undo(4)
    game.play_transcript("d6c3")
    assert [*game.redoable] == [parse_move("d3"), parse_move("c4")]
    game.undo(1)
    game.play_transcript("c3d3c4b3")
    assert (game.redoable, game.transcript()) == ((), "f5d6c3d3c4b3")
    game.undo(3)
    game.play_transcript("d3c5")
    assert game.redoable == ()
    assert game.position == Game.from_transcript("f5d6c3d3c5").position


def test_nothing_is_undone_or_redone_when_asked_for_0_moves() -> None:
    game = Game.from_transcript("f5d6")
    game.undo()
    assert game.undo(0) == game.redo(0) == game.position
    assert (game.transcript(), game.redoable) == ("f5", (parse_move("d6"),))
    assert game.redo() == game.position_at(2)
    with pytest.raises(CannotUndo, match=r"at most 1 move$"):
        Game.from_transcript("f5").undo(2)


def test_positions_follow_a_game_that_took_another_way() -> None:
    game = Game.from_transcript("f5d6c3d3")
    assert game.position_at(4) == game.position
    game.undo(3)
    game.play_transcript("f6e6f4")
    assert [game.position_at(ply) for ply in range(5)] == [
        Game.from_transcript("f5f6e6f4"[: 2 * ply]).position for ply in range(5)
    ]
    for ply in (-1, 5):
        with pytest.raises(IndexError, match=f"ply {ply}: expected 0 to 4"):
            game.position_at(ply)


def test_who_makes_which_move() -> None:
    game = Game.from_transcript("f5d6")
    assert [game.color_at(ply) for ply in range(3)] == [Color.BLACK, Color.WHITE, Color.BLACK]
    game = Game(Position.start().play("f5"))
    assert [game.color_at(ply) for ply in range(2)] == [Color.WHITE, Color.BLACK]


def test_games_are_equal_by_their_start_and_moves() -> None:
    game = Game.from_transcript("f5d6")
    assert game == Game.from_transcript("f5d6") and game != Game.from_transcript("f5") and game != "f5d6"
    other = Game(Position.start().play("f5"))
    other.play("d6")
    assert other.position == game.position and other != game
    assert repr(game) == "Game.from_transcript('f5d6')"
    assert repr(Game(Position.parse(Position.start().to_string()))) == "Game.from_transcript('')"


def test_the_place_of_a_game_is_its_position() -> None:
    game = Game.from_transcript("f5")
    assert position_of(game) == position_of(game.position) == game.position
    with pytest.raises(InputError, match="expected a Position or a Game"):
        position_of("f5")  # type: ignore[arg-type]


@pytest.mark.parametrize("start", ["f5", 5, Game()])
def test_a_start_that_is_no_position_is_refused(start: object) -> None:
    with pytest.raises(InputError, match="expected a Position, or None"):
        Game(start)  # type: ignore[arg-type]


@pytest.mark.parametrize("copied", [Game.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_copy_goes_its_own_way_and_has_the_moves_to_redo(copied: Callable[[Game], Game]) -> None:
    game = Game.from_transcript("f5d6c3")
    game.undo()
    twin = copied(game)
    assert (twin, twin.redoable) == (game, game.redoable)
    twin.redo()
    assert twin.position_at(3) == twin.position != game.position
    twin.play(twin.position.legal_moves[0])
    twin.undo(4)
    assert (game.transcript(), game.redoable, game.position) == ("f5d6", (parse_move("c3"),), game.position_at(2))
    game.redo()
    assert (twin.ply, game.transcript()) == (0, "f5d6c3")
