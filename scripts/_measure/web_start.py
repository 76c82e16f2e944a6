"""Measure how soon the first page of `othello-bot web` is complete, counted from the start of the command.

scripts/measure web-start [--starts N]: a Chromium that is already running (it and its driver,
Debian's `chromium` and `chromium-driver`, must be installed) opens the page in a new tab as soon as the command prints
its address, as it does for a user. Each start has another port, so the browser has none of the files. Each row has the
seconds at which

    address   the address was printed
    asked     the browser asked for the page, after it had opened the tab
    answered  the first byte of the page came
    ready     board and controls were made and took clicks
    drawn     they were on the screen
    complete  the engine's greeting had come, too: the later one of both

and then, in `click`, the seconds from a click on a square to the disc on the screen, tried afterwards.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from othello_bot.base.notation import integer
from tests.real.browser import PATIENCE_S, chromium, served

Start = dict[str, float]
"""Seconds from the command to what the key says, in their order."""

LEFT_ALONE_S = 1.5
"""Seconds for which nothing is asked of the browser, because its answers would take time from the page."""

TIMELINE = """
    const [page] = performance.getEntriesByType("navigation");
    const times = { asked: page.requestStart, answered: page.responseStart };
    for (const mark of performance.getEntriesByType("mark")) times[mark.name] = mark.startTime;
    for (const name in times) times[name] += performance.timeOrigin;
    return times;
"""
"""A script for the page: when it asked for itself and had the first byte, and when it set its marks (ms since 1970)."""

CLICK = """
    const told = arguments[0];
    const began = performance.now();
    document.querySelector('[data-square="19"]').click();
    requestAnimationFrame(() => setTimeout(() => {
      const played = document.querySelector('[data-square="19"]').dataset.disc === "X";
      told(played ? performance.now() - began : null);
    }));
"""
"""A script for the page: play d3, and tell how long it took until the disc was drawn (ms)."""


def browse(browser: Chrome, address: str, began_s: float) -> Start:
    """Open the page in a new tab of a running browser."""
    before = browser.current_window_handle
    tab = browser.execute_cdp_cmd("Target.createTarget", {"url": address})["targetId"]
    time.sleep(LEFT_ALONE_S)
    browser.switch_to.window(tab)
    WebDriverWait(browser, PATIENCE_S).until(lambda _: browser.find_elements(By.CSS_SELECTOR, "[data-ready=true]"))
    times: Start = {name: at_ms / 1000 - began_s for name, at_ms in browser.execute_script(TIMELINE).items()}
    greeted_s = times.pop("greeted")
    click_s = browser.execute_async_script(CLICK) / 1000
    browser.close()
    browser.switch_to.window(before)
    return {**times, "complete": max(times["drawn"], greeted_s), "click": click_s}


def started(open_page: Callable[[str, float], Start]) -> Start:
    """Start the command once and open its page."""
    began_s = time.time()
    with served("--port", "0") as address:
        return {"address": time.time() - began_s, **open_page(address, began_s)}


def measure(starts: int, open_page: Callable[[str, float], Start]) -> None:
    """Print a row for each start, and the medians."""
    started(open_page)  # the first start reads the files from the disk
    rows = [started(open_page) for _ in range(starts)]
    medians = {name: statistics.median(row[name] for row in rows) for name in rows[0]}
    for label, row in [*(("", row) for row in rows), ("median: ", medians)]:
        print(label + ", ".join(f"{name} {seconds:.3f} s" for name, seconds in row.items()))


def main() -> int:
    """Measure; return 0, or 1 if there is no Chromium."""
    parser = argparse.ArgumentParser(description="measure how soon the first page is complete")
    parser.add_argument("--starts", type=integer(1), default=10, metavar="N", help="number of starts (10)")
    args = parser.parse_args()
    try:
        with chromium() as browser:
            measure(args.starts, lambda address, began_s: browse(browser, address, began_s))
    except FileNotFoundError as error:
        sys.stderr.write(f"scripts/measure web-start: {error}\n")
        return 1
    return 0
