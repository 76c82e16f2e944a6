"""The page in its languages, in a real Chromium: which one it speaks, and whether all of it speaks it and fits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from tests.real.browser import Page
from tests.real.test_page import GAME, SETTINGS, address, barriers, browser, page, your_turn
from tests.real.test_page_controls import HOLDS, MODES, telephone

__all__ = ["address", "browser", "page"]  # fixtures

SHOWN = """
    const seen = (one) => one.checkVisibility() && !one.closest("[hidden]");
    const all = [...document.querySelectorAll("body :not(script, noscript)")].filter(seen);
    const own = (one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim());
    const told = ["aria-label", "title", "placeholder", "aria-valuetext"];
    return all.flatMap((one) => [...own(one), ...told.map((name) => one.getAttribute(name) ?? "")]).filter(Boolean);
"""
"""All that is shown or read aloud."""

CLIPPED = """
    const shown = [...document.querySelectorAll("button, label, legend, h2, select, .segmented span, .status, .about, th")];
    const clipped = (one) => one.checkVisibility() && one.clientWidth && one.scrollWidth > one.clientWidth + 1;
    const known = (one) => one.closest(".cell, .lines, .kept, .moves, .accuracies, .hidden");
    return shown.filter((one) => clipped(one) && !known(one)).map((one) => one.outerHTML.slice(0, 120));
"""
"""Words that do not fit into what holds them; lists cut long lines on purpose."""

CUT = """
    const measure = document.createElement("canvas").getContext("2d");
    const cut = (one) => {
        const style = getComputedStyle(one);
        measure.font = style.font;
        const texts = one.options ? [...one.options].map((option) => option.textContent) : [one.placeholder];
        const needed = Math.max(...texts.map((text) => measure.measureText(text).width));
        return needed > one.clientWidth - parseFloat(style.paddingLeft) - (one.matches("select") ? 18 : 0);  // the arrow
    };
    const fields = [...document.querySelectorAll("select, input[placeholder]")];
    return fields.filter((one) => one.checkVisibility() && cut(one)).map((one) => one.id);
"""
"""Menus that do not show all of what can be chosen, and fields that do not show all of what they are for."""

APART = """
    const box = (one) => one.getBoundingClientRect();
    const apart = (label, field) => box(label).bottom <= box(field).top || box(field).bottom <= box(label).top;
    const labels = [...document.querySelectorAll(".line > label[for]:not(.hidden)")].filter((one) => one.checkVisibility());
    return labels.map((one) => one.htmlFor).filter((id, place) => apart(labels[place], document.getElementById(id)));
"""
"""Fields that do not stand beside their labels."""

BROKEN = """
    const top = (one) => one.getBoundingClientRect().top;
    const rows = (one) => new Set([...one.querySelectorAll("span")].map(top)).size;
    const all = [...document.querySelectorAll(".segmented")].filter((one) => one.checkVisibility());
    return all.filter((one) => rows(one) > 1).map((one) => one.innerText);
"""
"""Rows of choices that are broken into two."""

NARROW = """
    const all = [...document.querySelectorAll(".sums, .who, .accuracies th")];
    const wide = all.filter((one) => one.scrollWidth > one.clientWidth);
    return wide.map((one) => `${one.outerHTML.slice(0, 80)} ${one.clientWidth} ${one.scrollWidth}`);
"""
"""Tables and names of players that are cut off, also beside clocks."""

SAME = r"othello-bot|GGF|SGF|PGN|PNG|SVG|WTHOR|OBF|XOT|English|Ctrl|Shift|Home|End|Enter|Esc|jou|trn|pa|JavaScript"
"""Words that are the same in every language; squares and single letters have too few letters to be words."""


@pytest.fixture(params=["en", "ja"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def speaking(page: Page, address: str, language: str) -> Iterator[Page]:
    """Open a game in a language."""
    page.browser.get(f"{address}icon.svg")
    settings = {**json.loads(SETTINGS), "language": language}
    page.browser.execute_script("localStorage.setItem('othello-bot settings', arguments[0])", json.dumps(settings))
    yield Page(page.browser, address, f"?game={GAME}")


def heading(page: Page) -> str:
    return page.text("#moves-title span")


@pytest.mark.parametrize(
    ("languages", "told"), [("ja-JP,en", "手順"), ("de,ja", "手順"), ("de", "Moves"), ("en-GB,ja", "Moves")]
)
def test_the_page_speaks_the_first_language_of_the_browser_that_it_knows(
    page: Page, address: str, languages: str, told: str
) -> None:
    agent = page.run("return navigator.userAgent")
    override = {"userAgent": agent, "acceptLanguage": languages}
    page.browser.execute_cdp_cmd("Emulation.setUserAgentOverride", override)
    page.reload()
    assert heading(page) == told
    assert page.run("return document.documentElement.lang") == ("ja" if told == "手順" else "en")


def test_the_language_is_chosen_in_a_menu_and_the_game_stays(page: Page, address: str) -> None:
    page.side("both")
    page.square("f5")
    page.until(lambda: page.moves == "f5")

    def speaks(told: str) -> bool:
        return bool(page.all("[data-ready=true]")) and heading(page) == told

    for code, told in (("ja", "手順"), ("en", "Moves"), ("ja", "手順")):
        page.set("language", str(code))
        page.until(partial(speaks, told))
        assert page.moves == "f5"
    assert heading(Page(page.browser, address)) == "手順"


@pytest.mark.parametrize("language", ["ja"], indirect=True)
def test_all_of_the_page_is_in_the_language(speaking: Page, node_modules: Path) -> None:
    axe = (node_modules / "axe-core" / "axe.min.js").read_text()
    page = speaking
    page.mode("review")
    page.until(lambda: page.all("#accuracies"))
    seen: list[str] = []
    for mode in MODES:
        page.mode(mode)
        assert barriers(page, axe) == []
        seen += page.run(SHOWN)
    page.press("?")
    seen += page.run(SHOWN)
    page.press(Keys.ESCAPE)
    page.click("#share-button")
    assert barriers(page, axe) == []
    seen += page.run(SHOWN)
    page.press(Keys.ESCAPE)
    page.mode("review")
    page.run("document.getElementById('reading').open = true")
    page.all("#paste")[0].send_keys("f5a1")
    page.click("#read")
    page.until(lambda: page.text("#review-error"))
    seen += page.run(SHOWN)
    assert page.text("#review-error").endswith("「a1」を読み込めません。打てる手: f4 d6 f6。")
    known = rf"https?://\S*|\?game=\S*|(?<![A-Za-z])({SAME})(?![A-Za-z])|([a-h][1-8])+|^[XO-]{{64}}"
    strange = {one for one in seen if re.search("[A-Za-z]{2,}", re.sub(known, "", one, flags=re.IGNORECASE))}
    assert strange - set(page.run(TEXTBOOK)) == set()


TEXTBOOK = (
    "return [...document.querySelectorAll('#player-one option, #player-two option')].map((one) => one.textContent)"
)
"""The names of the textbook players, which are those of their techniques."""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (932, 430), (844, 390), (667, 375)])
def test_words_fit_on_every_screen(speaking: Page, width: int, height: int) -> None:
    page = speaking
    page.run("document.getElementById('minutes').value = '20'")
    page.mode("play")
    page.side("X")
    page.square("f5")
    page.until(lambda: your_turn(page) or "あなたの番" in page.status)
    page.mode("review")
    page.until(lambda: page.all("#accuracies"))
    if width == 1280:
        page.resize(width, height)
    else:
        telephone(page, width, height)
    for mode in MODES:
        page.mode(mode)
        assert (mode, page.run(HOLDS)) == (mode, True)
        assert (mode, page.run(CLIPPED)) == (mode, [])
        assert (mode, page.run(CUT), page.run(APART), page.run(NARROW), page.run(BROKEN)) == (mode, [], [], [], [])
