"""What a tally counts, from results that are put together here."""

from __future__ import annotations

import pytest

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.stored import Result
from othello_bot.arena.tally import Tally
from othello_bot.base.notation import Color


def result(id: int, leg: int, points: float, discs: int | None) -> Result:
    """Return the result of a game of the pair `id // 2`: Black's points and discs. Black is slot 0 in leg 0."""
    loser = None if points == 0.5 else Color.BLACK if points == 0 else Color.WHITE
    cost = (0.25, 0.5, 20, 19, 2.0)
    return Result(id, id // 2, leg, 0, leg, 1 - leg, points, discs, Ending.BOARD, loser, None, *cost, "")


def test_results_are_counted_one_by_one() -> None:
    tally = Tally(2)
    games = [result(0, 0, 1.0, 10), result(1, 1, 1.0, 6), result(2, 0, 0.0, -4), result(3, 1, 0.5, 0)]
    assert tally.add_all(games) == 4 == tally.games
    assert (tally.black_wins, tally.white_wins, tally.last_id) == (2, 1, 3)
    assert tally.add_all([]) == 0


def test_a_pair_is_counted_from_the_view_of_its_first_engine() -> None:
    tally = Tally(2)
    # The first engine wins by ten discs as Black and loses by six as White, then loses by four and draws.
    tally.add_all([result(0, 0, 1.0, 10), result(1, 1, 1.0, 6), result(2, 0, 0.0, -4), result(3, 1, 0.5, 0)])
    meeting = tally.meetings[0, 1]
    assert (meeting.wins, meeting.draws, meeting.losses, meeting.points) == (1, 1, 2, 1.5)
    assert meeting.pairs == [0, 1, 1, 0, 0]
    assert (meeting.discs.count, meeting.discs.mean) == (2, 0.0)


@pytest.mark.parametrize(("first", "second", "mean"), [(10, 6, 2.0), (10, -7, 8.5), (-5, 20, -12.5)])
def test_the_discs_of_a_pair_are_the_mean_of_both_games(first: int, second: int, mean: float) -> None:
    tally = Tally(2)
    tally.add_all([result(0, 0, float(first > 0), first), result(1, 1, float(second > 0), second)])
    assert tally.meetings[0, 1].discs.mean == mean


def test_seconds_and_moves_belong_to_the_engine_that_had_the_colour() -> None:
    tally = Tally(2)
    tally.add_all([result(0, 0, 1.0, 10), result(1, 1, 1.0, 6)])
    assert [(engine.seconds, engine.moves) for engine in tally.engines] == [(0.75, 39), (0.75, 39)]
    tally.add(result(2, 0, 0.5, 0))
    assert [(engine.seconds, engine.moves) for engine in tally.engines] == [(1.0, 59), (1.25, 58)]
