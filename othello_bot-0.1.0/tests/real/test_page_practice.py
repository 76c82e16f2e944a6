"""Learning from the mistakes of kept games, and where a person loses, in a real Chromium."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest

from othello_bot.rules import Game
from tests.real.browser import Page
from tests.real.test_page import address, browser, page
from tests.real.test_page_controls import BUTTON, telephone, touch
from tests.real.test_page_games import agree, import_base, nothing_kept, said, saved_file
from tests.rules.strategies import random_game

__all__ = ["address", "browser", "nothing_kept", "page"]  # fixtures

SLIPS = random_game(7, 16)
"""A game in which several moves lost many discs."""


def told(page: Page) -> str:
    return page.text("#practice-said")


def due(page: Page) -> int:
    """Return how many positions are offered."""
    page.until(lambda: "ractise" in told(page))
    found = re.match("[0-9]+", told(page))
    return int(found[0]) if found else 0


def reviewed(page: Page, folder: Path) -> None:
    """Keep a game and review it."""
    import_base(page, folder, [SLIPS])
    assert due(page) == 0
    page.click(".kept-game")
    page.until(lambda: page.all("#accuracies"))
    page.mode("games")
    page.until(lambda: "%" in page.text(".kept-game"))
    page.until(lambda: page.all("#practise"))


def test_mistakes_are_set_again_until_they_are_found(page: Page, tmp_path: Path) -> None:
    reviewed(page, tmp_path)
    before = due(page)
    page.click("#practise")
    page.until(lambda: "Find a better move" in told(page))
    played = re.search("In the game, (..) lost", told(page))
    assert played is not None
    page.square(played[1])
    page.until(lambda: told(page).startswith(f"Not yet: {played[1]} loses"))
    page.until(lambda: len(page.all(".number:not(:empty)")) >= 2)
    page.hover("h1")
    assert page.all(".number:not(:empty)")
    for square in Game.from_transcript(page.moves).position.legal_moves:
        page.click(f'[data-square="{square}"]')
        page.until(lambda: re.match("Not yet|Right", told(page)))
        if told(page).startswith("Right"):
            break
    page.until(lambda: told(page).endswith("It comes again in 1 day."))
    page.click("#next-task")
    page.until(lambda: "Find a better move" in told(page))
    page.click("#end-practice")
    page.until(lambda: due(page) == before - 1)


def test_the_answer_is_shown(page: Page, tmp_path: Path) -> None:
    reviewed(page, tmp_path)
    page.run("document.getElementById('practise').click(); document.getElementById('show-answer').click()")
    page.until(lambda: "was best" in told(page) and told(page).endswith("It comes again in 1 day."))
    page.mode("learn")
    page.mode("games")
    page.until(lambda: page.all("#practise"))


def test_the_mistakes_of_a_game_against_a_computer_are_those_of_the_person(
    page: Page, address: str, tmp_path: Path
) -> None:
    """Those of the computer are set if its side is chosen, which does not turn the board of the next visit."""
    summary = {
        "newest": 0,
        "date": "",
        "black": "",
        "white": "othello-bot, club",
        "event": "",
        "result": None,
        "print": "",
    }
    game = {"start": "", "moves": SLIPS.transcript(passes=True), "review": None}
    backup = {"othello-bot games": 1, "games": [{"summary": {**summary, "mine": "X", "won": ""}, "game": game}]}
    (tmp_path / "backup.json").write_text(json.dumps(backup, separators=(",", ":")))
    page.import_files(tmp_path / "backup.json")
    page.until(lambda: said(page) == "Kept 1 game.")
    page.click(".kept-game")
    page.click("#practise-review")
    page.until(lambda: "Black to move" in told(page))
    own = re.match("1 of ([0-9]+)", told(page))
    page.click("#end-practice")
    page.mode("games")
    assert own is not None and due(page) == int(own[1])
    page.mode("review")
    page.run("document.querySelector('[name=slips-of][value=O]').click()")
    page.click("#practise-review")
    page.until(lambda: "White to move" in told(page))
    assert page.text("#seat-bottom .who") == "White"
    assert Page(page.browser, address).text("#seat-bottom .who") == "You"


def test_a_game_of_two_computers_gives_nothing_to_practise(page: Page) -> None:
    page.mode("play")
    page.run("document.getElementById('player-two').value = document.getElementById('player-one').value = 'random'")
    page.side("none")
    page.until(lambda: len(page.moves) > 20)
    page.mode("games")
    page.click("#keep-game")
    page.until(lambda: said(page) == "Kept 1 game.")
    page.mode("review")
    page.until(lambda: page.all("#accuracies"))
    page.mode("games")
    page.until(lambda: "%" in page.text(".kept-game"))
    assert due(page) == 0


def test_a_review_of_a_game_that_is_deleted_meanwhile_gives_nothing_to_practise(
    page: Page, address: str, tmp_path: Path
) -> None:
    reviewed(page, tmp_path)
    page.click("#practise")
    page.until(lambda: "Find a better move" in told(page))
    other = Page(page.browser, address)
    other.mode("games")
    other.until(lambda: other.text(".kept-game"))
    other.click("#delete-games")
    agree(other)
    other.until(lambda: said(other) == "0 games.")
    page.show().click("#show-answer")
    page.until(lambda: "was best" in told(page))
    page.until(lambda: "comes again" in told(page))
    page.click("#end-practice")
    page.until(lambda: told(page).startswith("Nothing to practise"))


def test_days_grow_while_a_position_is_found_and_begin_anew_when_it_is_missed(page: Page) -> None:
    gaps = page.browser.execute_async_script("""
        const told = arguments[0];
        import("/practice.js").then(({ scheduled }) => {
            let task = { gap: 0, due: 100 };
            const due = [];
            for (const missed of [false, false, false, true, false]) {
                task = scheduled(task, missed, 100);
                due.push(task.due - 100);
            }
            told(due);
        });
    """)
    assert gaps == [4, 10, 25, 1, 4]


def test_tomorrow_begins_at_midnight_here_also_in_a_page_that_lies_open(page: Page, tmp_path: Path) -> None:
    def at(time: str) -> None:
        page.run(f"Date = Real; const ahead = Date.parse('{time}') - Date.now(); {AHEAD}")

    page.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    page.run("window.Real = Date")
    at("2030-01-01T08:00+09:00")
    reviewed(page, tmp_path)
    count = due(page)
    page.click("#practise")
    page.until(lambda: page.all("#show-answer"))
    page.click("#show-answer")
    page.until(lambda: "1 day" in told(page))
    page.click("#end-practice")
    page.until(lambda: due(page) == count - 1)
    for time, number in (("2030-01-01T23:00+09:00", count - 1), ("2030-01-02T08:00+09:00", count)):
        page.mode("play")
        at(time)
        page.mode("games")
        page.until(partial(offers, page, number))


def offers(page: Page, count: int) -> bool:
    return due(page) == count


AHEAD = """
    window.Date = class extends Real {
        constructor(...given) { super(...(given.length ? given : [Real.now() + ahead])); }
        static now() { return Real.now() + ahead; }
    };
"""
"""A clock that is ahead by some milliseconds."""


@pytest.mark.parametrize("back", ["games", "review"])
def test_the_buttons_of_an_exercise_are_in_sight_however_a_telephone_is_held(
    page: Page, tmp_path: Path, back: str
) -> None:
    reviewed(page, tmp_path)
    telephone(page, 932, 430)
    page.mode(back)
    button = {"games": "#practise", "review": "#practise-review"}[back]
    touch(page, button)
    for width, height in ((932, 430), (667, 375), (430, 932), (932, 430)):
        telephone(page, width, height)
        page.until(partial(in_sight, page, "show-answer"))


def in_sight(page: Page, name: str) -> bool:
    """Whether the whole of an element is within the window."""
    box = f"document.getElementById('{name}')?.getBoundingClientRect()"
    return bool(page.run(f"const box = {box}; return box && box.top >= 0 && box.bottom <= window.innerHeight"))


def test_a_backup_holds_what_is_to_be_practised(page: Page, tmp_path: Path) -> None:
    reviewed(page, tmp_path)
    before = due(page)
    backup = saved_file(page, "#back-up", tmp_path)
    page.click("#delete-games")
    agree(page)
    page.until(lambda: said(page) == "0 games." and due(page) == 0)
    page.import_files(backup)
    page.until(lambda: said(page) == "Kept 1 game." and due(page) == before)


def test_where_one_loses_is_summed_up(page: Page) -> None:
    page.play()
    page.browser.execute_script(BUTTON, "Resign")
    agree(page)
    page.mode("games")
    assert not page.all("#weakness")
    page.until(lambda: page.all(".kept-game"))
    page.click(".kept-game")
    page.until(lambda: page.all("#accuracies"))
    page.mode("games")
    page.until(lambda: page.all("#weakness"))
    cells = page.run("return [...document.querySelectorAll('#weakness td')].map(one => one.textContent)")
    assert len(cells) == 4 and cells[1:] == ["0.0", "0.0", "0.0"]
