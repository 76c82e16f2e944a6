"""The values of all moves: first those near the best, in the end all of one level."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from othello_bot.base.notation import parse_move
from othello_bot.engine import DEFAULT_LEVEL, Engine, Options, SearchRequest, SearchResult, carried_out, goal
from othello_bot.rules import Game
from othello_bot.web.messages import AskValues
from othello_bot.web.work import FIRST_LEVELS_LOWER, LEAST_LEVEL, NEAR_DISCS, SHORT_PLIES, value_moves
from tests.rules.strategies import random_game

LEVEL = LEAST_LEVEL


def searched(game: Game, level: int) -> tuple[list[SearchRequest], list[dict[str, Any]]]:
    """Return the searches for the values of a position, and all replies."""
    requests: list[SearchRequest] = []
    replies: list[dict[str, Any]] = []
    with Engine(Options(hash=1, book=False)) as engine:

        def answer(request: SearchRequest) -> SearchResult:
            requests.append(request)
            return engine.search(request.position, request.limits, on_progress=request.on_report)

        replies.append(carried_out(value_moves(AskValues(1, game, level, infinite=False), replies.append), answer))
    return requests, replies


def depths(reply: dict[str, Any]) -> dict[str, int]:
    return {line["move"]: line["depth"] for line in reply["lines"]}


@pytest.fixture(scope="module")
def values() -> tuple[list[SearchRequest], list[dict[str, Any]]]:
    """Provide the values of a position with good and bad moves."""
    return searched(random_game(5, 9), LEVEL)


def test_moves_near_the_best_come_first_and_all_others_follow(
    values: tuple[list[SearchRequest], list[dict[str, Any]]],
) -> None:
    requests, replies = values
    legal = frozenset(random_game(5, 9).position.legal_moves)
    considered = [request.limits.considered for request in requests]
    assert [request.limits.level for request in requests] == [LEVEL - FIRST_LEVELS_LOWER, LEVEL, LEVEL]
    assert considered[0] == legal == considered[1] | considered[2]
    assert considered[1] and considered[2] and not considered[1] & considered[2]
    after_first = next(reply for reply in replies if set(depths(reply).values()) == {LEVEL - FIRST_LEVELS_LOWER})
    best = after_first["lines"][0]["score"]
    near = {parse_move(line["move"]) for line in after_first["lines"] if best - line["score"] <= NEAR_DISCS}
    assert considered[1] == near


def test_each_reply_has_every_move_and_none_gets_shallower(
    values: tuple[list[SearchRequest], list[dict[str, Any]]],
) -> None:
    _, replies = values
    moves = depths(replies[0]).keys()
    for before, after in pairwise(replies):
        assert depths(after).keys() == moves
        assert all(depths(before)[move] <= depths(after)[move] for move in moves)
        scores = [line["score"] for line in after["lines"]]
        assert scores == sorted(scores, reverse=True)
    assert set(depths(replies[-1]).values()) == {LEVEL}
    assert [reply["done"] for reply in replies] == [False] * (len(replies) - 1) + [True]
    assert replies[-1]["nodes"] == max(reply["nodes"] for reply in replies)


@pytest.mark.parametrize(("game", "level"), [(random_game(1, 52), LEVEL), (random_game(1, 20), LEAST_LEVEL - 1)])
def test_one_search_is_enough_for_a_low_level_and_where_both_levels_solve(game: Game, level: int) -> None:
    requests, replies = searched(game, level)
    empties = game.position.empties
    assert len(requests) == 1
    assert set(depths(replies[-1]).values()) == {goal(level, empties).depth}


def test_no_second_search_of_the_others_where_all_moves_are_alike() -> None:
    requests, replies = searched(Game(), LEVEL)
    assert [request.limits.considered for request in requests] == [frozenset(Game().position.legal_moves)] * 2
    assert set(depths(replies[-1]).values()) == {LEVEL}


def test_a_pass_and_the_end_of_the_game_need_no_search() -> None:
    requests, replies = searched(random_game(2), LEVEL)
    assert requests == [] and replies[-1]["done"] and replies[-1]["lines"][0]["game_over"]


@pytest.mark.parametrize("empties", [22, 23, 24, 27])
def test_the_first_search_of_all_moves_ends_before_the_end_of_the_game(empties: int) -> None:
    game = random_game(1, 60 - empties)
    assert game.position.empties == goal(DEFAULT_LEVEL - FIRST_LEVELS_LOWER, empties).depth == empties
    first = next(value_moves(AskValues(1, game, DEFAULT_LEVEL, infinite=False), lambda reply: None)).limits
    assert first.considered == frozenset(game.position.legal_moves)
    assert first.depth is not None and first.depth <= empties - SHORT_PLIES and (empties - first.depth) % 2 == 0
