"""Measure the page without a server in Chromium: its sizes, and how soon it is there.

scripts/measure browser FOLDER [--visits N]: FOLDER has the page that `othello-bot web --export` wrote. Chromium and its
driver, Debian's `chromium` and `chromium-driver`, must be installed. Each round has a first visit, and a second one
without a network. Each row has the seconds from the beginning of a visit at which

    board    the board was made and took clicks
    engine   the engine's greeting came
    answer   the opponent of a first game had answered f5, which was played as soon as there was a board
    kept     the page was kept for visits without a network

The last row has the seconds after which the engine answers a message, such as a stop, during an endless search.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from selenium.webdriver import Chrome

from othello_bot.base.notation import integer
from tests.real.browser import chromium
from tests.real.static_host import PageAlone, StaticHost

Visit = dict[str, float]
"""Seconds from the beginning of a visit to what the key says."""

NOW = "return performance.now() / 1000"
MARKS = "return Object.fromEntries(performance.getEntriesByType('mark').map((one) => [one.name, one.startTime / 1000]))"
KEPT = "return navigator.serviceWorker.controller !== null"


def visit(browser: Chrome, address: str) -> Visit:
    """Open the page in a new tab and play."""
    page = PageAlone(browser, address)
    page.new_game()
    page.play()
    answered_s = page.run(NOW)
    page.until(lambda: page.run(KEPT))
    marks = page.run(MARKS)
    return {"board": marks["ready"], "engine": marks["greeted"], "answer": answered_s, "kept": page.run(NOW)}


WATCH = """
window.answered = [];
window.Worker = class extends Worker { constructor(...all) { super(...all); window.engine = this; } };
window.ask = () => {
    const began = performance.now();
    const answer = ({ data }) => {
        if (data.pulse !== began) return;
        engine.removeEventListener("message", answer);
        answered.push((performance.now() - began) / 1000);
    };
    engine.addEventListener("message", answer);
    engine.postMessage({ pulse: began });
};
"""
ENDLESS = 'engine.postMessage(JSON.stringify({ do: "values", id: 1e6, moves: "", level: 21, infinite: true }))'
MESSAGES = 50


def waits_s(browser: Chrome, host: StaticHost) -> list[float]:
    """Return how long messages wait during an endless search, the shortest first."""
    host.begin_with(WATCH)
    page = PageAlone(browser, host.address)
    page.until(lambda: page.run(KEPT))
    page.run(f"{ENDLESS}; setInterval(ask, 200)")
    page.until(lambda: page.run("return answered.length") >= MESSAGES)
    return sorted(page.run("return answered"))


def sizes(folder: Path) -> dict[str, float]:
    """Return the size of each part in MB."""
    parts = {"Pyodide": "pyodide-*/*", "engine": "engine-*.zip", "for people's moves": "people-*.zip", "all": "**/*"}
    found = {
        name: sum(path.stat().st_size for path in folder.glob(pattern) if path.is_file()) / 1e6
        for name, pattern in parts.items()
    }
    return {**found, "before the first answer of the full engine": found["all"] - found["for people's moves"]}


def measure(folder: Path, visits: int) -> None:
    """Print the sizes, a row for each visit, and the medians."""
    for name, megabytes in sizes(folder).items():
        print(f"{name}: {megabytes:.2f} MB")
    rows: dict[str, list[Visit]] = {"first visit": [], "without a network": []}
    with chromium() as browser:
        for _ in range(visits):
            with tempfile.TemporaryDirectory(prefix="othello-bot-host-") as root:
                host = StaticHost(folder, Path(root))
                for name, seen in rows.items():
                    seen.append(visit(browser, host.address))
                    print(f"{name}: {in_words(seen[-1])}")
                    host.go_down()
        with tempfile.TemporaryDirectory(prefix="othello-bot-host-") as root:
            host = StaticHost(folder, Path(root))
            waits = waits_s(browser, host)
            host.go_down()
    for name, seen in rows.items():
        medians = {what: statistics.median(one[what] for one in seen) for what in seen[0]}
        print(f"{name}, median: {in_words(medians)}")
    print(f"a message during an endless search: median {statistics.median(waits):.3f} s, longest {waits[-1]:.3f} s")


def in_words(seen: Visit) -> str:
    """Return the seconds of a visit in a line."""
    return ", ".join(f"{what} {seconds:.2f} s" for what, seconds in seen.items())


def main() -> int:
    """Measure; return 0, or 1 if there is no Chromium."""
    parser = argparse.ArgumentParser(
        description="measure the page without a server: its sizes, and how soon it is there"
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the exported page")
    parser.add_argument("--visits", type=integer(1), default=5, metavar="N", help="rounds of two visits (5)")
    args = parser.parse_args()
    if not (args.folder / "sw.js").is_file():
        parser.error(f"{args.folder}: expected a folder that othello-bot web --export wrote")
    try:
        measure(args.folder, args.visits)
    except FileNotFoundError as error:
        sys.stderr.write(f"scripts/measure browser: {error}\n")
        return 1
    return 0
