"""The command `explore` of a session and over GTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from tests.explorer.games import built
from tests.session.harness import in_process, replies


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("base") / "my games.base"
    games = [("f5d6c3", "Rose van Dam", 2.0), ("f5d6c4", "Tom", -2.0), ("d3c5d6", "Tom", 0.0), ("f5f6", "Ann", None)]
    built(
        path, [GameRecord(Game.from_transcript(moves), black=name, result=result) for moves, name, result in games]
    ).close()
    return path


def ask(base: Path, *lines: str) -> list[str]:
    return replies(in_process("\n".join((f"setoption base_file {base}", *lines)) + "\n"))[1:]


def test_it_tells_what_was_played_here(base: Path) -> None:
    table, objects = ask(base, "play f5", "explore", "explore --json")[1:]
    assert table.splitlines()[0] == "= 4 games, 1 won, 1 drawn, 1 lost for the player to move"
    found = [json.loads(line.removeprefix("= ")) for line in objects.splitlines()]
    assert [(one["move"], one["games"], one["won"], one["drawn"], one["lost"]) for one in found] == [
        ("d6", 3, 1, 1, 1),
        ("f6", 1, 0, 0, 0),
    ]


def test_filters_and_games_are_words_behind_it(base: Path) -> None:
    rose, games, none = ask(
        base, 'explore --player "van dam" --json', "explore --games --json --count 2", "explore --player x --json"
    )
    assert json.loads(rose.removeprefix("= "))["games"] == 1
    assert [json.loads(line.removeprefix("= "))["game"] for line in games.splitlines()] == [4, 3]
    assert json.loads(none.removeprefix("= ")) == {
        "move": None,
        "games": 0,
        "won": 0,
        "drawn": 0,
        "lost": 0,
        "mean_discs": None,
        "mean_rating": None,
        "first_year": None,
        "last_year": None,
        "ended": 0,
    }


def test_moves_lead_on_from_the_position_for_one_question(base: Path) -> None:
    told, after, wrong, present = ask(
        base, "explore f5d6 --json", "explore f5 --games --json", "explore f5f5", "explore --json"
    )
    assert {json.loads(line.removeprefix("= "))["move"] for line in told.splitlines()} == {"c3", "c4", "c5"}
    assert [json.loads(line.removeprefix("= "))["ply"] for line in after.splitlines()] == [1] * 4
    assert wrong.startswith("? cannot explore: illegal move 'f5'") and "\n" not in wrong
    assert json.loads(present.removeprefix("= "))["move"] == "f5"


def test_the_present_game_leaves_what_was_known(base: Path) -> None:
    told = ask(base, "play f5d6c3d3", "explore --novelty")[-1]
    assert told.startswith("= new with move 4, d3; 1 game had come so far")
    assert "Rose van Dam" in told


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("explore --frequency", "unrecognized arguments: --frequency"),
        ('explore --player "a', "closed quotation marks"),
        ("explore --color black", "the name of a player"),
        ("explore --programs /no/such/file", "No such file"),
        ("explore --years x", "a range like"),
        ("explore --help", "unrecognized arguments: --help"),
    ],
)
def test_what_it_does_not_understand_is_one_line(base: Path, line: str, message: str) -> None:
    (told,) = ask(base, line)
    assert told.startswith("? cannot explore: ") and message in told and "\n" not in told


def test_without_a_base_it_says_how_to_name_one(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("f5d6")
    lines = [f"setoption base_file {tmp_path / name}" for name in ("none", "text")]
    told = replies(in_process("\n".join((*lines, "getoption base_file", "explore")) + "\n"))
    assert all(one.startswith("? option base_file '") for one in told[:2])
    assert told[2] == "= none"
    assert "setoption base_file FILE" in told[3]
