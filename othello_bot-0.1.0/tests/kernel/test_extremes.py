"""Scores at the ends of the scale: a search that finds them has proven them, and won games cost no more than others."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from othello_bot import kernel
from othello_bot.base.clocks import ClockState
from othello_bot.base.evaluated import Bound
from othello_bot.base.notation import move_name
from othello_bot.engine import SearchRequest
from othello_bot.engine.deepening import Search
from othello_bot.engine.levels import PROOF_NODES
from othello_bot.engine.limits import Limits
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.kernel.positions import BitboardPair, filled, minimax
from tests.kernel.searches import searcher_of

WON = (
    "c4e3f4c5d2b4d6d7b6c6b5a4b3c2b2a3e6",
    "f5f6e6f4c3d7g4c5c8d6b5c4e7c6c7b6b7a6f7a8a7f3g2g3h2g6a5b3h6c2c1",
    "c4e3f2c5e6g1c3e7f3b2d3g3",
)
"""Games in which one side has almost nothing left: it is to be beaten by nearly all discs."""


@cache
def solved(count: int = 20) -> list[tuple[BitboardPair, int]]:
    """Return positions in which the mover has a move, with their scores; half of them end with one side wiped out."""
    rng = random.Random(64)
    found: list[tuple[BitboardPair, int]] = []
    wipe_outs = others = 0
    while wipe_outs < count or others < count:
        mover, opponent = filled(rng, 6, rng.choice((0.03, 0.06, 0.5, 0.94, 0.97)))
        if not mover or not opponent or not kernel.legal_moves(mover, opponent):
            continue
        score = minimax(mover, opponent, {})
        if abs(score) == 64 and wipe_outs < count:
            wipe_outs += 1
        elif abs(score) < 64 and others < count:
            others += 1
        else:
            continue
        found.append(((mover, opponent), score))
    return found


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("X" * 62 + "O- X", 64),
        ("X" * 61 + "O-- X", 64),
        ("O" * 56 + "-XOOOOOO X", -64),
    ],
)
def test_a_wipe_out_is_exact(text: str, score: int) -> None:
    position = Position.parse(text)
    result = Search(hash_mib=1).answer(SearchRequest(position, Limits()))
    assert (result.score, result.best.bound, result.exact) == (score, Bound.EXACT, True)


@pytest.mark.slow
def test_a_search_of_any_depth_that_finds_a_wipe_out_has_proven_it() -> None:
    searcher = searcher_of(1)
    found = 0
    for position, score in solved():
        for index in (0, 3, 5):
            searcher.clear()
            searcher.begin(*position)
            for depth in range(1, 7):
                searcher.iterate(depth, index)
                _, reached, bound, _, _, _ = searcher.lines(1)[0]
                if bound == Bound.EXACT and abs(reached) == 64:
                    assert reached == score, (position, depth, index)
                    found += depth < 6
            if index == 5:
                assert searcher.lines(1)[0].score == score
    assert found > 20


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("window", [(-64, -63), (-64, -62), (-63, -61), (-62, -60), (60, 62), (61, 63), (62, 64)])
def test_windows_at_the_ends_of_the_scale(window: tuple[int, int], threads: int) -> None:
    searcher = searcher_of(1, threads)
    alpha, beta = window
    for position, score in solved():
        searcher.begin(*position)
        searcher.iterate(6, 5, alpha, beta)
        _, reached, bound, _, _, _ = searcher.lines(1)[0]
        if bound == Bound.EXACT:
            assert reached == score
        elif bound == Bound.UPPER:
            assert score <= reached <= alpha
        else:
            assert score >= reached >= beta


@pytest.mark.parametrize("moves", WON)
def test_a_won_game_costs_no_more_nodes_than_another(moves: str) -> None:
    position = Game.from_transcript(moves).position
    result = Search(64).answer(SearchRequest(position, Limits(level=21)))
    assert result.score >= 60
    assert result.nodes < 10_000_000


def test_a_lost_game_neither() -> None:
    game = Game.from_transcript(WON[0])
    game.play("a5")
    result = Search(64).answer(SearchRequest(game.position, Limits(level=21)))
    assert result.score <= -60
    assert result.nodes < 4_000_000


@pytest.mark.slow
def test_several_lines_of_a_won_game() -> None:
    position = Game.from_transcript(WON[0]).position
    search = Search(64)
    best = search.answer(SearchRequest(position, Limits(level=15))).score
    search.clear()
    result = search.answer(SearchRequest(position, Limits(level=15, multi_pv=64)))
    assert len(result.lines) == len(position.legal_moves)
    assert abs(result.score - best) <= 2
    assert [line.discs for line in result.lines] == sorted((line.discs for line in result.lines), reverse=True)
    assert result.nodes < 40_000_000


def test_a_proven_wipe_out_ends_the_search() -> None:
    """White's last disc goes with the first move; 30 squares are empty."""
    position = Position.parse("X" * 32 + "XXO-----" + "-" * 24 + " X")
    result = Search(1).answer(SearchRequest(position, Limits()))
    assert (result.score, result.exact, result.ended) == (64, True, "solved")
    assert result.nodes < 1000


DEAR = (0x1095D05090100, 0x83E36227A163E70)
DEAR_TOO = (0x1091D0D0D0301, 0x83E36E272123C70)
CHEAP = (0x1C00103008080000, 0x203AECCCF6371C3C)
"""Decided games with 23, 21 and 24 empties. The proofs of the first two scores take more nodes than they may."""


@pytest.mark.slow
def test_a_decided_game_is_not_solved_at_any_cost() -> None:
    search = Search(16)
    result = search.answer(SearchRequest(Position(*DEAR), Limits(level=21)))
    assert result.score > 50
    assert (result.depth, result.selectivity, result.exact) == (23, 99, False)
    assert (result.stopped, result.ended) == (False, "decided")
    assert PROOF_NODES < result.nodes < 4_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mover", "opponent", "reached"),
    [
        (0x0408192523010000, 0x1072665A5C7E5000, "27@73%"),
        (0x0010103008080000, 0x002AECCCF6371C3C, "28@73%"),
        (0x0000B0302010807C, 0x60784C4CDE6C7C00, "24@99%"),
        (0x3F172D3123010000, 0x4068524E5C7E5000, "20@99%"),
    ],
)
def test_a_decided_game_is_not_searched_to_its_end_at_any_cost(mover: int, opponent: int, reached: str) -> None:
    """These take 11 to 42 million nodes where each search to the end goes on."""
    result = Search(64).answer(SearchRequest(Position(mover, opponent), Limits(level=21)))
    assert result.score > 50
    assert (result.reached(), result.stopped, result.ended) == (reached, False, "decided")
    assert result.nodes < 13_000_000


@pytest.mark.slow
@pytest.mark.parametrize("limits", [Limits(level=21, stride=2), Limits(depth=60, selectivity=100)])
def test_an_analysis_of_a_decided_game_is_proven(limits: Limits) -> None:
    result = Search(16).answer(SearchRequest(Position(*DEAR_TOO), limits))
    assert (result.score, result.selectivity, result.exact, result.ended) == (60, 100, True, "solved")


def test_a_decided_game_is_solved_where_the_proof_is_cheap() -> None:
    result = Search(16).answer(SearchRequest(Position(*CHEAP), Limits(level=21)))
    assert (result.score, result.exact, result.ended) == (62, True, "solved")
    assert result.nodes < PROOF_NODES


LEADING = "d3c5e6f5f6e3c3f3c4f7c6e7f4g5g4g3g6h5h4b2d6b4b3c2d7h3a4a3"
"""Black, to move with 32 empties, wins by 48; after b5 White is to move and loses."""


@pytest.mark.slow
@pytest.mark.parametrize("limits", [Limits(clock=ClockState(300.0)), Limits(move_time_s=3600.0)])
@pytest.mark.parametrize("reply", ["", "b5"])
def test_a_decided_game_takes_no_more_of_a_clock_than_a_level(limits: Limits, reply: str) -> None:
    position = Game.from_transcript(LEADING + reply).position
    result = Search(64).answer(SearchRequest(position, limits))
    assert (result.ended, result.stopped) == ("decided", False)
    assert (result.score > 40) == (not reply)
    assert result.score < -40 or move_name(result.move) == "b5"
    assert result.nodes < 4_000_000


@pytest.mark.slow
@pytest.mark.parametrize("timed", [{"clock": ClockState(5000.0)}, {"move_time_s": 3600.0}])
def test_the_clock_of_an_analysis_proves_the_score_of_a_decided_game(timed: dict[str, Any]) -> None:
    position = Position(*DEAR_TOO)
    assert Search(64).answer(SearchRequest(position, Limits(**timed))).ended == "decided"
    result = Search(64).answer(SearchRequest(position, Limits(selectivity=100, **timed)))
    assert (result.score, result.exact, result.ended) == (60, True, "solved")
