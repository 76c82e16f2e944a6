"""The page without a server, in real browsers: a static host serves it, the engine runs in the browser."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys

from othello_bot.rules import Game
from tests.real.browser import Page, chromium
from tests.real.conftest import python_of_page
from tests.real.firefox import firefox
from tests.real.static_host import PageAlone, StaticHost
from tests.real.test_page import has_changed, your_turn
from tests.real.test_page_controls import telephone, touch

MOST_MB = 15.0
FIRST_MB = 13.5
"""The sizes that docs/browser.md states: of all files, and of those before the first answer."""

CLUB = "10"

SEEN_S = 0.5
"""Seconds after which a clock that runs shows less than it had."""

OPENING = "f5f6e6f4e3c5g5d6g6h6f7d3e7"


@pytest.fixture
def host(for_browsers: Path, tmp_path: Path) -> Iterator[StaticHost]:
    made = StaticHost(for_browsers / "page", tmp_path / "root")
    yield made
    made.go_down()


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with chromium() as started:
        yield started


def kept(page: Page) -> bool:
    """Return whether the browser has kept the page for visits without a network."""
    return bool(page.run("return navigator.serviceWorker.controller !== null"))


def faults(browser: Chrome) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def test_its_size(for_browsers: Path) -> None:
    page = for_browsers / "page"
    sizes = {path.relative_to(page): path.stat().st_size for path in page.rglob("*") if path.is_file()}
    last = sum(size for path, size in sizes.items() if path.name.startswith("people-"))
    assert sum(sizes.values()) < MOST_MB * 1e6 and sum(sizes.values()) - last < FIRST_MB * 1e6


def test_a_game_goes_on_without_a_network_to_its_end_and_is_reviewed(
    host: StaticHost, browser: Chrome, tmp_path: Path
) -> None:
    browser.get_log("browser")
    page = PageAlone(browser, host.address)
    page.set("strength-one", CLUB)
    page.new_game()
    moves = page.play()
    page.until(lambda: kept(page))
    assert browser.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"] == []
    loaded = page.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert loaded and all(address.startswith((host.address, "blob:", "data:")) for address in loaded)
    host.go_down()
    page.reload()
    assert page.moves == moves
    play_to_the_end(page)
    page.mode("review")
    page.until(lambda: page.all("#accuracies"))
    games = tmp_path / "games.txt"
    games.write_text("f5f6e6f4\n")
    page.import_files(games)
    page.until(lambda: len(page.all(".delete")) == 2)  # the played one, too
    assert faults(browser) == []


def play_to_the_end(page: Page) -> None:
    """Play by the keyboard until the game is over."""
    while True:
        page.until(lambda: any(words in page.status for words in ("Your turn", " wins by ", "draw")))
        if not your_turn(page):
            break
        before = page.moves
        page.press("l", Keys.ENTER)
        page.until(partial(has_changed, page, before))
    assert Game.from_transcript(page.moves).is_over


def test_a_lost_worker_starts_again_and_the_game_goes_on(host: StaticHost, browser: Chrome) -> None:
    host.begin_with(
        "window.workers = []; window.whole = 0; window.registered = 0;"
        "const register = ServiceWorkerContainer.prototype.register;"
        "ServiceWorkerContainer.prototype.register = function (...all) { registered++; return register.apply(this, all); };"
        "window.Worker = class extends Worker {"
        "  constructor(...all) {"
        "    super(...all);"
        "    workers.push(this);"
        "    this.addEventListener('message', ({ data }) => { whole += Boolean(data.whole); });"
        "  }"
        "};"
    )
    page = PageAlone(browser, host.address)
    page.play()
    page.until(lambda: kept(page))
    page.run("workers.at(-1).terminate()")  # nobody is told
    page.until(lambda: "starting again" in page.text("#banner-said"))
    page.mode("learn")
    page.until(lambda: page.run("return whole") == 2 and not page.text("#banner-said"))
    page.mode("play")
    assert "Your turn" in page.status and len(page.moves) == 4
    assert page.run("return registered") == 1


def test_a_worker_that_is_lost_again_before_it_was_asked_anything_starts_again(
    host: StaticHost, browser: Chrome
) -> None:
    host.begin_with(
        "window.workers = []; window.whole = 0;"
        "const every = window.setInterval;"
        "window.setInterval = (call, milliseconds) => every(call, milliseconds / 5);"
        "window.Worker = class extends Worker {"
        "  constructor(...all) {"
        "    super(...all);"
        "    workers.push(this);"
        "    this.addEventListener('message', ({ data }) => { whole = Math.max(whole, data.whole ? workers.length : 0); });"
        "  }"
        "};"
    )
    page = PageAlone(browser, host.address)
    page.play()
    page.until(lambda: page.run("return whole") == 1)
    page.run("workers.at(-1).terminate()")
    page.until(lambda: page.run("return whole") > 1)
    page.run("workers.at(-1).terminate()")
    before = page.moves
    page.press("l", Keys.ENTER)
    page.until(lambda: your_turn(page) and len(page.moves) > len(before) + 2)


def test_a_newer_version_is_there_at_the_next_visit_and_loses_no_game(
    host: StaticHost, browser: Chrome, for_browsers: Path, tmp_path: Path
) -> None:
    host.begin_with(
        "window.workers = [];"
        "window.Worker = class extends Worker { constructor(...all) { super(...all); workers.push(this); } };"
    )
    page = PageAlone(browser, host.address)
    moves = page.play()
    page.until(lambda: kept(page))
    former = page.engine
    other = PageAlone(browser, host.address, f"?game={OPENING}")
    other.mode("learn")
    host.publish_newer(python_of_page(for_browsers), tmp_path / "newer-wasm32.whl")
    page.show().reload()
    assert (page.engine, page.moves) == (former, moves)
    page.until(lambda: newest_is_kept(page))
    page.reload()
    newer = page.engine
    assert newer != former and page.moves == moves

    other.show()  # of the former version, whose files the host has no more
    other.run("workers.at(-1).terminate()")
    other.until(lambda: "starting again" in other.text("#banner-said"))
    other.until(lambda: other.text(".reached").startswith("Searched") and not other.text("#banner-said"))
    browser.close()
    page.show().reload()
    page.until(lambda: not any(former in address for address in page.kept_files()))
    host.go_down()
    page.reload()
    assert (page.engine, page.moves) == (newer, moves)
    page.press("l", Keys.ENTER)
    page.until(lambda: your_turn(page) and len(page.moves) > len(moves))


def newest_is_kept(page: PageAlone) -> bool:
    """Return whether the browser will show another version of the page at its next visit."""
    text = page.run("return (await caches.match('./'))?.text()")
    return bool(text) and page.engine not in text


def test_the_clock_of_a_computer_stands_still_while_a_part_of_the_engine_is_on_its_way(
    host: StaticHost, browser: Chrome
) -> None:
    host.people.clear()
    page = PageAlone(browser, host.address)
    page.set("strength-one", CLUB)
    page.set("minutes", "1")
    page.new_game()
    page.square("f5")
    page.until(lambda: page.run("return performance.getEntriesByName('greeted').length"))
    time.sleep(SEEN_S)
    assert page.text("#seat-top .clock") == "1:00" and len(page.moves) == 2
    host.people.set()
    page.until(lambda: your_turn(page))


def test_a_browser_that_is_too_old_is_told_so(host: StaticHost, browser: Chrome) -> None:
    host.begin_with("WebAssembly.validate = () => false; window.Worker = null;")
    page = PageAlone(browser, host.address)
    assert "too old for the engine" in page.text("#banner-said")


def test_a_full_storage_is_told_and_the_engine_plays(host: StaticHost, browser: Chrome) -> None:
    browser.switch_to.new_window("tab")
    browser.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": host.origin, "quotaSize": 1_000_000})
    page = PageAlone(browser, host.address)
    page.until(lambda: "not without a network" in page.text("#banner-said"))
    assert page.play() and not kept(page)


def test_a_finger_plays_on_a_telephone(host: StaticHost, browser: Chrome, tmp_path: Path) -> None:
    page = PageAlone(browser, host.address, f"?game={OPENING}")
    telephone(page, 390, 844)
    touch(page, "#tab-learn")
    page.until(lambda: page.text(".reached").startswith("Searched"))
    assert page.run("return document.documentElement.scrollWidth") <= 390
    picture = Path(os.environ.get("OTHELLO_BOT_PICTURES", tmp_path)) / "page-telephone.png"
    assert browser.save_screenshot(str(picture))  # that of docs/images, in colours as they are
    touch(page, ".cell.legal")
    page.until(lambda: len(page.moves) == len(OPENING) + 2)


def test_it_plays_and_values_moves_in_firefox_also_without_a_network(host: StaticHost, tmp_path: Path) -> None:
    moves = "[...document.querySelectorAll('.move')].map((one) => one.firstChild.textContent).join('')"
    values = "[...document.querySelectorAll('.legal .mark b')].map((one) => one.textContent).join('')"
    with firefox(tmp_path / "profile") as page:
        page.open(host.address)
        page.until("document.documentElement.dataset.ready === 'true'")
        page.run("document.querySelector('[data-square=\"37\"]').click()")
        page.until("document.getElementById('status').textContent.includes('Your turn')")
        played = page.until(f"{moves}.length === 4 && {moves}")
        page.until("navigator.serviceWorker.controller !== null")
        host.go_down()
        page.reload()
        page.until("document.documentElement.dataset.ready === 'true'")
        assert page.run(moves) == played
        page.run("document.getElementById('tab-learn').click()")
        assert page.until(values)
