"""When a session begins to think ahead after its own move."""

from __future__ import annotations

import pytest

from othello_bot.base.clocks import Clocks
from othello_bot.base.notation import Color
from othello_bot.engine import ChosenBy
from othello_bot.engine.engine import Engine
from othello_bot.engine.player import Choice
from othello_bot.protocol.time_commands import parse_time_settings
from othello_bot.rules.position import Position
from othello_bot.session.session import Session
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, job_of


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_move_that_a_stop_forced_is_not_followed_by_thinking_ahead(interrupted: bool) -> None:
    """A stop means that the processor is needed; without it, the engine thinks ahead after the same move."""
    search = FakeSearch(blocks=True)
    with Engine(SMALL.with_value("ponder", "on"), search=search) as engine:
        session = Session(engine)
        session.clocks = Clocks.start(parse_time_settings(("60", "0", "0")))
        job = job_of(0.0)
        job.interrupted = interrupted
        session.finish_move(job, Color.BLACK, Choice(Position.start().legal_moves[0], ChosenBy.SEARCH))
        session.when_idle()
        assert engine.pondering is not interrupted
