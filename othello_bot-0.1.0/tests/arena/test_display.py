"""What is shown while a match is played, and which display is chosen."""

from __future__ import annotations

import io
import shlex
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from othello_bot.arena import display as display_module
from othello_bot.arena.adjudication import Ending
from othello_bot.arena.display import LiveDisplay, PlainDisplay, display_of, game_line
from othello_bot.arena.errors import MissingExtra
from othello_bot.arena.match import Match, game_tasks
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.store import MatchStore
from othello_bot.base.notation import Color
from tests.arena.builders import OPENING, SimulatedBackend, match, report_of


def drawn(store: MatchStore, observer: PlainDisplay | LiveDisplay, *specs: str, **settings: Any) -> Match:
    """Play a match that ends in draws."""
    backend = SimulatedBackend(lambda job: None)
    going = Match(match(*specs, rounds=6, **settings), RandomOpenings(8, 1), store, backend)
    going.run(observer)
    return going


def test_every_so_many_games_have_a_line(store: MatchStore) -> None:
    lines: list[str] = []
    drawn(store, PlainDisplay(lines.append, every=5))
    assert [line.split(":")[0] for line in lines if line.startswith("game ")] == ["game 5 of 12", "game 10 of 12"]


def test_the_standing_of_a_tournament_is_its_players_with_their_ratings(store: MatchStore) -> None:
    lines: list[str] = []
    specs = ("random name=A", "random name=B", "random name=C")
    drawn(store, PlainDisplay(lines.append, every=5), *specs, format="round-robin")
    standing = "\n  A +0.0 (no interval); B +0.0 (no interval); C +0.0 (no interval)\n"
    assert [line.startswith("game ") + line.count(standing) for line in lines if "game " in line] == [
        1,
        2,
        1,
        2,
        1,
        2,
        1,
    ]


def frame_of(
    store: MatchStore, monkeypatch: pytest.MonkeyPatch, *specs: str, columns: int = 150, **settings: Any
) -> str:
    """Return the live table of a match after half of its games, which took a minute and a half."""
    console = pytest.importorskip("rich.console")
    terminal = io.StringIO()
    live = LiveDisplay(lambda text: None, console.Console(file=terminal, force_terminal=True, width=columns))
    monkeypatch.setattr(display_module, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    going = drawn(store, live, *specs, **settings)
    going.tally.games //= 2
    monkeypatch.setattr(display_module, "time", SimpleNamespace(monotonic=lambda: 1090.0))
    terminal.truncate(0)
    live.refresh()
    frame = terminal.getvalue()
    live.end()
    return frame


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_a_narrow_live_table_breaks_no_name(columns: int, store: MatchStore, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = ("random name=egaroucid-level-10", "random name=edax-4.6-level-12", "random name=C")
    frame = frame_of(store, monkeypatch, *specs, columns=columns, format="round-robin")
    rows = [line for line in frame.splitlines() if line.startswith(("egaroucid", "edax-4.6", "C  "))]
    assert [row.split()[0] for row in rows[:3]] == ["egaroucid-level-10", "edax-4.6-level-12", "C"]
    assert max(map(len, rows)) <= columns


def test_the_live_table_tells_the_time_left(store: MatchStore, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "6 of 12 games, about 2 min left" in frame_of(store, monkeypatch)


def test_the_live_table_has_the_meeting_of_two_engines(store: MatchStore, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "A against B: +0 =12 -0" in frame_of(store, monkeypatch)


def test_the_live_table_of_a_tournament_has_no_meetings(store: MatchStore, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = ("random name=A", "random name=B", "random name=C")
    assert "against" not in frame_of(store, monkeypatch, *specs, format="round-robin")


@pytest.mark.parametrize(
    ("discs", "words"), [(30, "black wins by 30"), (-22, "white wins by 22"), (0, "draw"), (None, "white wins (time)")]
)
def test_the_line_of_a_game_says_who_wins_by_how_much(store: MatchStore, discs: int | None, words: str) -> None:
    task = next(game_tasks(match()))
    lost = {"ending": Ending.TIME, "loser": Color.BLACK} if discs is None else {}
    stored = store.open_match(match(), "here")
    store.add(stored.id, report_of(task, OPENING, OPENING.game(), discs=discs, **lost))
    (result,) = store.results(stored.id)
    going = Match(match(), RandomOpenings(8, 1), store, SimulatedBackend(lambda job: None))
    assert game_line(going, result) == f"game 0 of 100: A - B (opening 1): {words}"


@pytest.mark.parametrize("name", ["[bold]x[/]", "[/]", "[link=http://x]y", ":smile:", "[red", "[[x]]", "x\\[b]"])
def test_the_live_table_shows_names_as_they_are(name: str, store: MatchStore, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = frame_of(store, monkeypatch, f"random name={shlex.quote(name)}", "random name=B")
    assert f"{name} against B" in frame
    assert any(line.startswith(f"{name} ") for line in frame.splitlines())


@pytest.mark.parametrize(
    ("wanted", "terminal", "live"),
    [
        ("live", False, True),
        ("auto", True, True),
        ("auto", False, False),
        ("plain", True, False),
        ("quiet", True, False),
    ],
)
def test_the_live_display_is_for_terminals_unless_it_is_asked_for(
    wanted: str, terminal: bool, live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("rich")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: terminal))
    assert isinstance(display_of("match", wanted, 1), LiveDisplay) is live


def test_a_terminal_that_cannot_rewrite_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A live table would show nothing there until the end."""
    pytest.importorskip("rich")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: True))
    assert isinstance(display_of("match", "auto", 1), PlainDisplay)
    assert isinstance(display_of("match", "live", 1), LiveDisplay)


def test_without_rich_a_terminal_gets_plain_lines_and_is_told_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "rich.live", None)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: True))
    assert isinstance(display_of("match", "auto", 1), PlainDisplay)
    assert capsys.readouterr().err.startswith("othello-bot match: plain lines: ")
    with pytest.raises(MissingExtra, match=r"needs rich; install it with: .* -m pip install -e "):
        display_of("match", "live", 1)
