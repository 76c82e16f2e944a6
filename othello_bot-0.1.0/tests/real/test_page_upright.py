"""The page on a telephone held upright, in a real Chromium: touch, what stands where, and that no touch loses a game."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.real.browser import Page
from tests.real.test_page import GAME, SETTINGS, address, browser, page, your_turn
from tests.real.test_page_controls import BOARD, BUTTON, HOLDS, MODES, plies, telephone, touch
from tests.real.test_page_games import GAMES, agree, import_base, nothing_kept, said
from tests.real.test_page_puzzles import CELLS, moves, opened, shown, told

__all__ = ["address", "browser", "nothing_kept", "page"]  # fixtures

NUMBERS = ".number:not(:empty)"
"""The numbers of a line that is played out."""

JAPANESE = json.dumps({**json.loads(SETTINGS), "language": "ja"})


def in_japanese(page: Page, address: str, query: str = "") -> Page:
    page.run(f"localStorage.setItem('othello-bot settings', {json.dumps(JAPANESE)})")
    return Page(page.browser, address, query)


def upright(page: Page) -> Page:
    telephone(page, 390, 844)
    return page


def deeper(page: Page, before: str) -> bool:
    return page.text(".reached") != before


def clocks(page: Page) -> list[str]:
    """Return what both clocks show, the upper one first; "" for one that is not there."""
    shown: list[str] = page.run(
        "return [...document.querySelectorAll('.clock')].map(one => one.hidden ? '' : one.textContent)"
    )
    return shown


def test_a_line_that_was_touched_goes_on_while_the_search_deepens(page: Page, address: str) -> None:
    page = upright(Page(page.browser, address, "?game=f5d6c3d3"))
    page.set("level", "61")
    page.until(lambda: page.all(".lines li"))
    touch(page, ".lines li:last-child button")
    page.until(lambda: page.all(NUMBERS))
    for _ in range(2):
        page.until(partial(deeper, page, page.text(".reached")))
        assert page.all(NUMBERS)


def test_a_touch_on_the_board_brings_the_position_back_before_it_plays(page: Page, address: str) -> None:
    page = upright(Page(page.browser, address, "?game=f5d6c3d3"))
    page.until(lambda: page.text(".reached").startswith("Searched"))
    before = page.moves
    touch(page, ".lines li:first-child button")
    page.until(lambda: len(page.all(NUMBERS)) >= 2)
    touch(page, '[data-square="26"]')
    page.until(lambda: not page.all(NUMBERS))
    assert page.moves == before
    touch(page, '[data-square="26"]')
    page.until(lambda: page.moves == before + "c4")


def test_after_the_reply_to_a_wrong_move_the_position_comes_back(page: Page) -> None:
    upright(opened(page))
    touch(page, "#next-puzzle")
    problem = shown(page)
    touch(page, f'[data-square="{square(moves(problem)[1])}"]')
    page.until(lambda: page.all(NUMBERS))
    page.until(lambda: not page.all(NUMBERS))
    assert page.run(CELLS) == problem.position.to_string()[:64] and told(page).startswith("Not yet")


def square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * int(name[1]) - 8


@pytest.mark.parametrize("tab", ["play", "puzzles", "games"])
def test_the_game_in_play_comes_back_after_the_values_of_a_puzzle(page: Page, tab: str) -> None:
    page.set("minutes", "5")
    page.side("X")
    before = page.play()
    opened(page).click("#next-puzzle")
    shown(page)
    page.click("#show-answer")
    page.click("#study-task")
    page.hover("h1")  # the pointer would rest on a line, which is played out then
    page.until(lambda: page.all('.cell[data-grade="best"]'))
    page.mode(tab)
    page.until(lambda: page.moves == before)
    assert all(clocks(page))
    page.mode("play")
    page.press("l", "\ue007")
    page.until(lambda: your_turn(page) and len(page.moves) == 8)


def test_back_and_forward_lead_to_the_game_in_play_as_it_was(page: Page) -> None:
    page.side("both")
    page.square("f5")
    page.until(lambda: "?game=f5" in page.run("return location.search"))
    page.set("minutes", "5")
    page.set("strength-one", "9")
    page.side("X")
    page.square("d3")
    page.until(lambda: your_turn(page) and len(page.moves) == 4)
    before = page.moves
    page.until(lambda: page.run("return location.search") == f"?game={before}")
    page.browser.back()
    page.until(lambda: page.moves == "f5")
    assert clocks(page) == ["", ""]
    page.browser.forward()
    page.until(lambda: page.moves == before)
    assert all(clocks(page)) and "hobbyist" in page.text("#seat-top .who")
    page.press("l", "\ue007")
    page.until(lambda: your_turn(page) and len(page.moves) == 8)


def test_a_clock_stops_while_the_game_is_not_played(page: Page) -> None:
    page.run(
        "const now = performance.now.bind(performance); window.ahead = 0; performance.now = () => now() + window.ahead"
    )
    page.set("minutes", "5")
    page.side("both")
    page.run("window.ahead = 60_000")
    page.until(lambda: clocks(page)[1] < "4:01")
    page.mode("learn")
    page.until(lambda: clocks(page)[1] < "4:01")
    page.run("window.ahead = 600_000")
    page.until(lambda: page.all(".lines li"))
    page.mode("play")
    page.until(lambda: page.status.startswith("Black to move"))
    assert "2:00" < clocks(page)[1] < "4:01"


def test_a_puzzle_does_not_turn_the_game_over(page: Page) -> None:
    page.square("f5")
    page.until(lambda: your_turn(page))
    opened(page)
    while True:
        page.click("#next-puzzle")
        if shown(page).position.to_string()[-1] == "O":
            break
        page.click("#end-practice")
    page.reload()
    assert page.run("return document.getElementById('seat-bottom').dataset.side") == "X"


def test_resigning_is_asked_for(page: Page) -> None:
    page.square("f5")
    page.until(lambda: your_turn(page))
    page.browser.execute_script(BUTTON, "Resign")
    page.until(lambda: page.all("dialog.asking[open]"))
    page.browser.execute_script(BUTTON, "Go on playing")
    page.until(lambda: not page.all("dialog.asking"))
    assert your_turn(page)
    page.browser.execute_script(BUTTON, "Resign")
    agree(page)
    page.until(lambda: page.status == "White wins: Black resigned.")


def test_an_opened_game_waits_where_two_computers_are_set(page: Page) -> None:
    page.run("document.querySelector('[name=side][value=none]').click()")
    page.paste(GAME)
    page.until(lambda: page.moves == GAME)
    page.mode("play")
    page.until(lambda: page.status == "Paused.")
    assert plies(page) == 0


def test_a_new_game_brings_both_players_and_the_buttons_into_sight(page: Page) -> None:
    upright(page)
    page.run("document.querySelector('[name=side][value=both]').click()")
    touch(page, "#new-game")
    edges = "return ['#seat-top', '#controls'].map(one => document.querySelector(one).getBoundingClientRect())"
    page.until(lambda: page.run(edges)[0]["top"] >= 0 and page.run(edges)[1]["bottom"] <= 844)


def test_the_list_of_games_stands_above_the_board(page: Page) -> None:
    upright(page).mode("games")
    assert page.run("return document.querySelector('.kept').getBoundingClientRect().top") < page.run(BOARD)[0]
    page.mode("play")
    assert page.run(BOARD)[0] < page.run("return document.querySelector('#new-game').getBoundingClientRect().top")


def test_the_line_below_the_board_tells_of_the_mistake_in_review(page: Page) -> None:
    page.review(GAME)
    upright(page)
    touch(page, ".slips li:first-child .slip")
    card = page.run("return document.querySelector('.slip').getAttribute('aria-label')")
    page.until(lambda: " In the game, " in page.status)
    played, lost, better = page.run(
        r"return arguments[0].match(/(\w\w): lost (\d+) discs?, (\w\w) was/).slice(1)".replace(
            "arguments[0]", json.dumps(card)
        )
    )
    assert f"{played} lost {lost} disc" in page.status and f"{better} was better." in page.status


def test_no_line_is_drawn_where_the_evaluation_is_not_known(page: Page) -> None:
    drawn = page.browser.execute_async_script("""
        const told = arguments[0];
        import("/graph.js").then(({ Graph }) => {
            const box = document.createElement("div");
            const scores = [0, 2, 4, null, null, 8, 9];
            new Graph(box, () => {}).render(scores.map((score, ply) => ({ ply, score, grade: "", label: "" })), 0);
            told([...box.querySelectorAll("polyline")].map((one) => one.getAttribute("points").split(" ").length));
        });
    """)
    assert drawn == [3, 2]


def test_opening_nothing_asks_for_a_text(page: Page) -> None:
    page.mode("review")
    page.run("document.getElementById('reading').open = true")
    page.click("#read")
    assert page.run("return document.activeElement.id") == "paste"
    assert page.text("#review-error") == page.text("#review-reading") == ""


def test_the_end_of_a_game_says_where_values_are(page: Page, address: str) -> None:
    page = Page(page.browser, address, f"?game=&start={quote('X' * 64 + ' X')}")
    page.until(lambda: "Step back" in page.text(".lines"))


def test_passes_are_in_the_language_of_the_page_in_lines(page: Page, address: str) -> None:
    cells = "-O" + "X" * 60 + "O-"
    page = in_japanese(page, address, f"?game=&start={quote(cells + ' X')}")
    page.until(lambda: "パス" in page.text(".lines li:first-child"))
    assert "pass" not in page.text(".lines")


def test_japanese_sentences_have_no_space_between_them(page: Page, address: str) -> None:
    page = in_japanese(page, address)
    page.mode("puzzles")
    page.until(lambda: page.all("#next-puzzle:not([hidden])"))
    page.click("#next-puzzle")
    page.until(lambda: "レート" in told(page))
    assert "。 " not in told(page) and "。レート" in told(page)


def test_deleting_says_so_while_it_lasts(page: Page, tmp_path: Path) -> None:
    import_base(page, tmp_path, GAMES[:2])
    page.run("""
        const line = document.getElementById("games-said");
        window.told = [];
        new MutationObserver(() => window.told.push(line.textContent)).observe(line, { childList: true });
    """)
    page.click("#delete-games")
    agree(page)
    page.until(lambda: said(page) == "0 games.")
    assert page.run("return window.told")[0] == "Deleting…"


def test_a_line_that_comes_to_lie_under_the_pointer_is_not_played_out(page: Page, address: str) -> None:
    page = Page(page.browser, address, "?game=f5d6c3d3")
    page.until(lambda: page.text(".reached").startswith("Searched"))
    page.hover(".lines li:first-child button")
    page.until(lambda: page.all(NUMBERS))
    page.click(".lines li:first-child button")
    page.until(lambda: len(page.moves) == 10 and page.text(".reached").startswith("Searched"))
    assert not page.all(NUMBERS)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_letters_twice_as_large_are_whole(page: Page, address: str, language: str) -> None:
    page = (
        in_japanese(page, address, f"?game={GAME}")
        if language == "ja"
        else Page(page.browser, address, f"?game={GAME}")
    )
    upright(page)
    page.mode("play")
    page.set("minutes", "5")
    page.side("X")
    sizes = """
        const size = (one) => parseFloat(getComputedStyle(document.querySelector(one)).fontSize);
        return [".about", ".who", "#new-game", "h2"].map(size);
    """
    before = page.run(sizes)
    page.run("document.documentElement.style.fontSize = '30px'")
    assert page.run(sizes) == [pytest.approx(2 * size, abs=0.1) for size in before]
    for mode in MODES:
        page.mode(mode)
        assert (mode, page.run(HOLDS)) == (mode, True)
        assert page.run("return [...document.querySelectorAll('.who')].every(one => one.clientWidth > 70)"), mode


@pytest.mark.parametrize(
    "text",
    [
        "・" * 27 + "○●" + "・" * 6 + "●○" + "・" * 27 + "　白番",
        "－" * 27 + "ＯＸ" + "－" * 6 + "ＸＯ" + "－" * 27 + " Ｏ",
    ],
)
def test_edit_reads_a_board_in_japanese_signs(page: Page, text: str) -> None:
    page.mode("edit")
    page.set("board-text", text)
    assert page.status.startswith("White to move") and page.text("#edit-error") == ""
    assert page.run(CELLS) == "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27


def test_an_empty_list_of_games_offers_nothing_to_delete(page: Page) -> None:
    page.mode("games")
    assert not page.all("#delete-games:not([hidden])")
    assert page.run("return [...document.querySelectorAll('#panel-games button')].at(-1).hidden")
