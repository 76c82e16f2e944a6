"""Measuring the use of time in games with a fixed time a move."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.config import MatchConfig
from othello_bot.arena.games import GameReport, GameTask, MoveReport, StoredGame
from othello_bot.arena.store import MatchStore
from othello_bot.arena.time_use import TimeUse, time_use, time_use_table
from othello_bot.base.notation import PASS, Color
from othello_bot.rules import Game
from tests.arena.builders import OPENING, engines, report_of

LIMIT_S = 0.1


def stored(tmp_path: Path, reports: Iterable[GameReport]) -> list[StoredGame]:
    config = MatchConfig(engines=engines("self st=0.1 name=A", "self st=0.1 name=B"))
    with MatchStore(tmp_path / "matches.db") as store:
        match = store.open_match(config, "here")
        for report in reports:
            assert store.add(match.id, report)
        return list(store.games(match.id))


def game_with_a_forced_move() -> tuple[Game, int]:
    """Return a game of first moves, until one is the only legal one; and the ply of that one."""
    game = OPENING.game()
    while game.position.legal_bits.bit_count() != 1:
        game.play(game.position.legal_moves[0] if game.position.legal_moves else PASS)
    ply = game.ply
    game.play(game.position.legal_moves[0])
    return game, ply


def moves_of(game: Game, used_s: dict[int, float], depth: dict[int, str]) -> tuple[MoveReport, ...]:
    return tuple(
        MoveReport(ply, game.position_at(ply).color, used_s.get(ply, 0.08), None, 0.0, depth.get(ply, "9@73%"), 1)
        for ply in range(len(OPENING.moves), game.ply)
        if game.moves[ply] != PASS
    )


def report(number: int, game: Game, played: tuple[MoveReport, ...], **changes: Any) -> GameReport:
    return report_of(GameTask(number, 0, 0, 0, 1), OPENING, game, played=played, discs=0, **changes)


def test_forced_solved_and_book_moves_do_not_count(tmp_path: Path) -> None:
    game, forced = game_with_a_forced_move()
    first = len(OPENING.moves)
    assert forced > first + 2
    used = {first: 0.001, first + 1: 0.002, forced: 0.003}
    played = moves_of(game, used, {first: "book", first + 1: "exact"})
    (found,) = [time_use(LIMIT_S, stored(tmp_path, [report(0, game, played)]))]
    assert (found.games, found.moves, found.open_moves) == (1, len(played), len(played) - 3)
    assert found.share == pytest.approx(0.8)
    assert found.latest_s == pytest.approx(0.08 - LIMIT_S)


def test_the_latest_move_counts_whatever_it_was(tmp_path: Path) -> None:
    game, forced = game_with_a_forced_move()
    played = moves_of(game, {forced: 0.107}, {})
    found = time_use(LIMIT_S, stored(tmp_path, [report(0, game, played)]))
    assert found.latest_s == pytest.approx(0.007)


def test_games_lost_on_time_are_named(tmp_path: Path) -> None:
    game, _ = game_with_a_forced_move()
    late = {"ending": Ending.TIME, "loser": Color.BLACK, "detail": "used 0.200 s of 0.100 s for move 9"}
    crash = {"ending": Ending.CRASH, "loser": Color.WHITE, "detail": "crashed"}
    games = stored(tmp_path, [report(0, game, ()), report(1, game, (), **late), report(2, game, (), **crash)])
    found = time_use(LIMIT_S, games)
    assert found.reasons == ("used 0.200 s of 0.100 s for move 9",)
    assert found.lost_at == (games[1].began + games[1].duration_s,)


def test_the_table_has_a_row_for_each_time() -> None:
    uses = [
        TimeUse(0.02, games=2, moves=100, open_moves=50, open_used_s=0.8, latest_s=0.0031, reasons=("late",)),
        TimeUse(1.0, games=2, moves=90, open_moves=40, open_used_s=36.0, latest_s=-0.05),
        TimeUse(5.0),
    ]
    assert time_use_table(uses).rows == (
        ("0.02", "2", "100", "50", "80.0 %", "+3.1 ms", "1"),
        ("1", "2", "90", "40", "90.0 %", "-50.0 ms", "0"),
        ("5", "0", "0", "0", "-", "-", "0"),
    )
    assert TimeUse(5.0).share == 0.0 and math.isinf(TimeUse(5.0).latest_s)
