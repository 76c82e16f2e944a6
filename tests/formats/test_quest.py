"""The JSON of Othello Quest: what the server sends, what we write, and invalid values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.errors import FormatError
from othello_bot.formats import quest
from othello_bot.formats.record import UNTOLD_MARGIN, ClockSetting, GameRecord, MoveNote
from othello_bot.rules import Game, Position
from tests.formats.samples import passing_game
from tests.rules.strategies import games


def answer(*moves: dict[str, Any], **values: Any) -> dict[str, Any]:
    """Return a game as the server has it."""
    return {
        "id": "x",
        "players": [{"name": "ann", "oldR": 1712.5}, {"name": "bo", "oldR": 1650}],
        "created": "2026-05-25T10:00:00.000Z",
        "tcb": 300000,
        "position": {"moves": list(moves), "startPos": ""},
        **values,
    }


def only(value: object) -> GameRecord:
    (found,) = quest.found_games(json.dumps(value))
    return found.checked()


def test_a_game_of_the_server() -> None:
    record = only(answer({"m": "f5", "t": 1500}, {"m": "d6", "t": 250}))
    assert (record.black, record.white, record.black_rating) == ("ann", "bo", 1712.5)
    assert (record.date, record.clock, record.place) == ("2026-05-25", ClockSetting(300), "Othello Quest")
    assert record.notes == {0: MoveNote(None, 1.5), 1: MoveNote(None, 0.25)}
    assert record.game.transcript() == "f5d6"


def test_passes_and_resignations() -> None:
    game = passing_game()
    moves = [{"m": "-" if move == 64 else "abcdefgh"[move % 8] + str(move // 8 + 1), "t": 0} for move in game.moves]
    assert only(answer(*moves)).game == game
    record = only(answer({"m": "f5"}, {"t": 3}))
    assert (record.result, record.ending) == (UNTOLD_MARGIN, "resignation")
    record = only(answer({"t": 3}))
    assert record.result == -UNTOLD_MARGIN


def test_where_games_are_wrapped() -> None:
    game = answer({"m": "f5"})
    for value in (game, [game], {"name": "x", "args": [game]}, [{"args": [game]}]):
        assert only(value).game.transcript() == "f5"
    text = "\n".join(json.dumps(game) for _ in range(3))
    assert [found.line for found in quest.found_games(text)] == [1, 2, 3]
    assert len(list(quest.found_games(json.dumps([game] * 3, indent=2)))) == 3


@given(games(), st.floats(0, 1000).map(lambda seconds: round(seconds, 3)), st.text(max_size=10))
def test_what_is_written_is_read(game: Game, seconds: float, name: str) -> None:
    notes = {ply: MoveNote(None, seconds) for ply in range(game.ply)}
    record = GameRecord(game, black=" ".join(name.split()), black_rating=1500.5, clock=ClockSetting(300), notes=notes)
    (found,) = quest.found_games(quest.write_game(record))
    again = found.checked()
    assert (again.game, again.black, again.black_rating) == (game, record.black, 1500.5)
    assert (again.clock, again.notes) == (record.clock, notes)


def test_a_resignation_is_written() -> None:
    record = only(answer({"m": "f5"}, {"t": 0}))
    (found,) = quest.found_games(quest.write_game(record))
    assert (found.checked().result, found.checked().ending) == (UNTOLD_MARGIN, "resignation")


def test_another_start_is_refused() -> None:
    with pytest.raises(FormatError, match="the usual start"):
        quest.write_game(GameRecord(Game(Position.parse("XO" + "-" * 62 + " X"))))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "JSON ''"),
        ('{"a": 1}', "game 'a'"),
        ('{"position": 1}', "game 'position'"),
        ('{"position": {"moves": {}}}', "game 'position'"),
        ('{"position": {"moves": [1]}}', "move '1'"),
        ('{"position": {"moves": [{"m": "z9"}]}}', "move 'z9'"),
        ('{"position": {"moves": [{"m": "a1"}]}}', "illegal move 'a1'"),
        ('{"position": {"moves": [{"m": ["f5"]}]}}', "move ''"),
        ('{"position": {"moves": [{"t": 1}, {"m": "f5"}]}}', "move 'f5'"),
        ('{"args": [1]}', "JSON value '1'"),
        ('{"a": ' * 100, "JSON"),
        ("[" * 100 + "{", "JSON"),
        ('{"position": {"moves": [{"m": "f5", "t": 1e999}]}, "tcb": 12345678901234567890' + "1" * 5000 + "}", "JSON"),
    ],
)
def test_nonsense(text: str, reason: str) -> None:
    (found,) = quest.found_games(text)
    assert found.error is not None and found.error.reason.startswith(reason)
