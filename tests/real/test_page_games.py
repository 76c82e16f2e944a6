"""The games that the browser keeps, and the address that follows them, in a real Chromium."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import TEXT_WRITERS
from othello_bot.rules import Game
from tests.formats.samples import names_file, wthor_file
from tests.real.browser import Page, chromium
from tests.real.test_page import GAME, SETTINGS, address, browser, has_changed, page, your_turn
from tests.real.test_page_files import BYTES, SAVED
from tests.rules.strategies import random_game

__all__ = ["address", "browser", "page"]  # fixtures

WIPED_OUT = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
"""A game that Black wins by 64 discs in nine moves."""

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


def said_is(page: Page, text: str) -> bool:
    return said(page).startswith(text)


def speak(page: Page, language: str) -> None:
    """Choose another language."""
    page.browser.execute_script(
        "const menu = document.getElementById('language'); menu.value = arguments[0];"
        "menu.dispatchEvent(new Event('change'))",
        language,
    )
    page.until(lambda: page.all(f"html[lang={language}]"))
    page.ready()


def import_base(page: Page, folder: Path, games: list[Game]) -> None:
    """Keep the games of a WTHOR base."""
    (folder / "base.wtb").write_bytes(wthor_file(games))
    (folder / "base.jou").write_bytes(names_file(["Nobody", "Ada", "Bertil"], 20))
    page.mode("games")
    page.all("#import-files")[0].send_keys(f"{folder}/base.wtb\n{folder}/base.jou")
    page.until(lambda: said(page).startswith("Kept"))


def find(page: Page, words: str) -> None:
    page.browser.execute_script(
        "const field = document.getElementById('find-games'); field.value = arguments[0];"
        "field.dispatchEvent(new Event('input'))",
        words,
    )


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


def test_a_game_is_kept_once_with_players_date_and_result(page: Page) -> None:
    page.square("f5")
    page.until(lambda: your_turn(page) and len(page.moves) == 4)
    page.run("[...document.querySelectorAll('button')].find(one => one.textContent === 'Resign').click()")
    agree(page)
    page.mode("games")
    page.until(lambda: kept(page))
    today = page.run("return new Date().toLocaleDateString('sv')")
    [words] = [one.split() for one in kept(page)]
    assert (words[:4], words[-2:]) == (["You", "–", "othello-bot,", "casual"], [today, "0–1"])
    page.browser.refresh()
    page.ready()
    page.mode("games")
    page.until(lambda: said(page) == "1 game.")
    page.click(".kept-game")
    page.until(lambda: page.moves)
    speak(page, "ja")
    page.until(lambda: page.text("#seat-bottom .who") == "あなた" and "othello-bot（" in page.text("#seat-top .who"))
    page.mode("games")
    page.until(lambda: "あなた – othello-bot（" in page.text(".kept-game"))
    speak(page, "en")
    page.until(lambda: page.text(".kept-game").startswith("You – othello-bot, casual"))


@pytest.mark.parametrize("side", ["both", "none"])
def test_the_names_of_two_people_or_computers_follow_the_language(page: Page, side: str) -> None:
    def names() -> list[str]:
        return [page.text(f"#seat-{place} .who") for place in ("bottom", "top")]

    page.side(side)
    if side == "both":
        page.press("f", "5")
    page.until(lambda: len(page.moves) >= 2)
    page.mode("learn")
    english = names()
    page.mode("games")
    page.click("#keep-game")
    page.until(lambda: page.text(".kept-game").startswith(" – ".join(english)))
    speak(page, "ja")
    page.until(lambda: kept(page))
    page.mode("learn")
    japanese = names()
    assert japanese != english
    page.mode("games")
    page.until(lambda: page.text(".kept-game").startswith(" – ".join(japanese)))


def test_an_opened_game_is_kept_as_it_is_told_and_not_as_one_that_was_played_here(page: Page, tmp_path: Path) -> None:
    """Its players, date, event and result stay; who looks at its end in Play has not played it."""
    resigned = GameRecord(Game.from_transcript(GAME), black="Ada", white="Bertil", date="1987-06-05", result=20)
    (tmp_path / "resigned.ggf").write_text(TEXT_WRITERS[".ggf"](resigned))
    page.mode("review")
    page.all("#files")[0].send_keys(f"{tmp_path}/resigned.ggf")
    page.until(lambda: page.moves == GAME)
    page.mode("games")
    page.click("#keep-game")
    page.until(lambda: page.text(".kept-game").startswith("Ada – Bertil1987-06-05  42–22"))
    page.mode("play")
    page.paste(GAMES[0].transcript(passes=True))
    page.until(lambda: len(page.moves) > 100)
    page.press("\ue010")
    page.mode("play")
    page.side("both")
    page.browser.refresh()
    page.ready()
    page.mode("games")
    page.until(lambda: said(page) == "1 game.")


def test_a_finished_game_whose_end_is_taken_back_is_kept_once(page: Page) -> None:
    page.side("both")
    for move in WIPED_OUT:
        page.press(*move)
    page.until(lambda: "51 empty squares" in page.status)
    page.press("t", "t")
    page.side("both")
    page.browser.refresh()
    page.ready()
    page.mode("games")
    page.until(lambda: said(page) == "1 game." and "64–0" in page.text(".kept-game"))


def test_a_game_that_goes_on_from_a_kept_one_is_another_game(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, [Game.from_transcript("".join(WIPED_OUT))])
    page.run("document.querySelector('[name=side][value=both]').click()")
    page.click(".kept-game")
    page.until(lambda: page.moves == "".join(WIPED_OUT))
    page.press(*["\ue014"] * 7)
    page.mode("play")
    for move in ("f5", "c5"):
        page.press(*move)
    page.until(lambda: "51 empty squares" in page.status)
    page.mode("games")
    page.until(lambda: len(kept(page)) == 2)
    assert sorted(one.split("\n")[0] for one in kept(page)) == ["Bertil – Nobody", "Black – White"]


def test_files_of_several_kinds_are_kept_together_and_a_bad_one_is_named(page: Page, tmp_path: Path) -> None:
    (tmp_path / "base.wtb").write_bytes(wthor_file(GAMES[:5]))
    (tmp_path / "base.jou").write_bytes(names_file(["Nobody", "Ada", "Bertil"], 20))
    (tmp_path / "two.txt").write_text("f5d6\nf5f4\n")
    (tmp_path / "none.txt").write_text("")
    (tmp_path / "wrong.txt").write_text("f5a1")
    files = [f"{tmp_path}/{name}" for name in ("base.wtb", "base.jou", "two.txt")]
    page.mode("games")
    for bad, told in (("none.txt", "There is no game in it."), ("wrong.txt", "illegal move 'a1'")):
        page.all("#import-files")[0].send_keys("\n".join([*files, f"{tmp_path}/{bad}"]))
        page.until(partial(said_is, page, f"{bad}: {told}"))
    assert not kept(page)
    page.all("#import-files")[0].send_keys("\n".join(files))
    page.until(lambda: said(page) == "Kept 7 games.")
    assert sum("Bertil – Nobody" in one for one in kept(page)) == 5


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
    find(page, "bertil 1987")
    assert said(page) == "60 games."
    find(page, "carla")
    assert (said(page), kept(page)) == ("0 games of 60.", [])
    find(page, "")
    page.run("document.getElementById('games-result').value = 'draw'")
    page.run("document.getElementById('games-result').dispatchEvent(new Event('change'))")
    assert all("32–32" in one for one in kept(page))
    page.run("document.getElementById('games-result').value = ''")
    find(page, "bertil")
    page.click(".kept-game")
    page.until(lambda: page.moves in {game.transcript(passes=True) for game in GAMES})
    page.mode("games")
    page.click(".kept li .delete")
    agree(page)
    page.until(lambda: said(page) == "59 games.")
    find(page, "")
    page.click("#delete-games")
    agree(page)
    page.until(lambda: said(page) == "0 games.")


def test_a_game_that_was_played_here_is_the_same_in_its_file(page: Page, tmp_path: Path) -> None:
    page.side("X")
    page.square("f5")
    page.until(lambda: your_turn(page) and len(page.moves) == 4)
    page.run("[...document.querySelectorAll('button')].find(one => one.textContent === 'Resign').click()")
    page.mode("games")
    page.until(lambda: kept(page))
    exported = saved_file(page, "#export-games", tmp_path)
    page.all("#import-files")[0].send_keys(str(exported))
    page.until(lambda: said(page) == "Kept 0 games; 1 was there already.")


def test_the_list_tells_what_a_game_is(page: Page, tmp_path: Path) -> None:
    """A winner without a number of discs, parts of discs, the event; and the moves where nobody is named."""
    texts = {
        "won.pgn": '[Event "Cup"]\n[Date "1987.06.05"]\n[Black "Ada"]\n[White "Bertil"]\n[Result "0-1"]\n\n1. f5 d6 0-1\n',
        "time.json": '{"id":"x","players":[{"name":"Carla"},{"name":"Dora"}],"position":{"moves":['
        '{"m":"f5","t":1},{"t":2,"s":"LOSE:TIMEUP"}]}}',
        "komi.ggf": "(;GM[Othello]PB[Emil]PW[Frida]TY[8k]KM[-3.1]RE[-22.87]"
        "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[D6];)",
        "moves.txt": "f5d6c3d3c4",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    page.mode("games")
    page.all("#import-files")[0].send_keys("\n".join(f"{tmp_path}/{name}" for name in texts))
    page.until(lambda: said(page) == "Kept 4 games.")
    assert sorted(kept(page)) == [
        "Ada – Bertil\n1987-06-05  0–1  Cup",
        "Black – White\nf5d6c3d3c4",
        "Carla – Dora\n1–0",
        "Emil – Frida\n21–43",
    ]
    backup = saved_file(page, "#back-up", tmp_path)
    page.click("#delete-games")
    agree(page)
    page.until(lambda: said(page) == "0 games.")
    page.all("#import-files")[0].send_keys(str(backup))
    page.until(lambda: said(page) == "Kept 4 games.")
    find(page, "f5d6c3")
    assert len(kept(page)) == 1


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
    page.all("#import-files")[0].send_keys(str(backup))
    page.until(lambda: said(page) == f"Kept {len(games)} games.")
    assert sorted(kept(page)) == sorted(before)
    (tmp_path / "half.json").write_bytes(backup.read_bytes()[:-100])
    page.all("#import-files")[0].send_keys(str(tmp_path / "half.json"))
    page.until(lambda: said(page) == "The backup is damaged: it is incomplete.")


def test_a_backup_is_whole_before_the_list_is_read(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES)
    page.browser.refresh()
    page.ready()
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
    find(page, "nobody")
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
    page.run(
        "window.asked = []; const send = WebSocket.prototype.send;"
        "WebSocket.prototype.send = function (text) { window.asked.push(JSON.parse(text).do); send.call(this, text); }"
    )
    page.click(".kept-game")
    page.until(lambda: page.all("#accuracies") and page.all(".slip"))
    assert "review" not in page.run("return window.asked")


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
        page.all("#import-files")[0].send_keys(f"{tmp_path}/base.wtb")
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
    page.square("f5")
    page.until(lambda: your_turn(page) and len(page.moves) == 4)
    before = page.moves
    page.until(lambda: page.browser.current_url == f"{address}?game={before}")
    page.browser.refresh()
    page.ready()
    page.until(lambda: page.moves == before)
    assert page.run("return document.documentElement.dataset.mode") == "play"
    assert "othello-bot" in page.text("#seat-top .who")


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


def test_a_file_of_othello_quest_is_kept(page: Page, tmp_path: Path) -> None:
    moves = [{"m": GAME[place : place + 2], "t": 1} for place in range(0, len(GAME), 2)]
    (tmp_path / "quest.json").write_text(json.dumps({"id": "x", "position": {"moves": moves, "startPos": ""}}))
    page.mode("games")
    page.all("#import-files")[0].send_keys(f"{tmp_path}/quest.json")
    page.until(lambda: said(page) == "Kept 1 game.")
    page.click(".kept-game")
    page.until(lambda: page.moves == GAME)
