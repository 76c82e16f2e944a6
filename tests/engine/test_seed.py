"""The seed: random unless given, shown, and enough to play the same again; early moves that are varied by it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.book.book import LARGEST_LOSS, Book
from othello_bot.engine.book_use import COMPARED_DEPTH, LEAD, VARIED_PLIES, comparison, drawn
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import Options
from othello_bot.engine.searcher import SearchResult, carried_out
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, in_process, replies

START = Position.start()


def opening(seed: int, randomness: int = 100, plies: int = 10) -> str:
    """Return the moves of a session that plays against itself."""
    lines = ["setoption level 2", f"setoption seed {seed}", f"setoption book_randomness {randomness}"]
    return " ".join(replies(in_process("\n".join([*lines, *["genmove"] * plies, "transcript\n"])))[-1:])


def test_a_seed_plays_the_same_after_a_restart_and_others_do_not() -> None:
    assert opening(5) == opening(5)
    assert len({opening(seed) for seed in range(8)}) > 4


def test_the_seed_in_use_is_shown_and_a_new_one_in_each_engine() -> None:
    shown = [replies(in_process("getoption seed\n"))[0].removeprefix("= ") for _ in range(2)]
    assert all(seed.isdecimal() for seed in shown)
    assert shown[0] != shown[1]
    (listed,) = [line for line in replies(in_process("options\n"))[0].splitlines() if line.startswith("seed")]
    assert "default random" in listed and "seed = random" not in listed


def test_a_saved_game_keeps_the_seed() -> None:
    assert "GC[seed 4711]" in replies(in_process("setoption seed 4711\nplay f5\nprintsgf\n"))[2]


def test_a_random_seed_can_be_asked_for_again() -> None:
    with Engine(Options(seed=5), search=FakeSearch()) as engine:
        assert engine.options.seed == 5
        engine.set_option("seed", "random")
        first = engine.options.seed
        engine.set_option("seed", "random")
        assert first is not None and first != engine.options.seed is not None


def result(*scores: int, depth: int = COMPARED_DEPTH) -> SearchResult:
    lines = (EvaluatedMove(square, score, (square,), depth, 73, False) for square, score in enumerate(scores))
    return SearchResult(tuple(lines), 100, 0.01)


def chosen(found: SearchResult, randomness: int) -> set[int]:
    """Return the moves that 200 draws choose."""
    rng = random.Random(3)
    return {(drawn(found, randomness, LARGEST_LOSS, rng) or found).move for _ in range(200)}


@pytest.mark.parametrize(
    ("scores", "randomness", "moves"),
    [
        ((0, 0, -1, -20), 1, {0, 1}),
        ((0, 0, -1, -20), 50, {0, 1, 2}),
        ((0, -LARGEST_LOSS, -LARGEST_LOSS - 1), 100, {0, 1}),
        ((LEAD + 20, LEAD, LEAD - 20), 50, {0, 1}),  # of a larger lead nothing need be kept
        ((-10, -30), 100, {0}),
    ],
)
def test_the_lot_falls_on_moves_that_lose_little(scores: Sequence[int], randomness: int, moves: set[int]) -> None:
    assert chosen(result(*scores), randomness) == moves


def test_no_move_loses_more_than_the_option_allows() -> None:
    rng = random.Random(3)
    found = result(0, -2, -3)
    assert {(drawn(found, 100, 2, rng) or found).move for _ in range(200)} == {0, 1}


def test_a_move_that_was_drawn_stands_first_and_the_best_one_is_left_to_a_real_search() -> None:
    found = result(0, 0)
    lots = [drawn(found, 50, LARGEST_LOSS, random.Random(seed)) for seed in range(30)]
    assert {None if lot is None else lot.move for lot in lots} == {None, 1}
    assert all([line.move for line in lot.lines] == [1, 0] for lot in lots if lot is not None)


def test_lines_that_a_stop_left_behind_are_not_compared() -> None:
    behind = EvaluatedMove(1, 0, (1,), 3, 73, False)
    assert chosen(SearchResult((*result(0).lines, behind), 100, 0.01, stopped=True), 100) == {0}


def test_only_early_moves_are_compared_and_within_the_limits_of_the_move() -> None:
    game = Game()
    while game.ply < VARIED_PLIES:
        limits = comparison(game.position, Limits(depth=5, nodes=100), 50)
        assert limits == Limits(depth=5, nodes=100, multi_pv=game.position.legal_bits.bit_count())
        game.play(game.position.legal_moves[0])
    assert comparison(game.position, Limits(level=21), 50) is None
    assert comparison(START, Limits(level=21), 0) is None
    assert comparison(START, Limits(level=21), 1) == Limits(level=21, depth=COMPARED_DEPTH, multi_pv=4)


def test_without_randomness_nothing_but_the_search_is_asked() -> None:
    search = FakeSearch()
    with Engine(SMALL, search=search, book=Book()) as engine:
        assert carried_out(engine.choosing(START, Limits(level=3)), engine.answer).move == START.legal_moves[0]
    assert [limits for _, limits, _, _ in search.runs] == [Limits(level=3)]
