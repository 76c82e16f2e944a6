"""Make the pictures of the page: Play, Learn, Review, Puzzles and Edit, for the docs, drawn by Chromium.

Run it from a checkout after changes to the page: scripts/figures page [--out FOLDER] [NAME...]. It needs Debian's
packages `chromium` and `chromium-driver`.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Final

from _setup.enter import ROOT
from selenium.webdriver import Chrome

from tests.real.browser import Page, chromium, served

PICTURES: Final = ROOT / "docs" / "images"
WIDE: Final = (1180, 800)
NARROW: Final = (390, 844)

GAME: Final = "f5f6e6f4e3c5g5d6g6h6f7d3e7d7c6d2c8c7b6e8c3d8b5c4f8c2g3a4g4a5b3b4f3f2e2f1h4a3h5g7d1e1h8g2h7h2g8c1h3h1g1b8b7a8a7a6b2b1a2a1"  # noqa: E501
"""A game between two low levels of this engine."""

PGN: Final = '[Black "Ada"]\n[White "Bertil"]\n\n' + " ".join(
    f"{place // 4 + 1}. " * (place % 4 == 0) + GAME[place : place + 2] for place in range(0, len(GAME), 2)
)


class Camera:
    """Photographs the page in a browser."""

    def __init__(self, browser: Chrome, address: str, out: Path) -> None:
        self._browser = browser
        self._address = address
        self._out = out

    def opened(self, query: str, mode: str, size: tuple[int, int], *, dark: bool) -> Page:
        """Return the page in a mode, with the game of a link's query, instead of the one before."""
        *former, first = reversed(self._browser.window_handles)
        for handle in former:
            self._browser.switch_to.window(handle)
            self._browser.close()
        self._browser.switch_to.window(first)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        page = Page(self._browser, self._address, f"?{query}")
        self._browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        page.resize(*size)
        page.mode(mode)
        return page

    def shoot(self, name: str) -> None:
        """Save what is seen, once all discs have turned over, with few colours: the file stays small."""
        time.sleep(0.6)
        path = self._out / f"{name}.png"
        self._browser.save_screenshot(str(path))
        shrink(path)


def shrink(path: Path) -> None:
    """Make a PNG file smaller, if there is Pillow for it."""
    try:
        from PIL import Image
    except ImportError:
        return
    with Image.open(path) as image:
        small = image.convert("RGB").quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def play(camera: Camera, name: str, size: tuple[int, int], *, dark: bool) -> None:
    """Photograph a game in play."""
    page = camera.opened("game=", "play", size, dark=dark)
    page.click("#new-game")
    for square in (37, 18, 42, 20):
        page.until(lambda: page.status.startswith("Your turn"))
        legal = page.run("return [...document.querySelectorAll('.cell.legal')].map(one => Number(one.dataset.square))")
        page.click(f'[data-square="{square if square in legal else legal[0]}"]')
    page.until(lambda: page.status.startswith("Your turn"))
    camera.shoot(name)


def learn(camera: Camera, name: str, size: tuple[int, int], *, dark: bool) -> None:
    """Photograph the values of a position."""
    page = camera.opened(f"game={GAME}&ply=13", "learn", size, dark=dark)
    page.until(lambda: page.text(".reached").startswith("Searched"))
    page.until(lambda: len(page.all(".graph .lost")) > 4)
    camera.shoot(name)


def review(camera: Camera, name: str, size: tuple[int, int], *, dark: bool) -> None:
    """Photograph the review of a game."""
    page = camera.opened("game=", "review", size, dark=dark)
    page.paste(PGN)
    page.until(lambda: page.all("#accuracies"))
    page.run("document.querySelectorAll('.slip')[1].click(); window.scrollTo(0, 0)")
    camera.shoot(name)


def edit(camera: Camera, name: str, size: tuple[int, int], *, dark: bool) -> None:
    """Photograph a position that is set up."""
    page = camera.opened(f"game={GAME[:40]}", "edit", size, dark=dark)
    page.run("document.getElementById('values').checked = false")
    camera.shoot(name)


def puzzles(camera: Camera, name: str, size: tuple[int, int], *, dark: bool) -> None:
    """Photograph the puzzle of a day in Japanese, as it is set."""
    page = camera.opened("game=", "puzzles", size, dark=dark)
    speak(page, "ja")
    page.until(lambda: page.all("#daily-puzzle:not([hidden])"))
    page.run(
        "const day = { FullYear: 2026, Month: 10, Date: 26 };"
        " for (const one in day) Date.prototype[`get${one}`] = () => day[one]"
    )
    page.click("#daily-puzzle")
    page.until(lambda: page.all(".cell.legal"))
    camera.shoot(name)
    speak(page, "en")


def speak(page: Page, language: str) -> None:
    """Choose a language in the menu."""
    page.run(f"document.getElementById('language').value = '{language}'")
    page.run("document.getElementById('language').dispatchEvent(new Event('change'))")
    page.until(lambda: page.all(f"[data-ready=true]:lang({language})"))


VIEWS: Final = {
    "page-play": (play, WIDE, False),
    "page-learn": (learn, WIDE, False),
    "page-learn-dark": (learn, WIDE, True),
    "page-review": (review, WIDE, False),
    "page-review-dark": (review, WIDE, True),
    "page-puzzles": (puzzles, WIDE, False),
    "page-edit": (edit, WIDE, False),
    "page-narrow": (learn, NARROW, False),
}
"""The pictures: what they show, the size in pixels, and whether the screen is dark."""


def main() -> int:
    """Make the pictures; return 0, or 1 without Chromium."""
    parser = argparse.ArgumentParser(description="make the pictures of the page")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these of {', '.join(VIEWS)}")
    parser.add_argument("--out", type=Path, default=PICTURES, metavar="FOLDER")
    args = parser.parse_args()
    unknown = set(args.names) - set(VIEWS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: expected some of {', '.join(VIEWS)}")
    args.out.mkdir(parents=True, exist_ok=True)
    try:
        with chromium() as browser, served("--port", "0") as address:
            camera = Camera(browser, address, args.out)
            for name, (view, size, dark) in VIEWS.items():
                if not args.names or name in args.names:
                    view(camera, name, size, dark=dark)
    except FileNotFoundError as error:
        sys.stderr.write(f"scripts/figures page: {error}\n")
        return 1
    return 0
