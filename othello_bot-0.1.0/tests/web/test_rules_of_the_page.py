"""The page's own rules and its tree of a game, run by Node.js, against those of the engine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from othello_bot.base.notation import PASS
from othello_bot.rules import Game, Position
from tests.rules.strategies import random_game
from tests.web.conftest import run_modules

pytestmark = [pytest.mark.process, pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")]

PageWalk = Callable[[list[tuple[str, str]]], list[Any]]


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> PageWalk:
    """Return what walks games, each a start and a transcript: None for one that cannot be read."""
    script = Path(__file__).with_name("walk.mjs").read_text()
    return partial(run_modules, tmp_path_factory.mktemp("page"), script)


def boards(game: Game) -> list[str]:
    return [game.position_at(ply).to_string() for ply in range(game.ply + 1)]


def test_games_are_those_of_the_engine(walk: PageWalk) -> None:
    games = [random_game(seed) for seed in range(150)]
    games += [random_game(seed, start=game.position_at(seed % 50)) for seed, game in enumerate(games[:50])]
    usual = Position.start()
    found = walk([("" if one.start == usual else one.start.to_string(), one.transcript()) for one in games])
    assert any(PASS in game.moves for game in games)
    for game, page in zip(games, found, strict=True):
        positions = [game.position_at(ply) for ply in range(game.ply + 1)]
        legal = [list(one.legal_moves) for one in positions]
        assert page["positions"] == [list(row) for row in zip(boards(game), legal, [-1, *game.moves], strict=True)]
        assert page["score"] == game.final_score
        assert page["linked"] == page["kept"] == page["line"] == boards(game)


@pytest.mark.parametrize(
    ("start", "moves"),
    [
        ("", "f5f5"),
        ("", "f5d6c3x9"),
        ("", "f5pa"),
        ("", "a1"),
        ("", "f"),
        ("X", ""),
        (f"{64 * 'X'} O", "a1"),
    ],
)
def test_what_is_no_game_is_refused(walk: PageWalk, start: str, moves: str) -> None:
    assert walk([(start, moves)]) == [None]
