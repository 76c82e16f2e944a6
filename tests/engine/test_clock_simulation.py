"""The simulation of the time manager over recorded games."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from othello_bot.arena.config import TimeControl
from othello_bot.engine import time_manager
from othello_bot.engine.deepening import Search
from othello_bot.engine.time_manager import TimeBudget
from othello_bot.rules import Game, Position, parse_moves

if TYPE_CHECKING:
    from _clock.recorded import RecordedGame, RecordedPosition
    from _clock.simulation import Conditions

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def path_to_the_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


def position(
    *steps: tuple[int, int, int, int],
    color: int = 0,
    empties: int = 30,
    solved: bool = False,
    losses: tuple[tuple[int, int], ...] = ((1, 0), (2, 5)),
    margins: tuple[int, ...] = (),
) -> RecordedPosition:
    """Return a record of iterations, each (depth, milliseconds, move, score)."""
    from _clock.recorded import RecordedIteration, RecordedPosition

    iterations = tuple(RecordedIteration(depth, 0, ms, move, score) for depth, ms, move, score in steps)
    return RecordedPosition(color, empties, 5, iterations, losses, margins, solved)


def forced(color: int = 0, empties: int = 30) -> RecordedPosition:
    from _clock.recorded import RecordedPosition

    return RecordedPosition(color, empties, 1)


def searched(record: RecordedPosition, optimum_s: float, maximum_s: float, **how: float) -> tuple[float, str, int]:
    from _clock.simulation import searched

    used_s, ended, step = searched(record, TimeBudget(optimum_s, maximum_s), **how)
    return round(used_s, 6), ended, step.move


CALM = ((8, 10, 1, 0), (9, 20, 1, 0), (10, 40, 1, 0), (11, 90, 1, 0), (12, 200, 1, 0))


@pytest.mark.parametrize(
    ("optimum_s", "used_s"),
    # The iteration after 40 ms would take 44 ms, the one after 90 ms 110: each begins if half of it fits.
    [(0.061, 0.04), (0.063, 0.09), (0.144, 0.09), (0.146, 0.2)],
)
def test_a_calm_search_ends_where_the_next_iteration_does_not_fit(optimum_s: float, used_s: float) -> None:
    assert searched(position(*CALM), optimum_s, 1.0) == (used_s, "optimum", 1)


def test_a_machine_that_is_twice_as_fast_takes_half_the_time() -> None:
    assert searched(position(*CALM), 0.031, 1.0, speed=2.0) == (0.02, "optimum", 1)
    assert searched(position(*CALM), 0.03, 1.0, speed=2.0) == (0.02, "optimum", 1)


def test_a_search_in_doubt_goes_on_to_its_maximum() -> None:
    changing = position((8, 10, 1, 0), (9, 20, 2, 0), (10, 40, 1, 0), (11, 90, 2, 0), (12, 200, 1, 0))
    assert searched(changing, 0.03, 0.1) == (0.1, "maximum", 2)
    falling = position((8, 10, 1, 9), (9, 20, 1, 6), (10, 40, 1, 3), (11, 90, 1, 3))
    assert searched(falling, 0.03, 0.1) == (0.09, "optimum", 1)


def test_an_easy_move_ends_early() -> None:
    steps = ((8, 10, 1, 0), (9, 40, 1, 0), (10, 60, 1, 0))
    assert searched(position(*steps, margins=(9, 9, 9, 9, 9)), 0.1, 0.3) == (0.04, "easy move", 1)
    assert searched(position(*steps, margins=(9, 9, 9, 9, 7)), 0.1, 0.3)[1] == "optimum"
    assert searched(position(*steps), 0.1, 0.3)[1] == "optimum"


def test_a_solve_ends_the_search() -> None:
    solving = position((18, 10, 2, 0), (20, 30, 1, 4), empties=20, solved=True)
    assert searched(solving, 0.05, 0.1) == (0.03, "solved", 1)
    assert searched(solving, 0.025, 0.025) == (0.025, "maximum", 2)


def test_thinking_ahead_makes_the_first_iterations_free() -> None:
    assert searched(position(*CALM), 0.061, 1.0, free_s=0.04) == (0.05, "optimum", 1)


def test_after_the_record_the_last_move_stays_and_time_goes_on() -> None:
    used_s, ended, move = searched(position(*CALM), 1.0, 3.0)
    assert (ended, move) == ("optimum", 1)
    assert 0.2 < used_s < 1.0


def conditions(clock: str = "1", **how: Any) -> Conditions:
    from _clock.simulation import Conditions

    control = TimeControl.parse(clock)
    assert control is not None
    return Conditions(control, **{"overhead_s": 0.0, "delay_s": 0.0, **how})


def game(*positions: RecordedPosition) -> RecordedGame:
    from _clock.recorded import RecordedGame

    return RecordedGame(0, positions)


def test_a_game_stops_counting_when_it_is_solved() -> None:
    from _clock.simulation import play

    solving = position((18, 10, 2, 0), (20, 30, 1, 4), empties=20, solved=True)
    black, white = play(game(position(*CALM), forced(1), solving, forced(1), solving), conditions())
    assert [move.ended for move in black.moves] == ["optimum", "solved", "solved"]
    assert [move.open for move in black.moves] == [True, True, False]
    assert black.moves[2].used_s == 0
    assert black.solved_at == 20
    assert black.left_at_solve_s == pytest.approx(1 - black.moves[0].used_s - 0.03)
    assert black.used_share == pytest.approx(black.moves[0].used_s + 0.03)
    assert (white.solved_at, white.used_share) == (0, 0)
    assert [move.ended for move in white.moves] == ["only move", "only move"]


def test_increments_count_until_the_solve() -> None:
    from _clock.simulation import play

    solving = position((20, 30, 1, 4), empties=20, solved=True)
    black, _ = play(game(position(*CALM), solving), conditions("1+0.5"))
    used_s = black.moves[0].used_s + 0.03
    assert black.given_at_solve_s == 1.5
    assert black.used_share == pytest.approx(used_s / 1.5)


def test_stalls_lose_games_on_time_and_end_them() -> None:
    from _clock.simulation import play

    black, white = play(
        game(position(*CALM), position(*CALM, color=1)), conditions("0.05", stall_share=1.0, stall_s=1.0)
    )
    assert black.forfeited and not white.moves


def test_moves_of_the_book_and_losses() -> None:
    from _clock.summary import SimulatedGames, figures, stages

    bad = position((8, 500, 2, 0))
    outcome = SimulatedGames.of([game(position(*CALM), position(*CALM, color=1), bad, bad)], conditions(book_moves=1))
    assert outcome.sides[0].moves[0].ended == "book"
    assert outcome.losses == [10, 0]
    assert (outcome.forfeits, len(outcome.open_moves)) == (0, 2)
    row = dict(zip(figures([outcome]).heads, figures([outcome]).rows[0], strict=True))
    assert (row["clock"], row["sides"], row["best moves"], row["forfeits"]) == ("1", "2", "0.0 %", "0")
    better = game(position(*CALM), position(*CALM, color=1), bad, position(*CALM))
    other = SimulatedGames.of([better], conditions(book_moves=1))
    assert figures([outcome], [other]).rows[0][-1] == "+2.50 ± 2.50"
    (stage,) = stages(outcome).rows
    assert stage[:2] == ("34-29", "2")


def test_free_time_is_the_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    from _clock import simulation

    asked: list[tuple[float, float]] = []

    def noted(budget: TimeBudget, free_s: float, expected_s: float) -> TimeBudget:
        asked.append((free_s, expected_s))
        return budget

    monkeypatch.setattr(time_manager, "after_thinking_ahead", noted)
    own, theirs = position(*CALM), position(*CALM, color=1)
    black, white = simulation.play(game(own, theirs, own, theirs, own), conditions(hits=1.0))
    assert [free_s for free_s, _ in asked] == [white.moves[0].used_s, black.moves[1].used_s, white.moves[1].used_s]
    assert [expected_s for _, expected_s in asked][:2] == [0.0, 0.0]
    assert asked[2][1] == pytest.approx(0.3 * white.moves[0].used_s)
    asked.clear()
    simulation.play(game(own, theirs, own), conditions(hits=0.0))
    assert asked == [(0.0, 0.0)]


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_files_keep_games(tmp_path: Path, name: str) -> None:
    from _clock.recorded import read_games, write_games

    games = [game(position(*CALM, solved=True, margins=(1, 2)), forced(1))]
    write_games(tmp_path / name, games)
    assert read_games(tmp_path / name) == games
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")


def simulate(*words: str) -> int:
    from _clock import command

    return command.main(words, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--set", "NO=1"], "constant 'NO': expected one of"),
        (["--set", "DOUBT_DISCS=2.5"], "constant DOUBT_DISCS '2.5': expected an integer"),
        (["--set", "HOPE_SHARE=0.9", "HOPE_SHARE=nan"], "constant HOPE_SHARE 'nan': expected a number"),
        (["--set", "HOPE_SHARE"], "constant HOPE_SHARE '': expected a number"),
        (["--clock", "inf"], "clock 'inf': expected one with a limit"),
        (["--clock", "x"], "time control 'x'"),
        (["--games", "/nowhere/games"], "No such file"),
    ],
)
def test_what_means_nothing_is_said_in_a_line(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = time_manager.HOPE_SHARE
    assert simulate(*words) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
    assert before == time_manager.HOPE_SHARE


@pytest.mark.parametrize("data", [b"", b"{}\n", b"[1]\n", b"[1,[[1,2]]]\n", b"\x1f\x8b broken", b"\xff"])
@pytest.mark.parametrize("name", ["games", "games.gz"])
def test_another_file_is_refused(tmp_path: Path, name: str, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(data)
    assert simulate("--games", str(tmp_path / name)) == 2
    assert "recorded games" in capsys.readouterr().err


@pytest.mark.slow
def test_constants_are_listed_and_another_plan_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--constants") == 0
    assert f"ENDGAME_WEIGHT={time_manager.ENDGAME_WEIGHT:g}\n" in capsys.readouterr().out
    answers = []
    for words in ([], ["--set", "ENDGAME_WEIGHT=30"], ["--hits", "1"], ["--book", "10"], ["--speed", "3"], []):
        before = time_manager.ENDGAME_WEIGHT
        assert simulate("--clock", "1", "--stages", *words) == 0
        assert before == time_manager.ENDGAME_WEIGHT
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[-1]
    assert len(set(answers)) == 5


def test_the_plan_uses_the_clock_before_the_game_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    """The promise of the time manager, over the games of the repository."""
    assert simulate("--speed", "0.6", "--clock", "0.1+0.02", "1", "5", "10") == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split()[0] for row in rows] == ["0.1+0.02", "1", "5", "10"]
    assert all(float(row.split()[2]) >= 85 for row in rows)
    assert all(row.split()[-1] == "0" for row in rows)


def test_a_recorded_position_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from _clock import recording

    monkeypatch.setattr(recording, "MIDGAME_NODES", 20_000)
    monkeypatch.setattr(recording, "SHORTEST_MS", 0.0)
    monkeypatch.setattr(recording, "SETTLED_MS", 0.0)
    played = Game()
    played.play_moves(parse_moves("f5d6c3d3c4f4c5b3"))
    search = Search(1)
    found = [recording.record_position(search, played.position) for _ in range(2)]
    first, second = ([(step.depth, step.move, step.score) for step in record.iterations] for record, _ in found)
    assert first == second
    record, best = found[0]
    assert (record.color, record.empties, record.solved) == (0, 52, False)
    assert best == record.iterations[-1].move
    assert record.choices == len(played.position.legal_moves)
    assert record.loss(best) == 0 or min(dict(record.losses).values()) == 0
    assert {step.move for step in record.iterations} == set(dict(record.losses))
    times = [step.ms for step in record.iterations]
    assert times == sorted(times)


def test_a_forced_move_is_not_searched() -> None:
    from _clock import recording

    only = Position.parse("OX" + "-" * 62 + " O")
    record, move = recording.record_position(Search(1), only)
    assert (record.choices, record.iterations, move) == (1, (), 2)


def test_recording_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from _clock import command, recorded

    made: list[tuple[int, int]] = []

    def record_game(number: int, seed: int) -> RecordedGame:
        made.append((number, seed))
        return game(forced())

    monkeypatch.setattr(command, "record_game", record_game)
    monkeypatch.setattr(command, "write_games", lambda path, games: None)
    assert simulate("record", str(tmp_path / "games.gz"), "--games", "2", "--seed", "7") == 0
    assert made == [(0, 7), (1, 7)]
    recorded.write_games(tmp_path / "games.gz", [game(forced())])
    assert simulate("record", str(tmp_path / "games.gz"), "--games", "2", "--seed", "7") == 0
    assert made == [(0, 7), (1, 7), (1, 7)]
    assert gzip.decompress((tmp_path / "games.gz").read_bytes())
