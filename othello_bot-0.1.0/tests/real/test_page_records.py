"""What the browser tells of the games that it keeps, and whose they are, in a real Chromium."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from othello_bot.formats import ggf
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from tests.formats.samples import names_file, wthor_file
from tests.real.browser import Page
from tests.real.test_page import GAME, address, browser, page
from tests.real.test_page_games import (
    GAMES,
    agree,
    import_base,
    kept,
    nothing_kept,
    resign_after_a_move,
    said,
    saved_file,
    speak,
)

__all__ = ["address", "browser", "nothing_kept", "page"]  # fixtures

WIPED_OUT = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
"""A game that Black wins by 64 discs in nine moves."""


def said_is(page: Page, text: str) -> bool:
    return said(page).startswith(text)


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
    (tmp_path / "resigned.ggf").write_text(ggf.write_game(resigned))
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
    page.reload()
    page.mode("games")
    page.until(lambda: said(page) == "1 game.")


@pytest.mark.parametrize("stored", [True, False])
def test_a_finished_game_whose_end_is_taken_back_is_kept_once(page: Page, stored: bool) -> None:
    """Also if the page is loaded anew before the browser has stored it."""
    if not stored:
        page.run("IDBFactory.prototype.open = () => new EventTarget()")
    page.side("both")
    for move in WIPED_OUT:
        page.press(*move)
    page.until(lambda: "51 empty squares" in page.status)
    page.press("t", "t")
    page.side("both")
    page.reload()
    page.mode("games")
    page.until(lambda: said(page) == "1 game." and "64–0" in page.text(".kept-game"))


def test_a_game_is_kept_whose_tab_is_closed_before_the_browser_has_stored_it(page: Page, address: str) -> None:
    page.run("IDBFactory.prototype.open = () => new EventTarget()")
    page.side("both")
    for move in WIPED_OUT:
        page.press(*move)
    page.until(lambda: "51 empty squares" in page.status)
    page.browser.close()
    page.browser.switch_to.window(page.browser.window_handles[0])
    for _ in range(2):
        other = Page(page.browser, address)
        other.mode("games")
        other.until(lambda: said(page) == "1 game." and "64–0" in page.text(".kept-game"))
        assert other.run("return Object.keys(localStorage)") == ["othello-bot settings"]


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
    files = [tmp_path / name for name in ("base.wtb", "base.jou", "two.txt")]
    for bad, told in (("none.txt", "There is no game in it."), ("wrong.txt", "illegal move 'a1'")):
        page.import_files(*files, tmp_path / bad)
        page.until(partial(said_is, page, f"{bad}: {told}"))
    assert not kept(page)
    page.import_files(*files)
    page.until(lambda: said(page) == "Kept 7 games.")
    assert sum("Bertil – Nobody" in one for one in kept(page)) == 5


def test_a_game_that_was_played_here_is_the_same_in_its_file(page: Page, tmp_path: Path) -> None:
    page.side("X")
    resign_after_a_move(page)
    exported = saved_file(page, "#export-games", tmp_path)
    page.import_files(exported)
    page.until(lambda: said(page) == "Kept 0 games; 1 was there already.")


def test_a_backup_is_opened_like_any_other_file(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES[:3])
    backup = saved_file(page, "#back-up", tmp_path)
    page.mode("review")
    page.all("#files")[0].send_keys(str(backup))
    page.until(lambda: page.text("#panel-review .games").startswith("3 games."))
    (tmp_path / "half.json").write_bytes(backup.read_bytes()[:-100])
    page.all("#files")[0].send_keys(f"{tmp_path}/half.json")
    page.until(lambda: page.text("#review-error") == "The backup is damaged: it is incomplete.")


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
    page.import_files(*(tmp_path / name for name in texts))
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
    page.import_files(backup)
    page.until(lambda: said(page) == "Kept 4 games.")
    page.set("find-games", "f5d6c3")
    assert len(kept(page)) == 1
