"""One game while it is played: clocks, flags, early ends, taking back. How hosts send moves is tested with the session."""

from __future__ import annotations

import pytest

from othello_bot.base.clocks import Clocks, TimeLeft, TimeSettings, TimeSystem
from othello_bot.base.notation import PASS, Color, parse_move
from othello_bot.game import AfterTheGame, EndedBy, Ending, LiveGame
from othello_bot.rules import CannotRedo, CannotUndo, Game, IllegalMove, Position

B, W = Color.BLACK, Color.WHITE
F5, D6, C3 = map(parse_move, ("f5", "d6", "c3"))
MUST_PASS = Position.parse("-XXXXXXO" + "O" * 56 + " X")
"""Black has no move, and White's a1 ends the game."""


def timed(system: TimeSystem, main_s: float, period_s: float = 0.0, stones: int = 0) -> LiveGame:
    return LiveGame(clocks=Clocks.start(TimeSettings(system, main_s, period_s, stones)))


def test_a_clock_runs_from_the_start_of_a_turn_to_its_move() -> None:
    live = timed(TimeSystem.FISCHER, 60, 2)
    assert live.left_s(B, 1000.0) == 60 and not live.flag_fell(1000.0), "it stands until the turn is started"
    live = live.started(100.0)
    assert (live.left_s(B, 110.0), live.left_s(W, 110.0), live.used_s(110.0)) == (50, 60, 10)
    live = live.play(F5, 110.0)
    assert (live.left_s(B, 500.0), live.left_s(W, 500.0), live.since_s) == (52, 60, None)


def test_what_is_charged_stays_charged_without_an_increment() -> None:
    live = timed(TimeSystem.FISCHER, 60, 2).started(0.0).charged(5.0)
    assert (live.left_s(B, 9.0), live.since_s) == (55, None)
    assert live.charged(20.0) == live, "a clock that stands is charged nothing"
    live = live.started(20.0).play(F5, 21.0).started(21.0).charged(31.0).undo()
    assert (live.left_s(B, 50.0), live.left_s(W, 50.0), live.game.ply) == (56, 50, 0)


@pytest.mark.parametrize(
    ("live", "longest_s"),
    [
        (timed(TimeSystem.ABSOLUTE, 60), 60),
        (timed(TimeSystem.FISCHER, 60, 5), 60),
        (timed(TimeSystem.CANADIAN, 0, 30, 5), 30),
        (timed(TimeSystem.BYOYOMI, 0, 10, 1), 10),
    ],
)
def test_a_flag_falls_once_more_than_the_time_is_used(live: LiveGame, longest_s: float) -> None:
    live = live.started(0.0)
    assert not live.flag_fell(longest_s) and live.flag_fell(longest_s + 0.1)
    lost = live.lost(EndedBy.TIME, now_s=longest_s + 0.1)
    assert lost.ending == Ending(EndedBy.TIME, -64) and lost.left_s(B, 99.0) == 0 and not lost.flag_fell(99.0)


def test_without_a_clock_no_flag_falls() -> None:
    live = LiveGame().started(0.0)
    assert not live.flag_fell(1e9) and not live.is_clocked and live.charged(5.0).clocks == Clocks()
    assert live.left_s(B, 5.0) is None and live.left_s(W, 5.0) is None


def test_a_clock_of_one_side_is_none_of_the_other() -> None:
    live = LiveGame(clocks=Clocks().time_left(TimeLeft(B, 20))).started(0.0)
    assert (live.left_s(B, 5.0), live.left_s(W, 5.0), live.is_clocked) == (15, None, True)
    live = live.play(F5, 5.0).started(5.0)
    assert (live.left_s(B, 99.0), live.left_s(W, 99.0), live.is_clocked, live.flag_fell(99.0)) == (
        15,
        None,
        False,
        False,
    )


def test_an_early_end_has_a_result_and_ends_the_moves() -> None:
    live = LiveGame().play(F5)
    assert live.black_score is None
    for ended, score in (
        (live.lost(EndedBy.RESIGNATION), 64),
        (live.lost(EndedBy.RESIGNATION, B), -64),
        (live.ended(Ending(EndedBy.AGREEMENT, 2.5)), 2.5),
        (live.ended(Ending(EndedBy.LEFT)), None),
    ):
        assert ended.is_over and ended.black_score == score
        for act in (ended.play, lambda move, ended=ended: ended.take_moves([(None, move)])):
            with pytest.raises(AfterTheGame):
                act(D6)
        with pytest.raises(AfterTheGame):
            ended.lost(EndedBy.TIME)
        with pytest.raises(AfterTheGame, match="after the game 'hint'"):
            ended.require_going_on("hint")
        assert ended.undo(0) == ended.redo(0) == ended
        assert ended.undo() == live and ended.undo(2).game == Game()
    assert live.game.moves == (F5,), "the game before is as it was"


def test_the_rules_end_a_game_with_its_final_score() -> None:
    live = LiveGame(Game(MUST_PASS))
    assert not live.is_over
    over = live.play(PASS).play(0)
    assert over.is_over and over.ending is None and over.black_score == -64
    with pytest.raises(AfterTheGame):
        over.lost(EndedBy.RESIGNATION)


def test_an_illegal_move_changes_nothing() -> None:
    live = LiveGame().started(0.0)
    with pytest.raises(IllegalMove):
        live.play(0, 5.0)
    with pytest.raises(IllegalMove):
        live.take_moves([(B, F5), (W, F5)])
    assert live == LiveGame().started(0.0)


def test_people_take_back_their_own_choices_alone() -> None:
    live = LiveGame(Game(MUST_PASS)).play(PASS).play(0)
    assert live.undo(1, {W}).game.moves == (PASS,)
    with pytest.raises(CannotUndo, match=r"cannot undo 2: expected at most 1 move of yours$"):
        live.undo(2, {B, W})
    with pytest.raises(CannotUndo, match=r"cannot undo 1: expected a move of yours before it$"):
        live.undo(1, {B})
    live = LiveGame(Game.from_transcript("f5d6c3"))
    back = live.undo(2, {B})
    assert back.game == Game() and back.undo(0).redo(1, {B}).game.transcript() == "f5d6"
    assert back.redo(2, {B}).game == live.game, "the last of them needs no move after it"
    with pytest.raises(CannotRedo, match=r"cannot redo 3: expected at most 2 moves of yours$"):
        back.redo(3, {B})
