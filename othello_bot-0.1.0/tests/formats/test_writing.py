"""Writing games: every format that is read, WTHOR bases with their names, and never over a file that is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.base.outputs import FileTaken
from othello_bot.formats import wthor
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import BestPlay, GameRecord, year_of
from othello_bot.formats.writing import ENDINGS, game_sink, write_games
from othello_bot.rules import Game, Position
from tests.rules.strategies import random_game

RECORDS = [
    GameRecord(random_game(seed), black=f"Ann {seed % 3}", white="Béa", event="Open", date="2001-05-06")
    for seed in range(6)
]


@pytest.mark.parametrize("ending", [ending for ending in ENDINGS if ending != ".obf"])
def test_every_format_is_read_again(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{ending}"
    write_games(RECORDS, path)
    again = [found.checked() for found in games_of_file(path)]
    assert [record.game for record in again] == [record.game for record in RECORDS]
    if ending != ".txt":
        assert [(record.black, record.white) for record in again] == [(rec.black, rec.white) for rec in RECORDS]
        assert {year_of(record.date) for record in again} == {2001}


def test_positions_keep_their_scores(tmp_path: Path) -> None:
    source = tmp_path / "in.obf"
    start = Position.start().to_string()
    source.write_text(f"% made up\n{start}; F5:+2; D3:+1;\n{start}; -4;\n")
    write_games((found.checked() for found in games_of_file(source)), tmp_path / "out.obf")
    assert (tmp_path / "out.obf").read_text() == f"{start}; F5:+2; D3:+1;\n{start}; -4;\n"


def test_a_base_is_the_same_after_another_round(tmp_path: Path) -> None:
    first, second = tmp_path / "a.wtb", tmp_path / "b.wtb"
    records = [GameRecord(random_game(seed), date="1999", best_play=BestPlay(4.0, 20)) for seed in range(3)]
    write_games(records, first)
    write_games((found.checked() for found in games_of_file(first)), second)
    assert first.read_bytes() == second.read_bytes()
    assert (tmp_path / "a.jou").read_bytes() == (tmp_path / "b.jou").read_bytes()
    header = wthor.read_header(first.read_bytes())
    assert (header.games, header.year, header.depth) == (3, 1999, 20)
    assert next(wthor.read_games(first.read_bytes())).theoretical_black_discs == 34


def test_scores_of_different_depths_become_results(tmp_path: Path) -> None:
    path = tmp_path / "a.wtb"
    records = [GameRecord(random_game(seed), date="1999", best_play=BestPlay(4.0, 20 + seed)) for seed in range(2)]
    write_games(records, path)
    games = list(wthor.read_games(path.read_bytes()))
    assert [(game.theoretical_black_discs, game.depth) for game in games] == [
        (32 + record.game.final_score // 2, 0) for record in records
    ]


def test_one_file_a_year(tmp_path: Path) -> None:
    records = [GameRecord(random_game(year), black="Ann", date=str(year)) for year in (1999, 2000, 2000)]
    with pytest.raises(InputError, match=r"year 2000: expected games of 1999 only, or \{year\} in the name"):
        write_games(records, tmp_path / "a.wtb")
    assert list(tmp_path.iterdir()) == []
    write_games(records, tmp_path / "WTH_{year}.wtb")
    names = ["WTHOR.jou", "WTHOR.trn", "WTH_1999.wtb", "WTH_2000.wtb"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert [found.checked().black for found in games_of_file(tmp_path / "WTH_2000.wtb")] == ["Ann", "Ann"]


@pytest.mark.parametrize("existing", ["a.wtb", "a.jou", "a.trn"])
def test_no_file_of_a_base_is_replaced(existing: str, tmp_path: Path) -> None:
    (tmp_path / existing).write_bytes(b"old")
    with pytest.raises(FileTaken, match=f"existing file '{existing}'"):
        write_games(RECORDS, tmp_path / "a.wtb")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]
    write_games(RECORDS, tmp_path / "a.wtb", overwrite=True)
    assert len(list(games_of_file(tmp_path / "a.wtb"))) == len(RECORDS)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (GameRecord(Game.from_transcript("f5")), "game without a result 'f5'"),
        (GameRecord(Game.from_transcript("f5"), winner=Color.WHITE), "result 'white won': expected a result in"),
        (GameRecord(Game(Position.parse("XO" + "-" * 62 + "X")), result=2.0), "expected the usual start"),
    ],
)
def test_games_without_a_place_in_a_base(record: GameRecord, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_games([record], tmp_path / "a.wtb")
    assert list(tmp_path.iterdir()) == []


def test_names_that_do_not_fit(tmp_path: Path) -> None:
    names = ["Łukasz Żółć 譲", "A name with more letters than a base has", "Šárka\0x", "Müller"]
    records = [GameRecord(random_game(0), black=name, date="2000") for name in names]
    write_games(records, tmp_path / "a.wtb")
    black = [found.checked().black for found in games_of_file(tmp_path / "a.wtb")]
    assert black == ["?ukasz Zo?c ?", "A name with more le", "Sarka x", "Müller"]


def test_nothing_appears_if_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "games.ggf"
    with pytest.raises(RuntimeError), game_sink(path) as sink:
        sink.add("(;")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("date", "year"),
    [("2026-11-20", 2026), ("2004.09.18_05:54:38.MDT", 2004), ("1987", 1987), ("", None), ("12345", None), ("?", None)],
)
def test_years(date: str, year: int | None) -> None:
    assert year_of(date) == year


@pytest.mark.process
def test_standard_output_is_not_taken_by_the_file_it_leads_to(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    script = "from othello_bot.formats.writing import write_games; write_games([], '/dev/stdout')"
    with path.open("wb") as file:
        subprocess.run([sys.executable, "-c", script], stdout=file, check=True)
