"""Matches: resuming, lost workers, two arenas, repetitions, the sequential test, and the display."""

from __future__ import annotations

import io
import math
import os
import random
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.backends import MOST_DEATHS, LocalBackend
from othello_bot.arena.display import LiveDisplay, PlainDisplay, time_left
from othello_bot.arena.errors import ArenaError, MissingExtra
from othello_bot.arena.games import GameJob
from othello_bot.arena.match import Match, MatchDisplay
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.pentanomial import score_of_elo
from othello_bot.arena.pictures import by_stage, write_pictures
from othello_bot.arena.report import report_lines, standings, tally_of
from othello_bot.arena.sprt import Sprt, SprtModel, SprtVerdict
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import Result, StoredMatch
from othello_bot.base.notation import Color
from tests.arena.builders import HereBackend, Impatient, SameOpening, Silent, SimulatedBackend, job, match, mock_spec

pytestmark = pytest.mark.process

OPENINGS = RandomOpenings(8, 1)


def played(store: MatchStore, stored: StoredMatch) -> list[tuple[int, int]]:
    return [(result.task.pair, result.task.leg) for result in store.results(stored.id)]


def draw(job: GameJob) -> None:
    """Let no side lose."""


def stronger(elo: float, seed: int) -> Callable[[GameJob], Color]:
    """Let the first engine of a match win far more often; no draws."""

    def outcome(job: GameJob) -> Color:
        chance = random.Random(f"{seed} {job.task.pair} {job.task.leg}").random()
        first = Color.BLACK if job.task.leg == 0 else Color.WHITE
        return first.opponent if chance < score_of_elo(elo) else first

    return outcome


def test_every_game_is_played_once(store: MatchStore) -> None:
    config = match("random", "random", "random", format="round-robin", rounds=4)
    backend = SimulatedBackend(draw, slots=3)
    observer = Silent()
    going = Match(config, OPENINGS, store, backend)
    going.run(observer)
    assert backend.played == going.total == 24
    assert sorted(played(store, going.stored)) == [(pair, leg) for pair in range(12) for leg in range(2)]
    assert len(observer.seen) == 24
    assert going.tally.games == 24
    assert all(meeting.pairs == [0, 0, 4, 0, 0] for meeting in going.tally.meetings.values())


def test_a_stopped_match_goes_on_with_the_games_that_are_missing(store: MatchStore, tmp_path: Path) -> None:
    config = match(rounds=10)
    with pytest.raises(KeyboardInterrupt):
        Match(config, OPENINGS, store, SimulatedBackend(stronger(50, 1))).run(Impatient(7))
    # The game that was in flight with the last one may have been stored too.
    before = len(played(store, store.matches()[0]))
    assert 7 <= before <= 8
    backend = SimulatedBackend(stronger(50, 1))
    resumed = Match(config, OPENINGS, store, backend)
    resumed.run(Silent())
    assert resumed.resumed == before
    assert backend.played == 20 - before
    whole = Match(config, OPENINGS, store, backend)
    with MatchStore(tmp_path / "straight.db") as other:
        straight = Match(config, OPENINGS, other, SimulatedBackend(stronger(50, 1)))
        straight.run(Silent())
    assert resumed.tally.meetings[0, 1].pairs == straight.tally.meetings[0, 1].pairs
    whole.run(Silent())
    assert backend.played == 20 - before


def test_more_rounds_extend_a_match(store: MatchStore) -> None:
    backend = SimulatedBackend(draw)
    Match(match(rounds=3), OPENINGS, store, backend).run(Silent())
    longer = Match(match(rounds=5), OPENINGS, store, backend)
    longer.run(Silent())
    assert (longer.resumed, longer.tally.games, backend.played) == (6, 10, 10)


@pytest.mark.parametrize(("elo", "verdict"), [(0, SprtVerdict.H0), (100, SprtVerdict.H1)])
def test_the_sequential_test_stops_the_match(store: MatchStore, elo: float, verdict: SprtVerdict) -> None:
    config = match(rounds=5000, sprt=Sprt(0, 100, model=SprtModel.LOGISTIC))
    backend = SimulatedBackend(stronger(elo, 3))
    going = Match(config, OPENINGS, store, backend)
    going.run(Silent())
    assert going.verdict is verdict
    assert going.tally.games < 1000
    games = backend.played
    # It stays decided: the same command plays nothing more.
    again = Match(config, OPENINGS, store, backend)
    again.run(Silent())
    assert again.verdict is verdict
    assert backend.played == games


def test_games_that_repeat_others_count_in_the_score_and_tell_nothing_new(store: MatchStore) -> None:
    # Players without randomness and always the same opening: all pairs after the first say nothing new.
    backend = HereBackend(1)
    try:
        going = Match(match("weighted", "mobility", rounds=2), SameOpening(), store, backend)
        going.run(Silent())
    finally:
        backend.close()
    meeting = going.tally.meetings[0, 1]
    assert going.tally.games == 4
    assert going.tally.repeats == 2
    assert meeting.games == 4
    assert sum(meeting.pairs) == 2
    assert meeting.repeated_pairs == 1
    (opening,) = meeting.openings.values()
    assert (opening.games, opening.points) == (4, meeting.points)
    told = "\n".join(report_lines(store, going.stored))
    assert "2 games repeat an earlier one" in told
    assert "1 pair repeats another one: in the score, and in the error with the others of the opening" in told


def test_a_worker_that_is_killed_loses_no_game_and_repeats_none(store: MatchStore) -> None:
    config = match("random name=A", mock_spec("--move-delay", "0.003", settings="st=5 name=B"), rounds=4)
    backend = LocalBackend(2)
    killed = []

    class Killer(Silent):
        def game(self, result: Result) -> None:
            super().game(result)
            if len(self.seen) in (2, 5):
                pid = backend.worker_pids[0]
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

    try:
        going = Match(config, OPENINGS, store, backend)
        going.run(Killer())
        assert not set(killed) & set(backend.worker_pids)
    finally:
        backend.close()
    assert len(killed) == 2
    assert sorted(played(store, going.stored)) == [(pair, leg) for pair in range(4) for leg in range(2)]
    assert set(going.tally.endings) == {Ending.BOARD}


def test_a_game_that_kills_every_worker_ends_the_match() -> None:
    backend = LocalBackend(1)
    try:
        backend.start(job("random", mock_spec("--stall-at", "1", settings="st=60")))
        with pytest.raises(ArenaError, match=f"{MOST_DEATHS} workers died"):
            while True:
                os.kill(backend.worker_pids[0], signal.SIGKILL)
                backend.wait(60)
    finally:
        backend.close()


def test_closing_ends_workers_and_engines_in_mid_game(tmp_path: Path) -> None:
    child_file = tmp_path / "child"
    backend = LocalBackend(1)
    backend.start(job(mock_spec("--stall-at", "1", "--leave-child", "--child-file", str(child_file)), "random"))
    while not (child_file.exists() and child_file.read_text()):
        time.sleep(0.01)
    worker = backend.worker_pids[0]
    backend.close()
    for pid in (worker, int(child_file.read_text())):
        # A process that is nobody's may be left as a zombie where no init collects it.
        try:
            with open(f"/proc/{pid}/stat") as stat:
                assert stat.read().rsplit(")", 1)[1].split()[0] in "ZX"
        except FileNotFoundError:
            pass


def test_two_arenas_share_one_match(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    config = match(rounds=20)
    backends = [SimulatedBackend(stronger(0, 2)) for _ in range(2)]
    tallies = {}

    def play(number: int) -> None:
        with MatchStore(path) as store:
            going = Match(config, OPENINGS, store, backends[number])
            going.run(Silent())
            tallies[number] = going.tally

    threads = [threading.Thread(target=play, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(backend.played for backend in backends) == 40
    assert tallies[0].meetings[0, 1].pairs == tallies[1].meetings[0, 1].pairs
    with MatchStore(path) as store:
        assert len(played(store, store.matches()[0])) == 40


def test_the_tally_does_not_grow_with_the_games(store: MatchStore) -> None:
    going = Match(match(rounds=300), OPENINGS, store, SimulatedBackend(draw, slots=7))
    going.run(Silent())
    assert going.tally.games == 600
    assert not going.tally._halves
    assert not going._in_flight


def simulated(store: MatchStore, display: MatchDisplay, rounds: int = 6, **settings: Any) -> Match:
    going = Match(match(rounds=rounds, **settings), OPENINGS, store, SimulatedBackend(stronger(100, 4)))
    going.run(display)
    return going


def test_plain_lines(store: MatchStore) -> None:
    lines: list[str] = []
    display = PlainDisplay(lines.append, every=1)
    simulated(store, display, sprt=Sprt(0, 10))
    display.end()
    text = "".join(lines)
    assert text.startswith("match ")
    assert "game 12 of 12: B - A (opening 6): " in text
    assert text.count("game ") >= 12
    assert "A: +" in text
    assert "SPRT 0 against 10 Elo (normalised)" in text
    assert "pairs of 0 1/2 1 3/2 2 points: " in text
    assert "discs " in text


def test_the_live_table(store: MatchStore) -> None:
    console = pytest.importorskip("rich.console")
    terminal = io.StringIO()
    lines: list[str] = []
    display = LiveDisplay(lines.append, console.Console(file=terminal, force_terminal=True, width=150))
    simulated(store, display)
    display.refresh()
    display.end()
    assert "A against B: +" in "".join(lines)
    assert "12 of 12 games" in terminal.getvalue()
    assert "superior with" in terminal.getvalue()
    assert "game 12 of 12: B - A" in terminal.getvalue()


def test_the_live_table_fits_a_terminal_of_80_columns(store: MatchStore) -> None:
    console = pytest.importorskip("rich.console")
    terminal = io.StringIO()
    display = LiveDisplay(lambda text: None, console.Console(file=terminal, force_terminal=True, width=80))
    going = simulated(store, display)
    display.refresh()
    display.end()
    frame = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    assert "…" not in frame
    for row in standings(going.stored.names, going.tally).rows:
        assert any(line.split() == " ".join(row).split() for line in frame.splitlines())


@pytest.mark.parametrize("live", [True, False])
def test_the_reason_of_a_failure_is_shown_while_the_match_goes_on(store: MatchStore, live: bool) -> None:
    lines: list[str] = []
    reason = "refused 'play w pass': syntax error"
    backend = SimulatedBackend(lambda job: Color.WHITE, ending=Ending.REFUSAL, detail=reason)
    display: PlainDisplay | LiveDisplay
    terminal = io.StringIO()
    if live:
        console = pytest.importorskip("rich.console")
        display = LiveDisplay(lines.append, console.Console(file=terminal, force_terminal=True, width=150))
    else:
        display = PlainDisplay(lines.append, 1)
    Match(match(rounds=3), OPENINGS, store, backend).run(display)
    if isinstance(display, LiveDisplay):
        display.refresh()
        assert f"B: 3 x refusal: {reason}" in terminal.getvalue()
        lines.append(terminal.getvalue())
    assert f"game 5 of 6: A - B (opening 3): black wins (refusal: {reason})" in "".join(lines)


@pytest.mark.parametrize(
    ("games", "elapsed_s", "told"),
    [
        (0, 5.0, ""),
        (6, 60.0, ", about 1 min left"),
        (3, 1800.0, ", about 1 h 30 min left"),
        (12, 9.0, ", about 0 min left"),
    ],
)
def test_how_long_a_match_still_takes(store: MatchStore, games: int, elapsed_s: float, told: str) -> None:
    going = Match(match(rounds=6), OPENINGS, store, SimulatedBackend(draw))
    going.tally.games = games
    assert time_left(going, elapsed_s) == told


def test_pictures_without_matplotlib_say_what_to_install(
    store: MatchStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    stored = store.open_match(match(), "here")
    with pytest.raises(MissingExtra, match="needs matplotlib"):
        write_pictures(store, stored, tmp_path)


def test_a_report_and_its_pictures(store: MatchStore, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    backend = HereBackend(1)
    specs = ("random name=A", mock_spec(dialect="nboard", settings="name=B st=5"), "weighted name=C")
    config = match(*specs, format="round-robin", rounds=1)
    try:
        going = Match(config, OPENINGS, store, backend)
        going.run(Silent())
    finally:
        backend.close()
    text = "\n".join(report_lines(store, going.stored))
    assert "points of the row against the column" in text
    assert "B against C" in text
    assert "6 games: 6 board" in text
    again = tally_of(store, going.stored)
    assert {pair: meeting.pairs for pair, meeting in again.meetings.items()} == {
        pair: meeting.pairs for pair, meeting in going.tally.meetings.items()
    }
    pictures = write_pictures(store, going.stored, tmp_path / "pictures")
    assert [path.name.split("-")[1] for path in pictures] == ["ladder.png", "scores.png", "times.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)
    found = by_stage(store, going.stored)
    scores, times = found.scores, found.used
    assert set(scores) == {"B"}
    assert set(times) == {"A", "B", "C"}
    # The mock says 1.5 whatever happens, from twelve discs on the board on.
    assert {moments.mean for moments in scores["B"].values()} == {1.5}
    assert min(scores["B"]) >= 12
    assert all(math.isfinite(moments.mean) for moments in times["A"].values())
