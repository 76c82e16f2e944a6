"""What stands around the moves of a pasted line: labels, names, numbers, dates, results, links; and what may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.formats.reading import games_of_content
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from tests.rules.strategies import games

LINE = "f5d6c3d3c4"
MOVES = ["f5", "d6", "c3", "d3", "c4"]


def told(text: str) -> list[GameRecord | str]:
    """Return the games of a text, or why they cannot be read."""
    return [
        found.record or f"{found.line}: {found.error.reason if found.error else ''}"
        for found in games_of_content(text.encode())
    ]


def the_game(text: str) -> GameRecord:
    (game,) = told(text)
    assert isinstance(game, GameRecord), game
    return game


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("・F5D6C3D3C4", ""),
        ("MOVES: f5 d6 c3 d3 c4\nRESULT: BLACK\n", ""),
        ("F5D6C3D3C4 1200", ""),
        ("F5D6C3D3C4 (32-32)", ""),
        ("F5D6C3D3C4 +4", ""),
        ("f5 d6 c3 d3 c4 1-0", ""),
        ("f5 d6 c3 d3 c4, 34-30", ""),
        ("f5d6c3d3c4 B+12", ""),
        ("f5d6c3d3c4 B33 W31", ""),
        ("1056381,1,f5d6c3d3c4", ""),
        ('"1056381","1","f5d6c3d3c4"', ""),
        ("game_id\twinner\tmoves\n17\t-1\tf5d6c3d3c4", ""),
        ("2003-12-15 f5d6c3d3c4", ""),
        ("2003/12/15 12:33:18 f5d6c3d3c4", ""),
        ("f5d6c3d3c4 15.12.2003", ""),
        ("#12 f5d6c3d3c4", ""),
        ("12) f5d6c3d3c4", ""),
        ("[12] f5d6c3d3c4", ""),
        ("Game 12: f5d6c3d3c4", ""),
        ("- f5d6c3d3c4", ""),
        ("* f5d6c3d3c4", ""),
        ("• f5 d6 c3 d3 c4", ""),
        ("★f5d6c3d3c4", ""),
        ("▶ f5d6c3d3c4", ""),
        ("> f5d6c3d3c4", ""),
        ("> > f5 d6\n> > c3 d3\n> > c4", ""),
        ("moves = ['f5', 'd6', 'c3', 'd3', 'c4']", ""),
        ("transcript=f5d6c3d3c4;", ""),
        ("棋譜：ｆ５ｄ６ｃ３ｄ３ｃ４", ""),
        ("黒：Ｆ５　白：Ｄ６　黒：Ｃ３　白：Ｄ３　黒：Ｃ４", ""),
        ("黒f5白d6黒c3白d3黒c4", ""),
        ("先手 f5 後手 d6 先手 c3 後手 d3 先手 c4", ""),
        ("1手目 f5 2手目 d6 3手目 c3 4手目 d3 5手目 c4", ""),
        ("①f5 ②d6 ③c3 ④d3 ⑤c4", ""),
        ("F5・D6・C3・D3・C4", ""),
        ("1. f5 2. d6 3. c3 4. d3 5. c4", ""),
        ("1: f5, 2: d6, 3: c3, 4: d3, 5: c4", ""),
        ("1f5 2d6 3c3 4d3 5c4", ""),
        ("B f5 W d6 B c3 W d3 B c4", ""),
        ("X: f5 O: d6 X: c3 O: d3 X: c4", ""),
        ("play b f5\nplay w d6\nplay b c3\nplay w d3\nplay b c4", ""),
        ("f5 (+2) d6 (-2) c3 {0:12} d3 [1.5] c4", ""),
        ("f5 12s d6 3s c3 4.5s d3 1s c4 2s", ""),
        ("f5! d6?! c3!? d3?? c4 $1", ""),
        ("https://example.org/game/a1b2 f5d6c3d3c4", ""),
        ("https://example.org/view?moves=f5d6c3d3c4&size=8", ""),
        ("https://example.org/#/F5-D6-C3-D3-C4", ""),
        ("see www.example.org/?m=f5%20d6%20c3%20d3%20c4", "see"),
        ("C4c3                   First Name", "First Name"),
        ("f5d6c3d3c4   Tiger", "Tiger"),
        ("f5d6c3d3c4\tNo-Kan", "No-Kan"),
        ("No-Kan: f5d6c3d3c4", ""),
        ("f5d6c3d3c4 # Tiger", "Tiger"),
        ("f5 d6 c3 d3 c4   Third / Other Name", "Third / Other Name"),
        ("anna vs ben: f5 d6 c3 d3 c4", "anna vs ben"),
        ("anna (1500) - ben (1620) f5d6c3d3c4 34-30", "anna (1500) - ben (1620)"),
        ("B4by - anna f5d6c3d3c4", "B4by - anna"),
        ("f5d6c3d3c4 white resigns", "resigns"),
        ("f5 (a good move) d6 c3 d3 c4", "a good move"),
        ("a1: f5d6c3d3c4", ""),
        ("a1 - b2: f5 d6 c3 d3 c4 f4 f6", ""),
        ("R2 T1 f5d6c3d3c4", ""),
        ("id 3f5a2b1c f5d6c3d3c4", ""),
        ("f5 d6 c3 d3 c4 -- Tiger", "Tiger"),
        ("Tiger --- f5 d6 c3 d3 c4", "Tiger"),
        ("12. f5d6c3d3c4 — Tiger", "Tiger"),
    ],
)
def test_what_stands_around_the_moves(text: str, comment: str) -> None:
    game = the_game(text)
    assert game.game.transcript() in (LINE, "c4c3", LINE + "f4f6")
    assert game.comment == comment


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("f5 d6 c9 c3", "1: transcript 'c9': expected moves"),
        ("f5d6c3 c9", "1: transcript 'c9': expected moves"),
        ("f5 d6 then c3", "1: transcript 'then': expected moves"),
        ("f5d6c3 d33", "1: transcript 'd33': expected moves"),
        ("f5d6c3x9d3", "1: transcript 'f5d6c3x9d3': expected moves"),
        ("f5d6c3 d3x", "1: transcript 'd3x': expected moves"),
        ("f5d6c3d3c", "1: transcript 'f5d6c3d3c': expected moves"),
        ("f5 d6 3c 3d c4", "1: transcript '3c': expected moves"),
        ("f5d6c3 k4", "1: transcript 'k4': expected moves"),
        ("c9", "1: transcript 'c9': expected moves"),
        ("c9 d6 c3", "1: transcript 'c9': expected moves"),
        ("Game 3: f5 d6 a1", "1: illegal move 'a1': expected"),
        ("f5d6c3d3c4 a1 wins", "1: illegal move 'a1': expected"),
        ("1. f5 d6\n2. c9 d3", "2: transcript 'c9': expected moves"),
        ("1. f5 d6\n2. c3 oops d3", "2: transcript 'oops': expected moves"),
    ],
)
def test_no_game_is_cut_short(text: str, reason: str) -> None:
    (found,) = told(text)
    assert isinstance(found, str) and found.startswith(reason)


@pytest.mark.parametrize(
    "text",
    [
        "I think that f5 is the best move here.",
        "Round 3, table T1",
        "Anna (1500) - Ben (1620), 2003-12-15, 34-30",
        "https://example.org/games/2003",
        "----------------------------------------------------------------------",
        "================",
    ],
)
def test_prose_beside_a_game(text: str) -> None:
    for lines in (f"{text}\n{LINE}\n", f"{LINE}\n\n{text}\n"):
        assert the_game(lines).game.transcript() == LINE


def test_names_of_openings() -> None:
    text = (
        "C4c3                                     First Name\n"
        "C4c3D3c5B2                               Second-Name Opening\n"
        "C4c3D3c5B3                               Third / Other\n"
    )
    found = [game for game in told(text) if isinstance(game, GameRecord)]
    assert [(game.game.transcript(), game.comment) for game in found] == [
        ("c4c3", "First Name"),
        ("c4c3d3c5b2", "Second-Name Opening"),
        ("c4c3d3c5b3", "Third / Other"),
    ]


NAMES = st.lists(st.sampled_from(("anna", "ben", "Müller", "van", "黒田", "B4by", "Игорь")), min_size=1, max_size=3)
BEFORE = st.sampled_from(
    ("", "・", "- ", "12. ", "#7 ", "2003-12-15 ", "1056381,1,", "Moves: ", "棋譜：", "[3] ", "id1234 ")
)
BEHIND = st.sampled_from(("", " 1200", " (34-30)", " 1-0", " +4", " 2003-12-15", ",34,30", " | 0:12", " *", "。"))
BETWEEN = st.sampled_from(("", " ", ", ", "-", "・", " / ", "\t", " | ", "　"))


@given(games(), BEFORE, BEHIND, BETWEEN)
def test_labels_and_numbers_change_no_game(game: Game, before: str, behind: str, between: str) -> None:
    moves = game.transcript(passes=True)
    if moves:
        text = between.join(moves[index : index + 2] for index in range(0, len(moves), 2))
        assert the_game(f"{before}{text}{behind}").game.moves == game.moves


@given(games(), NAMES, st.booleans())
def test_names_become_a_comment(game: Game, names: list[str], first: bool) -> None:
    moves = game.transcript(passes=True)
    if len(moves) > 4:
        name = " ".join(names)
        found = the_game(f"{name}: {moves}" if first else f"{moves}   {name}")
        assert found.game.moves == game.moves
        assert found.comment == name or (first and len(names) == 1 and not found.comment)


@given(games(), st.integers(0, 59), st.sampled_from(("c9", "x9", "oops", "d33", "a")))
def test_a_word_between_moves_is_told(game: Game, place: int, word: str) -> None:
    names = [game.transcript(passes=True)[index : index + 2] for index in range(0, 2 * game.ply, 2)]
    if place + 1 < len(names):
        spoiled = [*names[: place + 1], word, *names[place + 1 :]]
        (found,) = told(" ".join(spoiled))
        assert isinstance(found, str) and f"'{word}'" in found
