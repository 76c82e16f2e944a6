"""NBoard: thinking ahead between a chosen move and the next request, where the game has clocks."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from othello_bot.base.notation import move_name
from othello_bot.engine.options import Options
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.dialects.test_nboard import NO_BOOK, game
from tests.session.fake_search import FakeSearch
from tests.session.harness import TIMEOUT_S, LiveSession

PONDERING = NO_BOOK.with_value("ponder", "on")


def until(condition: Callable[[], bool]) -> None:
    """Wait until the session's thread has done something."""
    end_s = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < end_s
        time.sleep(0.001)


def own_move(live: LiveSession) -> str:
    """Ask for the first move of a game and return it."""
    live.send("go")
    live.wait_for("=== ")
    return live.writer.text.partition("=== ")[2][:2].lower()


def started(options: Options = PONDERING, clock: str = "05:00", *, blocks: bool = False) -> LiveSession:
    live = LiveSession(FakeSearch(blocks=blocks), options)
    live.send("nboard 2", *game("", clock=clock).splitlines(), "ping 1")
    return live


def thought(live: LiveSession) -> bool:
    """Return whether the engine has thought ahead to the end."""
    plan = live.engine._plan
    return plan is not None and plan.finished.is_set()


def reply_to(own: str) -> str:
    return move_name(Position.start().play(own).legal_moves[-1])


@pytest.mark.parametrize("way", ["game", "game after a ping", "moves", "moves and a game", "own move at once"])
def test_what_was_found_counts_however_the_reply_comes(way: str) -> None:
    with started() as live:
        own = own_move(live)
        if way == "own move at once":
            live.send(f"move {own}")
        until(lambda: thought(live))
        runs = len(live.engine._search.runs)  # type: ignore[attr-defined]  # a FakeSearch
        reply = reply_to(own)
        if way == "game after a ping":
            live.send("ping 2")
        if way.startswith("moves"):
            live.send(f"move {own}/1.00/0.5", f"move {reply}//2.5")
        if way == "own move at once":
            live.send(f"move {reply}")
        if "game" in way:
            live.send(*game(own + reply).splitlines())
        live.send("ping 3", "go", "ping 4")
        live.wait_for("pong 4")
        assert live.engine.free_time.hits == 1 and live.engine.free_time.misses == 0
        assert len(live.engine._search.runs) == runs  # type: ignore[attr-defined]  # the answer was known
        assert live.session.game.moves == Game.from_transcript(own + reply).moves


def test_a_ping_ends_thinking_ahead() -> None:
    with started(blocks=True) as live:
        live.send("go")
        live.engine._search.began.wait(TIMEOUT_S)  # type: ignore[attr-defined]
        live.engine.stop()
        live.wait_for("=== ")
        own = live.writer.text.partition("=== ")[2][:2].lower()
        until(lambda: live.engine.pondering)
        live.send(f"move {own}", f"move {own}")  # the second one is not legal, and is ignored
        assert live.engine.pondering
        live.send("ping 5")
        live.wait_for("pong 5")
        until(lambda: not live.engine.pondering)


@pytest.mark.parametrize(
    "sent", [(game("d3c3c4").strip(),), ("set depth 3",), ("new",), (game("").strip(), "move d3", "move c3", "move c4")]
)
def test_another_game_or_depth_ends_it_and_drops_what_was_found(sent: tuple[str, ...]) -> None:
    with started() as live:
        own_move(live)
        until(lambda: thought(live))
        live.send(*sent, "ping 6")
        live.wait_for("pong 6")
        assert live.engine._plan is None


@pytest.mark.parametrize(("options", "clock"), [(NO_BOOK, "05:00"), (PONDERING, "")])
def test_nothing_is_thought_about_without_the_option_or_a_clock(options: Options, clock: str) -> None:
    with started(options, clock) as live:
        own_move(live)
        live.send("nboard 2", "nboard 2")
        until(lambda: live.writer.text.count("myname") == 3)
        assert live.engine._plan is None


def test_the_depth_bounds_it() -> None:
    with started() as live:
        live.send("set depth 4")
        own_move(live)
        until(lambda: thought(live))
        assert {limits.level for _, limits, *_ in live.engine._search.runs if limits.multi_pv == 1} == {4}  # type: ignore[attr-defined]
