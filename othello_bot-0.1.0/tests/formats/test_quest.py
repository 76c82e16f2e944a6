"""The JSON of Othello Quest: what the server sends, what we write, and invalid values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.formats import quest
from othello_bot.formats.record import UNTOLD_MARGIN, GameRecord, MoveNote, one_line
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
    assert (record.date, record.clock, record.place) == ("2026-05-25", TimeControl(300), "Othello Quest")
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


@given(games(), st.floats(0, 1000).map(lambda seconds: round(seconds, 3)), st.text(max_size=10).map(one_line))
def test_what_is_written_is_read(game: Game, seconds: float, name: str) -> None:
    notes = {ply: MoveNote(None, seconds) for ply in range(game.ply)}
    record = GameRecord(game, black=name, black_rating=1500.5, clock=TimeControl(300), notes=notes)
    (found,) = quest.found_games(quest.write_game(record))
    again = found.checked()
    assert (again.game, again.black, again.black_rating) == (game, record.black, 1500.5)
    assert (again.clock, again.notes) == (record.clock, notes)


def test_unknown_times_are_not_written_as_zero() -> None:
    record = GameRecord(Game.from_transcript("f5d6"), notes={0: MoveNote(None, 1.5), 1: MoveNote(2.0)})
    assert json.loads(quest.write_game(record))["position"]["moves"] == [{"m": "f5", "t": 1500}, {"m": "d6"}]


def test_a_resignation_is_written() -> None:
    record = only(answer({"m": "f5"}, {"t": 0}))
    (found,) = quest.found_games(quest.write_game(record))
    assert (found.checked().result, found.checked().ending) == (UNTOLD_MARGIN, "resignation")


def test_another_start_is_refused() -> None:
    with pytest.raises(FormatError, match="the usual start"):
        quest.write_game(GameRecord(Game(Position.parse("XO" + "-" * 62 + " X"))))


@pytest.mark.parametrize(
    ("status", "result", "winner", "ending"),
    [
        ("LOSE:RESIGN", 64.0, None, "resignation"),
        ("LOSE:TIMEUP", 64.0, None, "time"),
        ("LOSE:TIMEOUT", 64.0, None, "time"),
        ("LOSE:DISCONNECT", 64.0, None, "left"),
        ("WIN:DISCONNECT", -64.0, None, "left"),
        ("lose", None, Color.BLACK, ""),
        ("WIN:MAGIC", None, Color.WHITE, ""),
        ("DRAW", 0.0, None, ""),
        ("DRAW:AGREEMENT", 0.0, None, "agreement"),
        ("SCORE:12", None, None, ""),
        ("?", None, None, ""),
    ],
)
def test_how_a_game_ended(status: str, result: float | None, winner: Color | None, ending: str) -> None:
    """The status counts for the player on turn after all moves: White, who has not moved yet."""
    for moves in ([{"m": "f5"}, {"t": 3, "s": status}], [{"m": "f5", "s": status}]):
        record = only(answer(*moves))
        assert (record.result, record.winner, record.ending) == (result, winner, ending)
        assert (status in record.comment) is (status in ("WIN:MAGIC", "SCORE:12", "?"))
        again = only(json.loads(quest.write_game(record)))
        assert (again.known_winner, again.ending) == (record.known_winner, ending)


def test_the_board_tells_the_result_of_a_finished_game() -> None:
    moves = [{"m": "-" if move == PASS else move_name(move)} for move in passing_game().moves]
    moves[-1]["s"] = "SCORE:60"
    record = only(answer(*moves))
    assert (record.result, record.known_result, record.ending) == (None, passing_game().final_score, "")


@pytest.mark.parametrize("start", ["f5d6c4d3c2b3b4b5", "F5 d6 c4 d3 c2 b3 b4 b5", ["f5d6c4d3", "c2", "b3b4b5"]])
def test_moves_before_the_first_one_of_the_players(start: object) -> None:
    position = {"startPos": start, "moves": [{"m": "a4", "t": 1000}, {"m": "f4", "t": 900, "s": "LOSE:TIMEUP"}]}
    record = only(answer(position=position))
    assert record.game.transcript() == "f5d6c4d3c2b3b4b5a4f4"
    assert record.ending == "time"
    assert record.notes == {8: MoveNote(None, 1.0), 9: MoveNote(None, 0.9)}


def test_details_of_the_wrong_type_cost_no_game() -> None:
    odd = {"id": [], "created": {"a": 1}, "tcb": "soon", "players": [{"name": None, "id": 7, "oldR": "?"}, 5]}
    record = only(answer({"m": "f5", "t": "quick"}, gtype=None, **odd))
    assert (record.black, record.white, record.clock, record.date) == ("7", "", None, "")
    assert record.game.transcript() == "f5"
    (found,) = quest.found_games('{"position": {"moves": [{"m": "f5", "t": 1e999}]}, "tcb": 1' + "1" * 5000 + "}")
    assert found.checked().clock is None
    (found,) = quest.found_games('{"position": {"moves": [{"m": "f5", "t": NaN}]}, "tcb": -Infinity}')
    assert found.checked().notes == {}


def test_half_a_character_in_a_name_is_replaced() -> None:
    text = '{"players": [{"name": "anna\\ud83d"}, {"name": "b\\u0000o\\n"}], "position": {"moves": []}}'
    (found,) = quest.found_games(text)
    assert (found.checked().black, found.checked().white) == ("anna\ufffd", "b\\x00o")


def test_other_games_of_the_server_are_refused() -> None:
    (found,) = quest.found_games(json.dumps(answer({"m": "f5"}, gtype="go9")))
    assert found.error is not None and found.error.reason == "kind of game 'go9': expected reversi"


@pytest.mark.parametrize("open_part", ['{"a": ', '{"a": [', "[{", '{"a": {', '{"a": "x'])
def test_broken_values_are_each_looked_at_once(open_part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0

    class CountedPattern:
        def finditer(self, text: str, place: int, limit: int) -> Iterator[re.Match[str]]:
            nonlocal seen
            for part in whole.finditer(text, place, limit):
                seen += 1
                yield part

    whole = quest._PART
    monkeypatch.setattr(quest, "_PART", CountedPattern())
    steps = []
    for lines in (500, 1000):
        seen = 0
        assert all(found.error for found in quest.found_games(f"{open_part}\n" * lines))
        steps.append(seen)
    assert steps[1] <= 2.5 * steps[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "JSON ''"),
        ('{"position": {"moves": [], "startPos": "a1"}}', "illegal move 'a1'"),
        ('{"position": {"moves": [], "startPos": "hello"}}', "startPos 'hello'"),
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
    ],
)
def test_nonsense(text: str, reason: str) -> None:
    (found,) = quest.found_games(text)
    assert found.error is not None and found.error.reason.startswith(reason)
