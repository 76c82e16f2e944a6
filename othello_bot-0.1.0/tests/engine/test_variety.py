"""Variety: moves that differ from game to game, and give nothing away that the game needs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, move_name
from othello_bot.book.book import Book
from othello_bot.engine.book_use import drawn, near, variety_of
from othello_bot.engine.deepening import Resumption, Slices
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import LimitError, Limits
from othello_bot.engine.options import Options
from othello_bot.engine.request import Ended, SearchRequest, SearchResult, carried_out
from othello_bot.engine.time_manager import TimeBudget
from othello_bot.engine.variety import PROVEN_EMPTIES, VARIED_PLIES, VARIETIES, GivenAway
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL

START = Position.start()
LITTLE, MUCH = VARIETIES["little"], VARIETIES["much"]


# -- the options ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "varied", "losses"),
    [
        ({}, False, (None, None)),
        ({"variety": "little"}, True, (1, 2)),
        ({"variety": "much"}, True, (2, 4)),
        ({"variety": "much", "book_loss": 1}, True, (1, 4)),
        ({"variety": "little", "book_loss": 0}, True, (0, 2)),
        ({"variety": "little", "book_randomness": 0}, False, (None, None)),
        ({"book_randomness": 100}, True, (8, None)),
        ({"book_randomness": 50}, True, (4, None)),
        ({"book_randomness": 100, "book_loss": 3}, True, (3, None)),
        ({"book_randomness": 50, "book_loss": 0}, True, (0, None)),
    ],
)
def test_how_much_a_move_and_a_game_may_lose(
    settings: dict[str, object], varied: bool, losses: tuple[int | None, int | None]
) -> None:
    variety = variety_of(Options(**settings))  # type: ignore[arg-type]
    a_move, a_game = losses
    assert (variety.randomness > 0) is varied
    assert near(START, variety, 0) == a_move
    for given_away in range(5):
        left = a_move if a_move is None or a_game is None else max(0, min(a_move, a_game - given_away))
        assert near(START, variety, given_away) == left


def test_only_the_first_moves_are_varied() -> None:
    game = Game()
    while game.ply < VARIED_PLIES:
        assert near(game.position, LITTLE, 0) == 1
        game.play(game.position.legal_moves[0])
    assert near(game.position, LITTLE, 0) is None
    assert late(1).empties <= PROVEN_EMPTIES
    assert near(late(1), MUCH, 0) == 0 and near(late(1), VARIETIES["off"], 0) is None


def test_late_moves_are_drawn_only_where_they_are_proven_equal() -> None:
    position = late(1)
    for exact, moves in ((True, {0, 1}), (False, {0})):
        lines = [replace(line, exact=exact) for line in (result(0).best, result(0, 0).near[0])]
        found = SearchResult((lines[0],), 100, 0.01, position=position, near=(lines[1],))
        rng = random.Random(3)
        assert {drawn(found, MUCH, rng).move for _ in range(50)} == moves


# -- the draw ---------------------------------------------------------------------------------------------------------


def result(best: int, *others: int) -> SearchResult:
    """Return a search whose best move is square 0; squares 1 and on have the other scores."""
    lines = [EvaluatedMove(square, score, (square,), 9, 73, False) for square, score in enumerate((best, *others))]
    return SearchResult((lines[0],), 100, 0.01, near=tuple(lines[1:]))


@pytest.mark.parametrize(
    ("scores", "moves"),
    [
        ((0, 0, -1), {0, 1, 2}),
        ((10, 9), {0, 1}),
        ((11, 11, 10), {0}),  # a large score is known less well
        ((-11, -11, -12), {0}),
        ((3, 1, 0), {0, 1}),  # a lead of 2 is never given away
        ((2, 1, 0, -1), {0, 1}),
        ((1, 0, -1), {0, 1, 2}),
        ((-10, -11), {0, 1}),
        ((5,), {0}),  # nothing was tested
    ],
)
def test_the_lot_falls_on_moves_that_were_tested_and_keep_a_lead(scores: Sequence[int], moves: set[int]) -> None:
    rng = random.Random(3)
    assert {drawn(result(*scores), MUCH, rng).move for _ in range(200)} == moves


def test_large_scores_are_drawn_where_they_are_proven() -> None:
    found = result(46, 46, 45)
    best, *others = (replace(line, exact=True) for line in (found.best, *found.near))
    proven = replace(found, lines=(best,), near=tuple(others[:1]))
    rng = random.Random(3)
    assert {drawn(found, MUCH, rng).move for _ in range(50)} == {0}
    assert {drawn(proven, MUCH, rng).move for _ in range(50)} == {0, 1}


def test_the_less_a_move_loses_the_likelier_it_is() -> None:
    rng = random.Random(3)
    lots = [drawn(result(0, 0, -1, -2), MUCH, rng).move for _ in range(1000)]
    assert lots.count(0) > lots.count(2) > lots.count(3) > 50


class FoundSearch(FakeSearch):
    """Finds its first legal move the best, worth `score`, and the second one a disc worse if that may be."""

    score = 0

    def slices(
        self,
        request: SearchRequest,
        budget: TimeBudget | None = None,
        resumption: Resumption | None = None,
        slice_s: float = 0.0,
    ) -> Slices[SearchResult]:
        found = yield from super().slices(request, budget, resumption, slice_s)
        best = replace(found.lines[0], score=self.score)
        legal = request.position.legal_moves
        second = [EvaluatedMove(move, self.score - 1, (move,), best.depth, 73, False) for move in legal[1:2]]
        return replace(found, lines=(best,), near=tuple(second) if request.limits.near else ())


def played(engine: Engine, game: Game) -> tuple[int, SearchResult]:
    choice = carried_out(engine.player.choose(game, Limits(level=3)), engine.answer)
    assert choice.result is not None and choice.move == choice.result.move
    return choice.move, choice.result


def test_a_drawn_move_stands_first_with_the_score_of_its_test() -> None:
    seen = set()
    for seed in range(20):
        with Engine(replace(SMALL, variety="little", seed=seed), search=FoundSearch(), book=Book()) as engine:
            move, found = played(engine, Game())
            other = START.legal_moves[1]
            expected = [other, START.legal_moves[0]] if move == other else [START.legal_moves[0]]
            assert [line.move for line in found.lines] == expected and found.score == -(move == other)
            seen.add(move)
    assert seen == set(START.legal_moves[:2])


def lost(engine: Engine, game: Game, moves: int) -> list[int | None]:
    """Play on against first legal moves; return what each own move was allowed to lose."""
    search = engine._search
    assert isinstance(search, FoundSearch)
    search.runs.clear()
    for _ in range(moves):
        game.play(played(engine, game)[0])
        game.play(game.position.legal_moves[0])
    return [limits.near for _, limits, _, _ in search.runs]


def total(engine: Engine, game: Game) -> int:
    """Return the discs that the engine knows to have given away before this position."""
    return engine.given_away.before(game)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_loses_two_discs_at_most_also_after_moves_are_taken_back(seed: int) -> None:
    with Engine(replace(SMALL, variety="little", seed=seed), search=FoundSearch(), book=Book()) as engine:
        game = Game()
        allowed = lost(engine, game, 6)
        assert total(engine, game) <= 2 and set(allowed) <= {0, 1}
        spent = [total(engine, Game.from_transcript(game.transcript()[: 4 * ply])) for ply in range(7)]
        assert spent == sorted(spent), "what was given away stays given away"
        for _ in range(2):
            game.undo()
        assert total(engine, game) == spent[5]
        lost(engine, game, 1)
        assert total(engine, game) <= 2
        assert total(engine, Game()) == 0, "a new game begins anew"
        assert total(engine, Game.from_transcript("f5f6e6f4")) == 0, "so does one from a file"


def test_positions_alone_are_recognised_one_move_later() -> None:
    given = GivenAway()
    game = Game.from_transcript("f5d6c3d3c4f4")
    given.note(game.position_at(1), 1)
    assert [given.before(game.position_at(ply)) for ply in range(4)] == [0, 0, 1, 0]
    given.note(Position.parse("-XXXXXXO" + "O" * 56 + " X"), 2)
    assert given.before(Position.parse("-XXXXXXO" + "O" * 56 + " X").play(PASS)) == 2


def test_what_is_remembered_is_bounded() -> None:
    given = GivenAway()
    for square in range(GivenAway.LATEST + 5):
        given.note(Position(square + 1, 1 << 63), 1)
    assert len(given._discs) == GivenAway.LATEST


def test_without_variety_nothing_but_the_search_is_asked() -> None:
    search = FakeSearch()
    with Engine(SMALL, search=search, book=Book()) as engine:
        assert carried_out(engine.player.choose(START, Limits(level=3)), engine.answer).move == START.legal_moves[0]
    assert [limits for _, limits, _, _ in search.runs] == [Limits(level=3)]


# -- the tests of a search --------------------------------------------------------------------------------------------


def late(seed: int) -> Position:
    """Return a position with ten empties and several moves."""
    rng, game = random.Random(seed), Game()
    while not game.is_over and (game.position.empties > 10 or len(game.position.legal_moves) < 4):
        game.play(rng.choice(game.position.legal_moves or (PASS,)))
    return late(seed + 100) if game.is_over else game.position


@pytest.mark.parametrize("least", [0, 2, 6, 64])
@pytest.mark.parametrize("seed", range(5))
def test_the_moves_near_the_best_are_those_of_a_search_of_all(
    seed: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("othello_bot.engine.deepening.LEAST_TEST_NODES", 10**9)
    position = late(seed)
    with Engine(SMALL) as engine:
        every = engine.search(position, Limits(depth=60, selectivity=100, multi_pv=64))
        engine.clear()
        found = engine.search(position, Limits(depth=60, selectivity=100, near=least))
    assert every.exact and len(every.lines) > 3
    scores = {line.move: line.discs for line in every.lines}
    tested = {line.move: line.discs for line in found.near}
    assert found.score == every.score and found.move not in tested
    assert all(scores[move] == score for move, score in tested.items())
    assert set(tested) == {move for move, score in scores.items() if score >= every.score - least} - {found.move}


def test_the_tests_take_a_tenth_of_the_nodes() -> None:
    position = Game.from_transcript("c4c5d6c7d7e3c6b6").position
    with Engine(SMALL) as engine:
        alone = engine.search(position, Limits(level=16))
        engine.clear()
        tested = engine.search(position, Limits(level=16, near=4))
        assert tested.lines == alone.lines
        assert alone.nodes < tested.nodes <= 1.11 * alone.nodes + 1
        engine.clear()
        capped = engine.search(position, Limits(nodes=40_000, near=4))
        assert capped.ended is Ended.NODES and capped.nodes <= 40_100


def test_the_search_leaves_a_tenth_of_its_time_to_the_tests() -> None:
    assert TimeBudget(2.0, 6.0).scaled(0.5) == TimeBudget(1.0, 3.0)
    with Engine(SMALL) as engine:
        found = engine.search(START, Limits(move_time_s=0.2, near=4))
    assert found.ended is Ended.MAXIMUM and {line.move for line in found.near} <= set(START.legal_moves) - {found.move}


def test_a_search_that_is_stopped_tests_nothing() -> None:
    with Engine(SMALL) as engine:
        engine.go(START, Limits(infinite=True, near=64), on_progress=lambda result: engine.stop())
        assert engine.wait().near == ()


def test_a_pass_and_a_move_without_alternative_need_no_tests() -> None:
    must_pass, only = Position.parse("-XXXXXXO" + "O" * 56 + " X"), Position.parse("-XXXXXXO" + "O" * 56 + " O")
    with Engine(SMALL) as engine:
        assert engine.search(must_pass, Limits(level=1, near=1)).near == ()
        assert engine.search(only, Limits(level=1, near=64)).near == ()


def test_several_lines_are_near_without_a_test() -> None:
    with Engine(SMALL) as engine:
        found = engine.search(START, Limits(depth=5, multi_pv=3, near=0))
    assert {line.move for line in found.lines[1:]} <= {line.move for line in found.near} and len(found.lines) == 3
    assert all(line.score == found.score for line in found.near)


@pytest.mark.parametrize("near", [-1, 65, 1.5])
def test_near_is_a_number_of_discs(near: int) -> None:
    with pytest.raises(LimitError, match="near"):
        Limits(near=near)


# -- leads ------------------------------------------------------------------------------------------------------------

LEADS = [
    ("c4c5d6c7d7e3c6b6", 2, 30, "b4 a6"),
    ("d3e3f2c5f5f3e6f1d6g5", 2, 30, "f6 c4 c6 f4"),
    ("d3c5d6e3f4d7f5g5c6b6", 5, 70, "e6 c4 g4 f3"),
    ("f5f4e3f6d3c3c4b4c5f3b3d6", 1, 30, "c6 c2 g4"),
    ("d3c3e6d2c4c5b2e3b4", 3, 30, "d6 b5 b3 c2"),
]
"""Openings with a lead, a seed and a randomness that gave it away, and the moves within three discs or nearly so."""


@pytest.mark.parametrize(("opening", "seed", "randomness", "good"), LEADS, ids=str)
@pytest.mark.parametrize("settings", [{}, {"variety": "little"}, {"variety": "much"}], ids=str)
def test_a_lead_is_not_given_away(
    opening: str, seed: int, randomness: int, good: str, settings: dict[str, object]
) -> None:
    given = settings or {"book_randomness": randomness}
    options = Options(hash=8, level=14, seed=seed, **given)  # type: ignore[arg-type]
    game = Game.from_transcript(opening)
    with Engine(options) as engine:
        for again in range(3):
            engine.set_option("seed", seed + again)
            assert move_name(engine.choose(game).move) in good.split()
