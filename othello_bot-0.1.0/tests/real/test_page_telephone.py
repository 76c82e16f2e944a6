"""The page on telephones, in a real Chromium: what a finger hits, and what stays in sight while one scrolls."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys

from tests.real.browser import Page, served
from tests.real.test_page import GAME, SMALL, address, browser, page
from tests.real.test_page_controls import BOARD, HOLDS, MODES, telephone, touch
from tests.real.test_page_games import import_base, nothing_kept
from tests.rules.strategies import random_game

__all__ = ["address", "browser", "nothing_kept", "page"]  # fixtures

SMALL_TARGETS = """
    const fields = "button:not(.cell), select, input:not(.hidden, [readonly]), summary, label.button";
    const shown = [...document.querySelectorAll(fields)].filter((one) => one.checkVisibility());
    const box = (one) => (/radio|checkbox/.test(one.type) ? one.closest("label") : one).getBoundingClientRect();
    const small = (one) => Math.min(box(one).width, box(one).height) < 43.5;
    return shown.filter(small).map((one) => one.outerHTML.slice(0, 90));
"""
"""What a finger of 44 pixels does not hit safely."""


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize(("width", "height"), [(932, 430), (667, 375), (390, 844)])
def test_a_finger_hits_every_button_and_field(page: Page, width: int, height: int) -> None:
    page.review(GAME)
    page.mode("games")
    page.click("#keep-game")
    page.until(lambda: page.all(".delete"))
    telephone(page, width, height)
    page.run("document.querySelector('[name=side][value=none]').click()")
    for mode in MODES:
        page.mode(mode)
        assert (mode, page.run(SMALL_TARGETS)) == (mode, [])
    for name in ("share", "keys"):
        page.click(f"#{name}-button")
        assert (name, page.run(SMALL_TARGETS)) == (name, [])
        page.press(Keys.ESCAPE)


def test_a_flat_telephone_keeps_board_and_tabs_in_sight_while_it_scrolls(page: Page) -> None:
    page.review(GAME)
    telephone(page, 932, 430)
    before = page.run(BOARD)
    page.run("document.querySelector('.slips li:last-child').scrollIntoView()")
    assert page.run("return window.scrollY") > 400
    assert page.run(BOARD) == before
    touch(page, "#tab-games")
    page.until(lambda: page.all("#panel-games:not([hidden])"))


def scrolled(page: Page, place: int) -> bool:
    return bool(page.run(f"return Math.abs(window.scrollY - {place}) < 2"))


def test_a_mode_is_found_where_it_was_left_and_another_game_begins_at_its_top(page: Page) -> None:
    page.review(GAME)
    telephone(page, 932, 430)
    page.run("window.scrollTo(0, 500)")
    page.press("2")
    page.until(lambda: scrolled(page, 0))
    page.press("3")
    page.until(lambda: scrolled(page, 500))
    page.press("1")
    page.until(lambda: scrolled(page, 0))
    touch(page, "#new-game")
    page.until(lambda: not page.moves and scrolled(page, 0))


def test_the_list_of_keys_begins_at_its_top_and_a_touch_beside_it_closes_it(page: Page) -> None:
    telephone(page, 667, 375)
    touch(page, "#keys-button")
    page.until(lambda: page.all("#keys[open]"))
    assert page.run("const all = document.getElementById('keys'); return [all.scrollTop, all.scrollHeight > 375]") == [
        0,
        True,
    ]
    touch(page, "h1")
    page.until(lambda: not page.all("#keys[open]"))


def test_a_card_that_is_chosen_again_plays_out_the_better_line(page: Page) -> None:
    page.review(GAME)
    telephone(page, 932, 430)
    for _ in "12":
        assert not page.all(".number:not(:empty)")
        touch(page, ".slip")
        page.until(lambda: page.all(".slip[aria-current=true]"))
    page.until(lambda: len(page.all(".number:not(:empty)")) >= 3)


@pytest.mark.parametrize(("width", "height"), [(932, 200), (667, 200), (466, 215)])
def test_a_low_window_has_a_square_board_for_a_finger(page: Page, width: int, height: int) -> None:
    page.paste(GAME)
    page.until(lambda: page.moves == GAME)
    telephone(page, width, height)
    for mode in MODES:
        page.mode(mode)
        wide, high = page.run(
            "const board = document.getElementById('board'); return [board.offsetWidth, board.offsetHeight]"
        )
        assert (mode, abs(wide - high) <= 1, wide >= 240) == (mode, True, True), (wide, high)
        assert page.run(HOLDS), mode


@pytest.mark.usefixtures("nothing_kept")
def test_a_finger_gets_past_a_long_list_of_games(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, [random_game(seed, 60) for seed in range(30)])
    telephone(page, 932, 430)
    list_, window = page.run("return [document.querySelector('.kept').offsetHeight, window.innerHeight]")
    assert 150 < list_ < 0.7 * window


def test_a_message_covers_neither_the_board_nor_its_buttons(browser: Chrome) -> None:
    with served("--port", "0", *SMALL) as address:
        page = Page(browser, address)
    page.until(lambda: page.all("#banner:not([hidden])"))
    for width, height in ((932, 430), (844, 390), (667, 375)):
        telephone(page, width, height)
        assert page.run(COVERED) == []
    browser.get_log("browser")  # failed connections are errors to Chromium
    browser.close()
    browser.switch_to.window(browser.window_handles[0])


COVERED = """
    const box = document.getElementById("banner").getBoundingClientRect();
    const apart = (one) => one.right <= box.left || one.bottom <= box.top || one.left >= box.right || one.top >= box.bottom;
    const all = [...document.querySelectorAll("#controls button, #board, .seat")];
    return all.filter((one) => !apart(one.getBoundingClientRect())).map((one) => one.outerHTML.slice(0, 60));
"""
"""What lies below the banner."""


def test_the_page_of_an_older_server_is_loaded_anew_once_and_keeps_the_game(page: Page, address: str) -> None:
    page.side("both")
    page.square("f5")
    page.run("sessionStorage.setItem('loads', 0)")
    page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OTHER})
    page.browser.refresh()
    page.until(lambda: page.run("return sessionStorage.getItem('loads')") == "2")
    page.ready()
    page.until(lambda: page.moves == "f5" and page.run("return document.querySelectorAll('#new-game').length"))
    page.mode("puzzles")
    page.until(lambda: page.text("#puzzle-score"))
    assert page.run("return sessionStorage.getItem('loads')") == "2"


OTHER = """
    sessionStorage.setItem("loads", Number(sessionStorage.getItem("loads")) + 1);
    const { parse } = JSON;
    JSON.parse = (text) => (/"hello"/.test(text) ? { ...parse(text), edition: "0123456789" } : parse(text));
"""
"""The greeting of a server with another edition of the page, to every load of it."""
