"""`match report --html` and `--json`: what others wrote stays text, and the numbers are those of the tables."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from othello_bot.arena import page as page_module
from othello_bot.arena.config import EngineConfig, MatchConfig, PlayerKind
from othello_bot.arena.match import Match
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.sprt import Sprt
from othello_bot.arena.store import MatchStore
from othello_bot.base.notation import Color
from othello_bot.cli import main
from tests.arena.builders import LegalGames, Silent, SimulatedBackend, odd_games

ODD = "</script><b onclick='x'>$&{name}\x1b[31m & \"you\" %s"
NAMES = (ODD, "two")


class Tags(HTMLParser):
    """All tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store with a match that the first engine wins three times out of four."""
    engines = tuple(EngineConfig(name, PlayerKind.STRATEGY, strategy="random") for name in NAMES)
    config = MatchConfig(engines=engines, rounds=12, sprt=Sprt(0, 10))
    path = tmp_path / "matches.db"
    with MatchStore(path) as opened:
        lost = SimulatedBackend(
            lambda job: Color.WHITE if (job.black.name == ODD) is (job.task.round % 4 > 0) else Color.BLACK,
            detail="\x1b[2J<img src=x>",
        )
        legal = LegalGames(lost)
        Match(config, RandomOpenings(8, 1), opened, legal).run(Silent())
    return path


def test_the_page_shows_every_text_as_it_is(store: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert main(["match", "report", str(store), "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    names = [tag for tag, _ in tags.tags]
    assert names.count("script") == 2 and not {"b", "img"} & set(names)
    assert not any(name.startswith("on") for _, attributes in tags.tags for name, _ in attributes)
    assert "\x1b" not in text and "\\x1b[2J&lt;img" in text
    assert names.count("svg") == 2  # Elo and LLR
    assert re.search(r"Elo \+\d.*3 0 0 0 9.*LLR \+\d", text)
    assert "http" not in text.replace("http-equiv", "")
    (data,) = re.findall(r'<script type="application/json">(.*?)</script>', text)
    games = json.loads(data)
    assert len(games) == 24 and names.count("button") == 24 + 4
    assert games[0]["black"].startswith("</script><b onclick='x'>$&{name}")
    assert games[0]["moves"][-1]["told"] == "+2, 0.01 s, 1.0 s left"
    assert games[0]["opening"] == 8 and set(games[0]["start"]) == set("XO-")


def test_graphs_stay_within_their_frame_and_end_above_the_number_of_games(store: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert main(["match", "report", str(store), "--html", str(page)]) == 0
    for graph in re.findall(r"<svg .*?</svg>", page.read_text(encoding="utf-8")):
        width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', graph)[0])
        places = [(float(x), float(y)) for x, y in re.findall(r'([\d.-]+)(?:,|" y=")([\d.-]+)', graph)]
        assert all(0 <= x <= width and 0 <= y <= height for x, y in places)
        (label,) = re.findall(r'<text x="(\d+)"[^>]*>24 games</text>', graph)
        assert max(x for x, _ in places) == int(label)


def test_every_board_replays_to_the_end_of_its_game(tmp_path: Path) -> None:
    """`odd_games` has passes on both sides, forfeits, a start of its own, and a game that ended in its opening."""
    path = tmp_path / "odd.db"
    ends = odd_games(path)
    page = tmp_path / "page.html"
    assert main(["match", "report", str(path), "--html", str(page)]) == 0
    (data,) = re.findall(r'<script type="application/json">(.*?)</script>', page.read_text(encoding="utf-8"))
    games = json.loads(data)
    assert len(games) == len(ends)
    for game, end in zip(games, ends, strict=True):
        board = list(game["start"])
        for move in game["moves"]:
            assert (move["at"] < 0) is (move["name"] == "pass")
            for square in [move["at"], *move["flips"]] if move["at"] >= 0 else ():
                board[square] = move["color"]
        assert "".join(board) == end
        assert game["opening"] <= len(game["moves"])
    assert sum(move["at"] < 0 for game in games for move in game["moves"]) >= 3


def test_the_numbers_for_programs_are_those_of_the_tables(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "report", str(store)]) == 0
    shown = capsys.readouterr().out
    assert main(["match", "report", str(store), "--json"]) == 0
    (match,) = json.loads(capsys.readouterr().out)["matches"]
    first, second = match["engines"]
    assert (first["name"], second["name"]) == NAMES
    assert (match["games"], first["won"], first["lost"], second["won"]) == (24, 18, 6, 6)
    assert f"{first['elo']:+.1f}" in shown and f"{first['low']:+.1f} to {first['high']:+.1f}" in shown
    (meeting,) = match["meetings"]
    assert meeting["pairs"] == [3, 0, 0, 0, 9]
    assert f"Elo {meeting['elo']['value']:+.1f}" in shown
    assert f"LLR {meeting['sprt']['llr']:+.2f}" in shown and meeting["sprt"]["verdict"] in shown
    assert match["endings"] == {"resignation": 24}


def test_infinite_numbers_are_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engines = tuple(EngineConfig(name, PlayerKind.STRATEGY, strategy="random") for name in NAMES)
    path = tmp_path / "matches.db"
    with MatchStore(path) as opened:
        backend = SimulatedBackend(lambda job: Color.WHITE if job.black.name == "two" else Color.BLACK)
        Match(MatchConfig(engines=engines, rounds=2), RandomOpenings(8, 1), opened, LegalGames(backend)).run(Silent())
    assert main(["match", "report", str(path), "--json"]) == 0
    told = capsys.readouterr().out
    assert "Infinity" not in told and "NaN" not in told
    elo = json.loads(told)["matches"][0]["meetings"][0]["elo"]
    assert (elo["value"], elo["low"], elo["no_interval"]) == (None, None, "")
    assert elo["high"] == pytest.approx(216.24, abs=0.01)


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (-383.4, 0.0, [-400, -300, -200, -100, 0]),
        (-0.2, 0.3, [-0.2, 0, 0.2, 0.4]),
        (0.0, 0.0, [0, 0.2]),
        (-2.94, 2.94, [-4, -2, 0, 2, 4]),
    ],
)
def test_an_axis_has_round_marks(low: float, high: float, marks: list[float]) -> None:
    assert page_module._marks(low, high) == marks


def test_the_first_errors_do_not_decide_the_scale_of_a_graph() -> None:
    band = [(number, -1000.0 / number, 1000.0 / number) for number in range(1, 101)]
    graph = page_module._graph("Elo by game", 100, ["A"], [[(number, 0.0) for number in range(1, 101)]], band)
    assert re.findall(r"<text [^>]*>([^<]*)</text>", graph) == ["-20", "-10", "0", "+10", "+20", "100 games"]
