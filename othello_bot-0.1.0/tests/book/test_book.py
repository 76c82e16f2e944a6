"""The opening book in play: its moves, its choice, its names."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.notation import parse_move
from othello_bot.book.book import LARGEST_LOSS, Book, BookMove, Manner, allowed_loss, likelihood_of_loss, mark_of
from othello_bot.book.compact import CompactBook, to_bytes
from othello_bot.book.entry import Entry, Scored
from othello_bot.book.opening import Library, named_lines, names_of, positions_of
from othello_bot.book_growing.graph import Graph
from othello_bot.rules.game import Game
from othello_bot.rules.position import SYMMETRIES, IllegalMove, Position, inverse_symmetry, transform_square
from tests.book.books import add, entries, key, lines, settle
from tests.rules.strategies import positions

SHIPPED = Library().book
KNOWN = [
    ("f5d6c3d3c4", "Tiger"),
    ("c4e3f4c5d6f3e6c3d3e2", "Rose"),
    ("c4c3d3c5f6", "Buffalo (Kenichi Variation)"),
    ("c4c3d3c5b4", "Heath (Tobidashi)"),
    ("c4c3d3c5b4d2d6", "Heath-Bat"),
    ("c4c3d3c5b4e3", "Heath-Chimney"),
    ("c4c3d3c5d6", "Cow"),
    ("c4c3d3c5d6e3", "Chimney"),
    ("c4c3d3c5d6f4f5d2", "Tanida"),
    ("c4c3", "Diagonal"),
    ("c4c5", "Parallel"),
    ("c4e3", "Perpendicular"),
]
AFTER = Game.from_transcript("f5").position
SECOND = {"Perpendicular": parse_move("d6"), "Diagonal": parse_move("f6"), "Parallel": parse_move("f4")}


def book_of(graph: Graph, names: bool = True) -> Book:
    return Book([CompactBook.from_bytes(to_bytes(entries(graph), names_of(named_lines()) if names else {}))])


def small() -> Graph:
    """Return a graph where the second moves lose 0, 2 and 6 discs."""
    graph = Graph()
    for text in ("", "f5"):
        add(graph, key(text))
    for text, score in (("f5d6", 0), ("f5f6", 2), ("f5f4", 6)):
        add(graph, key(text), score)
    settle(graph)
    return graph


SMALL = book_of(small())


def test_moves_after_the_first() -> None:
    moves = SMALL.lookup(AFTER)
    assert [(move.move, move.score, move.loss, move.leads_on) for move in moves] == [
        (SECOND["Perpendicular"], 0, 0, True),
        (SECOND["Diagonal"], -2, 2, True),
        (SECOND["Parallel"], -6, 6, True),
    ]
    assert SMALL.lookup(Game.from_transcript("f5d6c3d3c4").position) == ()
    assert len(SMALL) == 5


def test_a_leaf_is_a_known_move() -> None:
    (move, *others) = SMALL.lookup(Game.from_transcript("f5d6").position)
    assert (move.score, move.leads_on, others) == (0, False, [])


def test_moves_of_the_start_are_those_of_all_its_images() -> None:
    moves = SHIPPED.lookup(Position.start())
    assert {move.move for move in moves} == set(Position.start().legal_moves)
    assert {(move.loss, move.score) for move in moves} == {(0, moves[0].score)}


@pytest.mark.parametrize("index", SYMMETRIES)
def test_images_of_a_position_have_images_of_its_moves(index: int) -> None:
    back = inverse_symmetry(index)
    for line in named_lines():
        position = positions_of(line.moves)[-2] if len(line.moves) > 1 else Position.start()
        here = SHIPPED.lookup(position)
        there = SHIPPED.lookup(position.transform(index))
        assert {(transform_square(move.move, back), move.loss) for move in there} == {
            (move.move, move.loss) for move in here
        }


def test_the_first_source_that_knows_answers() -> None:
    first = book_of(lines("f5d6c3"))
    book = Book([*first._sources, *SMALL._sources])
    assert book.lookup(AFTER) == first.lookup(AFTER) != SMALL.lookup(AFTER)
    other = Game.from_transcript("f5f4").position
    assert book.lookup(other) == SMALL.lookup(other) != ()


def test_a_damaged_source_is_reported_and_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    content = bytearray(to_bytes([((0, 1), Entry(0))], {}))
    content[-1] ^= 1
    damaged = CompactBook.from_bytes(bytes(content))
    book = Book([damaged, *SMALL._sources])
    assert [move.loss for move in book.lookup(AFTER)] == [0, 2, 6]
    assert "is not used any more: block of the book 0" in capsys.readouterr().err
    assert len(book) == 5


# -- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "name"), KNOWN)
def test_names(moves: str, name: str) -> None:
    assert SHIPPED.opening_name(Game.from_transcript(moves)) == name
    assert SHIPPED.opening_name(Game.from_transcript(moves).moves) == name
    assert SHIPPED.name(Game.from_transcript(moves).position) == name


@pytest.mark.parametrize("index", [one for one in SYMMETRIES if Position.start().transform(one) == Position.start()])
def test_names_in_every_orientation(index: int) -> None:
    for line in named_lines():
        assert SHIPPED.opening_name([transform_square(move, index) for move in line.moves]) == line.name


def test_a_name_is_found_through_every_transposition() -> None:
    transpositions = 0
    for line in named_lines():
        moves = line.moves
        for ply in range(len(moves) - 2):
            swapped = (*moves[:ply], moves[ply + 2], moves[ply + 1], moves[ply], *moves[ply + 3 :])
            try:
                reached = positions_of(swapped)[-1]
            except IllegalMove:
                continue
            if reached == positions_of(moves)[-1]:
                transpositions += 1
                assert SHIPPED.opening_name(swapped) == line.name
    assert transpositions > 10


def test_a_name_lasts_until_the_next() -> None:
    game = Game()
    assert SHIPPED.opening_name(game) is None
    game.play_transcript("f5")
    assert SHIPPED.opening_name(game) is None
    game.play_transcript("d6c3d3c4")
    assert SHIPPED.opening_name(game) == "Tiger"


def test_a_name_of_illegal_moves() -> None:
    with pytest.raises(IllegalMove):
        SHIPPED.opening_name([0])


# -- the choice -------------------------------------------------------------------------------------------------------


def chosen(book: Book, position: Position, manner: Manner, seeds: int = 50) -> set[int]:
    moves = [book.choose(position, manner, random.Random(seed)) for seed in range(seeds)]
    return {-1 if move is None else move.move for move in moves}


def test_randomness_0_plays_a_best_move_by_lot_among_equals() -> None:
    assert chosen(SMALL, Position.start(), Manner()) == set(Position.start().legal_moves)
    assert chosen(SMALL, AFTER, Manner()) == {SECOND["Perpendicular"]}


def test_of_equal_moves_the_book_follows_its_own() -> None:
    graph = small()
    add(graph, key("f5d6"), 2)
    settle(graph, -2)
    moves = book_of(graph).lookup(AFTER)
    assert {(move.score, move.leads_on) for move in moves[:2]} == {(-2, True)}
    assert chosen(book_of(graph), AFTER, Manner()) == {SECOND["Perpendicular"], SECOND["Diagonal"]}


def test_randomness_admits_worse_moves_step_by_step() -> None:
    shares = {}
    for randomness in (1, 50, 100):
        rng = random.Random(7)
        drawn = [SMALL.choose(AFTER, Manner(randomness), rng) for _ in range(500)]
        shares[randomness] = Counter(move.loss for move in drawn if move is not None)
    assert set(shares[1]) == {0}
    assert set(shares[50]) == {0, 2}
    assert set(shares[100]) == {0, 2, 6}
    assert shares[100][0] > shares[100][2] > shares[100][6]


@pytest.mark.parametrize(("most_loss", "losses"), [(0, {0}), (2, {0, 2}), (5, {0, 2}), (6, {0, 2, 6})])
def test_no_move_loses_more_than_is_allowed(most_loss: int, losses: set[int]) -> None:
    rng = random.Random(3)
    drawn = [SMALL.choose(AFTER, Manner(100, most_loss), rng) for _ in range(300)]
    assert {move.loss for move in drawn if move is not None} == losses


@pytest.mark.parametrize(
    ("randomness", "most_loss", "loss"),
    [(0, 8, 1.0), (50, 8, 4.5), (100, 8, 8.0), (100, 0, 0), (0, 0, 0), (50, 3, 2.0)],
)
def test_how_much_a_move_may_lose(randomness: int, most_loss: int, loss: float) -> None:
    assert allowed_loss(randomness, most_loss) == loss
    assert allowed_loss(100) == LARGEST_LOSS


@pytest.mark.parametrize(
    ("loss", "randomness", "exponent"), [(0, 1, 0.0), (4, 100, -1.0), (2, 50, -1.0), (6, 50, -3.0)]
)
def test_how_likely_a_loss_is(loss: int, randomness: int, exponent: int) -> None:
    assert likelihood_of_loss(loss, randomness) == pytest.approx(math.exp(exponent))


class Lots(random.Random):
    """Keeps what it draws from, and draws the last one."""

    def choices(self, population: Sequence[BookMove], weights: Sequence[float]) -> list[BookMove]:  # type: ignore[override]
        self.drawn = {move.loss: weight for move, weight in zip(population, weights, strict=True)}
        return [population[-1]]


@pytest.mark.parametrize(
    ("randomness", "likelihoods"),
    [(1, {0: 9**0.99}), (50, {0: 3.0, 2: math.exp(-1)}), (100, {0: 1.0, 2: math.exp(-0.5), 6: math.exp(-1.5)})],
)
def test_games_and_losses_make_a_move_likely(randomness: int, likelihoods: dict[int, float]) -> None:
    graph = small()
    node = graph.nodes[key("f5")]
    best = max(node.entry.moves, key=lambda move: move.score)
    moves = tuple(move._replace(games=9) if move is best else move for move in node.entry.moves)
    object.__setattr__(node.entry, "moves", moves)
    lots = Lots()
    drawn = book_of(graph).choose(AFTER, Manner(randomness), lots)
    assert lots.drawn == pytest.approx(likelihoods)
    assert drawn is not None and drawn.loss == list(likelihoods)[-1]


def test_a_seed_makes_the_same_choice() -> None:
    line = []
    for _ in range(2):
        rng, position, moves = random.Random(5), Position.start(), []
        while (move := SHIPPED.choose(position, Manner(100), rng)) is not None:
            moves.append(move.move)
            position = position.play(move.move)
        line.append(moves)
    assert line[0] == line[1] and len(line[0]) > 1


def test_where_other_moves_may_be_better_none_is_chosen() -> None:
    graph = Graph()
    for text in ("", "f5", "f5f4"):
        add(graph, key(text))
    node = graph.nodes[key("f5")]
    graph.add(node.key, replace(node.entry, leaf=None))
    book = book_of(graph)
    assert [move.move for move in book.lookup(AFTER)] == [SECOND["Parallel"]]
    assert book.choose(AFTER, Manner(100), random.Random(1)) is None


def test_the_book_ends_at_its_depth() -> None:
    assert SMALL.choose(AFTER, Manner(plies=2), random.Random(1)) is not None
    assert SMALL.choose(AFTER, Manner(plies=1), random.Random(1)) is None
    assert SMALL.choose(Position.start(), Manner(plies=0), random.Random(1)) is None


def test_a_move_to_avoid_is_played_only_without_another_that_is_good_enough() -> None:
    mark = mark_of(AFTER, SECOND["Perpendicular"])
    assert chosen(SMALL, AFTER, Manner(), 1) == {SECOND["Perpendicular"]}
    avoiding = [SMALL.choose(AFTER, Manner(100), random.Random(seed), {mark}) for seed in range(50)]
    assert {move.loss for move in avoiding if move is not None} == {2, 6}
    # At randomness 0 a move may lose one disc, and there is no other such move.
    only = SMALL.choose(AFTER, Manner(), random.Random(1), {mark})
    assert only is not None and only.move == SECOND["Perpendicular"]


def test_a_mark_is_that_of_all_images() -> None:
    assert len({mark_of(Position.start(), move) for move in Position.start().legal_moves}) == 1
    for index in SYMMETRIES:
        image = AFTER.transform(index)
        assert mark_of(image, transform_square(43, index)) == mark_of(AFTER, 43)


def test_named_but_bad_openings_are_not_played() -> None:
    for moves in ("c4c5", "c4c3d3c5b2"):
        game = Game.from_transcript(moves)
        bad = game.undo()
        assert game.redoable[0] not in chosen(SHIPPED, bad, Manner())


@given(positions(), st.integers(0, 100), st.integers(0, 99))
def test_any_position_gets_a_legal_move_or_none(position: Position, randomness: int, seed: int) -> None:
    move = SHIPPED.choose(position, Manner(randomness), random.Random(seed))
    assert move is None or move.move in position.legal_moves


def test_a_move_is_exact_where_its_search_reached_the_end_at_full_width() -> None:
    (one,) = [one for one, _ in entries(lines("f5")) if one == key("f5")]
    empties = AFTER.empties
    canonical, _ = AFTER.canonical()
    for depth, selectivity, exact in ((empties, 100, True), (empties - 1, 100, False), (empties, 99, False)):
        entry = Entry(0, moves=(Scored(canonical.legal_moves[0], 0, depth, selectivity),))
        (known,) = Book([CompactBook.from_bytes(to_bytes([(one, entry)], {}))]).lookup(AFTER)
        assert known.exact is exact


def test_losses_are_compared_with_that_of_the_best_move_left() -> None:
    graph = small()
    add(graph, key("f5f6"), 4)
    settle(graph)
    lots = Lots()
    book_of(graph).choose(AFTER, Manner(100), lots, {mark_of(AFTER, SECOND["Perpendicular"])})
    assert lots.drawn == pytest.approx({4: 1.0, 6: math.exp(-0.5)})
