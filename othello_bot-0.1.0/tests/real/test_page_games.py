"""The games that the browser keeps, and the address that follows them, in a real Chromium."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.keys import Keys

from othello_bot.formats.reading import games_of_file
from othello_bot.rules import Game
from tests.formats.samples import names_file, wthor_file
from tests.real.browser import Page, chromium
from tests.real.test_page import ASKED, GAME, SETTINGS, address, browser, has_changed, page, your_turn
from tests.real.test_page_controls import BUTTON
from tests.real.test_page_files import BYTES, SAVED
from tests.rules.strategies import random_game

__all__ = ["address", "browser", "page"]  # fixtures

GAMES = [random_game(seed) for seed in range(60)]


@pytest.fixture(autouse=True)
def nothing_kept(browser: Chrome, address: str) -> None:
    """Begin with a browser that keeps no game."""
    browser.get(f"{address}icon.svg")
    browser.execute_async_script("indexedDB.deleteDatabase('othello-bot').onsuccess = arguments[0]")


def kept(page: Page) -> list[str]:
    return list(page.run("return [...document.querySelectorAll('.kept-game')].map(one => one.innerText)"))


def said(page: Page) -> str:
    return page.text("#games-said")


def number_is_kept(page: Page, number: int) -> bool:
    return len(kept(page)) == number


def focus_is_on(page: Page, text: str) -> bool:
    return bool(page.run("return document.activeElement.textContent") == text)


def speak(page: Page, language: str) -> None:
    """Choose another language."""
    page.set("language", language)
    page.until(lambda: page.all(f"html[lang={language}]"))
    page.ready()


def import_base(page: Page, folder: Path, games: list[Game]) -> None:
    """Keep the games of a WTHOR base."""
    (folder / "base.wtb").write_bytes(wthor_file(games))
    (folder / "base.jou").write_bytes(names_file(["Nobody", "Ada", "Bertil"], 20))
    page.import_files(folder / "base.wtb", folder / "base.jou")
    page.until(lambda: said(page).startswith("Kept"))


def saved_file(page: Page, button: str, folder: Path) -> Path:
    """Return the file that a button saves."""
    page.run(SAVED)
    page.click(button)
    page.until(lambda: page.run("return window.saved.length && window.named"))
    path = folder / str(page.run("return window.named"))
    path.write_bytes(bytes(page.browser.execute_async_script(BYTES)))
    return path


def agree(page: Page) -> None:
    page.until(lambda: page.all("dialog.asking[open]"))
    page.click("dialog.asking .primary")


def resign_after_a_move(page: Page) -> None:
    """Play a move, resign after the reply, and look at the list of games."""
    page.play()
    page.browser.execute_script(BUTTON, "Resign")
    agree(page)
    page.mode("games")
    page.until(lambda: kept(page))


def test_a_game_is_kept_once_with_players_date_and_result(page: Page) -> None:
    resign_after_a_move(page)
    today = page.run("return new Date().toLocaleDateString('sv')")
    [words] = [one.split() for one in kept(page)]
    assert (words[:4], words[-2:]) == (["You", "–", "othello-bot,", "casual"], [today, "0–1"])
    page.reload()
    page.mode("games")
    page.until(lambda: said(page) == "1 game.")
    page.click(".kept-game")
    page.until(lambda: page.all("html[data-mode=review]"))
    speak(page, "ja")
    page.until(lambda: page.text("#seat-bottom .who") == "あなた" and "othello-bot（" in page.text("#seat-top .who"))
    page.mode("games")
    page.until(lambda: "あなた – othello-bot（" in page.text(".kept-game"))
    speak(page, "en")
    page.until(lambda: page.text(".kept-game").startswith("You – othello-bot, casual"))


def test_a_game_that_is_given_up_is_kept_too(page: Page) -> None:
    page.side("both")
    for place in range(0, 20, 2):
        before = page.moves
        page.press(*GAME[place : place + 2])
        page.until(partial(has_changed, page, before))
    page.side("both")
    page.mode("games")
    page.until(lambda: kept(page))
    page.click(".kept-game")
    page.until(lambda: page.moves == GAME[:20])


def test_a_base_is_kept_searched_opened_and_deleted(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES)
    assert said(page) == "Kept 60 games."
    assert len(kept(page)) == 50
    page.all("#panel-games .actions button")[-2].click()
    assert len(kept(page)) == 60
    import_base(page, tmp_path, GAMES)
    page.until(lambda: said(page) == "Kept 0 games; 60 were there already.")
    page.set("find-games", "bertil 1987")
    assert said(page) == "60 games."
    page.set("find-games", "carla")
    assert (said(page), kept(page)) == ("0 games of 60.", [])
    page.set("find-games", "")
    page.set("games-result", "draw")
    assert all("32–32" in one for one in kept(page))
    page.set("games-result", "")
    page.set("find-games", "bertil")
    page.click(".kept-game")
    page.until(lambda: page.moves in {game.transcript(passes=True) for game in GAMES})
    page.mode("games")
    page.click(".kept li .delete")
    agree(page)
    page.until(lambda: said(page) == "59 games.")
    page.set("find-games", "")
    page.click("#delete-games")
    agree(page)
    page.until(lambda: said(page) == "0 games.")


def test_the_keyboard_keeps_its_place_in_what_is_drawn_anew(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES[:5])
    page.run("document.querySelectorAll('.delete')[1].focus()")
    for agreed in (False, True):
        page.press(Keys.ENTER)
        page.until(lambda: page.all("dialog.asking[open]"))
        if agreed:
            ActionChains(page.browser).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
        page.press(Keys.ENTER)
        page.until(lambda: not page.all("dialog.asking"))
        page.until(partial(number_is_kept, page, 5 - agreed))
    page.until(lambda: page.run("return document.activeElement === document.querySelectorAll('.delete')[1]"))
    page.set("minutes", "5")
    page.mode("play")
    page.side("X")
    for before, after in (("Pause", "Go on"), ("Go on", "Pause")):
        page.run(f"[...document.querySelectorAll('button')].find(one => one.textContent === '{before}').focus()")
        page.press(Keys.ENTER)
        page.until(partial(focus_is_on, page, after))


def test_all_games_are_exported_and_a_backup_brings_them_back(page: Page, tmp_path: Path) -> None:
    games = [*GAMES[:20], *(game for game in map(random_game, range(60, 400)) if 64 in game.moves)][:24]
    import_base(page, tmp_path, games)
    exported = saved_file(page, "#export-games", tmp_path)
    assert [one.checked().game for one in games_of_file(exported)] == games
    before = kept(page)
    backup = saved_file(page, "#back-up", tmp_path)
    page.click("#delete-games")
    agree(page)
    page.until(lambda: said(page) == "0 games.")
    page.import_files(backup)
    page.until(lambda: said(page) == f"Kept {len(games)} games.")
    assert sorted(kept(page)) == sorted(before)
    (tmp_path / "half.json").write_bytes(backup.read_bytes()[:-100])
    page.import_files(tmp_path / "half.json")
    page.until(lambda: said(page) == "The backup is damaged: it is incomplete.")


def test_a_backup_is_whole_before_the_list_is_read(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES)
    page.reload()
    page.mode("play")
    page.run(SAVED)
    page.run("['tab-games', 'back-up', 'export-games'].forEach((one) => document.getElementById(one).click())")
    page.until(lambda: len(page.run("return window.saved")) == 2)
    text = "const told = arguments[0]; Promise.all(window.saved.map((one) => one.text())).then(told)"
    backup, exported = sorted(page.browser.execute_async_script(text), key=lambda one: "[Event" in one)
    assert len(json.loads(backup)["games"]) == exported.count("[Event ") == len(GAMES)


def test_what_was_done_stays_told_while_the_list_is_read_again(page: Page, address: str, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES[:5])
    other = Page(page.browser, address)
    import_base(other, tmp_path, GAMES[:7])
    assert said(other) == "Kept 2 games; 5 were there already."
    page.show().until(lambda: len(kept(page)) == 7)
    assert said(page) == "Kept 5 games."
    page.set("find-games", "nobody")
    assert said(page) == "7 games."


def test_a_kept_game_keeps_its_review(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, [random_game(7, 16)])
    page.click(".kept-game")
    page.until(lambda: page.all("#accuracies"))
    page.mode("games")
    page.until(lambda: kept(page)[0].count("%") == 2)
    page.mode("play")
    page.side("both")
    page.mode("games")
    page.run(ASKED)
    page.click(".kept-game")
    page.until(lambda: page.all("#accuracies") and page.all(".slip"))
    assert "review" not in page.run("return window.asked.map((one) => one.do)")


def test_a_reload_keeps_the_review_of_the_game_on_the_board(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, [random_game(7, 16)])
    page.click(".kept-game")
    page.until(lambda: page.all("#accuracies"))
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    before = page.text("#panel-review")
    page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": ASKED})
    page.reload()
    page.until(lambda: page.all("#accuracies") and page.all(".slip"))
    page.until(lambda: "opening" in page.run("return window.asked.map((one) => one.do)"))
    assert page.text("#panel-review") == before
    assert "review" not in page.run("return window.asked.map((one) => one.do)")


def test_two_tabs_show_the_same_games(page: Page, address: str, tmp_path: Path) -> None:
    page.mode("games")
    page.until(lambda: said(page) == "0 games.")
    other = Page(page.browser, address)
    import_base(other, tmp_path, GAMES[:5])
    page.show().until(lambda: len(kept(page)) == 5)
    page.click(".kept-game")
    page.until(lambda: page.moves)
    page.mode("games")
    assert not page.all("#keep-game:enabled")
    other.show().click("#delete-games")
    agree(other)
    page.show().until(lambda: page.all("#keep-game:enabled"))


def test_the_database_of_a_newer_version_is_left_alone(page: Page, address: str) -> None:
    page.browser.get(f"{address}icon.svg")
    page.browser.execute_async_script(
        "const request = indexedDB.open('othello-bot', 99); const told = arguments[0];"
        "request.onsuccess = () => { request.result.close(); told(); }"
    )
    page.browser.get(address)
    page.ready()
    page.mode("games")
    page.until(lambda: "newer version" in said(page))
    page.mode("play")
    page.square("f5")
    page.until(lambda: your_turn(page))


def test_a_page_in_another_tab_may_renew_the_stores(page: Page, address: str, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES[:3])
    page.browser.switch_to.new_window("tab")
    page.browser.get(f"{address}icon.svg")
    opened = page.browser.execute_async_script(
        "const request = indexedDB.open('othello-bot', 3); const told = arguments[0];"
        "request.onsuccess = () => { request.result.close(); told('open'); }; request.onblocked = () => told('blocked')"
    )
    assert opened == "open"
    page.show()


def test_a_browser_without_storage_plays_and_says_so(page: Page) -> None:
    page.run("IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); }")
    page.mode("games")
    page.until(lambda: "keeps no games here" in said(page))
    page.mode("play")
    page.square("f5")
    page.until(lambda: your_turn(page))


def test_a_full_storage_keeps_nothing_of_an_import(address: str, tmp_path: Path) -> None:
    """A browser of its own: one that has granted a page storage does not take all of it back."""
    quota = {"origin": address.rstrip("/"), "quotaSize": 1000}
    (tmp_path / "base.wtb").write_bytes(wthor_file(GAMES))
    with chromium() as fresh:
        fresh.get(f"{address}icon.svg")
        fresh.execute_script(f"localStorage.setItem('othello-bot settings', '{SETTINGS}')")
        page = Page(fresh, address)
        page.mode("games")
        page.until(lambda: said(page) == "0 games.")
        fresh.execute_cdp_cmd("Storage.overrideQuotaForOrigin", quota)
        page.import_files(tmp_path / "base.wtb")
        page.until(lambda: "no storage left" in said(page))
        fresh.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": quota["origin"]})
        fresh.refresh()
        page.ready()
        page.until(lambda: said(page) == "0 games.")


def test_the_address_follows_the_game_and_back_leads_to_the_one_before(page: Page, address: str) -> None:
    page.side("both")
    page.press("f", "5", "d", "6")
    page.until(lambda: page.browser.current_url == f"{address}?game=f5d6")
    page.press("\ue012")
    page.until(lambda: page.browser.current_url == f"{address}?game=f5d6&ply=1")
    page.side("both")
    page.press("d", "3")
    page.until(lambda: page.browser.current_url == f"{address}?game=d3")
    page.browser.back()
    page.until(lambda: "f5d6" in page.browser.current_url)
    page.until(lambda: page.moves == "f5d6")
    page.browser.forward()
    page.until(lambda: page.moves == "d3")


def test_a_reload_goes_on_with_the_game_in_play(page: Page, address: str) -> None:
    before = page.play()
    page.until(lambda: page.browser.current_url == f"{address}?game={before}")
    page.reload()
    page.until(lambda: page.moves == before)
    assert page.run("return document.documentElement.dataset.mode") == "play"
    assert "othello-bot" in page.text("#seat-top .who")


def test_a_reload_keeps_the_game_that_was_just_opened(page: Page, tmp_path: Path) -> None:
    """The reload begins before the address follows the game, and ends after it."""
    import_base(page, tmp_path, GAMES[:1])
    page.mode("play")
    page.side("both")
    page.square("f5")
    page.until(lambda: page.browser.current_url.endswith("?game=f5"))
    page.mode("games")
    network = {"offline": False, "latency": 1500, "downloadThroughput": -1, "uploadThroughput": -1}
    page.browser.execute_cdp_cmd("Network.enable", {})
    page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", network)
    page.browser.execute_async_script(
        "const told = arguments[0]; const look = (_, me) => { me.disconnect(); location.reload(); told(); };"
        "new MutationObserver(look).observe(document.documentElement, { attributeFilter: ['data-mode'] });"
        "document.querySelector('.kept-game').click()"
    )
    page.ready()
    page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {**network, "latency": 0})
    assert page.all("html[data-mode=review]")
    assert {page.text(f"#seat-{place} .who") for place in ("bottom", "top")} == {"Bertil", "Nobody"}


def test_a_link_for_any_server_opens_the_game(page: Page) -> None:
    page.side("both")
    page.press("f", "5", "d", "6", "\ue012")
    page.click('[aria-label="Copy or save the game"]')
    link = page.value("#share-any-link")
    assert link == "?game=f5d6&ply=1"
    page.press("\ue00c")
    page.side("both")
    page.paste(link)
    page.until(lambda: page.moves == "f5d6")
