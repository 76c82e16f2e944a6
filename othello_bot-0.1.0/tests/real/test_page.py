"""The page of `othello-bot web` in a real Chromium: play, learn, review, edit, share, by mouse and by keyboard."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys

from othello_bot.engine import Engine, Options
from othello_bot.rules import Game
from tests.formats.samples import names_file, wthor_file
from tests.real.browser import Page, chromium, served
from tests.rules.strategies import random_game

GAME = random_game(7, 16).transcript()
"""Sixteen moves, of which some lose discs."""

SETTINGS = '{"reviewLevel": 8, "level": 12}'
"""Depths that no test has to wait for."""

SMALL = ("--hash", "4")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the page for all tests."""
    with served("--port", "0", *SMALL) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    """Start one browser for all tests."""
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Chrome, address: str) -> Iterator[Page]:
    """Open the page in a fresh tab; the console must stay without errors."""
    browser.get(f"{address}icon.svg")  # the page's storage without the page, which would write it
    browser.execute_script(f"localStorage.setItem('othello-bot settings', '{SETTINGS}')")
    before = browser.current_window_handle
    browser.get_log("browser")
    yield Page(browser, address)
    assert browser.get_log("browser") == []
    for handle in browser.window_handles:
        if handle != before:
            browser.switch_to.window(handle)
            browser.close()
    browser.switch_to.window(before)


ASKED = """
    window.asked = [];
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) { window.asked.push(JSON.parse(text)); send.call(this, text); };
"""
"""Notes what the page asks the server."""


def has_changed(page: Page, before: str) -> bool:
    return page.moves != before


def your_turn(page: Page) -> bool:
    return "Your turn" in page.status  # after a pass, that is said first


def test_game_by_clicks_take_back_and_hint(page: Page) -> None:
    page.play()
    page.press("i")
    page.until(lambda: page.status.startswith("Hint"))
    page.press("t")
    page.until(lambda: not page.all(".move"))


def test_whole_game_by_keyboard(page: Page) -> None:
    while True:
        page.until(lambda: any(words in page.status for words in ("Your turn", " wins by ", "draw")))
        if not your_turn(page):
            break
        before = page.moves
        page.press("l", Keys.ENTER)
        page.until(partial(has_changed, page, before))
    assert Game.from_transcript(page.moves).is_over


def test_two_tabs_have_two_games(page: Page, address: str) -> None:
    page.side("both")
    page.square("f5")
    other = Page(page.browser, address)
    assert not other.all(".move")
    other.mode("learn")
    other.until(lambda: other.all(".legal .mark b:not(:empty)"))
    page.show().side("X")
    page.square("d3")
    page.until(lambda: your_turn(page) and len(page.moves) == 4)
    assert not other.show().all(".move")


def test_the_game_outlives_the_server(browser: Chrome) -> None:
    with served("--port", "0", *SMALL) as address:
        page = Page(browser, address)
        page.square("f5")
        page.until(lambda: your_turn(page))
        before = page.moves
        place = page.place("#board")
    page.until(lambda: "not reachable" in page.text("#banner"))
    assert page.place("#board") == place
    with served("--port", address.rstrip("/").rsplit(":", 1)[1], *SMALL) as again:
        assert again == address
        page.until(lambda: not page.all("#banner:not([hidden])"))
        assert page.moves == before
        page.press("l", Keys.ENTER)
        page.until(lambda: your_turn(page) and len(page.moves) == 8)
    browser.get_log("browser")  # failed connections in between are errors to Chromium
    browser.close()
    browser.switch_to.window(browser.window_handles[0])


def test_the_values_of_all_moves_and_a_line_played_out(page: Page, address: str) -> None:
    page = Page(page.browser, address, "?game=f5d6c3d3")
    legal = Game.from_transcript("f5d6c3d3").position.legal_moves
    page.until(lambda: len(page.all(".legal .mark b:not(:empty)")) == len(legal))
    page.until(lambda: page.all(".cell.book"))
    page.until(lambda: page.text("#opening"))
    page.until(lambda: page.text(".reached").startswith("Searched"))  # until then another move may become the best
    best = '.cell[data-grade="best"]'
    square = page.all(best)[0].get_attribute("data-square")
    page.hover(best)
    page.until(lambda: len(page.all(".number:not(:empty)")) >= 3)
    assert page.text(f'[data-square="{square}"] .number') == "1"
    page.hover("h1")
    page.until(lambda: not page.all(".number:not(:empty)"))


def test_the_next_positions_of_a_game_are_valued_while_one_looks_at_this_one(page: Page, address: str) -> None:
    def valued() -> list[str]:
        return [one["moves"] for one in page.run("return window.asked") if one["do"] == "values"]

    page.run(ASKED)
    page.paste("f5d6c3d3c4f4")
    page.until(lambda: page.moves == "f5d6c3d3c4f4")
    page.set("level", "6")
    page.click("[aria-label='First position']")
    page.mode("learn")
    page.until(lambda: "f5d6" in valued())
    page.click("[aria-label='One move forward']")
    page.until(lambda: "f5d6c3" in valued())
    assert page.text(".reached").startswith("Searched")
    assert [moves for moves in valued() if len(moves) < 8] == ["", "f5", "f5d6", "f5d6c3"]


def test_the_graph_leads_to_positions(page: Page, address: str) -> None:
    page = Page(page.browser, address, f"?game={GAME}")
    page.until(lambda: page.all(".graph .curve"))
    page.all("#graph")[0].send_keys(Keys.HOME)
    page.until(lambda: not page.all('.move[aria-current="true"]'))
    page.all("#graph")[0].click()
    page.until(lambda: page.all('.move[aria-current="true"]'))


def test_review_of_a_pasted_game(page: Page) -> None:
    page.review(GAME)
    cells = page.run("return [...document.querySelectorAll('#accuracies tbody th')].map(one => one.textContent)")
    assert cells == ["Black", "White"]
    slips = page.all(".slip")
    assert slips and len(page.all(".slip .small-board")) == 2 * len(slips)
    assert page.all(".graph .lost")
    slips[-1].click()
    page.until(lambda: page.all('.move[aria-current="true"]'))
    assert page.all(".slip")[-1].get_attribute("aria-current") == "true"


def test_a_game_chosen_from_a_wthor_base(page: Page, tmp_path: Path) -> None:
    games = [random_game(seed) for seed in (1, 2, 3)]
    (tmp_path / "base.wtb").write_bytes(wthor_file(games))
    (tmp_path / "base.jou").write_bytes(names_file(["Nobody", "Ada", "Bertil"], 20))
    page.mode("review")
    page.all("#files")[0].send_keys(f"{tmp_path}/base.wtb\n{tmp_path}/base.jou")
    page.until(lambda: len(page.all(".games li button")) == 3)
    assert "Bertil – Nobody" in page.text(".games li button")
    page.all(".games li button")[1].click()
    page.until(lambda: page.moves == games[1].transcript(passes=True))
    assert page.text("#seat-bottom .who") == "Bertil"


def test_clocks_run(page: Page) -> None:
    page.run("document.getElementById('minutes').value = '1'")
    page.side("both")
    assert page.text("#seat-top .clock") == "1:00"
    page.until(lambda: page.text("#seat-bottom .clock") != "1:00")
    page.square("f5")
    page.until(lambda: page.text("#seat-top .clock") != "1:00")


def test_edit_sets_squares_and_keeps_variations(page: Page) -> None:
    page.mode("edit")
    for name in ("f5", "d6"):
        page.square(name)
    page.click('[aria-label="One move back"]')
    page.square("f6")
    page.until(lambda: page.all(".variation"))
    assert page.text(".variation .move") == "f6"
    page.run("document.querySelector('[name=tool][value=X]').click()")
    page.square("a1")
    page.until(lambda: page.value("#board-text").startswith("X"))
    assert not page.all(".cell[aria-disabled=true]")
    page.square("a1")
    page.until(lambda: page.value("#board-text").startswith("-"))


def test_edit_says_what_is_wrong_with_a_board(page: Page) -> None:
    page.mode("edit")
    field = page.all("#board-text")[0]
    field.clear()
    field.send_keys("hello", Keys.ENTER)
    page.until(lambda: page.text("#edit-error").startswith("Expected 64 cells"))
    page.until(lambda: page.all(".legal .mark b:not(:empty)"))
    assert page.text("#edit-error")
    page.all("#panel-edit .actions button")[1].click()
    page.until(lambda: page.status == "Neither side has a move here.")
    assert not page.text("#edit-error")


def test_a_link_opens_the_same_game(page: Page) -> None:
    page.paste(GAME)
    page.until(lambda: page.moves == GAME)
    page.press(Keys.ARROW_RIGHT)
    page.click('[aria-label="Copy or save the game"]')
    link = page.value("#share-link")
    again = Page(page.browser, link)
    assert again.moves == GAME
    assert again.text('.move[aria-current="true"]') == "f5"


def test_dark_theme(page: Page) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    light = page.run(background)
    while page.run("return document.documentElement.dataset.theme") != "dark":
        page.click('[aria-label="Light or dark"]')
    assert page.run(background) != light
    page.reload()
    assert page.run("return document.documentElement.dataset.theme") == "dark"


def barriers(page: Page, axe: str) -> list[tuple[str, str]]:
    """Return what keeps people with disabilities from using the page as it is now, in the words of axe."""
    page.run(axe)
    found = page.browser.execute_async_script("axe.run().then(arguments[0])")["violations"]
    return [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]


def test_narrow_view_and_accessibility(page: Page, node_modules: Path) -> None:
    axe = (node_modules / "axe-core" / "axe.min.js").read_text()
    page.review(GAME)
    for mode in ("play", "learn", "review", "puzzles", "edit", "games"):
        page.mode(mode)
        assert barriers(page, axe) == []
    page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page.resize(360, 740, mobile=True)
    for mode in ("play", "learn", "review", "puzzles", "edit", "games"):
        page.mode(mode)
        assert page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        tops = "return [...document.querySelectorAll('#controls button')].map(one => one.getBoundingClientRect().top)"
        assert len(set(page.run(tops))) == 1
    page.mode("review")
    assert page.run("const sums = document.querySelector('.sums'); return sums.scrollWidth - sums.clientWidth") <= 0


def test_types(node_modules: Path) -> None:
    compiler = node_modules / "typescript" / "bin" / "tsc"
    settings = Path(__file__).resolve().parents[1] / "web"
    done = subprocess.run(["node", compiler, "-p", settings], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


HELD = """
    window.answered = [];
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        const message = JSON.parse(text);
        if (message.do !== "people" || message.rating === 600) send.call(this, text);
        else window.release = () => {
            this.addEventListener("message", ({ data }) => window.answered.push(JSON.parse(data).rating));
            send.call(this, text);
        };
    };
"""
"""Questions about people of another rating than 600 are held until they are released."""

SHARES = "return [...document.querySelectorAll('#people-moves span')].map((one) => parseInt(one.textContent))"
"""The shares of people in percent, of the likeliest move first."""


@pytest.mark.parametrize("held", [False, True])
def test_learn_shows_what_people_of_the_chosen_rating_play(page: Page, *, held: bool) -> None:
    """Also where the answer about another rating comes later."""
    with Engine(Options(hash=1, threads=1)) as engine:
        chances = engine.policy(Game.from_transcript("f5d6c3"), 600)
    likely = sorted(chances.values(), reverse=True)[:5]
    expected = [max(1, math.floor(100 * round(chance, 4) + 0.5)) for chance in likely]
    assert len(set(expected)) > 1
    page.paste("f5d6c3")
    if held:
        page.run(HELD)
    page.press(Keys.END)  # at the start, all moves are equally likely for everyone
    page.mode("learn")
    page.until(lambda: page.run("return 'release' in window") if held else page.run(SHARES))
    page.set("people", "600")
    page.until(lambda: page.run(SHARES) == expected)
    if held:
        page.run("window.release()")
        page.until(lambda: 1500 in page.run("return window.answered"))
        assert page.run(SHARES) == expected


def test_the_mode_that_is_chosen_while_a_game_is_read_stays(page: Page) -> None:
    page.mode("review")
    page.all("#paste")[0].send_keys("f5d6c3")
    page.run("document.getElementById('read').click(); document.getElementById('tab-learn').click()")
    page.until(lambda: page.moves == "f5d6c3")
    assert page.run("return document.documentElement.dataset.mode") == "learn"


def test_of_two_games_that_are_read_at_a_time_the_later_one_is_opened(page: Page) -> None:
    """The answer about the first one is held until the second is there."""
    page.mode("review")
    page.run("""
        const ask = window.fetch;
        window.fetch = (...asked) => new Promise((told) => {
            window.fetch = ask;
            window.release = () => ask(...asked).then((reply) => (told(reply), setTimeout(() => (window.released = true))));
        });
    """)
    page.run("document.getElementById('paste').value = 'f5d6c3'; document.getElementById('read').click()")
    page.until(lambda: page.run("return 'release' in window"))
    page.run("document.getElementById('paste').value = 'd3c5'; document.getElementById('read').click()")
    page.until(lambda: page.moves == "d3c5")
    page.run("window.release()")
    page.until(lambda: page.run("return window.released"))
    assert page.moves == "d3c5"


def test_a_hint_does_not_end_the_search_for_the_values(page: Page, address: str) -> None:
    page = Page(page.browser, address, "?game=f5d6c3d3c4")
    page.set("level", "21")
    page.until(lambda: page.text(".reached"))
    page.press("i")
    page.until(lambda: page.status.startswith("Hint"))
    page.until(lambda: page.text(".reached").startswith("Searched: depth 21"))


def test_the_cards_and_moves_of_a_review_stay_where_they_are_while_more_come(page: Page) -> None:
    page.run(
        "window.back = window.out = 0; const gone = new Set();"
        "const see = (changes) => changes.forEach(({ target, removedNodes, addedNodes }) => {"
        "  if (target.id === 'moves') out += removedNodes.length;"
        "  removedNodes.forEach((one) => gone.add(one));"
        "  addedNodes.forEach((one) => (back += gone.has(one)));"
        "});"
        "for (const id of ['slips', 'moves']) {"
        "  new MutationObserver(see).observe(document.getElementById(id), { childList: true });"
        "}"
    )
    page.review(GAME)
    assert len(page.all(".slip")) > 1 and page.run("return back") == 0
    # Each of a row's two moves is judged once, and may be the current one.
    assert page.run("return out") <= 4 * len(page.all("#moves .pair"))


def test_a_review_tells_the_rating_of_moves_and_what_few_or_many_people_find(page: Page) -> None:
    page.paste(random_game(7).transcript())
    page.mode("review")
    page.until(lambda: page.all("#accuracies"))
    assert "plays like a player rated" in page.text("#accuracies")
    assert "of players rated" in page.text("#slips")
