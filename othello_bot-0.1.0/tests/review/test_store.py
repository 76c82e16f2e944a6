"""The store: a review is found again by its game and level, survives a killed process, and is never made twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import distributed
import pytest

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS
from othello_bot.cluster import Workers
from othello_bot.engine import Engine, Options
from othello_bot.review import GameReview, command, review_game
from othello_bot.review.command import review_missing, review_piece
from othello_bot.review.store import Heading, ReviewStore, from_bytes, game_from, to_bytes
from othello_bot.rules import Position
from tests.rules.strategies import random_game

ROOT = Path(__file__).resolve().parents[2]
LEVEL = 0


def games(count: int, plies: int = 6) -> list[tuple[str, str, Heading]]:
    """Return games as the store takes them."""
    return [
        (game.start.to_string(), game.transcript(passes=True), Heading("a.txt", f"game {seed + 1}", black=f"p{seed}"))
        for seed, game in ((seed, random_game(seed, plies)) for seed in range(count))
    ]


def reviews(store: ReviewStore) -> list[GameReview]:
    return [from_bytes(game_from(listed.start, listed.moves), content) for listed, content in store.reviewed()]


def test_a_review_comes_back_from_the_store_as_it_was(tmp_path: Path) -> None:
    passing = next(game for game in map(random_game, range(99)) if PASS in game.moves)
    with Engine(Options(hash=1)) as engine, ReviewStore(tmp_path / "s.db", LEVEL) as store:
        review = review_game(engine, passing, LEVEL)
        store.list_games([(passing.start.to_string(), passing.transcript(passes=True), Heading("f", "game 1"))])
        [(key, start, moves)] = store.missing()
        assert game_from(start, moves) == passing
        store.add([(key, to_bytes(review))])
        assert reviews(store) == [review]
        assert list(store.missing()) == [] and store.counts() == (1, 1)


def test_reviews_are_kept_for_the_next_run_and_other_levels_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "s.db"
    with ReviewStore(path, LEVEL) as store, Workers(1) as workers:
        store.list_games(games(3))
        review_missing(store, workers, LEVEL)
        first = reviews(store)
    with ReviewStore(path, LEVEL) as store:
        store.list_games(games(4))
        assert store.counts() == (4, 3)
        assert reviews(store) == first
    with ReviewStore(path, LEVEL + 1) as store:
        store.list_games(games(4))
        assert store.counts() == (4, 0)


def test_the_same_game_is_reviewed_once_and_told_twice(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s.db", LEVEL) as store, Workers(1) as workers:
        store.list_games(games(2))
        store.list_games(games(2))
        stored: list[int] = []
        review_missing(store, workers, LEVEL, stored.append)
        assert sum(stored) == 2 and store.counts() == (2, 2)
        assert [listed.heading.black for listed, _ in store.reviewed()] == ["p0", "p1", "p0", "p1"]


def test_headings_come_back_with_their_games(tmp_path: Path) -> None:
    heading = Heading("f.pgn", "game 7 (line 9)", 'Åsa "x"', "<b>", "e", "2026", -3.0)
    with ReviewStore(tmp_path / "s.db", LEVEL) as store, Workers(1) as workers:
        store.list_games([(Position.start().to_string(), "f5d6", heading)])
        review_missing(store, workers, LEVEL)
        [(listed, _)] = store.reviewed()
        assert listed.heading == heading


def test_games_are_handed_out_in_pieces_and_each_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "GAMES_OF_QUICK_TASK", 4)
    with ReviewStore(tmp_path / "s.db", LEVEL) as store, Workers(1) as workers:
        store.list_games(games(10, 2))
        different, _ = store.counts()
        stored: list[int] = []
        review_missing(store, workers, LEVEL, stored.append)
        assert sum(stored) == different and max(stored) == 4


@pytest.mark.slow
@pytest.mark.parametrize("level", [LEVEL, 9])
def test_a_task_reviews_as_an_engine_does(level: int) -> None:
    game = random_game(5, 12)
    with Engine(Options(hash=16, book=False)) as engine:
        expected = review_game(engine, game, level)
    [(key, content)] = review_piece(level, ((b"key", game.start.to_string(), game.transcript(passes=True)),))
    assert (key, from_bytes(game, content)) == (b"key", expected)


@pytest.mark.process
def test_a_killed_run_loses_only_what_was_in_progress(tmp_path: Path) -> None:
    script = """
        import os, signal, sys
        from pathlib import Path
        from othello_bot.cluster import Workers
        from othello_bot.review import command
        from othello_bot.review.store import ReviewStore
        from tests.review.test_store import games

        command.GAMES_OF_QUICK_TASK = 1
        done = []
        def advance(count):
            done.append(count)
            if len(done) == 3:
                os.kill(os.getpid(), signal.SIGKILL)

        with ReviewStore(Path(sys.argv[1]), 0) as store, Workers(1) as workers:
            store.list_games(games(5))
            command.review_missing(store, workers, 0, advance)
    """
    path = tmp_path / "s.db"
    killed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(path)], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert killed.returncode == -signal.SIGKILL
    with ReviewStore(path, LEVEL) as store, Workers(1) as workers:
        store.list_games(games(5))
        assert store.counts() == (5, 3)
        review_missing(store, workers, LEVEL)
        assert store.counts() == (5, 5)


@pytest.mark.process
def test_processes_and_a_cluster_give_the_same_reviews(tmp_path: Path) -> None:
    found = []
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        for number, (processes, address) in enumerate([(1, None), (2, None), (1, cluster.scheduler_address)]):
            with ReviewStore(tmp_path / f"{number}.db", LEVEL) as store, Workers(processes, address) as workers:
                store.list_games(games(5))
                review_missing(store, workers, LEVEL)
                found.append(reviews(store))
    assert found[0] == found[1] == found[2] and len(found[0]) == 5


def test_a_full_disk_is_told_and_reviews_are_kept_together_or_not_at_all(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s.db", LEVEL) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        store.list_games(games(1))
        [(key, _, _)] = store.missing()
        with pytest.raises(sqlite3.OperationalError, match="disk is full"):
            store.add([(key, b"small"), (b"other", os.urandom(65536))])
        assert store.counts() == (1, 0)


def test_a_dash_is_no_name_of_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="/dev/stdout: '-'"):
        ReviewStore(Path("-"), LEVEL)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"no database, but a text of some length" * 9, None])
def test_a_file_that_is_no_store_is_refused_and_kept(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "other"
    if content is None:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE precious (a)")
        other.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(InputError, match="expected a store of reviews"):
        ReviewStore(path, LEVEL)
    assert path.read_bytes() == before
