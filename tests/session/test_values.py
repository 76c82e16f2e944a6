"""The dataclasses of this room are values."""

from __future__ import annotations

from othello_bot import session
from othello_bot.session.loop import Answer, DialectAdapter
from tests.values import changing_dataclasses


def test_values_never_change() -> None:
    assert changing_dataclasses(session) == set()


def test_a_command_waits_its_turn_and_ends_nothing_unless_its_dialect_says_so() -> None:
    answer: Answer[DialectAdapter] = Answer(lambda job: "")
    assert not any((answer.overtakes, answer.stops, answer.ends_on_input, answer.quits))
