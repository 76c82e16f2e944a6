"""Each strategy can be chosen wherever a player can be: in every dialect, in the arena, at the terminal."""

from __future__ import annotations

import argparse
import re

import pytest

from othello_bot import strategies
from othello_bot.arena.players import make_player
from othello_bot.base.notation import square_name
from othello_bot.engine import Limits, carried_out
from othello_bot.engine.deepening import Search
from othello_bot.engine.options import Options
from othello_bot.play import command as play
from othello_bot.rules import Game, Position
from tests.arena.builders import engines
from tests.session.harness import SMALL, LiveSession

AFTER_F5 = Position.start().play(37)
START_CELLS = 27 * "-" + "O*" + 6 * "-" + "*O" + 27 * "-"
NBOARD_AFTER_F5 = f"(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[5]TY[8]BO[8 {START_CELLS} *]B[F5];)"
CASSIO_AFTER_F5 = AFTER_F5.to_string()[:64].replace(".", "-") + "O"


def answer(name: str) -> str:
    """Return the strategy's move at depth 1 after f5, without a session."""
    return square_name(strategies.choose(strategies.make(strategies.with_depth(name, 1)), AFTER_F5))


def options_for(name: str) -> Options:
    """Return the options as the command line's --option strategy=... sets them, with the seed that `answer` has."""
    return SMALL.with_value("strategy", name).with_value("strategy_depth", "1").with_value("seed", "0")


@pytest.fixture(scope="module")
def search() -> Search:
    """Provide one table for all sessions; no textbook player uses it."""
    return Search(hash_mib=1)


def talk(search: Search, options: Options, until: str, *lines: str) -> str:
    """Return a session's output once it contains `until`."""
    with LiveSession(search, options) as live:
        live.send(*lines)
        live.wait_for(until)  # a `quit` or NBoard's `ping` would interrupt the player
        return live.writer.text.lower()


@pytest.mark.parametrize("name", strategies.names())
def test_in_a_session_with_setoption(name: str, search: Search) -> None:
    lines = (f"1 setoption strategy {name}", "2 setoption strategy_depth 1", "3 play f5", "4 genmove")
    assert f"=4 {answer(name)}\n" in talk(search, SMALL.with_value("seed", "0"), "=4 ", *lines)


@pytest.mark.parametrize("name", strategies.names())
def test_in_gtp(name: str, search: Search) -> None:
    shown = talk(search, options_for(name), "=3 ", "1 protocol_version", "2 play b f5", "3 genmove w")
    assert f"=3 {answer(name)}\n" in shown


@pytest.mark.parametrize("name", strategies.names())
def test_in_nboard(name: str, search: Search) -> None:
    shown = talk(search, options_for(name), "=== ", "nboard 2", f"set game {NBOARD_AFTER_F5}", "go")
    assert f"=== {answer(name)}\n" in shown


@pytest.mark.parametrize("name", strategies.names())
def test_in_cassio(name: str, search: Search) -> None:
    command = f"ENGINE-PROTOCOL midgame-search {CASSIO_AFTER_F5} -64 64 5 100"
    shown = talk(search, options_for(name), " node ", "ENGINE-PROTOCOL init", command)
    results = re.findall(r"move (\w\w), depth (\d+), @\S+, (\S+) <= v <= (\S+),", shown)
    assert results == [(answer(name), "0", "w-64.00", "w+64.00")], "a move, and nothing is known of its score"


@pytest.mark.parametrize("name", strategies.names())
def test_in_the_arena(name: str) -> None:
    (config,) = engines(f"{name} depth=1" if strategies.searches(name) else name)
    player = make_player(config)
    player.start()
    player.new_game(Game(), "seed")
    move = carried_out(player.choose(AFTER_F5, Limits())).move
    player.close()
    assert move in AFTER_F5.legal_moves
    assert name == "random" or square_name(move) == answer(name)


@pytest.mark.parametrize("name", strategies.names())
def test_at_the_terminal(name: str) -> None:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    args = parser.parse_args(["--black", "human", "--white", name])
    assert (args.black.text, args.white.text) == ("human", name)
