"""Strategies by name: every name plays, every bad spec says what would be accepted."""

from __future__ import annotations

import pytest

from othello_bot import strategies
from othello_bot.base.notation import PASS, parse_square
from othello_bot.rules.position import Position
from othello_bot.strategies.marappan import points
from othello_bot.strategies.mini_othello import MiniOthello
from othello_bot.strategies.searchers import ThinkAhead
from othello_bot.strategies.techniques import TextbookSearcher


@pytest.mark.slow
@pytest.mark.parametrize("name", strategies.names())
def test_every_strategy_plays_a_legal_game(name: str) -> None:
    position = Position.start()
    black = strategies.make(strategies.with_depth(name, 1), seed=3)
    white = strategies.make("random", seed=4)
    while not position.is_over:
        position = position.play(strategies.choose(black if position.color == 0 else white, position))
    assert position.black.bit_count() + position.white.bit_count() > 4


@pytest.mark.parametrize("name", strategies.names())
def test_every_strategy_is_described(name: str) -> None:
    line = strategies.describe(name)
    assert line and "\n" not in line
    assert ("depth" in line) == strategies.searches(name)


@pytest.mark.parametrize(
    "spec",
    [
        "iago:3",
        "alphabeta:2:weighted",
        "minimax::difference",
        "mini-othello:4:end=12+win+quiescence",
        "marappan:2:minimax",
        "textbook:3:iterative-deepening+hashing+zero-window+aspiration=30+weighted",
        "textbook:2:think-ahead",
        " killer:2 ",
    ],
)
def test_specs(spec: str) -> None:
    assert strategies.choose(strategies.make(spec), Position.start()) in Position.start().legal_moves


def test_settings_arrive() -> None:
    mini = strategies.make("mini-othello:4:end=12+win")
    assert isinstance(mini, MiniOthello)
    assert (mini.depth, mini.end_empties, mini.win_only, mini.quiescence) == (4, 12, True, False)
    published = strategies.make("mini-othello")
    assert isinstance(published, MiniOthello) and (published.depth, published.end_empties) == (3, 14)
    textbook = strategies.make("textbook:5:hashing+completion=8+marappan")
    assert isinstance(textbook, TextbookSearcher)
    assert (textbook.depth, textbook.switches.hashing, textbook.switches.completion) == (5, True, 8)
    assert textbook._evaluate_board is points
    hurried = strategies.make("textbook:9:iterative-deepening+budget=20")
    assert isinstance(hurried, TextbookSearcher) and hurried._budget_s == 0.02
    ahead = strategies.make("textbook:2:think-ahead=5")
    assert isinstance(ahead, ThinkAhead) and ahead.replies == 5


@pytest.mark.parametrize(
    ("spec", "accepted"),
    [
        ("", "random, difference"),
        ("deep-blue", "random, difference"),
        ("Iago", "iago"),
        ("random:3", "random alone"),
        ("iago:0", "1 to 60"),
        ("iago:61", "1 to 60"),
        ("iago:three", "an integer"),
        ("iago:-1", "an integer"),
        ("iago:3:fast", "no settings"),
        ("alphabeta:3:cleverness", "difference, weighted, modified"),
        ("alphabeta:3:weighted+modified", "one of them"),
        ("mini-othello:3:end", None),
        ("mini-othello:3:end=x", "an integer"),
        ("mini-othello:3:win=1", "win alone"),
        ("marappan:3:minimax+alpha-beta", "one of them"),
        ("textbook:3:hashing=2", "hashing alone"),
        ("textbook:3:metareasoning", "iterative deepening too"),
        ("textbook:3:nonspeculative", "count_difference"),
        ("textbook:3:budget=50", "iterative_deepening"),
        ("textbook:3:think-ahead=0", "1 or more"),
        ("iago:" + "9" * 5000, "an integer"),
    ],
)
def test_bad_specs_say_what_is_accepted(spec: str, accepted: str | None) -> None:
    if accepted is None:
        strategies.make(spec)
        return
    with pytest.raises(strategies.StrategyError, match=accepted) as caught:
        strategies.make(spec)
    assert caught.value.value == spec


def test_unknown_names_elsewhere() -> None:
    for function in (strategies.describe, strategies.searches, lambda name: strategies.with_depth(name, 3)):
        with pytest.raises(strategies.StrategyError, match="expected one of random"):
            function("nobody")


def test_depth_is_filled_in_only_where_it_is_missing() -> None:
    assert strategies.with_depth("mini-othello::win", 5) == "mini-othello:5:win"
    assert strategies.with_depth("mini-othello:2:win", 5) == "mini-othello:2:win"
    assert strategies.with_depth("weighted", 5) == "weighted"


def test_the_seed_decides_random_play() -> None:
    def line(seed: int) -> list[int]:
        strategy, position, moves = strategies.make("random", seed), Position.start(), []
        for _ in range(12):
            moves.append(strategies.choose(strategy, position))
            position = position.play(moves[-1])
        return moves

    assert line(1) == line(1) != line(2)


def test_a_pass_is_not_the_strategys_business() -> None:
    must_pass = Position.parse("-XXXXXXO" + "O" * 56 + " X")
    assert must_pass.must_pass
    assert strategies.choose(strategies.make("iago"), must_pass) == PASS
    assert strategies.choose(strategies.make("iago"), Position.parse("X" * 64)) == PASS


def test_an_illegal_choice_names_the_player_and_the_square() -> None:
    after_d3 = Position.start().play(parse_square("d3"))
    with pytest.raises(strategies.IllegalStrategyMove, match="white's strategy chose the illegal move a1"):
        strategies.choose(lambda player, board: 11, after_d3)
