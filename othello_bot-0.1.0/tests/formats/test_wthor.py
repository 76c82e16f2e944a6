"""WTHOR: games and names of a base, and invalid bytes."""

from __future__ import annotations

import pytest

from othello_bot.base.errors import FormatError
from othello_bot.formats import wthor
from othello_bot.rules.game import Game
from tests.formats.samples import WIPE_OUT, names_file, passing_game, wthor_file


def test_games_of_wthor() -> None:
    games = [passing_game(), Game.from_transcript(WIPE_OUT)]
    data = wthor_file(games)
    header = wthor.read_header(data)
    assert (header.date, header.games, header.year, header.depth) == ("2024-05-31", 2, 1987, 22)
    players = wthor.read_players(names_file(["Tastet Marc", "???", "Méchant Éric"], 20))
    tournaments = wthor.read_tournaments(names_file(["None", "Open de Paris"], 26))
    stored = list(wthor.read_games(data))
    records = [game.record(players, tournaments) for game in stored]
    assert [record.game for record in records] == games
    assert [record.result for record in records] == [game.final_score for game in games]
    assert (records[0].black, records[0].white) == ("Méchant Éric", "Tastet Marc")
    assert (records[0].event, records[0].date) == ("Open de Paris", "1987")
    assert stored[0].theoretical_black_discs == 33
    assert stored[0].record().black == ""


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", 0),
        (b"x" * 15, 0),
        (wthor_file([Game()], size=10), 12),
        (wthor_file([Game()], count=2), 4),
        (wthor_file([Game()], count=2**32 - 1), 4),
        (wthor_file([Game()])[:-1], 4),
    ],
)
def test_nonsense_in_wthor(data: bytes, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        list(wthor.read_games(data))
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (wthor_file([Game()])[:-60] + b"\x09" + b"\0" * 59, 24),
        (wthor_file([Game()])[:-62] + b"\xff" * 2 + b"\0" * 60, 22),
        (wthor_file([Game.from_transcript("f5d6")])[:-59] + b"\x0b" + b"\0" * 58, 25),
    ],
)
def test_nonsense_in_a_game_of_wthor(data: bytes, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        next(wthor.read_games(data)).record()
    assert caught.value.place == place


def test_an_illegal_game_of_wthor_does_not_hide_the_others() -> None:
    data = wthor_file([Game.from_transcript("f5"), Game.from_transcript("f5d6")])
    broken = data[:24] + bytes([11]) + data[25:]
    first, second = wthor.read_games(broken)
    with pytest.raises(FormatError, match="a1"):
        first.record()
    assert second.record().game.transcript() == "f5d6"


def test_a_wrong_number_of_names_in_the_header_costs_none() -> None:
    data = names_file(["A", "B", "C"], 20)
    assert wthor.read_players(data[:10] + b"\x07" + data[11:]) == ["A", "B", "C"]


def test_nonsense_in_names() -> None:
    with pytest.raises(FormatError):
        wthor.read_players(names_file(["A", "B"], 20)[:-1])
