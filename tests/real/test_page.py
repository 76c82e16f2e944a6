"""The page of `othello-bot web` in a real Chromium, driven by selenium: the client of the driver that Debian brings."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

from othello_bot.rules import Game
from othello_bot.web.site import STATIC
from protocol.notation import parse_square

PATIENCE_S = 120
ARGUMENTS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the page by the real command."""
    command = [sys.executable, "-m", "othello_bot", "web", "--no-browser", "--port", "0", "--hash", "4"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stderr is not None
        yield server.stdout.readline().strip()
        server.send_signal(2)
        assert server.wait(PATIENCE_S) == 0
        assert "Traceback" not in server.stderr.read()


@pytest.fixture
def page(address: str) -> Iterator[WebDriver]:
    """Open the page in a fresh browser; its console must stay without errors."""
    options = webdriver.ChromeOptions()
    for argument in ARGUMENTS.split():
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium") or ""
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        browser.set_window_size(1300, 900)
        browser.get(address)
        until(browser, lambda: browser.find_elements(By.ID, "new-game"))
        yield browser
        assert browser.get_log("browser") == []
    finally:
        browser.quit()


def until(page: WebDriver, true) -> None:  # type: ignore[no-untyped-def]
    WebDriverWait(page, PATIENCE_S, 0.05).until(lambda _: true())


def moves(page: WebDriver) -> str:
    """Return the moves of the list."""
    script = "return [...document.querySelectorAll('.move')].map(one => one.firstChild.textContent).join('')"
    return str(page.execute_script(script)).replace("pass", "pa")


def status(page: WebDriver) -> str:
    return page.find_element(By.ID, "status").text


def click(page: WebDriver, square: str) -> None:
    page.find_element(By.CSS_SELECTOR, f'[data-square="{parse_square(square)}"]').click()


def press(page: WebDriver, *keys: str) -> None:
    webdriver.ActionChains(page).send_keys(*keys).perform()


def test_game_by_clicks_take_back_hint_and_reload(page: WebDriver) -> None:
    click(page, "f5")
    until(page, lambda: status(page).startswith("Your turn") and len(moves(page)) == 4)
    before = moves(page)
    page.refresh()
    until(page, lambda: moves(page) == before)
    press(page, "i")
    until(page, lambda: status(page).startswith("Hint"))
    press(page, "t")
    until(page, lambda: moves(page) in ("", "Nomoveyet."))


def test_whole_game_by_keyboard(page: WebDriver) -> None:
    while True:
        until(page, lambda: any(words in status(page) for words in ("Your turn", " wins by ", "draw")))
        if not status(page).startswith("Your turn"):
            break
        number = len(moves(page))
        press(page, "l", Keys.ENTER)
        until(page, lambda number=number: len(moves(page)) > number)
    assert Game.from_transcript(moves(page)).is_over


def test_values_of_all_moves_and_review_of_a_pasted_game(page: WebDriver) -> None:
    page.find_element(By.ID, "tab-review").click()
    page.find_element(By.ID, "paste").send_keys("F5 d6 C3 d3 C4")
    page.find_element(By.ID, "read").click()
    until(page, lambda: moves(page).startswith("f5d6c3d3c4"))
    page.find_element(By.ID, "tab-learn").click()
    until(page, lambda: len(page.find_elements(By.CSS_SELECTOR, ".legal .mark b:not(:empty)")) == 4)


def test_narrow_view_and_accessibility(page: WebDriver, node_modules: Path) -> None:
    axe = (node_modules / "axe-core" / "axe.min.js").read_text()
    for mode in ("play", "learn", "review", "edit"):
        page.find_element(By.ID, f"tab-{mode}").click()
        page.execute_script(axe)
        found = page.execute_async_script("axe.run().then(arguments[0])")["violations"]
        serious = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]
        assert serious == []
    script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    )
    assert page.execute_script(script) <= 0


def test_types(node_modules: Path) -> None:
    compiler = node_modules / "typescript" / "bin" / "tsc"
    settings = (
        "--noEmit --allowJs --checkJs --strict --target es2022 --module esnext --moduleResolution bundler"
        " --lib es2022,dom,dom.iterable"
    )
    done = subprocess.run(
        ["node", compiler, *settings.split(), *sorted(STATIC.glob("*.js"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "" and done.returncode == 0
