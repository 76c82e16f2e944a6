"""Ratings over several matches and stores, and intervals that account for shared openings."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot.arena.adjudication import Ending, GameOutcome
from othello_bot.arena.config import MatchConfig, OpeningConfig, OpeningOrder
from othello_bot.arena.display import MatchWords
from othello_bot.arena.games import GameJob, GameReport
from othello_bot.arena.match import Match, game_tasks
from othello_bot.arena.openings import RandomOpenings, load
from othello_bot.arena.report import pooled, tally_of
from othello_bot.arena.store import MatchStore
from othello_bot.arena.tally import opening_key
from othello_bot.base.notation import Color
from othello_bot.cli import main
from othello_bot.rules import Position
from tests.arena.builders import Impatient, LegalGames, Silent, SimulatedBackend, match

Loser = Callable[[GameJob], Color | None]


def alternating(job: GameJob) -> Color | None:
    """Let the first name in the alphabet win two rounds of three, and draw the third one."""
    if job.task.round % 3 == 2:
        return None
    return Color.WHITE if job.black.name < job.white.name else Color.BLACK


def play(path: Path, config: MatchConfig, loser: Loser = alternating) -> None:
    """Play a match with simulated games."""
    with MatchStore(path) as store:
        Match(config, RandomOpenings(8, config.seed), store, LegalGames(SimulatedBackend(loser))).run(Silent())


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
    assert len(pool.tally.openings) == 6


def test_other_openings_are_not_shared(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    play(path, named("A", "B", seed=1))
    play(path, named("B", "C", seed=2))
    with MatchStore(path) as store:
        pool = pooled([(store, one) for one in store.matches()])
    assert len(pool.tally.openings) == 12


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


def test_two_names_of_one_player_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.db"
    play(path, match("iago:1 name=new", "random name=A", rounds=1))
    play(path, match("iago:1 name=old", "random name=A", rounds=1))
    note = "new and old have the same settings: perhaps one player under two names"
    text, page, notes = everywhere(capsys, path)
    assert f"{note}\n" in text and f'<p class="about">{note}</p>' in page and note in notes


# -- results that say little ------------------------------------------------------------------------------------------


def everywhere(capsys: pytest.CaptureFixture[str], path: Path) -> tuple[str, str, list[str]]:
    """Return the text, the page and the notes of the JSON that `match report` makes of a store."""
    file = path.with_suffix(".html")
    text = told(capsys, str(path), "--html", str(file))
    facts = json.loads(told(capsys, str(path), "--json"))
    return text, file.read_text("utf-8"), facts.get("pool", facts["matches"][0])["notes"]


def test_a_single_game_has_a_bound_and_says_how_it_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.db"
    with MatchStore(path) as store, pytest.raises(KeyboardInterrupt):
        backend = SimulatedBackend(lambda job: Color.WHITE, slots=1)
        Match(named("A", "B"), RandomOpenings(8, 1), store, LegalGames(backend)).run(Impatient(1))
    text, page, notes = everywhere(capsys, path)
    assert "A against B: +1 =0 -0, 1 of 1 point (100.0 %)\n" in text
    # An opening in twenty is lost by chance at the bound: 400 log10(19).
    assert "Elo above -511.5, normalised Elo - (no pair of games), 95 %\n" in text
    assert "superior with 50.0 % probability" in text
    note = "1 game has no other game of its pair yet: it counts in the score and the rating alone"
    assert f"{note}\n" in text and f'<p class="about">{note}</p>' in page and note in notes
    assert "95 %: profile likelihood, with 1 opening as the unit" in notes


class Crashes(SimulatedBackend):
    """Ends the games of one engine by its crashes; chance decides the others."""

    def __init__(self, name: str) -> None:
        super().__init__(self._loser, detail="no memory")
        self._name = name

    def _loser(self, job: GameJob) -> Color | None:
        names = [job.black.name, job.white.name]
        self._ending = Ending.CRASH if self._name in names else Ending.RESIGNATION
        return Color(names.index(self._name)) if self._name in names else mixed(job)


@pytest.mark.parametrize(
    ("names", "note"),
    [
        (("A", "B"), "all games were lost by failures: the ratings say nothing of how well the engines play"),
        (
            ("A", "B", "C", "D"),
            "failures decided all games of A - B, B - C, B - D: these results say nothing of how well the engines play",
        ),
    ],
)
def test_a_meeting_with_failures_alone_is_told(
    names: tuple[str, ...], note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.db"
    with MatchStore(path) as store:
        Match(named(*names, rounds=12), RandomOpenings(8, 1), store, LegalGames(Crashes("B"))).run(Silent())
    text, page, notes = everywhere(capsys, path)
    assert f"{note}\n" in text and f'<p class="about">{note}</p>' in page and note in notes
    # One that lost everything has a bound, and no interval of width 0 stands anywhere.
    assert re.search(r"^B +- +below [+-]\d", text, re.MULTILINE)
    facts = json.loads(told(capsys, str(path), "--json"))["matches"][0]["engines"]
    assert all(one["low"] is None or one["low"] < (one["high"] or 1e9) for one in facts)
    assert [one["no_interval"] for one in facts] == (["fixed", ""] if len(names) == 2 else ["", "", "", ""])


# -- openings ---------------------------------------------------------------------------------------------------------


def test_openings_that_repeat_are_few_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty rounds of four openings, of which two have the same position: the table says so and has no interval."""
    games = tmp_path / "openings.txt"
    games.write_text("f5d6c3d3c4\nf5d6c4d3c3\nf5f6e6f4e3\nf5d6c5f4d3\n")
    path = tmp_path / "m.db"
    config = named("A", "B", rounds=20, openings=OpeningConfig(str(games), order=OpeningOrder.SEQUENTIAL))
    with MatchStore(path) as store:
        Match(config, load(config.openings, 1), store, LegalGames(SimulatedBackend(alternating))).run(Silent())
    out = told(capsys, str(path))
    assert "40 games" in out
    assert "95 %: profile likelihood, with 3 openings as units\n" in out
    assert "no interval for A, B: fewer than 10 openings\n" in out
    facts = json.loads(told(capsys, str(path), "--json"))["matches"][0]
    assert {(one["low"], one["high"], one["no_interval"]) for one in facts["engines"]} == {
        (None, None, "fewer than 10 openings")
    }


@pytest.mark.parametrize(
    "openings", [("f5d6c3", "f5f6e6f4", "d3c5"), ("d3c3c4e3", "c4c3d3c5"), ("f5d6c3d3c4", "f5d6c4d3c3")]
)
def test_openings_are_told_apart_by_their_positions(openings: tuple[str, ...]) -> None:
    """Also where the board is turned, and where the moves come in another order."""
    start = Position.start().to_string()
    keys = [opening_key(f"{start} {one}") for one in openings]
    assert len(set(keys)) == (1 if len(openings) == 2 else 3)
    assert opening_key(f"{start} z9") == f"{start} z9"


def test_the_table_of_a_match_and_its_report_are_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.db"
    config = named("A", "B", "C", rounds=12)
    with MatchStore(path) as store:
        going = Match(config, RandomOpenings(8, 1), store, LegalGames(SimulatedBackend(mixed)))
        going.run(Silent())
        shown = MatchWords().final(going)
    out = told(capsys, str(path))
    assert "\n".join(shown) in out
    assert re.search(r"^A +[+-][\d.]+ +[+-][\d.]+ to [+-][\d.]+ +48 ", out, re.MULTILINE)


def mixed(job: GameJob) -> Color | None:
    """Let chance decide, the same for a job each time."""
    return random.Random(f"{job.task}").choice([Color.BLACK, Color.WHITE, None])


def test_groups_that_never_met_are_said_to_be_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.db"
    play(path, named("A", "B", rounds=12), mixed)
    play(path, named("C", "D", rounds=12), mixed)
    out = told(capsys, str(path))
    page = tmp_path / "page.html"
    assert main(["match", "report", str(path), "--html", str(page)]) == 0
    assert '<p class="about">2 groups never met: ratings compare within a group</p>' in page.read_text("utf-8")
    together = out[out.index("all matches together") :]
    assert "2 groups never met: ratings compare within a group\n" in together
    assert re.search(r"^A +1 ", together, re.MULTILINE) and re.search(r"^D +2 ", together, re.MULTILINE)


def test_one_game_and_failures_alone_have_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.db"
    with MatchStore(path) as store:
        stored = store.open_match(named("A", "B", rounds=1), "here")
        task = next(iter(game_tasks(named("A", "B", rounds=1))))
        crash = GameOutcome(Ending.CRASH, Color.BLACK, None, "gone")
        store.add(stored.id, GameReport(task, RandomOpenings(8, 1).of_round(0), (), crash))
    out = told(capsys, str(path))
    assert "1 game has no other game of its pair yet: it counts in the score and the rating alone\n" in out
    assert "all games were lost by failures: the ratings say nothing of how well the engines play\n" in out
