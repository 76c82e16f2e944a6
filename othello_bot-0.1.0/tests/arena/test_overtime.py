"""What an engine makes the arena wait counts on its clock, and its margin is for the whole game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from othello_bot.arena.adjudication import LATENCIES_S, Ending, Failure, Overtime
from othello_bot.arena.engine_host import EngineHost
from othello_bot.arena.export import export
from othello_bot.arena.game_runner import play_game
from othello_bot.arena.games import GameReport
from othello_bot.arena.probe import FailedCheck, Probe, ProbeSettings
from othello_bot.arena.report_command import clock_table
from othello_bot.arena.store import MatchStore
from othello_bot.base.clocks import ClockState, TimeSettings, TimeSystem
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, Color
from othello_bot.engine import Limits, SearchResult, Steps
from othello_bot.rules import Game, Position
from tests.arena.builders import OPENING, job, match, mock_spec, report_of
from tests.arena.test_games import ScriptedPlayer

LEAST_S = LATENCIES_S[0]


class Slow(ScriptedPlayer):
    """Makes the arena wait, without any real time: for the opening, for the answer to a pass, and for each move."""

    opening_s = pass_s = move_s = take_back_s = 0.0
    ping_s: float | None = None
    illegal = 0
    """Illegal moves that it still has to answer."""

    def new_game(self, game: Game, seed: str) -> None:
        self.seen: list[float] = []
        self.waited_s += self.opening_s

    def played(self, move: int) -> None:
        if move == PASS:
            self.waited_s += self.pass_s

    def choose(
        self, place: Position | Game, limits: Limits, on_report: Callable[[SearchResult], None] | None = None
    ) -> Steps[EvaluatedMove]:
        self.seen.append(0.0 if limits.clock is None else limits.clock.remaining_s)
        if self.illegal:
            self.illegal -= 1
            return EvaluatedMove(27, time_s=self.move_s)
        return replace((yield from super().choose(place, limits)), time_s=self.move_s)

    def take_back(self, game: Game, illegal: tuple[int, ...]) -> None:
        self.waited_s += self.take_back_s

    def latency_s(self) -> float | None:
        return self.ping_s


def played(settings: str, late_s: float = 0.0, **waits: object) -> tuple[GameReport, Slow]:
    """Play a game in which Black makes the arena wait; `late_s` is the machine's. Return Black, too."""
    game = job(f"cmd=it {settings}", "random")
    black, white = Slow(game.black), ScriptedPlayer(game.white)
    for name, value in waits.items():
        setattr(black, name, value)
    return play_game(game, (black, white), lambda position: 0, lambda: late_s), black


def moves_of(report: GameReport) -> Sequence[float]:
    return report.used_s(Color.BLACK)


def test_the_margin_is_not_forgiven_anew_at_each_move() -> None:
    report, black = played("tc=0.3", move_s=0.09)
    assert (report.outcome.ending, report.outcome.loser) == (Ending.TIME, Color.BLACK)
    assert report.outcome.detail.startswith("used 0.090 s of 0.000 s for move ")
    assert report.outcome.detail.endswith(" s too many in the game")
    # Time for three moves, margin and latency for three more; the seventh has neither.
    assert len(black.seen) == 7
    assert report.overtimes_s == pytest.approx((7 * 0.09 - 0.3, 0))


@pytest.mark.parametrize("settings", ["st=0.1", "tc=1/0.1", "tc=0.1+0.1"])
def test_the_margin_is_one_for_all_moves_under_every_control(settings: str) -> None:
    report, black = played(settings, move_s=0.14)
    assert report.outcome.ending is Ending.TIME
    assert len(black.seen) == 7


def test_what_latency_explains_loses_no_game() -> None:
    report, _ = played("st=0.1", move_s=0.1 + LEAST_S)
    assert report.outcome.ending is Ending.BOARD
    assert report.overtimes_s[0] == pytest.approx(len(moves_of(report)) * LEAST_S)
    # A program can answer a ping as slowly as it likes: that does not buy it more than the most.
    assert played("st=0.1", move_s=0.1 + LATENCIES_S[1], ping_s=0.1)[0].outcome.ending is Ending.BOARD
    assert played("st=0.1", move_s=0.15, ping_s=0.1)[0].outcome.ending is Ending.TIME
    # What the machine itself was late is not the program's.
    assert played("st=0.1", move_s=0.13, late_s=1.0)[0].outcome.ending is Ending.BOARD
    assert played("st=0.1", move_s=0.13)[0].outcome.ending is Ending.TIME


def test_no_single_move_has_more_than_the_margin() -> None:
    assert played("st=0.1 margin=0", move_s=0.101, late_s=5.0)[0].outcome.ending is Ending.TIME
    assert played("st=0.1 margin=0.5", move_s=0.61, late_s=5.0)[0].outcome.ending is Ending.TIME
    assert played("tc=inf", move_s=1e6)[0].outcome.ending is Ending.BOARD


def test_the_answer_to_a_pass_counts() -> None:
    report, black = played("tc=1", pass_s=5.0)
    assert (report.outcome.ending, report.outcome.loser) == (Ending.TIME, Color.BLACK)
    assert report.moves[-1] == PASS and "used 5.000 s of 1.000 s" in report.outcome.detail
    report, black = played("tc=60", pass_s=5.0)
    passes = report.moves.count(PASS)
    assert report.outcome.ending is Ending.BOARD and passes
    assert black.seen[-1] == 60 - 5 * passes == pytest.approx(report.played[-2].left_s)
    # The next move tells of it.
    assert sum(moves_of(report)) == 5 * passes


def test_thinking_while_the_opening_is_set_up_counts() -> None:
    report, black = played("tc=60", opening_s=4.0, ping_s=2.0)
    free_s = 0.1 + (len(OPENING.moves) + 1) * LATENCIES_S[1]
    assert black.seen[0] == pytest.approx(60 - 6 + free_s)
    assert moves_of(report)[0] == pytest.approx(6 - free_s)
    assert played("tc=60", opening_s=0.1)[1].seen[0] == 60
    assert played("tc=3", opening_s=4.0)[0].outcome.ending is Ending.TIME


def test_the_time_to_take_back_an_illegal_move_counts_once() -> None:
    report, black = played("tc=60 illegal=retry", move_s=0.25, take_back_s=2.0, illegal=2)
    assert moves_of(report)[0] == 3 * 0.25 + 2 * 2.0
    assert black.seen[3] == 60 - 4.75
    late, _ = played("tc=1 illegal=retry margin=60", move_s=0.5, take_back_s=0.5, illegal=2)
    # 2.5 seconds for the first move; a second of them was on the clock.
    assert late.overtimes_s[0] == pytest.approx(1.5 + 0.5 * (len(moves_of(late)) - 1))


def test_an_answer_is_judged_once() -> None:
    overtime, clock = Overtime(1.0), ClockState(2.0)
    overtime.judge(clock, 2.5, 0.0, 0.0, 1)
    overtime.judge(clock, 2.75, 2.5, 0.0, 1)
    assert overtime.used_s == 0.75
    with pytest.raises(Failure, match=r"used 3\.500 s of 2\.000 s for move 1"):
        overtime.judge(clock, 3.5, 2.75, 0.0, 1)


class Unhurried:
    """A program under examination that takes the same time for every move, without any real time."""

    def __init__(self, move_s: float) -> None:
        self.move_s = move_s
        self.game = Game()

    def new_game(self, board: object, time_settings: object) -> None:
        self.game = Game()

    def set_position(self, board: object, moves: Sequence[int]) -> None:
        self.game.play_moves(moves)

    def play(self, move: int) -> None:
        self.game.play(move)

    def best_move(self, clocks: object, within_s: float) -> EvaluatedMove:
        move = self.game.position.legal_moves[0]
        self.game.play(move)
        return EvaluatedMove(move, time_s=self.move_s)


def test_a_check_judges_a_clock_as_a_match_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty moves a side: the margin of 0.2 s and what latency explains, 0.15 s, are for the game, not for a move."""
    probe, settings = Probe(ProbeSettings(("it",))), TimeSettings(TimeSystem.ABSOLUTE, 4.0)

    def plays(move_s: float) -> Game:
        monkeypatch.setattr(probe, "engine", lambda: Unhurried(move_s))
        return probe.play(200, settings, judged=True)

    assert plays(0.13).is_over
    with pytest.raises(
        FailedCheck, match=r"^it used 0\.160 s of 0\.000 s for move 5\d, and 0\.\d+ s too many in the game$"
    ):
        plays(0.16)
    with pytest.raises(FailedCheck, match=r"^it used 5\.000 s of 4\.000 s for move 1$"):
        plays(5.0)


@pytest.mark.process
@pytest.mark.parametrize("dialect", ["gtp", "nboard"])
def test_an_engine_that_thinks_when_it_is_told_a_move_loses_on_time(host: EngineHost, dialect: str) -> None:
    report = host.play(job(mock_spec("--play-delay", "0.15", dialect=dialect, settings="tc=0.3"), "random"))
    assert (report.outcome.ending, report.outcome.loser) == (Ending.TIME, Color.BLACK)


@pytest.mark.process
@pytest.mark.parametrize("dialect", ["gtp", "nboard"])
def test_a_move_is_charged_for_all_that_its_turn_takes(host: EngineHost, dialect: str) -> None:
    late = replace(OPENING, moves=report_of_late_moves())
    spec = mock_spec("--play-delay", "0.02", "--move-delay", "0.02", dialect=dialect, settings="tc=600")
    report = host.play(job(spec, "random", opening=late))
    assert report.outcome.ending is Ending.BOARD
    assert min(moves_of(report)[1:]) >= 0.04


def report_of_late_moves() -> tuple[int, ...]:
    """Return the moves of a game up to its last ten squares."""
    game = OPENING.game()
    while game.position.empties > 10:
        game.play(game.position.legal_moves[0] if game.position.legal_moves else PASS)
    return game.moves


def test_the_store_the_report_and_the_exports_tell_of_it(store: MatchStore) -> None:
    config = match("random tc=1 name=A", "random tc=1 name=B", rounds=1)
    stored = store.open_match(config, "here")
    report, _ = played("tc=0.3", move_s=0.09)
    game = OPENING.game()
    for _ in range(4):
        game.play(game.position.legal_moves[0])
    told = report_of(report.task, OPENING, game, overtimes_s=report.overtimes_s)
    store.add(stored.id, told)
    (result,) = store.results(stored.id)
    assert result.overtimes_s == (0.33, 0)
    rows = [dict(zip(clock_table(store, stored).heads, row, strict=True)) for row in clock_table(store, stored).rows]
    assert [(row["overtime"], row["most"]) for row in rows] == [("330.0 ms", "330.0 ms"), ("0.0 ms", "0.0 ms")]
    assert '"overtimes_s": [0.33, 0.0]' in "".join(export([(store, stored)], "jsonl"))
