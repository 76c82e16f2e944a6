"""Keys, touch, layout and messages of the page in a real Chromium: on a desktop, on a telephone upright and flat."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.keys import Keys

from othello_bot.web.page_files import OPENINGS
from tests.real.browser import Page, served
from tests.real.test_page import ASKED, GAME, SMALL, address, browser, page, your_turn

__all__ = ["address", "browser", "page"]  # fixtures

BOARD = """
    const { top, bottom, height } = document.getElementById("board").getBoundingClientRect();
    return [top, bottom, height];
"""
"""Top, bottom and height of the board, in pixels of the window."""

BUTTON = "[...document.querySelectorAll('button')].find(one => one.textContent === arguments[0]).click()"

PIXEL = """
    const [base64, told] = arguments;
    const image = new Image();
    image.onload = () => {
        const surface = document.createElement("canvas").getContext("2d");
        surface.drawImage(image, 0, 0);
        told([...surface.getImageData(2, 2, 1, 1).data]);
    };
    image.src = `data:image/png;base64,${base64}`;
"""
"""Red, green, blue and alpha of a point of a picture."""

MODES = ("play", "learn", "review", "puzzles", "edit", "games")

HOLDS = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def current(page: Page) -> str:
    """Return the move on the board, "" at the start."""
    return str(page.run("return document.querySelector('.move[aria-current=true]')?.firstChild.textContent ?? ''"))


def telephone(page: Page, width: int, height: int) -> None:
    page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page.resize(width, height, mobile=True)


SHORT_S = 0.05
"""Seconds of a short touch, on the clock of the screen: the page may hear of its end later."""


def _resting(page: Page, selector: str, last: list[Any]) -> Any:
    """Return the middle of an element, scrolled into view, if it is where it was the `last` time, else None."""
    middle = page.run(f"""
        const element = document.querySelector({selector!r});
        element.scrollIntoView({{ block: "center" }});
        const {{ x, y, width, height }} = element.getBoundingClientRect();
        return {{ x: x + width / 2, y: y + height / 2 }};
    """)
    rests = middle == last[0]
    last[0] = middle
    return middle if rests else None


def touch(page: Page, selector: str, *, held: Callable[[], Any] | None = None, seconds: float = SHORT_S) -> None:
    """Touch an element that stands still with a finger for some seconds; the end is told once what `held` waits for has
    come.
    """
    box = page.until(partial(_resting, page, selector, [None]))
    began = time.time()
    for kind, points, at in (("touchStart", [box], began), ("touchEnd", [], began + seconds)):
        event = {"type": kind, "touchPoints": points, "timestamp": at}
        page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)
        if held and points:
            page.until(held)


@pytest.mark.parametrize(
    "clicked",
    ["#tab-learn", "#tab-review", '[data-square="0"]', "#board", "h1", "#graph-title", "[aria-label='One move back']"],
)
def test_arrow_keys_step_wherever_the_focus_is(page: Page, address: str, clicked: str) -> None:
    page = Page(page.browser, address, f"?game={GAME}")
    page.until(lambda: current(page))
    page.click(clicked)
    page.press(Keys.HOME)
    page.until(lambda: not current(page))
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.until(lambda: current(page) == GAME[2:4])
    page.press(Keys.ARROW_LEFT)
    page.until(lambda: current(page) == GAME[:2])


def test_a_choice_made_with_the_mouse_does_not_keep_the_arrow_keys(page: Page) -> None:
    page.side("both")
    page.square("f5")
    page.all("[name=side][value=O] + span")[0].click()
    page.press(Keys.ARROW_LEFT)
    page.until(lambda: not current(page))
    assert page.run("return document.querySelector('[name=side]:checked').value") == "O"


def test_shift_with_an_arrow_chooses_a_square(page: Page) -> None:
    page.press("l")
    page.until(lambda: page.run("return document.activeElement.dataset.square") == "19")
    arrows = ActionChains(page.browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    arrows.key_up(Keys.SHIFT).perform()
    assert page.run("return document.activeElement.dataset.square") == "28"


def test_n_asks_before_it_throws_a_game_away(page: Page) -> None:
    page.press("n")
    assert not page.all("dialog.asking")
    before = page.play()
    page.press("n")
    page.until(lambda: page.all("dialog.asking[open]"))
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.all("dialog.asking"))
    assert page.moves == before
    page.press("n")
    page.until(lambda: page.all("dialog.asking[open]"))
    page.click("dialog.asking .primary")
    page.until(lambda: not page.moves)


def test_opponent_and_strength_survive_a_reload_and_a_new_tab(page: Page, address: str) -> None:
    page.run("document.querySelector('[name=side][value=O]').click()")
    page.set("strength-one", "11")
    page.set("minutes", "3")
    page.reload()
    for tab in (page, Page(page.browser, address)):
        chosen = "return ['strength-one', 'minutes'].map(id => document.getElementById(id).value)"
        assert tab.show().run(chosen) == ["11", "3"]
        assert tab.run("return document.querySelector('[name=side]:checked').value") == "O"
    tab.set("player-one", "iago")
    tab.reload()
    assert tab.value("#player-one") == "iago" and tab.all("#depth-line-one:not([hidden])")
    tab.run('localStorage.setItem(\'othello-bot settings\', \'{"choices": {"side": 7, "one": {"strength": 1e9}}}\')')
    assert Page(tab.browser, address).value("#strength-one") == "6"


def test_an_opened_game_is_played_on_against_the_opponent_that_is_set(page: Page) -> None:
    page.paste(GAME)
    page.until(lambda: page.moves == GAME)
    page.mode("play")
    page.until(lambda: page.status.startswith("Your turn (Black)"))
    page.square("f5")
    page.until(lambda: plies(page) == 2)
    assert "othello-bot" in page.text('.seat[data-side="O"] .who')


def test_play_from_here_is_against_the_opponent_that_is_set(page: Page) -> None:
    page.paste(GAME)
    page.until(lambda: page.moves == GAME)
    page.mode("edit")
    page.browser.execute_script(BUTTON, "Play from here")
    page.until(lambda: your_turn(page))
    assert "othello-bot" in page.text("#seat-top .who")


def plies(page: Page) -> int:
    """Return the number of moves of the game in play."""
    return int(page.run("return JSON.parse(sessionStorage.getItem('othello-bot game')).live.length"))


@pytest.mark.parametrize("square", ["f4", "d3"])
def test_a_white_disc_is_white_from_the_first_moment(page: Page, square: str) -> None:
    page.side("both")
    page.square("f5")
    page.until(lambda: page.moves == "f5")
    page.run("""
        document.addEventListener("animationstart", (event) => {
            if (event.animationName !== "placed") return;
            for (const one of document.getAnimations()) { one.pause(); one.currentTime = 20; }
        });
    """)
    page.square("f6" if square == "f4" else "d6")
    page.until(lambda: page.run("return document.getAnimations().some(one => one.animationName === 'placed')"))
    box = page.run("""
        const {x, y, width, height} = document.querySelector(".placed").getBoundingClientRect();
        return {x: x + 0.4 * width, y: y + 0.4 * height, width: 4, height: 4, scale: 1};
    """)
    shot = page.browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": box})
    red, green, blue, _ = page.browser.execute_async_script(PIXEL, shot["data"])
    assert min(red, green, blue) > 180


def test_a_telephone_held_flat_shows_a_large_board_within_the_window(page: Page, address: str) -> None:
    page = Page(page.browser, address, f"?game={GAME}")
    for width, height in ((932, 430), (844, 390), (667, 375)):
        telephone(page, width, height)
        for mode in MODES:
            page.mode(mode)
            page.run("window.scrollTo(0, 0)")
            top, bottom, tall = page.run(BOARD)
            assert (top >= 0, bottom <= height, tall >= 0.8 * height) == (True, True, True), (width, mode, top, bottom)
            assert page.run(HOLDS), (width, mode)


def test_on_a_telephone_a_card_of_the_review_leads_to_the_board(page: Page) -> None:
    page.review(GAME)
    telephone(page, 390, 844)
    touch(page, ".slips li:last-child .slip")
    page.until(lambda: page.run(BOARD)[0] > -1 and page.run(BOARD)[1] < 845)
    page.until(lambda: current(page))


def test_lines_are_played_out_by_touch(page: Page, address: str) -> None:
    page = Page(page.browser, address, "?game=f5d6c3d3")
    telephone(page, 390, 844)
    page.until(lambda: page.all(".lines li") and page.text(".reached").startswith("Searched"))
    before = page.moves
    touch(page, ".lines li:first-child button")
    page.until(lambda: len(page.all(".number:not(:empty)")) >= 3)
    assert page.moves == before and page.run(BOARD)[1] > 300
    touch(page, ".lines li:first-child button")
    page.until(lambda: page.moves != before)
    page.click("[aria-label='One move back']")
    page.until(lambda: page.all('.cell[data-grade="best"]'))
    count = len(page.moves)
    touch(page, '.cell[data-grade="best"]', held=lambda: len(page.all(".number:not(:empty)")) >= 3, seconds=1)
    page.press(Keys.ARROW_RIGHT)  # what a touch plays is played before this is answered
    assert len(page.moves) == count


def test_a_short_touch_plays_however_late_its_end_is_known(page: Page) -> None:
    telephone(page, 390, 844)
    page.side("both")
    touch(page, '[data-square="19"]', held=lambda: page.all(".would-turn"))
    page.until(lambda: page.moves == "d3")


def test_the_review_shows_the_slips_of_one_player(page: Page) -> None:
    page.review(GAME)
    shown = "return [...document.querySelectorAll('.slip .dot')].map(one => one.classList.contains('black'))"
    both = page.run(shown)
    for value, black in (("X", True), ("O", False)):
        page.click(f"[name=slips-of][value={value}] + span")
        assert page.run(shown) == [black] * both.count(black)
    page.click("[name=slips-of][value=both] + span")
    assert page.run(shown) == both


def test_opening_a_game_stands_above_the_cards_and_tells_of_ctrl_v(page: Page) -> None:
    page.review(GAME)
    top = "document.querySelector(one).getBoundingClientRect().top"
    places = page.run(f"return ['#reading', '#accuracies', '.slip'].map(one => {top})")
    assert places == sorted(places)
    assert "Ctrl-V" in page.text("#reading")


def test_opening_a_game_takes_no_room_where_there_is_one(page: Page) -> None:
    page.mode("review")
    assert page.all("#reading[open]")
    page.mode("play")
    page.side("both")
    page.square("f5")
    page.mode("review")
    page.until(lambda: page.all("#review-game:not([hidden])"))
    assert not page.all("#reading[open]")


def test_every_heading_of_the_table_has_a_name(page: Page) -> None:
    page.review(GAME)
    assert all(page.run("return [...document.querySelectorAll('#accuracies th')].map(one => one.textContent)"))


def test_the_number_in_the_balance_bar_is_readable(page: Page, address: str) -> None:
    page = Page(page.browser, address, f"?game={GAME}")
    page.until(lambda: page.text("#balance span"))
    style = """
        const { color, backgroundColor, mixBlendMode } = getComputedStyle(document.querySelector("#balance span"));
        return [color, backgroundColor, mixBlendMode];
    """
    assert page.run(style) == ["rgb(27, 30, 33)", "rgb(246, 245, 239)", "normal"]


def test_the_clock_of_a_computer_stands_while_the_server_is_away(browser: Chrome) -> None:
    with served("--port", "0", *SMALL) as address:
        page = Page(browser, address)
        page.set("minutes", "1")
        page.side("X")
        page.run("""
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) { if (JSON.parse(text).do !== "move") send.call(this, text); };
        """)
        page.square("f5")
        page.until(lambda: "is thinking" in page.status)
    page.until(lambda: "not reachable" in page.text("#banner"))
    ActionChains(browser).pause(0.3).perform()
    shown = page.text("#seat-top .clock")
    ActionChains(browser).pause(2).perform()
    assert page.text("#seat-top .clock") == shown
    browser.get_log("browser")  # failed connections are errors to Chromium
    browser.close()
    browser.switch_to.window(browser.window_handles[0])


def test_a_move_during_a_pause_goes_on_with_the_game(page: Page) -> None:
    page.set("minutes", "5")
    page.side("X")
    page.browser.execute_script(BUTTON, "Pause")
    page.until(lambda: page.status == "Paused.")
    page.play()


def test_no_hint_is_given_for_the_opponent(page: Page) -> None:
    page.side("none")
    page.until(lambda: "is thinking" in page.status)
    page.browser.execute_script(BUTTON, "Pause")
    page.until(lambda: page.status == "Paused.")
    page.run(ASKED)
    page.press("i")
    assert "values" not in page.run("return window.asked.map((one) => one.do)")
    page.mode("learn")
    page.until(lambda: "values" in page.run("return window.asked.map((one) => one.do)"))


def test_a_game_that_was_lost_on_time_is_not_taken_back(page: Page) -> None:
    """The clock would still be at zero."""
    page.set("minutes", "1")
    page.side("both")
    page.square("f5")
    page.run("const now = performance.now.bind(performance); performance.now = () => now() + 90_000")
    page.until(lambda: "has no time left" in page.status)
    page.press("t")
    assert page.run("return [...document.querySelectorAll('#controls button')].map((one) => one.disabled)[4]")
    assert page.moves == "f5"


def test_buttons_stay_where_they_are_from_the_first_move_to_the_result(page: Page) -> None:
    page.resize(1280, 800)
    page.side("both")
    before = [page.place(one) for one in ("#new-game", "#controls", "#board")]
    for move in ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"):
        page.press(*move)
        assert [page.place(one) for one in ("#new-game", "#controls", "#board")] == before
    page.until(lambda: "51 empty squares" in page.status)
    assert [page.place(one) for one in ("#new-game", "#controls", "#board")] == before


def test_every_button_of_the_game_is_called_what_it_shows(page: Page) -> None:
    for mode in ("play", "learn", "edit"):
        page.mode(mode)
        unlike = """
            const buttons = [...document.querySelectorAll("#controls button")];
            return buttons.filter((one) => !one.getAttribute("aria-label").startsWith(one.textContent)).length;
        """
        assert page.run(unlike) == 0


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("game=f5a1", "move 2, a1, is illegal for White."),
        ("game=f5d9", "move 2, “d9”, is not a square."),
        ("game=f5d", "move 2, “d”, is not a square."),
        ("game=&start=XX", "“XX” is not a board."),
        ("game=<b>", "move 1, “<b”, is not a square."),
        ("game=a1&start=" + "X" * 63 + "-+X", "move 1, a1, is after the end of the game."),
    ],
)
def test_a_link_that_cannot_be_read_says_why(page: Page, address: str, query: str, why: str) -> None:
    link = f"{address}?{quote(query, safe='=&+')}"
    told = Page(page.browser, link)
    assert why in told.text("#banner")
    page.show().mode("review")
    page.run("document.getElementById('reading').open = true")
    page.browser.execute_script("document.getElementById('paste').value = arguments[0]", link)
    page.click("#read")
    page.until(lambda: why in page.text("#review-error"))


def test_one_disc_and_one_game_are_singular(page: Page, address: str) -> None:
    start = "X" * 64 + " X"
    page = Page(page.browser, address, f"?game=&start={quote(start)}")
    labels = page.run("return [...document.querySelectorAll('.discs')].map(one => one.getAttribute('aria-label'))")
    assert labels == ["White has 0 discs", "Black has 64 discs"]
    page = Page(page.browser, address, "?game=f5")
    labels = page.run("return [...document.querySelectorAll('.discs')].map(one => one.getAttribute('aria-label'))")
    assert "White has 1 disc" in labels


def test_games_begin_after_a_balanced_opening_or_random_moves(page: Page) -> None:
    known = {line.split()[0] for line in OPENINGS.read_text().splitlines() if line[:1] in set("abcdefgh")}
    page.set("start", "balanced")
    page.side("both")
    page.until(lambda: len(page.moves) == 16)
    assert page.moves in known
    page.reload()
    assert page.value("#start") == "balanced"
    page.set("start", "random")
    before = page.moves
    page.side("both")
    page.until(lambda: page.moves != before and len(page.moves) == 16)
    assert page.run("return document.documentElement.dataset.mode") == "play"


@pytest.mark.parametrize("mode", ["play", "learn", "games"])
def test_a_game_is_pasted_anywhere(page: Page, mode: str) -> None:
    page.mode(mode)
    page.browser.execute_script(
        "const data = new DataTransfer(); data.setData('text/plain', arguments[0]);"
        "document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))",
        GAME,
    )
    page.until(lambda: page.moves == GAME)
