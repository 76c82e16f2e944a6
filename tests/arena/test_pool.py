"""Ratings over several matches and stores, and intervals that account for shared openings."""

from __future__ import annotations

import importlib
import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot.arena import report
from othello_bot.arena.config import MatchConfig
from othello_bot.arena.games import GameJob
from othello_bot.arena.match import Match
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.report import pooled, rated, tally_of
from othello_bot.arena.statistics import PairScore, ratings, ratings_by_opening
from othello_bot.arena.store import MatchStore
from othello_bot.base.notation import Color
from othello_bot.cli import main
from tests.arena.builders import LegalGames, Silent, SimulatedBackend, match

pytest.importorskip("numpy")

Loser = Callable[[GameJob], Color | None]


def alternating(job: GameJob) -> Color | None:
    """Let the first name in the alphabet win two rounds of three, and draw the third one."""
    if job.task.round % 3 == 2:
        return None
    return Color.WHITE if job.black.name < job.white.name else Color.BLACK


def play(path: Path, config: MatchConfig, loser: Loser = alternating) -> None:
    """Play a match with simulated games."""
    with MatchStore(path) as store:
        Match(config, RandomOpenings(8, 1), store, LegalGames(SimulatedBackend(loser))).run(Silent())


def named(*names: str, **settings: object) -> MatchConfig:
    """Return a match between random players of these names."""
    form = "pair" if len(names) == 2 else "round-robin"
    return match(*(f"random name={name}" for name in names), **{"format": form, "rounds": 6, **settings})


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what `match report` prints."""
    assert main(["match", "report", *words]) == 0
    return capsys.readouterr().out


def test_matches_of_several_stores_are_rated_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    play(first, named("A", "B"))
    play(second, named("C", "B", event="later"))
    out = told(capsys, str(first), str(second), "--anchor", "B=1500")
    together = out[out.index("all matches together, with engines of the same name as one: 3 engines") :]
    assert "2 games" not in together and "24 games: " in together
    assert re.search(r"^B +\+1500\.0 +fixed +24 ", together, re.MULTILINE)
    facts = json.loads(told(capsys, str(first), str(second), "--json", "--anchor", "B=1500"))
    assert [len(facts["matches"]), facts["pool"]["games"]] == [2, 24]
    elos = {engine["name"]: engine["elo"] for engine in facts["pool"]["engines"]}
    # A has beaten B as B has beaten C.
    assert elos["A"] - 1500 == pytest.approx(1500 - elos["C"])
    assert {tuple(sorted((one["first"], one["second"]))) for one in facts["pool"]["meetings"]} == {
        ("A", "B"),
        ("B", "C"),
    }


def test_the_same_two_engines_in_either_order_are_one_meeting(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    play(path, named("A", "B"))
    play(path, named("B", "A", event="other way round"))
    with MatchStore(path) as store:
        pool = pooled([(store, one) for one in store.matches()])
    assert pool.names == ("A", "B")
    ((pair, meeting),) = pool.tally.meetings.items()
    assert pair == (0, 1)
    assert (meeting.wins, meeting.draws, meeting.losses, meeting.pairs) == (16, 8, 0, [0, 0, 4, 0, 8])
    # Both matches played the same openings.
    assert pool.tally.openings is not None and len(pool.tally.openings) == 6
    assert pool.tally.shares_openings


def test_other_openings_are_not_shared(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    play(path, named("A", "B", seed=1))
    play(path, named("B", "C", seed=2))
    with MatchStore(path) as store:
        pool = pooled([(store, one) for one in store.matches()])
    assert pool.tally.openings is not None and len(pool.tally.openings) == 12
    assert not pool.tally.shares_openings


def test_a_game_that_two_stores_have_counts_once(tmp_path: Path) -> None:
    """A copy that went on alone, and the match that did so, too."""
    paths = tmp_path / "first.db", tmp_path / "copy.db"
    play(paths[0], named("A", "B", "C", rounds=2))
    paths[1].write_bytes(paths[0].read_bytes())
    play(paths[0], named("A", "B", "C", rounds=3))
    play(paths[1], named("A", "B", "C", rounds=4))
    with MatchStore(paths[0]) as first, MatchStore(paths[1]) as second:
        pool = pooled([(store, one) for store in (first, second) for one in store.matches()])
        alone = tally_of(second, second.matches()[0])
    assert pool.tally.games == alone.games == 24
    for pair, meeting in alone.meetings.items():
        assert (pool.tally.meetings[pair].pairs, pool.tally.meetings[pair].games) == (meeting.pairs, 8)


def test_other_settings_under_one_name_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.db"
    play(path, named("A", "B"))
    play(path, match("iago:1 name=A", "random name=<B>", rounds=1))
    page = tmp_path / "page.html"
    out = told(capsys, str(path), "--html", str(page))
    assert "A has different settings in different matches\n" in out
    assert '<p class="about">A has different settings in different matches</p>' in page.read_text()
    assert "&lt;B&gt;" in page.read_text() and "<B>" not in page.read_text()


def test_one_match_has_no_pool_and_several_stores_can_be_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / name) for name in ("first.db", "second.db")]
    for path, event in zip(paths, ("one", "two"), strict=True):
        play(Path(path), named("A", "B", rounds=1, event=event))
    assert "together" not in told(capsys, paths[0]) and "pool" not in json.loads(told(capsys, paths[0], "--json"))
    assert "together" not in told(capsys, paths[0], paths[0])
    assert main(["match", "export", *paths, "--form", "csv"]) == 0
    assert capsys.readouterr().out.count("\n") == 1 + 4


# -- openings that pairings share --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_most_intervals_cover_the_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command `scripts/measure rating-intervals` does the same with more matches."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    coverage = importlib.import_module("_measure.rating_intervals").coverage
    by_opening, by_pair = coverage(matches=120, openings=30, samples=200)
    assert 0.92 <= by_opening <= 0.985
    assert by_pair < by_opening


def test_openings_that_decide_everything_are_the_units() -> None:
    """Ten openings that A wins against all, ten that it loses against all: its games tell of 20 openings, not of 60."""
    openings: list[list[PairScore]] = [[(0, other, float(number % 2)) for other in (1, 2, 3)] for number in range(20)]
    by_opening = ratings_by_opening(4, openings)
    by_pair = ratings(4, {(0, other): (10, 0, 0, 0, 10) for other in (1, 2, 3)})
    assert [rating.elo for rating in by_opening] == [rating.elo for rating in by_pair]
    assert by_opening[0].error == pytest.approx(by_pair[0].error * math.sqrt(3), rel=0.15)


def test_independent_openings_give_the_errors_of_pairs() -> None:
    scores = [0.0, 0.5, 0.5, 1.0, 0.25, 0.75] * 20
    openings: list[list[PairScore]] = [[(number % 2, 2, score)] for number, score in enumerate(scores)]
    results = {(player, 2): [scores[player::2].count(value / 4) for value in range(5)] for player in (0, 1)}
    for anchors in (None, {2: 1500.0}):
        for one, other in zip(ratings_by_opening(3, openings, anchors), ratings(3, results, anchors), strict=True):
            assert one.elo == pytest.approx(other.elo)
            assert one.error == pytest.approx(other.error, rel=0.1)


@pytest.mark.parametrize("lost", [3, 9])
def test_the_order_of_the_openings_changes_no_error(lost: int) -> None:
    openings: list[list[PairScore]] = [[(0, 1, 0.25 if number == lost else 0.75)] for number in range(10)]
    first = ratings_by_opening(2, openings[lost:] + openings[:lost])[0]
    assert ratings_by_opening(2, openings)[0].error == pytest.approx(first.error, rel=0.1)


@pytest.mark.parametrize(
    ("openings", "errors"),
    [
        ([[(0, 1, 0.5), (1, 2, 0.5)]] * 5, [math.inf, math.inf, math.inf]),
        ([[(0, 1, 1.0), (1, 2, 1.0)]], [math.inf, math.inf, math.inf]),
    ],
)
def test_openings_that_tell_nothing_give_no_interval(openings: list[list[PairScore]], errors: list[float]) -> None:
    assert [rating.error for rating in ratings_by_opening(3, openings)] == errors


def test_players_without_games_and_without_an_anchor_have_no_interval() -> None:
    openings: list[list[PairScore]] = [[(0, 1, score), (2, 3, score)] for score in (0.0, 1.0, 0.5, 0.75)]
    found = ratings_by_opening(5, openings, {0: 1000.0})
    assert [math.isfinite(rating.error) for rating in found] == [True, True, False, False, False]
    assert found[0].error == 0


def test_without_numpy_the_report_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.db"
    play(path, named("A", "B", "C"))
    with MatchStore(path) as store:
        tally = tally_of(store, store.matches()[0])
    by_opening = rated(3, tally)
    monkeypatch.setattr(report, "has_numpy", lambda: False)
    assert "without NumPy, ± ignores that pairings share openings: " in told(capsys, str(path))
    assert [one.elo for one in rated(3, tally)] == [one.elo for one in by_opening]
    assert [one.error for one in rated(3, tally)] != [one.error for one in by_opening]
