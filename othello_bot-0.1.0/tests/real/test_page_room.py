"""How the page uses its room, what it asks and tells, and the way from mistake to mistake, in a real Chromium."""

from __future__ import annotations

import pytest

from tests.real.browser import Page
from tests.real.test_page import ASKED, GAME, address, browser, page
from tests.real.test_page_games import speak
from tests.rules.strategies import random_game

__all__ = ["address", "browser", "page"]  # fixtures

LONG = random_game(7).transcript()
"""A game with more than 26 moves that lost discs."""


def place(page: Page) -> str:
    return page.text("#mistake-place")


def scrolled_through(page: Page) -> bool:
    return bool(page.run("return [...document.querySelectorAll('.slip')].at(-1).getBoundingClientRect().top < 700"))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_board_is_as_high_as_the_window_and_the_moves_stand_beside_the_cards(page: Page, language: str) -> None:
    page.resize(1366, 768)
    speak(page, language)
    _, top, width, height = page.place("#board")
    assert width == height > 640 and top + height <= 768
    page.review(LONG)
    assert len(page.all(".slip")) >= 26
    page.run("window.scrollTo(0, document.documentElement.scrollHeight)")
    page.until(lambda: scrolled_through(page))
    x, y, width, height = page.place("#moves-panel")
    assert y >= 0 and y + height <= 768 and height > 120
    assert x + width <= page.place(".slip")[0] and x >= sum(page.place("#board")[::2])
    page.resize(1300, 900)  # less wide: above the cards, where it stays in sight
    page.until(lambda: page.all("#side > #moves-panel"))
    page.run("window.scrollTo(0, document.documentElement.scrollHeight)")
    page.until(lambda: 0 <= page.place("#moves-panel")[1] < 40)


@pytest.mark.parametrize("size", [(1366, 768), (1180, 800), (1024, 768), (390, 844), (844, 390)])
def test_mistakes_are_visited_by_key_and_by_button(page: Page, size: tuple[int, int]) -> None:
    page.resize(*size, mobile=size[0] < 1000)
    page.review(LONG)
    page.press("m")
    page.until(lambda: place(page).startswith("1 of "))
    if size[0] > 1000:  # in sight without scrolling
        page.run("window.scrollTo(0, 0)")
        _, y, _, height = page.place("#next-mistake")
        assert page.place("#board")[1] >= 0 and y + height <= size[1]
    page.click("#next-mistake")
    page.until(lambda: place(page).startswith("2 of "))
    assert "lost" in page.status
    assert page.run("return document.querySelector('.slip[aria-current]') !== null")
    page.click("#previous-mistake")
    page.until(lambda: place(page).startswith("1 of "))
    page.press("M")
    assert place(page).startswith("1 of ") and not page.all("#previous-mistake:enabled")
    for button in ("#next-mistake", "#board"):
        x, y, width, height = page.place(button)
        assert x >= 0 and x + width <= size[0] and y >= 0
        assert y + height <= size[1] or button == "#board"
    everyone = place(page)
    page.run("document.querySelector('[name=slips-of][value=O]').click()")
    page.until(lambda: place(page) != everyone)
    page.press("m")
    page.until(lambda: "White to move" in page.status)
    page.mode("learn")
    page.until(lambda: not page.all("#mistakes:not([hidden])"))


def test_a_new_game_asks_before_it_gives_up_the_one_in_play(page: Page) -> None:
    page.click("#new-game")
    assert not page.all("dialog.asking")
    before = page.play()
    page.click("#new-game")
    page.until(lambda: page.all("dialog.asking[open]"))
    page.press("\ue00c")
    page.until(lambda: not page.all("dialog.asking"))
    assert page.moves == before
    page.new_game()
    page.until(lambda: not page.moves)


def test_a_message_closes_by_itself_or_when_asked_to(page: Page, address: str) -> None:
    def failed() -> None:
        page.set("start", "balanced")
        page.click("#new-game")
        page.until(lambda: page.text("#banner-said").startswith("The openings could not be loaded"))
        assert page.text("#banner-closes")

    page.run("window.fetch = () => Promise.reject(new Error()); const wait = window.setTimeout;")
    failed()
    page.press("\ue00c")
    page.until(lambda: page.all("#banner[hidden]"))
    failed()
    page.click("#banner-close")
    page.until(lambda: page.all("#banner[hidden]"))
    page.run("const wait = window.setTimeout; window.setTimeout = (act, ms) => wait(act, ms / 100)")
    page.hover("h1")
    page.set("start", "balanced")
    page.click("#new-game")
    page.hover("h1")
    page.until(lambda: page.text("#banner-said") == "" and page.all("#banner[hidden]"))


def test_learn_and_review_judge_at_the_same_level_and_find_the_same_losses(page: Page) -> None:
    def losses() -> list[str]:
        found = page.run("return [...document.querySelectorAll('.move')].map(one => one.getAttribute('aria-label'))")
        return list(found)

    def judged() -> list[int]:
        return [one["level"] for one in page.run("return window.asked") if one["do"] == "review"]

    page.review(GAME)
    reviewed = losses()
    assert any("lost" in one for one in reviewed)
    page.mode("play")
    page.side("both")
    page.run(ASKED)
    page.mode("learn")
    for at in range(0, len(GAME), 2):
        page.press(*GAME[at : at + 2])
        page.until(lambda at=at: page.moves == GAME[: at + 2])  # type: ignore[misc]
    page.until(lambda: losses() == reviewed)
    assert set(judged()) == {8}
