"""Judging moves: played and best move are compared by one search, and losses that a deeper search would reverse are not
reported.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_bot import Engine
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, parse_move
from othello_bot.engine import Limits, Line, Options, SearchResult
from othello_bot.kernel import Bound
from othello_bot.review import JudgedMove, analysis_steps
from othello_bot.review.judgement import margin
from othello_bot.rules import SYMMETRIES, Game, Position, transform_square
from tests.kernel.positions import minimax, played

FIRST_MOVES = ("d3", "c4", "f5", "e6")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(Options(hash=1)) as made:
        yield made


@pytest.mark.parametrize("level", [1, 2, 5, 6])
def test_all_first_moves_are_worth_the_same_and_none_is_blamed(engine: Engine, level: int) -> None:
    judged = [engine.analyze(game_of(move), Limits(level=level))[0] for move in FIRST_MOVES]
    assert [found.loss for found in judged] == [0, 0, 0, 0]
    assert len({found.score for found in judged}) == 1
    assert all(found.best.score == found.score for found in judged)


def test_a_mirrored_game_is_judged_alike(engine: Engine) -> None:
    moves = random_moves(random.Random(3), 24)
    judged = engine.analyze(game_of(*moves), Limits(level=3))
    assert any(found.loss for found in judged), "a game of random moves has losses"
    for index in SYMMETRIES:
        mirrored = game_of(*(transform_square(move, index) for move in moves), start=Position.start().transform(index))
        found = engine.analyze(mirrored, Limits(level=3))
        assert [(one.score, one.loss) for one in found] == [(one.score, one.loss) for one in judged]


def test_a_move_and_its_mirror_image_are_worth_the_same(engine: Engine) -> None:
    start = game_of("d3", "c3", "c4").position
    images: dict[Position, list[int]] = {}
    for move in start.legal_moves:
        images.setdefault(start.play(move).canonical()[0], []).append(move)
    twins = [moves for moves in images.values() if len(moves) > 1]
    assert twins, "this position is its own mirror image"
    for one, other in twins:
        [first], [second] = (engine.analyze(game_of(move, start=start), Limits(level=4)) for move in (one, other))
        assert (first.score, first.loss) == (second.score, second.loss)


def test_played_and_best_come_from_searches_of_one_depth(engine: Engine) -> None:
    for found in engine.analyze(game_of(*random_moves(random.Random(5), 30)), Limits(level=4)):
        assert (found.played.depth, found.played.selectivity) == (found.best.depth, found.best.selectivity)
        assert found.played.bound == found.best.bound == Bound.EXACT
        assert found.best.score >= found.score


def test_what_was_searched_before_makes_no_difference(engine: Engine) -> None:
    game = game_of(*random_moves(random.Random(6), 14))
    first = engine.analyze(game, Limits(level=3))
    engine.search(game, Limits(level=9))
    assert engine.analyze(game, Limits(level=3)) == first


@pytest.mark.parametrize("seed", range(4))
def test_a_loss_in_a_solved_position_is_the_true_one(engine: Engine, seed: int) -> None:
    mover, opponent = played(random.Random(seed), 7)
    start = Position(mover, opponent)
    best = minimax(mover, opponent, {})
    for move in start.legal_moves:
        game = game_of(move, start=start)
        after = game.position
        value = after.score() if after.is_over else minimax(after.mover, after.opponent, {})
        found = engine.analyze(game, Limits(level=10))[0]
        assert (found.score, found.best.score, found.loss) == (-value, best, best + value)


def test_a_pass_is_no_mistake(engine: Engine) -> None:
    moves = next(moves for seed in range(99) if PASS in (moves := random_moves(random.Random(seed), 60)))
    judged = engine.analyze(game_of(*moves), Limits(level=1))
    assert [found.move for found in judged] == moves
    assert [found.loss for found in judged if found.move == PASS] == [0] * moves.count(PASS)


# -- with results made up ---------------------------------------------------------------------------------------------


def made_up(move: str, score: int, depth: int = 6, selectivity: int = 100, exact: bool = False) -> Line:
    return Line(parse_move(move), score, (parse_move(move),), depth, selectivity, exact)


def judged_with(game: Game, *results: list[Line], stop_after: int = 99) -> list[JudgedMove]:
    """Return the judgements from these results of the searches, in order."""
    done = 0
    searches = analysis_steps(game, Limits(level=6), lambda: done >= stop_after)
    next(searches)
    for lines in results:
        done += 1
        try:
            searches.send(SearchResult(tuple(lines), 1, 0.0))
        except StopIteration as end:
            return list(end.value)
    raise AssertionError("more searches were asked for")


def test_a_loss_within_the_error_of_the_search_is_not_told() -> None:
    line = made_up("c4", 2)
    allowed = margin(line, 59)
    assert allowed > 0
    for difference, loss in ((allowed, 0), (allowed + 1, allowed + 1)):
        played_line = made_up("f6", 2 - difference)
        [first, second] = judged_with(
            game_of("f5", "f6"), [made_up("f5", 0)], [made_up("d6", 2)], [made_up("d6", 2), played_line]
        )
        assert (first.loss, second.loss) == (0, loss)
        assert (second.score, second.best.move) == (2 - difference, parse_move("d6"))


def test_a_solved_loss_is_told_however_small() -> None:
    [_, second] = judged_with(
        game_of("f5", "f6"),
        [made_up("f5", 0)],
        [made_up("d6", 2, exact=True)],
        [made_up("d6", 2, exact=True), made_up("f6", 0, exact=True)],
    )
    assert second.loss == 2


def test_a_move_that_proves_as_good_as_the_best_is_the_best() -> None:
    [_, second] = judged_with(
        game_of("f5", "f6"), [made_up("f5", 0)], [made_up("d6", 2)], [made_up("f6", 3), made_up("d6", 2)]
    )
    assert (second.best.move, second.score, second.loss) == (parse_move("f6"), 3, 0)


def test_what_was_judged_before_a_stop_is_kept() -> None:
    judged = judged_with(game_of("f5", "f6"), [made_up("f5", 0)], [made_up("d6", 0)], stop_after=2)
    assert [found.ply for found in judged] == [1]


def test_deeper_searches_are_believed_in_smaller_losses() -> None:
    margins = [margin(made_up("f5", 0, depth), 50) for depth in range(1, 25)]
    assert margins == sorted(margins, reverse=True) and margins[0] > margins[-1] > 0
    assert margins[-1] > margin(made_up("f5", 0, 20, 73), 20) >= margin(made_up("f5", 0, 20, 100, exact=True), 20) == 0


def test_no_margin_is_smaller_than_what_was_measured() -> None:
    """The page has 95 % of what a deeper search takes back in its fifth column, and the margin in its sixth."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")
    row = r"^\| (depth |)(\d+)[^|]* \|.*\| ([+-]\d+) \| (\d+) \| \d+ \| [^|]+\|$"
    rows = re.findall(row, page, re.MULTILINE)
    assert len(rows) == 10
    for midgame, number, taken_back, shown in rows:
        line = made_up("f5", 0, int(number)) if midgame else made_up("f5", 0, 20, int(number))
        assert margin(line, 20) == int(shown) >= int(taken_back), number


def test_a_judged_move_reads_well() -> None:
    [_, second] = judged_with(
        game_of("f5", "f6"), [made_up("f5", 0)], [made_up("d6", 12)], [made_up("d6", 12), made_up("f6", -20)]
    )
    assert str(second) == "2. f6 -20, best d6 +12, loss 32"


def test_only_a_game_can_be_analysed(engine: Engine) -> None:
    with pytest.raises(InputError, match=r"game .*: expected a Game"):
        engine.analyze("f5d6", Limits(level=1))  # type: ignore[arg-type]


def game_of(*moves: int | str, start: Position | None = None) -> Game:
    game = Game(start)
    for move in moves:
        game.play(move)
    return game


def random_moves(rng: random.Random, count: int) -> list[int]:
    game = Game()
    while game.ply < count and not game.is_over:
        game.play(PASS if game.position.must_pass else rng.choice(game.position.legal_moves))
    return list(game.moves)
