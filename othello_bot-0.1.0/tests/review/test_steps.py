"""Reviews of games: like is compared with like, exact losses are true, and every kind of game is reviewed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from othello_bot import Engine
from othello_bot.base.errors import InputError
from othello_bot.base.evaluated import Bound
from othello_bot.base.notation import PASS, Color
from othello_bot.engine import Ended, Limits, Options, SearchResult, carried_out
from othello_bot.engine.limits import LimitError
from othello_bot.review import GameReview, JudgedMove, ReviewProgress, review_game, review_steps
from othello_bot.review.game_review import LevelPlan
from othello_bot.rules import SYMMETRIES, Game, Position, transform_square
from tests.kernel.positions import minimax, played
from tests.review.games import game_of
from tests.rules.strategies import random_game


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(Options(hash=1)) as made:
        yield made


@pytest.mark.parametrize("level", [0, 1, 5, 11])
def test_every_move_of_a_game_is_judged_in_its_order(engine: Engine, level: int) -> None:
    game = random_game(3, 60 if level == 1 else 8)
    review = review_game(engine, game, level)
    assert review.complete and review.game == game
    assert [move.move for move in review.moves] == list(game.moves)
    assert [move.ply for move in review.moves] == list(range(1, game.ply + 1))
    assert [move.color for move in review.moves] == [game.position_at(ply).color for ply in range(game.ply)]
    assert all(move.played.pv[0] == move.move and move.best.pv[0] == move.best.move for move in review.moves)


@pytest.mark.parametrize("first_ply", [1, 57, 59, 60])
def test_the_review_of_the_last_moves_is_that_of_the_game(engine: Engine, first_ply: int) -> None:
    game = random_game(3, 60)
    told: list[tuple[int, int]] = []
    steps = review_steps(game, 1, lambda progress: told.append((progress.done, progress.total)), first_ply=first_ply)
    engine.clear()
    last = carried_out(steps, engine.answer)
    whole = review_game(engine, game, 1).moves
    assert [(move.ply, move.loss) for move in last] == [(move.ply, move.loss) for move in whole[first_ply:]]
    assert told == [(done, game.ply - first_ply) for done in range(1, len(last) + 1)]


def analyzed(engine: Engine, game: Game, level: int) -> list[JudgedMove]:
    """Judge a game by searches of its positions in turn."""
    return list(engine.analyze(game, Limits(level=level)))


def reviewed(engine: Engine, game: Game, level: int) -> list[JudgedMove]:
    """Judge a game as its review does, from its end backwards where it is solved."""
    return list(review_game(engine, game, level).moves)


Judge: TypeAlias = Callable[[Engine, Game, int], list[JudgedMove]]
either_way = pytest.mark.parametrize("judge", [analyzed, reviewed])


@either_way
@pytest.mark.parametrize("level", [1, 2, 5, 6, 11])
def test_all_first_moves_are_worth_the_same_and_none_is_blamed(engine: Engine, judge: Judge, level: int) -> None:
    judged = [judge(engine, game_of(move), level)[0] for move in ("d3", "c4", "f5", "e6")]
    assert {(found.loss, found.best.discs - found.score) for found in judged} == {(0, 0)}
    assert len({found.score for found in judged}) == 1


@either_way
def test_a_mirrored_game_is_judged_alike(engine: Engine, judge: Judge) -> None:
    game = random_game(3, 24)
    expected = [(move.score, move.loss) for move in judge(engine, game, 3)]
    assert any(loss for _, loss in expected), "a game of random moves has losses"
    for index in SYMMETRIES:
        moves = [transform_square(move, index) for move in game.moves]
        mirrored = game_of(*moves, start=Position.start().transform(index))
        assert [(move.score, move.loss) for move in judge(engine, mirrored, 3)] == expected


@either_way
def test_a_move_and_its_mirror_image_are_worth_the_same(engine: Engine, judge: Judge) -> None:
    start = game_of("d3", "c3", "c4").position
    images: dict[Position, list[int]] = {}
    for move in start.legal_moves:
        images.setdefault(start.play(move).canonical()[0], []).append(move)
    twins = [moves for moves in images.values() if len(moves) > 1]
    assert twins, "this position is its own mirror image"
    for one, other in twins:
        [first], [second] = (judge(engine, game_of(move, start=start), 4) for move in (one, other))
        assert (first.score, first.loss) == (second.score, second.loss)


@either_way
@pytest.mark.parametrize(("level", "plies"), [(4, 30), (11, 8)])
def test_played_and_best_move_are_searched_to_one_depth(engine: Engine, judge: Judge, level: int, plies: int) -> None:
    judged = judge(engine, random_game(5, plies), level)
    assert any(move.best.move != move.move for move in judged)
    for move in judged:
        assert (move.played.depth, move.played.selectivity) == (move.best.depth, move.best.selectivity)
        assert move.played.bound == move.best.bound == Bound.EXACT
        assert move.best.discs >= move.score


@either_way
@pytest.mark.parametrize("seed", range(4))
def test_losses_of_a_solved_game_are_the_true_ones(engine: Engine, judge: Judge, seed: int) -> None:
    start = Position(*played(random.Random(seed), 8))
    game = random_game(seed, start=start)
    for move in judge(engine, game, 10):
        before = game.position_at(move.ply - 1)
        if move.move == PASS:
            assert move.loss == 0
            continue
        best, score = value(before), -value(before.play(move.move))
        assert (move.best.score, move.score, move.loss) == (best, score, best - score)


def test_the_best_line_of_a_solved_game_leads_to_its_score(engine: Engine) -> None:
    start = Position(*played(random.Random(9), 10))
    for move in review_game(engine, random_game(9, start=start), 10).moves:
        for line in (move.played, move.best):
            position = random_game(9, move.ply - 1, start).position
            color = position.color
            for square in line.pv:
                position = position.play(square)
            if position.is_over:
                assert line.score == (position.score() if position.color is color else -position.score())


def test_a_pass_is_no_mistake(engine: Engine) -> None:
    game = next(game for game in map(random_game, range(99)) if PASS in game.moves)
    judged = engine.analyze(game, Limits(level=1))
    assert tuple(found.move for found in judged) == game.moves
    assert {found.loss for found in judged if found.move == PASS} == {0}


def test_forced_moves_and_passes_are_no_mistakes_and_need_no_search(engine: Engine) -> None:
    game = next(game for game in map(random_game, range(99)) if PASS in game.moves)
    searched: list[Position] = []
    steps = review_steps(game, 1)
    request = next(steps)
    while True:
        searched.append(request.position)
        try:
            request = steps.send(engine.answer(request))
        except StopIteration as end:
            judged = end.value
            break
    assert len(judged) == game.ply
    assert all(position.legal_bits.bit_count() > 1 for position in searched)
    for move in judged:
        if game.position_at(move.ply - 1).legal_bits.bit_count() < 2:
            assert move.loss == 0 and move.best.move == move.move


def test_a_game_from_another_position_and_one_without_end_are_reviewed(engine: Engine) -> None:
    start = Position.parse("--------------------------OXX-----OXX-----OXXX------------------ O")
    for game in (random_game(1, 9, start), random_game(1, 30), game_of("f5"), Game()):
        review = review_game(engine, game, 2)
        assert review.complete and len(review.moves) == game.ply


def test_an_unfinished_game_is_judged_by_a_search_of_its_last_position(engine: Engine) -> None:
    start = Position(*played(random.Random(2), 8))
    game = random_game(2, 3, start)
    assert not game.is_over
    last = review_game(engine, game, 10).moves[-1]
    assert last.score == -value(game.position)


@either_way
def test_what_was_searched_before_makes_no_difference(engine: Engine, judge: Judge) -> None:
    game = random_game(6, 16)
    first = judge(engine, game, 3)
    engine.search(game, Limits(level=9))
    assert judge(engine, game, 3) == first


def test_progress_counts_every_move_once(engine: Engine) -> None:
    seen: list[ReviewProgress] = []
    review = review_game(engine, random_game(7, 20), 2, seen.append)
    assert [progress.done for progress in seen] == list(range(1, 21))
    assert {progress.total for progress in seen} == {20}
    assert sorted((progress.move for progress in seen), key=lambda move: move.ply) == list(review.moves)


@pytest.mark.parametrize("moves", [0, 5, 40])
def test_what_was_judged_before_a_stop_is_kept(engine: Engine, moves: int) -> None:
    seen: list[ReviewProgress] = []
    whole = review_game(engine, random_game(8), 1)
    review = review_game(engine, random_game(8), 1, seen.append, lambda: len(seen) >= moves)
    assert not review.complete and len(review.moves) == moves
    assert set(review.moves) <= set(whole.moves)


def test_a_stopped_search_ends_the_review(engine: Engine) -> None:
    steps = review_steps(random_game(8, 20), 3)
    found = engine.answer(next(steps))
    with pytest.raises(StopIteration) as ended:
        steps.send(SearchResult(found.lines, 1, 0.0, stopped=True, ended=Ended.STOP))
    assert ended.value.value == []


@either_way
def test_only_a_game_is_judged(engine: Engine, judge: Judge) -> None:
    with pytest.raises(InputError, match=r"game .*: expected a Game"):
        judge(engine, "f5d6", 1)  # type: ignore[arg-type]


def test_only_a_level_is_accepted(engine: Engine) -> None:
    for level in (-1, 61, "16", 1.5):
        with pytest.raises(LimitError, match="level"):
            review_game(engine, game_of("f5"), level)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", range(61))
def test_the_plan_of_a_level_knows_which_searches_reach_the_end(engine: Engine, level: int) -> None:
    for empties in (1, 10, 20, 30, 45, 60):
        limits = LevelPlan(level).limits(empties)
        depth = limits.depth if limits.depth is not None else deepest(level, empties)
        assert LevelPlan(level).goes_backwards(empties) == (depth >= empties), (level, empties)


def test_the_end_of_a_game_is_searched_backwards_and_the_rest_forwards(engine: Engine) -> None:
    game = random_game(11)
    searched: list[int] = []
    steps = review_steps(game, 6)
    request = next(steps)
    with pytest.raises(StopIteration):
        while True:
            searched.append(request.position.empties)
            request = steps.send(engine.answer(request))
    first = next(place for place, empties in enumerate(searched) if LevelPlan(6).goes_backwards(empties))
    assert searched[:first] == sorted(searched[:first], reverse=True)
    assert searched[first:] == sorted(searched[first:])


def test_slips_of_both_players_are_told_apart(engine: Engine) -> None:
    review: GameReview = review_game(engine, random_game(12), 2)
    lost = {color: sum(move.loss for move in review.moves if move.color is color) for color in Color}
    assert {color: review.player(color).total.loss for color in Color} == lost
    assert [move.loss > 0 for move in review.mistakes()] == [True] * len(review.mistakes())


def value(position: Position) -> int:
    """Return the value of a position for its mover, by minimax."""
    if position.is_over:
        return position.score()
    return minimax(position.mover, position.opponent, {})


def deepest(level: int, empties: int) -> int:
    """Return the depth of the last iteration of a level."""
    from othello_bot.engine.levels import goal

    return goal(level, empties).depth
