"""The opening book: its file, its moves, its choice and its names."""

from __future__ import annotations

import math
import random
import runpy
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.book.book import (
    LARGEST_LOSS,
    SOUND_LOSS,
    Book,
    BookError,
    BookMove,
    Row,
    allowed_loss,
    default_rows,
    format_row,
    likelihood_of_loss,
    read_rows,
)
from othello_bot.rules.game import Game
from othello_bot.rules.position import IllegalMove, Position
from othello_bot.rules.symmetry import SYMMETRIES, inverse_symmetry, transform_square
from protocol.notation import parse_move
from tests.rules.strategies import positions

BOOK = Book.load_default()
ROWS = default_rows()
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
SMALL = """
# a comment
c4 0
c4c3 2 Diagonal  # and another
c4e3 0 Perpendicular
c4e3f6 0
c4e3f6e6 0
c4e3f6e6f5 0 Tiger
c4c5 6 Parallel
"""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: format_row(row).split()[0])
def test_each_line_is_legal(row: Row) -> None:
    game = Game()
    assert game.play_moves(row.moves) == row.moves
    assert not game.is_over


@pytest.mark.parametrize("losses", [(1, 3), (3, 1)])
def test_a_move_reached_by_two_lines_has_the_greater_of_its_losses(losses: tuple[int, int]) -> None:
    # The position after c4c3d3 is its own mirror image, and e3 is c5 in it.
    first, second = losses
    book = Book.from_rows(read_rows(f"c4 0\nc4c3 2\nc4c3d3 0\nc4c3d3e3 {first}\nc4c3d3c5 {second}\n"))
    moves = book.lookup(Game.from_transcript("c4c3d3").position)
    assert {(move.move, move.loss) for move in moves} == {(parse_move("e3"), 3), (parse_move("c5"), 3)}


def test_the_book_has_the_openings_that_players_know() -> None:
    names = {row.name for row in ROWS if row.name is not None}
    assert len(names) > 75
    assert names >= {name for _, name in KNOWN}
    assert len([row for row in ROWS if row.name is not None]) == len(names)
    assert all(name is None or name.isascii() for name in names)


@pytest.mark.parametrize(("moves", "name"), KNOWN)
def test_names(moves: str, name: str) -> None:
    assert BOOK.opening_name(Game.from_transcript(moves)) == name
    assert BOOK.opening_name(Game.from_transcript(moves).moves) == name


@pytest.mark.parametrize("index", [one for one in SYMMETRIES if Position.start().transform(one) == Position.start()])
def test_names_in_every_orientation(index: int) -> None:
    for row in ROWS:
        if row.name is not None:
            assert BOOK.opening_name([transform_square(move, index) for move in row.moves]) == row.name


def test_a_name_lasts_until_the_next() -> None:
    game = Game()
    assert BOOK.opening_name(game) is None
    game.play_transcript("f5")
    assert BOOK.opening_name(game) is None
    game.play_transcript("d6c3d3c4")
    assert BOOK.opening_name(game) == "Tiger"
    game.play_transcript("f4e2")
    assert BOOK.opening_name(game) == "Tiger"


def test_a_name_of_illegal_moves() -> None:
    with pytest.raises(IllegalMove):
        BOOK.opening_name([0])


def test_moves_of_the_start() -> None:
    moves = BOOK.lookup(Position.start())
    assert {move.move for move in moves} == set(Position.start().legal_moves)
    assert {(move.loss, move.weight, move.name) for move in moves} == {(0, moves[0].weight, None)}


def test_moves_after_the_first() -> None:
    book = Book.from_rows(read_rows(SMALL))
    moves = book.lookup(Game.from_transcript("f5").position)
    assert [(move.loss, move.weight, move.name) for move in moves] == [
        (0, 2, "Perpendicular"),
        (2, 1, "Diagonal"),
        (6, 1, "Parallel"),
    ]
    assert [move.move for move in moves] == [parse_move("d6"), parse_move("f6"), parse_move("f4")]
    assert book.lookup(Game.from_transcript("f5d6c3d3c4").position) == ()
    assert len(book) == 5


def test_randomness_0_plays_a_best_move_by_lot_among_equals() -> None:
    book = Book.from_rows(read_rows(SMALL))
    start, after = Position.start(), Game.from_transcript("f5").position
    first = {book.choose(start, 0, random.Random(seed)).move for seed in range(50)}  # type: ignore[union-attr]
    assert first == set(start.legal_moves)
    second = {book.choose(after, 0, random.Random(seed)).name for seed in range(50)}  # type: ignore[union-attr]
    assert second == {"Perpendicular"}


def test_randomness_admits_worse_moves_step_by_step() -> None:
    book = Book.from_rows(read_rows(SMALL))
    after = Game.from_transcript("f5").position
    shares = {}
    for randomness in (1, 50, 100):
        rng = random.Random(7)
        chosen = [book.choose(after, randomness, rng) for _ in range(500)]
        shares[randomness] = Counter(move.name for move in chosen if move is not None)
    assert set(shares[1]) == {"Perpendicular"}
    assert set(shares[50]) == {"Perpendicular", "Diagonal"}
    assert set(shares[100]) == {"Perpendicular", "Diagonal", "Parallel"}
    assert shares[100]["Perpendicular"] > shares[100]["Diagonal"] > shares[100]["Parallel"]


@pytest.mark.parametrize(("randomness", "loss"), [(0, 1.0), (50, 4.5), (100, 8.0)])
def test_how_much_a_move_may_lose(randomness: int, loss: float) -> None:
    assert allowed_loss(randomness) == loss


@pytest.mark.parametrize(
    ("loss", "randomness", "exponent"), [(0, 1, 0.0), (4, 100, -1.0), (2, 50, -1.0), (6, 50, -3.0)]
)
def test_how_likely_a_loss_is(loss: int, randomness: int, exponent: int) -> None:
    assert likelihood_of_loss(loss, randomness) == pytest.approx(math.exp(exponent))


class Lots(random.Random):
    """Keeps what it draws from, and draws the last one."""

    def choices(self, population: Sequence[BookMove], weights: Sequence[float]) -> list[BookMove]:  # type: ignore[override]
        self.drawn = {move.name: weight for move, weight in zip(population, weights, strict=True)}
        return [population[-1]]


@pytest.mark.parametrize(
    ("randomness", "likelihoods"),
    [
        (1, {"Perpendicular": 2**0.99}),
        (50, {"Perpendicular": 2**0.5, "Diagonal": math.exp(-1)}),
        (100, {"Perpendicular": 1.0, "Diagonal": math.exp(-0.5), "Parallel": math.exp(-1.5)}),
    ],
)
def test_names_and_losses_make_a_move_likely(randomness: int, likelihoods: dict[str, float]) -> None:
    lots = Lots()
    chosen = Book.from_rows(read_rows(SMALL)).choose(Game.from_transcript("f5").position, randomness, lots)
    assert lots.drawn == pytest.approx(likelihoods)
    assert chosen is not None and chosen.name == list(likelihoods)[-1]


def test_a_seed_makes_the_same_choice() -> None:
    line = []
    for _ in range(2):
        rng, position, moves = random.Random(5), Position.start(), []
        while (chosen := BOOK.choose(position, 100, rng)) is not None:
            moves.append(chosen.move)
            position = position.play(chosen.move)
        line.append(moves)
    assert line[0] == line[1] and len(line[0]) > 1


def test_where_only_bad_moves_are_known_none_is_chosen() -> None:
    book = Book.from_rows(read_rows("c4 0\nc4c5 6 Parallel\n"))
    after = Game.from_transcript("c4").position
    assert book.lookup(after)[0].loss == 6
    assert book.choose(after, 0, random.Random(1)) is None
    assert book.choose(after, 100, random.Random(1)) is not None


def test_named_but_bad_openings_are_not_played() -> None:
    for moves in ("c4c5", "c4c3d3c5b2"):
        game = Game.from_transcript(moves)
        bad = game.undo()
        losses = {move.move: move.loss for move in BOOK.lookup(bad)}
        assert losses[game.redoable[0]] > SOUND_LOSS
        for seed in range(100):
            chosen = BOOK.choose(bad, 0, random.Random(seed))
            assert chosen is not None and chosen.move != game.redoable[0]


def test_no_move_of_the_book_loses_more_than_is_allowed() -> None:
    rng = random.Random(3)
    for randomness in (0, 30, 100):
        allowed = SOUND_LOSS + (LARGEST_LOSS - SOUND_LOSS) * randomness / 100
        for _ in range(100):
            position = Position.start()
            while (chosen := BOOK.choose(position, randomness, rng)) is not None:
                assert chosen.loss <= allowed
                position = position.play(chosen.move)


@pytest.mark.parametrize("index", SYMMETRIES)
def test_images_of_a_position_have_images_of_its_moves(index: int) -> None:
    for row in ROWS:
        game = Game()
        game.play_moves(row.moves[:-1])
        here = BOOK.lookup(game.position)
        there = BOOK.lookup(game.position.transform(index))
        back = inverse_symmetry(index)
        assert {(transform_square(move.move, back), move.loss, move.weight) for move in there} == {
            (move.move, move.loss, move.weight) for move in here
        }


@given(positions(), st.integers(0, 100), st.integers(0, 99))
def test_any_position_gets_a_legal_move_or_none(position: Position, randomness: int, seed: int) -> None:
    chosen = BOOK.choose(position, randomness, random.Random(seed))
    assert chosen is None or chosen.move in position.legal_moves


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("c4", 1),
        ("c4 x", 1),
        ("c4 -1", 1),
        ("c4 65", 1),
        ("\n# only\nc4 0\nc4c4 0", 4),
        ("c4 0\nc4e3f6 0", 2),
        ("c4 0\nc4 0", 2),
        ("z9 0", 1),
        ("pass 0", 1),
        ("12. 0", 1),
    ],
)
def test_files_that_are_no_book(text: str, line: int) -> None:
    with pytest.raises(BookError, match=f"line {line}:") as caught:
        read_rows(text)
    assert caught.value.place == line


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("c4 64", Row((parse_move("c4"),), 64, None)),
        ("  c4   7  A  name # said", Row((parse_move("c4"),), 7, "A  name")),
        ("c4 07", Row((parse_move("c4"),), 7, None)),
    ],
)
def test_rows_that_are_read(text: str, row: Row) -> None:
    assert read_rows(text) == [row]


def test_a_loss_has_two_digits_at_most() -> None:
    with pytest.raises(BookError, match="line 1: book row"):
        read_rows("c4 007")


def test_how_a_row_is_written() -> None:
    assert format_row(Row((26, 18), 2, "Diagonal")) == f"c4c3{' ' * 40}  2  Diagonal"
    assert format_row(Row((26,), 12, None)) == f"c4{' ' * 42} 12"


def test_rows_are_written_and_read() -> None:
    assert read_rows("\n".join(map(format_row, ROWS))) == ROWS


def test_a_book_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(SMALL)
    assert len(Book.load(path)) == 5
    with pytest.raises(OSError):
        Book.load(tmp_path / "absent.txt")


def test_the_script_that_scores_keeps_what_it_does_not_score(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(__file__).parents[2] / "scripts" / "score-openings"
    monkeypatch.syspath_prepend(str(path.parent))
    script = runpy.run_path(str(path), run_name="score_openings")
    losses = {row.moves: 3 for row in read_rows(SMALL)}
    lines = script["with_losses"](f"# Searched: once{SMALL}", losses, "again").splitlines()
    assert lines[:2] == ["# Searched: again", "# a comment"]
    assert lines[3].split() == ["c4c3", "3", "Diagonal", "#", "and", "another"]
