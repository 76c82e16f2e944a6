"""What games teach the book: their positions, the numbers of games, and NBoard's `learn`."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.book import opening
from othello_bot.book.compact import write as write_compact
from othello_bot.book.opening import shipped_book
from othello_bot.book.store import Store
from othello_bot.book_growing import learning_from_games
from othello_bot.book_growing.graph import Graph
from othello_bot.book_growing.learning_from_games import LEARNED_PLIES, PlayedOpenings, learn_game
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import OptionError, Options
from othello_bot.engine.request import SearchResult
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.book.books import add, entries, key, lines
from tests.dialects.test_nboard import game as set_game
from tests.rules.strategies import random_game
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, LiveSession, in_process

UNKNOWN = "f5d6c3d3c4f4f6g5e6d7c7g6"
"""The Tiger, and some moves more."""


def learn(
    store: Store,
    game: Game,
    interrupted: Callable[[], bool] = lambda: False,
    score_of: Callable[[Position], int] = lambda position: 0,
) -> tuple[int, int]:
    """Learn a game by a search that prefers the lowest considered move; return the searches and the new positions."""
    steps = learn_game(game, store, lambda: Limits(level=3), interrupted)
    searches = 0
    try:
        request = next(steps)
        while True:
            searches += 1
            move = min(request.limits.considered)
            line = EvaluatedMove(move, score_of(request.position), (move,), 3, 73, False)
            request = steps.send(SearchResult((line,), 1, 0.0))
    except StopIteration as done:
        new: int = done.value
        return searches, new


def test_the_positions_of_a_game_are_known_and_have_all_their_moves() -> None:
    with Store(":memory:") as store:
        game = Game.from_transcript(UNKNOWN)
        _, new = learn(store, game)
        assert new == len(store) == game.ply + 1
        for ply in range(game.ply):
            canonical, _ = game.position_at(ply).canonical()
            entry = store.find((canonical.mover, canonical.opponent))
            assert entry is not None and [move.games for move in entry.moves] == [1]
            assert entry.leaf is not None or len(entry.moves) == 1


def test_a_game_that_is_known_needs_no_search_but_counts() -> None:
    with Store(":memory:") as store:
        learn(store, Game.from_transcript(UNKNOWN))
        assert learn(store, Game.from_transcript(UNKNOWN)) == (0, 0)
        entry = store.find(key("f5"))
        assert entry is not None and entry.moves[0].games == 2


def test_a_game_that_ends_before_a_known_position_leads_on_to_it() -> None:
    with Store(":memory:") as store:
        learn(store, Game.from_transcript("f5d6c3d3c4"))
        assert learn(store, Game.from_transcript("f5d6c4d3"))[1] == 2
        entry = store.find(key("f5d6c4d3"))  # now, c3 leads to the end of the first game
        assert entry is not None and len(entry.moves) == 1


def test_results_count_for_their_players() -> None:
    game = random_game(5)
    black = game.position.black_score()
    assert black
    with Store(":memory:") as store:
        learn(store, game)
        first, second = store.find(key("")), store.find(key("f5"))
        assert first is not None and second is not None
        assert (first.won, first.lost) == (int(black > 0), int(black < 0))
        assert (second.won, second.lost) == (int(black < 0), int(black > 0))
        assert max(60 - Position(*one).empties for one, _ in store.entries()) == LEARNED_PLIES


def test_an_unfinished_game_has_no_result() -> None:
    played = PlayedOpenings()
    assert played.add(Game.from_transcript("f5d6")) and played.add(Game.from_transcript("f5f6"), 4.0)
    assert played.results[key("f5")] == {2: 1, -1: 1}
    assert played.wanted(2) == [key(""), key("f5")]


def central_game(rng: random.Random, plies: int) -> Game:
    """Return a game on the sixteen squares of the middle, as far as it goes: many such games meet, often mirrored."""
    game = Game()
    for _ in range(plies):
        legal = [move for move in game.position.legal_moves if 2 <= move % 8 <= 5 and 2 <= move // 8 <= 5]
        if legal:
            game.play(rng.choice(legal))
    return game


@pytest.mark.slow
def test_what_a_game_changes_is_the_same_in_a_part_of_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole graph is the slow way: every position above a new one must rise, and nothing else be written."""
    rng = random.Random(27)

    def invented(position: Position) -> int:
        return (position.mover ^ position.opponent) % 9 - 4

    with Store(":memory:") as part, Store(":memory:") as whole:
        sizes = []
        for _ in range(100):
            game = central_game(rng, rng.randrange(3, 12))
            searches = learn(part, game, score_of=invented)
            sizes.append(len(learning_from_games.part_of(part, game)) / len(part))
            with monkeypatch.context() as patch:
                patch.setattr(learning_from_games, "part_of", lambda store, game: Graph.of(store))
                assert learn(whole, game, score_of=invented) == searches
            assert list(part.entries()) == list(whole.entries())
        graph = Graph.of(part)
        assert not graph.take_changes()
        assert sum(len(node.parents) > 1 for node in graph.nodes.values()) > 10
        assert min(sizes) < 0.3


def test_a_game_from_another_start_teaches_nothing() -> None:
    game = Game(Position.parse("--------------------------XXX------XO--------------------------- O"))
    game.play_transcript("c3")
    with Store(":memory:") as store:
        assert learn(store, game) == (0, 0)
        assert learn(store, Game()) == (0, 0)
        assert len(store) == 0


def test_an_interruption_keeps_what_is_judged_and_does_not_count_the_game() -> None:
    asked = iter([False] * 4 + [True])
    with Store(":memory:") as store:
        assert learn(store, Game.from_transcript(UNKNOWN), lambda: next(asked)) == (5, 4)
        assert len(store) == 4
        assert sum(entry.won + entry.drawn + entry.lost for _, entry in store.entries()) == 0


def test_passes_are_learned() -> None:
    with Store(":memory:") as store:
        game = Game.from_transcript("d3c3e6d2d1e1b2c1paa3")
        learn(store, game)
        passing = game.position_at(8).canonical()[0]
        entry = store.find((passing.mover, passing.opponent))
        assert entry is not None and [(move.move, move.games) for move in entry.moves] == [(64, 1)]


# -- in a session -----------------------------------------------------------------------------------------------------


@pytest.fixture
def small_shipped_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program come with a book of two positions."""
    path = tmp_path / "shipped.book"
    write_compact(path, entries(lines("f5")), {})
    monkeypatch.setattr(opening, "SHIPPED", path)


@pytest.mark.parametrize("content", ["d4 0\n", "\0"])
def test_a_file_that_is_no_book_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(content)
    with Engine(SMALL, search=FakeSearch()) as engine:
        with pytest.raises(OptionError, match="expected book files, or the name of a new one"):
            engine.set_option("book_file", path)
        assert engine.options.book_file is None
        assert len(engine.book) == len(shipped_book())
    with pytest.raises(OptionError, match="expected book files"):
        Engine(Options(book_file=str(path)), search=FakeSearch())


def test_a_place_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with Engine(SMALL, search=FakeSearch()) as engine:
        for path in (tmp_path / "nowhere" / "book", tmp_path):
            with pytest.raises(OptionError, match="expected book files"):
                engine.set_option("book_file", path)


@pytest.mark.usefixtures("small_shipped_book")
def test_learn_over_nboard_and_then_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    options = SMALL.with_value("book_file", str(path))
    text = in_process(f"nboard 2\n{set_game(UNKNOWN)}learn\n", search=FakeSearch(), options=options)
    assert text == "set myname othellobot\nstatus Learning\nstatus\nlearned\n"
    search = FakeSearch()
    text = in_process(f"nboard 2\n{set_game(UNKNOWN[:-2])}go\n", search=search, options=options)
    assert re.search(r"^=== [A-H][1-8]$", text, re.MULTILINE) and not search.runs, text
    # Without it the engine has to search there.
    in_process(f"nboard 2\n{set_game(UNKNOWN[:-2])}go\n", search=search, options=SMALL)
    assert search.runs


@pytest.mark.usefixtures("small_shipped_book")
def test_a_ping_ends_the_learning_and_comes_last() -> None:
    search = FakeSearch(blocks=True)
    with LiveSession(search) as live:
        live.send("nboard 2", *set_game(UNKNOWN).splitlines(), "learn")
        assert search.began.wait(30)
        live.send("ping 3")
        live.wait_for("pong 3\n")
        assert live.writer.text.endswith("learned\npong 3\n")


@pytest.mark.slow
def test_a_book_that_cannot_be_written_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    options = SMALL.with_value("book_file", str(folder / "book"))
    with Engine(options, search=FakeSearch()) as engine:
        folder.rmdir()
        with pytest.raises(OSError):
            engine.book_use.learning()
        assert len(engine.book) == len(shipped_book())
    text = in_process(f"nboard 2\n{set_game(UNKNOWN)}learn\n", search=FakeSearch(), options=SMALL)
    assert text.endswith("status\nlearned\n") and not capsys.readouterr().err


@pytest.mark.usefixtures("small_shipped_book")
def test_a_game_is_kept_while_another_process_writes_the_book(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("othello_bot.book.store.WAIT_S", 0.0)
    path = tmp_path / "my.book"
    options = SMALL.with_value("book_file", str(path))
    with Store(str(path), create=True) as grower, LiveSession(FakeSearch(), options) as live:
        with grower.writing("`othello-bot book grow`"):
            live.send("nboard 2", *set_game(UNKNOWN).splitlines(), "learn")
            live.wait_for("status Learning\nstatus\nlearned\n")
            told = capsys.readouterr().err
            assert f"othello-bot: the book {path} is being written by `othello-bot book grow` (process " in told
            assert told.endswith("; games to learn with the next one: 1\n")
            assert len(grower) == 0
        live.send(*set_game("f5f6").splitlines(), "learn")
        live.wait_for("learned\nstatus Learning\nstatus\nlearned\n")
        assert not capsys.readouterr().err
        assert grower.find(key(UNKNOWN)) is not None and grower.find(key("f5f6")) is not None


# -- not twice the same lost game -------------------------------------------------------------------------------------


def two_ways(path: Path) -> None:
    """Make a book where Black has two equal replies to f5d6."""
    with Store(str(path), create=True) as store:
        for text in ("f5d6c3", "f5d6c4"):
            learn(store, Game.from_transcript(text))


def lost_game(engine: Engine) -> str:
    """Let the engine open with Black, and lose; return Black's second move."""
    game = Game.from_transcript("f5d6")
    chosen = engine.choose_from_book(game.position)
    assert chosen is not None
    game.play(chosen.move)
    rest = next(one for one in (played_on(game, seed) for seed in range(99)) if one.position.black_score() < 0)
    engine.note_game(rest)
    return str(chosen.move)


def played_on(game: Game, seed: int) -> Game:
    rest = game.copy()
    rng = random.Random(seed)
    while not rest.is_over:
        rest.play(64 if rest.position.must_pass else rng.choice(rest.position.legal_moves))
    return rest


def test_a_lost_line_is_left_at_its_last_choice(tmp_path: Path) -> None:
    path = tmp_path / "two.book"
    two_ways(path)
    for avoid in (True, False):
        options = SMALL.with_value("book_file", str(path)).with_value("book_avoid", "on" if avoid else "off")
        repeated = []
        for seed in range(6):
            with Engine(options.with_value("seed", str(seed)), search=FakeSearch()) as engine:
                repeated.append(lost_game(engine) == lost_game(engine))
        assert any(repeated) != avoid


def test_a_won_game_changes_nothing() -> None:
    with Engine(SMALL, search=FakeSearch()) as engine:
        chosen = engine.choose_from_book(Position.start())
        assert chosen is not None
        game = Game()
        game.play(chosen.move)
        won = next(one for one in (played_on(game, seed) for seed in range(99)) if one.position.black_score() > 0)
        engine.note_game(won)
        assert not engine.book_use._avoided


def test_games_count_for_the_positions_that_are_known() -> None:
    played = PlayedOpenings()
    assert played.add(Game.from_transcript("f5d6"), 4.0)
    graph = Graph()
    add(graph, key("f5d6"))
    played.count(graph)
    assert len(graph) == 1 and graph.nodes[key("f5d6")].entry.won == 1
