"""The search: the same exact score on every way to it, deterministic on one thread, obedient to its limits."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import othello_bot
from othello_bot import kernel
from othello_bot.base.evaluated import Bound
from othello_bot.base.notation import PASS, parse_move
from othello_bot.engine.deepening import Search
from othello_bot.engine.levels import Iteration
from othello_bot.engine.limits import SELECTIVITIES, Limits
from othello_bot.engine.request import SearchRequest, SearchResult
from othello_bot.formats import obf
from othello_bot.kernel import RootLine, Searcher
from othello_bot.rules import Game, Position
from tests.kernel.positions import START, after, empties_of, filled, minimax, played, squares_of
from tests.kernel.searches import POSITIONS, passing_position, searcher_of

pytestmark = pytest.mark.slow

EXACT = Path(othello_bot.__file__).with_name("training") / "exact-16.obf"

FULL_WIDTH = 5
EXACTLY = Limits(depth=60, selectivity=100)


def direct(searcher: Searcher) -> Callable[[int, int], int]:
    """Return a full-width search to the end, with nothing before it."""

    def score(mover: int, opponent: int) -> int:
        searcher.begin(mover, opponent)
        assert searcher.iterate(empties_of(mover, opponent), FULL_WIDTH)
        return searcher.lines(1)[0][1]

    return score


def selective_first(searcher: Searcher) -> Callable[[int, int], int]:
    """Midgame iterations, then to the end at every selectivity."""

    def score(mover: int, opponent: int) -> int:
        empties = empties_of(mover, opponent)
        searcher.begin(mover, opponent)
        steps = [Iteration(4, 0), Iteration(8, 0)] + [Iteration(empties, index) for index in range(FULL_WIDTH + 1)]
        assert all(searcher.iterate(*step) for step in steps)
        return searcher.lines(1)[0][1]

    return score


def ladder(search: Search) -> Callable[[int, int], int]:
    """Return the search that ships, from midgame by selective to exact iterations."""

    def score(mover: int, opponent: int) -> int:
        search.clear()
        result = search.answer(SearchRequest(Position(mover, opponent), EXACTLY))
        assert result.exact and not result.stopped and result.reached() == "exact" and result.selectivity == 100
        return result.score

    return score


@pytest.fixture(scope="module")
def truths() -> list[int]:
    """Return the scores by the shortest way: a minimal table, nothing selective, the hand-made evaluation."""
    score = direct(searcher_of(0, learned=False))
    return [score(*position) for position in POSITIONS]


WAYS: dict[str, Callable[[], Callable[[int, int], int]]] = {
    "direct, large table": lambda: direct(searcher_of(64)),
    "direct, no table": lambda: direct(searcher_of(0)),
    "direct, two threads": lambda: direct(searcher_of(16, threads=2)),
    "direct, two threads, no table": lambda: direct(searcher_of(0, threads=2)),
    "selective first": lambda: selective_first(searcher_of(16)),
    "ladder": lambda: ladder(Search(16)),
    "ladder, two threads": lambda: ladder(Search(16, threads=2)),
}


@pytest.mark.parametrize("way", WAYS)
def test_same_exact_score_on_a_hundred_positions(way: str, truths: list[int]) -> None:
    score = WAYS[way]()
    assert [score(*position) for position in POSITIONS] == truths


def test_same_exact_score_with_more_threads_than_most_machines_have_idle(truths: list[int]) -> None:
    score = selective_first(searcher_of(1, threads=3))
    assert [score(*position) for position in POSITIONS[::5]] == truths[::5]


def test_truths_are_the_best_that_the_moves_lead_to(truths: list[int]) -> None:
    """One ply further down the scores agree with those above."""
    score = direct(searcher_of(16))
    for position, truth in list(zip(POSITIONS, truths, strict=True))[:15]:
        children = [after(*position, square) for square in squares_of(kernel.legal_moves(*position))]
        scores = []
        for mover, opponent in children:
            if kernel.legal_moves(mover, opponent):
                scores.append(-score(mover, opponent))
            elif kernel.legal_moves(opponent, mover):
                scores.append(score(opponent, mover))
            else:
                scores.append(-kernel.final_score(mover, opponent))
        assert max(scores) == truth


def test_first_position_by_minimax() -> None:
    """Nine empties are the most that plain minimax reaches in a moment, and more than the solver's last plies."""
    score = direct(searcher_of(1))
    rng = random.Random(9)
    for _ in range(3):
        position = played(rng, 9)
        assert score(*position) == minimax(*position, {})


def fingerprint(result: SearchResult) -> tuple[int, int, int, tuple[int, ...]]:
    return result.nodes, result.move, result.score, result.pv


@pytest.mark.parametrize(
    ("empties", "limits"),
    [
        (60, Limits(depth=8)),
        (44, Limits(depth=9, selectivity=73)),
        (30, Limits(depth=7, selectivity=100, multi_pv=3)),
        (16, EXACTLY),
        (17, Limits(level=10)),
        (40, Limits(nodes=20_000)),
    ],
)
def test_one_thread_is_deterministic(empties: int, limits: Limits) -> None:
    """The same nodes, move, score and line: in a new search, and in a used one that was told to forget."""
    position = START if empties == 60 else played(random.Random(empties), empties)
    first = Search(4)
    expected = fingerprint(first.answer(SearchRequest(Position(*position), limits)))
    assert fingerprint(Search(4).answer(SearchRequest(Position(*position), limits))) == expected
    first.answer(SearchRequest(Position(*played(random.Random(1), 20)), Limits(depth=8)))
    first.clear()
    first.arm()  # a node limit has stopped the first run
    assert fingerprint(first.answer(SearchRequest(Position(*position), limits))) == expected
    first.set_threads(2)
    first.set_threads(1)
    first.clear()
    first.arm()
    assert fingerprint(first.answer(SearchRequest(Position(*position), limits))) == expected


def test_several_lines_have_the_scores_of_separate_searches() -> None:
    search = Search(4)
    for position in POSITIONS[:6]:
        wanted = min(4, kernel.legal_moves(*position).bit_count())
        search.clear()
        result = search.answer(SearchRequest(Position(*position), Limits(depth=60, selectivity=100, multi_pv=wanted)))
        scores = {}
        for square in squares_of(kernel.legal_moves(*position)):
            child = after(*position, square)
            search.clear()
            reply = search.answer(SearchRequest(Position(*child), EXACTLY))
            scores[square] = -reply.score if reply.lines else -kernel.final_score(*child)
        assert len(result.lines) == wanted
        assert [line.score for line in result.lines] == sorted(scores.values(), reverse=True)[:wanted]
        for line in result.lines:
            assert line.exact and line.bound == Bound.EXACT
            assert line.score == scores[line.move]
            assert line.pv[0] == line.move


def test_more_lines_than_moves() -> None:
    result = Search(1).answer(SearchRequest(Position(*START), Limits(depth=4, multi_pv=64)))
    assert sorted(line.move for line in result.lines) == squares_of(kernel.legal_moves(*START))


@pytest.mark.parametrize("empties", [50, 30, 16])
def test_lines_are_legal(empties: int) -> None:
    mover, opponent = played(random.Random(empties), empties)
    for line in Search(4).answer(SearchRequest(Position(mover, opponent), Limits(depth=8, multi_pv=3))).lines:
        position = mover, opponent
        for move in line.pv:
            if move == PASS:
                assert not kernel.legal_moves(*position)
                position = position[1], position[0]
            else:
                position = after(*position, move)
        assert line.pv[0] == line.move and len(line.pv) >= 1


def test_passing_side_with_a_window() -> None:
    """The window and the kind of bound turn over with the side."""
    mover, opponent = passing_position(10)
    search = Search(1)
    truth = search.answer(SearchRequest(Position(mover, opponent), EXACTLY)).score
    above = search.answer(
        SearchRequest(Position(mover, opponent), Limits(depth=60, selectivity=100, alpha=-64, beta=truth - 1))
    )
    assert above.best.bound == Bound.LOWER and truth - 1 <= above.score
    below = search.answer(
        SearchRequest(Position(mover, opponent), Limits(depth=60, selectivity=100, alpha=truth + 1, beta=64))
    )
    assert below.best.bound == Bound.UPPER and below.score <= truth + 1


def test_single_move() -> None:
    rng = random.Random(3)
    while True:
        position = played(rng, 12)
        if kernel.legal_moves(*position).bit_count() == 1:
            break
    result = Search(1).answer(SearchRequest(Position(*position), Limits(depth=60, selectivity=100, multi_pv=5)))
    assert [line.move for line in result.lines] == squares_of(kernel.legal_moves(*position))
    assert result.exact


@pytest.mark.parametrize("scores_alone", [False, True])
def test_windows_give_bounds_on_the_right_side(truths: list[int], scores_alone: bool) -> None:
    searcher = searcher_of(1)
    for (mover, opponent), truth in list(zip(POSITIONS, truths, strict=True))[:40]:
        windows = (-64, truth - 2), (truth + 2, 64), (truth - 1, truth + 1), (truth - 1, truth), (truth, truth + 1)
        for alpha, beta in windows:
            if not -64 <= alpha < beta <= 64:
                continue
            searcher.clear()
            searcher.begin(mover, opponent)
            depth = empties_of(mover, opponent)
            assert searcher.iterate(depth, FULL_WIDTH, alpha, beta, scores_alone=scores_alone)
            lines = searcher.lines(64)
            if truth >= beta:
                assert lines[0][2] == 1 and beta <= lines[0][1] <= truth
            elif truth <= alpha:
                assert all(line[2] == 2 for line in lines)
                assert truth <= max(line[1] for line in lines) <= alpha
            else:
                assert lines[0][2] == 0 and lines[0][1] == truth


@pytest.mark.parametrize("selectivity", SELECTIVITIES)
def test_selective_results_say_so(selectivity: int) -> None:
    result = Search(4).answer(SearchRequest(Position(*POSITIONS[0]), Limits(depth=60, selectivity=selectivity)))
    assert result.selectivity == selectivity
    assert result.exact == (selectivity == 100)
    assert result.reached() == ("exact" if selectivity == 100 else f"14@{selectivity}%")


@pytest.mark.parametrize("hash_mib", [0, 1, 2, 33])
def test_table_of_another_size_gives_the_same_score(hash_mib: int, truths: list[int]) -> None:
    search = Search(4)
    assert search.answer(SearchRequest(Position(*POSITIONS[0]), EXACTLY)).score == truths[0]
    search.resize(hash_mib)
    assert search.hash_mib == hash_mib
    assert search.answer(SearchRequest(Position(*POSITIONS[0]), EXACTLY)).score == truths[0]


def test_refused_resize_keeps_the_old_table() -> None:
    search = Search(4)
    first = search.answer(SearchRequest(Position(*POSITIONS[1]), EXACTLY))
    assert search.answer(SearchRequest(Position(*POSITIONS[1]), EXACTLY)).nodes < first.nodes // 2, (
        "the table remembers"
    )
    with pytest.raises(MemoryError, match="1073741824 MiB does not fit"):
        search.resize(1 << 30)
    assert search.hash_mib == 4
    assert search.answer(SearchRequest(Position(*POSITIONS[1]), EXACTLY)).nodes < first.nodes // 2


def test_search_without_memory_is_refused() -> None:
    with pytest.raises(MemoryError, match="does not fit into memory"):
        Search(1 << 30)


@pytest.mark.parametrize("threads", [0, -1, 100_000])
def test_thread_counts_out_of_range_are_refused(threads: int) -> None:
    searcher = searcher_of(1, threads=2)
    with pytest.raises(ValueError, match=f"{threads} threads: not 1 to"):
        searcher.set_threads(threads)
    assert searcher.threads == 2
    with pytest.raises(ValueError, match=f"{threads} threads: not 1 to"):
        Searcher(1, threads)


def test_threads_change_between_runs(truths: list[int]) -> None:
    search = Search(4)
    for threads in (2, 4, 1, 3, 2, 2, 1):
        search.set_threads(threads)
        search.clear()
        assert search.answer(SearchRequest(Position(*POSITIONS[0]), EXACTLY)).score == truths[0]


def test_evaluation_by_name(truths: list[int]) -> None:
    search = Search(4)
    learned = search.evaluate(*POSITIONS[0])
    assert search.answer(SearchRequest(Position(*POSITIONS[0]), EXACTLY)).score == truths[0]
    search.set_evaluation("handmade")
    handmade = search.evaluate(*POSITIONS[0])
    assert handmade != learned
    fresh = Search(4)
    fresh.set_evaluation("handmade")
    request = SearchRequest(Position(*POSITIONS[0]), EXACTLY)
    assert fingerprint(search.answer(request)) == fingerprint(fresh.answer(request))
    with pytest.raises(ValueError, match="'neural': not learned or handmade"):
        search.set_evaluation("neural")
    assert search.evaluate(*POSITIONS[0]) == handmade
    search.set_evaluation("learned")
    assert search.evaluate(*POSITIONS[0]) == learned


def test_root_lines_name_their_parts() -> None:
    searcher = searcher_of(1)
    searcher.begin(*START)
    assert searcher.iterate(5, 2, multi_pv=4)
    lines = searcher.lines(64)
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    for line in lines:
        assert isinstance(line, RootLine) and line.pv[0] == line.move
        assert (line.bound, line.depth, line.selectivity_index) == (Bound.EXACT, 5, 2)


def test_clearly_best() -> None:
    """A move is clearly best where the second best is worse by more than the margin, in a search of that depth."""
    searcher = searcher_of(4)
    judged = {True: 0, False: 0}
    for position in POSITIONS[:25]:
        if kernel.legal_moves(*position).bit_count() < 2:
            continue
        searcher.begin(*position)
        empties = empties_of(*position)
        assert searcher.iterate(empties, FULL_WIDTH, -64, 64, 64)
        best, second = (line[1] for line in searcher.lines(2))
        for margin in (2, 6, 12):
            if best - margin > -64:
                clear = searcher.clearly_best(margin, empties, FULL_WIDTH)
                assert clear == (second < best - margin)
                judged[clear] += 1
    assert min(judged.values()) > 5


class Contradictory:
    """A searcher whose scores lie outside of every window but the whole one: low, then high, and so on."""

    nodes = 0
    paused = False

    def __init__(self, most: int) -> None:
        self.windows: list[tuple[int, int]] = []
        self.most = most
        self.score = 0

    def begin(self, *_: object) -> int:
        return 4

    def limit_nodes(self, nodes: int) -> None:
        assert nodes == 0

    def set_slice(self, seconds: float) -> None:
        assert seconds == 0

    def iterate(self, depth: int, selectivity_index: int, alpha: int, beta: int, multi_pv: int) -> bool:
        self.windows.append((alpha, beta))
        assert len(self.windows) <= self.most
        if (alpha, beta) != (-64, 64):
            low = alpha > -64 and (len(self.windows) % 2 == 0 or beta == 64)
            self.score = alpha if low else beta
        return True

    def lines(self, count: int = 1) -> list[RootLine]:
        return [RootLine(19, self.score, Bound.EXACT, 4, 0, (19,))]


def test_a_search_that_contradicts_itself_comes_to_an_end() -> None:
    """What pruning says of one window need not agree with what it says of the next: half windows may not take turns."""
    search = Search(1)
    contradictory = Contradictory(40)
    search._searcher = contradictory  # type: ignore[assignment]
    assert search.answer(SearchRequest(Position(*START), Limits(depth=6))).move == 19
    assert (-64, 64) in contradictory.windows


def test_any_filling_of_the_board_is_searched() -> None:
    """Boards that no game reaches: hardly any discs, one colour, more moves than a game ever offers."""
    rng = random.Random(60)
    crowded = 1168922867671040, 32176461538549248  # 35 moves
    search = Search(1)
    searched = 0
    for mover, opponent in [crowded, *(filled(rng, rng.randrange(61), rng.random()) for _ in range(400))]:
        search.clear()
        result = search.answer(SearchRequest(Position(mover, opponent), Limits(depth=4, multi_pv=2)))
        moves = squares_of(kernel.legal_moves(mover, opponent))
        if moves:
            assert {line.move for line in result.lines} <= set(moves)
            assert len(result.lines) == min(2, len(moves))
            assert all(-64 <= line.discs <= 64 for line in result.lines)
            searched += 1
        elif kernel.legal_moves(opponent, mover):
            assert result.move == PASS
        else:
            assert result.lines == ()
    assert searched > 250


def test_taking_the_last_disc_in_the_opening_is_worth_the_whole_board() -> None:
    """After nine moves of the shortest game White has no disc left. From its last move on, each depth says so."""
    game = Game.from_transcript("f5d6c5f4e7f6g5")
    searcher = searcher_of(1)
    for depth in (2, 3, 4, 6):
        searcher.begin(game.position.mover, game.position.opponent, considered=1 << parse_move("e6"))
        assert searcher.iterate(depth, FULL_WIDTH)
        assert searcher.lines(1)[0][1] == -64


def test_an_exact_search_does_not_believe_the_selective_one_before_it() -> None:
    """Positions of games with 16 empties, whose exact scores are known; of 60, ten are misjudged at 73 %.

    A wrong ProbCut would misjudge many more: 73 % is the share of right decisions that its model aims at.
    """
    misjudged = 0
    for problem in obf.read(EXACT.read_text(encoding="utf-8").splitlines()[:61]):
        mover, opponent = problem.position.mover, problem.position.opponent
        searcher = searcher_of(1)
        searcher.begin(mover, opponent)
        scores = []
        for step in (Iteration(4, 0), Iteration(8, 0), Iteration(16, 0), Iteration(16, FULL_WIDTH)):
            assert searcher.iterate(*step)
            scores.append(searcher.lines(1)[0][1])
        assert scores[-1] == problem.stated_best
        misjudged += scores[-2] != scores[-1]
    assert 5 <= misjudged <= 16


@pytest.mark.parametrize("depth", range(1, 6))
def test_the_principal_variation_is_as_long_as_the_search_is_deep(depth: int) -> None:
    """In an empty table nothing is known that could cut the line short."""
    for position in (START, *(played(random.Random(seed), 40) for seed in range(1, 6))):
        searcher = searcher_of(1)
        searcher.begin(*position)
        assert searcher.iterate(depth, FULL_WIDTH)
        assert len(searcher.lines(1)[0][-1]) == depth
