"""Measure the games that a browser keeps: importing a year of WTHOR, the list of 50,000 games, and its search.

scripts/measure web-games [--games N] [--year N] [--visits N]: a Chromium (it and its driver must be installed) imports
bases of N random games, then keeps as many as 50,000, and opens the list again and again. Each row of an import has the
seconds until

    read      the server had read the files
    kept      the database had taken the games
    listed    the list said so, counted from the choice of the files

and each row of a visit the milliseconds until the first games were shown and until all summaries were there, counted
from the click on Games; the longest time for which the page was blocked meanwhile; and how long each search took to be on
the screen.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from othello_bot.base.notation import integer
from tests.formats.samples import names_file, wthor_file
from tests.real.browser import Page, chromium, served
from tests.rules.strategies import random_game

SEARCHES = ("", "a", "bertil", "player 7", "event 2024 12", "nobody at all", "x")

WATCH = """
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
    }).observe({ type: "longtask", buffered: true });
    window.began = performance.now();
    document.getElementById("tab-games").click();
"""
"""A script for the page: open the list, and note the longest task (ms; shorter ones than 50 are not told)."""

MARKS = """
    const at = (name) => performance.getEntriesByName(name).at(-1)?.startTime;
    const [shown, loaded] = ["games shown", "games loaded"].map((name) => at(name) - window.began);
    return loaded ? [shown, loaded, window.longest] : null;
"""

SEARCH = """
    const [words, told] = arguments;
    const field = document.getElementById("find-games");
    const began = performance.now();
    field.value = words;
    field.dispatchEvent(new Event("input"));
    requestAnimationFrame(() => setTimeout(() => told(performance.now() - began)));
"""

FILL = """
    const [count, told] = arguments;
    import("/store.js").then(async ({ Store }) => {
      const store = new Store();
      const have = await store.count();
      const rand = (most) => Math.floor(most * Math.random());
      for (let done = have; done < count; done += 1000) {
        await store.add(Array.from({ length: Math.min(1000, count - done) }, (_, place) => {
          const date = new Date(1.2e12 + rand(5e8) * 1e3).toISOString().slice(0, 10);
          const moves = Array.from({ length: 60 }, () => "abcdefgh"[rand(8)] + (1 + rand(8))).join("");
          const [black, white, event] = [`Player ${rand(900)}`, `Player ${rand(900)}`, `Event ${rand(99)}`];
          const rest = { result: 2 * rand(30) - 30, won: "X", mine: "", accuracy: null, print: `${done} ${place}` };
          const summary = { newest: place - Date.parse(date), date, black, white, event, ...rest };
          return { summary, game: { start: "", moves, review: null } };
        }));
      }
      told(await store.count());
    });
"""
"""A script for the page: keep made-up games until there are this many."""

NOTED = """
    window.noted = {};
    const fetched = window.fetch;
    window.fetch = async (...given) => {
      const answer = await fetched(...given);
      window.noted.read = performance.now();
      return answer;
    };
    const done = IDBTransaction.prototype.objectStore;
    IDBTransaction.prototype.objectStore = function (...given) {
      this.addEventListener("complete", () => { if (this.mode === "readwrite") window.noted.kept = performance.now(); });
      return done.apply(this, given);
    };
    new MutationObserver(() => {
      if (/^Kept/.test(document.getElementById("games-said").textContent)) window.noted.listed ??= performance.now();
    }).observe(document.getElementById("games-said"), { childList: true, characterData: true, subtree: true });
    const begin = () => { window.noted = { began: performance.now() }; };
    document.getElementById("import-files").addEventListener("change", begin, true);
"""
"""A script for the page: note when an import gets how far."""


def imports(page: Page, games: int, folder: Path, bases: int) -> Iterator[dict[str, float]]:
    """Import bases of other games each; yield the seconds of each."""
    page.mode("games")
    page.run(NOTED)
    rng = random.Random(1)
    for number in range(bases):
        base = folder / f"year{number}.wtb"
        base.write_bytes(wthor_file([random_game(rng.randrange(1 << 40)) for _ in range(games)]))
        base.with_suffix(".jou").write_bytes(names_file(["Nobody", "Ada", "Bertil"], 20))
        page.all("#import-files")[0].send_keys(f"{base}\n{base.with_suffix('.jou')}")
        page.until(lambda: page.run("return window.noted.listed"))
        noted: dict[str, float] = page.run("return window.noted")
        yield {name: (noted[name] - noted["began"]) / 1000 for name in ("read", "kept", "listed")}


def visit(page: Page) -> tuple[list[float], list[float]]:
    """Open the list anew; return the milliseconds until it was shown and loaded, the longest task, and the searches."""
    page.mode("play")
    page.browser.refresh()
    page.ready()
    page.run(WATCH)
    marks: Any = page.until(lambda: page.run(MARKS))
    return marks, [page.browser.execute_async_script(SEARCH, words) for words in SEARCHES]


def main() -> int:
    """Measure; return 0, or 1 if there is no Chromium."""
    parser = argparse.ArgumentParser(description="measure the games that a browser keeps")
    parser.add_argument("--games", type=integer(1), default=50_000, metavar="N", help="kept games (50000)")
    parser.add_argument("--year", type=integer(1), default=3000, metavar="N", help="games of an imported base (3000)")
    parser.add_argument("--bases", type=integer(1), default=3, metavar="N", help="imported bases (3)")
    parser.add_argument("--visits", type=integer(0), default=5, metavar="N", help="visits (5)")
    args = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder, chromium() as browser, served("--port", "0") as address:
            browser.set_script_timeout(600)
            page = Page(browser, address)
            for row in imports(page, args.year, Path(folder), args.bases):
                print(f"import of {args.year} games: " + ", ".join(f"{name} {s:.2f} s" for name, s in row.items()))
            print(f"kept: {browser.execute_async_script(FILL, args.games)} games")
            for _ in range(args.visits):
                (shown, loaded, longest), searches = visit(page)
                print(
                    f"visit: shown {shown:.0f} ms, all {loaded:.0f} ms, blocked {longest:.0f} ms;"
                    f" searches {statistics.median(searches):.0f} ms, at most {max(searches):.0f} ms"
                )
    except FileNotFoundError as error:
        sys.stderr.write(f"scripts/measure web-games: {error}\n")
        return 1
    return 0
