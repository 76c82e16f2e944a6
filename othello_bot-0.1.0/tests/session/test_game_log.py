"""What a session records about its game: players, date, clocks, notes; and what is saved."""

from __future__ import annotations

import re
import time

import pytest

from othello_bot.base.clocks import Clocks, PlayerClock, TimeControl, TimeLeft, TimeSettings, TimeSystem
from othello_bot.base.notation import Color, parse_move
from othello_bot.formats.record import EndedBy, GameRecord, MoveNote
from othello_bot.game import LiveGame
from othello_bot.rules import Game
from othello_bot.session.game_log import GameLog, clock_setting

GAME = Game.from_transcript("f5d6c3")
LIVE = LiveGame(GAME)
NOBODY = TimeSettings()


def test_a_side_that_chose_here_has_its_name_and_the_other_is_the_opponent() -> None:
    record = GameLog().record(LIVE.undo().noted(MoveNote(2, 0.5, player="othello-bot")).redo())
    assert (record.game, record.black, record.white) == (GAME, "opponent", "othello-bot")
    assert record.notes == {1: MoveNote(2, 0.5)}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record.date) and record.date == time.strftime("%Y-%m-%d")


def test_without_a_move_from_here_nobody_is_named_but_a_person() -> None:
    assert (GameLog().record(LIVE).black, GameLog().record(LIVE).white) == ("", "")
    record = GameLog().record(LIVE, person="human")
    assert (record.black, record.white) == ("human", "human")


def test_a_move_that_was_taken_back_leaves_nothing() -> None:
    chosen = LiveGame().play(parse_move("f5")).noted(MoveNote(0, 1, player="othello-bot"))
    for live in (chosen.undo(), chosen.undo().play(parse_move("d3"))):
        record = GameLog().record(live)
        assert (record.black, record.notes) == ("", {})
    assert GameLog().record(chosen.undo().play(parse_move("f5"))).notes == {0: MoveNote(0, 1)}, "played again"


def test_what_a_file_told_stays_as_far_as_the_game_is_the_same() -> None:
    told = GameRecord(
        GAME.copy(), black="Ann", white="Bo", date="1987", result=4, notes={0: MoveNote(1), 2: MoveNote(3)}
    )
    log, live = GameLog(), LiveGame(GAME, notes=told.notes)
    log.take(told)
    assert log.record(live) == told
    other = live.undo().play(parse_move("c4")).play(parse_move("d3")).noted(MoveNote(5, player="othello-bot"))
    record = log.record(other)
    assert (record.black, record.white, record.result) == ("Ann", "Bo", None)
    assert record.notes == {0: MoveNote(1), 3: MoveNote(5)}


def test_circumstances_of_a_file_come_before_those_of_the_session() -> None:
    log = GameLog()
    log.take(GameRecord(GAME.copy(), comment="a final", clock=TimeControl(99), ending=EndedBy.RESIGNATION))
    clocks = Clocks.start(TimeSettings(TimeSystem.ABSOLUTE, 60))
    record = log.record(LiveGame(GAME, clocks), comment="seed 7")
    assert (record.comment, record.clock, record.ending) == ("a final", TimeControl(99), EndedBy.RESIGNATION)
    record = log.record(LiveGame(Game.from_transcript("f5"), clocks), comment="seed 7")
    assert (record.comment, record.clock, record.ending) == ("a final", TimeControl(99), "")
    record = GameLog().record(LiveGame(GAME, clocks), comment="seed 7")
    assert (record.comment, record.clock) == ("seed 7", TimeControl(60))


def test_notes_of_a_file_belong_to_its_moves() -> None:
    record = GameRecord(GAME.copy(), notes={0: MoveNote(1), 1: MoveNote(2), 2: MoveNote(3), 9: MoveNote(4)})
    live = LiveGame(GAME, notes=record.notes)
    assert set(GameLog().record(live).notes) == {0, 1, 2}
    assert set(GameLog().record(live.undo().play(parse_move("c4"))).notes) == {0, 1}
    assert set(GameLog().record(live.undo(2)).notes) == {0}


def test_a_record_is_a_copy_of_the_game() -> None:
    game = GAME.copy()
    record = GameLog().record(LiveGame(game))
    game.undo()
    assert record.game == GAME


def test_each_side_is_named_by_its_first_move_from_here() -> None:
    notes = {2: MoveNote(player="second"), 0: MoveNote(player="first")}
    log, live = GameLog(), LiveGame(GAME, notes=notes)
    assert (log.player(live, Color.BLACK), log.player(live, Color.WHITE)) == ("first", "")
    record = log.record(live, person="human")
    assert (record.black, record.white) == ("first", "human")
    log.take(GameRecord(GAME.copy(), white="Bo"))
    assert (log.player(LIVE, Color.BLACK), log.player(LIVE, Color.WHITE)) == ("", "Bo")
    log.begin()
    assert log.player(LIVE, Color.WHITE) == ""


def test_what_is_saved() -> None:
    log = GameLog()
    assert log.is_saved(Game()) and not log.is_saved(GAME)
    log.mark_saved(GAME)
    further = GAME.copy()
    further.play(further.position.legal_moves[0])
    assert log.is_saved(GAME) and not log.is_saved(further)
    log.take(GameRecord(further))
    assert log.is_saved(further) and not log.is_saved(GAME)
    log.begin()
    assert not log.is_saved(GAME)


@pytest.mark.parametrize(
    ("settings", "setting"),
    [
        (NOBODY, None),
        (TimeSettings(TimeSystem.ABSOLUTE, 60), TimeControl(60)),
        (TimeSettings(TimeSystem.FISCHER, 60, 0.5), TimeControl(60, 0.5)),
        (TimeSettings(TimeSystem.UNDECIDED, 60, 2), None),
        (TimeSettings(TimeSystem.UNDECIDED, 0, 2), None),
        (TimeSettings(TimeSystem.CANADIAN, 60, 30, 5), TimeControl(60)),
        (TimeSettings(TimeSystem.CANADIAN, 0, 30, 5), None),
        (TimeSettings(TimeSystem.FISCHER_CAPPED, 60, 0.5, 0, 90), TimeControl(60, 0.5)),
        (TimeSettings(TimeSystem.FISCHER, 0, 0.5), None),
    ],
)
def test_time_controls(settings: TimeSettings, setting: TimeControl | None) -> None:
    assert clock_setting(PlayerClock.start(settings)) == setting


def test_a_control_that_a_time_left_has_decided_is_recorded() -> None:
    clocks = Clocks.start(TimeSettings(TimeSystem.UNDECIDED, 60, 2)).time_left(TimeLeft(Color.WHITE, 50))
    assert GameLog().record(LiveGame(GAME, clocks)).clock == TimeControl(60, 2)


def test_clocks_that_differ_are_recorded_for_each_player() -> None:
    clock = PlayerClock.start(TimeSettings(TimeSystem.ABSOLUTE, 60))
    record = GameLog().record(LiveGame(GAME, Clocks(white=clock)))
    assert (record.clock, record.black_clock, record.white_clock) == (None, None, TimeControl(60))
    log = GameLog()
    log.take(GameRecord(GAME.copy(), black_clock=TimeControl(30)))
    record = log.record(LiveGame(GAME, Clocks(clock, clock)))
    assert (record.clock, record.black_clock, record.white_clock) == (None, TimeControl(30), None)
