"""The store: every game exactly once, whichever arena writes it and whatever happens in the meantime."""

from __future__ import annotations

import csv
import json
import random
import sqlite3
import subprocess
import sys
import textwrap
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from othello_bot.arena.adjudication import Ending, GameOutcome
from othello_bot.arena.config import as_json
from othello_bot.arena.export import export, record_of
from othello_bot.arena.games import GameReport, GameTask
from othello_bot.arena.match import game_tasks
from othello_bot.arena.openings import Opening
from othello_bot.arena.report import failure_records, report_lines
from othello_bot.arena.store import FORMAT, Database, MatchStore, StoreError
from othello_bot.arena.stored import StoredMatch
from othello_bot.base.notation import Color
from othello_bot.cli import main
from othello_bot.formats import ggf, pgn, reading, sgf
from othello_bot.rules.game import parse_moves
from othello_bot.rules.position import Position
from tests.arena.builders import OPENING, match, random_game, report_of

ROOT = Path(__file__).resolve().parents[2]

Filled: TypeAlias = tuple[MatchStore, StoredMatch, tuple[GameReport, ...]]
"""A store, its match, and the games in it."""


def some_reports(count: int) -> list[GameReport]:
    tasks = list(game_tasks(match(rounds=count)))[:count]
    return [report_of(task, OPENING, random_game(random.Random(number), OPENING)) for number, task in enumerate(tasks)]


def test_a_game_comes_back_as_it_went_in(store: MatchStore) -> None:
    stored = store.open_match(match(), "this machine")
    (report,) = some_reports(1)
    assert store.add(stored.id, report)
    (game,) = store.games(stored.id)
    assert parse_moves(game.moves) == report.moves
    assert game.start == OPENING.start.to_string()
    assert game.result.task == report.task
    assert (game.result.discs, game.result.ending, game.result.loser) == (report.outcome.discs, Ending.BOARD, None)
    assert game.played == report.played
    assert game.identities == report.identities
    (result,) = store.results(stored.id)
    assert replace(result, opening="") == game.result
    assert result.opening == f"{game.start} {game.moves[: 2 * game.opening_plies]}"
    assert sum(result.moves) == len(report.played)
    assert sum(result.seconds) == pytest.approx(0.01 * len(report.played))


def test_a_report_says_what_the_engines_say_they_are_and_where_that_changed(store: MatchStore) -> None:
    stored = store.open_match(match(), "here")
    first, second, third = some_reports(3)
    store.add(stored.id, first)
    store.add(stored.id, second)
    store.add(stored.id, replace(third, identities=("one 2", "two 2")))
    # In the second game the colours are swapped.
    assert store.identities(stored.id) == {0: ["one 1", "two 2", "one 2"], 1: ["two 2", "one 1"]}
    lines = report_lines(store, stored)
    assert "A is random (one 1 and two 2 and one 2)" in lines
    assert "B is random (two 2 and one 1)" in lines


def test_an_interrupt_that_comes_as_a_game_is_written_ends_as_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes when SQLite has begun the transaction and Python does not know it yet: claims are given up all the same."""
    path, (report,), execute = tmp_path / "matches.db", some_reports(1), Database.execute

    def interrupted(database: Database, statement: str, *values: Any) -> sqlite3.Cursor:
        cursor = execute(database, statement, *values)
        if statement.startswith("BEGIN"):
            monkeypatch.undo()
            raise KeyboardInterrupt
        return cursor

    with pytest.raises(KeyboardInterrupt), MatchStore(path) as store:
        stored = store.open_match(match(), "here")
        assert store.claim(stored.id, report.task)
        monkeypatch.setattr(Database, "execute", interrupted)
        store.add(stored.id, report)
    with MatchStore(path) as store:
        assert store.is_whole() and not list(store.results(stored.id))
        assert store.claim(stored.id, report.task)


def test_a_game_counts_once_however_often_it_is_reported(store: MatchStore) -> None:
    stored = store.open_match(match(), "here")
    first, second = some_reports(2)
    assert store.add(stored.id, first)
    other_moves = report_of(first.task, OPENING, random_game(random.Random(99), OPENING))
    assert not store.add(stored.id, first)
    assert not store.add(stored.id, other_moves)
    assert store.add(stored.id, second)
    assert [result.task for result in store.results(stored.id)] == [first.task, second.task]
    assert parse_moves(next(store.games(stored.id)).moves) == first.moves != other_moves.moves


def test_games_that_repeat_an_earlier_one_are_marked(store: MatchStore) -> None:
    stored = store.open_match(match(), "here")
    game = random_game(random.Random(1), OPENING)
    other = random_game(random.Random(2), OPENING)
    tasks = [GameTask(0, 0, 0, 0, 1), GameTask(1, 0, 1, 0, 1), GameTask(2, 0, 2, 0, 1), GameTask(3, 0, 3, 1, 0)]
    for task, played in zip(tasks, (game, game, other, game), strict=True):
        store.add(stored.id, report_of(task, OPENING, played))
    # The same moves by other players are no repetition.
    assert [result.repeats for result in store.results(stored.id)] == [None, 1, None, None]


def test_the_same_command_finds_its_match_and_another_one_does_not(store: MatchStore) -> None:
    first = store.open_match(match(), "here")
    assert store.open_match(match(rounds=3, concurrency=2), "there").id == first.id
    assert store.open_match(match(seed=9), "here").id != first.id
    assert [found.names for found in store.matches()] == [("A", "B"), ("A", "B")]


@pytest.mark.process
def test_claims_keep_two_arenas_from_playing_the_same_game(tmp_path: Path) -> None:
    task, other = list(game_tasks(match(rounds=1)))
    path = tmp_path / "matches.db"
    claim = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {str(ROOT)!r})
        from pathlib import Path
        from othello_bot.arena.store import MatchStore
        from othello_bot.arena.games import GameTask
        from othello_bot.arena.stored import GAME_COLUMNS
        store = MatchStore(Path({str(path)!r}))
        print(store.claim(1, GameTask(0, 0, 0, 0, 1)), flush=True)
        sys.stdin.readline()
        """
    )
    with MatchStore(path) as store:
        store.open_match(match(), "here")
        command = [sys.executable, "-c", claim]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None and process.stdout.readline() == "True\n"
            assert not store.claim(1, task)
            assert store.claim(1, other)
            assert store.claim(1, other)
            process.kill()
        # The games that a dead arena claimed are free again.
        assert store.claim(1, task)


def test_claims_of_another_machine_hold_while_it_shows_itself(store: MatchStore) -> None:
    task = GameTask(0, 0, 0, 0, 1)
    other = sqlite3.connect(store_path(store))
    other.execute("INSERT INTO arena VALUES (77, 'elsewhere', 1, strftime('%s', 'now'))")
    other.execute("INSERT INTO claim VALUES (1, 0, 0, 77)")
    other.commit()
    assert not store.claim(1, task)
    other.execute("UPDATE arena SET seen = seen - 3600")
    other.commit()
    other.close()
    assert store.claim(1, task)


def store_path(store: MatchStore) -> str:
    return str(store._db.execute("PRAGMA database_list").fetchone()[2])


@pytest.mark.parametrize("content", [b"no database at all" * 100, b""])
def test_a_file_that_is_no_store_is_refused_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "matches.db"
    path.write_bytes(content)
    if content:
        with pytest.raises(StoreError, match=r"not a store of matches \(file is not a database\)"):
            MatchStore(path)
        assert path.read_bytes() == content
    else:
        MatchStore(path).close()
    with pytest.raises(StoreError, match="-: not the name of a file to write"):
        MatchStore(Path("-"))


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "addresses.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE address (name TEXT)")
    with pytest.raises(StoreError, match="something else"):
        MatchStore(path)


@pytest.mark.parametrize("version", [3, FORMAT + 1])
def test_a_store_that_no_release_has_written_is_refused(tmp_path: Path, version: int) -> None:
    path = tmp_path / "matches.db"
    MatchStore(path).close()
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(StoreError, match=f"format {version}: this program knows formats 4 to {FORMAT}"):
        MatchStore(path)


def test_a_report_of_a_store_that_is_not_there_makes_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such store"):
        MatchStore(tmp_path / "matches.db", create=False)
    assert not list(tmp_path.iterdir())


@pytest.fixture
def filled(store: MatchStore) -> Filled:
    stored = store.open_match(match("random name=A tc=60+1", "random name=B tc=60+1", event="a test"), "here")
    first, second, third = some_reports(3)
    store.add(stored.id, first)
    store.add(stored.id, second)
    lost = report_of(
        third.task, OPENING, OPENING.game(), discs=None, ending=Ending.TIME, loser=Color.BLACK, detail='slow, "very"'
    )
    store.add(stored.id, lost)
    return store, stored, (first, second, lost)


def texts(filled: Filled, form: str) -> str:
    store, stored, _ = filled
    return "".join(export([(store, stored)], form))


def test_ggf_tells_everything_that_it_can(filled: Filled) -> None:
    games = list(ggf.FORMAT.records(texts(filled, "ggf")))
    assert [game.game.moves for game in games] == [report.moves for report in filled[2]]
    assert [game.result for game in games] == [filled[2][0].outcome.discs, filled[2][1].outcome.discs, -64]
    assert [game.ending for game in games] == ["", "", "time"]
    assert [(game.black, game.white) for game in games] == [("A", "B"), ("B", "A"), ("A", "B")]
    clock = games[0].black_clock
    assert clock is not None and clock.increment_s == 1
    assert games[0].notes[8].score == 2
    assert games[0].event == "a test"


def test_pgn_sgf_and_transcripts_can_be_read_again(filled: Filled) -> None:
    for form, reader in (("pgn", pgn.FORMAT.records), ("sgf", sgf.FORMAT.records), ("transcript", reading.read_games)):
        games = list(reader(texts(filled, form)))
        assert [game.game.moves for game in games] == [report.moves for report in filled[2]]


def test_a_transcript_has_its_start_only_where_it_is_not_the_usual_one(filled: Filled) -> None:
    store, stored, (game, *_) = filled
    assert not any("-----" in line for line in texts(filled, "transcript").splitlines())
    other = Position.parse("---O------XOO---XXXXOO--XXXOXOOOXOOOOXO-XXXXOOXXX-XXXX--X-XOOX-- O")
    task = replace(game.task, pair=99)
    store.add(stored.id, report_of(task, Opening(other), random_game(random.Random(1), Opening(other))))
    assert texts(filled, "transcript").splitlines()[-1].startswith(other.to_string())


def test_json_lines_and_csv_agree(filled: Filled) -> None:
    lines = [json.loads(line) for line in texts(filled, "jsonl").splitlines()]
    rows = list(csv.DictReader(texts(filled, "csv").splitlines()))
    assert len(lines) == len(rows) == 3
    for line, row in zip(lines, rows, strict=True):
        assert (row["black"], row["moves"], row["ending"]) == (line["black"], line["moves"], line["ending"])
        assert float(row["black_points"]) == line["black_points"]
    assert rows[2]["detail"] == lines[2]["detail"] == 'slow, "very"'
    assert lines[2]["loser"] == "A"
    first = {"ply": 8, "used_s": 0.01, "left_s": 1.0, "score": 2.0, "depth": "8@73%", "nodes": 1000, "planned_s": None}
    assert lines[0]["played"][0] == first


def test_a_text_in_csv_is_no_formula_and_a_board_is_as_it_was(store: MatchStore) -> None:
    stored = store.open_match(match("random name==A", "random name=@B"), "here")
    report = replace(some_reports(1)[0], identities=("+1", "-1"))
    store.add(stored.id, report)
    (row,) = csv.DictReader(export([(store, stored)], "csv"))
    assert (row["black"], row["white"], row["black_identity"], row["white_identity"]) == ("'=A", "'@B", "'+1", "'-1")
    assert row["start"] == report.opening.start.to_string()


def test_several_matches_have_one_head_and_tell_which_is_which(filled: Filled) -> None:
    store, stored, reports = filled
    other = store.open_match(match(seed=2), "here")
    store.add(other.id, reports[0])
    rows = list(csv.DictReader(export([(store, stored), (store, other)], "csv")))
    assert [row["match"] for row in rows] == [stored.key] * 3 + [other.key]


def test_a_new_store_opened_by_many_at_once(tmp_path: Path) -> None:
    failures = []

    def open_store(path: Path, start: threading.Barrier) -> None:
        start.wait()
        try:
            MatchStore(path).close()
        except StoreError as error:
            failures.append(error)

    for number in range(20):
        start = threading.Barrier(8)
        path = tmp_path / f"{number}.db"
        threads = [threading.Thread(target=open_store, args=(path, start)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_failures_are_reported_game_by_game_with_the_last_words(store: MatchStore) -> None:
    stored = store.open_match(match(), "here")
    first, second = some_reports(2)
    words = ("> play w pass", "< ? syntax error", "! warning: no book")
    failed = replace(first, outcome=GameOutcome(Ending.REFUSAL, Color.WHITE, detail="no", last_words=words))
    store.add(stored.id, failed)
    store.add(stored.id, second)
    (game, _) = store.games(stored.id)
    assert game.last_words == words
    assert list(failure_records(store, stored)) == [
        "A - B (opening 1): B lost by refusal",
        "  no",
        f"  moves: {game.moves}",
        *(f"    {line}" for line in words),
        "",
    ]
    exported = [json.loads(line) for line in export([(store, stored)], "jsonl")]
    assert [line["last_words"] for line in exported] == [list(words), []]


def test_a_match_whose_settings_this_version_does_not_know_is_refused(store: MatchStore) -> None:
    store.open_match(match(), "here")
    content = {**as_json(match()), "tables": 2}
    store._db.execute("UPDATE match SET config = ?", (json.dumps(content),))
    with pytest.raises(StoreError, match="match 1 cannot be read: this version does not know the setting 'tables'"):
        store.matches()


def test_the_place_of_a_game_is_the_name_of_its_machine(store: MatchStore) -> None:
    stored = store.open_match(match(), "host, 2 cores, some processor")
    (report,) = some_reports(1)
    store.add(stored.id, replace(report, machine="host 2 cores"))
    (game,) = store.games(stored.id)
    assert record_of(stored, game).place == "host"


@pytest.mark.process
def test_a_match_that_0_1_0_began_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`store-0.1.0.sql` is the store of a match of that version: two games of two textbook players."""
    path = tmp_path / "matches.db"
    with sqlite3.connect(path) as old:
        old.executescript((Path(__file__).parent / "store-0.1.0.sql").read_text())
    command = ["match", "--engine", "random", "name=A", "--engine", "iago:1", "name=B", "--adjudicate", "10"]
    assert main([*command, "--rounds", "2", "--store", str(path)]) == 0
    assert "4 games, 2 of them played before" in capsys.readouterr().out
    assert main(["match", "report", str(path)]) == 0
    told = capsys.readouterr().out
    assert told.count("begun ") == 1
    assert "4 games: 4 solved" in told
    with MatchStore(path) as store:
        assert store.is_whole() and len(list(store.games(1))) == 4
