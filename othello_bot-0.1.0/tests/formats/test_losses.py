"""What games lose in each format: said where it happens, and only there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from othello_bot.base.clocks import TimeControl
from othello_bot.base.notation import Color
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import BestPlay, GameRecord, MoveNote
from othello_bot.formats.table import WRITTEN
from othello_bot.formats.writing import ENDINGS, write_games
from othello_bot.rules import Game
from tests.rules.strategies import random_game


def losses(game: GameRecord, ending: str) -> list[str]:
    return WRITTEN[ending].lost(game)


def record(**values: Any) -> GameRecord:
    """Return an unfinished game with these values."""
    return GameRecord(Game.from_transcript("f5d6c3"), **values)


def note(**values: Any) -> dict[int, MoveNote]:
    return {1: MoveNote(**values)}


KINDS: list[tuple[str, GameRecord, Callable[[GameRecord], object]]] = [
    ("moves", record(), lambda game: game.game.moves),
    ("players", record(black="Ann", white="Bo"), lambda game: (game.black, game.white)),
    ("ratings", record(black_rating=1500.5), lambda game: game.black_rating),
    ("event", record(event="Open"), lambda game: game.event),
    ("place", record(place="Paris"), lambda game: game.place),
    ("round", record(round="3"), lambda game: game.round),
    ("date", record(date="1999"), lambda game: game.date),
    ("month and day", record(date="1999-05-06"), lambda game: game.date[4:]),
    ("time of day", record(date="1999-05-06", time_of_day="12:30:00 UTC"), lambda game: game.time_of_day[:8]),
    ("time of day", record(date="1999-05-06", time_of_day="12:30:00 MST"), lambda game: game.time_of_day[:8]),
    ("time of day", record(date="1999", time_of_day="12:30:00 UTC"), lambda game: game.time_of_day[:8]),
    ("time zone", record(date="1999-05-06", time_of_day="12:30:00 MST"), lambda game: game.time_of_day[8:]),
    ("number of discs", record(result=12.0), lambda game: game.result),
    ("number of discs", record(result=14.0, ending="resignation"), lambda game: game.result),
    ("number of discs", record(result=-3.5, ending="time"), lambda game: game.result),
    ("number of discs", record(result=14.0, ending="left"), lambda game: game.result),
    ("result", record(result=12.0), lambda game: game.known_winner),
    ("result", record(result=0.0), lambda game: game.known_result),
    ("who won", record(winner=Color.WHITE), lambda game: game.known_winner),
    ("how the game ended", record(result=64.0, ending="time"), lambda game: game.ending),
    ("how the game ended", record(result=-64.0, ending="left"), lambda game: game.ending),
    ("how the game ended", record(result=0.0, ending="agreement"), lambda game: game.ending),
    ("how the game ended", record(ending="resignation"), lambda game: game.ending),
    ("clocks", record(clock=TimeControl(300)), lambda game: game.clock and game.clock.main_s),
    ("increments", record(clock=TimeControl(300, 2)), lambda game: game.clock and game.clock.increment_s),
    ("grace times", record(clock=TimeControl(300, 0, grace_s=120)), lambda game: game.clock and game.clock.grace_s),
    ("clocks of each player", record(black_clock=TimeControl(60)), lambda game: game.black_clock),
    ("scores of moves", record(notes=note(score=2.0)), lambda game: game.notes[1].score),
    ("times of moves", record(notes=note(seconds=2.5)), lambda game: game.notes[1].seconds),
    ("times left", record(notes=note(left_s=296.5)), lambda game: game.notes[1].left_s),
    ("comments on moves", record(notes=note(comment="good")), lambda game: game.notes[1].comment),
    ("comment", record(comment="a good game"), lambda game: game.comment),
]
"""A kind, a game that tells it, and what must come back if it is not lost."""


PART_OF = {
    "month and day": "date",
    "time of day": "date",
    "time zone": "time of day",
    "number of discs": "result",
    "increments": "clocks",
    "grace times": "clocks",
    "clocks of each player": "clocks",
}
"""Kinds that are lost with another, which is said instead."""


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("kind", "game", "told"), KINDS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_loss_is_said_where_it_happens(
    kind: str, game: GameRecord, told: Callable[[GameRecord], object], ending: str, tmp_path: Path
) -> None:
    if ending == ".wtb" and game.result is None:
        if game.winner is not None or game.ending:
            return  # a base needs a number of discs
        game = replace(game, game=random_game(1))
    path = tmp_path / f"game{ending}"
    write_games([game], path)
    (again,) = (found.checked() for found in games_of_file(path))
    try:
        kept = told(again) == told(game)
    except KeyError:
        kept = False
    said = losses(game, ending)
    assert kept is not (kind in said or PART_OF.get(kind, kind) in said)


def test_what_only_problems_and_bases_have() -> None:
    best = GameRecord(random_game(1), best_play=BestPlay(4.0, 20))
    scored = GameRecord(Game(), scores={19: 4})
    for ending in ENDINGS:
        assert ("result with best play" in losses(best, ending)) is (ending != ".wtb")
        assert ("scores of the position" in losses(scored, ending)) is (ending != ".obf")


def test_a_result_that_the_board_tells_is_not_lost() -> None:
    game = random_game(1)
    for ending in ENDINGS:
        assert not {"result", "number of discs"} & set(losses(GameRecord(game, result=float(game.final_score)), ending))
    other = GameRecord(game, result=game.final_score + 2.0)
    assert "number of discs" in losses(other, ".pgn")
    assert "result" in losses(other, ".txt")
    assert losses(other, ".ggf") == losses(other, ".sgf") == []


@pytest.mark.parametrize("name", ["A name with more letters than a base has", "\u8b72"])
def test_names_that_a_base_changes(name: str) -> None:
    assert losses(GameRecord(random_game(1), black=name), ".wtb") == ["letters of names"]
    assert losses(GameRecord(random_game(1), black="M\u00fcller"), ".wtb") == []
