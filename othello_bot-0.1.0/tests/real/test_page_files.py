"""Games into the page and out of it in a real Chromium: every format, by paste, drop and copy; and what it asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from othello_bot.formats.reading import games_of_content, games_of_file
from othello_bot.formats.record import GameRecord
from othello_bot.formats.table import WRITTEN
from othello_bot.rules import Game
from tests.real.browser import Page
from tests.real.test_page import GAME, address, browser, page

__all__ = ["address", "browser", "page"]  # fixtures

RECORD = GameRecord(Game.from_transcript(GAME), black="Ada", white="Bertil", date="1987-06-05")
MOVES = [GAME[place : place + 2] for place in range(0, len(GAME), 2)]
QUEST = json.dumps({"id": "x", "position": {"moves": [{"m": move, "t": 1} for move in MOVES], "startPos": ""}})

PASTED = {
    "transcript": GAME,
    "transcript in capitals": " ".join(MOVES).upper(),
    **{ending: str(WRITTEN[ending].written(RECORD)) for ending in (".ggf", ".sgf", ".pgn")},
    "quest": QUEST,
    "link": f"http://127.0.0.1:8064/?game={GAME}&ply=3",
    "link of another program": f"https://example.org/board?start=&game={GAME}",
}

DROP = """
    const data = new DataTransfer();
    data.items.add(new File([arguments[0]], arguments[1]));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
"""

SAVED = """
    window.saved = [];
    URL.createObjectURL = (blob) => (window.saved.push(blob), "#");
    HTMLAnchorElement.prototype.click = function () { window.named = this.download; };
"""
"""Files are not written, but kept by the page."""

BYTES = "const told = arguments[0]; window.saved.at(-1).arrayBuffer().then((all) => told([...new Uint8Array(all)]))"

COPIED = "window.copied = []; navigator.clipboard.writeText = async (text) => void window.copied.push(text);"


@pytest.mark.parametrize("name", PASTED)
def test_every_format_is_opened_by_paste(page: Page, name: str) -> None:
    page.mode("review")
    page.run("document.getElementById('reading').open = true")
    page.browser.execute_script("document.getElementById('paste').value = arguments[0]", PASTED[name])
    page.click("#read")
    page.until(lambda: page.moves == GAME)
    if name in (".ggf", ".sgf", ".pgn"):
        assert page.text("#seat-bottom .who") == "Ada"


def test_a_position_is_opened_by_paste(page: Page) -> None:
    position = Game.from_transcript(GAME[:12]).position
    page.paste(f"{position.to_string()};")
    page.until(lambda: page.run("return document.documentElement.dataset.mode") == "learn")
    discs = page.run("return [...document.querySelectorAll('.cell')].map(one => one.dataset.disc || '-').join('')")
    assert discs == position.to_string()[:64]


@pytest.mark.parametrize("name", [".ggf", ".sgf", ".pgn", "transcript"])
def test_a_dropped_file_is_opened_wherever_it_falls(page: Page, name: str) -> None:
    page.mode("play")
    page.browser.execute_script(DROP, PASTED[name], "game.txt")
    page.until(lambda: page.moves == GAME)
    assert page.run("return document.documentElement.dataset.mode") == "review"


def test_the_game_is_copied_in_every_form(page: Page) -> None:
    opened(page)
    page.run(COPIED)

    def copied(selector: str) -> str:
        count = len(page.run("return window.copied"))
        page.click(selector)
        page.until(lambda: len(page.run("return window.copied")) > count)
        return str(page.run("return window.copied.at(-1)"))

    assert copied("[aria-label='Copy: Moves']") == GAME
    assert copied("[aria-label='Copy: Link']").endswith(f"/?game={GAME}&ply=0")
    for place, ending in enumerate(("ggf", "sgf", "pgn")):
        text = copied(f"#share .actions button:nth-child({2 * place + 1})")
        (found,) = [one.checked() for one in games_of_content(text.encode(), f"game.{ending}")]
        assert (found.game, found.black, found.white, found.date) == (RECORD.game, "Ada", "Bertil", RECORD.date)
    assert page.text("#share-said") == "Copied."


def test_the_game_and_its_pictures_are_saved(page: Page, tmp_path: Path) -> None:
    opened(page)
    page.run(SAVED)

    def saved(selector: str) -> tuple[str, bytes]:
        count = len(page.run("return window.saved"))
        page.click(selector)
        page.until(lambda: len(page.run("return window.saved")) > count)
        return str(page.run("return window.named")), bytes(page.browser.execute_async_script(BYTES))

    for place in range(3):
        name, content = saved(f"#share .actions button:nth-child({2 * place + 2})")
        (tmp_path / name).write_bytes(content)
        assert [one.checked().game for one in games_of_file(tmp_path / name)] == [RECORD.game]
    name, content = saved("#share .actions + h3 + .actions button:nth-child(1)")
    assert name.endswith(".svg") and content.startswith(b"<svg") and content.count(b"<circle") >= 4
    name, content = saved("#share .actions + h3 + .actions button:nth-child(2)")
    assert name.endswith(".png") and content.startswith(b"\x89PNG\r\n")


def test_no_request_leaves_the_machine(page: Page, address: str) -> None:
    opened(page)
    page.press("\ue00c")
    for mode in ("play", "learn", "review", "edit", "games"):
        page.mode(mode)
    asked: list[Any] = page.run("return performance.getEntriesByType('resource').map(one => one.name)")
    assert len(asked) > 10
    assert [name for name in asked if not name.startswith(address)] == []


def opened(page: Page) -> None:
    """Open the game of two players, and the dialog that takes it along."""
    page.browser.execute_script(DROP, PASTED[".pgn"], "game.pgn")
    page.until(lambda: page.moves == GAME)
    page.click('[aria-label="Copy or save the game"]')
