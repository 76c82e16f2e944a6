"""The endgame solver against plain minimax, on a thousand positions of up to eight empties."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from othello_bot import kernel
from othello_bot.base.evaluated import Bound
from othello_bot.base.notation import PASS
from othello_bot.engine import SearchRequest
from othello_bot.engine.deepening import Search, fixed_depth
from othello_bot.engine.limits import Limits
from othello_bot.kernel import Searcher
from othello_bot.rules import Position
from tests import oracle
from tests.kernel.positions import ALL, BitboardPair, after, empties_of, filled, minimax, played, squares_of
from tests.kernel.searches import POSITIONS, searcher_of

FULL_WIDTH = 5
EXACT, LOWER, UPPER = 0, 1, 2

PLAYED = {1: 60, 2: 90, 3: 100, 4: 110, 5: 100, 6: 70, 7: 30, 8: 20}
FILLED = {1: 70, 2: 80, 3: 80, 4: 80, 5: 60, 6: 40, 7: 20}
"""Number of positions by empties: from random games, and of boards filled at random, most of them one-sided."""


def endgames() -> Iterator[BitboardPair]:
    rng = random.Random(8)
    for empties, count in PLAYED.items():
        for _ in range(count):
            yield played(rng, empties)
    for empties, count in FILLED.items():
        for number in range(count):
            yield filled(rng, empties, (0.05, 0.15, 0.35, 0.5, 0.8, 0.95)[number % 6])


KNOWN: dict[BitboardPair, int] = {}
"""Scores by minimax of all positions met so far."""


@pytest.fixture(scope="module")
def solved() -> list[tuple[int, int, int]]:
    """Return (mover, opponent, score by minimax) of all positions."""
    return [(mover, opponent, minimax(mover, opponent, KNOWN)) for mover, opponent in endgames()]


def windows(score: int) -> Iterator[tuple[int, int]]:
    """Return the full window, that of win, draw or loss, and windows around, above and below the score."""
    yield -64, 64
    yield -1, 1
    yield 0, 1
    yield -1, 0
    for alpha, beta in ((score - 1, score), (score, score + 1), (score - 1, score + 1), (score + 3, score + 9)):
        if -64 <= alpha < beta <= 64:
            yield alpha, beta


def check(score: int, bound: int, truth: int, alpha: int, beta: int) -> None:
    """Assert that a score is right inside the window, and a bound on its right side outside (fail-soft)."""
    if bound == EXACT:
        # Nothing lies beyond the ends of the scale, so there the window's edge is no bound.
        assert score == truth and (alpha < score or alpha == -64) and (score < beta or beta == 64)
    elif bound == LOWER:
        assert beta <= score <= truth
    else:
        assert truth <= score <= alpha


def test_minimax_is_the_oracle_s() -> None:
    """The compiled rules that this module's minimax uses agree with the oracle."""

    def slow(cells: list[str], player: str, passed: bool = False) -> int:
        moves = oracle.all_moves(cells, player)
        if not moves:
            return oracle.score(cells, player) if passed else -slow(cells, oracle.OTHER[player], True)
        best = -65
        for cell, turned in moves.items():
            child = cells[:]
            oracle.play(child, cell, turned, player)
            best = max(best, -slow(child, oracle.OTHER[player]))
        return best

    rng = random.Random(9)
    for number in range(60):
        mover, opponent = played(rng, 1 + number % 5) if number % 2 else filled(rng, 1 + number % 4, 0.3)
        text = "".join("X" if mover >> i & 1 else "O" if opponent >> i & 1 else "-" for i in range(64))
        assert minimax(mover, opponent, {}) == slow(oracle.board_of(text), "X")


@pytest.mark.slow
def test_the_thousand_positions_are_of_every_kind(solved: list[tuple[int, int, int]]) -> None:
    assert len(solved) >= 1000
    stuck = [(m, o) for m, o, _ in solved if not kernel.legal_moves(m, o)]
    over = [(m, o) for m, o in stuck if not kernel.legal_moves(o, m)]
    assert len(stuck) - len(over) >= 30, "too few passes"
    assert len(over) >= 20, "too few games that are over before the board is full"
    assert sum(abs(score) == 64 for _, _, score in solved) >= 15, "too few wipe-outs"
    assert sum(score == 0 for _, _, score in solved) >= 10, "too few draws"
    assert sum(score > 0 for _, _, score in solved) >= 200 and sum(score < 0 for _, _, score in solved) >= 200


@pytest.mark.slow
@pytest.mark.parametrize(("hash_mib", "scores_alone"), [(0, False), (1, False), (1, True)])
def test_scores_in_all_windows(solved: list[tuple[int, int, int]], hash_mib: int, scores_alone: bool) -> None:
    searcher = Searcher(hash_mib)
    for mover, opponent, truth in solved:
        if not kernel.legal_moves(mover, opponent):
            continue
        for alpha, beta in windows(truth):
            searcher.begin(mover, opponent)
            empties = empties_of(mover, opponent)
            assert searcher.iterate(empties, FULL_WIDTH, alpha, beta, scores_alone=scores_alone)
            lines = searcher.lines(64)
            assert all(line[0] == move for move, *_, line in lines)
            _, score, bound, *_ = lines[0]
            # Where no move comes up to the window, each has an upper bound of its own.
            check(max(score for _, score, *_ in lines) if bound == UPPER else score, bound, truth, alpha, beta)


def test_best_move_attains_the_score(solved: list[tuple[int, int, int]]) -> None:
    searcher = Searcher(1)
    for mover, opponent, truth in solved:
        if kernel.legal_moves(mover, opponent):
            (best,) = fixed_depth(searcher, mover, opponent, 60)
            assert best.score == truth
            assert -minimax(*after(mover, opponent, best.move), KNOWN) == truth


def test_all_moves_with_their_scores(solved: list[tuple[int, int, int]]) -> None:
    searcher = Searcher(1)
    for mover, opponent, _ in solved[::5]:
        moves = squares_of(kernel.legal_moves(mover, opponent))
        if moves:
            found = [(line.move, line.score) for line in fixed_depth(searcher, mover, opponent, 60, count=64)]
            assert dict(found) == {move: -minimax(*after(mover, opponent, move), KNOWN) for move in moves}
            assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_search_with_passes_and_finished_games(solved: list[tuple[int, int, int]]) -> None:
    search = Search(1)
    for mover, opponent, truth in solved:
        if kernel.legal_moves(mover, opponent):
            continue
        result = search.answer(SearchRequest(Position(mover, opponent), Limits(depth=60, selectivity=100)))
        if kernel.legal_moves(opponent, mover):
            assert (result.move, result.score, result.exact) == (PASS, truth, True)
        else:
            assert result.lines == () and kernel.final_score(mover, opponent) == truth


def test_win_draw_or_loss(solved: list[tuple[int, int, int]]) -> None:
    search = Search(1)
    for mover, opponent, truth in solved[::3]:
        if kernel.legal_moves(mover, opponent):
            result = search.answer(
                SearchRequest(Position(mover, opponent), Limits(depth=60, selectivity=100, wld=True))
            )
            assert (result.score > 0) - (result.score < 0) == (truth > 0) - (truth < 0)


def test_principal_variation_leads_to_the_score(solved: list[tuple[int, int, int]]) -> None:
    """Played to its end, the pv is legal and reaches the promised score."""
    search = Search(1)
    for mover, opponent, truth in solved[::3]:
        if not kernel.legal_moves(mover, opponent):
            continue
        result = search.answer(SearchRequest(Position(mover, opponent), Limits(depth=60, selectivity=100)))
        assert result.exact and result.score == truth
        sign = 1
        for move in result.pv:
            if move == PASS:
                assert not kernel.legal_moves(mover, opponent)
                mover, opponent = opponent, mover
            else:
                mover, opponent = after(mover, opponent, move)
            sign = -sign
        # A pv may end early if a bound was enough; the position that it reaches still has the score.
        assert sign * minimax(mover, opponent, KNOWN) == truth


def test_wipe_out_at_once() -> None:
    """One move takes the opponent's last disc: 64, whatever else there is."""
    opponent = 1 << 1
    mover = ALL & ~opponent & ~1 & ~(0xFF << 16)
    searcher = Searcher(1)
    (best,) = fixed_depth(searcher, mover, opponent, 60)
    assert (best.score, best.move) == (64, 0)


@pytest.mark.parametrize("empties", [10, 11, 12, 14])
def test_the_solver_looks_at_the_limits_too(empties: int) -> None:
    """Ten empties may take ten thousand nodes: several milliseconds past the deadline on a slow machine."""
    search = Search(1)
    overshoot = 0
    for seed in range(8):
        mover, opponent = played(random.Random(seed), empties)
        for nodes in (1_000, 3_000, 10_000):
            search.clear()
            search.arm()
            result = search.answer(
                SearchRequest(Position(mover, opponent), Limits(depth=60, selectivity=100, nodes=nodes))
            )
            overshoot = max(overshoot, result.nodes - nodes)
    assert overshoot < 1_000


def test_what_a_stop_left_unfinished_is_not_believed_later() -> None:
    search, fresh = Search(1), Search(1)
    for seed in range(12):
        position = played(random.Random(seed), 11)
        truth = fresh.answer(SearchRequest(Position(*position), Limits(depth=60, selectivity=100))).score
        for nodes in (500, 2_000, 5_000):
            search.arm()
            search.answer(SearchRequest(Position(*position), Limits(depth=60, selectivity=100, nodes=nodes)))
        search.arm()
        assert search.answer(SearchRequest(Position(*position), Limits(depth=60, selectivity=100))).score == truth


@pytest.mark.slow
def test_scores_without_lines_are_the_same() -> None:
    """Of the end of the game and of a few plies, which reach no end and have odd scores too."""
    for position in POSITIONS[:12]:
        for depth in (2, 3, empties_of(*position)):
            found = []
            for scores_alone in (False, True):
                searcher = searcher_of(1)
                searcher.begin(*position)
                assert searcher.iterate(depth, FULL_WIDTH, multi_pv=64, scores_alone=scores_alone)
                lines = searcher.lines(64)
                assert all(line.bound == Bound.EXACT for line in lines)
                assert not scores_alone or all(line.pv == (line.move,) for line in lines)
                found.append({line.move: line.score for line in lines})
            assert found[0] == found[1]
