"""Make the picture of docs/explorer.md: the panel of played games in Learn, drawn by Chromium.

Run it from a checkout with a base of games: scripts/figures explorer BASE [--moves MOVES] [--out FILE].
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Final

from _setup.enter import ROOT

from _figures.page import shrink
from tests.real.browser import Page, chromium, served

PICTURE: Final = ROOT / "docs" / "images" / "page-played.png"
SIZE: Final = (1180, 1000)


def main() -> int:
    """Make the picture; return 0, or 1 without Chromium."""
    parser = argparse.ArgumentParser(description="make the picture of docs/explorer.md")
    parser.add_argument("base", type=Path, metavar="BASE")
    parser.add_argument("--moves", default="f5d6c3d3c4", help="the position (f5d6c3d3c4)")
    parser.add_argument("--out", type=Path, default=PICTURE, metavar="FILE")
    args = parser.parse_args()
    try:
        with served("--port", "0", "--base-file", str(args.base)) as address, chromium() as browser:
            page = Page(browser, address, f"?game={args.moves}")
            page.resize(*SIZE)
            page.run("document.getElementById('values').click()")
            page.set("people", "0")
            page.run("document.getElementById('played').open = true")
            page.until(lambda: page.all("#played-moves button"))
            page.run("document.getElementById('played').scrollIntoView({ block: 'end' })")
            time.sleep(1)
            browser.save_screenshot(str(args.out))
            shrink(args.out)
    except FileNotFoundError as error:
        sys.stderr.write(f"scripts/figures explorer: {error}\n")
        return 1
    return 0
