"""Who plays if nobody chooses is the same at every door."""

from __future__ import annotations

import argparse
import inspect
from pathlib import Path

import pytest

import othello_bot
from othello_bot.engine import NEWCOMERS, Options, available_cores, find_option, options_of
from othello_bot.ggs import command as ggs_command
from othello_bot.play import command as play_command
from othello_bot.tools.mcp_server import McpGames

STATIC = Path(othello_bot.__file__).parent / "web" / "static"


def options_of_play(*words: str) -> Options:
    parser = argparse.ArgumentParser()
    play_command.add_arguments(parser)
    args = parser.parse_args(words)
    return options_of(args, play_command._base(args))


def test_newcomers_meet_casual() -> None:
    assert find_option("strength").format(NEWCOMERS) == "casual"
    assert options_of_play().strength == NEWCOMERS
    assert f"export const NEWCOMERS = {NEWCOMERS};" in (STATIC / "players.js").read_text(encoding="utf-8")
    assert "strength: NEWCOMERS" in (STATIC / "opponents.js").read_text(encoding="utf-8")


def test_the_environment_of_one_agent_has_the_same_opponent() -> None:
    gym = pytest.importorskip("othello_bot.environments.gym")
    assert inspect.signature(gym.OthelloEnv).parameters["opponent"].default.strength == NEWCOMERS


@pytest.mark.parametrize(
    ("words", "strength", "level"),
    [
        (["--level", "10"], "champion", 10),
        (["--strength", "novice"], "novice", None),
        (["--move-time", "100"], "champion", None),
        (["--white", "engine"], "champion", None),
        (["--hash", "1"], "casual", None),
    ],
)
def test_what_is_named_at_the_terminal_is_played(words: list[str], strength: str, level: int | None) -> None:
    options = options_of_play(*words)
    assert (options.text("strength"), options.level) == (strength, level)


def test_programs_without_limits_meet_level_21() -> None:
    assert (Options().text("strength"), Options().level_that_applies(clocked=False)) == ("champion", 21)
    for tool in (McpGames.best_move, McpGames.evaluate):
        assert inspect.signature(tool).parameters["seconds"].default is None


def test_the_game_server_is_played_with_all_cores() -> None:
    assert ggs_command.OPTIONS.threads == min(available_cores(), 256)
