"""What a session records about its game: players, date, clocks, notes; and what is saved."""

from __future__ import annotations

import re
import time

import pytest

from othello_bot.base.clocks import TimeSettings, TimeSystem
from othello_bot.base.notation import PASS, Color, parse_move
from othello_bot.formats.record import ClockSetting, EndedBy, GameRecord, MoveNote
from othello_bot.rules import Game
from othello_bot.session.game_log import GameLog, clock_setting

GAME = Game.from_transcript("f5d6c3")
NOBODY = TimeSettings()


def test_a_side_that_chose_here_has_its_name_and_the_other_is_the_opponent() -> None:
    log = GameLog()
    log.chosen(1, parse_move("d6"), "othello-bot", MoveNote(2, 0.5))
    record = log.record(GAME, NOBODY)
    assert (record.black, record.white) == ("opponent", "othello-bot")
    assert record.notes == {1: MoveNote(2, 0.5)}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record.date) and record.date == time.strftime("%Y-%m-%d")


def test_without_a_move_from_here_nobody_is_named_but_a_person() -> None:
    assert (GameLog().record(GAME, NOBODY).black, GameLog().record(GAME, NOBODY).white) == ("", "")
    record = GameLog().record(GAME, NOBODY, person="human")
    assert (record.black, record.white) == ("human", "human")


def test_a_move_that_was_taken_back_leaves_nothing() -> None:
    log = GameLog()
    log.chosen(0, parse_move("d3"), "othello-bot", MoveNote(0, 1))
    record = log.record(GAME, NOBODY)
    assert (record.black, record.notes) == ("", {})


def test_what_a_file_told_stays_as_far_as_the_game_is_the_same() -> None:
    told = GameRecord(
        GAME.copy(), black="Ann", white="Bo", date="1987", result=4, notes={0: MoveNote(1), 2: MoveNote(3)}
    )
    log = GameLog()
    log.take(told)
    assert log.record(GAME, NOBODY) == told
    other = Game.from_transcript("f5d6c4d3")
    log.chosen(3, parse_move("d3"), "othello-bot", MoveNote(5))
    record = log.record(other, NOBODY)
    assert (record.black, record.white, record.result) == ("Ann", "Bo", None)
    assert record.notes == {0: MoveNote(1), 3: MoveNote(5)}


def test_circumstances_of_a_file_come_before_those_of_the_session() -> None:
    log = GameLog()
    log.take(GameRecord(GAME.copy(), comment="a final", clock=ClockSetting(99), ending=EndedBy.RESIGNATION))
    settings = TimeSettings(TimeSystem.ABSOLUTE, 60)
    record = log.record(GAME, settings, comment="seed 7")
    assert (record.comment, record.clock, record.ending) == ("a final", ClockSetting(99), EndedBy.RESIGNATION)
    record = log.record(Game.from_transcript("f5"), settings, comment="seed 7")
    assert (record.comment, record.clock, record.ending) == ("a final", ClockSetting(99), "")
    record = GameLog().record(GAME, settings, comment="seed 7")
    assert (record.comment, record.clock) == ("seed 7", ClockSetting(60))


def test_notes_of_a_file_belong_to_its_moves() -> None:
    notes = {0: MoveNote(1), 1: MoveNote(2), 2: MoveNote(3), 9: MoveNote(4)}
    log = GameLog()
    log.take(GameRecord(GAME.copy(), notes=notes))
    assert set(log.record(GAME, NOBODY).notes) == {0, 1, 2}
    assert set(log.record(Game.from_transcript("f5d6c4"), NOBODY).notes) == {0, 1}
    assert set(log.record(Game.from_transcript("f5"), NOBODY).notes) == {0}


def test_a_record_is_a_copy_of_the_game() -> None:
    game = GAME.copy()
    record = GameLog().record(game, NOBODY)
    game.undo()
    assert record.game == GAME


def test_each_side_is_named_by_its_first_move_from_here() -> None:
    log = GameLog()
    log.chosen(2, parse_move("c3"), "second", MoveNote())
    log.chosen(0, parse_move("f5"), "first", MoveNote())
    assert (log.player(GAME, Color.BLACK), log.player(GAME, Color.WHITE)) == ("first", "")
    record = log.record(GAME, NOBODY, person="human")
    assert (record.black, record.white) == ("first", "human")
    log.take(GameRecord(GAME.copy(), white="Bo"))
    assert (log.player(GAME, Color.BLACK), log.player(GAME, Color.WHITE)) == ("", "Bo")
    log.begin()
    assert log.player(GAME, Color.WHITE) == ""


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
        (TimeSettings(TimeSystem.ABSOLUTE, 60), ClockSetting(60)),
        (TimeSettings(TimeSystem.FISCHER, 60, 0.5), ClockSetting(60, 0.5)),
        (TimeSettings(TimeSystem.UNDECIDED, 60, 2), ClockSetting(60, 2)),
        (TimeSettings(TimeSystem.UNDECIDED, 0, 2), None),
        (TimeSettings(TimeSystem.CANADIAN, 60, 30, 5), ClockSetting(60)),
        (TimeSettings(TimeSystem.CANADIAN, 0, 30, 5), None),
        (TimeSettings(TimeSystem.FISCHER_CAPPED, 60, 0.5, 0, 90), ClockSetting(60, 0.5)),
        (TimeSettings(TimeSystem.FISCHER, 0, 0.5), None),
    ],
)
def test_time_controls(settings: TimeSettings, setting: ClockSetting | None) -> None:
    assert clock_setting(settings) == setting


def test_the_player_of_a_pass() -> None:
    log = GameLog()
    log.chosen(0, PASS, "othello-bot", MoveNote())
    assert log.player(Game(), Color.BLACK) == ""
