"""Backups of the page's games in a real Chromium: damaged entries are left out; the list, a backup and a restore work."""

from __future__ import annotations

import json
import os
import random
from functools import partial
from pathlib import Path
from typing import Any

from tests.real.browser import Page
from tests.real.test_page import address, browser, page
from tests.real.test_page_games import agree, kept, nothing_kept, said, saved_file
from tests.web.backups import backup, entry, mutated

__all__ = ["address", "browser", "nothing_kept", "page"]  # fixtures

MUTATED = int(os.environ.get("OTHELLO_BOT_BACKUPS", "4"))
"""Mutated backups that are imported, and put into the database as they are; a hundred were once."""

KOMI = (
    "(;GM[Othello]PC[GGS/os]DT[2026-11-27]PB[ann]PW[ben]RE[+3.50]TY[8]BO[8 ---------------------------O*------*O----"
    "----------------------- *]B[F5]W[D6]B[C3];)"
)
"""A game whose result has parts of discs."""

PUT = """
    const [entries, told] = arguments;
    indexedDB.open("othello-bot").onsuccess = ({ target: { result: db } }) => {
      const all = db.transaction(["summaries", "games", "tasks"], "readwrite");
      const put = (name, id, value) => {
        try {
          all.objectStore(name).put({ ...value, id });
        } catch {
          // No value of a database.
        }
      };
      JSON.parse(entries).forEach((one, place) => {
        put("summaries", place + 1, one?.summary);
        put("games", place + 1, one?.game);
        for (const [number, task] of Object.entries(one?.tasks ?? [])) put("tasks", `${place + 1} ${number}`, task);
      });
      all.oncomplete = () => (db.close(), told());
      all.onabort = () => (db.close(), told());
    };
"""
"""Puts entries into the page's database as they are."""


def is_told(page: Page, beginning: str) -> bool:
    return said(page).startswith(beginning)


def delete_all(page: Page) -> None:
    if page.all("#delete-games:not([hidden])"):
        page.click("#delete-games")
        agree(page)
        page.until(lambda: said(page) == "0 games.")
    assert not kept(page)


def titles(page: Page) -> list[str]:
    """Return the players and dates of the list; reviews may come meanwhile."""
    return sorted(one.split("  ")[0] for one in kept(page))


def backed_up_and_restored(page: Page, folder: Path, before: list[str] | None = None) -> None:
    """Check that a backup brings back these games, or all that are listed."""
    before = titles(page) if before is None else before
    saved = saved_file(page, "#back-up", folder)
    page.until(lambda: said(page).startswith("Backed up."))
    delete_all(page)
    page.import_files(saved)
    page.until(partial(is_told, page, "Kept"))
    assert said(page) == f"Kept {len(before)} game{'' if len(before) == 1 else 's'}."
    assert titles(page) == before


def test_a_game_with_parts_of_discs_is_opened_kept_and_restored(page: Page, tmp_path: Path) -> None:
    (tmp_path / "komi.ggf").write_text(KOMI)
    page.mode("review")
    page.all("#files")[0].send_keys(f"{tmp_path}/komi.ggf")
    page.until(lambda: page.moves == "f5d6c3")
    page.mode("games")
    page.click("#keep-game")
    page.until(lambda: kept(page))
    assert kept(page)[0].split("\n")[1].startswith("2026-11-27  34–30")
    backed_up_and_restored(page, tmp_path)
    (tmp_path / "old.json").write_text(backup([entry(1, result=-3.5)]))
    page.import_files(tmp_path / "old.json")
    page.until(lambda: said(page) == "Kept 1 game.")
    assert any("30–34" in one for one in kept(page))


def test_a_damaged_entry_is_told_left_out_and_replaced(page: Page, tmp_path: Path) -> None:
    page.mode("games")
    page.until(lambda: said(page) == "0 games.")
    bad = [entry(1, first={"toString": 1}), entry(2)]
    bad[1]["game"]["moves"] = "f5f5"
    page.browser.execute_async_script(PUT, json.dumps([entry(0), *bad]))
    page.reload()
    page.mode("games")
    page.until(lambda: said(page) == "2 games. 1 damaged entry was left out.")
    saved = saved_file(page, "#back-up", tmp_path)
    page.until(lambda: said(page) == "Backed up. 2 damaged entries were left out.")
    assert len(json.loads(saved.read_text())["games"]) == 1
    (tmp_path / "whole.json").write_text(backup([entry(seed) for seed in range(3)]))
    page.import_files(tmp_path / "whole.json")
    page.until(lambda: said(page) == "Kept 2 games; 1 was there already.")
    backed_up_and_restored(page, tmp_path)


def test_a_game_that_waits_to_be_kept_and_is_damaged_harms_nothing(page: Page) -> None:
    page.mode("games")
    page.until(lambda: said(page) == "0 games.")
    whole = entry(1)
    notes = {"a": "{", "b": '{"summary":5}', whole["summary"]["print"]: json.dumps({**whole, "kept": None})}
    page.browser.execute_script(
        "for (const [name, note] of Object.entries(arguments[0])) localStorage['othello-bot pending ' + name] = note",
        notes,
    )
    page.reload()
    page.mode("games")
    page.until(lambda: said(page) == "1 game.")
    page.until(lambda: page.run("return Object.keys(localStorage)") == ["othello-bot settings"])


def test_mutated_backups_leave_a_page_that_works(page: Page, tmp_path: Path) -> None:
    rng = random.Random(4)
    for number in range(MUTATED):
        text, whole = mutated(rng)
        page.mode("games")
        path = tmp_path / f"{number}.json"
        path.write_text(text)
        page.import_files(path)
        page.until(lambda: "Kept" in said(page) or "damaged" in said(page))
        assert len(kept(page)) >= whole, text
        entries = entries_of(text)
        page.browser.execute_async_script(PUT, json.dumps(entries))
        page.reload()
        page.mode("games")
        page.until(lambda: page.text("#games-said").split(".")[0].endswith(("game", "games")))
        backed_up_and_restored(page, tmp_path, opened(page))
        delete_all(page)


def opened(page: Page) -> list[str]:
    """Open all games of the list; return the titles of those that can be opened."""
    found = []
    for row, title in enumerate(one.split("  ")[0] for one in kept(page)):
        page.mode("games")
        page.set("find-games", "")
        page.run(f"document.querySelectorAll('.kept-game')[{row}].click()")
        if page.until(lambda: page.all("html[data-mode=review]") or said(page).startswith("The game cannot be opened")):
            found += [title] if page.all("html[data-mode=review]") else []
    page.mode("games")
    return sorted(found)


def entries_of(text: str) -> list[Any]:
    """Return the games of a backup's text, as far as it has any."""
    try:
        games = json.loads(text)["games"]
    except (ValueError, KeyError):
        return []
    return games if isinstance(games, list) else []
