"""Puzzles on the page, and what is kept of them, in a real Chromium: by mouse, keyboard and touch."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver import ActionChains

from othello_bot.base.notation import move_name
from othello_bot.formats.obf import Problem
from othello_bot.formats.reading import problems_of_file
from othello_bot.web.page_files import PUZZLES
from tests.real.browser import Page
from tests.real.test_page import GAME, address, browser, page, your_turn
from tests.real.test_page_controls import BOARD, telephone, touch
from tests.real.test_page_games import GAMES, agree, import_base, nothing_kept, said, saved_file

__all__ = ["address", "browser", "nothing_kept", "page"]  # fixtures

KNOWN = {problem.position.to_string()[:64]: problem for problem in problems_of_file(PUZZLES)}

CELLS = "return [...document.querySelectorAll('.cell')].map((one) => one.dataset.disc).join('')"


def told(page: Page) -> str:
    return page.text("#puzzle-said")


def told_so(page: Page, beginning: str) -> bool:
    return told(page).startswith(beginning)


def shown(page: Page) -> Problem:
    """Return the puzzle on the board."""
    page.until(lambda: page.run(CELLS) in KNOWN and "to move" in told(page))
    return KNOWN[page.run(CELLS)]


def moves(problem: Problem) -> tuple[str, str]:
    """Return the best move of a puzzle and the worst one."""
    ranked = sorted(problem.scores, key=lambda move: problem.scores[move])
    return move_name(ranked[-1]), move_name(ranked[0])


def opened(page: Page) -> Page:
    page.mode("puzzles")
    page.until(lambda: "missed of" in page.text("#puzzle-score"))
    return page


@pytest.mark.parametrize("by", ["mouse", "keyboard", "touch"])
def test_a_puzzle_is_tried_until_the_move_is_found(page: Page, by: str) -> None:
    def play(name: str) -> None:
        selector = f'[data-square="{"abcdefgh".index(name[0]) + 8 * int(name[1]) - 8}"]'
        {
            "mouse": lambda: page.click(selector),
            "keyboard": lambda: page.press(*name),
            "touch": lambda: touch(page, selector),
        }[by]()

    def press(selector: str, key: str) -> None:
        {
            "mouse": lambda: page.click(selector),
            "keyboard": lambda: page.press(key),
            "touch": lambda: touch(page, selector),
        }[by]()

    if by == "touch":
        telephone(page, 390, 844)
    opened(page)
    press("#next-puzzle", "n")
    problem = shown(page)
    assert page.all("#controls button:disabled [d^='M9 6L4']")  # nothing to take back
    right, wrong = moves(problem)
    play(wrong)
    page.until(lambda: told(page).startswith(f"Not yet: {wrong} "))
    page.until(lambda: page.all(".number:not(:empty)"))
    assert page.status == told(page)
    page.until(lambda: not page.all(".number:not(:empty)"))
    play(right)
    page.until(lambda: told(page).startswith(f"Right: {right} "))
    page.until(lambda: page.text("#puzzle-score").startswith("0 solved and 1 missed of "))
    top, bottom, _ = page.run(BOARD)
    assert top >= 0 and bottom <= page.run("return window.innerHeight")
    press("#next-task", "n")
    page.until(lambda: not told(page).startswith("Right"))
    play(moves(shown(page))[0])
    page.until(lambda: page.text("#puzzle-score").startswith("1 solved and 1 missed of "))


def test_the_button_that_goes_on_stays_where_it_is_and_does_nothing_else(page: Page) -> None:
    """A second click on it must not show the answer of the next puzzle, which would count it as missed."""
    page.resize(1280, 800)
    opened(page).click("#next-puzzle")
    right, wrong = moves(shown(page))
    place = page.place("#next-task")
    for beginning in ("#daily-puzzle", "#next-puzzle"):
        page.click("#end-practice")
        ActionChains(page.browser).double_click(page.all(beginning)[0]).perform()
        right, wrong = moves(shown(page))
        assert page.text("#puzzle-score").startswith("0 solved and 0 missed of ")
    for move, told_then in ((wrong, "Not yet"), (right, "Right")):
        page.square(move)
        page.until(partial(told_so, page, told_then))
        assert page.place("#next-task") == place
    ActionChains(page.browser).double_click(page.all("#next-task")[0]).perform()
    page.until(lambda: not told(page).startswith("Right"))
    assert page.place("#next-task") == place
    page.square(moves(shown(page))[0])
    page.until(lambda: page.text("#puzzle-score").startswith("1 solved and 1 missed of "))


def test_a_verdict_is_told_where_nothing_can_be_kept(page: Page) -> None:
    page.run("IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); }")
    opened(page).click("#next-puzzle")
    right, wrong = moves(shown(page))
    for move, told_then in ((wrong, "Not yet: "), (right, "Right: ")):
        page.square(move)
        page.until(lambda: "keeps no games here" in told(page))
        page.until(partial(told_so, page, told_then + move))


def test_puzzles_are_those_of_the_ratings_that_are_chosen(page: Page) -> None:
    opened(page)
    for place, (low, high) in enumerate([(0, 9999), (0, 999), (1000, 1499), (1500, 1799), (1800, 9999)]):
        page.set("puzzle-rating", str(place))
        page.click("#next-puzzle")
        shown(page)
        rating = re.search(r"Rating ([0-9]+)\.", told(page))
        assert rating is not None and low <= int(rating[1]) <= high
        page.click("#end-practice")
    page.reload()
    page.until(lambda: page.value("#puzzle-rating") == "4")


def test_the_puzzle_of_the_day_is_the_same_in_every_tab_and_says_how_it_went(page: Page, address: str) -> None:
    opened(page).click("#daily-puzzle")
    problem = shown(page)
    page.square(moves(problem)[0])
    page.until(lambda: page.text("#daily-puzzle") == "Puzzle of the day: solved")
    other = opened(Page(page.browser, address))
    other.until(lambda: other.text("#daily-puzzle") == "Puzzle of the day: solved")
    other.click("#daily-puzzle")
    assert shown(other) == problem
    other.click("#show-answer")
    other.until(lambda: other.text("#daily-puzzle") == "Puzzle of the day: missed")


def test_a_puzzle_is_missed_by_the_first_wrong_try_also_if_one_stops_then(page: Page) -> None:
    opened(page)
    page.click("#daily-puzzle")
    page.press(*moves(shown(page))[1])
    page.until(lambda: told(page).startswith("Not yet"))
    page.click("#end-practice")
    page.until(lambda: page.text("#daily-puzzle").endswith("missed"))
    page.reload()
    page.until(lambda: page.text("#puzzle-score").startswith("0 solved and 1 missed"))


def test_a_hint_does_not_give_a_puzzle_away_and_its_values_are_shown_in_learn(page: Page) -> None:
    opened(page).click("#next-puzzle")
    problem = shown(page)
    page.press("i")
    assert page.all("#controls button:disabled [d^='M9 18']")
    page.click("#show-answer")
    page.until(lambda: told(page).startswith(moves(problem)[0]))
    page.click("#study-task")
    page.hover("h1")  # the pointer would rest on a line, which is played out then
    page.until(lambda: page.run(CELLS) == problem.position.to_string()[:64])
    page.until(lambda: page.all('.cell[data-grade="best"]'))
    assert page.run("return document.documentElement.dataset.mode") == "learn"


@pytest.mark.parametrize("back", ["#end-practice", "#tab-play"])
def test_the_game_in_play_comes_back_after_a_puzzle(page: Page, back: str) -> None:
    before = page.play()
    opened(page).click("#next-puzzle")
    shown(page)
    page.reload()
    assert page.moves == before
    page.until(lambda: page.all("#next-puzzle:not([hidden])"))
    page.click("#next-puzzle")
    shown(page)
    page.click(back)
    page.until(lambda: page.moves == before)
    page.mode("play")
    page.press("l", "\ue007")
    page.until(lambda: your_turn(page) and len(page.moves) == 8)
    page.mode("games")
    page.until(lambda: said(page) == "0 games.")


def test_mistakes_are_practised_from_a_game_that_is_not_kept(page: Page) -> None:
    page.review(GAME)
    page.click("[name=slips-of][value=X] + span")
    page.click("#practise-review")
    page.until(lambda: "Find a better move" in page.text("#practice-said"))
    assert "Black to move" in page.text("#practice-said")
    page.click("#show-answer")
    page.until(lambda: "was best" in page.text("#practice-said"))
    assert "comes again" not in page.text("#practice-said")
    page.click("#end-practice")
    page.until(lambda: page.moves == GAME and page.all("#accuracies"))
    assert page.run("return document.documentElement.dataset.mode") == "review"
    page.mode("games")
    page.until(lambda: said(page) == "0 games.")


def test_a_backup_holds_the_puzzles_that_were_tried(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES[:1])
    opened(page).click("#next-puzzle")
    page.square(moves(shown(page))[0])
    page.until(lambda: page.text("#puzzle-score").startswith("1 solved"))
    page.mode("games")
    backup = saved_file(page, "#back-up", tmp_path)
    page.click("#delete-games")
    agree(page)
    page.until(lambda: said(page) == "0 games.")
    page.browser.execute_async_script("""
        const told = arguments[0];
        indexedDB.open("othello-bot").onsuccess = ({ target }) => {
            const transaction = target.result.transaction("puzzles", "readwrite");
            transaction.objectStore("puzzles").clear();
            transaction.oncomplete = () => { target.result.close(); told(); };
        };
    """)
    page.import_files(backup)
    page.until(lambda: said(page) == "Kept 1 game.")
    page.reload()
    opened(page)
    assert page.text("#puzzle-score").startswith("1 solved")


def test_what_an_older_version_kept_is_taken_over(page: Page, address: str, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES[:2])
    page.browser.get(f"{address}icon.svg")
    page.browser.execute_async_script("""
        const told = arguments[0];
        const stores = { summaries: "id", games: "id", tasks: "id" };
        indexedDB.open("othello-bot").onsuccess = ({ target: { result: now } }) => {
            const records = {};
            const transaction = now.transaction(Object.keys(stores));
            for (const name in stores) {
                const request = transaction.objectStore(name).getAll();
                request.onsuccess = () => { records[name] = request.result; };
            }
            transaction.oncomplete = () => {
                now.close();
                indexedDB.deleteDatabase("othello-bot").onsuccess = () => {
                    const request = indexedDB.open("othello-bot", 1);
                    request.onupgradeneeded = () => {
                        for (const name in stores) {
                            const store = request.result.createObjectStore(name, { keyPath: stores[name] });
                            if (name === "summaries") store.createIndex("newest", "newest");
                            if (name === "summaries") store.createIndex("print", "print", { unique: true });
                            if (name === "tasks") store.createIndex("due", "due");
                            for (const record of records[name]) store.put(record);
                        }
                    };
                    request.onsuccess = () => { request.result.close(); told(); };
                };
            };
        };
    """)
    page.browser.get(address)
    page.ready()
    page.mode("games")
    page.until(lambda: said(page) == "2 games.")
    import_base(page, tmp_path, GAMES[:2])
    page.until(lambda: said(page) == "Kept 0 games; 2 were there already.")
    opened(page).click("#next-puzzle")
    page.square(moves(shown(page))[0])
    page.until(lambda: page.text("#puzzle-score").startswith("1 solved"))
