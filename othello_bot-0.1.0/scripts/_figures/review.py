"""Make the picture of docs/reviewing.md: the HTML page of one game, drawn by Chromium.

Run it from a checkout after changes to the page: scripts/figures review [--dark] [--out FILE]. It needs `chromium`
(Debian's package) and opens nothing but the page.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _setup.enter import ROOT

from othello_bot.cli import main as othello_bot

PICTURE = ROOT / "docs" / "images" / "review.png"
LEVEL = 14
SIZE = (1060, 1010)
GAME = """[Event "Club evening"]
[Date "2026.11.20"]
[Black "Ada"]
[White "Bertil"]

1. f5 f6 2. e6 f4 3. e3 c5 4. g5 d6 5. g6 h6 6. f7 d3 7. e7 d7 8. c6 d2 9. c8 c7 10. b6 e8 11. c3 d8 12. b5 c4 13. f8 c2
14. g3 a4 15. g4 a5 16. b3 b4 17. f3 f2 18. e2 f1 19. h4 a3 20. h5 g7 21. d1 e1 22. h8 g2 23. h7 h2 24. g8 c1 25. h3 h1
26. g1 b8 27. b7 a8 28. a7 a6 29. b2 b1 30. a2 a1
"""
"""A game between two low levels of this engine."""


def main() -> int:
    """Make the picture; return 0, or 1 without Chromium."""
    parser = argparse.ArgumentParser(description="make the picture of docs/reviewing.md")
    parser.add_argument("--dark", action="store_true", help="as on a dark screen")
    parser.add_argument("--out", type=Path, default=PICTURE, metavar="FILE")
    args = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.stderr.write("scripts/figures review: needs chromium, for example: apt-get install chromium\n")
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "game.pgn").write_text(GAME, encoding="utf-8")
        words = ["review", "--level", str(LEVEL), "--store", f"{folder}/reviews.db", "--html", f"{folder}/page.html"]
        if othello_bot([*words, f"{folder}/game.pgn"]):
            return 1
        page = (folder / "page.html").read_text(encoding="utf-8").replace(f"{folder}/", "")
        (folder / "page.html").write_text(page, encoding="utf-8")
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options += ["--blink-settings=preferredColorScheme=0"] if args.dark else []
        options += [f"--window-size={SIZE[0]},{SIZE[1]}", f"--user-data-dir={folder}/profile"]
        subprocess.run(
            [chromium, *options, f"--screenshot={args.out.resolve()}", f"file://{folder}/page.html"],
            check=True,
            capture_output=True,
            timeout=300,
        )
    return 0
