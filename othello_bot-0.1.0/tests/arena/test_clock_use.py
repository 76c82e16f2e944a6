"""Measuring the use of a clock for the whole game, and drawing it."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.clock_use import ClockUse, clock_uses
from othello_bot.arena.config import MatchConfig
from othello_bot.arena.games import GameTask, MoveReport
from othello_bot.arena.pictures import by_stage, write_pictures
from othello_bot.arena.report_command import clock_table
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import StoredMatch
from othello_bot.base.notation import Color
from tests.arena.builders import OPENING, engines, report_of

FIRST = len(OPENING.moves)
"""The ply of the first own move of the side that begins after the opening."""


def played(*moves: tuple[float, float, str, float | None]) -> tuple[MoveReport, ...]:
    """Return moves of alternating sides: seconds used and left, depth, and planned seconds."""
    return tuple(
        MoveReport(FIRST + place, Color((FIRST + place) % 2), used, left, 0.0, depth, 1, planned)
        for place, (used, left, depth, planned) in enumerate(moves)
    )


def match_of(
    store: MatchStore, *games: tuple[tuple[MoveReport, ...], dict[str, object]], control: str = "1"
) -> StoredMatch:
    config = MatchConfig(engines=engines(f"self tc={control} name=A", "self depth=1 name=B"))
    match = store.open_match(config, "here")
    for number, (moves, changes) in enumerate(games):
        game = OPENING.game()
        for _ in moves:
            game.play(game.position.legal_moves[0])
        assert store.add(match.id, report_of(GameTask(number, 0, 0, 0, 1), OPENING, game, played=moves, **changes))
    return match


def slots(store: MatchStore, match: StoredMatch) -> list[ClockUse]:
    return clock_uses(match, store.games(match.id))


def test_the_share_counts_until_the_first_proven_move(store: MatchStore) -> None:
    moves = played(
        (0.2, 0.8, "9@73%", 0.1),
        (9.0, 9.0, "9@73%", None),
        (0.5, 0.3, "exact", 0.6),
        (9.0, 9.0, "9@73%", None),
        (0.1, 0.2, "exact", 0.6),
    )
    assert FIRST % 2 == 0
    match = match_of(store, (moves, {}))
    use, other = slots(store, match)
    assert (use.games, use.forfeits) == (1, 0)
    assert use.used.mean == pytest.approx(0.7)
    assert use.left_s.mean == pytest.approx(0.3)
    assert use.solved_at.mean == 60 - FIRST - 2
    assert use.over_plan.mean == 0.5
    assert other.games == 0
    assert clock_table(store, match).rows == (
        ("A", "1", "1", "70.0 %", "300.0 ms", f"{58.0 - FIRST}", "50.0 %", "0.0 ms", "0.0 ms", "0"),
    )


def test_the_increment_of_the_last_move_is_not_counted(store: MatchStore) -> None:
    moves = played((0.2, 0.9, "9@73%", None), (9.0, 9.0, "", None), (0.6, 0.4, "exact", None))
    match = match_of(store, (moves, {}), control="1+0.1")
    use = slots(store, match)[0]
    assert use.left_s.mean == pytest.approx(0.3)
    assert use.used.mean == pytest.approx(0.8 / 1.1)
    assert use.over_plan.count == 0
    assert clock_table(store, match).rows[0][1:] == (
        "1+0.1",
        "1",
        "72.7 %",
        "300.0 ms",
        f"{58.0 - FIRST}",
        "-",
        "0.0 ms",
        "0.0 ms",
        "0",
    )


def test_a_game_without_a_solve_counts_whole_and_one_lost_on_time_is_named(store: MatchStore) -> None:
    late = {"ending": Ending.TIME, "loser": Color.BLACK, "detail": "late"}
    theirs = {"ending": Ending.TIME, "loser": Color.WHITE, "detail": "late"}
    match = match_of(store, (played((0.9, 0.1, "9@73%", None)), late), (played((0.7, 0.3, "", None)), theirs), ((), {}))
    use = slots(store, match)[0]
    assert (use.games, use.forfeits) == (2, 1)
    assert use.used.mean == pytest.approx(0.8)
    assert use.solved_at.count == 0
    assert clock_table(store, match).rows[0][5] == "-"


def test_stages_hold_planned_times_and_what_is_left(store: MatchStore) -> None:
    moves = played((0.2, 0.8, "9@73%", 0.1), (0.3, 0.7, "", None))
    found = by_stage(store, match_of(store, (moves, {})))
    discs = 4 + FIRST
    assert {name: {at: found.planned[name][at].mean for at in found.planned[name]} for name in found.planned} == {
        "A": {discs: 100}
    }
    assert found.used["B"][discs + 1].mean == 300
    assert (found.left["A"][discs].mean, found.left["B"][discs + 1].mean) == (800, 700)


@pytest.mark.slow
def test_the_clock_is_drawn_where_there_is_one(store: MatchStore, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    match = match_of(store, (played((0.2, 0.8, "9@73%", 0.1), (0.3, 0.7, "", None)), {}))
    paths = write_pictures(store, match, tmp_path)
    assert paths[-1].name.endswith("-clock.png") and paths[-1].read_bytes().startswith(b"\x89PNG")


def test_a_time_for_each_move_has_a_row_of_what_exceeded_it(store: MatchStore) -> None:
    match = store.open_match(MatchConfig(engines=engines("self st=0.05 name=A", "self depth=1 name=B")), "here")
    game = OPENING.game()
    game.play(game.position.legal_moves[0])
    moves = (MoveReport(FIRST, Color.BLACK, 0.07, None, 0.0, "9", 1, None),)
    store.add(match.id, report_of(GameTask(0, 0, 0, 0, 1), OPENING, game, played=moves, overtimes_s=(0.02, 0.0)))
    assert clock_table(store, match).rows == (("A", "st=0.05", "1", "-", "-", "-", "-", "20.0 ms", "20.0 ms", "0"),)


def test_a_clock_may_be_used_to_its_end(store: MatchStore) -> None:
    moves = played((1.0, 0.0, "9@73%", None), (0.5, 0.5, "9@73%", None))
    first, second = slots(store, match_of(store, (moves, {})))
    assert (first.left_s.mean, first.used.mean) == (0.0, 1.0)
    assert second.games == 0  # this engine has no clock


def test_each_side_has_its_own_moves(store: MatchStore) -> None:
    moves = played((0.2, 0.8, "", None), (0.5, 0.5, "", None), (0.2, 0.6, "", None), (0.1, 0.4, "", None))
    match = match_of(store, (moves, {}))
    (game,) = store.games(match.id)
    black, white = ClockUse(), ClockUse()
    black.add(game, Color.BLACK, 0.0)
    white.add(game, Color.WHITE, 0.0)
    assert black.used.mean == pytest.approx(0.4) and white.used.mean == pytest.approx(0.6)
