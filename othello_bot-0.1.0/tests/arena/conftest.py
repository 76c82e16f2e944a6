"""What most tests of matches need: an empty store, and a host whose engines play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_bot.arena.engine_host import EngineHost
from othello_bot.arena.store import MatchStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MatchStore]:
    with MatchStore(tmp_path / "matches.db") as opened:
        yield opened


@pytest.fixture
def host() -> Iterator[EngineHost]:
    made = EngineHost()
    yield made
    made.close()
