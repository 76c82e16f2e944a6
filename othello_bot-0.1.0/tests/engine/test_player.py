"""Players: `Engine.choose` plays what a session with the same options plays, and a search only searches."""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Iterator

import pytest

from othello_bot.arena.config import PlayLimits
from othello_bot.arena.players import InnerPlayer
from othello_bot.base.clocks import ClockState, TimeControl
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, move_name
from othello_bot.book.book import Book
from othello_bot.dialects import play_as
from othello_bot.engine import ChosenBy, async_engine
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.option_arguments import options_of
from othello_bot.engine.options import Options
from othello_bot.engine.player import Choice, TextbookPlayer
from othello_bot.engine.request import SearchRequest, SearchResult, carried_out
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from othello_bot.strategies.searchers import ThinkAhead
from othello_bot.web.messages import AskMove, parse
from othello_bot.web.round_robin import RoundRobin
from othello_bot.web.work import choose_textbook_move
from tests.arena.builders import engines
from tests.session.fake_search import FakeSearch
from tests.session.harness import in_process, replies

START = Position.start()
AFTER = Game.from_transcript("f5d6c3d3c4f4f6").position
MUST_PASS = Position.parse("-XXXXXXO" + "O" * 56 + " X")
HOURS = "minimax:30"
"""A textbook player that needs hours for a move, unless a clock ends its search."""


@pytest.fixture
def search() -> Iterator[FakeSearch]:
    yield FakeSearch()


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": "3"},
        {"depth": "3", "book": "off"},
        {"depth": "2", "book_randomness": "80"},
        {"depth": "2", "book_randomness": "80", "book": "off"},
        {"depth": "2", "variety": "little"},
        {"depth": "4", "variety": "much", "book": "off"},
        {"strength": "beginner"},
        {"strength": "novice", "book": "off"},
        {"strength": "18"},
        {"strategy": "random"},
        {"strategy": "iago", "strategy_depth": "1"},
        {"strategy": "alphabeta:2:weighted"},
    ],
    ids=str,
)
def test_a_choice_is_the_move_of_a_session_with_the_same_options(settings: dict[str, str]) -> None:
    options = Options(hash=1, seed=5, **settings)  # type: ignore[arg-type]
    commands = "".join(f"{command}\n" for command in (*["genmove"] * 5, "transcript"))
    game = Game()
    with Engine(options) as engine:
        for _ in range(5):
            game.play(engine.choose(game).move)
    assert game.transcript() == replies(in_process(commands, options=options))[-1].removeprefix("= ")


@pytest.mark.parametrize(
    ("settings", "source"), [({}, "book"), ({"strength": 1}, "person"), ({"strategy": "iago"}, "strategy")], ids=str
)
def test_a_search_only_searches(settings: dict[str, object], source: str, search: FakeSearch) -> None:
    with Engine(Options(**settings), search=search) as engine:  # type: ignore[arg-type]
        assert engine.search(START).lines
        assert len(search.runs) == 1
        assert engine.choose(START).source == source
        assert len(search.runs) == 1


def test_a_choice_has_a_source_and_the_result_of_its_search(search: FakeSearch) -> None:
    reports: list[SearchResult] = []
    search.reports = 2
    with Engine(search=search, book=Book()) as engine:
        clock = ClockState(60.0)
        choice = engine.choose(Game.from_transcript("f5"), clock, reports.append)
        assert choice.source == "search" and choice.result is not None and choice.move == choice.result.move
        assert [limits.clock for _, limits, _, _ in search.runs] == [clock]
        assert [found.depth for found in reports] == [1, 2]
        assert engine.choose(MUST_PASS) == Choice(PASS, source=ChosenBy.RULES)
        with pytest.raises(InputError, match="expected one that is not over"):
            engine.choose(Game.from_transcript("f5d6c5f4e3f6g5e6e7"))
        with pytest.raises(InputError, match="expected a Position or a Game"):
            engine.choose("f5")  # type: ignore[arg-type]


def test_the_time_of_every_search_counts_from_the_request(search: FakeSearch) -> None:
    with Engine(Options(variety="little"), search=search, book=Book()) as engine:
        before_s = time.monotonic()
        engine.choose(START, ClockState(60.0))
    ((_, limits, _, asked_at_s),) = search.runs
    assert limits.near == 1 and asked_at_s is not None and asked_at_s >= before_s


def test_only_some_moves_are_considered_by_the_engine_itself(search: FakeSearch) -> None:
    with Engine(Options(strategy="random"), search=search) as engine:
        f5, d3 = (move for move in START.legal_moves if move_name(move) in ("f5", "d3"))
        steps = engine.player.choose(START, Limits(level=3, considered=frozenset((f5, d3))))
        assert carried_out(steps, engine.answer).source == "search"
    assert [(limits.considered, limits.multi_pv) for _, limits, _, _ in search.runs] == [(frozenset((f5, d3)), 2)]


def test_a_player_stays_the_same_until_the_options_that_make_it_change(search: FakeSearch) -> None:
    with Engine(Options(strategy="random", seed=1), search=search) as engine:
        player = engine.player
        engine.set_option("level", 3)
        engine.clear()
        assert engine.player is player
        for name, value in (("seed", 1), ("strategy_depth", 2), ("strategy", "iago"), ("strategy", "engine")):
            before = engine.player
            engine.set_option(name, value)
            assert engine.player is not before


# -- time -------------------------------------------------------------------------------------------------------------


def test_a_textbook_player_is_cut_short_by_its_clock() -> None:
    with Engine(Options(strategy=HOURS, hash=1)) as engine:
        assert engine.choose(AFTER, ClockState(0.3)).source == "strategy"
        engine.set_option("move_time", 20)
        assert engine.choose(AFTER).move in AFTER.legal_moves


@pytest.mark.parametrize("limits", ["st=0.05", "tc=0.3+0.05"])
def test_a_slow_textbook_player_forfeits_no_game_of_the_arena(limits: str) -> None:
    (config,) = engines(f"{HOURS} {limits}")
    player = InnerPlayer(config)
    player.start()
    try:
        player.new_game(Game(), "seed")
        choice = carried_out(player.choose(AFTER, Limits(clock=config.limits.clock.state)))
        assert choice.move in AFTER.legal_moves and player.identity == config.name
        assert config.limits in (PlayLimits(move_time_s=0.05), PlayLimits(TimeControl(0.3, 0.05)))
    finally:
        player.close()


def test_a_textbook_player_of_the_page_is_cut_short_by_the_clock_and_by_the_bound() -> None:
    asked = '{{"do": "move", "id": 1, "moves": "f5d6c3", "strategy": "{}", "seed": 1{}}}'
    for clock in ("", ', "clock": {"left_s": 0.3, "increment_s": 0}'):
        ask = parse(asked.format(HOURS, clock))
        assert isinstance(ask, AskMove)
        steps = choose_textbook_move(ask, longest_s=0.05)
        assert RoundRobin().carry_out(steps, lambda: False, time.monotonic())["source"] == "strategy"


# -- thinking ahead ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{"strategy": "iago"}, {"strength": 1}, {"strength": 20}], ids=str)
def test_who_does_not_think_ahead(settings: dict[str, object], search: FakeSearch) -> None:
    search.blocks = True
    with Engine(Options(**settings), search=search) as engine:  # type: ignore[arg-type]
        engine.ponder(START, None, ClockState(60.0))
        assert not engine.pondering and search.runs == []


def test_the_engine_thinks_ahead_under_a_clock_only(search: FakeSearch) -> None:
    search.blocks = True
    with Engine(search=search) as engine:
        engine.ponder(START)
        assert not engine.pondering
        engine.ponder(START, None, ClockState(60.0))
        assert engine.pondering


def test_a_textbook_player_prepares_answers_and_any_search_ends_that(search: FakeSearch) -> None:
    with Engine(Options(strategy="textbook:1:think-ahead=4"), search=search) as engine:
        engine.ponder(START)
        plan = engine._plan
        assert plan is not None and plan.finished.wait(60)
        engine.choose(START.play("f5"), ClockState(60.0))
        player = engine.player
        assert isinstance(player, TextbookPlayer) and isinstance(player.strategy, ThinkAhead)
        assert player.strategy.hits == 1
        engine.set_option("strategy", "textbook:30:think-ahead")
        engine.ponder(START)
        assert engine.pondering
        engine.search(START, Limits(depth=1))
        assert not engine.pondering


# -- others who choose ------------------------------------------------------------------------------------------------


def test_asyncio_chooses_the_same() -> None:
    import asyncio

    options = Options(hash=1, strength="novice", seed=5)

    async def main() -> Choice:
        async with async_engine.AsyncEngine(options) as engine:
            return await engine.choose(AFTER, ClockState(60.0))

    with Engine(options) as engine:
        assert asyncio.run(main()) == engine.choose(AFTER, ClockState(60.0))


@pytest.mark.parametrize("words", ["--strength beginner --seed 5", "--strategy weighted"])
def test_a_player_of_another_arena_obeys_strength_and_strategy(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = argparse.ArgumentParser()
    play_as.add_arguments(parser)
    args = parser.parse_args(["rust-reversi", "BLACK", "--hash", "1", *words.split()])
    answers: list[str] = []
    monkeypatch.setattr(play_as, "claim_stdout", lambda: 1)
    monkeypatch.setattr("othello_bot.dialects.play_as.LineWriter", lambda descriptor: _Writer(answers))
    monkeypatch.setattr("builtins.open", lambda *given, **named: io.StringIO(AFTER.to_string()[:64] + "\nexit\n"))
    position = Position.parse(AFTER.to_string()[:64] + " X")
    assert play_as.run(args) == 0
    monkeypatch.undo()
    with Engine(options_of(args)) as engine:
        assert answers == [str(engine.choose(position).move)]


class _Writer:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def line(self, text: str) -> None:
        self._lines.append(text)


def test_requests_of_a_choice_are_those_that_a_session_listens_to(search: FakeSearch) -> None:
    with Engine(Options(strategy="weighted"), search=search) as engine:
        request = next(engine.player.choose(AFTER, Limits(move_time_s=1.0)))
        assert isinstance(request, SearchRequest) and request.chooser is not None
        assert request.limits == Limits(move_time_s=1.0)
