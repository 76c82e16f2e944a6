"""Claims and heartbeats by a faked clock, and a store that several processes open at once."""

from __future__ import annotations

import sqlite3
from types import SimpleNamespace
from typing import cast

import pytest

from othello_bot.arena.store import BUSY_S, HEARTBEAT_S, Claims, Database, MatchStore
from tests.arena.builders import match


def test_a_heartbeat_is_due_some_seconds_after_the_last(store: MatchStore, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1000.0]
    monkeypatch.setattr("othello_bot.arena.store.time", SimpleNamespace(time=lambda: now_s[0]))
    stored = store.open_match(match(), "here")
    claims = Claims(store._db)
    assert not claims.heartbeat_is_due
    assert claims.take((stored.id, 0, 0)) and claims.registered and not claims.heartbeat_is_due
    now_s[0] += HEARTBEAT_S
    assert not claims.heartbeat_is_due
    now_s[0] += 0.5
    assert claims.heartbeat_is_due
    claims.heartbeat()
    assert not claims.heartbeat_is_due


def test_an_arena_that_gives_up_leaves_its_games_to_others(store: MatchStore) -> None:
    stored = store.open_match(match(), "here")
    first, second = Claims(store._db), Claims(store._db)
    first.give_up()
    assert first.take((stored.id, 0, 0)) and not second.take((stored.id, 0, 0))
    first.give_up()
    assert not first.registered
    assert store._db.execute("SELECT count(*) FROM arena").fetchone() == (0,)
    assert second.take((stored.id, 0, 0))


@pytest.mark.parametrize(("message", "within"), [("database is locked", True), ("disk I/O error", False)])
def test_a_store_that_another_process_opens_as_well_is_waited_for(
    message: str, within: bool, store: MatchStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = [1000.0]

    def sleep(seconds: float) -> None:
        now_s[0] += seconds

    asked: list[str] = []

    def execute(statement: str) -> None:
        asked.append(statement)
        if len(asked) < 4:
            raise sqlite3.OperationalError(message)

    clock = SimpleNamespace(monotonic=lambda: now_s[0], sleep=sleep)
    monkeypatch.setattr("othello_bot.arena.store.time", clock)
    other = cast("Database", SimpleNamespace(_db=SimpleNamespace(execute=execute)))
    if within:
        Database._write_ahead(other)
        assert asked == ["PRAGMA journal_mode = WAL"] * 4
        asked.clear()
        monkeypatch.setattr(clock, "sleep", lambda seconds: sleep(BUSY_S))
    with pytest.raises(sqlite3.OperationalError, match=message):
        Database._write_ahead(other)
    assert len(asked) == (2 if within else 1)
