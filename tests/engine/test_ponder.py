"""Thinking ahead: which result is kept from the rounds of each reply."""

from __future__ import annotations

import time

import pytest

from othello_bot.engine.deepening import Line, SearchResult
from othello_bot.engine.limits import Limits
from othello_bot.engine.ponder import FreeTime, PonderedResult, PonderPlan
from othello_bot.engine.task import Task
from othello_bot.engine.time_manager import TimeBudget
from othello_bot.rules.position import Position
from tests.session.fake_search import FakeSearch


class Depths(FakeSearch):
    """A search that is stopped at the depths that a test lists, one for each run, and then ends the plan."""

    def __init__(self, depths: list[int]) -> None:
        super().__init__()
        self.depths = depths
        self.plan: PonderPlan

    def run(self, mover: int, opponent: int, limits: Limits, *others: object, **named: object) -> SearchResult:
        """Answer with the next depth; after the last one the plan is cancelled, as by the opponent's move."""
        position = Position(mover, opponent)
        depth = self.depths.pop(0)
        if not self.depths:
            self.plan.cancelled = True
        else:
            time.sleep(limits.move_time_s or 0.0)  # a search that ends before its time counts as complete
        move = position.legal_moves[0]
        return SearchResult((Line(move, depth, (move,), depth, 73, False),), nodes=1, time_s=0.0, stopped=True)


@pytest.mark.parametrize(("depths", "kept"), [([9, 4], 9), ([4, 9], 9), ([6, 6], 6)])
def test_a_round_never_replaces_a_deeper_result_by_a_shallower_one(depths: list[int], kept: int) -> None:
    # One legal reply, so that all rounds are about it.
    position = Position.parse("-------------------X-O-----XX-----XXXX---X---------------------- O")
    [reply] = position.legal_moves
    search = Depths(depths)
    search.plan = PonderPlan(position, reply, Limits(), TimeBudget(0.0, 0.0), longest_s=60.0)
    search.plan.carry_out(search)
    found = search.plan.found(position.play(reply))
    assert found is not None and found.result.depth == kept


def test_a_result_that_was_complete_before_the_move_costs_nothing() -> None:
    line = Line(19, 4, (19,), 20, 100, True)
    hit = PonderedResult(SearchResult((line,), nodes=5000, time_s=2.0, ended="solved"), 2.0, complete=True)
    task = Task(Position.start(), Limits(), TimeBudget(1.0, 3.0), 0.0, None, None, None)
    task.resume(hit, FreeTime())
    assert isinstance(task.outcome, SearchResult)
    assert (task.outcome.nodes, task.outcome.time_s, task.outcome.ended) == (0, 0.0, "solved")
    assert task.outcome.lines == hit.result.lines
