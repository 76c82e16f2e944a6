"""The page of a match in a browser: each game replays on its board to the position at its end."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver.common.by import By

from othello_bot.cli import main
from tests.arena.builders import odd_games
from tests.real.browser import chromium

BOARD = """return [...document.querySelectorAll(".board div")].map(
    cell => cell.firstChild ? cell.firstChild.className : "-").join("")"""


def test_every_game_is_replayed_to_its_end(tmp_path: Path) -> None:
    ends = odd_games(tmp_path / "odd.db")
    page = tmp_path / "page.html"
    assert main(["match", "report", str(tmp_path / "odd.db"), "--html", str(page)]) == 0
    with chromium() as browser:
        browser.get(page.as_uri())
        buttons = browser.find_elements(By.CSS_SELECTOR, ".list button")
        assert len(buttons) == len(ends)
        for button, end in zip(buttons, ends, strict=True):
            browser.execute_script("arguments[0].click()", button)  # it may be out of sight
            browser.execute_script("arguments[0].click()", browser.find_element(By.CSS_SELECTOR, ".viewer .last"))
            assert browser.execute_script(BOARD) == end
            browser.execute_script("arguments[0].click()", browser.find_element(By.CSS_SELECTOR, ".viewer .first"))
            assert browser.execute_script(BOARD) != end or end.count("-") == 60
        assert browser.get_log("browser") == []
