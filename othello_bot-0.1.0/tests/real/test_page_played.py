"""The panel of played games in Learn, in a real Chromium, also in the width of a telephone and in Japanese."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from othello_bot.explorer import Builder, Players
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from tests.explorer.games import built
from tests.real.browser import Page, chromium, served
from tests.real.test_page_games import speak

GAMES = (
    ("f5d6c3d3", "Rose", "Tom", "1999", 4.0, 1700.0),
    ("d3c5d6", "Ann", "Rose", "2010", -4.0, 1500.0),
    ("f5f6", "Tom", "Ann", "2020", 0.0, None),
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path: Path = tmp_path_factory.mktemp("base") / "games.base"
    records = [
        GameRecord(Game.from_transcript(moves), black, white, rating, rating, date=date, result=result)
        for moves, black, white, date, result, rating in GAMES
    ]
    built(path, records).close()
    with Builder(path, programs=Players(names={"tom"})):
        pass
    with served("--port", "0", "--base-file", str(path)) as address, chromium() as browser:
        yield Page(browser, address)


def moves(page: Page) -> list[str]:
    script = "return [...document.querySelectorAll('#played-moves button')].map(one => one.getAttribute('aria-label'))"
    return list(page.run(script))


def test_moves_are_played_games_are_opened_and_filters_are_kept(page: Page) -> None:
    page.mode("learn")
    page.click("#played summary")
    page.until(lambda: moves(page) == ["f5: 3 games, 1 won, 1 drawn, 1 lost"])
    widths = page.run(
        "return [...document.querySelectorAll('.results i')].map(one => Math.round(one.getBoundingClientRect().width))"
    )
    assert widths[0] == widths[1] == widths[2] > 10  # a third of the games each
    assert page.text("#played-view") == "Bars: games that Black won, drew and lost"
    page.click("#played-moves button")
    page.until(lambda: moves(page) == ["d6: 2 games, 1 won, 0 drawn, 1 lost", "f6: 1 game, 0 won, 1 drawn, 0 lost"])
    assert page.moves == "f5"
    page.set("played-player", "rose")
    page.set("played-color", "white")
    page.until(lambda: moves(page) == ["d6: 1 game, 1 won, 0 drawn, 0 lost"])
    page.reload()
    page.until(lambda: moves(page) == ["d6: 1 game, 1 won, 0 drawn, 0 lost"])
    assert (page.value("#played-player"), page.value("#played-color")) == ("rose", "white")
    page.set("played-years", "soon")
    page.until(lambda: "not understood" in page.text("#played-told"))
    for name in ("years", "player", "color"):
        page.set(f"played-{name}", "")
    page.until(lambda: len(page.all("#played-games button")) == 3)
    page.click("#played-games li:last-child button")
    page.until(lambda: page.moves == "f5d6c3d3")
    assert "Rose" in page.text("#table") + page.text("main")


def told_games(page: Page, games: int) -> None:
    page.until(lambda: page.text("#played-told") == f"{games} game{'s' * (games > 1)}")


FILTERS = (
    ({"player": "rose", "opponent": "tom"}, 1),
    ({"opponent": "rose"}, 2),
    ({"result": "draw"}, 1),
    ({"rating": "1600-"}, 1),
    ({"between": "people"}, 1),
    ({"between": "both", "result": "black"}, 1),
)


def test_every_filter_chooses_games_and_is_kept(page: Page) -> None:
    page.run("document.querySelector('#played').open = true")
    page.mode("learn")
    page.press(Keys.HOME)
    told_games(page, 3)
    for chosen, games in FILTERS:
        for name, value in chosen.items():
            page.set(f"played-{name}", value)
        told_games(page, games)
        page.reload()
        told_games(page, games)
        for name, value in chosen.items():
            assert page.value(f"#played-{name}") == value
            page.set(f"played-{name}", "")
        told_games(page, 3)


def test_it_fits_a_telephone_and_speaks_japanese(page: Page) -> None:
    page.resize(360, 740, mobile=True)
    speak(page, "ja")
    page.mode("learn")
    page.until(lambda: page.all("#played-moves button"))
    assert page.run("return document.documentElement.scrollWidth") <= 360
    assert "実戦" in page.text("#played summary")
    page.set("played-result", "white")
    page.set("played-between", "people")
    page.until(lambda: page.text("#played-told") == "1局")
    shown = page.run(
        "return [...document.querySelectorAll('.played-by *')].map(one => one.getBoundingClientRect().right)"
    )
    assert max(shown) <= 360
    for name in ("result", "between"):
        page.set(f"played-{name}", "")
    speak(page, "en")


def test_games_are_turned_to_their_end_and_back(tmp_path: Path) -> None:
    records = [GameRecord(Game.from_transcript("f5d6"), "Ann", "Bo", date=str(2000 + year)) for year in range(16)]
    built(tmp_path / "base", records).close()
    with served("--port", "0", "--base-file", str(tmp_path / "base")) as address, chromium() as browser:
        page = Page(browser, address)
        page.mode("learn")
        page.click("#played summary")
        for first in (2015, 2007, 2015):
            page.until(lambda: str(first) in page.text("#played-games li:first-child"))  # noqa: B023 - asked at once
            assert len(page.all("#played-games li")) == 8
            page.click("#played-more")
