"""The players of a terminal game: by name, with their options, clocks, advice and strength."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from othello_bot.base.clocks import ClockState
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, parse_square
from othello_bot.engine import (
    PLAYERS_OPTIONS,
    Engine,
    Limits,
    find_option,
    options_of,
)
from othello_bot.engine.option_arguments import argument
from othello_bot.play import command as play
from othello_bot.play.players import ENGINE_OPTIONS, parse_player
from othello_bot.rules.position import Position
from tests.play.evening import Evening, arguments


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nobody", "human, engine, engine:LEVEL, engine:strength=STRENGTH, or one of random"),
        ("", "human, engine"),
        ("iago:0", "^strategy 'iago:0': depth '0': expected an integer from 1 to 60$"),
        ("engine:61", "0 to 60"),
        ("engine:fast", "0 to 60"),
        ("engine:", "0 to 60, or auto"),
        ("engine:strength=fast", "a strength of 1 to .*beginner"),
        ("human:3", "human, engine"),
    ],
)
def test_players_that_do_not_exist(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        parse_player(text)


@pytest.fixture
def made() -> Iterator[Callable[[str], Engine]]:
    """Yield a function that makes a player of a text, as the command does; close all players afterwards."""
    players: list[Engine] = []

    def make(text: str) -> Engine:
        player = parse_player(text).make(0)
        assert player is not None
        players.append(player)
        return player

    yield make
    for player in players:
        player.close()


def test_neither_leaving_nor_a_move_waits_for_an_answer_that_is_being_prepared(
    made: Callable[[str], Engine],
) -> None:
    player = made("textbook:30:think-ahead")
    player.ponder(Position.start())
    plan = player._plan
    assert player.choose(Position.start().play("f5"), ClockState(0.5)).move != PASS
    player.ponder(Position.start())
    player.close()
    assert plan is not None and plan.finished.is_set()


@pytest.fixture
def engine_player(made: Callable[[str], Engine]) -> Engine:
    return made("engine:1")


def test_the_engine_plays(engine_player: Engine) -> None:
    after = Position.start().play(parse_square("f5"))
    assert engine_player.choose(after, None).move in after.legal_moves
    assert engine_player.choose(after, ClockState(10.0)).move in after.legal_moves
    must_pass = Position.parse("-XXXXXXO" + "O" * 56 + " X")
    assert engine_player.choose(must_pass, None).move == PASS


@pytest.mark.parametrize(
    ("player", "words", "title", "limits"),
    [
        ("engine", "", "engine, level 21", Limits(level=21)),
        ("engine", "--level 3", "engine, level 3", Limits(level=3)),
        ("engine:4", "--level 3", "engine, level 4", Limits(level=4)),
        ("engine:auto", "--level 3", "engine, level 21", Limits(level=21)),
        ("engine", "--depth 0 --move-time 500", "engine, 0.5 s a move", Limits(move_time_s=0.5)),
        ("engine:4", "--depth 2", "engine, level 4, depth 2", Limits(level=4, depth=2)),
        ("iago", "--level 3", "iago", None),
        ("human", "--level 3", "human", None),
    ],
)
def test_options_count_for_every_engine_and_its_own_level_wins(
    player: str, words: str, title: str, limits: Limits | None
) -> None:
    options = options_of(arguments(*words.split()), ENGINE_OPTIONS)
    spec = parse_player(player)
    assert spec.title(options, clocked=False) == title
    made = spec.make(1, options)
    if made is None:
        assert spec.is_human
        return
    if limits is None:
        assert made.options.strategy == player
    else:
        assert made.default_limits() == limits
    made.close()


def test_every_option_of_a_player_is_an_argument_of_play(capsys: pytest.CaptureFixture[str]) -> None:
    for name in PLAYERS_OPTIONS:
        option = find_option(name)
        value = option.named_values[-1] if option.named_values else "2"
        found = options_of(arguments(argument(name), value), ENGINE_OPTIONS)
        assert found == ENGINE_OPTIONS.with_value(name, value), name
    with pytest.raises(SystemExit):
        arguments("--level", "61")
    assert "expected 0 to 60" in capsys.readouterr().err


def test_a_level_is_kept_beside_a_clock() -> None:
    made = parse_player("engine:1").make(1)
    assert made is not None
    clock = ClockState(60.0)
    assert made.default_limits(clock) == Limits(level=1, clock=clock)
    made.close()


def test_a_level_of_the_command_line_is_shown_and_used(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--black", "engine", "--white", "engine:1", "--level", "0", "--book", "off", "--seed", "1"]
    assert play.run(arguments(*words)) == 0
    assert "engine, level 0 (black) plays engine, level 1 (white)" in capsys.readouterr().out


def test_a_weak_engine_gives_the_advice_of_full_strength_after_its_own_move() -> None:
    weak, strong = (
        re.findall(r"^\d (.*)$", Evening("f5", "hint", "quit", adviser=adviser).text, re.MULTILINE)
        for adviser in ("engine:strength=1", "engine")
    )
    assert len(weak) == len(strong) == 3
    assert [line for line in strong if line[:2] != weak[0][:2]][:2] == weak[1:]


def test_strength_on_the_command_line_is_for_an_engine_without_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    for white, title in (("engine", "strength beginner"), ("engine:1", "level 1"), ("engine:strength=2", "strength 2")):
        words = ["--black", "random", "--white", white, "--strength", "Beginner", "--seed", "3"]
        assert play.run(arguments(*words)) == 0
        assert f"random (black) plays engine, {title} (white)" in capsys.readouterr().out
