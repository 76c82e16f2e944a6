"""NBoard's `learn`: what a game teaches the opening book, where it is kept, and that it is played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from othello_bot.book.book import Book, Row, default_rows, read_rows
from othello_bot.book.learned_book import LearnedBook
from othello_bot.book_growing.learning_from_games import LEARNED_PLIES, rows_of_game
from othello_bot.engine.deepening import Line, SearchResult
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import OptionError, Options
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from protocol.notation import PASS, parse_move
from tests.dialects.test_nboard import game as set_game
from tests.rules.strategies import random_game
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, LiveSession, in_process

UNKNOWN = "f5d6c3d3c4f4f6g5e6d7c7g6"
"""The Tiger, and then moves that the shipped book does not have."""


def learned(text: str, score_of: dict[int, int] | None = None) -> list[Row]:
    """Return the rows of a game, judged by a search that prefers the first legal move with score 0, or the score given
    by ply.
    """
    game = Game.from_transcript(text)
    steps = rows_of_game(game, Book.load_default(), Limits, lambda: False)
    result: SearchResult | None = None
    try:
        while True:
            request = next(steps) if result is None else steps.send(result)
            ply = 64 - 4 - request.position.empties
            move = (request.position.legal_moves or (PASS,))[0]
            line = Line(move, (score_of or {}).get(ply, 0), (move,), 1, 100, False)
            result = SearchResult((line,), 1, 0.0)
    except StopIteration as done:
        rows: list[Row] = done.value
        return rows


def test_rows_are_legal_and_complete_lines() -> None:
    rows = learned(UNKNOWN)
    assert rows
    book = LearnedBook.merged(default_rows(), rows)
    assert len(book) > len(default_rows())
    Book.from_rows(book)


def test_a_game_is_turned_so_that_its_lines_join_those_of_the_book() -> None:
    turned = {learned(text)[-1].moves for text in (UNKNOWN, "c4e3f6e6f5c5f4g6")}
    assert all(moves[0] == parse_move("c4") for moves in turned)


def test_known_moves_keep_their_loss_and_need_no_search() -> None:
    known = Game.from_transcript("f5d6c3d3c4")
    steps = rows_of_game(known, Book.load_default(), Limits, lambda: False)
    with pytest.raises(StopIteration):
        next(steps)


def test_a_loss_is_what_the_best_move_is_better() -> None:
    before = len(Game.from_transcript(UNKNOWN).moves) - 1
    # The position before the last move is worth 5 to its mover, the one after it -2 to the other: a loss of 3.
    rows = learned(UNKNOWN, {before: 5, before + 1: -2})
    last = [row for row in rows if len(row.moves) == before + 1]
    assert sorted(row.loss for row in last) == [0, 3]
    assert len({row.moves[:-1] for row in last}) == 1


def test_only_the_opening_is_learned_and_nothing_after_a_pass() -> None:
    assert max(len(row.moves) for row in learned(random_game(7).transcript())) == LEARNED_PLIES
    assert all(PASS not in row.moves for row in learned("d3c3e6d2d1e1b2c1paa3"))


def test_a_game_from_another_start_teaches_nothing() -> None:
    game = Game(Position.parse("--------------------------XXX------XO--------------------------- O"))
    game.play_transcript("c3")
    with pytest.raises(StopIteration) as done:
        next(rows_of_game(game, Book.load_default(), Limits, lambda: False))
    assert done.value.value == []


def test_a_file_begins_as_the_shipped_book_and_grows(tmp_path: Path) -> None:
    path = tmp_path / "my book.txt"
    book = LearnedBook(str(path))
    assert len(book.book) == len(Book.load_default())
    assert not path.exists()
    rows = learned(UNKNOWN)
    book.add(rows)
    assert len(book.book) > len(Book.load_default())
    kept = read_rows(path.read_text())
    assert [row.moves for row in kept[: len(default_rows())]] == [row.moves for row in default_rows()]
    assert len(LearnedBook(str(path)).book) == len(book.book)
    size = path.stat().st_size
    book.add(rows)
    assert path.stat().st_size == size
    assert [item.name for item in tmp_path.iterdir()] == ["my book.txt"]


def test_without_a_file_it_is_learned_for_the_session() -> None:
    book = LearnedBook("")
    book.add(learned(UNKNOWN))
    assert len(book.book) > len(Book.load_default())


@pytest.mark.parametrize("content", ["d4 0\n", "c4\n", "\0", "c4 0\nc4 0\n"])
def test_a_file_that_is_no_book_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(content)
    with Engine(SMALL, search=FakeSearch()) as engine:
        with pytest.raises(OptionError, match="a book file"):
            engine.set_option("book_file", path)
        assert engine.options.book_file == ""
        assert len(engine.book) == len(Book.load_default())
    with pytest.raises(OptionError, match="a book file"):
        Engine(Options(book_file=str(path)), search=FakeSearch())


def test_a_place_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with Engine(SMALL, search=FakeSearch()) as engine:
        with pytest.raises(OptionError, match="a book file"):
            engine.set_option("book_file", tmp_path / "nowhere" / "book.txt")
        with pytest.raises(OptionError, match="a book file"):
            engine.set_option("book_file", tmp_path)


def test_learn_over_nboard_and_then_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    options = SMALL.with_text("book_file", str(path))
    text = in_process(f"nboard 2\n{set_game(UNKNOWN)}learn\n", search=FakeSearch(), options=options)
    assert text == "set myname othellobot\nstatus Learning\nstatus\nlearned\n"
    search = FakeSearch()
    text = in_process(f"nboard 2\n{set_game(UNKNOWN[:-2])}go\n", search=search, options=options)
    assert re.search(r"^=== [A-H][1-8]$", text, re.MULTILINE) and not search.runs, text
    # Without it the engine has to search there.
    in_process(f"nboard 2\n{set_game(UNKNOWN[:-2])}go\n", search=search, options=SMALL)
    assert search.runs


def test_a_ping_ends_the_learning_and_comes_last() -> None:
    search = FakeSearch(blocks=True)
    with LiveSession(search) as live:
        live.send("nboard 2", *set_game(UNKNOWN).splitlines(), "learn")
        assert search.began.wait(30)
        live.send("ping 3")
        live.wait_for("pong 3\n")
        assert live.writer.text.endswith("learned\npong 3\n")


def test_a_book_that_cannot_be_written_is_reported_and_learned_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    options = SMALL.with_text("book_file", str(folder / "book.txt"))
    with Engine(options, search=FakeSearch()) as engine:
        folder.rmdir()
        engine.learn(learned(UNKNOWN))
        assert len(engine.book) > len(Book.load_default())
    assert "cannot be written" in capsys.readouterr().err
