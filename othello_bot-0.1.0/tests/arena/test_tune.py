"""`match tune`: planted optima, tunings that are stopped and go on, what is stored and told."""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.arena.display import LiveDisplay, PlainDisplay
from othello_bot.arena.games import GameJob
from othello_bot.arena.report import tally_of
from othello_bot.arena.spsa import Parameter, SpsaWalk, Tuning, stored_walk, tuning_lines
from othello_bot.arena.store import MatchStore
from othello_bot.arena.tune import TuningWords, configuration
from othello_bot.base.notation import Color
from othello_bot.cli import main
from tests.arena.builders import Impatient, Silent
from tests.arena.tunings import OPTIMUM, PLANTED, STEPS, SimulatedTuning, arguments, planted

ROOT = Path(__file__).resolve().parents[2]


# -- the way of the values --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_planted_optimum_is_found(store: MatchStore) -> None:
    going = SimulatedTuning(store, *PLANTED, "--iterations", 300)
    done = going.run()
    assert len(done) == 300
    for name, optimum in OPTIMUM.items():
        assert abs(going.value(name) - optimum) < 1.5 * STEPS[name], (name, going.value(name))
    assert going.match.walk.confidences()[0] > 0.95
    assert "No parameter" not in "".join(tuning_lines(going.match.walk))


def test_what_makes_no_difference_is_rarely_taken_for_one_that_does() -> None:
    claims = 0
    tunings = 150
    for seed in range(tunings):
        rng = random.Random(seed)
        walk = SpsaWalk(Tuning((Parameter("x", 5, 0, 10, 1),), pairs=1, stability=8, seed=seed))
        for _ in range(2 * 80):
            walk.add(result(float(rng.getrandbits(1))))
        claims += walk.confidences()[0] >= 0.95
    assert claims <= 0.07 * tunings


def result(black_points: float, black: int = 0) -> Any:
    return argparse.Namespace(black_points=black_points, black=black)


def test_the_gains_are_spalls() -> None:
    tuning = Tuning((Parameter("x", 5, 0, 10, 2),), gain=0.25, stability=9, alpha=0.602, gamma=0.101)
    (first,), (later,) = tuning.moves(0, 1.0), tuning.moves(90, 1.0)
    assert abs(first) == pytest.approx(0.25 * 2)
    assert abs(later) == pytest.approx(0.25 * 2 * (10 / 100) ** 0.602 * 91**0.101)
    assert tuning.moves(0, -0.5)[0] == pytest.approx(-first / 2)
    (plus,), (minus,) = tuning.sides(90, (5.0,))
    assert abs(float(plus) - float(minus)) == pytest.approx(2 * 2 / 91**0.101, abs=0.01)
    # The engine that has more of it has won: there is more of it from now on.
    assert (float(plus) > float(minus)) == (later > 0)


@given(
    st.integers(-50, 50), st.integers(1, 30), st.floats(0, 1), st.floats(0.5, 1), st.integers(0, 5000), st.booleans()
)
@pytest.mark.slow
def test_both_engines_differ_and_keep_to_the_range(
    low: int, width: int, place: float, share: float, iteration: int, whole: bool
) -> None:
    step = max(1.0, share * width)
    one = Parameter("x", low, low, low + width, min(step, width), whole)
    tuning = Tuning((one,), stability=10)
    (plus,), (minus,) = tuning.sides(iteration, (low + place * width,))
    assert plus != minus
    assert low <= float(minus) <= low + width and low <= float(plus) <= low + width
    assert not whole or (plus.lstrip("-").isdigit() and minus.lstrip("-").isdigit())


@pytest.mark.parametrize(
    ("step", "value", "text"),
    [(1, 4.0, "4"), (0.1, 0.123456, "0.1235"), (50, 1234.56, "1234.56"), (0.001, 0.5, "0.5"), (2, -3.1, "-3.1")],
)
def test_values_are_written_to_a_part_of_a_step(step: float, value: float, text: str) -> None:
    assert Parameter("x", 0, -9999, 9999, step).text(value) == text


# -- stopped and resumed ----------------------------------------------------------------------------------------------


def test_a_tuning_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, store: MatchStore) -> None:
    whole = SimulatedTuning(store, *PLANTED, "--iterations", 20).run()
    with MatchStore(tmp_path / "other.db") as other:
        for games in (1, 3, 7, 10, 30):
            with pytest.raises(KeyboardInterrupt):
                SimulatedTuning(other, *PLANTED, "--iterations", 20).run(Impatient(games))
        going = SimulatedTuning(other, *PLANTED, "--iterations", 20)
        assert going.run() == whole
        assert going.backend.played < 80
        # Games are played once, whatever was stopped.
        assert tally_of(other, going.match.stored).games == 80


def test_more_iterations_extend_a_tuning(tmp_path: Path, store: MatchStore) -> None:
    SimulatedTuning(store, *PLANTED, "--iterations", 10).run()
    going = SimulatedTuning(store, *PLANTED, "--iterations", 15)
    done = going.run()
    assert len(done) == 15 and going.backend.played == 20
    # A is what it was in the beginning: a tenth of the iterations then.
    assert going.match.walk.tuning.stability == 1
    with MatchStore(tmp_path / "other.db") as other:
        assert SimulatedTuning(other, *PLANTED, "--iterations", 15, "--stability", 1).run() == done


def test_two_arenas_share_a_tuning(tmp_path: Path, store: MatchStore) -> None:
    words = (*PLANTED, "--iterations", 6)
    with MatchStore(tmp_path / "matches.db") as again, MatchStore(tmp_path / "alone.db") as alone:
        one, other = SimulatedTuning(store, *words), SimulatedTuning(again, *words)

        class Helped(Silent):
            """Lets the other arena play the rest, once some games have been played here."""

            def game(self, result: Any) -> None:
                super().game(result)
                if len(self.seen) == 8:
                    other.run()

        done = one.run(Helped())
        assert (one.backend.played, other.backend.played) == (8, 16)
        assert done == other.match.walk.done == SimulatedTuning(alone, *words).run()


def test_both_play_each_opening_with_both_colours(store: MatchStore) -> None:
    jobs: list[GameJob] = []

    def outcome(job: GameJob) -> Color:
        jobs.append(job)
        return planted(job)

    done = SimulatedTuning(store, *PLANTED, "--iterations", 4, "--pairs", 3, outcome=outcome).run()
    for number, one in enumerate(done):
        own = [job for job in jobs if job.task.pair // 3 == number]
        assert len(own) == 6
        assert len({job.opening for job in own}) == 3
        for job in own:
            texts = {job.black.name: job.black.options, job.white.name: job.white.options}
            names = [name for name, _ in job.black.options]
            assert [text for _, text in texts["mock+"]] == list(one.plus), names
            assert [text for _, text in texts["mock-"]] == list(one.minus)
        assert {(job.opening, job.black.name) for job in own} == {(job.opening, job.white.name) for job in own}


TUNED = ("--tune", "d=1,1,3,1,int", "--iterations", "6", "--pairs", "1", "--openings", "random", "--seed", "5")


@pytest.mark.process
def test_a_killed_tuning_goes_on_as_if_it_had_not_been(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "tune", "--engine", "engine", "depth={d}", "option.hash=1", *TUNED]
    command = [sys.executable, "-m", "othello_bot", *words, "--store", str(tmp_path / "killed.db")]
    for _ in range(2):
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("iteration "):
                    process.kill()
                    break
    assert main([*words, "--store", str(tmp_path / "killed.db")]) == 0
    assert main([*words, "--store", str(tmp_path / "whole.db")]) == 0
    capsys.readouterr()
    told = []
    for name in ("killed.db", "whole.db"):
        assert main(["match", "report", str(tmp_path / name), "--json"]) == 0
        (match,) = json.loads(capsys.readouterr().out)["matches"]
        told.append(match["tuning"])
        assert match["games"] == 12
    assert told[0] == told[1]
    assert len(told[0]["iterations"]) == 6
    # Another ply is worth many games.
    assert told[0]["parameters"][0]["value"] > 1


# -- what is stored and told ------------------------------------------------------------------------------------------


def test_each_iteration_is_stored_with_its_seed_parameters_and_points(store: MatchStore) -> None:
    going = SimulatedTuning(store, *PLANTED, "--iterations", 5, "--seed", 9)
    done = going.run()
    rows = list(store.database.rows("SELECT number, seed, start, plus, minus, points, games, finish FROM iteration"))
    assert [row[:2] for row in rows] == [(number, f"9 {number}") for number in range(5)]
    for row, one in zip(rows, done, strict=True):
        assert [json.loads(text) for text in (row[2], row[3], row[4], row[7])] == [
            list(part) for part in (one.values, one.plus, one.minus, one.after)
        ]
        assert row[5:7] == (one.points, 4)
    walk = stored_walk(store, going.match.stored)
    assert walk is not None and walk == going.match.walk


def test_a_report_for_people_and_for_programs(
    store: MatchStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    going = SimulatedTuning(store, *PLANTED, "--iterations", 40, legal=True)
    going.run()
    place = str(tmp_path / "matches.db")
    assert main(["match", "report", place]) == 0
    text = capsys.readouterr().out
    assert "40 iterations of 4 games, seed 1; gain 0.25, A 4, alpha 0.602, gamma 0.101" in text
    (row,) = re.findall(r"^width +(\S+) +(\S+) +(\S+) +(\S+) +(\S+ %) +(\S+)$", text, re.MULTILINE)
    one = going.match.walk.tuning.parameters[0]
    assert row[:3] == (one.text(going.value("width")), "4", "0..20")
    assert row[3] == f"{going.value('width') - 4:+.1f}"
    assert len(row[5]) == 12
    (values,) = re.findall(r"^values: (.*)$", text, re.MULTILINE)
    assert configuration(arguments("--tune", "x=1,0,2,1", engine=("cmd=m", "st=1", *values.split())))[2]["option"] == {
        name: one.text(value)
        for one, value in zip(going.match.walk.tuning.parameters, going.match.walk.values, strict=True)
        for name in [one.name]
    }
    assert main(["match", "report", place, "--json"]) == 0
    (match,) = json.loads(capsys.readouterr().out)["matches"]
    facts = match["tuning"]
    assert [one["name"] for one in facts["parameters"]] == list(OPTIMUM)
    assert facts["parameters"][0]["value"] == going.value("width")
    assert len(facts["iterations"]) == 40 and facts["iterations"][3]["seed"] == "1 3"
    assert facts["words"] == values


@pytest.mark.slow
def test_a_picture_of_the_parameters(store: MatchStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    SimulatedTuning(store, "--tune", "_$a$=1,0,2,0.5", "<b>=3,1,9,1,int", "--iterations", 12, legal=True).run()
    assert main(["match", "report", str(tmp_path / "matches.db"), "--pictures", str(tmp_path / "drawn")]) == 0
    capsys.readouterr()
    (picture,) = (tmp_path / "drawn").glob("*-tuning.png")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_plain_lines_tell_each_iteration_once(store: MatchStore) -> None:
    lines: list[str] = []
    going = SimulatedTuning(store, *PLANTED, "--iterations", 3)
    going.run(PlainDisplay(lines.append, 1, TuningWords()))
    told = [line.partition(";")[0] for line in lines if line.startswith("iteration ")]
    done = enumerate(going.match.walk.done, 1)
    assert told == [f"iteration {number} of 3: {one.points:g} of 4 points" for number, one in done]


def test_a_live_table_of_the_parameters(store: MatchStore) -> None:
    console = pytest.importorskip("rich.console")
    terminal = io.StringIO()
    lines: list[str] = []
    live = LiveDisplay(lines.append, console.Console(file=terminal, force_terminal=True, width=120), TuningWords())
    SimulatedTuning(store, *PLANTED, "--iterations", 5).run(live)
    live.refresh()
    live.end()
    assert "width" in terminal.getvalue() and "iteration 5 of 5" in terminal.getvalue()
    assert "values: option.width=" in "".join(lines)


def test_a_tuning_is_not_pooled_with_matches(
    store: MatchStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    SimulatedTuning(store, *PLANTED, "--iterations", 2, legal=True).run()
    SimulatedTuning(store, *PLANTED, "--iterations", 2, "--event", "again", legal=True).run()
    assert main(["match", "report", str(tmp_path / "matches.db"), "--json"]) == 0
    assert "pool" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("column", "value"),
    [("settings", "[]"), ("settings", '{"match": {}}'), ("plus", "[1]"), ("finish", '["x"]'), ("start", "[1]")],
)
def test_a_damaged_tuning_is_an_error_in_words(
    store: MatchStore, tmp_path: Path, column: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    SimulatedTuning(store, *PLANTED, "--iterations", 2).run()
    table = "tuning" if column == "settings" else "iteration"
    store.database.execute(f"UPDATE {table} SET {column} = ?", (value,))
    assert main(["match", "report", str(tmp_path / "matches.db")]) == 1
    assert "the tuning of match 1 cannot be read" in capsys.readouterr().err
